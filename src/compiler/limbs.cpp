#include "limbs.hpp"

#include <algorithm>

namespace plucker::compiler {
namespace {

// Subtrees are ranges of bodies, so that they can be compared body by body.
bool are_equal(const Model& model, int a, int b) {
    const int n = model.body(a).subtree_end - a;
    if (model.body(b).subtree_end - b != n) return false;
    for (int k = 0; k < n; ++k) {
        const Body<double>&one = model.body(a + k), &other = model.body(b + k);
        const bool same_place = k == 0 || one.parent - a == other.parent - b;
        // A joint that follows another may follow one elsewhere.
        if (one.joint != other.joint || !same_place || one.mimic || other.mimic) return false;
    }
    return true;
}

}  // namespace

std::vector<EqualLimbs> equal_limbs(const Model& model) {
    std::vector<EqualLimbs> out;
    std::vector<bool> taken(static_cast<std::size_t>(model.num_bodies()) + 1);
    const auto children_of = [&](int parent) {
        std::vector<int> children;
        const int end = parent == 0 ? model.num_bodies() + 1 : model.body(parent).subtree_end;
        for (int i = parent + 1; i < end; i = model.body(i).subtree_end) children.push_back(i);
        return children;
    };
    for (int parent = 0; parent <= model.num_bodies(); ++parent) {
        if (taken[static_cast<std::size_t>(parent)]) continue;
        std::vector<int> children = children_of(parent);
        while (!children.empty()) {
            const int first = children.front();
            const auto others = std::stable_partition(children.begin(), children.end(), [&](int i) {
                return i == first || are_equal(model, first, i);
            });
            EqualLimbs equal(children.begin(), others);
            children.erase(children.begin(), others);
            for (auto from = equal.begin(); equal.end() - from >= 2;
                 from += static_cast<long>(out.back().size())) {
                out.emplace_back(from, from + (equal.end() - from >= 4 ? 4 : 2));
                for (const int i : out.back())
                    std::fill(taken.begin() + i, taken.begin() + model.body(i).subtree_end, true);
            }
        }
    }
    return out;
}

std::vector<EqualInputs> equal_inputs(const Model& model, const std::vector<EqualLimbs>& limbs,
                                      int first, bool is_configuration) {
    std::vector<EqualInputs> out;
    for (std::size_t number = 0; number < limbs.size(); ++number) {
        const int root = limbs[number].front();
        for (int k = 0; k < model.body(root).subtree_end - root; ++k) {
            const Body<double>& one = model.body(root + k);
            for (int i = 0; i < (is_configuration ? one.nq : one.nv); ++i) {
                EqualInputs equal{static_cast<int>(number), {}};
                for (const int limb : limbs[number]) {
                    const Body<double>& body = model.body(limb + k);
                    equal.inputs.push_back(first + i +
                                           (is_configuration ? body.q_index : body.v_index));
                }
                out.push_back(equal);
            }
        }
    }
    return out;
}

std::vector<int> limb_of_bodies(const Model& model) {
    const int n = model.num_bodies();
    std::vector<int> out(static_cast<std::size_t>(n) + 1, -1), leaves(out.size(), 0);
    for (int i = n; i >= 1; --i) {
        int& here = leaves[static_cast<std::size_t>(i)];
        here = std::max(here, 1);
        leaves[static_cast<std::size_t>(model.body(i).parent)] += here;
    }
    int limbs = 0;
    for (int i = 1; i <= n; ++i) {
        const auto parent = static_cast<std::size_t>(model.body(i).parent);
        // The world is no part of a trunk that is a single chain.
        if (leaves[static_cast<std::size_t>(i)] > 1 || leaves[0] == 1) continue;
        out[static_cast<std::size_t>(i)] = out[parent] >= 0 ? out[parent] : limbs++;
    }
    return out;
}

}  // namespace plucker::compiler
