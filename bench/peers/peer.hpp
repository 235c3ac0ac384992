// One library in the comparison: functions that compute what Plucker computes, on the same robot and the
// same states.
//
// Each peer is a module of its own, compiled with the compiler and flags that suit its library best and
// loaded at run time. So only plain and standard types cross this interface: Eigen's change their layout
// with the flags. Nor does a module include any of Plucker's headers, so that none is compiled again
// when Plucker changes. Plucker itself implements the interface too, and pays the same for the call.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace plucker::peers {

enum class JointKind { kRevolute, kPrismatic, kSpherical, kTranslation, kPlanar, kFloating };

// A moving body and the joint that carries it, with Plucker's canonical frame: the axis is z.
struct BodyData {
    std::string joint;
    JointKind kind = JointKind::kRevolute;
    int parent = 0;  // body number; 0 is the world
    int q_index = 0, nq = 0;
    int v_index = 0, nv = 0;
    std::array<double, 9> rotation = {};  // by columns: the joint's axes in the parent, at zero
    std::array<double, 3> position = {};  // the joint's origin in the parent
    double mass = 0;
    std::array<double, 3> center = {};
    std::array<double, 9> about_center = {};  // rotational inertia about the centre of mass
};

// The tree, depth first: body i is bodies[i - 1], and every parent comes before its children.
struct Robot {
    std::string name;
    int nv = 0;
    std::array<double, 3> gravity = {};
    std::vector<BodyData> bodies;
};

// A state in Plucker's conventions.
struct State {
    std::vector<double> q, v, a, tau;
};

// What is compared, and in which form results are compared; matrices are by columns.
//   inverse_dynamics     τ(q, v, a)
//   forward_dynamics     q̈(q, v, τ)
//   mass_matrix          M(q), full
//   inverse_mass_matrix  M⁻¹(q), full
//   coriolis_matrix      C(q, v)
//   jacobians            all joint axes, (ω; v) about the world's origin along its axes: 6 × nv
//   jacobians_dot        their rates: 6 × nv; the time includes the axes themselves
//   com_jacobian         3 × nv
//   centroidal_map       momentum about the centre of mass for a unit velocity, (angular; linear): 6 × nv
//   kinetic_energy       one number
//   inverse_dynamics_derivatives   ∂τ/∂q, nv × nv; the time includes ∂τ/∂v and ∂τ/∂a
//   forward_dynamics_derivatives   ∂a/∂q, nv × nv; the time includes ∂a/∂v and ∂a/∂τ
//   second_order         all second derivatives of inverse dynamics; compared are those by v, of the sum of all torques
//   torque_regressor     Y(q, v, a), whose columns are in frames of each library's own: compared is Y π
inline const std::vector<std::string> kAlgorithms = {"inverse_dynamics",
                                                     "forward_dynamics",
                                                     "mass_matrix",
                                                     "inverse_mass_matrix",
                                                     "coriolis_matrix",
                                                     "jacobians",
                                                     "jacobians_dot",
                                                     "com_jacobian",
                                                     "centroidal_map",
                                                     "kinetic_energy",
                                                     "inverse_dynamics_derivatives",
                                                     "forward_dynamics_derivatives",
                                                     "second_order",
                                                     "torque_regressor"};

struct Function {
    std::string algorithm;  // one of kAlgorithms
    std::string name;       // what the library calls it
    // Computes it for the states [first, last), one after another or all at once.
    std::function<void(int first, int last)> run;
    // What the last run left of the given state, in Plucker's conventions. Not timed.
    std::function<std::vector<double>(int state)> result;
    // What it may differ from Plucker by. Rounding differs, and accelerations inherit the condition
    // number of the mass matrix.
    double tolerance = 1e-10;
    // It leaves the results of all states, each at its place, as a batch does; else those of the last state alone, which stay
    // in the nearest cache.
    bool keeps_all = false;
};

class Peer {
public:
    virtual ~Peer() = default;

    virtual std::string name() const = 0;
    virtual std::string version() const = 0;
    // Several functions of one algorithm are alternatives: the fastest is reported.
    virtual std::vector<Function> functions() = 0;
};

// The one symbol that a module exports. Throws where the library has no such joint or no such robots.
using MakePeer = Peer* (*)(const Robot& robot, const std::vector<State>& states);
constexpr const char* kMakePeer = "plucker_make_peer";

// A function that is called once a state.
template <class Call>
std::function<void(int, int)> each(Call call) {
    return [call](int first, int last) {
        for (int k = first; k < last; ++k) call(k);
    };
}

}  // namespace plucker::peers
