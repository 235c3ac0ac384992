// Arguments for any algorithm, made from its row: for what is done with all of them, such as `plucker eval`, `plucker
// bench` and tests.
#pragma once

#include <algorithm>
#include <vector>

#include "plucker/algorithms/operands.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker {

// Vectors for the arguments of every kind.
template <class S>
struct Sample {
    VectorX<S> q, v, a, tau;
    VectorX<S> other_q;  // for the second configuration, where a row has two

    template <class To>
    Sample<To> cast() const {
        return {q.template cast<To>(), v.template cast<To>(), a.template cast<To>(),
                tau.template cast<To>(), other_q.template cast<To>()};
    }
    const VectorX<S>& of(Kind kind, bool is_first = true) const {
        if (kind == Kind::kConfiguration) return is_first ? q : other_q;
        if (kind == Kind::kVelocity) return v;
        return kind == Kind::kAcceleration ? a : tau;
    }
};

// What hybrid dynamics is given, where nobody says: the acceleration of every other joint.
inline std::vector<Given> every_other_acceleration(const Model& model) {
    std::vector<Given> given(static_cast<std::size_t>(model.num_bodies()) + 1, Given::kTorque);
    for (int i = 1; i <= model.num_bodies(); i += 2) {
        if (!model.body(i).mimic) given[static_cast<std::size_t>(i)] = Given::kAcceleration;
    }
    return given;
}

// Memory for the results of a row, and the operands of a call.
template <class S>
class Arranged {
public:
    Arranged(const Algorithm& row, const Model& model)
        : row_(row), given_(every_other_acceleration(model)) {
        x_.frame = model.body_frame(model.num_bodies());
        x_.given = given_;
        for (int k = 0; k < row.outputs.size(); ++k) {
            const Extent extent = extent_of(row.outputs[k].kind, model);
            const long columns = extent.columns == kAnyColumns ? 1 : extent.columns;
            std::vector<S>& memory = memory_[static_cast<std::size_t>(k)];
            memory.resize(static_cast<std::size_t>(extent.rows * columns), S(0));
            x_.outputs[static_cast<std::size_t>(k)] = {memory.data(), extent.rows, columns,
                                                       extent.rows};
        }
    }
    Arranged(const Arranged&) = delete;
    Arranged& operator=(const Arranged&) = delete;

    // The call at a state, which must stay where it is. Options are those of `options`.
    Operands<S> at(const Sample<S>& sample) const {
        Operands<S> x = x_;
        std::size_t vectors = 0;
        for (const Argument& argument : row_.inputs) {
            if (is_option(argument.kind)) continue;
            const VectorX<S>& from = sample.of(argument.kind, vectors == 0);
            x.inputs[vectors++] = {from.data(), from.size(), 1, from.size()};
        }
        return x;
    }
    // Of the outputs that are read: what stands there.
    void refill(const Sample<S>& sample) {
        for (int k = 0; k < row_.outputs.size(); ++k) {
            if (row_.outputs[k].reads == Reads::kNothing) continue;
            const VectorX<S>& from = sample.of(row_.outputs[k].kind);
            std::copy_n(from.data(), from.size(), memory_[static_cast<std::size_t>(k)].data());
        }
    }

    Operands<S>& options() { return x_; }
    const Operand<S>& result(int k) const { return x_.outputs[static_cast<std::size_t>(k)]; }

private:
    const Algorithm& row_;
    std::vector<Given> given_;
    std::array<std::vector<S>, kMostOutputs> memory_;
    Operands<S> x_;
};

}  // namespace plucker
