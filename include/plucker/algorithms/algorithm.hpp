// A row of the table of algorithms: plain data (algorithms/table.hpp).
//
// The argument checks, the forms of the call, batches, `plucker eval`, `plucker bench`, and the tests of the contract all
// follow from the row.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "plucker/model/dynamic_parameters.hpp"
#include "plucker/model/workspace.hpp"

namespace plucker {

// What an argument is: its shape, and how it changes with the coordinates in which a robot is described.
enum class Kind : std::uint8_t {
    // Vectors.
    kConfiguration,         // nq
    kVelocity,              // nv
    kAcceleration,          // nv
    kTorque,                // nv
    kBiasTorque,            // nv: the torque at zero acceleration
    kTransposedBiasTorque,  // nv: Cᵀ v
    kGradient,              // nv: of a number, along the tangent
    kConfigurationRate,     // nq
    // Matrices.
    kMassMatrix,          // nv × nv, zero where neither coordinate hangs on the other
    kSymmetricMatrix,     // nv × nv, to the last bit
    kJointMatrix,         // nv × nv, symmetric but for rounding
    kCoriolisMatrix,      // nv × nv
    kFactors,             // nv × nv, of use to solve with
    kChristoffelSymbols,  // nv × nv²: nv matrices side by side
    kColumns,             // nv × any number
    kJacobian,            // 6 × nv
    kJacobianRate,        // 6 × nv
    kPointJacobian,       // 3 × nv
    kPointJacobianRate,   // 3 × nv
    kFrameInertia,        // 6 × 6: from motions of a frame to forces on it, or back
    // Derivatives: one column per direction, along the tangent for those by q.
    kTorqueDerivative,        // nv × nv
    kAccelerationDerivative,  // nv × nv: solved with M
    kStepDerivative,          // nv × nv: of a step between configurations
    kSpatialDerivative,       // 6 × nv
    kPointDerivative,         // 3 × nv
    kHessian,                 // nv × nv: of a number, twice
    kHessians,                // nv × nv²: nv of them side by side
    kRegressor,               // nv × parameters (model/dynamic_parameters.hpp), from π to torques
    kBiasRegressor,    // nv × parameters, of torques that are another's where coordinates turn
    kEnergyRegressor,  // 2 × parameters: kinetic and potential energy
    // One row per body.
    kJointForces,  // (num_bodies + 1) × 6: entry 0 is the ground's
    kBodyPoses,    // num_bodies × 12: the rows of [R p]
    // A few numbers: a single call returns them.
    kNumber,
    kPoint,   // 3
    kMotion,  // 6, angular first
    kForce,   // 6, angular first
    kPose,    // 3 × 4: [R p]
    // Options.
    kForces,     // external forces
    kFrame,      // a FrameId or, where a model is given, a name
    kReference,  // a ReferenceFrame; kBody where it is left out
    kRoot,       // the body whose subtree is meant; the whole robot where it is left out
    kGiven,      // what is given of each joint (hybrid dynamics)
};

constexpr bool is_option(Kind kind) { return kind >= Kind::kForces; }
constexpr bool may_be_left_out(Kind kind) {
    return kind == Kind::kForces || kind == Kind::kReference || kind == Kind::kRoot;
}
// One matrix per coordinate, side by side: too large for scratch memory, so that kernels can give one after another.
constexpr bool comes_in_blocks(Kind kind) {
    return kind == Kind::kChristoffelSymbols || kind == Kind::kHessians;
}
// A vector: one column.
constexpr bool is_vector(Kind kind) { return kind <= Kind::kConfigurationRate; }
constexpr bool is_regressor(Kind kind) {
    return kind >= Kind::kRegressor && kind <= Kind::kEnergyRegressor;
}
constexpr bool is_returned(Kind kind) { return kind >= Kind::kNumber && kind <= Kind::kPose; }
constexpr bool is_matrix(Kind kind) {
    return !is_vector(kind) && !is_returned(kind) && !is_option(kind);
}

// Kernels leave a matrix column by column, but what has one row per joint, of forces, row by row.
constexpr bool stands_row_by_row(Kind kind) { return kind == Kind::kJointForces; }

// How many of something there are in a row or column of an argument.
enum class Length : std::uint8_t {
    kOne,
    kTwo,
    kThree,
    kFour,
    kSix,
    kTwelve,
    kNq,
    kNv,
    kNvSquared,
    kBodies,
    kBodiesAndGround,
    kParameters,
    kAny,  // as many as there are
};
// The shape of an argument on any robot. From it follow all sizes, and all words for them.
struct Lengths {
    Length rows;
    Length columns;
};
constexpr Lengths lengths_of(Kind kind) {
    switch (kind) {
        case Kind::kConfiguration:
        case Kind::kConfigurationRate:
            return {Length::kNq, Length::kOne};
        case Kind::kMassMatrix:
        case Kind::kSymmetricMatrix:
        case Kind::kJointMatrix:
        case Kind::kCoriolisMatrix:
        case Kind::kFactors:
        case Kind::kTorqueDerivative:
        case Kind::kAccelerationDerivative:
        case Kind::kStepDerivative:
        case Kind::kHessian:
            return {Length::kNv, Length::kNv};
        case Kind::kChristoffelSymbols:
        case Kind::kHessians:
            return {Length::kNv, Length::kNvSquared};
        case Kind::kColumns:
            return {Length::kNv, Length::kAny};
        case Kind::kJacobian:
        case Kind::kJacobianRate:
        case Kind::kSpatialDerivative:
            return {Length::kSix, Length::kNv};
        case Kind::kPointJacobian:
        case Kind::kPointJacobianRate:
        case Kind::kPointDerivative:
            return {Length::kThree, Length::kNv};
        case Kind::kJointForces:
            return {Length::kBodiesAndGround, Length::kSix};
        case Kind::kBodyPoses:
            return {Length::kBodies, Length::kTwelve};
        case Kind::kNumber:
            return {Length::kOne, Length::kOne};
        case Kind::kPoint:
            return {Length::kThree, Length::kOne};
        case Kind::kMotion:
        case Kind::kForce:
            return {Length::kSix, Length::kOne};
        case Kind::kFrameInertia:
            return {Length::kSix, Length::kSix};
        case Kind::kPose:
            return {Length::kThree, Length::kFour};
        case Kind::kRegressor:
        case Kind::kBiasRegressor:
            return {Length::kNv, Length::kParameters};
        case Kind::kEnergyRegressor:
            return {Length::kTwo, Length::kParameters};
        default:
            return {Length::kNv, Length::kOne};
    }
}

struct Extent {
    long rows;
    long columns;  // kAnyColumns: as many as there are
};
inline constexpr long kAnyColumns = -1;
inline long number_of(Length length, const Model& model) {
    const long nv = model.nv();
    switch (length) {
        case Length::kOne:
            return 1;
        case Length::kTwo:
            return 2;
        case Length::kThree:
            return 3;
        case Length::kFour:
            return 4;
        case Length::kSix:
            return 6;
        case Length::kTwelve:
            return 12;
        case Length::kNq:
            return model.nq();
        case Length::kNv:
            return nv;
        case Length::kNvSquared:
            return nv * nv;
        case Length::kBodies:
            return model.num_bodies();
        case Length::kBodiesAndGround:
            return model.num_bodies() + 1;
        case Length::kParameters:
            return num_dynamic_parameters(model);
        case Length::kAny:
            break;
    }
    return kAnyColumns;
}
inline Extent extent_of(Kind kind, const Model& model) {
    const Lengths shape = lengths_of(kind);
    return {number_of(shape.rows, model), number_of(shape.columns, model)};
}
// In words, for messages and documentation: "nv"; "nv", "6 × nv".
const char* in_words(Length length);
std::string extent_in_words(Kind kind);

// What a function reads of an output, which it then overwrites.
enum class Reads : std::uint8_t {
    kNothing,
    kAll,
    kJoints,  // all but the six coordinates of a floating base
    kGiven,   // what the option `given` says
};

struct Argument {
    const char* name = "";
    Kind kind = Kind::kNumber;
    Reads reads = Reads::kNothing;
};

// What a row may have of each at most; options are not counted.
inline constexpr int kMostInputs = 4;
inline constexpr int kMostOutputs = 4;

// A list of arguments that a constant can hold.
class Arguments {
public:
    static constexpr int kMost = 6;
    constexpr Arguments(std::initializer_list<Argument> list) {
        for (const Argument& x : list) arguments_[static_cast<std::size_t>(size_++)] = x;
    }
    constexpr int size() const { return size_; }
    constexpr const Argument& operator[](int k) const {
        return arguments_[static_cast<std::size_t>(k)];
    }
    constexpr const Argument* begin() const { return arguments_.data(); }
    constexpr const Argument* end() const { return arguments_.data() + size_; }
    constexpr bool has(Kind kind) const {
        for (const Argument& x : *this) {
            if (x.kind == kind) return true;
        }
        return false;
    }

private:
    std::array<Argument, kMost> arguments_{};
    int size_ = 0;
};

struct Algorithm {
    const char* name;
    const char* says;  // one sentence of documentation
    const char* source;
    // In the order of the call: vectors, options, and external forces; then the outputs.
    Arguments inputs;
    Arguments outputs;

    // How much of the workspace's kinematics it reads. Called with a model or a batch it takes q, v and a itself.
    Kinematics kinematics = Kinematics::kNone;
    bool fills_kinematics = false;
    bool needs_regular_mass_matrix = false;
    bool needs_floating_base = false;
    bool needs_free_frame = false;  // one that can be moved in all six ways
    bool needs_mass = false;        // of the subtree `root`
    // Its results are not those of the robot's motion alone: they tell which body has which inertia.
    bool tells_bodies_apart = false;
    // The function that gives the same results in another way, which is the one to prefer.
    const char* another_way_for = nullptr;
    // Worth compiling with all that it calls inlined, for each instruction set.
    bool is_hot = false;

    // How many of q, v and a the kinematics stand for.
    constexpr int num_states() const { return static_cast<int>(kinematics); }
    constexpr bool returns() const { return outputs.size() == 1 && is_returned(outputs[0].kind); }
};

// All rows of the table, in its order.
std::span<const Algorithm> algorithms();

// The number of the first row with that name, of those that `accepts` does; throws Error, with what comes close, where there
// is none. `what` says in the message what was looked for.
int row_named(const std::string& name, const char* what, bool (*accepts)(const Algorithm&));
// The names of those.
std::vector<std::string> row_names(bool (*accepts)(const Algorithm&));

// Whether a robot has what the row needs, as far as its structure tells; of frames, that of the last body.
bool applies_to(const Algorithm& row, const Model& model);

// The arguments that most rows have.
namespace table {
inline constexpr Argument q{"q", Kind::kConfiguration};
inline constexpr Argument v{"v", Kind::kVelocity};
inline constexpr Argument a{"a", Kind::kAcceleration};
inline constexpr std::array kStates{q, v, a};
inline constexpr Argument tau{"tau", Kind::kTorque};
inline constexpr Argument frame{"frame", Kind::kFrame};
inline constexpr Argument reference{"reference", Kind::kReference};
inline constexpr Argument root{"root", Kind::kRoot};
inline constexpr Argument external{"external", Kind::kForces};
}  // namespace table

}  // namespace plucker
