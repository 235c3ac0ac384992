// Plucker, called as its users call it: the in-place forms, with one workspace, on a robot that was compiled.
#include "plucker_peer.hpp"

#include "coordinates.hpp"
#include "plucker/compiler/compile.hpp"
#include "plucker/plucker.hpp"

namespace plucker::peers {
namespace {

class PluckerPeer : public Peer {
public:
    PluckerPeer(const Model& model, const std::vector<State>& states)
        : ws_(compile(model)),
          ws_of_tensors_(compile(model, {.functions = {"inverse_dynamics_second_derivatives"}})),
          x_(model.nv()),
          M_(model.nv(), model.nv()),
          by_v_(model.nv(), model.nv()),
          by_a_(model.nv(), model.nv()),
          poses_(model.num_bodies(), 12),
          J_(6, model.nv()),
          A_(6, model.nv()),
          J_com_(3, model.nv()),
          Y_(model.nv(), num_dynamic_parameters(model)),
          qq_(model.nv(), model.nv() * model.nv()),
          qv_(qq_),
          vv_(qq_),
          qa_(qq_),
          pi_(dynamic_parameters(model)) {
        for (const State& s : states) {
            states_.push_back({vector(s.q), vector(s.v), vector(s.a), vector(s.tau)});
        }
    }

    std::string name() const override { return "plucker"; }
    std::string version() const override { return PLUCKER_VERSION; }

    std::vector<Function> functions() override {
        const auto x = [this](int) { return flat(x_); };
        const auto M = [this](int) { return flat(M_); };
        const auto A = [this](int) { return flat(A_); };
        return {
            {"inverse_dynamics", "inverse_dynamics",
             each([this](int k) { inverse_dynamics(ws_, at(k).q, at(k).v, at(k).a, x_); }), x},
            {"forward_dynamics", "forward_dynamics",
             each([this](int k) { forward_dynamics(ws_, at(k).q, at(k).v, at(k).tau, x_); }), x},
            {"mass_matrix", "mass_matrix", each([this](int k) { mass_matrix(ws_, at(k).q, M_); }),
             M},
            {"inverse_mass_matrix", "inverse_mass_matrix",
             each([this](int k) { inverse_mass_matrix(ws_, at(k).q, M_); }), M},
            {"coriolis_matrix", "coriolis_matrix",
             each([this](int k) { coriolis_matrix(ws_, at(k).q, at(k).v, M_); }), M},
            {"jacobians", "jacobians", each([this](int k) { jacobians(ws_, at(k).q, poses_, J_); }),
             [this](int) { return flat(J_); }},
            {"jacobians_dot", "jacobians_dot",
             each([this](int k) { jacobians_dot(ws_, at(k).q, at(k).v, poses_, J_, A_); }), A},
            {"com_jacobian", "com_jacobian",
             each([this](int k) { com_jacobian(ws_, at(k).q, J_com_); }),
             [this](int) { return flat(J_com_); }},
            {"centroidal_map", "centroidal_momentum_matrix",
             each([this](int k) { centroidal_momentum_matrix(ws_, at(k).q, A_); }), A},
            {"kinetic_energy", "kinetic_energy",
             each([this](int k) { x_[0] = kinetic_energy(ws_, at(k).q, at(k).v); }),
             [this](int) { return std::vector<double>{x_[0]}; }},
            {"inverse_dynamics_derivatives", "inverse_dynamics_derivatives", each([this](int k) {
                 inverse_dynamics_derivatives(ws_, at(k).q, at(k).v, at(k).a, M_, by_v_, by_a_);
             }),
             M},
            {"forward_dynamics_derivatives", "forward_dynamics_derivatives", each([this](int k) {
                 forward_dynamics_derivatives(ws_, at(k).q, at(k).v, at(k).tau, M_, by_v_, by_a_);
             }),
             M},
            {"second_order", "inverse_dynamics_second_derivatives", each([this](int k) {
                 inverse_dynamics_second_derivatives(ws_of_tensors_, at(k).q, at(k).v, at(k).a, qq_,
                                                     qv_, vv_, qa_);
             }),
             [this](int) {
                 const long n = vv_.rows();
                 MatrixXd sum = MatrixXd::Zero(n, n);
                 for (long k = 0; k < n; ++k) sum += vv_.middleCols(k * n, n);
                 return flat(sum);
             }},
            {"torque_regressor", "torque_regressor",
             each([this](int k) { torque_regressor(ws_, at(k).q, at(k).v, at(k).a, Y_); }),
             [this](int) { return flat(VectorXd(Y_ * pi_)); }},
        };
    }

private:
    struct Vectors {
        VectorXd q, v, a, tau;
    };
    const Vectors& at(int k) const { return states_[static_cast<std::size_t>(k)]; }

    Workspace<double> ws_, ws_of_tensors_;
    std::vector<Vectors> states_;
    VectorXd x_;
    MatrixXd M_, by_v_, by_a_, poses_, J_, A_, J_com_, Y_, qq_, qv_, vv_, qa_;
    VectorXd pi_;
};

JointKind kind_of(const Model& model, int i) {
    switch (model.body(i).joint) {
        case JointType::kRevolute:
            return JointKind::kRevolute;
        case JointType::kPrismatic:
            return JointKind::kPrismatic;
        case JointType::kSpherical:
            return JointKind::kSpherical;
        case JointType::kTranslation:
            return JointKind::kTranslation;
        case JointType::kPlanar:
            return JointKind::kPlanar;
        case JointType::kFloating:
            return JointKind::kFloating;
        default:
            throw Error::because("joint '", model.joint(i).name, "' is ",
                                 name_of(model.body(i).joint), ", which is not compared");
    }
}

BodyData data_of(const Model& model, int i) {
    const Body<double>& body = model.body(i);
    const double m = body.inertia.mass;
    const Vec3<double> center = m > 0 ? (1 / m) * body.inertia.first_moment : Vec3<double>{};
    const SymMat3<double> about_center = body.inertia.rotational - m * point_inertia(center);
    BodyData out;
    out.joint = model.joint(i).name;
    if (body.mimic) throw Error::because("joint '", out.joint, "' mimics another");
    out.kind = kind_of(model, i);
    out.parent = body.parent;
    out.q_index = body.q_index;
    out.nq = body.nq;
    out.v_index = body.v_index;
    out.nv = body.nv;
    out.mass = m;
    Eigen::Map<Matrix3<double>>(out.rotation.data()) = to_eigen(transpose(body.X_tree.E));
    Eigen::Map<Vector3<double>>(out.position.data()) = to_eigen(body.X_tree.r);
    Eigen::Map<Vector3<double>>(out.center.data()) = to_eigen(center);
    Eigen::Map<Matrix3<double>>(out.about_center.data()) = to_eigen(about_center);
    return out;
}

}  // namespace

Robot to_robot(const Model& model) {
    Robot robot{model.name(), model.nv(), {}, {}};
    Eigen::Map<Vector3<double>>(robot.gravity.data()) = to_eigen(model.gravity());
    for (int i = 1; i <= model.num_bodies(); ++i) robot.bodies.push_back(data_of(model, i));
    return robot;
}

std::unique_ptr<Peer> make_plucker(const Model& model, const std::vector<State>& states) {
    return std::make_unique<PluckerPeer>(model, states);
}

}  // namespace plucker::peers
