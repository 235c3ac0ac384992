#include "scenes.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "plucker/compiler/compile.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/simulate/batch_simulator.hpp"
#include "plucker/simulate/joint_space.hpp"
#include "plucker/simulate/simulator.hpp"

namespace plucker::bench {
namespace {

std::array<double, 3> numbers(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
std::array<double, 9> columns(const Mat3<double>& R) {
    return {R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z};
}

ShapeData shape_data(const Geometry& geometry, const Pose<double>& placement) {
    ShapeData out;
    out.rotation = columns(placement.rotation);
    out.position = numbers(placement.position);
    if (const Box* box = std::get_if<Box>(&geometry)) {
        out.form = Form::kBox;
        out.size = numbers(box->size);
    } else if (const Sphere* sphere = std::get_if<Sphere>(&geometry)) {
        out.form = Form::kSphere;
        out.size = {sphere->radius, 0, 0};
    } else if (const Capsule* capsule = std::get_if<Capsule>(&geometry)) {
        out.form = Form::kCapsule;
        out.size = {capsule->radius, capsule->length, 0};
    } else {
        throw Error("a shape that is not compared: boxes, spheres and capsules are");
    }
    return out;
}

void describe_bodies(const Model& model, Scene& scene) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        const bool floats = body.joint == JointType::kFloating;
        if (floats != (i == 1) || (!floats && body.joint != JointType::kRevolute))
            throw Error::because("joint '", model.joint(i).name,
                                 "': the first must float, and others turn");
        const double m = body.inertia.mass;
        const Vec3<double> center = m > 0 ? (1 / m) * body.inertia.first_moment : Vec3<double>{};
        const Mat3<double> about = to_mat3(body.inertia.rotational - m * point_inertia(center));
        scene.bodies.push_back({.name = model.body_name(i),
                                .floats = floats,
                                .parent = body.parent,
                                .rotation = columns(transpose(body.X_tree.E)),
                                .position = numbers(body.X_tree.r),
                                .mass = m,
                                .center = numbers(center),
                                .about_center = columns(about),
                                .lower = model.joint(i).limits.lower,
                                .upper = model.joint(i).limits.upper});
    }
    for (const LinkDescription& link : model.description().links) {
        const Frame& frame = model.frame(model.frame_id(link.name));
        for (const Shape& shape : link.collisions) {
            scene.bodies[static_cast<std::size_t>(frame.body) - 1].shapes.push_back(
                shape_data(shape.geometry, to_pose(frame.X_frame_body) * shape.placement));
        }
    }
    for (const auto& [a, b] : model.description().never_touching) {
        scene.never_touching.emplace_back(model.frame(model.frame_id(a)).body,
                                          model.frame(model.frame_id(b)).body);
    }
}

Setup setup_of(const std::string& name, const Model& model, bool on_ground, double friction,
               double step) {
    Setup out{model, on_ground ? World::flat() : World{}, {}};
    out.world.surface = {friction, 0, 0};
    out.scene.name = name;
    out.scene.step = step;
    out.scene.gravity = numbers(model.gravity());
    out.scene.has_ground = on_ground;
    out.scene.friction = friction;
    describe_bodies(model, out.scene);
    out.scene.q.assign(static_cast<std::size_t>(model.nq()), 0.0);
    out.scene.q[6] = 1;
    out.scene.v.assign(static_cast<std::size_t>(model.nv()), 0.0);
    return out;
}

void find(const Model& model, const std::vector<double>& q, CollisionShapes& shapes, double margin,
          std::vector<ContactPoint>& points) {
    JointSpace<double> space(model);
    const std::vector<double> v(static_cast<std::size_t>(model.nv()), 0.0);
    space.update(q.data(), v.data());
    std::vector<Pose<double>> poses;
    for (int i = 0; i <= model.num_bodies(); ++i) poses.push_back(space.pose(i));
    shapes.find(poses, margin, points);
}

// Lowers the base until the robot is `clearance` above the ground.
void put_down(Setup& setup, double clearance) {
    setup.scene.q[2] = 2;
    CollisionShapes shapes(setup.model, setup.world);
    std::vector<ContactPoint> points;
    find(setup.model, setup.scene.q, shapes, 4, points);
    double least = 4;
    for (const ContactPoint& point : points) {
        if (point.body_b == 0) least = std::min(least, point.distance);
    }
    setup.scene.q[2] -= least - clearance;
}

}  // namespace

Setup standing_quadruped() {
    Setup out = setup_of("quadruped standing", robots::quadruped(), true, 0.8, 5e-3);
    for (int i = 2; i <= out.model.num_bodies(); ++i) {
        const std::string& joint = out.model.joint(i).name;
        double& angle = out.scene.q[static_cast<std::size_t>(out.model.body(i).q_index)];
        if (joint.ends_with("hip_flexion")) angle = 0.8;
        if (joint.ends_with("knee")) angle = -1.6;
    }
    put_down(out, 0);
    out.scene.kp = 40;
    out.scene.kd = 1;
    out.duration = 5;
    return out;
}

Setup falling_humanoid(double step) {
    Setup out = setup_of("humanoid falling, " + std::to_string(std::lround(step * 1e3)) + " ms",
                         robots::humanoid(), true, 0.8, step);
    put_down(out, 0.02);
    out.scene.v[3] = 0.3;
    out.scene.v[4] = 0.1;
    out.duration = 4;
    return out;
}

Setup flying_arm() {
    Description d =
        with_gravity(with_base(robots::arm(), Base::kFloating), {0, 0, 0}).description();
    for (LinkDescription& link : d.links) link.collisions.clear();
    for (JointDescription& joint : d.joints) joint.limits = {};
    Setup out = setup_of("free-flying arm", Model(d), false, 0, 5e-3);
    for (std::size_t k = 0; k < out.scene.v.size(); ++k)
        out.scene.v[k] = std::sin(1.0 + static_cast<double>(k));
    out.duration = 5;
    return out;
}

Setup block(double friction, double slope, double speed, double step) {
    constexpr double kGravity = 9.81;
    const Vec3<double> size{0.2, 0.2, 0.2};
    Builder builder("block");
    builder.base(Base::kFloating)
        .link("block", MassProperties::box(1, size))
        .collision("block", {.name = "block", .placement = {}, .geometry = Box{size}});
    const Model model =
        with_gravity(builder.build(), {kGravity * std::sin(slope), 0, -kGravity * std::cos(slope)});
    Setup out = setup_of("block", model, true, friction, step);
    out.scene.q[2] = 0.1;
    out.scene.v[3] = speed;
    return out;
}

namespace {

class PluckerEngine : public Engine {
public:
    explicit PluckerEngine(const Setup& setup)
        : scene_(setup.scene),
          simulator_(compile(setup.model), setup.world, {.step = setup.scene.step}),
          q_(Eigen::Map<const VectorX<double>>(scene_.q.data(), setup.model.nq())),
          v_(Eigen::Map<const VectorX<double>>(scene_.v.data(), setup.model.nv())) {
        if (scene_.kp > 0) simulator_.hold(q_, scene_.kp, scene_.kd);
    }
    std::string name() const override { return "Plucker"; }
    std::string version() const override { return PLUCKER_VERSION; }
    void reset() override {
        simulator_.set_state(q_, v_);
        worst_ = 0;
    }
    void step() override {
        worst_ = std::max(worst_, simulator_.step().solver.certificate.worst());
    }
    std::vector<double> configuration() const override {
        return {simulator_.q().begin(), simulator_.q().end()};
    }
    double worst_residual() const override { return worst_; }

private:
    Scene scene_;
    Simulator simulator_;
    VectorX<double> q_, v_;
    double worst_ = 0;
};

class PluckerBatch : public Engine {
public:
    explicit PluckerBatch(const Setup& setup)
        : simulator_(setup.model, setup.world, kRobots, {.step = setup.scene.step}, 1),
          q_(kRobots, setup.model.nq()),
          v_(kRobots, setup.model.nv()) {
        for (int i = 0; i < kRobots; ++i) {
            q_.row(i) = Eigen::Map<const VectorX<double>>(setup.scene.q.data(), setup.model.nq())
                            .transpose();
            v_.row(i) = Eigen::Map<const VectorX<double>>(setup.scene.v.data(), setup.model.nv())
                            .transpose();
            v_(i, 3) += 1e-3 * i;
        }
        simulator_.set_states(q_, v_);
        if (setup.scene.kp > 0) {
            simulator_.hold(VectorX<double>::Constant(setup.model.nv(), setup.scene.kp),
                            VectorX<double>::Constant(setup.model.nv(), setup.scene.kd));
        }
    }
    std::string name() const override { return "Plucker, batch"; }
    std::string version() const override { return PLUCKER_VERSION; }
    int robots() const override { return kRobots; }
    void reset() override {
        simulator_.set_states(q_, v_);
        worst_ = 0;
    }
    void step() override {
        simulator_.step();
        for (const StepReport& report : simulator_.reports()) {
            worst_ = std::max(worst_, report.solver.certificate.worst());
        }
    }
    std::vector<double> configuration() const override {
        const auto q = simulator_.q().row(0);
        return {q.begin(), q.end()};
    }
    double worst_residual() const override { return worst_; }

private:
    static constexpr int kRobots = 32;
    batch::Simulator simulator_;
    batch::Simulator::Rows q_, v_;
    double worst_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_plucker(const Setup& setup) {
    return std::make_unique<PluckerEngine>(setup);
}
std::unique_ptr<Engine> make_plucker_batch(const Setup& setup) {
    return std::make_unique<PluckerBatch>(setup);
}

Judge::Judge(const Setup& setup) : model_(setup.model), shapes_(setup.model, setup.world) {}
double Judge::deepest(const std::vector<double>& q) {
    std::vector<ContactPoint> points;
    find(model_, q, shapes_, 0, points);
    double deepest = 0;
    for (const ContactPoint& point : points) deepest = std::max(deepest, -point.distance);
    return deepest;
}

}  // namespace plucker::bench
