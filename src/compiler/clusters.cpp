#include "clusters.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace plucker::compiler {

NodeSet needs_of(const Program& program, const std::vector<Value>& outputs, const NodeSet* known) {
    NodeSet out(program.nodes.size());
    std::size_t last = 0;
    for (const Value x : outputs) {
        if (!is_operation(program, index_of(x)) || (known != nullptr && known->has(index_of(x))))
            continue;
        out.add(index_of(x));
        last = std::max(last, index_of(x));
    }
    for (std::size_t k = last + 1; k-- > 0;) {
        if (!out.has(k)) continue;
        for_operands(program, k, [&](std::size_t x) {
            if (is_operation(program, x) && (known == nullptr || !known->has(x))) out.add(x);
        });
    }
    return out;
}

std::vector<Cluster> atoms_of(const Program& program) {
    std::map<std::pair<int, int>, std::vector<Value>> atoms;
    std::vector<bool> is_known(program.nodes.size());
    std::size_t at = 0;
    for (const Group& group : program.output_groups) {
        const bool is_square = group.rows > 1 && group.columns % group.rows == 0;
        const std::size_t first = at;
        for (int e = 0; e < group.size(); ++e, ++at) {
            const Value x = program.outputs[at];
            if (!is_operation(program, index_of(x)) || is_known[index_of(x)]) continue;
            is_known[index_of(x)] = true;
            const int row = e % group.rows;
            const int column = group.columns == 1 ? row : e / group.rows % group.rows;
            const auto of_row =
                first + static_cast<std::size_t>(row) * static_cast<std::size_t>(group.rows);
            const int limb = is_square ? program.limb_of_output[of_row] : -1;
            atoms[{column, limb}].push_back(x);
        }
    }
    if (program.singular >= 0 && is_operation(program, index_of(program.singular)) &&
        !is_known[index_of(program.singular)])
        atoms[{-1, -1}].push_back(program.singular);
    std::vector<Cluster> out;
    for (const auto& [place, outputs] : atoms) out.push_back({outputs, needs_of(program, outputs)});
    return out;
}

std::vector<Cluster> clustered(std::vector<Cluster> out, int most_operations) {
    std::vector<int> size;
    for (const Cluster& x : out) size.push_back(x.needs.size());
    // In common, or -1: too long together.
    std::vector<std::vector<int>> common(out.size(), std::vector<int>(out.size(), -1));
    const auto compare = [&](std::size_t i, std::size_t j) {
        const int both = std::max(size[i], size[j]) > most_operations
                             ? std::numeric_limits<int>::max()
                             : out[i].needs.size_with(out[j].needs);
        const bool contains = both == std::max(size[i], size[j]);
        common[i][j] = both <= most_operations || contains ? size[i] + size[j] - both : -1;
    };
    for (std::size_t i = 0; i < out.size(); ++i) {
        for (std::size_t j = i + 1; j < out.size(); ++j) compare(i, j);
    }
    while (true) {
        int most = -1;
        std::size_t one = 0, other = 0;
        for (std::size_t i = 0; i < out.size(); ++i) {
            for (std::size_t j = i + 1; j < out.size(); ++j) {
                if (common[i][j] <= most) continue;
                most = common[i][j];
                one = i;
                other = j;
            }
        }
        if (most < 0) return out;
        out[one].needs.add(out[other].needs);
        out[one].outputs.insert(out[one].outputs.end(), out[other].outputs.begin(),
                                out[other].outputs.end());
        const auto gone = static_cast<long>(other);
        out.erase(out.begin() + gone);
        size.erase(size.begin() + gone);
        common.erase(common.begin() + gone);
        for (auto& row : common) row.erase(row.begin() + gone);
        size[one] = out[one].needs.size();
        for (std::size_t k = 0; k < out.size(); ++k) {
            if (k != one) compare(std::min(k, one), std::max(k, one));
        }
    }
}

}  // namespace plucker::compiler
