// One simulator in the comparison. It is told of the same robot, ground, step and controller as the others.
//
// As in bench/peers each is a module of its own, loaded at run time, and only plain types cross this interface.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace plucker::bench {

enum class Form { kBox, kSphere, kCapsule };  // capsules along z

struct ShapeData {
    Form form = Form::kBox;
    std::array<double, 3> size =
        {};  // of a box; or radius, and the length between a capsule's ends
    std::array<double, 9> rotation = {};  // by columns, on the body
    std::array<double, 3> position = {};
};

// A body on a joint that turns about its z, or that floats if it is the first.
struct BodyData {
    std::string name;
    bool floats = false;
    int parent = 0;                       // body number; 0: the world
    std::array<double, 9> rotation = {};  // by columns: the joint's axes in the parent, at zero
    std::array<double, 3> position = {};
    double mass = 0;
    std::array<double, 3> center = {};
    std::array<double, 9> about_center = {};
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    std::vector<ShapeData> shapes = {};
};

struct Scene {
    std::string name;
    double step = 0;
    std::array<double, 3> gravity = {};
    bool has_ground = false;  // z ≤ 0
    double friction = 0;
    // The tree, depth first: body i is bodies[i - 1]. The first floats; the others turn.
    std::vector<BodyData> bodies;
    std::vector<std::pair<int, int>> never_touching;  // bodies
    // In Plucker's conventions: position, quaternion x y z w, angles; ω and v along the base's axes, rates.
    std::vector<double> q, v;
    // Springs and dampers at the angles, towards those of q.
    double kp = 0, kd = 0;
};

class Engine {
public:
    virtual ~Engine() = default;
    virtual std::string name() const = 0;
    virtual std::string version() const = 0;
    virtual void reset() = 0;  // to the scene's q and v
    virtual void step() = 0;
    virtual int robots() const { return 1; }                // that a step moves
    virtual std::vector<double> configuration() const = 0;  // q, as the scene has it
    // The worst residual since the reset, in m/s, of those that state one; negative of others.
    virtual double worst_residual() const { return -1; }
};

// What a module exports: how many variants of the simulator it has, and each of them.
using CountEngines = int (*)();
using MakeEngine = Engine* (*)(const Scene& scene, int variant);
constexpr const char* kCountEngines = "plucker_count_engines";
constexpr const char* kMakeEngine = "plucker_make_engine";

}  // namespace plucker::bench
