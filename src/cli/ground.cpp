#include "ground.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "named_numbers.hpp"
#include "plucker/io/read_height_field.hpp"
#include "plucker/io/read_mesh.hpp"
#include "plucker/model/error.hpp"

namespace plucker::cli {
namespace {

// Stairs up along x, two metres wide, that begin half a metre from the origin.
void add_stairs(double height, double tread, World& world) {
    constexpr int kSteps = 10;
    for (int k = 0; k < kSteps; ++k) {
        // Each step reaches to the end of the stairs, so that no gap opens between two.
        const double length = tread * (kSteps - k), top = height * (k + 1);
        Shape& step = world.shapes.emplace_back();
        step.name = fmt::format("step {}", k + 1);
        step.geometry = Box{{length, 2, height}};
        step.placement.position = {0.5 + tread * kSteps - length / 2, 0, top - height / 2};
    }
}

// Terrain that is high elsewhere need not be fallen from.
double height_about_origin(const HeightField& field) {
    double near = -INFINITY;
    for (int j = 0; j < field.points_y; ++j) {
        for (int i = 0; i < field.points_x; ++i) {
            const Vec3<double> point = field.point(i, j);
            if (std::hypot(point.x, point.y) < 1 + field.spacing_x) near = std::max(near, point.z);
        }
    }
    return std::isfinite(near) ? near
                               : *std::max_element(field.heights.begin(), field.heights.end());
}

}  // namespace

Ground ground_of(const std::string& text) {
    const NamedNumbers values("--ground", text, {"mu", "e", "spin", "spacing", "steps", "tread"},
                              "heights");
    Ground out;
    World& world = out.world;
    world.read_mesh = read_mesh;
    if (values.text().empty()) {
        world.shapes = World::flat().shapes;
    } else {
        world.fields.push_back(read_height_field(values.text(), values.get("spacing", 0.1)));
        out.height = height_about_origin(world.fields.back());
    }
    if (values.has("spacing") && values.text().empty())
        throw Error("--ground: spacing is that of heights=FILE, which is missing");
    if (values.has("tread") && !values.has("steps"))
        throw Error("--ground: tread is the depth of steps=HEIGHT, which is missing");
    if (values.has("steps")) {
        const double height = values.get("steps", 0), tread = values.get("tread", 0.3);
        if (height == 0 || tread == 0)
            throw Error("--ground: steps need a height and a tread above zero");
        add_stairs(height, tread, world);
    }
    world.surface = {values.get("mu", 1), values.get("spin", 0), values.get("e", 0)};
    if (world.surface.restitution > 1)
        throw Error("--ground: e is above 1, which would add energy");
    return out;
}

}  // namespace plucker::cli
