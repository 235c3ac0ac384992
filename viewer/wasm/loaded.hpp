// The robot that the page has loaded, and what all requests need of it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "plucker/model/conventions.hpp"
#include "plucker/model/workspace.hpp"

namespace plucker::page {

struct Loaded {
    Model model;
    Workspace<double> workspace;
    Coordinates coordinates;
    Vec3<double> up{0, 0, 1};  // against the gravity that the robot came with

    explicit Loaded(Model m)
        : model(std::move(m)),
          workspace(model),
          coordinates(model, Convention::kPlucker, MimicJoints::kLeftOut) {
        const double g = norm(model.gravity());
        if (g > 0) up = (-1 / g) * model.gravity();
    }
};

// A vector of the request, or `otherwise` where it names none. Throws Error where its length is another.
VectorX<double> vector_of(const nlohmann::json& request, const char* name,
                          const VectorX<double>& otherwise);

// Position and quaternion x y z w.
void append_pose(const Pose<double>& pose, std::vector<double>& out);
void append(const Vec3<double>& x, std::vector<double>& out);

}  // namespace plucker::page
