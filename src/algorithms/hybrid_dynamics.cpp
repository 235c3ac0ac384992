#include "plucker/algorithms/table.hpp"

#include "plucker/algorithms/door.hpp"

namespace plucker {
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
