#include "plucker/algorithms/hybrid_dynamics.hpp"

namespace plucker {
namespace detail {

int first_given_mimic(const Model& model, std::span<const Given> given) {
    if (!model.has_mimic_joints()) return 0;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        if (model.body(i).mimic && given[static_cast<std::size_t>(i)] == Given::kAcceleration)
            return i;
    }
    return 0;
}

Error given_mimic(const char* function, const Model& model, int joint) {
    const JointDescription& follower = model.joint(joint);
    return Error::because(function, ": joint '", follower.name, "' mimics '", follower.mimic->joint,
                          "' and has no acceleration of its own; give that of '",
                          follower.mimic->joint, "'");
}

}  // namespace detail

std::vector<Given> given_accelerations(const Model& model, const std::vector<std::string>& joints) {
    std::vector<Given> given(static_cast<std::size_t>(model.num_bodies()) + 1, Given::kTorque);
    for (const std::string& name : joints) {
        given[static_cast<std::size_t>(model.joint_index(name))] = Given::kAcceleration;
    }
    if (const int joint = detail::first_given_mimic(model, given); joint != 0) {
        throw detail::given_mimic("given_accelerations", model, joint);
    }
    return given;
}

}  // namespace plucker
