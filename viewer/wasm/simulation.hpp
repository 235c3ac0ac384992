// The simulator as a page runs it: the robot on flat ground or in the air, under a controller that can be switched, and
// pulled by the mouse.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "loaded.hpp"
#include "plucker/simulate/simulator.hpp"

namespace plucker::page {

// The points of a mesh, by the name that the robot's file gives it: from then on it touches.
void remember_mesh(const std::string& uri, std::span<const float> numbers);

class Simulation {
public:
    // {"q", "v", "time", "target", "step", "ground", "friction", "restitution", "controller", "on_ground", "height"}; all may
    // be left out. "on_ground" and "height" put the robot where it begins. Throws Error where it cannot begin.
    Simulation(const Loaded& robot, const nlohmann::json& request);

    // What somebody should know: shapes that are left out, links that are let through each other.
    const std::vector<std::string>& notes() const { return notes_; }

    // The mouse holds a point of a body, given in its link's axes, and pulls it to a point of the world. Body 0: it lets go.
    void pull(int body, const Vec3<double>& point, const Vec3<double>& to);
    // Where the controller pulls the joints to.
    void aim(const VectorX<double>& q);
    // So many steps. Throws Error where the motion leaves the range of numbers.
    void advance(int steps);

    // The state for the page, see simulation.cpp.
    const std::vector<double>& numbers();

private:
    enum class Controller { kNone, kHold, kGravityCompensation };
    struct Pull {
        int body = 0;
        Vec3<double> point, to, force, at;
        double stiffness = 0, damping = 0, mobility = 0;
    };

    void find_motors();
    World world_of(const nlohmann::json& request, const Vec3<double>& up) const;
    void update_pull();

    std::vector<std::string> notes_;
    Model model_;  // without the shapes that cannot touch here
    Simulator simulator_;
    Workspace<double> workspace_;
    VectorX<double> has_motor_;  // 1, or 0 where nothing drives the coordinate: a floating base
    Controller controller_ = Controller::kNone;
    VectorX<double> tau_;
    Pull pull_;
    StepReport report_;
    std::vector<double> numbers_;
};

}  // namespace plucker::page
