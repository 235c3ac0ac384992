// Pinocchio. Its model is built joint by joint, with the joint models that are made for one axis: a
// canonical joint's axis is z.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/center-of-mass.hpp>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/energy.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/regressor.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include <algorithm>

#include "coordinates.hpp"
#include "peer.hpp"

namespace plucker::peers {
namespace {

pinocchio::JointModel joint_model(JointKind kind) {
    switch (kind) {
        case JointKind::kRevolute:
            return pinocchio::JointModelRZ();
        case JointKind::kPrismatic:
            return pinocchio::JointModelPZ();
        case JointKind::kSpherical:
            return pinocchio::JointModelSpherical();
        case JointKind::kTranslation:
            return pinocchio::JointModelTranslation();
        case JointKind::kPlanar:
            return pinocchio::JointModelPlanar();
        case JointKind::kFloating:
            break;
    }
    return pinocchio::JointModelFreeFlyer();
}

// Bodies are in depth-first order on both sides, the world first: their numbers are the same.
pinocchio::Model to_pinocchio(const Robot& robot) {
    pinocchio::Model model;
    model.gravity.linear() = vector(robot.gravity);
    for (const BodyData& body : robot.bodies) {
        const auto joint = model.addJoint(
            static_cast<pinocchio::JointIndex>(body.parent), joint_model(body.kind),
            pinocchio::SE3(matrix(body.rotation), vector(body.position)), body.joint);
        model.appendBodyToJoint(
            joint, pinocchio::Inertia(body.mass, vector(body.center), matrix(body.about_center)),
            pinocchio::SE3::Identity());
    }
    return model;
}

// Velocities of floating and planar joints are linear first.
VelocityMap velocity_map(const Robot& robot) {
    VelocityMap map(robot.nv);
    for (const BodyData& body : robot.bodies) {
        auto T = map.T.block(body.v_index, body.v_index, body.nv, body.nv);
        if (body.kind == JointKind::kFloating) {
            T.setZero();
            T.block<3, 3>(0, 3).setIdentity();
            T.block<3, 3>(3, 0).setIdentity();
        } else if (body.kind == JointKind::kPlanar) {
            T << 0, 1, 0, 0, 0, 1, 1, 0, 0;
        }
    }
    return map;
}

// A planar joint's angle is its cosine and sine; all else is as ours.
VectorXd configuration(const Robot& robot, const std::vector<double>& q) {
    std::vector<double> out;
    for (const BodyData& body : robot.bodies) {
        const double* q_i = q.data() + body.q_index;
        if (body.kind == JointKind::kPlanar) {
            out.insert(out.end(), {q_i[0], q_i[1], std::cos(q_i[2]), std::sin(q_i[2])});
        } else {
            out.insert(out.end(), q_i, q_i + body.nq);
        }
    }
    return vector(out);
}

class PinocchioPeer : public Peer {
public:
    PinocchioPeer(const Robot& robot, const std::vector<State>& states)
        : model_(to_pinocchio(robot)), data_(model_), map_(velocity_map(robot)) {
        for (const State& s : states) {
            states_.push_back({configuration(robot, s.q), map_.T * vector(s.v),
                               map_.T * vector(s.a), map_.torque_to_theirs(vector(s.tau))});
        }
    }

    std::string name() const override { return "pinocchio"; }
    std::string version() const override { return PINOCCHIO_VERSION; }

    std::vector<Function> functions() override {
        using pinocchio::Convention;
        std::vector<Function> out;
        // `left` are the places in data_ where a call leaves what it computes.
        const auto add = [&](const char* algorithm, const char* name, auto call, auto result,
                             auto... left) {
            out.push_back({algorithm, name, each([this, call](int k) { call(at(k)); }),
                           [result](int) { return flat(result()); }});
            const auto keep = [this, call, left...](int k) {
                call(at(k));
                double* to = kept(k, (left->size() + ...));
                ((to = std::copy_n(left->data(), left->size(), to)), ...);
            };
            const auto compared = [this, result, left...](int k) {
                const double* from = kept(k, (left->size() + ...));
                ((std::copy_n(from, left->size(), left->data()), from += left->size()), ...);
                return flat(result());
            };
            out.push_back({algorithm, name, each(keep), compared, 1e-10, true});
        };

        add(
            "inverse_dynamics", "rnea",
            [this](const Vectors& s) { pinocchio::rnea(model_, data_, s.q, s.v, s.a); },
            [this] { return map_.torque(data_.tau); }, &data_.tau);

        const auto acceleration = [this] { return VectorXd(map_.T.transpose() * data_.ddq); };
        add(
            "forward_dynamics", "aba, local",
            [this](const Vectors& s) {
                pinocchio::aba(model_, data_, s.q, s.v, s.tau, Convention::LOCAL);
            },
            acceleration, &data_.ddq);
        add(
            "forward_dynamics", "aba, world",
            [this](const Vectors& s) {
                pinocchio::aba(model_, data_, s.q, s.v, s.tau, Convention::WORLD);
            },
            acceleration, &data_.ddq);

        // Only the upper triangles of M and M⁻¹ are computed.
        const auto M = [this] {
            return map_.mass_matrix(MatrixXd(data_.M.selfadjointView<Eigen::Upper>()));
        };
        add(
            "mass_matrix", "crba, local",
            [this](const Vectors& s) { pinocchio::crba(model_, data_, s.q, Convention::LOCAL); }, M,
            &data_.M);
        add(
            "mass_matrix", "crba, world",
            [this](const Vectors& s) { pinocchio::crba(model_, data_, s.q, Convention::WORLD); }, M,
            &data_.M);
        add(
            "inverse_mass_matrix", "computeMinverse",
            [this](const Vectors& s) { pinocchio::computeMinverse(model_, data_, s.q); },
            [this] {
                return map_.inverse_mass_matrix(
                    MatrixXd(data_.Minv.selfadjointView<Eigen::Upper>()));
            },
            &data_.Minv);

        add(
            "coriolis_matrix", "computeCoriolisMatrix",
            [this](const Vectors& s) { pinocchio::computeCoriolisMatrix(model_, data_, s.q, s.v); },
            [this] { return map_.mass_matrix(data_.C); }, &data_.C);
        add(
            "jacobians", "computeJointJacobians",
            [this](const Vectors& s) { pinocchio::computeJointJacobians(model_, data_, s.q); },
            [this] { return angular_first(map_.jacobian(data_.J)); }, &data_.J);
        add(
            "jacobians_dot", "computeJointJacobiansTimeVariation",
            [this](const Vectors& s) {
                pinocchio::computeJointJacobiansTimeVariation(model_, data_, s.q, s.v);
            },
            [this] { return angular_first(map_.jacobian(data_.dJ)); }, &data_.J, &data_.dJ);
        add(
            "com_jacobian", "jacobianCenterOfMass",
            [this](const Vectors& s) {
                pinocchio::jacobianCenterOfMass(model_, data_, s.q, false);
            },
            [this] { return map_.jacobian(data_.Jcom); }, &data_.Jcom);

        const auto centroidal_map = [this] { return angular_first(map_.jacobian(data_.Ag)); };
        add(
            "centroidal_map", "ccrba",
            [this](const Vectors& s) { pinocchio::ccrba(model_, data_, s.q, s.v); }, centroidal_map,
            &data_.Ag);
        add(
            "centroidal_map", "computeCentroidalMap",
            [this](const Vectors& s) { pinocchio::computeCentroidalMap(model_, data_, s.q); },
            centroidal_map, &data_.Ag);

        add(
            "kinetic_energy", "computeKineticEnergy",
            [this](const Vectors& s) {
                energy_(0) = pinocchio::computeKineticEnergy(model_, data_, s.q, s.v);
            },
            [this] { return VectorXd(energy_); }, &energy_);

        add(
            "inverse_dynamics_derivatives", "computeRNEADerivatives",
            [this](const Vectors& s) {
                pinocchio::computeRNEADerivatives(model_, data_, s.q, s.v, s.a);
            },
            [this] { return map_.mass_matrix(data_.dtau_dq); }, &data_.dtau_dq, &data_.dtau_dv,
            &data_.M);
        add(
            "forward_dynamics_derivatives", "computeABADerivatives",
            [this](const Vectors& s) {
                pinocchio::computeABADerivatives(model_, data_, s.q, s.v, s.tau);
            },
            [this] { return map_.inverse_mass_matrix(data_.ddq_dq); }, &data_.ddq_dq, &data_.ddq_dv,
            &data_.Minv);
        // Compared are the second derivatives by v of the sum of all torques in Plucker's coordinates.
        add(
            "second_order", "ComputeRNEASecondOrderDerivatives",
            [this](const Vectors& s) {
                pinocchio::ComputeRNEASecondOrderDerivatives(model_, data_, s.q, s.v, s.a);
            },
            [this] {
                const long n = model_.nv;
                const VectorXd multipliers = map_.T * VectorXd::Ones(n);
                MatrixXd sum = MatrixXd::Zero(n, n);
                for (long k = 0; k < n; ++k) {
                    for (long i = 0; i < n; ++i) {
                        for (long j = 0; j < n; ++j)
                            sum(i, j) += multipliers[k] * data_.d2tau_dvdv(k, i, j);
                    }
                }
                return map_.mass_matrix(sum);
            },
            &data_.d2tau_dqdq, &data_.d2tau_dqdv, &data_.d2tau_dvdv, &data_.d2tau_dadq);
        add(
            "torque_regressor", "computeJointTorqueRegressor",
            [this](const Vectors& s) {
                pinocchio::computeJointTorqueRegressor(model_, data_, s.q, s.v, s.a);
            },
            [this] {
                VectorXd parameters(data_.jointTorqueRegressor.cols());
                for (pinocchio::JointIndex i = 1;
                     i < static_cast<pinocchio::JointIndex>(model_.njoints); ++i) {
                    parameters.segment<10>(10 * (static_cast<long>(i) - 1)) =
                        model_.inertias[i].toDynamicParameters();
                }
                return map_.torque(VectorXd(data_.jointTorqueRegressor * parameters));
            },
            &data_.jointTorqueRegressor);
        return out;
    }

private:
    struct Vectors {
        VectorXd q, v, a, tau;
    };
    const Vectors& at(int k) const { return states_[static_cast<std::size_t>(k)]; }

    pinocchio::Model model_;
    pinocchio::Data data_;
    VelocityMap map_;
    std::vector<Vectors> states_;
    Eigen::Matrix<double, 1, 1> energy_;
    std::vector<double> kept_;

    // `size` numbers of state k, among those of all states.
    double* kept(int k, long size) {
        const std::size_t all = states_.size() * static_cast<std::size_t>(size);
        if (kept_.size() < all) kept_.resize(all);
        return kept_.data() + k * size;
    }
};

}  // namespace

extern "C" Peer* plucker_make_peer(const Robot& robot, const std::vector<State>& states) {
    return new PinocchioPeer(robot, states);
}

}  // namespace plucker::peers
