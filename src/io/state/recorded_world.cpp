#include "recorded_world.hpp"

#include <cmath>

namespace plucker::io {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// What a shape is called in the file, and its numbers.
struct GeometryJson {
    ordered_json& out;

    void operator()(const Box& x) const { out["box"] = array_of(x.size); }
    void operator()(const Cylinder& x) const { out["cylinder"] = {x.radius, x.length}; }
    void operator()(const Capsule& x) const { out["capsule"] = {x.radius, x.length}; }
    void operator()(const Sphere& x) const { out["sphere"] = x.radius; }
    void operator()(const Ellipsoid& x) const { out["ellipsoid"] = array_of(x.radii); }
    void operator()(const Plane& x) const { out["plane"] = array_of(x.normal); }
    void operator()(const Mesh& x) const {
        out["mesh"] = x.path.empty() ? x.uri : x.path;
        out["scale"] = array_of(x.scale);
    }
};

std::array<double, 2> two_numbers(const json& value, const std::string& key) {
    if (!value.is_array() || value.size() != 2) throw Error(key + " must be an array of 2 numbers");
    return {recorded_number(value[0], key), recorded_number(value[1], key)};
}

Geometry geometry_of(const json& shape, const std::string& key) {
    const auto at = [&](const char* kind) -> const json& { return shape.at(kind); };
    const auto named = [&](const char* kind) { return key + "." + kind; };
    if (shape.contains("box")) return Box{recorded_vector(at("box"), named("box"))};
    if (shape.contains("sphere")) return Sphere{recorded_number(at("sphere"), named("sphere"))};
    if (shape.contains("cylinder")) {
        const auto [radius, length] = two_numbers(at("cylinder"), named("cylinder"));
        return Cylinder{radius, length};
    }
    if (shape.contains("capsule")) {
        const auto [radius, length] = two_numbers(at("capsule"), named("capsule"));
        return Capsule{radius, length};
    }
    if (shape.contains("ellipsoid"))
        return Ellipsoid{recorded_vector(at("ellipsoid"), named("ellipsoid"))};
    if (shape.contains("plane")) return Plane{recorded_vector(at("plane"), named("plane"))};
    if (shape.contains("mesh")) {
        Mesh mesh;
        mesh.uri = mesh.path = recorded_text(at("mesh"), named("mesh"));
        if (shape.contains("scale")) mesh.scale = recorded_vector(at("scale"), named("scale"));
        return mesh;
    }
    throw Error(key +
                " must have one of \"box\", \"sphere\", \"cylinder\", \"capsule\", \"ellipsoid\", "
                "\"plane\", \"mesh\"");
}

int count_of(double x, const std::string& key) {
    if (x >= 2 && x <= 1e6 && x == std::floor(x)) return static_cast<int>(x);
    throw Error::because(key, " is ", x, "; terrain has at least 2 points along each side");
}

HeightField field_of(const json& value, const std::string& key) {
    HeightField out;
    if (value.contains("name")) out.name = recorded_text(value.at("name"), key + ".name");
    out.origin = recorded_vector(needed(value, key, "origin"), key + ".origin");
    const auto spacing = two_numbers(needed(value, key, "spacing"), key + ".spacing");
    out.spacing_x = spacing[0];
    out.spacing_y = spacing[1];
    const auto points = two_numbers(needed(value, key, "points"), key + ".points");
    out.points_x = count_of(points[0], key + ".points");
    out.points_y = count_of(points[1], key + ".points");
    const json& heights = needed(value, key, "heights");
    const std::size_t count =
        static_cast<std::size_t>(out.points_x) * static_cast<std::size_t>(out.points_y);
    if (!heights.is_array() || heights.size() != count) {
        throw Error::because(key, ".heights must be an array of ", count,
                             " numbers: points along x times points along y");
    }
    out.heights.reserve(count);
    for (const json& height : heights)
        out.heights.push_back(recorded_number(height, key + ".heights"));
    return out;
}

// Each object of the array `name`.
template <class Read>
void each_object(const json& world, const char* name, Read&& read) {
    const auto found = world.find(name);
    if (found == world.end()) return;
    if (!found->is_array()) throw Error(std::string("world.") + name + " must be an array");
    for (std::size_t k = 0; k < found->size(); ++k) {
        const std::string key = std::string("world.") + name + "[" + std::to_string(k) + "]";
        if (!(*found)[k].is_object())
            throw Error(key + " must be an object, not " + (*found)[k].type_name());
        read((*found)[k], key);
    }
}

}  // namespace

double recorded_number(const json& value, const std::string& key) {
    if (!value.is_number()) throw Error(key + " must be a number, not " + value.type_name());
    const auto x = value.get<double>();
    if (!std::isfinite(x)) throw Error(key + " is not finite");
    return x;
}
Vec3<double> recorded_vector(const json& value, const std::string& key) {
    if (!value.is_array() || value.size() != 3) throw Error(key + " must be an array of 3 numbers");
    return {recorded_number(value[0], key), recorded_number(value[1], key),
            recorded_number(value[2], key)};
}
std::string recorded_text(const json& value, const std::string& key) {
    if (!value.is_string()) throw Error(key + " must be a text, not " + value.type_name());
    return value.get<std::string>();
}
const json& needed(const json& object, const std::string& key, const char* name) {
    if (!object.is_object()) throw Error(key + " must be an object, not " + object.type_name());
    const auto found = object.find(name);
    if (found == object.end()) throw Error(key + " lacks \"" + name + "\"");
    return *found;
}

Pose<double> recorded_pose(const json& value, const std::string& key) {
    Pose<double> pose;
    pose.position = recorded_vector(needed(value, key, "position"), key + ".position");
    const json& R = needed(value, key, "rotation");
    if (!R.is_array() || R.size() != 3) throw Error(key + ".rotation must have 3 rows");
    pose.rotation = {recorded_vector(R[0], key + ".rotation"),
                     recorded_vector(R[1], key + ".rotation"),
                     recorded_vector(R[2], key + ".rotation")};
    return pose;
}

ordered_json array_of(const Vec3<double>& x) { return {x.x, x.y, x.z}; }

void write_pose(const Pose<double>& pose, ordered_json& to) {
    const Mat3<double>& R = pose.rotation;
    to["position"] = array_of(pose.position);
    to["rotation"] = {array_of(R.x), array_of(R.y), array_of(R.z)};
}

ordered_json world_json(const RecordingHeader& header) {
    ordered_json out;
    for (const Shape& shape : header.shapes) {
        ordered_json& entry = out["shapes"].emplace_back();
        if (!shape.name.empty()) entry["name"] = shape.name;
        std::visit(GeometryJson{entry}, shape.geometry);
        write_pose(shape.placement, entry);
        if (shape.material && shape.material->rgba) entry["rgba"] = *shape.material->rgba;
    }
    for (const HeightField& field : header.terrain) {
        ordered_json& entry = out["terrain"].emplace_back();
        if (!field.name.empty()) entry["name"] = field.name;
        entry["origin"] = array_of(field.origin);
        entry["spacing"] = {field.spacing_x, field.spacing_y};
        entry["points"] = {field.points_x, field.points_y};
        entry["heights"] = field.heights;
    }
    return out;
}

void read_world(const json& world, RecordingHeader& header) {
    if (!world.is_object())
        throw Error(std::string("world must be an object, not ") + world.type_name());
    each_object(world, "shapes", [&](const json& value, const std::string& key) {
        Shape& shape = header.shapes.emplace_back();
        if (value.contains("name")) shape.name = recorded_text(value.at("name"), key + ".name");
        shape.geometry = geometry_of(value, key);
        shape.placement = recorded_pose(value, key);
        if (const auto found = value.find("rgba"); found != value.end()) {
            if (!found->is_array() || found->size() != 4)
                throw Error(key + ".rgba must be an array of 4 numbers");
            shape.material.emplace().rgba.emplace();
            for (std::size_t k = 0; k < 4; ++k)
                (*shape.material->rgba)[k] = recorded_number((*found)[k], key + ".rgba");
        }
    });
    each_object(world, "terrain", [&](const json& value, const std::string& key) {
        header.terrain.push_back(field_of(value, key));
    });
}

}  // namespace plucker::io
