// The scenes: a robot, a world and a state, for Plucker and as the other simulators are told of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine.hpp"
#include "plucker/collide/collision_shapes.hpp"
#include "plucker/model/model.hpp"

namespace plucker::bench {

struct Setup {
    Model model;
    World world;
    Scene scene;
    double duration = 0;  // seconds that are timed
};

Setup standing_quadruped();
Setup falling_humanoid(double step);
Setup flying_arm();
// A cube of 0.2 m and 1 kg, on ground that slopes down along x.
Setup block(double friction, double slope, double speed, double step);

// Plucker on a scene.
std::unique_ptr<Engine> make_plucker(const Setup& setup);
// Many of them at once, on one thread, each begun a little differently.
std::unique_ptr<Engine> make_plucker_batch(const Setup& setup);

// How deep a configuration is in the ground or in itself, in metres: judged by the same geometry for all.
class Judge {
public:
    explicit Judge(const Setup& setup);
    double deepest(const std::vector<double>& q);

private:
    Model model_;
    CollisionShapes shapes_;
};

}  // namespace plucker::bench
