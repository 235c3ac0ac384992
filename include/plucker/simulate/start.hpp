// Initial states of a simulation, and gains of springs that hold a robot there.
//
//     VectorX<double> q = neutral_configuration(model);
//     put_on_ground(model, world, {0, 0, 1}, q);
//     const HoldingGains gains = holding_gains(model, q);
//     simulator.hold(q, gains.kp, gains.kd);
#pragma once

#include <string>
#include <vector>

#include "plucker/collide/world.hpp"
#include "plucker/model/model.hpp"
#include "plucker/scalar/eigen.hpp"

namespace plucker {

// The postures that the robot's description names: keyframes of MJCF, and "file", where the file has its free bodies.
std::vector<std::string> posture_names(const Model& model);
// Throws Error, with the closest names, for one that is not there.
ResultVector<double> posture(const Model& model, const std::string& name);

// Moves the whole robot along `up`, a unit vector: by its floating base, or by a slide that carries all of it. Returns
// false, with q as it was, where nothing lifts the robot.
bool lift(const Model& model, const Vec3<double>& up, double height, VectorX<double>& q);

// Lifts or lowers the robot until its lowest shape just touches what does not move. A robot that nothing lifts, or that
// has no shape that touches, stays where it is.
void put_on_ground(const Model& model, const World& world, const Vec3<double>& up,
                   VectorX<double>& q);

// q with every joint that is beyond a limit at that limit. Limits of joints with several coordinates, and of those that mimic
// others, are not looked at here or in simulators.
ResultVector<double> within_limits(const Model& model, const VectorX<double>& q);

// The constraint that a state violates most, by more than the first step of a simulator is to close.
struct Violation {
    std::string constraint;  // empty: there is none
    double by = 0;           // m or rad; of velocities, m/s or rad/s
};
Violation violation_of_position(const Model& model, const VectorX<double>& q);
// Velocities may be a hundredth off, relative to what adds up to nothing where they are right: by so much a simulator's own steps
// violate the constraints at their end.
Violation violation_of_velocity(const Model& model, const VectorX<double>& q,
                                const VectorX<double>& v);

// Bodies that float in the world: a floating base, and whatever else lies about.
std::vector<int> free_bodies(const Model& model);

struct HoldingGains {
    ResultVector<double> kp, kd;  // by velocity coordinate
};
// Zero for bodies that float in the world: no motor holds them.
HoldingGains with_bodies_free(const Model& model, HoldingGains gains);
// Critically damped springs of so many hertz against the inertia that each joint moves at q.
HoldingGains holding_gains(const Model& model, const VectorX<double>& q, double frequency = 5);
// Springs of this stiffness, with the damping that lets them come to rest soonest.
HoldingGains critically_damped(const Model& model, const VectorX<double>& q,
                               const VectorX<double>& kp);

}  // namespace plucker
