// Every kernel of the table in double, compiled once for each instruction set. Which one runs is decided at the first
// call.
//
// `flatten` inlines everything into each version, where the compiler may use the version's instructions; what it
// leaves out of line stays code for any processor.
#include "plucker/algorithms/table.hpp"
#include "plucker/scalar/isa.hpp"

#define PLUCKER_FOR_AVX2 gnu::target("avx2,fma")
#define PLUCKER_FOR_AVX512 gnu::target("avx512f,avx512dq,avx512vl,avx2,fma")

namespace plucker::table {
namespace {

using Call = Status (*)(const Algorithm&, Kernel<double>, Workspace<double>&, Operands<double>&);

// The code for one instruction set.
struct Code {
    Call perform;
    std::array<Kernel<double>, All::kSize> kernels;
};

template <class... Rows>
[[maybe_unused]] Code generic_code(List<Rows...>) {
    return {[](const Algorithm& row, Kernel<double> kernel, Workspace<double>& ws,
               Operands<double>& x) { return detail::perform(row, kernel, ws, x); },
            {Rows::template run<double>...}};
}

#if defined(PLUCKER_WITH_AVX2) || defined(PLUCKER_WITH_AVX512)
[[gnu::flatten, PLUCKER_FOR_AVX2]] Status perform_on_avx2(const Algorithm& row,
                                                          Kernel<double> kernel,
                                                          Workspace<double>& ws,
                                                          Operands<double>& x) {
    return detail::perform(row, kernel, ws, x);
}
#endif

// What is not hot is taken from the generic code.
#ifdef PLUCKER_WITH_AVX2
template <class Row>
[[gnu::flatten, PLUCKER_FOR_AVX2]] void run_on_avx2(Workspace<double>& ws, Operands<double>& x) {
    Row::run(ws, x);
}
template <class Row>
constexpr Kernel<double> kernel_for_avx2() {
    if constexpr (Row::kAlgorithm.is_hot) return run_on_avx2<Row>;
    return Row::template run<double>;
}
template <class... Rows>
Code avx2_code(List<Rows...>) {
    return {perform_on_avx2, {kernel_for_avx2<Rows>()...}};
}
#endif

#ifdef PLUCKER_WITH_AVX512
template <class Row>
[[gnu::flatten, PLUCKER_FOR_AVX512]] void run_on_avx512(Workspace<double>& ws,
                                                        Operands<double>& x) {
    Row::run(ws, x);
}
template <class Row>
constexpr Kernel<double> kernel_for_avx512() {
    if constexpr (Row::kAlgorithm.is_hot) return run_on_avx512<Row>;
    return Row::template run<double>;
}
template <class... Rows>
Code avx512_code(List<Rows...>) {
    return {perform_on_avx2, {kernel_for_avx512<Rows>()...}};
}
#endif

// active_isa names only what was built.
Code code_for(Isa isa) {
#ifdef PLUCKER_WITH_AVX2
    if (isa == Isa::kAvx2) return avx2_code(All{});
#endif
#ifdef PLUCKER_WITH_AVX512
    if (isa == Isa::kAvx512) return avx512_code(All{});
#endif
#ifdef PLUCKER_WITH_GENERIC
    if (isa == Isa::kGeneric) return generic_code(All{});
#endif
    return {};
}

}  // namespace

Status perform_compiled(int row, Workspace<double>& ws, Operands<double>& x) {
    static const Code code = code_for(active_isa());
    const auto k = static_cast<std::size_t>(row);
    return code.perform(algorithms()[k], code.kernels[k], ws, x);
}

}  // namespace plucker::table
