#include "plucker/io/evaluate.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "derivatives.hpp"
#include "plucker/plucker.hpp"
#include "state_json.hpp"

namespace plucker {
namespace {

using io::JsonState;
using nlohmann::json;

// Puts vectors and matrices into the order of the file.
class Ordered {
public:
    explicit Ordered(const Model& model) : order_(model.declared_velocity_order()) {}

    static json entries(const VectorX<double>& x) {
        return std::vector<double>(x.data(), x.data() + x.size());
    }
    template <class Derived>
    static json matrix(const Eigen::MatrixBase<Derived>& m) {
        json rows = json::array();
        for (long r = 0; r < m.rows(); ++r) rows.push_back(entries(m.row(r).transpose()));
        return rows;
    }
    json vector(const VectorX<double>& x) const { return entries(x(order_)); }
    json square(const MatrixX<double>& m) const { return matrix(m(order_, order_)); }
    json columns(const MatrixX<double>& m) const { return matrix(m(Eigen::all, order_)); }

private:
    const std::vector<int>& order_;
};

enum Needs : unsigned { kQ = 1, kV = 2, kA = 4, kTau = 8 };

struct Context {
    const Model& model;
    const JsonState& s;
    const Ordered& ordered;
    const std::vector<FrameId>& frames;
};

struct Quantity {
    const char* name;
    unsigned needs;
    json (*compute)(const Context&);
};

json frame_answers(const Context& c) {
    Workspace<double> ws(c.model);
    const bool moving = c.s.has(kV);
    if (!moving) {
        forward_kinematics(ws, c.s.q);
    } else if (c.s.has(kA)) {
        forward_kinematics(ws, c.s.q, c.s.v, c.s.a);
    } else {
        forward_kinematics(ws, c.s.q, c.s.v);
    }
    const std::pair<const char*, ReferenceFrame> references[] = {
        {"body", ReferenceFrame::kBody},
        {"world", ReferenceFrame::kWorld},
        {"world_aligned", ReferenceFrame::kWorldAligned}};
    json out = json::object();
    MatrixX<double> J(6, c.model.nv());
    for (const FrameId id : c.frames) {
        json frame;
        const Pose<double> pose = frame_pose(ws, id);
        frame["rotation"] = Ordered::matrix(to_eigen(pose.rotation));
        frame["position"] = Ordered::entries(to_eigen(pose.position));
        for (const auto& [suffix, reference] : references) {
            const std::string in = std::string("_") + suffix;
            frame_jacobian(ws, id, reference, J);
            frame["jacobian" + in] = c.ordered.columns(J);
            if (!moving) continue;
            frame_jacobian_rate(ws, id, reference, J);
            frame["jacobian_dot" + in] = c.ordered.columns(J);
            frame["velocity" + in] = Ordered::entries(to_eigen(frame_velocity(ws, id, reference)));
            if (!c.s.has(kA)) continue;
            frame["acceleration" + in] =
                Ordered::entries(to_eigen(frame_acceleration(ws, id, reference)));
            frame["classical_acceleration" + in] =
                Ordered::entries(to_eigen(frame_classical_acceleration(ws, id, reference)));
        }
        out[c.model.frame(id).name] = std::move(frame);
    }
    return out;
}

json reaction_answers(const Context& c) {
    const auto forces = reaction_forces(c.model, c.s.q, c.s.v, c.s.a, c.s.forces());
    json out = json::object();
    for (int i = 1; i <= c.model.num_bodies(); ++i) {
        out[c.model.joint(i).name] =
            Ordered::entries(to_eigen(forces[static_cast<std::size_t>(i)]));
    }
    return out;
}

json christoffel_answers(const Context& c) {
    const long n = c.model.nv();
    const MatrixX<double> symbols = christoffel_symbols(c.model, c.s.q);
    json out = json::array();  // out[k][i][j] = Γ_ijk
    for (const int k : c.model.declared_velocity_order()) {
        out.push_back(c.ordered.square(symbols.middleCols(k * n, n)));
    }
    return out;
}

VectorX<double> zeros(const Context& c) { return VectorX<double>::Zero(c.model.nv()); }

const std::vector<Quantity>& quantities() {
    static const std::vector<Quantity> kAll{
        {"total_mass", 0, [](const Context& c) { return json(c.model.total_mass()); }},
        {"inverse_dynamics", kQ | kV | kA,
         [](const Context& c) {
             return c.ordered.vector(inverse_dynamics(c.model, c.s.q, c.s.v, c.s.a, c.s.forces()));
         }},
        {"forward_dynamics", kQ | kV | kTau,
         [](const Context& c) {
             return c.ordered.vector(
                 forward_dynamics(c.model, c.s.q, c.s.v, c.s.tau, c.s.forces()));
         }},
        {"gravity_torque", kQ,
         [](const Context& c) { return c.ordered.vector(gravity_torque(c.model, c.s.q)); }},
        {"bias_torque", kQ | kV,
         [](const Context& c) { return c.ordered.vector(bias_torque(c.model, c.s.q, c.s.v)); }},
        {"friction_torque", kV,
         [](const Context& c) { return c.ordered.vector(friction_torque(c.model, c.s.v)); }},
        {"mass_matrix", kQ,
         [](const Context& c) { return c.ordered.square(mass_matrix(c.model, c.s.q)); }},
        {"inverse_mass_matrix", kQ,
         [](const Context& c) { return c.ordered.square(inverse_mass_matrix(c.model, c.s.q)); }},
        {"coriolis_mne", kQ | kV,
         [](const Context& c) {
             return c.ordered.square(modified_newton_euler(c.model, c.s.q, c.s.v).C);
         }},
        {"coriolis_christoffel", kQ | kV,
         [](const Context& c) { return c.ordered.square(coriolis_matrix(c.model, c.s.q, c.s.v)); }},
        {"christoffel_symbols", kQ, christoffel_answers},
        {"coriolis_times_v", kQ | kV,
         [](const Context& c) {
             return c.ordered.vector(coriolis_matrix(c.model, c.s.q, c.s.v) * c.s.v);
         }},
        {"coriolis_transpose_times_v", kQ | kV,
         [](const Context& c) {
             return c.ordered.vector(coriolis_transpose_times_velocity(c.model, c.s.q, c.s.v));
         }},
        {"kinetic_energy", kQ | kV,
         [](const Context& c) { return json(kinetic_energy(c.model, c.s.q, c.s.v)); }},
        {"potential_energy", kQ,
         [](const Context& c) { return json(potential_energy(c.model, c.s.q)); }},
        {"com", kQ,
         [](const Context& c) { return Ordered::entries(center_of_mass(c.model, c.s.q)); }},
        {"com_velocity", kQ | kV,
         [](const Context& c) { return Ordered::entries(com_velocity(c.model, c.s.q, c.s.v)); }},
        {"com_acceleration", kQ | kV | kA,
         [](const Context& c) {
             return Ordered::entries(com_acceleration(c.model, c.s.q, c.s.v, c.s.a));
         }},
        {"com_bias_acceleration", kQ | kV,
         [](const Context& c) {
             return Ordered::entries(com_acceleration(c.model, c.s.q, c.s.v, zeros(c)));
         }},
        {"com_jacobian", kQ,
         [](const Context& c) { return c.ordered.columns(com_jacobian(c.model, c.s.q)); }},
        {"com_jacobian_dot", kQ | kV,
         [](const Context& c) {
             return c.ordered.columns(com_jacobian_rate(c.model, c.s.q, c.s.v));
         }},
        {"centroidal_momentum", kQ | kV,
         [](const Context& c) {
             return Ordered::entries(to_eigen(centroidal_momentum(c.model, c.s.q, c.s.v)));
         }},
        {"centroidal_momentum_dot", kQ | kV | kA,
         [](const Context& c) {
             return Ordered::entries(
                 to_eigen(centroidal_momentum_rate(c.model, c.s.q, c.s.v, c.s.a)));
         }},
        {"centroidal_momentum_matrix", kQ,
         [](const Context& c) {
             return c.ordered.columns(centroidal_momentum_matrix(c.model, c.s.q));
         }},
        {"centroidal_momentum_matrix_dot", kQ | kV,
         [](const Context& c) {
             return c.ordered.columns(centroidal_momentum_matrix_rate(c.model, c.s.q, c.s.v));
         }},
        {"reaction_forces", kQ | kV | kA, reaction_answers},
        {"frames", kQ, frame_answers},
        {"inverse_dynamics_dq", kQ | kV | kA,
         [](const Context& c) {
             return c.ordered.square(
                 io::inverse_dynamics_derivatives(c.model, c.s.q, c.s.v, c.s.a).dq);
         }},
        {"inverse_dynamics_dv", kQ | kV | kA,
         [](const Context& c) {
             return c.ordered.square(
                 io::inverse_dynamics_derivatives(c.model, c.s.q, c.s.v, c.s.a).dv);
         }},
        {"forward_dynamics_dq", kQ | kV | kTau,
         [](const Context& c) {
             return c.ordered.square(
                 io::forward_dynamics_derivatives(c.model, c.s.q, c.s.v, c.s.tau).dq);
         }},
        {"forward_dynamics_dv", kQ | kV | kTau,
         [](const Context& c) {
             return c.ordered.square(
                 io::forward_dynamics_derivatives(c.model, c.s.q, c.s.v, c.s.tau).dv);
         }},
    };
    return kAll;
}

std::vector<const Quantity*> chosen(const EvaluateOptions& options) {
    std::vector<const Quantity*> out;
    for (const std::string& name : options.quantities) {
        if (name == "all") {
            for (const Quantity& q : quantities()) out.push_back(&q);
            continue;
        }
        const auto found = std::find_if(quantities().begin(), quantities().end(),
                                        [&](const Quantity& q) { return q.name == name; });
        if (found == quantities().end()) throw unknown_name("quantity", name, quantity_names());
        out.push_back(&*found);
    }
    return out;
}

// JSON has no word for a number that is not finite.
void require_finite(const json& value, const char* quantity) {
    if (value.is_structured()) {
        for (const auto& item : value) require_finite(item, quantity);
    } else if (value.is_number_float() && !std::isfinite(value.get<double>())) {
        throw Error::because(quantity, " is not finite at this state; are its numbers too large?");
    }
}

json evaluate_state(const Model& model, const json& state, const std::string& where,
                    const EvaluateOptions& options, const std::vector<FrameId>& frames) {
    const JsonState s = io::parse_state(model, state, where, quantity_names());
    const Ordered ordered(model);
    const Context context{model, s, ordered, frames};
    const bool all = std::find(options.quantities.begin(), options.quantities.end(), "all") !=
                     options.quantities.end();
    json out = json::object();
    for (const Quantity* quantity : chosen(options)) {
        if (!s.has(quantity->needs)) {
            const bool named = std::find(options.quantities.begin(), options.quantities.end(),
                                         quantity->name) != options.quantities.end();
            if (all && !named) continue;
            throw Error::because(where, ": ", quantity->name, " needs ", s.missing(quantity->needs),
                                 ", which the state does not give");
        }
        try {
            out[quantity->name] = quantity->compute(context);
        } catch (const Error& error) {
            throw Error::because(where, ": ", error.what());
        }
        require_finite(out[quantity->name], quantity->name);
    }
    return out;
}

}  // namespace

std::vector<std::string> quantity_names() {
    std::vector<std::string> out;
    for (const Quantity& q : quantities()) out.emplace_back(q.name);
    return out;
}

std::string evaluate_json(const Model& model, const std::string& states, const std::string& source,
                          const EvaluateOptions& options) {
    std::vector<FrameId> frames;
    for (const std::string& name : options.frames) frames.push_back(model.frame_id(name));
    if (options.frames.empty()) {
        for (std::size_t k = 0; k < model.frames().size(); ++k)
            frames.push_back(model.frame_id(static_cast<int>(k)));
    }
    (void)chosen(options);  // wrong names are an error even if there is no state
    json order = json::array();
    for (const int k : model.declared_velocity_order()) {
        order.push_back(model.velocity_names()[static_cast<std::size_t>(k)]);
    }
    std::string out;
    for (const io::JsonDocument& document : io::parse_documents(states, source)) {
        const json& value = document.value;
        const json* list = value.is_array() ? &value : nullptr;
        if (value.is_object() && value.contains("samples")) list = &value.at("samples");
        json answer = json::object();
        answer["model"] = model.name();
        answer["velocity_order"] = order;
        if (list == nullptr) {
            answer.update(evaluate_state(model, value, document.where, options, frames));
        } else {
            if (!list->is_array())
                throw Error::because(document.where, ": \"samples\" must be an array of states");
            answer["samples"] = json::array();
            for (std::size_t k = 0; k < list->size(); ++k) {
                answer["samples"].push_back(evaluate_state(
                    model, (*list)[k], document.where + ": state " + std::to_string(k), options,
                    frames));
            }
        }
        out += answer.dump() + "\n";
    }
    return out;
}

}  // namespace plucker
