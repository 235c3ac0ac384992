// KDL, which has most of its dynamics for chains of revolute and prismatic joints on a fixed base.
#include <kdl/config.h>

#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacdotsolver.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <stdexcept>

#include "coordinates.hpp"
#include "peer.hpp"

namespace plucker::peers {
namespace {

KDL::Vector to_kdl(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }

KDL::Frame place_of(const BodyData& body) {
    const Eigen::Matrix3d R = matrix(body.rotation);
    return {KDL::Rotation(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1),
                          R(2, 2)),
            to_kdl(vector(body.position))};
}

KDL::RigidBodyInertia inertia_of(const BodyData& body) {
    const Eigen::Matrix3d I = matrix(body.about_center);
    return KDL::RigidBodyInertia(
        body.mass, to_kdl(vector(body.center)),
        KDL::RotationalInertia(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)));
}

// A segment of KDL's is a joint about z and then the way to the next joint; its inertia is in
// coordinates of the latter.
KDL::Chain to_chain(const Robot& robot) {
    KDL::Chain chain;
    for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
        const BodyData& body = robot.bodies[i];
        if (body.parent != static_cast<int>(i)) throw std::runtime_error("not a chain");
        if (body.kind != JointKind::kRevolute && body.kind != JointKind::kPrismatic) {
            throw std::runtime_error("joint '" + body.joint + "' has several freedoms");
        }
        if (i == 0) chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::Fixed), place_of(body)));
        const KDL::Frame to_next =
            i + 1 == robot.bodies.size() ? KDL::Frame::Identity() : place_of(robot.bodies[i + 1]);
        const auto type = body.kind == JointKind::kRevolute ? KDL::Joint::RotZ : KDL::Joint::TransZ;
        chain.addSegment(KDL::Segment(body.joint, KDL::Joint(body.joint, type), to_next,
                                      to_next.Inverse() * inertia_of(body)));
    }
    return chain;
}

class KdlPeer : public Peer {
public:
    KdlPeer(const Robot& robot, const std::vector<State>& states)
        : chain_(to_chain(robot)),
          wrenches_(chain_.getNrOfSegments(), KDL::Wrench::Zero()),
          inverse_dynamics_(chain_, to_kdl(vector(robot.gravity))),
          forward_dynamics_(chain_, to_kdl(vector(robot.gravity))),
          parameters_(chain_, to_kdl(vector(robot.gravity))),
          position_(chain_),
          jacobian_(chain_),
          jacobian_rate_(chain_),
          x_(chain_.getNrOfJoints()),
          M_(chain_.getNrOfJoints()),
          J_(chain_.getNrOfJoints()) {
        jacobian_rate_.setRepresentation(KDL::ChainJntToJacDotSolver::INERTIAL);
        const auto array = [](const std::vector<double>& x) {
            KDL::JntArray out(static_cast<unsigned>(x.size()));
            out.data = vector(x);
            return out;
        };
        for (const State& s : states) {
            states_.push_back({array(s.q), array(s.v), array(s.a), array(s.tau),
                               KDL::JntArrayVel(array(s.q), array(s.v))});
        }
    }

    std::string name() const override { return "kdl"; }
    std::string version() const override { return KDL_VERSION_STRING; }

    std::vector<Function> functions() override {
        const auto x = [this](int) { return flat(x_.data); };
        return {
            {"inverse_dynamics", "ChainIdSolver_RNE", each([this](int k) {
                 inverse_dynamics_.CartToJnt(at(k).q, at(k).v, at(k).a, wrenches_, x_);
             }),
             x},
            {"forward_dynamics", "ChainFdSolver_RNE", each([this](int k) {
                 forward_dynamics_.CartToJnt(at(k).q, at(k).v, at(k).tau, wrenches_, x_);
             }),
             x},
            {"mass_matrix", "ChainDynParam::JntToMass",
             each([this](int k) { parameters_.JntToMass(at(k).q, M_); }),
             [this](int) { return flat(M_.data); }},
            // About the chain's end, and linear first.
            {"jacobians", "ChainJntToJacSolver",
             each([this](int k) { jacobian_.JntToJac(at(k).q, J_); }),
             [this](int k) {
                 KDL::Frame end;
                 position_.JntToCart(at(k).q, end);
                 return flat(moved_to_origin(angular_first(J_.data),
                                             Eigen::Map<Eigen::Vector3d>(end.p.data)));
             }},
            {"jacobians_dot", "ChainJntToJacDotSolver",
             each([this](int k) { jacobian_rate_.JntToJacDot(at(k).motion, J_); }),
             [this](int) { return flat(angular_first(J_.data)); }},
        };
    }

private:
    struct Arrays {
        KDL::JntArray q, v, a, tau;
        KDL::JntArrayVel motion;
    };
    const Arrays& at(int k) const { return states_[static_cast<std::size_t>(k)]; }

    KDL::Chain chain_;
    KDL::Wrenches wrenches_;
    KDL::ChainIdSolver_RNE inverse_dynamics_;
    KDL::ChainFdSolver_RNE forward_dynamics_;
    KDL::ChainDynParam parameters_;
    KDL::ChainFkSolverPos_recursive position_;
    KDL::ChainJntToJacSolver jacobian_;
    KDL::ChainJntToJacDotSolver jacobian_rate_;
    KDL::JntArray x_;
    KDL::JntSpaceInertiaMatrix M_;
    KDL::Jacobian J_;
    std::vector<Arrays> states_;
};

}  // namespace

extern "C" Peer* plucker_make_peer(const Robot& robot, const std::vector<State>& states) {
    return new KdlPeer(robot, states);
}

}  // namespace plucker::peers
