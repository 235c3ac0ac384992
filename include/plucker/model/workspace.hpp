// All scratch memory of the algorithms, for one model and one scalar. Make one per thread, once; no
// algorithm allocates after that.
//
// Members carry the symbols of the papers (see NOTATION.md). They belong to the algorithms: read results
// through the functions in algorithms/, which say what they need. What a call needs, fills and leaves alone, and how it
// fails: docs/contract.md.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <vector>

#include "plucker/model/constants.hpp"
#include "plucker/model/status.hpp"
#include "plucker/spatial/articulated_inertia.hpp"
#include "plucker/spatial/coriolis_terms.hpp"
#include "plucker/spatial/small_cholesky.hpp"
#include "plucker/spatial/turning.hpp"

namespace plucker {
namespace detail {
template <class S>
class Door;  // algorithms/door.hpp
}

// In which coordinates a frame's velocity, Jacobian or a force on it is expressed.
enum class ReferenceFrame {
    kBody,          // the frame's own axes, at its origin
    kWorld,         // the world's axes, at the world's origin
    kWorldAligned,  // the world's axes, at the frame's origin
};

// How much of the kinematics is known; each level includes those before it.
enum class Kinematics { kNone, kPosition, kVelocity, kAcceleration };

// How the bodies stand and move and the joints' axes, along the world's axes about an anchor: the origin of body 1 where
// all else hangs on it, otherwise the world's origin. A robot far from the world's origin loses no digits this way.
template <class S>
struct WorldKinematics {
    Kinematics level = Kinematics::kNone;
    Vec3<S> anchor{};
    std::vector<Transform<S>> X;      // body ← anchor
    std::vector<Motion<S>> v, a;      // velocity and spatial acceleration of each body
    std::vector<Motion<S>> J, J_dot;  // by freedom: joint axes and their rates

    void resize(std::size_t bodies, std::size_t freedoms) {
        X.resize(bodies);
        for (auto* by_body : {&v, &a}) by_body->resize(bodies);
        for (auto* by_freedom : {&J, &J_dot}) by_freedom->resize(freedoms);
    }
};

// A pivot of the mass matrix no larger than this part of the numbers that it is a sum of is their rounding.
template <class S>
constexpr ParameterOf<S> pivot_tolerance() {
    return 32 * std::numeric_limits<ParameterOf<S>>::epsilon();
}
// `scale`: the size of the numbers that the pivot is a sum of.
template <class S>
MaskOf<S> is_singular_pivot(const S& pivot, const S& scale) {
    return pivot <= S(pivot_tolerance<S>()) * scale;
}

// What a factorisation of the mass matrix tells about it: where its pivots are not positive, something that a joint moves
// has no inertia about it. NaN is another matter. Of one state it is told which joint, of many which states.
template <class S, class Mask = MaskOf<S>>
struct PivotRecord {
    static constexpr int singular_joint = 0;  // not told
    Mask singular{};

    void note(int, const S& pivot, const S& scale) {
        singular = singular | is_singular_pivot(pivot, scale);
    }
    bool is_singular() const { return any(singular); }
};
template <class S>
struct PivotRecord<S, bool> {
    int singular_joint = 0;  // the first joint with such a pivot; 0: none

    void note(int joint, const S& pivot, const S& scale) {
        if (singular_joint == 0 && is_singular_pivot(pivot, scale)) singular_joint = joint;
    }
    bool is_singular() const { return singular_joint != 0; }
};

template <class S>
class Workspace {
    static_assert(Scalar<S>, "scalar/scalar.hpp says what a number must do");

public:
    using Parameter = ParameterOf<S>;

    explicit Workspace(const Model& model, OnFailure on_failure = OnFailure::kThrow);

    const Model& model() const { return model_; }
    int num_bodies() const { return model_.num_bodies(); }

    // How the last call ended. It can be other than kOk only where failures are reported, not thrown.
    Status status() const { return status_; }
    OnFailure on_failure() const { return on_failure_; }

    // --- The robot's constants. They start as the model has them; a change holds for this workspace alone. It allocates
    // nothing, and drops what forward_kinematics left. ---
    const Body<Parameter>& body(int i) const { return constants_.body(i); }
    const Vec3<Parameter>& gravity() const { return constants_.gravity(); }
    Parameter armature(int k) const { return constants_.armature(k); }
    Parameter damping(int k) const { return constants_.damping(k); }
    Parameter friction(int k) const { return constants_.friction(k); }

    void set_gravity(const Vec3<double>& gravity) { change().set_gravity(gravity); }
    // Viscous and Coulomb friction as the model has it, or none.
    void set_friction(bool on) { change().set_friction(on); }
    // Another mass for a link, named by its frame.
    void set_mass(FrameId link, const MassProperties& mass) { change().set_mass(link, mass); }
    // A load carried at a frame, in that frame's coordinates. It replaces the load that was there.
    void set_payload(FrameId frame, const MassProperties& load) {
        change().set_payload(frame, load);
    }

    // --- In each body's own frame, indexed by body; entry 0 is the world. ---
    std::vector<S> angle_value;    // each joint angle (Model::angles), and room for a block more
    std::vector<SinCos<S>> angle;  // its sine and cosine
    std::vector<Transform<S>> X;   // ⁱX_λ(i), body ← parent
    std::vector<Transform<S>> X_world;  // body ← world
    std::vector<Motion<S>> v, a, c;     // velocity, acceleration, velocity-product acceleration
    std::vector<TurningMotion<S>> turning;
    std::vector<Force<S>> f, p;  // force across the joint; bias force p^A
    std::vector<Inertia<S>> Ic;  // composite inertia
    std::vector<ArticulatedInertia<S>> IA;
    std::vector<SmallCholesky<S>> D;  // Sᵀ I^A S of joints with several freedoms, factored
    // ... and by freedom (Body::dof_index):
    std::vector<Motion<S>> subspace;       // the columns of S_i; a mimic joint's is scaled
    std::vector<Motion<S>> subspace_rate;  // their apparent rates: zero but for universal joints
    std::vector<Force<S>> U;               // I^A S
    std::vector<S> D_inv, u;

    // --- In world axes about the anchor. ---
    WorldKinematics<S> kinematics;  // what forward_kinematics leaves for the caller's questions
    WorldKinematics<S> passing_kinematics;  // of algorithms that need kinematics on their way
    std::vector<Inertia<S>> I_anchor, I_rate;
    std::vector<Force<S>> h_anchor;                 // momentum
    std::vector<ChristoffelTerm<S>> B_christoffel;  // velocity terms of the Coriolis matrix
    std::vector<NewtonEulerTerm<S>> B_newton_euler;
    std::vector<Vec3<S>> moment, moment_rate, moment_rate2;  // first mass moment of the subtree, …

    // --- By velocity coordinate, and blocks of them. ---
    std::vector<Force<S>> F;  // forces of unit torques, one a coordinate
    std::vector<S> zero, coordinates;
    std::vector<S> M;  // nv × nv, only for models with mimic joints
    // The size of the numbers that each entry of M's diagonal was summed from, when M was last computed.
    std::vector<S> pivot_scale;
    // Copies of inputs that share memory with an output.
    mutable std::array<std::vector<S>, 3> staged;

    PivotRecord<S> pivots;  // of the last factorisation

private:
    template <class T>
    friend class detail::Door;

    // What was computed with other constants is not to be read any more.
    RobotConstants<Parameter>& change() {
        kinematics.level = Kinematics::kNone;
        return constants_;
    }

    Model model_;
    RobotConstants<Parameter> constants_;
    OnFailure on_failure_;
    mutable Status status_ = Status::kOk;
};

template <class S>
Workspace<S>::Workspace(const Model& model, OnFailure on_failure)
    : model_(model), constants_(model), on_failure_(on_failure) {
    const auto n = static_cast<std::size_t>(model.num_bodies()) + 1;
    const auto dofs = static_cast<std::size_t>(model.num_dofs());
    const auto nv = static_cast<std::size_t>(model.nv());
    const std::size_t num_angles = model.angles().size() + kAngleBlock;
    angle_value.resize(num_angles);
    angle.resize(num_angles);
    X.resize(n);
    X_world.resize(n);
    for (auto* by_body : {&v, &a, &c}) by_body->resize(n);
    turning.resize(n);
    for (auto* by_body : {&f, &p, &h_anchor}) by_body->resize(n);
    for (auto* by_body : {&Ic, &I_anchor, &I_rate}) by_body->resize(n);
    IA.resize(n);
    B_christoffel.resize(n);
    B_newton_euler.resize(n);
    D.resize(n);
    for (auto* k : {&kinematics, &passing_kinematics}) k->resize(n, dofs);
    for (auto* by_body : {&moment, &moment_rate, &moment_rate2}) by_body->resize(n);
    for (auto* by_freedom : {&subspace, &subspace_rate}) by_freedom->resize(dofs);
    U.resize(dofs);
    for (auto* by_freedom : {&D_inv, &u}) by_freedom->resize(dofs);
    F.resize(nv);
    for (auto* by_coordinate : {&zero, &coordinates, &pivot_scale}) by_coordinate->resize(nv);
    for (auto& copy : staged)
        copy.resize(static_cast<std::size_t>(std::max(model.nq(), model.nv())));
    if (model.has_mimic_joints()) M.resize(nv * nv);
    // Constant subspaces are written once, here.
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<Parameter>& b = body(i);
        Motion<S>* column = subspace.data() + b.dof_index;
        std::array<SinCos<S>, kMostAngles> unturned;
        unturned.fill({S(0), S(1)});
        visit_joint(b.joint, [&](auto joint) { joint.subspace(b, unturned.data(), column); });
        if (b.mimic) column[0] = S(b.multiplier) * column[0];
    }
}

}  // namespace plucker
