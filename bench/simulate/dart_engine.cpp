// DART, with Bullet's collision detector; springs and dampers are its joints' own, which it takes implicitly.
#include <dart/collision/CollisionFilter.hpp>
#include <dart/collision/CollisionOption.hpp>
#include <dart/collision/bullet/BulletCollisionDetector.hpp>
#include <dart/config.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <cmath>

#include "engine.hpp"

namespace plucker::bench {
namespace {

namespace dd = dart::dynamics;

Eigen::Matrix3d matrix(const std::array<double, 9>& a) {
    return Eigen::Map<const Eigen::Matrix3d>(a.data());
}
Eigen::Vector3d vector(const std::array<double, 3>& a) { return Eigen::Vector3d(a.data()); }
Eigen::Isometry3d pose(const std::array<double, 9>& R, const std::array<double, 3>& p) {
    Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
    out.linear() = matrix(R);
    out.translation() = vector(p);
    return out;
}

dd::ShapePtr shape_of(const ShapeData& s) {
    switch (s.form) {
        case Form::kSphere:
            return std::make_shared<dd::SphereShape>(s.size[0]);
        case Form::kCapsule:
            return std::make_shared<dd::CapsuleShape>(s.size[0], s.size[1]);
        case Form::kBox:
            break;
    }
    return std::make_shared<dd::BoxShape>(vector(s.size));
}

void add_shape(dd::BodyNode* node, const dd::ShapePtr& shape, const Eigen::Isometry3d& at,
               double friction) {
    auto* shape_node = node->createShapeNodeWith<dd::CollisionAspect, dd::DynamicsAspect>(shape);
    shape_node->setRelativeTransform(at);
    shape_node->getDynamicsAspect()->setFrictionCoeff(friction);
}

class DartEngine : public Engine {
public:
    explicit DartEngine(const Scene& scene)
        : scene_(scene), world_(dart::simulation::World::create()) {
        world_->setTimeStep(scene.step);
        world_->setGravity(vector(scene.gravity));
        world_->getConstraintSolver()->setCollisionDetector(
            dart::collision::BulletCollisionDetector::create());
        if (scene.has_ground) add_ground();
        add_robot();
    }
    std::string name() const override { return "DART"; }
    std::string version() const override { return DART_VERSION; }

    void reset() override {
        world_->reset();
        const Eigen::Quaterniond turn(scene_.q[6], scene_.q[3], scene_.q[4], scene_.q[5]);
        Eigen::Isometry3d base = Eigen::Isometry3d::Identity();
        base.linear() = turn.toRotationMatrix();
        base.translation() = Eigen::Vector3d(scene_.q.data());
        Eigen::VectorXd q(robot_->getNumDofs()), v(robot_->getNumDofs());
        q.head<6>() = dd::FreeJoint::convertToPositions(base);
        for (int k = 6; k < q.size(); ++k) q[k] = scene_.q[static_cast<std::size_t>(k) + 1];
        for (int k = 0; k < q.size(); ++k) v[k] = scene_.v[static_cast<std::size_t>(k)];
        robot_->setPositions(q);
        robot_->setVelocities(v);
    }
    void step() override { world_->step(); }
    std::vector<double> configuration() const override {
        const Eigen::VectorXd positions = robot_->getPositions();
        const Eigen::Isometry3d base = dd::FreeJoint::convertToTransform(positions.head<6>());
        const Eigen::Quaterniond turn(base.linear());
        const Eigen::Vector3d p = base.translation();
        std::vector<double> q = {p.x(), p.y(), p.z(), turn.x(), turn.y(), turn.z(), turn.w()};
        for (int k = 6; k < positions.size(); ++k) q.push_back(positions[k]);
        return q;
    }

private:
    void add_ground() {
        dd::SkeletonPtr ground = dd::Skeleton::create("ground");
        dd::BodyNode* node = ground->createJointAndBodyNodePair<dd::WeldJoint>().second;
        add_shape(node, std::make_shared<dd::PlaneShape>(Eigen::Vector3d::UnitZ(), 0.0),
                  Eigen::Isometry3d::Identity(), scene_.friction);
        ground->setMobile(false);
        world_->addSkeleton(ground);
    }
    void add_robot() {
        robot_ = dd::Skeleton::create("robot");
        std::vector<dd::BodyNode*> nodes = {nullptr};
        std::size_t k = 6;
        for (const BodyData& b : scene_.bodies) {
            dd::BodyNode* parent = nodes[static_cast<std::size_t>(b.parent)];
            dd::BodyNode::Properties properties;
            properties.mName = b.name;
            dd::Joint* joint = nullptr;
            dd::BodyNode* node = nullptr;
            if (b.floats) {
                std::tie(joint, node) = robot_->createJointAndBodyNodePair<dd::FreeJoint>(
                    parent, dd::FreeJoint::Properties(), properties);
            } else {
                dd::RevoluteJoint::Properties turning;
                turning.mName = b.name;
                turning.mAxis = Eigen::Vector3d::UnitZ();
                std::tie(joint, node) = robot_->createJointAndBodyNodePair<dd::RevoluteJoint>(
                    parent, turning, properties);
                const double angle = scene_.q[++k];
                joint->setSpringStiffness(0, scene_.kp);
                joint->setDampingCoefficient(0, scene_.kd);
                if (std::isfinite(b.lower)) {
                    joint->setPositionLowerLimit(0, b.lower);
                    joint->setPositionUpperLimit(0, b.upper);
                    joint->setLimitEnforcement(true);
                }
                joint->setRestPosition(0, angle);
            }
            joint->setTransformFromParentBodyNode(pose(b.rotation, b.position));
            node->setInertia(dd::Inertia(b.mass, vector(b.center), matrix(b.about_center)));
            for (const ShapeData& s : b.shapes)
                add_shape(node, shape_of(s), pose(s.rotation, s.position), scene_.friction);
            nodes.push_back(node);
        }
        robot_->enableSelfCollisionCheck();
        robot_->disableAdjacentBodyCheck();
        world_->addSkeleton(robot_);
        auto filter = std::make_shared<dart::collision::BodyNodeCollisionFilter>();
        for (const auto& [a, b] : scene_.never_touching)
            filter->addBodyNodePairToBlackList(nodes[static_cast<std::size_t>(a)],
                                               nodes[static_cast<std::size_t>(b)]);
        world_->getConstraintSolver()->getCollisionOption().collisionFilter = filter;
    }

    Scene scene_;
    dart::simulation::WorldPtr world_;
    dd::SkeletonPtr robot_;
};

}  // namespace

extern "C" int plucker_count_engines() { return 1; }
extern "C" Engine* plucker_make_engine(const Scene& scene, int) { return new DartEngine(scene); }

}  // namespace plucker::bench
