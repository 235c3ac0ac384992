#include "plucker/simulate/joint_space.hpp"

#include <algorithm>

namespace plucker {

CoordinatePaths::CoordinatePaths(const Model& model) {
    const int n = model.nv();
    const auto parent = model.coordinate_parent();
    std::vector<int> path;
    row_.push_back(0);
    for (int k = 0; k < n; ++k) {
        path.clear();
        for (int j = k; j >= 0; j = parent[j]) path.push_back(j);
        coordinates_.insert(coordinates_.end(), path.rbegin(), path.rend());
        row_.push_back(static_cast<int>(coordinates_.size()));
    }
    last_beyond_.resize(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) {
        for (int j = row_[k]; j < row_[k + 1]; ++j) last_beyond_[coordinates_[j]] = k;
    }
    // The last coordinate of a joint hangs on those before it. A joint that mimics another may follow one further on.
    end_.assign(static_cast<std::size_t>(model.num_bodies()) + 1, -1);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        end_[i] = end_[body.parent];
        if (body.nv > 0) end_[i] = std::max(end_[i], body.v_index + body.nv - 1);
    }
}

int CoordinatePaths::shared(int a, int b) const {
    if (a < 0 || b < 0) return 0;
    const auto path_a = path(a), path_b = path(b);
    const auto differ = std::mismatch(path_a.begin(), path_a.end(), path_b.begin(), path_b.end());
    return static_cast<int>(differ.first - path_a.begin());
}

}  // namespace plucker
