#include "plucker/algorithms/table.hpp"

namespace plucker {

template class Workspace<Dual<double>>;

namespace table {
namespace {

template <class... Rows>
constexpr std::array<Algorithm, sizeof...(Rows)> rows_of(List<Rows...>) {
    return {Rows::kAlgorithm...};
}
template <class S, class... Rows>
constexpr std::array<Kernel<S>, sizeof...(Rows)> kernels_of(List<Rows...>) {
    return {Rows::template run<S>...};
}

constexpr auto kRows = rows_of(All{});

}  // namespace

Status perform_compiled(int row, Workspace<Dual<double>>& ws, Operands<Dual<double>>& x) {
    static constexpr auto kKernels = kernels_of<Dual<double>>(All{});
    const auto k = static_cast<std::size_t>(row);
    if (x.from_states) return perform_from_states<Dual<double>>(kRows[k], kKernels[k], ws, x);
    return detail::perform(kRows[k], kKernels[k], ws, x);
}

}  // namespace table

std::span<const Algorithm> algorithms() { return table::kRows; }

}  // namespace plucker
