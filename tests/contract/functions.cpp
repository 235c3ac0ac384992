#include "contract/functions.hpp"

#include <random>

namespace plucker::test {
namespace {

class InPlaceTable {
public:
    explicit InPlaceTable(const Model& model) : nq_(model.nq()), nv_(model.nv()) {}

    Argument q(std::string name = "q") const { return {std::move(name), nq_, 1, true, false}; }
    Argument v(std::string name) const { return {std::move(name), nv_, 1, false, false}; }
    Argument read(std::string name) const { return {std::move(name), nv_, 1, false, true}; }
    Argument square(std::string name) const { return {std::move(name), nv_, nv_, false, false}; }
    Argument wide(std::string name, int rows) const {
        return {std::move(name), rows, nv_, false, false};
    }
    int nq() const { return nq_; }
    int nv() const { return nv_; }

    template <class Call>
    InPlaceFunction& add(std::string name, std::vector<Argument> inputs,
                         std::vector<Argument> outputs, Call call) {
        InPlaceFunction& row = rows_.emplace_back();
        row.name = std::move(name);
        row.inputs = std::move(inputs);
        row.outputs = std::move(outputs);
        row.call = call;
        return row;
    }
    // A function that returns its result, which the table stores as an output of `size` numbers.
    template <class Call>
    InPlaceFunction& add_by_value(std::string name, std::vector<Argument> inputs, int size,
                                  Call call) {
        InPlaceFunction& row =
            add(std::move(name), std::move(inputs), {{"result", size, 1, false, false}},
                [call](Workspace<double>& ws, const InPlaceCall& x) {
                    const MatrixX<double> result = call(ws, x);
                    x.out(0) = result.reshaped();
                    return ws.status();
                });
        row.returns_by_value = true;
        return row;
    }
    std::vector<InPlaceFunction> take() { return std::move(rows_); }

private:
    int nq_, nv_;
    std::vector<InPlaceFunction> rows_;
};

MatrixX<double> flat(const Pose<double>& pose) {
    MatrixX<double> out(3, 4);
    out << to_eigen(pose.rotation), to_eigen(pose.position);
    return out;
}
MatrixX<double> flat(double x) { return MatrixX<double>::Constant(1, 1, x); }
MatrixX<double> flat(const auto& x) { return to_eigen(x); }

void add_inverse_dynamics(InPlaceTable& t, const Model& model) {
    t.add("inverse_dynamics", {t.q(), t.v("v"), t.v("a")}, {t.v("tau")},
          [](auto& ws, const auto& x) {
              return inverse_dynamics(ws, x.in(0), x.in(1), x.in(2), x.external, x.out(0));
          })
        .takes_forces = true;
    t.add("bias_torque", {t.q(), t.v("v")}, {t.v("tau")},
          [](auto& ws, const auto& x) { return bias_torque(ws, x.in(0), x.in(1), x.out(0)); });
    t.add("gravity_torque", {t.q()}, {t.v("tau")},
          [](auto& ws, const auto& x) { return gravity_torque(ws, x.in(0), x.out(0)); });
    t.add("friction_torque", {t.v("v")}, {t.v("tau")},
          [](auto& ws, const auto& x) { return friction_torque(ws, x.in(0), x.out(0)); });
    t.add("reaction_forces", {t.q(), t.v("v"), t.v("a")},
          {{"forces", 6 * (model.num_bodies() + 1), 1, false, false}},
          [](auto& ws, const auto& x) {
              const std::span<Force<double>> forces(
                  reinterpret_cast<Force<double>*>(x.outputs[0]),
                  static_cast<std::size_t>(x.output_shapes[0].rows) / 6);
              return reaction_forces(ws, x.in(0), x.in(1), x.in(2), x.external, forces);
          })
        .takes_forces = true;
    if (!model.has_floating_base()) return;
    InPlaceFunction& row = t.add("floating_base_inverse_dynamics", {t.q(), t.v("v")},
                                 {t.read("a"), t.v("tau")}, [](auto& ws, const auto& x) {
                                     return floating_base_inverse_dynamics(
                                         ws, x.in(0), x.in(1), x.external, x.out(0), x.out(1));
                                 });
    row.takes_forces = row.needs_regular = true;
}

void add_forward_dynamics(InPlaceTable& t) {
    InPlaceFunction& fd = t.add(
        "forward_dynamics", {t.q(), t.v("v"), t.v("tau")}, {t.v("a")}, [](auto& ws, const auto& x) {
            return forward_dynamics(ws, x.in(0), x.in(1), x.in(2), x.external, x.out(0));
        });
    fd.takes_forces = fd.needs_regular = true;
    InPlaceFunction& by_mass_matrix =
        t.add("forward_dynamics_by_mass_matrix", {t.q(), t.v("v"), t.v("tau")},
              {t.square("M"), t.v("a")}, [](auto& ws, const auto& x) {
                  return forward_dynamics_by_mass_matrix(ws, x.in(0), x.in(1), x.in(2), x.external,
                                                         x.matrix(0), x.out(1));
              });
    by_mass_matrix.takes_forces = by_mass_matrix.needs_regular = true;
    InPlaceFunction& hybrid = t.add("hybrid_dynamics", {t.q(), t.v("v")},
                                    {t.read("a"), t.read("tau")}, [](auto& ws, const auto& x) {
                                        return hybrid_dynamics(ws, x.in(0), x.in(1), x.given,
                                                               x.external, x.out(0), x.out(1));
                                    });
    hybrid.takes_forces = hybrid.needs_regular = true;
}

void add_matrices(InPlaceTable& t) {
    t.add("mass_matrix", {t.q()}, {t.square("M")},
          [](auto& ws, const auto& x) { return mass_matrix(ws, x.in(0), x.matrix(0)); });
    t.add("mass_matrix_by_inverse_dynamics", {t.q(), t.v("v")}, {t.v("bias"), t.square("M")},
          [](auto& ws, const auto& x) {
              return mass_matrix_by_inverse_dynamics(ws, x.in(0), x.in(1), x.out(0), x.matrix(1));
          });
    t.add("mass_matrix_times", {t.q()}, {t.read("B")},
          [](auto& ws, const auto& x) { return mass_matrix_times(ws, x.in(0), x.matrix(0)); });
    t.add("inverse_mass_matrix", {t.q()}, {t.square("Minv")}, [](auto& ws, const auto& x) {
         return inverse_mass_matrix(ws, x.in(0), x.matrix(0));
     }).needs_regular = true;
    t.add("inverse_mass_matrix_by_articulated_bodies", {t.q()}, {t.square("Minv")},
          [](auto& ws, const auto& x) {
              return inverse_mass_matrix_by_articulated_bodies(ws, x.in(0), x.matrix(0));
          })
        .needs_regular = true;
    t.add("inverse_mass_matrix_times", {t.q()}, {t.read("B")}, [](auto& ws, const auto& x) {
         return inverse_mass_matrix_times(ws, x.in(0), x.matrix(0));
     }).needs_regular = true;
    // The two work on somebody's matrix; here on the mass matrix at q.
    t.add("factor_mass_matrix", {t.q()}, {t.square("M")}, [](auto& ws, const auto& x) {
         const Status status = mass_matrix(ws, x.in(0), x.matrix(0));
         return status == Status::kOk ? factor_mass_matrix(ws, x.matrix(0)) : status;
     }).needs_regular = true;
    t.add("solve_with_factor", {t.q()}, {t.square("factors"), t.read("x")},
          [](auto& ws, const auto& x) {
              Status status = mass_matrix(ws, x.in(0), x.matrix(0));
              if (status == Status::kOk) status = factor_mass_matrix(ws, x.matrix(0));
              return status == Status::kOk ? solve_with_factor(ws, x.matrix(0), x.out(1)) : status;
          })
        .needs_regular = true;
    t.add("coriolis_matrix", {t.q(), t.v("v")}, {t.square("C")}, [](auto& ws, const auto& x) {
        return coriolis_matrix(ws, x.in(0), x.in(1), x.matrix(0));
    });
    t.add("modified_newton_euler", {t.q(), t.v("v")}, {t.square("C"), t.v("G")},
          [](auto& ws, const auto& x) {
              return modified_newton_euler(ws, x.in(0), x.in(1), x.matrix(0), x.out(1));
          });
    t.add("christoffel_symbols", {t.q()}, {{"symbols", t.nv(), t.nv() * t.nv(), false, false}},
          [](auto& ws, const auto& x) { return christoffel_symbols(ws, x.in(0), x.matrix(0)); });
    t.add("coriolis_transpose_times_velocity", {t.q(), t.v("v")}, {t.v("out")},
          [](auto& ws, const auto& x) {
              return coriolis_transpose_times_velocity(ws, x.in(0), x.in(1), x.out(0));
          });
}

void add_kinematics(InPlaceTable& t) {
    t.add("forward_kinematics", {t.q()}, {}, [](auto& ws, const auto& x) {
         return forward_kinematics(ws, x.in(0));
     }).fills_kinematics = true;
    t.add("forward_kinematics", {t.q(), t.v("v")}, {}, [](auto& ws, const auto& x) {
         return forward_kinematics(ws, x.in(0), x.in(1));
     }).fills_kinematics = true;
    t.add("forward_kinematics", {t.q(), t.v("v"), t.v("a")}, {}, [](auto& ws, const auto& x) {
         return forward_kinematics(ws, x.in(0), x.in(1), x.in(2));
     }).fills_kinematics = true;
    const auto of_frame = [](InPlaceFunction& row, Kinematics level) {
        row.reads = level;
        row.takes_frame = true;
    };
    of_frame(t.add_by_value("frame_pose", {}, 12,
                            [](auto& ws, const auto& x) { return flat(frame_pose(ws, x.frame)); }),
             Kinematics::kPosition);
    of_frame(t.add_by_value("frame_velocity", {}, 6,
                            [](auto& ws, const auto& x) {
                                return flat(frame_velocity(ws, x.frame, x.reference));
                            }),
             Kinematics::kVelocity);
    of_frame(t.add_by_value("frame_acceleration", {}, 6,
                            [](auto& ws, const auto& x) {
                                return flat(frame_acceleration(ws, x.frame, x.reference));
                            }),
             Kinematics::kAcceleration);
    of_frame(t.add_by_value("frame_classical_acceleration", {}, 6,
                            [](auto& ws, const auto& x) {
                                return flat(frame_classical_acceleration(ws, x.frame, x.reference));
                            }),
             Kinematics::kAcceleration);
    of_frame(t.add("frame_jacobian", {}, {t.wide("J", 6)},
                   [](auto& ws, const auto& x) {
                       return frame_jacobian(ws, x.frame, x.reference, x.matrix(0));
                   }),
             Kinematics::kPosition);
    of_frame(t.add("frame_jacobian_rate", {}, {t.wide("J_dot", 6)},
                   [](auto& ws, const auto& x) {
                       return frame_jacobian_rate(ws, x.frame, x.reference, x.matrix(0));
                   }),
             Kinematics::kVelocity);
}

void add_centre_of_mass(InPlaceTable& t) {
    const auto of_subtree = [](InPlaceFunction& row, Kinematics level) {
        row.reads = level;
        row.takes_root = row.needs_mass = true;
    };
    of_subtree(
        t.add_by_value("center_of_mass", {}, 3,
                       [](auto& ws, const auto& x) { return flat(center_of_mass(ws, x.root)); }),
        Kinematics::kPosition);
    of_subtree(
        t.add_by_value("com_velocity", {}, 3,
                       [](auto& ws, const auto& x) { return flat(com_velocity(ws, x.root)); }),
        Kinematics::kVelocity);
    of_subtree(
        t.add_by_value("com_acceleration", {}, 3,
                       [](auto& ws, const auto& x) { return flat(com_acceleration(ws, x.root)); }),
        Kinematics::kAcceleration);
    of_subtree(t.add("com_jacobian", {}, {t.wide("J", 3)},
                     [](auto& ws, const auto& x) { return com_jacobian(ws, x.root, x.matrix(0)); }),
               Kinematics::kPosition);
    of_subtree(
        t.add("com_jacobian_rate", {}, {t.wide("J_dot", 3)},
              [](auto& ws, const auto& x) { return com_jacobian_rate(ws, x.root, x.matrix(0)); }),
        Kinematics::kVelocity);
    const auto of_robot = [](InPlaceFunction& row, Kinematics level) {
        row.reads = level;
        row.needs_mass = true;
    };
    of_robot(t.add_by_value("centroidal_momentum", {}, 6,
                            [](auto& ws, const auto&) { return flat(centroidal_momentum(ws)); }),
             Kinematics::kVelocity);
    of_robot(
        t.add_by_value("centroidal_momentum_rate", {}, 6,
                       [](auto& ws, const auto&) { return flat(centroidal_momentum_rate(ws)); }),
        Kinematics::kAcceleration);
    of_robot(
        t.add("centroidal_momentum_matrix", {}, {t.wide("A", 6)},
              [](auto& ws, const auto& x) { return centroidal_momentum_matrix(ws, x.matrix(0)); }),
        Kinematics::kPosition);
    of_robot(t.add("centroidal_momentum_matrix_rate", {}, {t.wide("A_dot", 6)},
                   [](auto& ws, const auto& x) {
                       return centroidal_momentum_matrix_rate(ws, x.matrix(0));
                   }),
             Kinematics::kVelocity);
}

void add_energy_and_configurations(InPlaceTable& t) {
    t.add_by_value("kinetic_energy", {t.q(), t.v("v")}, 1, [](auto& ws, const auto& x) {
        return flat(kinetic_energy(ws, x.in(0), x.in(1)));
    });
    t.add_by_value("potential_energy", {}, 1, [](auto& ws, const auto&) {
         return flat(potential_energy(ws));
     }).reads = Kinematics::kPosition;
    t.add_by_value("mechanical_power", {t.q(), t.v("v"), t.v("tau")}, 1,
                   [](auto& ws, const auto& x) {
                       return flat(mechanical_power(ws, x.in(0), x.in(1), x.in(2), x.external));
                   })
        .takes_forces = true;
    t.add("integrate", {t.q(), t.v("dv")}, {{"q_out", t.nq(), 1, false, false}},
          [](auto& ws, const auto& x) { return integrate(ws, x.in(0), x.in(1), x.out(0)); });
    t.add("difference", {t.q("q0"), t.q("q1")}, {t.v("dv")},
          [](auto& ws, const auto& x) { return difference(ws, x.in(0), x.in(1), x.out(0)); });
    t.add("normalize_configuration", {}, {{"q", t.nq(), 1, true, true}},
          [](auto& ws, const auto& x) { return normalize_configuration(ws, x.out(0)); });
}

}  // namespace

std::vector<InPlaceFunction> in_place_functions(const Model& model) {
    InPlaceTable t(model);
    add_inverse_dynamics(t, model);
    add_forward_dynamics(t);
    add_matrices(t);
    add_kinematics(t);
    add_centre_of_mass(t);
    add_energy_and_configurations(t);
    return t.take();
}

Arranged arrange(const Model& model, const InPlaceFunction& function, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto random = [&](long n) {
        return VectorX<double>(
            VectorX<double>::NullaryExpr(n, [&](auto) { return number(generator); }));
    };
    Arranged out;
    for (const Argument& input : function.inputs) {
        out.inputs.push_back(input.is_configuration ? random_configuration(model, generator)
                                                    : random(input.rows));
    }
    for (const Argument& output : function.outputs) {
        out.outputs.push_back(output.is_configuration ? random_configuration(model, generator)
                                                      : random(output.rows * output.columns));
    }
    for (auto& x : out.inputs) out.call.inputs.push_back(x.data());
    for (auto& x : out.outputs) out.call.outputs.push_back(x.data());
    out.call.input_shapes = function.inputs;
    out.call.output_shapes = function.outputs;
    out.call.frame = model.body_frame(model.num_bodies());
    out.call.root = model.num_bodies();
    out.call.given.assign(static_cast<std::size_t>(model.num_bodies()) + 1, Given::kTorque);
    for (int i = 1; i <= model.num_bodies(); i += 2) {
        if (!model.body(i).mimic)
            out.call.given[static_cast<std::size_t>(i)] = Given::kAcceleration;
    }
    return out;
}

}  // namespace plucker::test
