// The largest flow from a source to a sink, by shortest paths (Dinic), and the side of the source of the smallest cut.
#pragma once

#include <limits>
#include <vector>

namespace plucker::compiler {

class Network {
public:
    static constexpr int kNoLimit = std::numeric_limits<int>::max() / 2;

    explicit Network(std::size_t vertices) : edges_of_(vertices) {}

    void connect(std::size_t from, std::size_t to, int capacity) {
        edges_of_[from].push_back(edges_.size());
        edges_.push_back({to, capacity});
        edges_of_[to].push_back(edges_.size());
        edges_.push_back({from, 0});
    }
    // Whether each vertex is on the source's side. Takes the capacities away.
    std::vector<bool> cut(std::size_t source, std::size_t sink);

private:
    struct Edge {
        std::size_t to;
        int capacity;
    };
    std::vector<Edge> edges_;  // each with its opposite beside it
    std::vector<std::vector<std::size_t>> edges_of_;
    std::vector<int> distance_;
    std::vector<std::size_t> next_;

    bool find_distances(std::size_t source, std::size_t sink);
    bool push(std::size_t source, std::size_t sink);
};

}  // namespace plucker::compiler
