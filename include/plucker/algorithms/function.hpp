// The function that a row of the table represents. You can call it in three ways:
//
//     inverse_dynamics(workspace, q, v, a, tau)    in place: the caller owns all memory, nothing is allocated, and the
//                                                  call returns a Status (or the result, where that is a few numbers)
//     tau = inverse_dynamics(model, q, v, a)       by value: makes a workspace, and returns the result
//     inverse_dynamics(evaluator, Q, V, A, Tau)    over many states: see batch/batch.hpp; returns how many were flagged
//
// Arguments are in the order of the row, outputs last. The last option may be left out (may_be_left_out). A function
// that reads the workspace's kinematics takes q, v, a in the other two forms.
#pragma once

#include <string>
#include <tuple>
#include <utility>

#include "plucker/algorithms/batch_operands.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker {

// In a parameter list these do not take part in deduction: the scalar comes from the workspace, and
// anything that converts (a vector, a segment, a map) is accepted.
template <class S>
using ConstVector = Eigen::Ref<const VectorX<std::type_identity_t<S>>>;
template <class S>
using MutableVector = Eigen::Ref<VectorX<std::type_identity_t<S>>>;
template <class S>
using ConstMatrix = Eigen::Ref<const MatrixX<std::type_identity_t<S>>>;
template <class S>
using MutableMatrix = Eigen::Ref<MatrixX<std::type_identity_t<S>>>;

namespace detail {

// --- From a kind to the types of an argument -------------------------------------------------------

// How single calls take an input and an output, and what a call by value returns.
template <Kind K>
struct TypesOf {  // a vector
    template <class S>
    using Input = ConstVector<S>;
    template <class S>
    using Output = MutableVector<S>;
    template <class S>
    using Value = VectorX<S>;
};
// A matrix: of its sizes 3 and 6 are known to the compiler, the others depend on the robot.
template <Length L>
inline constexpr int kSize = L == Length::kThree ? 3
                             : L == Length::kSix ? 6
                                                 : Eigen::Dynamic;
template <Kind K>
requires(is_matrix(K)) struct TypesOf<K> {
    template <class S>
    using Output = MutableMatrix<S>;
    template <class S>
    using Value = Eigen::Matrix<S, kSize<lengths_of(K).rows>, kSize<lengths_of(K).columns>>;
};
template <template <class> class ValueType>
struct ReturnedTypes {
    template <class>
    using Output = void*;  // never asked for
    template <class S>
    using Value = ValueType<S>;
};
template <class Type>
struct OptionTypes {
    template <class>
    using Input = Type;
};
template <class S>
using Itself = S;
template <class S>
using ForcesByJoint = std::vector<Force<S>>;

template <>
struct TypesOf<Kind::kJointForces> {
    template <class S>
    using Output = std::span<Force<std::type_identity_t<S>>>;
    template <class S>
    using Value = ForcesByJoint<S>;
};
template <>
struct TypesOf<Kind::kNumber> : ReturnedTypes<Itself> {};
template <>
struct TypesOf<Kind::kPoint> : ReturnedTypes<Vec3> {};
template <>
struct TypesOf<Kind::kMotion> : ReturnedTypes<Motion> {};
template <>
struct TypesOf<Kind::kForce> : ReturnedTypes<Force> {};
template <>
struct TypesOf<Kind::kPose> : ReturnedTypes<Pose> {};
template <>
struct TypesOf<Kind::kForces> {
    template <class S>
    using Input = MaybeForces<S>;
};
template <>
struct TypesOf<Kind::kFrame> : OptionTypes<FrameId> {};
template <>
struct TypesOf<Kind::kReference> : OptionTypes<ReferenceFrame> {};
template <>
struct TypesOf<Kind::kRoot> : OptionTypes<int> {};
template <>
struct TypesOf<Kind::kGiven> : OptionTypes<std::span<const Given>> {};

template <class S, Kind K>
using InputOf = typename TypesOf<K>::template Input<S>;
template <class S, Kind K>
using OutputOf = typename TypesOf<K>::template Output<S>;
template <class S, Kind K>
using ValueOf = typename TypesOf<K>::template Value<S>;

// How batches take them.
template <class T, Kind K>
struct BatchTypesOf {
    using Output = batch::Matrices<T>;
};
template <class T, Kind K>
requires(is_vector(K)) struct BatchTypesOf<T, K> {
    using Input = batch::States<const T>;
    using Output = batch::States<T>;
};
template <class T, Kind K>
requires(K == Kind::kColumns ||
         (K >= Kind::kNumber && K <= Kind::kForce)) struct BatchTypesOf<T, K> {
    using Output = batch::States<T>;
};
template <class T, Kind K>
requires(is_option(K)) struct BatchTypesOf<T, K> {
    using Input = InputOf<T, K>;
};
template <class T>
struct BatchTypesOf<T, Kind::kForces> {
    using Input = const batch::ExternalForces<T>&;
};
template <class T, Kind K>
using BatchInputOf = typename BatchTypesOf<T, K>::Input;
template <class T, Kind K>
using BatchOutputOf = typename BatchTypesOf<T, K>::Output;

// --- From arguments to operands -----------------------------------------------------------------------

template <class S>
class OperandsBuilder {
public:
    explicit OperandsBuilder(Operands<S>& operands) : x_(operands) {}

    void take(const Eigen::Ref<const VectorX<S>>& v) {
        x_.inputs[static_cast<std::size_t>(inputs_++)] = {v.data(), v.size(), 1, v.size()};
    }
    void take(MaybeForces<S> forces) { x_.external = forces; }
    void take(FrameId frame) { x_.frame = frame; }
    void take(ReferenceFrame reference) { x_.reference = reference; }
    void take(int root) { x_.root = root; }
    void take(std::span<const Given> given) { x_.given = given; }

    void give(Eigen::Ref<VectorX<S>>& v) { give({v.data(), v.size(), 1, v.size()}); }
    void give(Eigen::Ref<MatrixX<S>>& m) { give({m.data(), m.rows(), m.cols(), m.outerStride()}); }
    void give(std::span<Force<S>> forces) {
        static_assert(sizeof(Force<S>) == 6 * sizeof(S));
        const auto n = static_cast<long>(forces.size());
        give({reinterpret_cast<S*>(forces.data()), n, 6, n});
    }
    void give(const Operand<S>& x) { x_.outputs[static_cast<std::size_t>(outputs_++)] = x; }

private:
    Operands<S>& x_;
    int inputs_ = 0, outputs_ = 0;
};

// The few numbers that a call returns, column by column, as what they are.
template <Kind K, class S>
ValueOf<S, K> value_from(const S* x) {
    if constexpr (K == Kind::kNumber) {
        return x[0];
    } else if constexpr (K == Kind::kPoint) {
        return {x[0], x[1], x[2]};
    } else if constexpr (K == Kind::kPose) {
        return {{{x[0], x[3], x[6]}, {x[1], x[4], x[7]}, {x[2], x[5], x[8]}}, {x[9], x[10], x[11]}};
    } else {
        return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    }
}

// Memory for an output of a call by value.
template <Kind K, class S>
ValueOf<S, K> make_value(const Model& model) {
    const Extent extent = extent_of(K, model);
    if constexpr (K == Kind::kJointForces) {
        return ForcesByJoint<S>(static_cast<std::size_t>(extent.rows));
    } else if constexpr (ValueOf<S, K>::ColsAtCompileTime == 1) {
        return ValueOf<S, K>(extent.rows);
    } else {
        return ValueOf<S, K>(extent.rows, extent.columns);
    }
}

// A frame may be named, where the model is at hand to look it up.
template <Kind K, class Argument>
decltype(auto) option_from(const Model& model, const Argument& argument) {
    if constexpr (K == Kind::kFrame && !std::is_same_v<Argument, FrameId>) {
        return model.frame_id(argument);
    } else {
        return (argument);
    }
}
// What is written over becomes a copy of the argument: a vector if that is one.
template <class S, class Argument>
auto copy_of(const Argument& argument) {
    static_assert(
        std::is_base_of_v<Eigen::EigenBase<Argument>, Argument>,
        "by value, what is read and written over comes last, after the options, and is an "
        "Eigen vector or matrix");
    if constexpr (Argument::ColsAtCompileTime == 1) {
        return VectorX<S>(argument);
    } else {
        return MatrixX<S>(argument);
    }
}

constexpr int without_last_option(const Algorithm& row) {
    const int n = row.inputs.size();
    return n > 0 && may_be_left_out(row.inputs[n - 1].kind) ? n - 1 : n;
}
// How many of the first `count` outputs are read.
constexpr int num_read(const Algorithm& row, int count) {
    int n = 0;
    for (int k = 0; k < count; ++k) n += row.outputs[k].reads != Reads::kNothing ? 1 : 0;
    return n;
}

}  // namespace detail

// Whoever computes batches offers perform(row, operands).
template <class Executor, class T>
concept BatchExecutor = requires(Executor& executor, batch::BatchOperands<T>& x) {
    executor.perform(0, x);
};

// `Few`: the inputs without the option that may be left out.
template <class Row, class Inputs = std::make_index_sequence<Row::kAlgorithm.inputs.size()>,
          class Few = std::make_index_sequence<detail::without_last_option(Row::kAlgorithm)>,
          class Outputs = std::make_index_sequence<Row::kAlgorithm.outputs.size()>,
          class States = std::make_index_sequence<Row::kAlgorithm.num_states()>>
class Function;

template <class Row, std::size_t... I, std::size_t... F, std::size_t... O, std::size_t... Q>
class Function<Row, std::index_sequence<I...>, std::index_sequence<F...>, std::index_sequence<O...>,
               std::index_sequence<Q...>> {
    static constexpr const Algorithm& kRow =  // NOLINT(readability-identifier-naming)
        Row::kAlgorithm;
    static constexpr bool kHasOption = sizeof...(F) < sizeof...(I);
    template <std::size_t K>
    static constexpr Kind kState = table::kStates[K].kind;
    template <std::size_t K>
    static constexpr Kind kInput = kRow.inputs[static_cast<int>(K)].kind;
    template <std::size_t K>
    static constexpr Kind kOutput = kRow.outputs[static_cast<int>(K)].kind;

public:
    // --- In place ---
    template <class S>
    requires(!kRow.returns()) Status operator()(Workspace<S>& ws,
                                                detail::InputOf<S, kInput<I>>... in,
                                                detail::OutputOf<S, kOutput<O>>... out) const {
        return in_place(ws, false, [&](auto& build) {
            (build.take(in), ...);
            (build.give(out), ...);
        });
    }
    template <class S>
    requires(!kRow.returns() && kHasOption) Status operator()(
        Workspace<S>& ws, detail::InputOf<S, kInput<F>>... in,
        detail::OutputOf<S, kOutput<O>>... out) const {
        return in_place(ws, false, [&](auto& build) {
            (build.take(in), ...);
            (build.give(out), ...);
        });
    }
    // ... from q, v, a where the row reads kinematics; those in the workspace have no part in it, and stay.
    template <class S>
    requires(!kRow.returns() && sizeof...(Q) > 0) Status operator()(
        Workspace<S>& ws, detail::InputOf<S, kState<Q>>... states,
        detail::InputOf<S, kInput<I>>... in, detail::OutputOf<S, kOutput<O>>... out) const {
        return in_place(ws, true, [&](auto& build) {
            (build.take(states), ...);
            (build.take(in), ...);
            (build.give(out), ...);
        });
    }
    template <class S>
    requires(!kRow.returns() && sizeof...(Q) > 0 && kHasOption) Status operator()(
        Workspace<S>& ws, detail::InputOf<S, kState<Q>>... states,
        detail::InputOf<S, kInput<F>>... in, detail::OutputOf<S, kOutput<O>>... out) const {
        return in_place(ws, true, [&](auto& build) {
            (build.take(states), ...);
            (build.take(in), ...);
            (build.give(out), ...);
        });
    }
    template <class S>
    requires(kRow.returns()) auto operator()(Workspace<S>& ws,
                                             detail::InputOf<S, kInput<I>>... in) const {
        return returned(ws, in...);
    }
    template <class S>
    requires(kRow.returns() && kHasOption) auto operator()(
        Workspace<S>& ws, detail::InputOf<S, kInput<F>>... in) const {
        return returned(ws, in...);
    }

    // --- By value: q, v, a where the row reads kinematics, the inputs, and the outputs that are read ---
    template <class First, class... Rest>
    auto operator()(const Model& model, const First& first, const Rest&... rest) const {
        using S = typename First::Scalar;
        constexpr int kGivenInputs =
            1 + sizeof...(Rest) - sizeof...(Q) - detail::num_read(kRow, sizeof...(O));
        static_assert(
            kGivenInputs == sizeof...(I) || kGivenInputs == sizeof...(F),
            "by value the arguments are: the model; q, v, a as far as they are needed; the "
            "inputs; and the outputs that are read");
        Workspace<S> ws(model);
        const auto arguments = std::forward_as_tuple(first, rest...);
        if constexpr (sizeof...(Q) > 0) fill_kinematics(ws, std::get<Q>(arguments)...);
        return by_value(ws, arguments, std::make_index_sequence<kGivenInputs>{});
    }

    // --- Over many states ---
    template <template <class> class Executor, class T>
    requires BatchExecutor<Executor<T>, T>
    long operator()(Executor<T>& executor, detail::BatchInputOf<T, kState<Q>>... states,
                    detail::BatchInputOf<T, kInput<I>>... in,
                    detail::BatchOutputOf<T, kOutput<O>>... out,
                    std::span<Status> status = {}) const {
        batch::BatchOperands<T> x;
        (x.take(states), ...);
        (x.take(in), ...);
        (x.give(out), ...);
        x.status = status;
        return perform_row(Row{}, executor, x);
    }
    template <template <class> class Executor, class T>
    requires(kHasOption&& BatchExecutor<Executor<T>, T>) long operator()(
        Executor<T>& executor, detail::BatchInputOf<T, kState<Q>>... states,
        detail::BatchInputOf<T, kInput<F>>... in, detail::BatchOutputOf<T, kOutput<O>>... out,
        std::span<Status> status = {}) const {
        batch::BatchOperands<T> x;
        (x.take(states), ...);
        (x.take(in), ...);
        (x.give(out), ...);
        x.status = status;
        return perform_row(Row{}, executor, x);
    }

private:
    // `hand_over` gives the arguments to a builder of operands.
    template <class S, class HandOver>
    PLUCKER_ALWAYS_INLINE static Status in_place(Workspace<S>& ws, bool from_states,
                                                 const HandOver& hand_over) {
        Operands<S> x;
        x.from_states = from_states;
        detail::OperandsBuilder<S> build(x);
        hand_over(build);
        return perform_row(Row{}, ws, x);
    }

    template <class S, class... In>
    static auto returned(Workspace<S>& ws, const In&... in) {
        Operands<S> x;
        detail::OperandsBuilder<S> build(x);
        (build.take(in), ...);
        const Extent extent = extent_of(kOutput<0>, ws.model());
        S numbers[12]{};
        build.give(Operand<S>{numbers, extent.rows, extent.columns, extent.rows});
        perform_row(Row{}, ws, x);
        return detail::value_from<kOutput<0>>(numbers);
    }

    template <class S, class Arguments, std::size_t... G>
    auto by_value(Workspace<S>& ws, const Arguments& arguments, std::index_sequence<G...>) const {
        constexpr std::size_t kFirst = sizeof...(Q);
        const auto in =
            [&]<std::size_t K>(std::integral_constant<std::size_t, K>) -> decltype(auto) {
            return detail::option_from<kInput<K>>(ws.model(), std::get<kFirst + K>(arguments));
        };
        if constexpr (kRow.returns()) {
            return plain((*this)(ws, in(std::integral_constant<std::size_t, G>{})...));
        } else {
            const auto out = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
                if constexpr (kRow.outputs[K].reads != Reads::kNothing) {
                    return detail::copy_of<S>(
                        std::get<kFirst + sizeof...(G) + detail::num_read(kRow, K)>(arguments));
                } else {
                    return detail::make_value<kOutput<K>, S>(ws.model());
                }
            };
            std::tuple results{out(std::integral_constant<std::size_t, O>{})...};
            (*this)(ws, in(std::integral_constant<std::size_t, G>{})..., std::get<O>(results)...);
            if constexpr (requires { typename Row::template Result<S>; }) {
                return typename Row::template Result<S>{std::move(std::get<O>(results))...};
            } else {
                return std::move(std::get<sizeof...(O) - 1>(results));
            }
        }
    }
    template <class Value>
    static Value plain(Value value) {
        return value;
    }
    template <class S>
    static Vector3<S> plain(const Vec3<S>& point) {
        return to_eigen(point);
    }
};

}  // namespace plucker
