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
    Call perform, perform_from_states;
    std::array<Kernel<double>, All::kSize> kernels;
};

template <class... Rows>
[[maybe_unused]] Code generic_code(List<Rows...>) {
    return {[](const Algorithm& row, Kernel<double> kernel, Workspace<double>& ws,
               Operands<double>& x) { return detail::perform(row, kernel, ws, x); },
            perform_from_states<double>,
            {Rows::template run<double>...}};
}

#if defined(PLUCKER_WITH_AVX2) || defined(PLUCKER_WITH_AVX512)
[[gnu::flatten, PLUCKER_FOR_AVX2]] Status perform_on_avx2(const Algorithm& row,
                                                          Kernel<double> kernel,
                                                          Workspace<double>& ws,
                                                          Operands<double>& x) {
    return detail::perform(row, kernel, ws, x);
}
[[gnu::flatten, PLUCKER_FOR_AVX2]] Status perform_from_states_on_avx2(const Algorithm& row,
                                                                      Kernel<double> kernel,
                                                                      Workspace<double>& ws,
                                                                      Operands<double>& x) {
    return perform_from_states<double>(row, kernel, ws, x);
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
    return {perform_on_avx2, perform_from_states_on_avx2, {kernel_for_avx2<Rows>()...}};
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
    return {perform_on_avx2, perform_from_states_on_avx2, {kernel_for_avx512<Rows>()...}};
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
    throw detail::not_built(isa);
}

// --- Code that was made for the robot (compiler/) ---

bool may_use_robot_code(const Workspace<double>& ws, const Operands<double>& x) {
    return ws.model().code() != nullptr && ws.has_constants_known_to_code() &&
           x.external == nullptr && x.root == 0;
}
// That of this call; null: there is none, or not for these options.
const RobotCode::Single* robot_code(int row, const Workspace<double>& ws,
                                    const Operands<double>& x) {
    // Code reads states, and not what forward_kinematics left.
    if (algorithms()[static_cast<std::size_t>(row)].num_states() > 0 && !x.from_states)
        return nullptr;
    if (!may_use_robot_code(ws, x)) return nullptr;
    const RobotCode& code = *ws.model().code();
    const RobotCode::Single& single = code.single[static_cast<std::size_t>(row)];
    if (single.entry != nullptr) return &single;
    if (code.of_frames.empty() || !ws.model().owns(x.frame)) return nullptr;
    return code.of_frame(row, x.frame.index(), static_cast<int>(x.reference));
}

#if defined(PLUCKER_WITH_AVX2) || defined(PLUCKER_WITH_AVX512)
// The short way: false, and nothing is lost, where the call is not plain or the mass matrix is singular. Code is made for
// processors with AVX2 only.
[[gnu::flatten, PLUCKER_FOR_AVX2]] bool run_plainly(const RobotCode::Single& code,
                                                    Workspace<double>& ws,
                                                    const Operands<double>& x) {
    if (!code.is_plain || !detail::Door<double>::is_plain(code, ws, x)) return false;
    const void* inputs[] = {x.inputs[0].data, x.inputs[1].data, x.inputs[2].data, x.inputs[3].data,
                            nullptr};
    inputs[code.num_inputs] = ws.code_parameters();
    double singular = 0;
    void* outputs[] = {x.outputs[0].data, x.outputs[1].data, x.outputs[2].data, x.outputs[3].data,
                       nullptr};
    outputs[code.num_outputs] = &singular;
    code.entry(inputs, outputs);
    return singular == 0;
}
#else
bool run_plainly(const RobotCode::Single&, Workspace<double>&, const Operands<double>&) {
    return false;
}
#endif

// Whether a result that code writes as a whole stands in a part of a larger matrix.
bool has_gaps(const Algorithm& row, const Operands<double>& x) {
    for (int k = 0; k < row.outputs.size(); ++k) {
        const Operand<double>& out = x.outputs[static_cast<std::size_t>(k)];
        if (out.stride != out.rows && out.columns > 1 && row.outputs[k].kind != Kind::kColumns)
            return true;
    }
    return false;
}

// Runs it; whatever it does not do is left to the kernel: results in a part of a larger matrix, and to tell at which
// joint the mass matrix is singular.
class RobotCodeCall {
public:
    RobotCodeCall(const Algorithm& row, RobotCode::Entry code, Kernel<double> kernel)
        : row_(row), code_(code), kernel_(kernel) {}

    void operator()(Workspace<double>& ws, Operands<double>& x) const {
        if (has_gaps(row_, x)) {
            kernel_(ws, x);
            return;
        }
        ws.coordinates.pivots = {};
        if (row_.outputs[0].kind != Kind::kColumns) {
            if (!run_column(ws, x, 0)) kernel_(ws, x);
            return;
        }
        for (int c = 0; c < x.columns(0); ++c) {
            if (run_column(ws, x, c)) continue;
            kernel_(ws, x);  // the first column already
            return;
        }
    }

private:
    const Algorithm& row_;
    RobotCode::Entry code_;
    Kernel<double> kernel_;

    // Runs the code; where the output has any number of columns, for column c. False where it met a singular pivot.
    bool run_column(Workspace<double>& ws, Operands<double>& x, int c) const {
        std::array<const void*, kMostInputs + 2> inputs{};
        std::array<void*, kMostOutputs + 1> outputs{};
        auto vectors = static_cast<std::size_t>(row_.num_states());
        std::size_t num_outputs = 0;
        for (const Argument& argument : row_.inputs) {
            if (!is_option(argument.kind)) ++vectors;
        }
        for (std::size_t k = 0; k < vectors; ++k) inputs[k] = x.inputs[k].data;
        for (const Argument& argument : row_.outputs) {
            const Operand<double>& out = x.outputs[num_outputs];
            double* const data = out.data + c * out.stride;
            if (argument.reads != Reads::kNothing) {  // it is written before all of it is read
                std::copy_n(data, out.rows, ws.coordinates.copy.data());
                inputs[vectors++] = ws.coordinates.copy.data();
            }
            outputs[num_outputs++] = data;
        }
        inputs[vectors] = ws.code_parameters();
        double singular = 0;
        outputs[num_outputs] = &singular;
        code_(inputs.data(), outputs.data());
        return singular == 0;
    }
};

// --- Code that was made for parts of a function, where that of the whole would be too long ---

// A row may say of which others' code it can be made up, and how: Row::Parts, Row::run_by_parts.
template <class Row>
concept HasParts = requires {
    typename Row::Parts;
};

// Runs the code of a part. False where its mass matrix is singular.
class CodeOfParts {
public:
    explicit CodeOfParts(const Workspace<double>& ws) : ws_(ws) {}

    template <class Part>
    bool has() const {
        return code_of(Part{}).entry != nullptr;
    }
    template <class Part>
    bool operator()(Part part, std::initializer_list<const double*> inputs,
                    std::initializer_list<double*> outputs) const {
        std::array<const void*, kMostInputs + 1> in{};
        std::array<void*, kMostOutputs + 1> out{};
        std::copy(inputs.begin(), inputs.end(), in.begin());
        std::copy(outputs.begin(), outputs.end(), out.begin());
        double singular = 0;
        in[inputs.size()] = ws_.code_parameters();
        out[outputs.size()] = &singular;
        code_of(part).entry(in.data(), out.data());
        return singular == 0;
    }

private:
    const Workspace<double>& ws_;

    template <class Part>
    const RobotCode::Single& code_of(Part) const {
        return ws_.model().code()->single[static_cast<std::size_t>(All::index<Part>())];
    }
};

template <class... Parts>
bool has_all(const CodeOfParts& code, std::tuple<Parts...>*) {
    return (code.has<Parts>() && ...);
}

// False, and nothing is lost, where some code is not there, or results stand in a part of a larger matrix.
using ByParts = bool (*)(Workspace<double>& ws, Operands<double>& x);
template <class Row>
[[maybe_unused]] PLUCKER_ALWAYS_INLINE bool ran_by_parts(Workspace<double>& ws,
                                                         Operands<double>& x) {
    const CodeOfParts code(ws);
    if (!has_all(code, static_cast<typename Row::Parts*>(nullptr))) return false;
    for (int k = 0; k < Row::kAlgorithm.outputs.size(); ++k) {
        const Operand<double>& out = x.outputs[static_cast<std::size_t>(k)];
        if (out.stride != out.rows) return false;
    }
    ws.coordinates.pivots = {};
    return Row::run_by_parts(ws, x, code);
}
#if defined(PLUCKER_WITH_AVX2) || defined(PLUCKER_WITH_AVX512)
template <class Row>
[[gnu::flatten, PLUCKER_FOR_AVX2]] bool ran_by_parts_on_avx2(Workspace<double>& ws,
                                                             Operands<double>& x) {
    return ran_by_parts<Row>(ws, x);
}
template <class Row>
constexpr ByParts by_parts() {
    if constexpr (HasParts<Row>) return ran_by_parts_on_avx2<Row>;
    return nullptr;
}
#else
template <class Row>
constexpr ByParts by_parts() {
    return nullptr;
}
#endif
template <class... Rows>
constexpr std::array<ByParts, sizeof...(Rows)> by_parts_of(List<Rows...>) {
    return {by_parts<Rows>()...};
}

// A function with as much code as there is.
class CallByParts {
public:
    CallByParts(ByParts by_parts, Kernel<double> kernel) : by_parts_(by_parts), kernel_(kernel) {}
    void operator()(Workspace<double>& ws, Operands<double>& x) const {
        if (!by_parts_(ws, x)) kernel_(ws, x);
    }

private:
    ByParts by_parts_;
    Kernel<double> kernel_;
};

// What reads kinematics factors no mass matrix.
template <class... Rows>
constexpr bool kinematics_are_enough(List<Rows...>) {
    return ((Rows::kAlgorithm.num_states() == 0 || !Rows::kAlgorithm.needs_regular_mass_matrix) &&
            ...);
}
static_assert(kinematics_are_enough(All{}));

Status perform_robot_code(const Algorithm& row, RobotCode::Entry code, Kernel<double> kernel,
                          Workspace<double>& ws, Operands<double>& x) {
    return detail::perform(row, RobotCodeCall(row, code, kernel), ws, x);
}

}  // namespace

Status perform_compiled(int row, Workspace<double>& ws, Operands<double>& x) {
    static const Code code = code_for(active_isa());
    static constexpr auto kByParts = by_parts_of(All{});
    const auto k = static_cast<std::size_t>(row);
    if (const RobotCode::Single* own = robot_code(row, ws, x); own != nullptr) {
        if (run_plainly(*own, ws, x)) return Status::kOk;
        // Without gaps, and with no mass matrix that could be singular, the kernel has no part in it.
        if (!x.from_states || !has_gaps(algorithms()[k], x))
            return perform_robot_code(algorithms()[k], own->entry, code.kernels[k], ws, x);
    }
    if (kByParts[k] != nullptr && may_use_robot_code(ws, x)) {
        return detail::perform(algorithms()[k], CallByParts(kByParts[k], code.kernels[k]), ws, x);
    }
    if (x.from_states) return code.perform_from_states(algorithms()[k], code.kernels[k], ws, x);
    return code.perform(algorithms()[k], code.kernels[k], ws, x);
}

}  // namespace plucker::table
