// Scratch memory of the algorithms, in groups. Each group has an owner, the file that fills it, and says how long
// it is valid; members have the symbols of the papers (see NOTATION.md).
//
// By body: entry 0 is the world. By freedom: Body::dof_index. By coordinate: of the velocity.
#pragma once

#include <algorithm>
#include <limits>

#include "plucker/model/arena.hpp"
#include "plucker/model/model.hpp"
#include "plucker/spatial/articulated_inertia.hpp"
#include "plucker/spatial/coriolis_terms.hpp"
#include "plucker/spatial/held_forces.hpp"
#include "plucker/spatial/small_cholesky.hpp"
#include "plucker/spatial/turning.hpp"

namespace plucker {

// How many entries the arrays have.
struct ScratchSizes {
    explicit ScratchSizes(const Model& model)
        : bodies(static_cast<std::size_t>(model.num_bodies()) + 1),
          freedoms(static_cast<std::size_t>(model.num_dofs())),
          coordinates(static_cast<std::size_t>(model.nv())),
          longest(static_cast<std::size_t>(std::max(model.nq(), model.nv()))),
          angles(model.angles().size() + kAngleBlock),
          mimic_matrix(model.has_mimic_joints() ? coordinates * coordinates : 0),
          rows(static_cast<std::size_t>(model.num_constraint_rows())) {}

    std::size_t bodies, freedoms, coordinates;
    std::size_t longest;       // nq or nv
    std::size_t angles;        // and room for a block more
    std::size_t mimic_matrix;  // M, only for models with mimic joints
    std::size_t rows;          // of the constraints
};

// The joints at q. Owner: algorithms/joint_pass.hpp. Valid within a call.
template <class S>
struct JointScratch {
    Array<S> angle_value;         // each joint angle (Model::angles)
    Array<SinCos<S>> angle;       // its sine and cosine
    Array<Transform<S>> X;        // by body: ⁱX_λ(i), body ← parent
    Array<Transform<S>> X_world;  // by body: body ← world
    Array<Motion<S>>
        subspace;  // by freedom: the columns of S_i; a mimic joint's is scaled. Constant ones are always valid
    Array<Motion<S>>
        subspace_rate;  // by freedom: their apparent rates, zero but for universal joints

    JointScratch() = default;
    JointScratch(Arena& arena, const ScratchSizes& n)
        : angle_value(arena.take<S>(n.angles)),
          angle(arena.take<SinCos<S>>(n.angles)),
          X(arena.take<Transform<S>>(n.bodies)),
          X_world(arena.take<Transform<S>>(n.bodies)),
          subspace(arena.take<Motion<S>>(n.freedoms)),
          subspace_rate(arena.take<Motion<S>>(n.freedoms)) {}
};

// A body with all that hangs on it, stretched out: each joint's place as far from the one before it as it can be turned to.
template <class S>
struct StretchedOut {
    S mass{}, moment{}, trace{};  // trace: of the rotational inertia
};

// Motions and forces in each body's own frame. Owner: the algorithm that runs. Valid within a call.
template <class S>
struct BodyScratch {
    Array<Motion<S>> v, a, c;  // velocity, acceleration, velocity-product acceleration
    Array<TurningMotion<S>> turning;
    Array<Force<S>> f;     // across the joint
    Array<Inertia<S>> Ic;  // composite inertia
    Array<StretchedOut<S>> stretched;

    BodyScratch() = default;
    BodyScratch(Arena& arena, const ScratchSizes& n)
        : v(arena.take<Motion<S>>(n.bodies)),
          a(arena.take<Motion<S>>(n.bodies)),
          c(arena.take<Motion<S>>(n.bodies)),
          turning(arena.take<TurningMotion<S>>(n.bodies)),
          f(arena.take<Force<S>>(n.bodies)),
          Ic(arena.take<Inertia<S>>(n.bodies)),
          stretched(arena.take<StretchedOut<S>>(n.bodies)) {}
};

// Articulated bodies. Owner: algorithms/articulated_pass.hpp. Valid within a call.
template <class S>
struct ArticulatedScratch {
    Array<ArticulatedInertia<S>> IA;
    Array<Force<S>> p;          // bias force p^A
    Array<SmallCholesky<S>> D;  // by body: Sᵀ I^A S of joints with several freedoms, factored
    Array<Force<S>> U;          // by freedom: I^A S
    Array<S> D_inv, u;          // by freedom

    ArticulatedScratch() = default;
    ArticulatedScratch(Arena& arena, const ScratchSizes& n)
        : IA(arena.take<ArticulatedInertia<S>>(n.bodies)),
          p(arena.take<Force<S>>(n.bodies)),
          D(arena.take<SmallCholesky<S>>(n.bodies)),
          U(arena.take<Force<S>>(n.freedoms)),
          D_inv(arena.take<S>(n.freedoms)),
          u(arena.take<S>(n.freedoms)) {}
};

// How much of the kinematics is known; each level includes those before it.
enum class Kinematics { kNone, kPosition, kVelocity, kAcceleration };

// How the bodies stand and move and the joints' axes, along the world's axes about an anchor: the origin of body 1 where
// all else hangs on it, otherwise the world's origin. A robot far from the world's origin loses no digits this way.
// Owner: algorithms/forward_kinematics.hpp. Valid up to `level`: what forward_kinematics leaves for the caller's questions
// until it is called again or a constant changes, what an algorithm needs on its way within a call.
template <class S>
struct WorldKinematics {
    Kinematics level = Kinematics::kNone;
    Vec3<S> anchor{};
    Array<Transform<S>> X;         // by body: body ← anchor
    Array<Transform<S>> X_parent;  // by body: body ← parent, of those after the first
    Array<Motion<S>> v, a;         // by body: velocity and spatial acceleration
    Array<Motion<S>> J, J_dot;     // by freedom: joint axes and their rates

    WorldKinematics() = default;
    WorldKinematics(Arena& arena, const ScratchSizes& n)
        : X(arena.take<Transform<S>>(n.bodies)),
          X_parent(arena.take<Transform<S>>(n.bodies)),
          v(arena.take<Motion<S>>(n.bodies)),
          a(arena.take<Motion<S>>(n.bodies)),
          J(arena.take<Motion<S>>(n.freedoms)),
          J_dot(arena.take<Motion<S>>(n.freedoms)) {}
};

// Sums over subtrees, along the world's axes about the anchor, by body. Owner: the algorithm that runs. Valid within a call.
template <class S>
struct SubtreeScratch {
    Array<Inertia<S>> I, I_rate;
    Array<Force<S>> h;                        // momentum
    Array<Force<S>> f;                        // what it takes to move so
    Array<HeldForces<S>> held;                // external forces that do not turn along
    Array<ChristoffelTerm<S>> B_christoffel;  // velocity terms of the Coriolis matrix
    Array<NewtonEulerTerm<S>> B_newton_euler;
    Array<Vec3<S>> moment, moment_rate, moment_rate2;  // first mass moment, …

    SubtreeScratch() = default;
    SubtreeScratch(Arena& arena, const ScratchSizes& n)
        : I(arena.take<Inertia<S>>(n.bodies)),
          I_rate(arena.take<Inertia<S>>(n.bodies)),
          h(arena.take<Force<S>>(n.bodies)),
          f(arena.take<Force<S>>(n.bodies)),
          held(arena.take<HeldForces<S>>(n.bodies)),
          B_christoffel(arena.take<ChristoffelTerm<S>>(n.bodies)),
          B_newton_euler(arena.take<NewtonEulerTerm<S>>(n.bodies)),
          moment(arena.take<Vec3<S>>(n.bodies)),
          moment_rate(arena.take<Vec3<S>>(n.bodies)),
          moment_rate2(arena.take<Vec3<S>>(n.bodies)) {}
};

// Along the way from the root to a body, about the anchor, and number by number: the axes of its freedoms, or their rates.
// Owner: algorithms/regressors.hpp. Valid within a call.
template <class S>
struct PathScratch {
    // Lengths are multiples of this: so many axes of plain numbers are computed with at once.
    static constexpr int kBlock = std::is_floating_point_v<S> ? 8 : 1;

    Array<int> end;         // by level: how many freedoms a path has up to there
    Array<int> coordinate;  // of each freedom on the path
    Array<S> axes;          // all ω_x, then all ω_y, … v_z

    PathScratch() = default;
    PathScratch(Arena& arena, const ScratchSizes& n)
        : end(arena.take<int>(n.bodies)),
          coordinate(arena.take<int>(whole_blocks(n.freedoms))),
          axes(arena.take<S>(6 * whole_blocks(n.freedoms))) {}

    static constexpr std::size_t whole_blocks(std::size_t n) {
        return (n + kBlock - 1) / kBlock * kBlock;
    }
};

// The same of all that second derivatives need of freedoms on a path, in blocks that stand together. Owner:
// algorithms/second_derivative_tensors.hpp; the ends and coordinates are those of PathScratch. Valid within a call.
template <class S>
struct PathBlock {
    static constexpr int kSize = PathScratch<S>::kBlock;

    struct Motions {
        S numbers[6][kSize]{};

        void set(int k, const Motion<S>& m) {
            numbers[0][k] = m.angular.x;
            numbers[1][k] = m.angular.y;
            numbers[2][k] = m.angular.z;
            numbers[3][k] = m.linear.x;
            numbers[4][k] = m.linear.y;
            numbers[5][k] = m.linear.z;
        }
        PLUCKER_ALWAYS_INLINE Motion<S> operator[](int k) const {
            return {{numbers[0][k], numbers[1][k], numbers[2][k]},
                    {numbers[3][k], numbers[4][k], numbers[5][k]}};
        }
    };
    Motions psi, psi_dot, psi_ddot, turned;  // ψ, ψ̇, ψ̈, ψ̇ + J̇

    static constexpr std::size_t needed(std::size_t freedoms) {
        return PathScratch<S>::whole_blocks(freedoms) / kSize;
    }
};

// How what a subtree has in sum changes with a step along the freedom that carries it: by q, v and a.
template <class S>
struct SubtreeSlopes {
    Force<S> F_by_q, F_by_v, F_by_a;    // of what it takes to move so
    Inertia<S> I_by_q;                  // of its inertia
    ChristoffelTerm<S> B_by_q, B_by_v;  // of its velocity terms
};

// How motion changes with a step along each freedom, along the world's axes about the anchor. Owner:
// algorithms/tangent_kinematics.hpp; of what is contracted with λ, algorithms/second_derivatives.hpp; slopes and points,
// algorithms/second_derivative_tensors.hpp. Valid within a call.
template <class S>
struct TangentScratch {
    Array<Motion<S>> psi_dot,
        psi_ddot;          // by freedom: how its axis is carried by the body before it
    Array<Motion<S>> chi;  // by freedom: the same by l
    Array<Motion<S>> l;    // by body: its velocity if λ were the robot's
    Array<Force<S>> L, P;  // by body, of subtrees: I l, 2Bᵀ l
    Array<Inertia<S>> R;   // by body, of subtrees: the rate of I if l were its velocity
    Array<Force<S>> N;     // by body, of subtrees: of forces that keep the world's axes, Gᵀ l
    Array<HeldForceSlopes<S>> W;  // and how that changes with a step
    Array<SubtreeSlopes<S>>
        slopes;  // by freedom: how the sums over its subtree change with a step along it
    Array<HeldPoints<S>> points;  // by body, of subtrees: where forces along the world's axes act
    Array<PathBlock<S>> path;

    TangentScratch() = default;
    TangentScratch(Arena& arena, const ScratchSizes& n)
        : psi_dot(arena.take<Motion<S>>(n.freedoms)),
          psi_ddot(arena.take<Motion<S>>(n.freedoms)),
          chi(arena.take<Motion<S>>(n.freedoms)),
          l(arena.take<Motion<S>>(n.bodies)),
          L(arena.take<Force<S>>(n.bodies)),
          P(arena.take<Force<S>>(n.bodies)),
          R(arena.take<Inertia<S>>(n.bodies)),
          N(arena.take<Force<S>>(n.bodies)),
          W(arena.take<HeldForceSlopes<S>>(n.bodies)),
          slopes(arena.take<SubtreeSlopes<S>>(n.freedoms)),
          points(arena.take<HeldPoints<S>>(n.bodies)),
          path(arena.take<PathBlock<S>>(PathBlock<S>::needed(n.freedoms))) {}
};

// nv × nv each. Owner: algorithms/second_derivatives.hpp; the first also dynamics_derivatives.hpp, for numbers that are not the
// processor's. Valid within a call. Of a robot with thousands of bodies they are larger than all else together: nobody else
// touches them.
template <class S>
struct SquareScratch {
    Array<S> first, second, third;

    SquareScratch() = default;
    SquareScratch(Arena& arena, const ScratchSizes& n)
        : first(arena.take_unwritten<S>(n.coordinates * n.coordinates)),
          second(arena.take_unwritten<S>(n.coordinates * n.coordinates)),
          third(arena.take_unwritten<S>(n.coordinates * n.coordinates)) {}
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

// In place of a joint: what a frame feels of the mass matrix, J M⁻¹ Jᵀ, is singular.
inline constexpr int kAtFrame = -1;

// What a factorisation of the mass matrix tells about it: where its pivots are not positive, something that a joint moves
// has no inertia about it. NaN is another matter. Of one state it is told which joint, of many which states.
template <class S, class Mask = MaskOf<S>>
struct PivotRecord {
    int singular_joint = 0;  // not told
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

// By coordinate of the velocity, and blocks of them. Owner: the algorithm that runs. Valid within a call, but for what is
// said to be always valid.
template <class S>
struct CoordinateScratch {
    Array<Force<S>> F;  // forces of unit torques
    Array<S> zero;      // always valid
    Array<S> any;
    Array<S> copy;  // nq or nv: of what is read and then written over
    Array<S> M;     // nv × nv, only for models with mimic joints
    Array<S> four;  // four columns side by side
    // The size of the numbers that each entry of M's diagonal is summed from, or no less.
    Array<S> pivot_scale;
    PivotRecord<S> pivots;  // of the factorisation

    CoordinateScratch() = default;
    CoordinateScratch(Arena& arena, const ScratchSizes& n)
        : F(arena.take<Force<S>>(n.coordinates)),
          zero(arena.take<S>(n.coordinates)),
          any(arena.take<S>(n.coordinates)),
          copy(arena.take<S>(n.longest)),
          M(arena.take<S>(n.mimic_matrix)),
          four(arena.take<S>(4 * n.coordinates)),
          pivot_scale(arena.take<S>(n.coordinates)) {}
};

// A row of a Jacobian as forces, about the anchor: a unit of it pushes with `force` on body a and as much the other way on
// body b, or with torques at two coordinates of the velocity.
template <class S>
struct ConstraintRow {
    int body_a = 0, body_b = 0;  // 0: the world, which does not feel it
    Force<S> force{};
    int v_a = -1, v_b = -1;  // -1: no torque
    S torque_a{}, torque_b{};
};

// Constraints beyond the tree. Owner: constraints/. Valid within a call.
template <class S>
struct ConstraintScratch {
    Array<ConstraintRow<S>> rows;
    Array<S> error, bias, lambda, target, residual;  // by row
    Array<S> scale;                                  // by row: 1/√G_rr, 0 where nothing can move
    Array<S> noise;       // by row: what G_rr would be without cancellation
    Array<S> J;           // rows × nv
    Array<S> u, D_inv_u;  // nv × rows: innovations, and these through the joints' inertias
    Array<S> G, factor;   // rows × rows: J M⁻¹ Jᵀ, scaled; its Cholesky factor
    Array<Force<S>> U;    // by freedom: I^A S about the anchor
    Array<S> a;           // by coordinate
    Array<S> q;           // a configuration

    ConstraintScratch() = default;
    ConstraintScratch(Arena& arena, const ScratchSizes& n)
        : rows(arena.take<ConstraintRow<S>>(n.rows)),
          error(arena.take<S>(n.rows)),
          bias(arena.take<S>(n.rows)),
          lambda(arena.take<S>(n.rows)),
          target(arena.take<S>(n.rows)),
          residual(arena.take<S>(n.rows)),
          scale(arena.take<S>(n.rows)),
          noise(arena.take<S>(n.rows)),
          J(arena.take<S>(n.rows * n.coordinates)),
          u(arena.take<S>(n.rows * n.coordinates)),
          D_inv_u(arena.take<S>(n.rows * n.coordinates)),
          G(arena.take<S>(n.rows * n.rows)),
          factor(arena.take<S>(n.rows * n.rows)),
          U(arena.take<Force<S>>(n.rows > 0 ? n.freedoms : 0)),
          a(arena.take<S>(n.rows > 0 ? n.coordinates : 0)),
          q(arena.take<S>(n.rows > 0 ? n.longest : 0)) {}
};

}  // namespace plucker
