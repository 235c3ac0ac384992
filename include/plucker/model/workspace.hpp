// All scratch memory of the algorithms, for one model and one scalar. Make one per thread, once; no
// algorithm allocates after that.
//
// Members carry the symbols of the papers (see NOTATION.md). They belong to the algorithms: read results
// through the functions in algorithms/, which say what they need.
#pragma once

#include <type_traits>
#include <vector>

#include "plucker/model/model.hpp"
#include "plucker/scalar/pack.hpp"
#include "plucker/spatial/articulated_inertia.hpp"
#include "plucker/spatial/coriolis_terms.hpp"
#include "plucker/spatial/small_cholesky.hpp"
#include "plucker/spatial/turning.hpp"

namespace plucker {

// In which coordinates a frame's velocity, Jacobian or a force on it is expressed.
enum class ReferenceFrame {
    kBody,          // the frame's own axes, at its origin
    kWorld,         // the world's axes, at the world's origin
    kWorldAligned,  // the world's axes, at the frame's origin
};

// How much of the kinematics the workspace holds; each level includes those before it.
enum class Kinematics { kNone, kPosition, kVelocity, kAcceleration };

// What a factorisation of the mass matrix tells about it: where its pivots are not positive, something
// that a joint moves has no inertia about it.
template <class S>
struct PivotRecord {
    int singular_joint = 0;  // the first joint with such a pivot; 0: none

    void note(int joint, const S& pivot) {
        if (singular_joint == 0 && !(pivot > S(0))) singular_joint = joint;
    }
};
// Of many states at once: which ones.
template <class T, int N, class Isa>
struct PivotRecord<Pack<T, N, Isa>> {
    typename Pack<T, N, Isa>::Mask singular{};

    void note(int, const Pack<T, N, Isa>& pivot) {
        singular = singular | (pivot <= Pack<T, N, Isa>(T(0)));  // NaN is another matter
    }
};

template <class S>
class Workspace {
public:
    using Parameter = ParameterOf<S>;

    explicit Workspace(const Model& model);

    const Model& model() const { return model_; }
    int num_bodies() const { return model_.num_bodies(); }
    const Body<Parameter>& body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }

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

    // --- In world axes about the anchor: the origin of body 1 where all else hangs on it, otherwise
    // the world's origin. A robot far from the world's origin loses no digits this way. ---
    Kinematics kinematics = Kinematics::kNone;
    Vec3<S> anchor{};
    std::vector<Transform<S>> X_anchor;  // body ← anchor
    std::vector<Motion<S>> v_anchor, a_anchor;
    std::vector<Motion<S>> J, J_dot;  // by freedom: joint axes and their rates
    std::vector<Inertia<S>> I_anchor, I_rate;
    std::vector<Force<S>> h_anchor;                 // momentum
    std::vector<ChristoffelTerm<S>> B_christoffel;  // velocity terms of the Coriolis matrix
    std::vector<NewtonEulerTerm<S>> B_newton_euler;
    std::vector<Vec3<S>> moment, moment_rate, moment_rate2;  // first mass moment of the subtree, …

    // --- By velocity coordinate, and blocks of them. ---
    std::vector<Force<S>> F;  // forces of unit torques, one a coordinate
    std::vector<S> zero, coordinates;
    std::vector<S> M;  // nv × nv, only for models with mimic joints

    PivotRecord<S> pivots;  // of the last factorisation

private:
    Model model_;
    std::vector<Body<Parameter>> bodies_;
};

template <class S>
Workspace<S>::Workspace(const Model& model) : model_(model) {
    const auto n = static_cast<std::size_t>(model.num_bodies()) + 1;
    const auto dofs = static_cast<std::size_t>(model.num_dofs());
    const auto nv = static_cast<std::size_t>(model.nv());
    for (const Body<double>& b : model.bodies()) bodies_.push_back(cast<Parameter>(b));
    const std::size_t num_angles = model.angles().size() + kAngleBlock;
    angle_value.resize(num_angles);
    angle.resize(num_angles);
    X.resize(n);
    X_world.resize(n);
    for (auto* by_body : {&v, &a, &c, &v_anchor, &a_anchor}) by_body->resize(n);
    turning.resize(n);
    for (auto* by_body : {&f, &p, &h_anchor}) by_body->resize(n);
    for (auto* by_body : {&Ic, &I_anchor, &I_rate}) by_body->resize(n);
    IA.resize(n);
    B_christoffel.resize(n);
    B_newton_euler.resize(n);
    D.resize(n);
    X_anchor.resize(n);
    for (auto* by_body : {&moment, &moment_rate, &moment_rate2}) by_body->resize(n);
    for (auto* by_freedom : {&subspace, &subspace_rate, &J, &J_dot}) by_freedom->resize(dofs);
    U.resize(dofs);
    for (auto* by_freedom : {&D_inv, &u}) by_freedom->resize(dofs);
    F.resize(nv);
    for (auto* by_coordinate : {&zero, &coordinates}) by_coordinate->resize(nv);
    if (model.has_mimic_joints()) M.resize(nv * nv);
    // Constant subspaces are written once, here.
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<Parameter>& b = body(i);
        Motion<S>* column = subspace.data() + b.dof_index;
        const SinCos<S> unturned[2] = {{S(0), S(1)}, {S(0), S(1)}};
        visit_joint(b.joint, [&](auto joint) { joint.subspace(b, unturned, column); });
        if (b.mimic) column[0] = S(b.multiplier) * column[0];
    }
}

}  // namespace plucker
