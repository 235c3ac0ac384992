#include "quantities.hpp"

#include "derivatives.hpp"
#include "plucker/plucker.hpp"

namespace plucker::io {
namespace {

// --- Arrays without an order of joints -------------------------------------------------------------

Array number(double x) { return {{x}, {}}; }

Array vector(const VectorX<double>& x, const AxisNames& names) {
    return {{x.data(), x.data() + x.size()}, {&names}};
}
template <class Spatial>
Array spatial(const Spatial& x) {
    return vector(to_eigen(x), kSpatial);
}
Array matrix(const MatrixX<double>& m, const AxisNames& rows, const AxisNames& columns) {
    Array out{{}, {&rows, &columns}};
    out.numbers.reserve(static_cast<std::size_t>(m.size()));
    for (long r = 0; r < m.rows(); ++r) {
        for (long c = 0; c < m.cols(); ++c) out.numbers.push_back(m(r, c));
    }
    return out;
}

// --- Arrays in the order that was asked for: v' = T v, τ' = T τ, a' = T a + Ṫ v ------------------------

const AxisNames& order(const Context& c) { return c.coordinates.v_names(); }

Array torque(const Context& c, const VectorX<double>& tau) {
    return vector(c.coordinates.export_tau(c.s.q, tau), order(c));
}
Array acceleration(const Context& c, const VectorX<double>& a) {
    return vector(c.coordinates.export_a(c.s.q, c.s.v, a), order(c));
}
Array square(const Context& c, const MatrixX<double>& m) {
    return matrix(c.coordinates.export_matrix(c.s.q, m), order(c), order(c));
}
Array columns(const Context& c, const MatrixX<double>& J, const AxisNames& rows) {
    return matrix(c.coordinates.export_jacobian(c.s.q, J), rows, order(c));
}
// J' = J Tᵀ, so J̇' = J̇ Tᵀ + J Ṫᵀ.
Array columns_rate(const Context& c, const MatrixX<double>& J_dot, const MatrixX<double>& J,
                   const AxisNames& rows) {
    if (c.coordinates.only_permutes()) return columns(c, J_dot, rows);
    const MatrixX<double> turning = J * c.coordinates.velocity_map_rate(c.s.q, c.s.v).transpose();
    return matrix(c.coordinates.export_jacobian(c.s.q, J_dot) + turning, rows, order(c));
}
// M' v̇' + C' v' + … = T τ with v̇ = Tᵀ (v̇' - Ṫ v): C' = T C Tᵀ + T M Ṫᵀ. It leaves Ṁ' - 2 C' skew.
Array coriolis(const Context& c, const MatrixX<double>& C) {
    if (c.coordinates.only_permutes()) return square(c, C);
    const MatrixX<double> T = c.coordinates.velocity_map(c.s.q);
    const MatrixX<double> T_dot = c.coordinates.velocity_map_rate(c.s.q, c.s.v);
    const MatrixX<double> M = mass_matrix(c.model, c.s.q);
    return matrix(T * (C * T.transpose() + M * T_dot.transpose()), order(c), order(c));
}
// The acceleration at which that order's is zero: - Tᵀ Ṫ v.
VectorX<double> still(const Context& c) {
    return c.coordinates.import_a(c.s.q, c.s.v, VectorX<double>::Zero(c.coordinates.nv()));
}
// What is left of τ' at v̇' = 0.
Array bias(const Context& c, const VectorX<double>& without_acceleration) {
    if (c.coordinates.only_permutes()) return torque(c, without_acceleration);
    return torque(c, without_acceleration + mass_matrix(c.model, c.s.q) * still(c));
}
// C'ᵀ v' = T Cᵀ v + Ṫ M v.
Array coriolis_transpose(const Context& c, const VectorX<double>& CT_v) {
    const VectorX<double> turned = c.coordinates.export_tau(c.s.q, CT_v);
    if (c.coordinates.only_permutes()) return vector(turned, order(c));
    return vector(turned + c.coordinates.velocity_map_rate(c.s.q, c.s.v) *
                               (mass_matrix(c.model, c.s.q) * c.s.v),
                  order(c));
}
// Derivatives in coordinates that turn with the robot are others than ours, turned.
void require_permutation(const Context& c) {
    if (c.coordinates.only_permutes()) return;
    throw Error(
        "derivatives and Christoffel symbols are not computed in this order, whose velocities are "
        "not along the body's axes; ask for "
        "the order "
        "plucker, file or pinocchio");
}

// --- Quantities of several parts ---------------------------------------------------------------------

Answer frame_answers(const Context& c) {
    const bool moving = c.s.has(kV);
    if (!moving) {
        forward_kinematics(c.ws, c.s.q);
    } else if (c.s.has(kA)) {
        forward_kinematics(c.ws, c.s.q, c.s.v, c.s.a);
    } else {
        forward_kinematics(c.ws, c.s.q, c.s.v);
    }
    Answer out;
    MatrixX<double> J(6, c.model.nv());
    MatrixX<double> J_dot(6, c.model.nv());
    for (const FrameId id : c.frames) {
        const auto put = [&](const std::string& what, Array array) {
            out.parts.push_back({{c.model.frame(id).name, what}, std::move(array)});
        };
        const Pose<double> pose = frame_pose(c.ws, id);
        put("rotation", matrix(to_eigen(pose.rotation), kXyz, kXyz));
        put("position", vector(to_eigen(pose.position), kXyz));
        for (const std::string& name : reference_names()) {
            const ReferenceFrame reference = reference_named(name);
            frame_jacobian(c.ws, id, reference, J);
            put("jacobian_" + name, columns(c, J, kSpatial));
            if (!moving) continue;
            frame_jacobian_rate(c.ws, id, reference, J_dot);
            put("jacobian_dot_" + name, columns_rate(c, J_dot, J, kSpatial));
            put("velocity_" + name, spatial(frame_velocity(c.ws, id, reference)));
            if (!c.s.has(kA)) continue;
            put("acceleration_" + name, spatial(frame_acceleration(c.ws, id, reference)));
            put("classical_acceleration_" + name,
                spatial(frame_classical_acceleration(c.ws, id, reference)));
        }
    }
    return out;
}

Answer reaction_answers(const Context& c) {
    const auto forces = reaction_forces(c.model, c.s.q, c.s.v, c.s.a, c.forces);
    Answer out;
    for (int i = 1; i <= c.model.num_bodies(); ++i) {
        out.parts.push_back(
            {{c.model.joint(i).name}, spatial(forces[static_cast<std::size_t>(i)])});
    }
    return out;
}

// out[k][i][j] = Γ_ijk
Answer christoffel_answers(const Context& c) {
    require_permutation(c);
    const long n = c.model.nv();
    const MatrixX<double> symbols = christoffel_symbols(c.model, c.s.q);
    Array out{{}, {&order(c), &order(c), &order(c)}};
    out.numbers.reserve(static_cast<std::size_t>(n * n * n));
    for (const int k : c.coordinates.velocity_order()) {
        const Array face = square(c, symbols.middleCols(k * n, n));
        out.numbers.insert(out.numbers.end(), face.numbers.begin(), face.numbers.end());
    }
    return out;
}

DynamicsDerivatives inverse_derivatives(const Context& c) {
    require_permutation(c);
    return inverse_dynamics_derivatives(c.model, c.s);
}
DynamicsDerivatives forward_derivatives(const Context& c) {
    require_permutation(c);
    return forward_dynamics_derivatives(c.model, c.s);
}

}  // namespace

const std::vector<Quantity>& quantities() {
    static const std::vector<Quantity> kAll{
        {"total_mass", 0, [](const Context& c) -> Answer { return number(c.model.total_mass()); }},
        {"inverse_dynamics", kQ | kV | kA,
         [](const Context& c) -> Answer {
             return torque(c, inverse_dynamics(c.model, c.s.q, c.s.v, c.s.a, c.forces));
         }},
        {"forward_dynamics", kQ | kV | kTau,
         [](const Context& c) -> Answer {
             return acceleration(c, forward_dynamics(c.model, c.s.q, c.s.v, c.s.tau, c.forces));
         }},
        {"gravity_torque", kQ,
         [](const Context& c) -> Answer { return torque(c, gravity_torque(c.model, c.s.q)); }},
        {"bias_torque", kQ | kV,
         [](const Context& c) -> Answer { return bias(c, bias_torque(c.model, c.s.q, c.s.v)); }},
        {"friction_torque", kV,
         [](const Context& c) -> Answer { return torque(c, friction_torque(c.model, c.s.v)); }},
        {"mass_matrix", kQ,
         [](const Context& c) -> Answer { return square(c, mass_matrix(c.model, c.s.q)); }},
        {"inverse_mass_matrix", kQ,
         [](const Context& c) -> Answer { return square(c, inverse_mass_matrix(c.model, c.s.q)); }},
        {"coriolis_mne", kQ | kV,
         [](const Context& c) -> Answer {
             return coriolis(c, modified_newton_euler(c.model, c.s.q, c.s.v).C);
         }},
        {"coriolis_christoffel", kQ | kV,
         [](const Context& c) -> Answer {
             return coriolis(c, coriolis_matrix(c.model, c.s.q, c.s.v));
         }},
        {"christoffel_symbols", kQ, christoffel_answers},
        {"coriolis_times_v", kQ | kV,
         [](const Context& c) -> Answer {
             return bias(c, coriolis_matrix(c.model, c.s.q, c.s.v) * c.s.v);
         }},
        {"coriolis_transpose_times_v", kQ | kV,
         [](const Context& c) -> Answer {
             return coriolis_transpose(c, coriolis_transpose_times_velocity(c.model, c.s.q, c.s.v));
         }},
        {"kinetic_energy", kQ | kV,
         [](const Context& c) -> Answer { return number(kinetic_energy(c.model, c.s.q, c.s.v)); }},
        {"potential_energy", kQ,
         [](const Context& c) -> Answer { return number(potential_energy(c.model, c.s.q)); }},
        {"com", kQ,
         [](const Context& c) -> Answer { return vector(center_of_mass(c.model, c.s.q), kXyz); }},
        {"com_velocity", kQ | kV,
         [](const Context& c) -> Answer {
             return vector(com_velocity(c.model, c.s.q, c.s.v), kXyz);
         }},
        {"com_acceleration", kQ | kV | kA,
         [](const Context& c) -> Answer {
             return vector(com_acceleration(c.model, c.s.q, c.s.v, c.s.a), kXyz);
         }},
        {"com_bias_acceleration", kQ | kV,
         [](const Context& c) -> Answer {
             const VectorX<double> a = still(c);
             return vector(com_acceleration(c.model, c.s.q, c.s.v, a), kXyz);
         }},
        {"com_jacobian", kQ,
         [](const Context& c) -> Answer { return columns(c, com_jacobian(c.model, c.s.q), kXyz); }},
        {"com_jacobian_dot", kQ | kV,
         [](const Context& c) -> Answer {
             return columns_rate(c, com_jacobian_rate(c.model, c.s.q, c.s.v),
                                 com_jacobian(c.model, c.s.q), kXyz);
         }},
        {"centroidal_momentum", kQ | kV,
         [](const Context& c) -> Answer {
             return spatial(centroidal_momentum(c.model, c.s.q, c.s.v));
         }},
        {"centroidal_momentum_dot", kQ | kV | kA,
         [](const Context& c) -> Answer {
             return spatial(centroidal_momentum_rate(c.model, c.s.q, c.s.v, c.s.a));
         }},
        {"centroidal_momentum_matrix", kQ,
         [](const Context& c) -> Answer {
             return columns(c, centroidal_momentum_matrix(c.model, c.s.q), kSpatial);
         }},
        {"centroidal_momentum_matrix_dot", kQ | kV,
         [](const Context& c) -> Answer {
             return columns_rate(c, centroidal_momentum_matrix_rate(c.model, c.s.q, c.s.v),
                                 centroidal_momentum_matrix(c.model, c.s.q), kSpatial);
         }},
        {"reaction_forces", kQ | kV | kA, reaction_answers},
        {"frames", kQ, frame_answers},
        {"inverse_dynamics_dq", kQ | kV | kA,
         [](const Context& c) -> Answer { return square(c, inverse_derivatives(c).dq); }},
        {"inverse_dynamics_dv", kQ | kV | kA,
         [](const Context& c) -> Answer { return square(c, inverse_derivatives(c).dv); }},
        {"forward_dynamics_dq", kQ | kV | kTau,
         [](const Context& c) -> Answer { return square(c, forward_derivatives(c).dq); }},
        {"forward_dynamics_dv", kQ | kV | kTau,
         [](const Context& c) -> Answer { return square(c, forward_derivatives(c).dv); }},
    };
    return kAll;
}

}  // namespace plucker::io
