// Bodies that lie, roll and fall: small worlds with known answers.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/builder.hpp"
#include "plucker/simulate/simulator.hpp"

namespace plucker::test {

inline constexpr double kGravity = 9.81;

struct Thing {
    std::string name;
    Geometry geometry;
    MassProperties mass;
    Surface surface;
};

inline Thing box(const std::string& name, const Vec3<double>& size, double mass, double mu,
                 double restitution = 0) {
    return {name, Box{size}, MassProperties::box(mass, size, {}), {mu, 0, restitution}};
}
inline Thing ball(const std::string& name, double radius, double mass, double mu,
                  double restitution = 0) {
    MassProperties m;
    m.mass = mass;
    const double I = 0.4 * mass * radius * radius;
    m.about_center = SymMat3<double>::diagonal(I, I, I);
    return {name, Sphere{radius}, m, {mu, 0, restitution}};
}

// Things that fly freely, each on a floating joint of its own name.
inline Model things(const std::vector<Thing>& all,
                    const Vec3<double>& gravity = {0, 0, -kGravity}) {
    Description d;
    d.name = "things";
    d.gravity = gravity;
    d.links.push_back({.name = "room", .mass = {}});
    for (const Thing& thing : all) {
        LinkDescription link{.name = thing.name, .mass = thing.mass};
        link.collisions.push_back({.name = thing.name,
                                   .placement = {},
                                   .geometry = thing.geometry,
                                   .surface = thing.surface});
        d.links.push_back(link);
        JointDescription joint = floating(thing.name + "_joint");
        joint.parent = "room";
        joint.child = thing.name;
        d.joints.push_back(joint);
    }
    return Model(d);
}

// Ground that adds nothing of its own: coefficients are those of the things.
inline World smooth_ground(const Vec3<double>& up = {0, 0, 1}) {
    World world = World::flat(up);
    world.surface = {0, 0, 0};
    return world;
}

// Nothing but the things, whose coefficients are their own.
inline World frictionless_space() {
    World world;
    world.surface = {0, 0, 0};
    return world;
}

// The state of thing k.
struct Place {
    VectorX<double>& q;
    VectorX<double>& v;
    int k;
    void at(double x, double y, double z) const { q.segment<3>(7 * k) << x, y, z; }
    void moving(double x, double y, double z) const { v.segment<3>(6 * k + 3) << x, y, z; }
    void turning(double x, double y, double z) const { v.segment<3>(6 * k) << x, y, z; }
};

// What a run was like.
struct Course {
    double worst_residual = 0, deepest = 0, most_energy_gained = 0;
    int unconverged = 0;
};
inline Course run_for(Simulator& simulator, double duration) {
    Course out;
    double energy = simulator.kinetic_energy() + simulator.potential_energy();
    const long steps = std::lround(duration / simulator.step_length());
    for (long k = 0; k < steps; ++k) {
        const StepReport report = simulator.step();
        out.worst_residual = std::max(out.worst_residual, report.solver.certificate.worst());
        out.deepest = std::max(out.deepest, report.deepest);
        out.unconverged += report.solver.converged ? 0 : 1;
        const double now = simulator.kinetic_energy() + simulator.potential_energy();
        out.most_energy_gained = std::max(out.most_energy_gained, now - energy);
        energy = now;
    }
    return out;
}

}  // namespace plucker::test
