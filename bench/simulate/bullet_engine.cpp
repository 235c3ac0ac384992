// Bullet's multibodies, in double precision and with its defaults; springs and dampers are torques, computed anew a step.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

#include <Eigen/Dense>
#include <cmath>
#include <memory>

#include "engine.hpp"

namespace plucker::bench {
namespace {

Eigen::Matrix3d matrix(const std::array<double, 9>& a) {
    return Eigen::Map<const Eigen::Matrix3d>(a.data());
}
Eigen::Vector3d vector(const std::array<double, 3>& a) { return Eigen::Vector3d(a.data()); }
btVector3 bullet(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }
btQuaternion bullet(const Eigen::Matrix3d& R) {
    const Eigen::Quaterniond q(R);
    return {q.x(), q.y(), q.z(), q.w()};
}

// Bullet's frame of a body: at its centre of mass, along its principal axes.
struct Center {
    Eigen::Vector3d moments;
    Eigen::Matrix3d axes;
    Eigen::Vector3d at;
};
Center center_of(const BodyData& body) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix(body.about_center));
    Eigen::Matrix3d axes = solver.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    return {solver.eigenvalues(), axes, vector(body.center)};
}

// Pairs of bodies that never touch; each collider has its body's number as its user index.
struct Filter : btOverlapFilterCallback {
    const Scene* scene = nullptr;
    bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override {
        const int i = static_cast<btCollisionObject*>(a->m_clientObject)->getUserIndex();
        const int j = static_cast<btCollisionObject*>(b->m_clientObject)->getUserIndex();
        if (i == 0 || j == 0) return i != j;
        const auto parent = [&](int k) {
            return scene->bodies[static_cast<std::size_t>(k) - 1].parent;
        };
        if (parent(i) == j || parent(j) == i) return false;
        for (const auto& [x, y] : scene->never_touching) {
            if ((x == i && y == j) || (x == j && y == i)) return false;
        }
        return true;
    }
};

class BulletEngine : public Engine {
public:
    explicit BulletEngine(const Scene& scene)
        : scene_(scene),
          dispatcher_(&configuration_),
          world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
        world_.setGravity(bullet(vector(scene.gravity)));
        filter_.scene = &scene_;
        broadphase_.getOverlappingPairCache()->setOverlapFilterCallback(&filter_);
        for (const BodyData& body : scene.bodies) centers_.push_back(center_of(body));
        if (scene.has_ground) {
            shapes_.push_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0));
            ground_.setCollisionShape(shapes_.back().get());
            ground_.setFriction(std::sqrt(scene.friction));
            ground_.setUserIndex(0);
            world_.addCollisionObject(&ground_, btBroadphaseProxy::StaticFilter,
                                      btBroadphaseProxy::AllFilter);
        }
        add_bodies();
    }

    std::string name() const override { return "Bullet"; }
    std::string version() const override { return std::to_string(btGetVersion()); }
    void reset() override {
        const Eigen::Quaterniond turn(scene_.q[6], scene_.q[3], scene_.q[4], scene_.q[5]);
        const Center& c = centers_[0];
        const Eigen::Matrix3d R = turn.toRotationMatrix();
        const Eigen::Vector3d at = Eigen::Vector3d(scene_.q.data()) + R * c.at;
        const Eigen::Vector3d w(scene_.v.data()), v(scene_.v.data() + 3);
        body_->clearForcesAndTorques();
        body_->setBaseWorldTransform(btTransform(bullet(Eigen::Matrix3d(R * c.axes)), bullet(at)));
        body_->setBaseOmega(bullet(Eigen::Vector3d(R * w)));
        body_->setBaseVel(bullet(Eigen::Vector3d(R * (v + w.cross(c.at)))));
        for (int k = 0; k < body_->getNumLinks(); ++k) {
            body_->setJointPos(k, scene_.q[7 + static_cast<std::size_t>(k)]);
            body_->setJointVel(k, scene_.v[6 + static_cast<std::size_t>(k)]);
        }
        btAlignedObjectArray<btQuaternion> rotations;
        btAlignedObjectArray<btVector3> origins;
        body_->forwardKinematics(rotations, origins);
        body_->updateCollisionObjectWorldTransforms(rotations, origins);
    }
    void step() override {
        for (int k = 0; scene_.kp > 0 && k < body_->getNumLinks(); ++k) {
            const double wanted = scene_.q[7 + static_cast<std::size_t>(k)];
            body_->addJointTorque(k, scene_.kp * (wanted - body_->getJointPos(k)) -
                                         scene_.kd * body_->getJointVel(k));
        }
        world_.stepSimulation(scene_.step, 0);
    }
    std::vector<double> configuration() const override {
        const btTransform base = body_->getBaseWorldTransform();
        const btQuaternion b = base.getRotation();
        const Center& c = centers_[0];
        const Eigen::Matrix3d R =
            Eigen::Quaterniond(b.w(), b.x(), b.y(), b.z()).toRotationMatrix() * c.axes.transpose();
        const btVector3& o = base.getOrigin();
        const Eigen::Vector3d at = Eigen::Vector3d(o.x(), o.y(), o.z()) - R * c.at;
        const Eigen::Quaterniond turn(R);
        std::vector<double> q = {at.x(), at.y(), at.z(), turn.x(), turn.y(), turn.z(), turn.w()};
        for (int k = 0; k < body_->getNumLinks(); ++k) q.push_back(body_->getJointPos(k));
        return q;
    }

private:
    void add_bodies() {
        const int links = static_cast<int>(scene_.bodies.size()) - 1;
        body_ = std::make_unique<btMultiBody>(links, scene_.bodies[0].mass,
                                              bullet(centers_[0].moments), false, false);
        for (int i = 0; i < links; ++i) {
            const auto k = static_cast<std::size_t>(i) + 1;
            const BodyData& b = scene_.bodies[k];
            const Center& own = centers_[k];
            const Center& above = centers_[static_cast<std::size_t>(b.parent) - 1];
            const Eigen::Matrix3d from_parent =
                own.axes.transpose() * matrix(b.rotation).transpose() * above.axes;
            const Eigen::Vector3d axis = own.axes.transpose() * Eigen::Vector3d::UnitZ();
            const Eigen::Vector3d pivot = above.axes.transpose() * (vector(b.position) - above.at);
            const Eigen::Vector3d center = own.axes.transpose() * own.at;
            body_->setupRevolute(i, b.mass, bullet(own.moments), b.parent - 2, bullet(from_parent),
                                 bullet(axis), bullet(pivot), bullet(center), true);
        }
        body_->finalizeMultiDof();
        body_->setHasSelfCollision(true);
        body_->setLinearDamping(0);
        body_->setAngularDamping(0);
        world_.addMultiBody(body_.get());
        for (std::size_t k = 0; k < scene_.bodies.size(); ++k) add_shapes(k);
        for (int i = 0; i < links; ++i) {
            const BodyData& b = scene_.bodies[static_cast<std::size_t>(i) + 1];
            if (!std::isfinite(b.lower)) continue;
            limits_.push_back(std::make_unique<btMultiBodyJointLimitConstraint>(body_.get(), i,
                                                                                b.lower, b.upper));
            world_.addMultiBodyConstraint(limits_.back().get());
        }
    }
    void add_shapes(std::size_t k) {
        const Center& c = centers_[k];
        if (scene_.bodies[k].shapes.empty()) return;
        auto all = std::make_unique<btCompoundShape>();
        for (const ShapeData& s : scene_.bodies[k].shapes) {
            std::unique_ptr<btCollisionShape> shape;
            switch (s.form) {
                case Form::kBox:
                    shape = std::make_unique<btBoxShape>(
                        btVector3(s.size[0] / 2, s.size[1] / 2, s.size[2] / 2));
                    break;
                case Form::kSphere:
                    shape = std::make_unique<btSphereShape>(s.size[0]);
                    break;
                case Form::kCapsule:
                    shape = std::make_unique<btCapsuleShapeZ>(s.size[0], s.size[1]);
                    break;
            }
            const Eigen::Matrix3d turn = c.axes.transpose() * matrix(s.rotation);
            const Eigen::Vector3d at = c.axes.transpose() * (vector(s.position) - c.at);
            all->addChildShape(btTransform(bullet(turn), bullet(at)), shape.get());
            shapes_.push_back(std::move(shape));
        }
        auto collider =
            std::make_unique<btMultiBodyLinkCollider>(body_.get(), static_cast<int>(k) - 1);
        collider->setCollisionShape(all.get());
        collider->setFriction(std::sqrt(scene_.friction));
        collider->setUserIndex(static_cast<int>(k) + 1);
        world_.addCollisionObject(collider.get(), btBroadphaseProxy::DefaultFilter,
                                  btBroadphaseProxy::AllFilter);
        if (k == 0) {
            body_->setBaseCollider(collider.get());
        } else {
            body_->getLink(static_cast<int>(k) - 1).m_collider = collider.get();
        }
        shapes_.push_back(std::move(all));
        colliders_.push_back(std::move(collider));
    }

    Scene scene_;
    std::vector<Center> centers_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders_;
    btCollisionObject ground_;
    std::unique_ptr<btMultiBody> body_;
    std::vector<std::unique_ptr<btMultiBodyConstraint>> limits_;
    Filter filter_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btMultiBodyConstraintSolver solver_;
    btMultiBodyDynamicsWorld world_;
};

}  // namespace

extern "C" int plucker_count_engines() { return 1; }
extern "C" Engine* plucker_make_engine(const Scene& scene, int) { return new BulletEngine(scene); }

}  // namespace plucker::bench
