// What rounding is relative to: the sizes of the terms that the algorithms add up.
//
// This is spatial algebra with lengths in place of vectors, and a plus for every sign: a sum comes out as large as
// what went into it, whatever cancels in the algorithms' own sums. Moments and forces, and turning and moving, are
// kept apart, so that the units of mass and length do not matter. All is about the workspace's anchor.
#pragma once

#include <vector>

#include "plucker/algorithms/table.hpp"
#include "plucker/laws/formulas.hpp"

namespace plucker::laws {

struct MotionSize {
    double angular = 0, linear = 0;
};
struct ForceSize {
    double angular = 0, linear = 0;
};
// Of an inertia, or of its rate: [rotational first_moment; first_moment mass].
struct InertiaSize {
    double rotational = 0, first_moment = 0, mass = 0;
};

// The sizes of a matrix's entries. A derivative that a scalar carries counts as much as its value.
template <Stored Matrix>
auto magnitudes(const Matrix& m) {
    auto out = make_result<double>(m, m);
    const Entries<typename Matrix::Scalar> entries(m);
    for (long c = 0; c < m.cols(); ++c) {
        for (long r = 0; r < m.rows(); ++r)
            out(r, c) = static_cast<double>(magnitude(entries(r, c)));
    }
    return out;
}

// The larger of each two.
inline VectorX<double> larger(VectorX<double> a, const VectorX<double>& b) {
    for (long k = 0; k < a.size(); ++k) a[k] = std::max(a[k], b[k]);
    return a;
}
// Six numbers: three of moments, three of forces.
inline VectorX<double> six_of(const ForceSize& f) {
    VectorX<double> out(6);
    for (int k = 0; k < 6; ++k) out[k] = k < 3 ? f.angular : f.linear;
    return out;
}

// The sizes at one configuration. Arguments v and a are sizes too: magnitudes(…).
class Sizes {
public:
    template <class S>
    Sizes(const Model& model, const VectorX<S>& q);

    MatrixX<double> mass_matrix() const;
    // Also of Ṁ.
    MatrixX<double> coriolis_matrix(const VectorX<double>& v) const;
    // What a motion asks of the joints, gravity, rotors and friction included.
    VectorX<double> torques(const VectorX<double>& v, const VectorX<double>& a) const;
    VectorX<double> gravity_torques() const;
    // Jᵀ f of a force on a frame.
    VectorX<double> torques_of(FrameId frame, const ForceSize& force,
                               ReferenceFrame expressed_in) const;
    // Across each joint; of entry 0, on the ground.
    std::vector<ForceSize> forces(const VectorX<double>& v, const VectorX<double>& a) const;
    // Of each body.
    std::vector<MotionSize> velocities(const VectorX<double>& v) const;
    // Of a frame's Jacobian (6 × nv) and its rate.
    MatrixX<double> jacobian(FrameId frame, ReferenceFrame reference) const;
    MatrixX<double> jacobian_rate(FrameId frame, ReferenceFrame reference,
                                  const VectorX<double>& v) const;
    // Of derivatives by q and v (algorithms/dynamics_derivatives.hpp): of torques (nv × nv), of the momentum and of the
    // force of all bodies about the anchor, and of a frame's velocity and acceleration (6 × nv).
    struct Slopes {
        MatrixX<double> dq, dv;
    };
    Slopes torque_slopes(const VectorX<double>& v, const VectorX<double>& a) const;
    Slopes momentum_slopes(const VectorX<double>& v) const;
    Slopes force_slopes(const VectorX<double>& v, const VectorX<double>& a) const;
    MatrixX<double> frame_velocity_slopes(FrameId frame, ReferenceFrame reference,
                                          const VectorX<double>& v) const;
    Slopes frame_acceleration_slopes(FrameId frame, ReferenceFrame reference,
                                     const VectorX<double>& v, const VectorX<double>& a) const;
    // Of the momentum of subtree(root), about the anchor: one column per coordinate (6 × nv), and its rate.
    MatrixX<double> momentum_matrix(int root = 0) const;
    MatrixX<double> momentum_matrix_rate(const VectorX<double>& v, int root = 0) const;

    double mass(int root = 0) const { return composite_[static_cast<std::size_t>(root)].mass; }
    // From the anchor to the centre of mass of subtree(root), to the robot's mass on the average, and to the world's
    // origin.
    double centroid(int root = 0) const;
    double gyration() const;
    double anchor() const { return anchor_; }

private:
    struct Freedom {
        int body;
        int coordinate;
        MotionSize axis;
    };
    // How an axis is carried by the body before it, and moves itself.
    struct Carried {
        MotionSize dot, ddot;
        MotionSize rate;  // the sum of the carried rate and the axis's own
    };
    std::vector<Carried> carried(const std::vector<MotionSize>& velocity,
                                 const std::vector<MotionSize>& acceleration) const;
    std::vector<MotionSize> accelerations(const VectorX<double>& v, const VectorX<double>& a,
                                          const MotionSize& of_ground) const;
    struct ForceSlopeSizes;
    std::vector<ForceSlopeSizes> force_slope_sizes(const VectorX<double>& v,
                                                   const VectorX<double>& a) const;
    // The deeper one of two bodies if one hangs on the other, or -1. Body 0 carries all.
    int deeper(int a, int b) const;
    double distance(FrameId frame, ReferenceFrame reference) const;
    std::vector<ForceSize> momenta(const std::vector<MotionSize>& velocity) const;
    std::vector<InertiaSize> composite_rates(const VectorX<double>& v) const;
    MatrixX<double> between_freedoms(const std::vector<InertiaSize>& composite) const;
    MatrixX<double> of_momentum(const std::vector<InertiaSize>& composite, int root) const;

    Model model_;
    double anchor_ = 0;
    std::vector<double> frame_distance_;
    std::vector<Freedom> freedoms_;
    std::vector<InertiaSize> inertia_,
        composite_;  // by body; of a composite, with all that hangs on it
};

template <class S>
double length(const Vec3<S>& a) {
    return std::hypot(static_cast<double>(magnitude(a.x)), static_cast<double>(magnitude(a.y)),
                      static_cast<double>(magnitude(a.z)));
}

template <class S>
Sizes::Sizes(const Model& model, const VectorX<S>& q) : model_(model) {
    Workspace<S> ws(model);
    forward_kinematics(ws, q);
    anchor_ = length(ws.kinematics.anchor);
    inertia_.resize(static_cast<std::size_t>(model.num_bodies()) + 1);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        for (int k = 0; k < body.nv; ++k) {
            const Motion<S>& axis = ws.kinematics.J[static_cast<std::size_t>(body.dof_index + k)];
            freedoms_.push_back({i, body.v_index + k, {length(axis.angular), length(axis.linear)}});
        }
        const Transform<S>& X = ws.kinematics.X[static_cast<std::size_t>(i)];
        // The entries of a rotation are at most one, but their derivatives may be larger.
        const Mat3<S>& E = X.E;
        const double turn = std::max({1.0, length(E.x), length(E.y), length(E.z)});
        const double r = length(X.r);
        const double m = std::abs(body.inertia.mass);
        const double h = turn * length(body.inertia.first_moment);
        const Mat3<double> I = to_mat3(body.inertia.rotational);
        const double about_origin = turn * turn * std::hypot(length(I.x), length(I.y), length(I.z));
        inertia_[static_cast<std::size_t>(i)] = {about_origin + 2 * r * h + m * r * r, h + m * r,
                                                 m};
    }
    composite_ = inertia_;
    for (int i = model.num_bodies(); i >= 1; --i) {
        InertiaSize& parent = composite_[static_cast<std::size_t>(model.body(i).parent)];
        const InertiaSize& child = composite_[static_cast<std::size_t>(i)];
        parent = {parent.rotational + child.rotational, parent.first_moment + child.first_moment,
                  parent.mass + child.mass};
    }
    for (std::size_t k = 0; k < model.frames().size(); ++k) {
        frame_distance_.push_back(length(
            detail::X_frame_anchor(ws, ws.kinematics, ws.model().frame_id(static_cast<int>(k))).r));
    }
}

}  // namespace plucker::laws
