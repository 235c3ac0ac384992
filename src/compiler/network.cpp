#include "network.hpp"

#include <algorithm>

namespace plucker::compiler {

std::vector<bool> Network::cut(std::size_t source, std::size_t sink) {
    while (find_distances(source, sink)) {
        next_.assign(edges_of_.size(), 0);
        while (push(source, sink)) {
        }
    }
    std::vector<bool> out;
    for (const int distance : distance_) out.push_back(distance >= 0);
    return out;
}

// How far each vertex is from the source, over edges that have something left. Whether the sink is reached.
bool Network::find_distances(std::size_t source, std::size_t sink) {
    distance_.assign(edges_of_.size(), -1);
    distance_[source] = 0;
    std::vector<std::size_t> queue{source};
    for (std::size_t k = 0; k < queue.size(); ++k) {
        for (const std::size_t e : edges_of_[queue[k]]) {
            const Edge& edge = edges_[e];
            if (edge.capacity == 0 || distance_[edge.to] >= 0) continue;
            distance_[edge.to] = distance_[queue[k]] + 1;
            queue.push_back(edge.to);
        }
    }
    return distance_[sink] >= 0;
}

// Along one path; no recursion, since paths are as long as programs are deep.
bool Network::push(std::size_t source, std::size_t sink) {
    std::vector<std::size_t> path;
    std::size_t at = source;
    while (at != sink) {
        std::size_t& k = next_[at];
        while (k < edges_of_[at].size()) {
            const Edge& edge = edges_[edges_of_[at][k]];
            if (edge.capacity > 0 && distance_[edge.to] == distance_[at] + 1) break;
            ++k;
        }
        if (k < edges_of_[at].size()) {
            path.push_back(edges_of_[at][k]);
            at = edges_[path.back()].to;
            continue;
        }
        if (path.empty()) return false;
        distance_[at] = -1;
        at = edges_[path.back() ^ 1U].to;
        path.pop_back();
    }
    int least = kNoLimit;
    for (const std::size_t e : path) least = std::min(least, edges_[e].capacity);
    for (const std::size_t e : path) {
        edges_[e].capacity -= least;
        edges_[e ^ 1U].capacity += least;
    }
    return true;
}

}  // namespace plucker::compiler
