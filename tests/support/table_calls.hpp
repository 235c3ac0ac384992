// A call of any function of the table as a user writes it, in place, with Eigen's maps of somebody's memory.
#pragma once

#include <vector>

#include "plucker/algorithms/arranged.hpp"
#include "plucker/plucker.hpp"

namespace plucker::test {

struct OperandShape {
    long rows = 0, columns = 1;
};

// What a function is called with. The memory is the test's: it may overlap.
struct TableCall {
    std::vector<double*> inputs, outputs;
    std::vector<OperandShape> input_shapes, output_shapes;
    long beside = 0;  // numbers of somebody else's between two columns of a matrix
    const ExternalForces<double>* external = nullptr;
    FrameId frame;
    ReferenceFrame reference = ReferenceFrame::kWorldAligned;
    int root = 0;
    std::vector<Given> given;

    using Vector = Eigen::Map<VectorX<double>>;
    using Matrix = Eigen::Map<MatrixX<double>, Eigen::Unaligned, Eigen::OuterStride<>>;
    Vector in(std::size_t k) const { return {inputs[k], input_shapes[k].rows}; }
    Vector out(std::size_t k) const { return {outputs[k], output_shapes[k].rows}; }
    Matrix matrix(std::size_t k) const {
        const auto& [rows, columns] = output_shapes[k];
        return {outputs[k], rows, columns, Eigen::OuterStride<>(rows + beside)};
    }
};

// How many vectors stand before input k.
constexpr std::size_t vectors_before(const Algorithm& row, std::size_t k) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < k; ++i)
        n += is_option(row.inputs[static_cast<int>(i)].kind) ? 0 : 1;
    return n;
}

// `first`: how many vectors stand before the inputs.
template <class Row, std::size_t K>
auto input_of(const TableCall& x, std::size_t first = 0) {
    constexpr Kind kKind = Row::kAlgorithm.inputs[K].kind;
    if constexpr (kKind == Kind::kForces) {
        return x.external;
    } else if constexpr (kKind == Kind::kFrame) {
        return x.frame;
    } else if constexpr (kKind == Kind::kReference) {
        return x.reference;
    } else if constexpr (kKind == Kind::kRoot) {
        return x.root;
    } else if constexpr (kKind == Kind::kGiven) {
        return std::span<const Given>(x.given);
    } else {
        return x.in(first + vectors_before(Row::kAlgorithm, K));
    }
}
template <class Row, std::size_t K>
auto output_of(const TableCall& x) {
    constexpr Kind kKind = Row::kAlgorithm.outputs[K].kind;
    if constexpr (is_vector(kKind)) {
        return x.out(K);
    } else if constexpr (kKind == Kind::kJointForces) {
        return std::span<Force<double>>(reinterpret_cast<Force<double>*>(x.outputs[K]),
                                        static_cast<std::size_t>(x.output_shapes[K].rows));
    } else {
        return x.matrix(K);
    }
}

inline MatrixX<double> flat(const Pose<double>& pose) {
    MatrixX<double> out(3, 4);
    out << to_eigen(pose.rotation), to_eigen(pose.position);
    return out;
}
inline MatrixX<double> flat(double x) { return MatrixX<double>::Constant(1, 1, x); }
MatrixX<double> flat(const auto& x) { return to_eigen(x); }

// Where a function returns its result, that is put into the first output.
template <class Row>
Status call_in_place(Workspace<double>& ws, const TableCall& x) {
    constexpr const Algorithm& kRow = Row::kAlgorithm;
    const auto call = [&]<std::size_t... I, std::size_t... O>(std::index_sequence<I...>,
                                                              std::index_sequence<O...>) {
        if constexpr (Row::kAlgorithm.returns()) {
            x.matrix(0) = flat(Function<Row>{}(ws, input_of<Row, I>(x)...));
            return ws.status();
        } else {
            return Function<Row>{}(ws, input_of<Row, I>(x)..., output_of<Row, O>(x)...);
        }
    };
    return call(std::make_index_sequence<kRow.inputs.size()>{},
                std::make_index_sequence<kRow.outputs.size()>{});
}

// From the states that kinematics stand for: q, v and a as far as they are needed, then the inputs.
template <class Row>
requires(Row::kAlgorithm.num_states() > 0 && !Row::kAlgorithm.returns()) Status
    call_from_states(Workspace<double>& ws, const TableCall& x) {
    constexpr auto kStates = static_cast<std::size_t>(Row::kAlgorithm.num_states());
    const auto call = [&]<std::size_t... Q, std::size_t... I, std::size_t... O>(
        std::index_sequence<Q...>, std::index_sequence<I...>, std::index_sequence<O...>) {
        return Function<Row>{}(ws, x.in(Q)..., input_of<Row, I>(x, kStates)...,
                               output_of<Row, O>(x)...);
    };
    return call(std::make_index_sequence<kStates>{},
                std::make_index_sequence<Row::kAlgorithm.inputs.size()>{},
                std::make_index_sequence<Row::kAlgorithm.outputs.size()>{});
}

// A result as people write it.
inline MatrixX<double> result_of(Kind kind, const double* numbers, const OperandShape& shape) {
    if (stands_row_by_row(kind))
        return Eigen::Map<const MatrixX<double>>(numbers, shape.columns, shape.rows).transpose();
    return Eigen::Map<const MatrixX<double>>(numbers, shape.rows, shape.columns);
}

}  // namespace plucker::test
