#include "batch/functions.hpp"

#include "plucker/plucker.hpp"

namespace plucker::test {
namespace {

using Errors = BatchFunction::Errors;
using Shape = BatchFunction::Shape;
using Results = std::vector<MatrixX<double>>;

MatrixX<double> six(const auto& m) { return to_eigen(m); }
MatrixX<double> three(const Vec3<double>& p) { return to_eigen(p); }
MatrixX<double> number(double x) { return MatrixX<double>::Constant(1, 1, x); }

// [R p]
MatrixX<double> pose_matrix(const Pose<double>& pose) {
    MatrixX<double> out(3, 4);
    out << to_eigen(pose.rotation), to_eigen(pose.position);
    return out;
}
// A row a body: the rows of its [R p].
MatrixX<double> all_poses(const Workspace<double>& ws) {
    MatrixX<double> out(ws.num_bodies(), 12);
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        // The body's own frame, whose axes are the joint's, from the frame of its link.
        const FrameId link = ws.model().body_frame(i);
        const Pose<double> pose =
            frame_pose(ws, link) * inverse(to_pose(ws.model().frame(link).X_frame_body));
        const MatrixX<double> m = pose_matrix(pose);
        for (int k = 0; k < 12; ++k) out(i - 1, k) = m(k / 4, k % 4);
    }
    return out;
}
// Each column from the Jacobian, in world coordinates, of a body that the coordinate moves.
MatrixX<double> all_axes(const Workspace<double>& ws, bool rates) {
    const Model& model = ws.model();
    MatrixX<double> out = MatrixX<double>::Zero(6, model.nv());
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        const auto jacobian = [&](int of) {
            MatrixX<double> J = MatrixX<double>::Zero(6, model.nv());
            if (of == 0) return J;
            if (rates) {
                frame_jacobian_rate(ws, model.body_frame(of), ReferenceFrame::kWorld, J);
            } else {
                frame_jacobian(ws, model.body_frame(of), ReferenceFrame::kWorld, J);
            }
            return J;
        };
        // What joint i adds on the way from the root: for mimic joints not the only contribution.
        const MatrixX<double> added = jacobian(i) - jacobian(body.parent);
        out.middleCols(body.v_index, body.nv) += added.middleCols(body.v_index, body.nv);
    }
    return out;
}

// Appends rows; the batch call is one generic lambda for both number types.
class Table {
public:
    explicit Table(const Model& model) : model_(model) {}

    template <class Batch, class Single>
    BatchFunction& add(std::string name, std::string inputs, std::vector<Shape> outputs,
                       Batch batch, Single single) {
        BatchFunction& row = rows_.emplace_back();
        row.name = std::move(name);
        row.inputs = std::move(inputs);
        row.outputs = std::move(outputs);
        row.call_double = batch;
        row.call_float = batch;
        row.single = single;
        return row;
    }
    // The same function with forces from outside, and without.
    template <class Batch, class Single>
    void add_with_forces(const std::string& name, const std::string& inputs,
                         const std::vector<Shape>& outputs, Errors errors, bool reads_outputs,
                         Batch batch, Single single) {
        for (const bool forces : {false, true}) {
            BatchFunction& row =
                add(name + (forces ? " with forces" : ""), inputs, outputs, batch, single);
            row.errors = errors;
            row.forces = forces;
            row.reads_outputs = reads_outputs;
        }
    }

    const Model& model() const { return model_; }
    std::vector<BatchFunction> take() { return std::move(rows_); }

private:
    Model model_;
    std::vector<BatchFunction> rows_;
};

void add_dynamics(Table& table) {
    const int nv = table.model().nv();
    const Shape vector{nv, 1};
    table.add_with_forces(
        "inverse_dynamics", "qva", {vector}, Errors::kOfSums, false,
        [](auto& e, const auto& x) {
            return e.inverse_dynamics(x.q, x.v, x.a, x.external, x.vector(0), x.status);
        },
        [nv](auto& ws, const auto& x) {
            VectorX<double> tau(nv);
            inverse_dynamics(ws, x.q, x.v, x.a, x.external, tau);
            return Results{tau};
        });
    table.add(
        "bias_torque", "qv", {vector},
        [](auto& e, const auto& x) { return e.bias_torque(x.q, x.v, x.vector(0), x.status); },
        [nv](auto& ws, const auto& x) {
            VectorX<double> tau(nv);
            bias_torque(ws, x.q, x.v, tau);
            return Results{tau};
        });
    table.add(
        "gravity_torque", "q", {vector},
        [](auto& e, const auto& x) { return e.gravity_torque(x.q, x.vector(0), x.status); },
        [nv](auto& ws, const auto& x) {
            VectorX<double> tau(nv);
            gravity_torque(ws, x.q, tau);
            return Results{tau};
        });
    table.add_with_forces(
        "forward_dynamics", "qvt", {vector}, Errors::kOfSolving, false,
        [](auto& e, const auto& x) {
            return e.forward_dynamics(x.q, x.v, x.tau, x.external, x.vector(0), x.status);
        },
        [nv](auto& ws, const auto& x) {
            VectorX<double> a(nv);
            forward_dynamics(ws, x.q, x.v, x.tau, x.external, a);
            return Results{a};
        });
    table.add_with_forces(
        "forward_dynamics_by_mass_matrix", "qvt", {vector}, Errors::kOfSolving, false,
        [](auto& e, const auto& x) {
            return e.forward_dynamics_by_mass_matrix(x.q, x.v, x.tau, x.external, x.vector(0),
                                                     x.status);
        },
        [nv](auto& ws, const auto& x) {
            MatrixX<double> M(nv, nv);
            VectorX<double> a(nv);
            forward_dynamics_by_mass_matrix(ws, x.q, x.v, x.tau, x.external, M, a);
            return Results{a};
        });
    table.add_with_forces(
        "hybrid_dynamics", "qv", {vector, vector}, Errors::kOfSolving, true,
        [](auto& e, const auto& x) {
            return e.hybrid_dynamics(x.q, x.v, x.given, x.external, x.vector(0), x.vector(1),
                                     x.status);
        },
        [](auto& ws, const auto& x) {
            VectorX<double> a = x.a, tau = x.tau;
            hybrid_dynamics(ws, x.q, x.v, x.given, x.external, a, tau);
            return Results{a, tau};
        });
    if (table.model().has_floating_base()) {
        table.add_with_forces(
            "floating_base_inverse_dynamics", "qv", {vector, vector}, Errors::kOfSolving, true,
            [](auto& e, const auto& x) {
                return e.floating_base_inverse_dynamics(x.q, x.v, x.external, x.vector(0),
                                                        x.vector(1), x.status);
            },
            [](auto& ws, const auto& x) {
                VectorX<double> a = x.a, tau = x.tau;
                floating_base_inverse_dynamics(ws, x.q, x.v, x.external, a, tau);
                return Results{a, tau};
            });
    }
    table.add_with_forces(
        "reaction_forces", "qva", {{table.model().num_bodies() + 1, 6}}, Errors::kOfSums, false,
        [](auto& e, const auto& x) {
            return e.reaction_forces(x.q, x.v, x.a, x.external, x.matrix(0), x.status);
        },
        [](auto& ws, const auto& x) {
            const auto n = static_cast<std::size_t>(ws.num_bodies()) + 1;
            std::vector<Force<double>> forces(n);
            reaction_forces(ws, x.q, x.v, x.a, x.external, forces);
            MatrixX<double> out(n, 6);
            for (std::size_t i = 0; i < n; ++i)
                out.row(static_cast<long>(i)) = six(forces[i]).transpose();
            return Results{out};
        });
}

void add_matrices(Table& table) {
    const int nv = table.model().nv();
    const Shape vector{nv, 1}, square{nv, nv};
    table.add(
        "mass_matrix", "q", {square},
        [](auto& e, const auto& x) { return e.mass_matrix(x.q, x.matrix(0), x.status); },
        [nv](auto& ws, const auto& x) {
            MatrixX<double> M(nv, nv);
            mass_matrix(ws, x.q, M);
            return Results{M};
        });
    table.add(
        "mass_matrix_by_inverse_dynamics", "qv", {vector, square},
        [](auto& e, const auto& x) {
            return e.mass_matrix_by_inverse_dynamics(x.q, x.v, x.vector(0), x.matrix(1), x.status);
        },
        [nv](auto& ws, const auto& x) {
            VectorX<double> bias(nv);
            MatrixX<double> M(nv, nv);
            mass_matrix_by_inverse_dynamics(ws, x.q, x.v, bias, M);
            return Results{bias, M};
        });
    table
        .add(
            "inverse_mass_matrix", "q", {square},
            [](auto& e, const auto& x) {
                return e.inverse_mass_matrix(x.q, x.matrix(0), x.status);
            },
            [nv](auto& ws, const auto& x) {
                MatrixX<double> Minv(nv, nv);
                inverse_mass_matrix(ws, x.q, Minv);
                return Results{Minv};
            })
        .errors = Errors::kOfInverse;
    table
        .add(
            "inverse_mass_matrix_by_articulated_bodies", "q", {square},
            [](auto& e, const auto& x) {
                return e.inverse_mass_matrix_by_articulated_bodies(x.q, x.matrix(0), x.status);
            },
            [nv](auto& ws, const auto& x) {
                MatrixX<double> Minv(nv, nv);
                inverse_mass_matrix_by_articulated_bodies(ws, x.q, Minv);
                return Results{Minv};
            })
        .errors = Errors::kOfInverse;
    table
        .add(
            "inverse_mass_matrix_times", "qt", {vector},
            [](auto& e, const auto& x) {
                return e.inverse_mass_matrix_times(x.q, x.tau, x.vector(0), x.status);
            },
            [](auto& ws, const auto& x) {
                MatrixX<double> b = x.tau;
                inverse_mass_matrix_times(ws, x.q, b);
                return Results{b};
            })
        .errors = Errors::kOfSolving;
    table.add(
        "coriolis_matrix", "qv", {square},
        [](auto& e, const auto& x) { return e.coriolis_matrix(x.q, x.v, x.matrix(0), x.status); },
        [nv](auto& ws, const auto& x) {
            MatrixX<double> C(nv, nv);
            coriolis_matrix(ws, x.q, x.v, C);
            return Results{C};
        });
    table.add(
        "coriolis_transpose_times_velocity", "qv", {vector},
        [](auto& e, const auto& x) {
            return e.coriolis_transpose_times_velocity(x.q, x.v, x.vector(0), x.status);
        },
        [nv](auto& ws, const auto& x) {
            VectorX<double> w(nv);
            coriolis_transpose_times_velocity(ws, x.q, x.v, w);
            return Results{w};
        });
    table.add(
        "modified_newton_euler", "qv", {square, vector},
        [](auto& e, const auto& x) {
            return e.modified_newton_euler(x.q, x.v, x.matrix(0), x.vector(1), x.status);
        },
        [nv](auto& ws, const auto& x) {
            MatrixX<double> C(nv, nv);
            VectorX<double> G(nv);
            modified_newton_euler(ws, x.q, x.v, C, G);
            return Results{C, G};
        });
    table.add(
        "christoffel_symbols", "q", {{nv, nv * nv}},
        [](auto& e, const auto& x) { return e.christoffel_symbols(x.q, x.matrix(0), x.status); },
        [nv](auto& ws, const auto& x) {
            MatrixX<double> symbols(nv, nv * nv);
            christoffel_symbols(ws, x.q, symbols);
            return Results{symbols};
        });
}

void add_all_jacobians(Table& table) {
    const Shape poses{table.model().num_bodies(), 12}, axes{6, table.model().nv()};
    table.add(
        "jacobians", "q", {poses, axes},
        [](auto& e, const auto& x) { return e.jacobians(x.q, x.matrix(0), x.matrix(1), x.status); },
        [](auto& ws, const auto& x) {
            forward_kinematics(ws, x.q);
            return Results{all_poses(ws), all_axes(ws, false)};
        });
    table.add(
        "jacobian_rates", "qv", {poses, axes, axes},
        [](auto& e, const auto& x) {
            return e.jacobian_rates(x.q, x.v, x.matrix(0), x.matrix(1), x.matrix(2), x.status);
        },
        [](auto& ws, const auto& x) {
            forward_kinematics(ws, x.q, x.v);
            return Results{all_poses(ws), all_axes(ws, false), all_axes(ws, true)};
        });
}

void add_frames(Table& table) {
    const int nv = table.model().nv();
    const Shape motion{6, 1}, jacobian{6, nv};
    const auto f = table.model().frame_id(static_cast<int>(table.model().frames().size()) - 1);
    table.add(
        "frame_pose", "q", {{3, 4}},
        [f](auto& e, const auto& x) { return e.frame_pose(x.q, f, x.matrix(0), x.status); },
        [f](auto& ws, const auto& x) {
            forward_kinematics(ws, x.q);
            return Results{pose_matrix(frame_pose(ws, f))};
        });
    const std::pair<const char*, ReferenceFrame> references[] = {
        {" in the body", ReferenceFrame::kBody},
        {" in the world", ReferenceFrame::kWorld},
        {" along the world", ReferenceFrame::kWorldAligned}};
    for (const auto& [where, reference] : references) {
        const ReferenceFrame r = reference;
        const auto name = [w = where](const char* function) { return function + std::string(w); };
        table.add(
            name("frame_velocity"), "qv", {motion},
            [f, r](auto& e, const auto& x) {
                return e.frame_velocity(x.q, x.v, f, r, x.vector(0), x.status);
            },
            [f, r](auto& ws, const auto& x) {
                forward_kinematics(ws, x.q, x.v);
                return Results{six(frame_velocity(ws, f, r))};
            });
        table.add(
            name("frame_acceleration"), "qva", {motion},
            [f, r](auto& e, const auto& x) {
                return e.frame_acceleration(x.q, x.v, x.a, f, r, x.vector(0), x.status);
            },
            [f, r](auto& ws, const auto& x) {
                forward_kinematics(ws, x.q, x.v, x.a);
                return Results{six(frame_acceleration(ws, f, r))};
            });
        table.add(
            name("frame_classical_acceleration"), "qva", {motion},
            [f, r](auto& e, const auto& x) {
                return e.frame_classical_acceleration(x.q, x.v, x.a, f, r, x.vector(0), x.status);
            },
            [f, r](auto& ws, const auto& x) {
                forward_kinematics(ws, x.q, x.v, x.a);
                return Results{six(frame_classical_acceleration(ws, f, r))};
            });
        table.add(
            name("frame_jacobian"), "q", {jacobian},
            [f, r](auto& e, const auto& x) {
                return e.frame_jacobian(x.q, f, r, x.matrix(0), x.status);
            },
            [f, r, nv](auto& ws, const auto& x) {
                MatrixX<double> J(6, nv);
                forward_kinematics(ws, x.q);
                frame_jacobian(ws, f, r, J);
                return Results{J};
            });
        table.add(
            name("frame_jacobian_rate"), "qv", {jacobian},
            [f, r](auto& e, const auto& x) {
                return e.frame_jacobian_rate(x.q, x.v, f, r, x.matrix(0), x.status);
            },
            [f, r, nv](auto& ws, const auto& x) {
                MatrixX<double> J_dot(6, nv);
                forward_kinematics(ws, x.q, x.v);
                frame_jacobian_rate(ws, f, r, J_dot);
                return Results{J_dot};
            });
    }
}

void add_center_of_mass(Table& table) {
    const int nv = table.model().nv();
    const Shape point{3, 1}, jacobian{3, nv};
    for (const int root : {0, 2}) {
        const auto name = [root](const char* function) {
            return function + std::string(root == 0 ? "" : " of a subtree");
        };
        table.add(
            name("center_of_mass"), "q", {point},
            [root](auto& e, const auto& x) {
                return e.center_of_mass(x.q, root, x.vector(0), x.status);
            },
            [root](auto& ws, const auto& x) {
                forward_kinematics(ws, x.q);
                return Results{three(center_of_mass(ws, root))};
            });
        table.add(
            name("com_velocity"), "qv", {point},
            [root](auto& e, const auto& x) {
                return e.com_velocity(x.q, x.v, root, x.vector(0), x.status);
            },
            [root](auto& ws, const auto& x) {
                forward_kinematics(ws, x.q, x.v);
                return Results{three(com_velocity(ws, root))};
            });
        table.add(
            name("com_acceleration"), "qva", {point},
            [root](auto& e, const auto& x) {
                return e.com_acceleration(x.q, x.v, x.a, root, x.vector(0), x.status);
            },
            [root](auto& ws, const auto& x) {
                forward_kinematics(ws, x.q, x.v, x.a);
                return Results{three(com_acceleration(ws, root))};
            });
        table.add(
            name("com_jacobian"), "q", {jacobian},
            [root](auto& e, const auto& x) {
                return e.com_jacobian(x.q, root, x.matrix(0), x.status);
            },
            [root, nv](auto& ws, const auto& x) {
                MatrixX<double> J(3, nv);
                forward_kinematics(ws, x.q);
                com_jacobian(ws, root, J);
                return Results{J};
            });
        table.add(
            name("com_jacobian_rate"), "qv", {jacobian},
            [root](auto& e, const auto& x) {
                return e.com_jacobian_rate(x.q, x.v, root, x.matrix(0), x.status);
            },
            [root, nv](auto& ws, const auto& x) {
                MatrixX<double> J_dot(3, nv);
                forward_kinematics(ws, x.q, x.v);
                com_jacobian_rate(ws, root, J_dot);
                return Results{J_dot};
            });
    }
}

void add_momentum_and_energy(Table& table) {
    const int nv = table.model().nv();
    const Shape force{6, 1}, matrix{6, nv}, scalar{1, 1};
    table.add(
        "centroidal_momentum", "qv", {force},
        [](auto& e, const auto& x) {
            return e.centroidal_momentum(x.q, x.v, x.vector(0), x.status);
        },
        [](auto& ws, const auto& x) {
            forward_kinematics(ws, x.q, x.v);
            return Results{six(centroidal_momentum(ws))};
        });
    table.add(
        "centroidal_momentum_rate", "qva", {force},
        [](auto& e, const auto& x) {
            return e.centroidal_momentum_rate(x.q, x.v, x.a, x.vector(0), x.status);
        },
        [](auto& ws, const auto& x) {
            forward_kinematics(ws, x.q, x.v, x.a);
            return Results{six(centroidal_momentum_rate(ws))};
        });
    table.add(
        "centroidal_momentum_matrix", "q", {matrix},
        [](auto& e, const auto& x) {
            return e.centroidal_momentum_matrix(x.q, x.matrix(0), x.status);
        },
        [nv](auto& ws, const auto& x) {
            MatrixX<double> A(6, nv);
            forward_kinematics(ws, x.q);
            centroidal_momentum_matrix(ws, A);
            return Results{A};
        });
    table.add(
        "centroidal_momentum_matrix_rate", "qv", {matrix},
        [](auto& e, const auto& x) {
            return e.centroidal_momentum_matrix_rate(x.q, x.v, x.matrix(0), x.status);
        },
        [nv](auto& ws, const auto& x) {
            MatrixX<double> A_dot(6, nv);
            forward_kinematics(ws, x.q, x.v);
            centroidal_momentum_matrix_rate(ws, A_dot);
            return Results{A_dot};
        });
    table.add(
        "kinetic_energy", "qv", {scalar},
        [](auto& e, const auto& x) { return e.kinetic_energy(x.q, x.v, x.vector(0), x.status); },
        [](auto& ws, const auto& x) { return Results{number(kinetic_energy(ws, x.q, x.v))}; });
    table.add(
        "potential_energy", "q", {scalar},
        [](auto& e, const auto& x) { return e.potential_energy(x.q, x.vector(0), x.status); },
        [](auto& ws, const auto& x) {
            forward_kinematics(ws, x.q);
            return Results{number(potential_energy(ws))};
        });
    table.add_with_forces(
        "mechanical_power", "qvt", {scalar}, Errors::kOfSums, false,
        [](auto& e, const auto& x) {
            return e.mechanical_power(x.q, x.v, x.tau, x.external, x.vector(0), x.status);
        },
        [](auto& ws, const auto& x) {
            forward_kinematics(ws, x.q, x.v);
            return Results{number(mechanical_power(ws, x.q, x.v, x.tau, x.external))};
        });
}

void add_configurations(Table& table) {
    const int nq = table.model().nq(), nv = table.model().nv();
    table.add(
        "integrate", "qv", {{nq, 1}},
        [](auto& e, const auto& x) { return e.integrate(x.q, x.v, x.vector(0), x.status); },
        [nq](auto& ws, const auto& x) {
            VectorX<double> out(nq);
            integrate(ws, x.q, x.v, out);
            return Results{out};
        });
    table.add(
        "difference", "qo", {{nv, 1}},
        [](auto& e, const auto& x) { return e.difference(x.q, x.other_q, x.vector(0), x.status); },
        [nv](auto& ws, const auto& x) {
            VectorX<double> dv(nv);
            difference(ws, x.q, x.other_q, dv);
            return Results{dv};
        });
    table.add(
        "normalize_configuration", "q", {{nq, 1}},
        [](auto& e, const auto& x) {
            return e.normalize_configuration(x.q, x.vector(0), x.status);
        },
        [](auto& ws, const auto& x) {
            VectorX<double> out = x.q;
            normalize_configuration(ws, out);
            return Results{out};
        });
}

}  // namespace

std::vector<BatchFunction> batch_functions(const Model& model) {
    Table table(model);
    add_dynamics(table);
    add_matrices(table);
    add_all_jacobians(table);
    add_frames(table);
    add_center_of_mass(table);
    add_momentum_and_energy(table);
    add_configurations(table);
    return table.take();
}

std::vector<Given> every_other_joint(const Model& model) {
    std::vector<Given> given(static_cast<std::size_t>(model.num_bodies()) + 1, Given::kTorque);
    for (int i = 1; i <= model.num_bodies(); i += 2) {
        if (!model.body(i).mimic) given[static_cast<std::size_t>(i)] = Given::kAcceleration;
    }
    return given;
}

}  // namespace plucker::test
