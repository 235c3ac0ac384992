// The dynamic parameters π of a robot: the numbers in which its equation of motion is linear. In this order:
//
//   - ten for each link that moves (Model::moving_links), in the link's own frame, also of links on fixed joints: the mass m,
//     the first moment m c, and the rotational inertia about the frame's origin, which is not the centre of mass, as
//     xx, xy, xz, yy, yz, zz;
//   - for each velocity coordinate the rotor inertia (armature), for each the viscous friction, for each the Coulomb friction.
//
// Regressors (algorithms/regressors.hpp) have a column for each.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/model.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker {

inline constexpr int kLinkParameters = 10;

inline int num_inertial_parameters(const Model& model) {
    return kLinkParameters * static_cast<int>(model.moving_links().size());
}
inline int num_dynamic_parameters(const Model& model) {
    return num_inertial_parameters(model) + 3 * model.nv();
}

// The model's own π. A mimic joint's share of rotor and friction stands at the joint that it follows.
ResultVector<double> dynamic_parameters(const Model& model);

// "forearm.m", "forearm.mx" … "forearm.mz", "forearm.Ixx" … "forearm.Izz"; "elbow.armature", "elbow.damping",
// "elbow.friction".
std::vector<std::string> dynamic_parameter_names(const Model& model);

// The ten numbers of an inertia about a link's origin, and back.
std::array<double, kLinkParameters> link_parameters(const Inertia<double>& inertia);
Inertia<double> inertia_from(const double* parameters);
// As files state it; nothing where there is no mass.
MassProperties mass_properties(const Inertia<double>& about_origin);

// The same robot with other parameters. Refuses masses that no body has, and freedoms of one joint that differ in rotor or
// friction, as a joint has one number for all of them.
Model with_dynamic_parameters(const Model& model, const VectorX<double>& parameters);

}  // namespace plucker
