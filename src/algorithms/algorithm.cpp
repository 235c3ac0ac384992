#include "plucker/algorithms/algorithm.hpp"

namespace plucker {

int row_named(const std::string& name, const char* what, bool (*accepts)(const Algorithm&)) {
    for (std::size_t k = 0; k < algorithms().size(); ++k) {
        const Algorithm& row = algorithms()[k];
        if (row.name == name && accepts(row)) return static_cast<int>(k);
    }
    throw unknown_name(what, name, row_names(accepts));
}
std::vector<std::string> row_names(bool (*accepts)(const Algorithm&)) {
    std::vector<std::string> out;
    for (const Algorithm& row : algorithms()) {
        if (accepts(row)) out.emplace_back(row.name);
    }
    return out;
}

bool applies_to(const Algorithm& row, const Model& model) {
    if (row.needs_floating_base && !model.has_floating_base()) return false;
    if (!row.needs_free_frame) return true;
    int freedoms = 0;
    for (int i = model.num_bodies(); i != 0; i = model.body(i).parent) {
        freedoms += model.body(i).mimic ? 0 : model.body(i).nv;
    }
    return freedoms >= 6;
}

const char* extent_in_words(Kind kind) {
    switch (kind) {
        case Kind::kConfiguration:
        case Kind::kConfigurationRate:
            return "nq";
        case Kind::kVelocity:
        case Kind::kAcceleration:
        case Kind::kTorque:
        case Kind::kBiasTorque:
        case Kind::kTransposedBiasTorque:
        case Kind::kGradient:
            return "nv";
        case Kind::kMassMatrix:
        case Kind::kSymmetricMatrix:
        case Kind::kJointMatrix:
        case Kind::kCoriolisMatrix:
        case Kind::kFactors:
        case Kind::kTorqueDerivative:
        case Kind::kAccelerationDerivative:
        case Kind::kStepDerivative:
        case Kind::kHessian:
            return "nv × nv";
        case Kind::kChristoffelSymbols:
        case Kind::kHessians:
            return "nv × nv²";
        case Kind::kColumns:
            return "nv × any number";
        case Kind::kJacobian:
        case Kind::kJacobianRate:
        case Kind::kSpatialDerivative:
            return "6 × nv";
        case Kind::kPointJacobian:
        case Kind::kPointJacobianRate:
        case Kind::kPointDerivative:
            return "3 × nv";
        case Kind::kFrameInertia:
            return "6 × 6";
        case Kind::kRegressor:
        case Kind::kBiasRegressor:
            return "nv × parameters";
        case Kind::kEnergyRegressor:
            return "2 × parameters";
        case Kind::kJointForces:
            return "(bodies + 1) × 6";
        case Kind::kBodyPoses:
            return "bodies × 12";
        case Kind::kNumber:
            return "a number";
        case Kind::kPoint:
            return "3";
        case Kind::kMotion:
        case Kind::kForce:
            return "6";
        case Kind::kPose:
            return "3 × 4";
        case Kind::kForces:
            return "external forces";
        case Kind::kFrame:
            return "a frame";
        case Kind::kReference:
            return "a reference frame";
        case Kind::kRoot:
            return "a body's number";
        case Kind::kGiven:
            return "one entry a body, and entry 0";
    }
    return "";
}

}  // namespace plucker
