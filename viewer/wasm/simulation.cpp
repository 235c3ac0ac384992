#include "simulation.hpp"

#include <cmath>
#include <map>

#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/close_loops.hpp"
#include "plucker/simulate/start.hpp"

namespace plucker::page {
namespace {

using nlohmann::json;

// Meshes are files, which a page does not have; but it may have drawn them, and then knows their points.
std::map<std::string, std::vector<Vec3<double>>>& known_meshes() {
    static std::map<std::string, std::vector<Vec3<double>>> meshes;
    return meshes;
}

std::vector<Vec3<double>> points_of(const Mesh& mesh) { return known_meshes().at(mesh.uri); }

Model without_unknown_meshes(const Model& model, std::vector<std::string>& notes) {
    Description description = model.description();
    bool changed = false;
    for (LinkDescription& link : description.links) {
        const std::size_t count = std::erase_if(link.collisions, [](const Shape& shape) {
            const Mesh* mesh = std::get_if<Mesh>(&shape.geometry);
            return mesh != nullptr && !known_meshes().contains(mesh->uri);
        });
        if (count == 0) continue;
        changed = true;
        notes.push_back("link '" + link.name + "' touches nothing here with its " +
                        (count == 1 ? "mesh" : std::to_string(count) + " meshes") +
                        ": the page has no files");
    }
    return changed ? Model(std::move(description)) : model;
}

bool can_touch(const Model& model) {
    for (const LinkDescription& link : model.description().links) {
        if (!link.collisions.empty()) return true;
    }
    return false;
}

double number_from_zero(const json& request, const char* name, double otherwise) {
    const double x = request.value(name, otherwise);
    if (x >= 0 && std::isfinite(x)) return x;
    throw Error::because(name, " is ", x, ": it must be a number from zero on");
}

SimulatorOptions options_of(const json& request) {
    SimulatorOptions options;
    options.step = request.value("step", 1e-3);
    options.ignore_overlaps = true;
    return options;
}

}  // namespace

void remember_mesh(const std::string& uri, std::span<const float> numbers) {
    std::vector<Vec3<double>>& points = known_meshes()[uri];
    points.clear();
    for (std::size_t k = 0; k + 2 < numbers.size(); k += 3)
        points.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
}

World Simulation::world_of(const json& request, const Vec3<double>& up) const {
    World world;
    world.read_mesh = points_of;
    world.surface.friction = number_from_zero(request, "friction", 1);
    world.surface.restitution = number_from_zero(request, "restitution", 0);
    if (!request.value("ground", true)) return world;
    if (!can_touch(model_)) {
        throw Error(
            "the robot has no collision shapes, and would fall through the ground: add "
            "<collision> to its links");
    }
    world.shapes = World::flat(up).shapes;
    return world;
}

Simulation::Simulation(const Loaded& robot, const json& request)
    : model_(without_unknown_meshes(robot.model, notes_)),
      simulator_(model_, world_of(request, robot.up), options_of(request)),
      workspace_(model_),
      tau_(VectorX<double>::Zero(model_.nv())) {
    if (model_.nv() == 0) throw Error("nothing of this robot can move");
    const VectorX<double> none = VectorX<double>::Zero(model_.nv());
    VectorX<double> q =
        within_limits(model_, vector_of(request, "q", neutral_configuration(model_)));
    VectorX<double> v = vector_of(request, "v", none);
    if (request.value("on_ground", false))
        put_on_ground(model_, world_of(request, robot.up), robot.up, q);
    if (const double height = request.value("height", 0.0);
        height != 0 && !lift(model_, robot.up, height, q)) {
        throw Error("this robot stands fast: nothing lifts it");
    }
    if (!model_.constraints().empty()) {
        const ClosedLoops loops = close_loops(model_, q);
        if (!loops.closed && loops.residual > 1e-6) throw Error(loops.message);
        q = loops.q;
        if (!violation_of_velocity(model_, q, v).constraint.empty())
            project_velocity(workspace_, q, v);
    }
    simulator_.set_state(q, v, request.value("time", 0.0));
    for (const auto& [a, b] : simulator_.overlaps()) {
        notes_.push_back("links '" + a + "' and '" + b +
                         "' overlap where the robot begins: they are let through each other");
    }
    find_motors();
    const std::string controller = request.value("controller", "none");
    if (controller == "hold") {
        controller_ = Controller::kHold;
        const VectorX<double> target = vector_of(request, "target", q);
        const HoldingGains gains = holding_gains(model_, target);
        simulator_.hold(target, gains.kp.cwiseProduct(has_motor_),
                        gains.kd.cwiseProduct(has_motor_));
    } else if (controller == "gravity") {
        controller_ = Controller::kGravityCompensation;
    } else if (controller != "none") {
        throw unknown_name("controller", controller, {"none", "hold", "gravity"});
    }
}

// A floating base has no motors, nor have slides and hinges that stand for one: those before the first body with a mass,
// where there is more than one.
void Simulation::find_motors() {
    has_motor_ = VectorX<double>::Ones(model_.nv());
    int first = 1;
    while (first < model_.num_bodies() && model_.body(first).inertia.mass == 0) ++first;
    const Body<double>& body = model_.body(first);
    if (first > 1 || body.nv > 1) has_motor_.head(body.v_index + body.nv).setZero();
}

void Simulation::aim(const VectorX<double>& q) {
    if (controller_ == Controller::kHold) simulator_.aim(q, VectorX<double>::Zero(model_.nv()));
}

void Simulation::pull(int body, const Vec3<double>& point, const Vec3<double>& to) {
    if (body < 0 || body > model_.num_bodies())
        throw Error::because("pull: there is no body ", body);
    pull_.body = body;
    pull_.point = point;
    pull_.to = to;
    pull_.force = {};
    if (body == 0) {
        simulator_.forces().clear();
        return;
    }
    // How easily the point moves: J M⁻¹ Jᵀ, of which the trace is not less than what moves in any direction.
    const int n = model_.nv();
    MatrixX<double> J(6, n), M_inverse(n, n);
    const FrameId frame = model_.body_frame(body);
    forward_kinematics(workspace_, simulator_.q());
    frame_jacobian(workspace_, frame, ReferenceFrame::kWorldAligned, J);
    const Pose<double> pose = frame_pose(workspace_, frame);
    const Vec3<double> arm = pose.rotation * point;
    inverse_mass_matrix(workspace_, simulator_.q(), M_inverse);
    MatrixX<double> Jp = J.bottomRows(3);
    for (int k = 0; k < n; ++k) {
        const Vec3<double> turned = cross(Vec3<double>{J(0, k), J(1, k), J(2, k)}, arm);
        Jp(0, k) += turned.x;
        Jp(1, k) += turned.y;
        Jp(2, k) += turned.z;
    }
    pull_.mobility = (Jp * M_inverse * Jp.transpose()).trace();
    // The whole robot hangs five centimetres below the mouse; the point itself does not overshoot.
    constexpr double kFrequency = 14;
    pull_.stiffness = model_.total_mass() * kFrequency * kFrequency;
    pull_.damping = 2 * std::sqrt(pull_.stiffness / std::max(pull_.mobility, 1e-9));
}

// A spring and a damper between the point and the mouse, over the step that follows: divided by what an implicit step has,
// they are stable however light the body is.
void Simulation::update_pull() {
    if (pull_.body == 0) return;
    const FrameId frame = model_.body_frame(pull_.body);
    forward_kinematics(workspace_, simulator_.q(), simulator_.v());
    const Pose<double> pose = frame_pose(workspace_, frame);
    const Motion<double> velocity =
        frame_velocity(workspace_, frame, ReferenceFrame::kWorldAligned);
    const Vec3<double> arm = pose.rotation * pull_.point;
    const Vec3<double> v = velocity.linear + cross(velocity.angular, arm);
    const double h = simulator_.step_length();
    pull_.at = pose.position + arm;
    const double give = 1 + h * pull_.mobility * (pull_.damping + h * pull_.stiffness);
    pull_.force =
        (1 / give) * (pull_.stiffness * (pull_.to - pull_.at - h * v) - pull_.damping * v);
    // A hand, not a crane: no more than lifts the robot briskly.
    constexpr double kStrongest = 2.5 * 9.81;
    const double most = kStrongest * model_.total_mass(), size = norm(pull_.force);
    if (size > most) pull_.force = (most / size) * pull_.force;
    simulator_.forces().clear();
    simulator_.forces().add(frame, {cross(arm, pull_.force), pull_.force},
                            ReferenceFrame::kWorldAligned);
}

void Simulation::advance(int steps) {
    for (int k = 0; k < steps; ++k) {
        update_pull();
        if (controller_ == Controller::kGravityCompensation) {
            gravity_torque(workspace_, simulator_.q(), tau_);
            tau_ = tau_.cwiseProduct(has_motor_);
        }
        report_ = simulator_.step(tau_);
    }
}

// Twelve numbers first: time, kinetic and potential energy, residual, depth, how many contacts, and the force of the mouse
// with where it acts. Then q, v, the way from the neutral posture, the torques of the motors, the poses of all bodies, the
// centre of mass and its velocity; and each contact: mode, body, position, normal, force, friction.
const std::vector<double>& Simulation::numbers() {
    const auto put = [&](const VectorX<double>& x) {
        numbers_.insert(numbers_.end(), x.begin(), x.end());
    };
    numbers_ = {simulator_.time(),
                simulator_.kinetic_energy(),
                simulator_.potential_energy(),
                report_.solver.certificate.worst(),
                report_.deepest,
                static_cast<double>(simulator_.contacts().size())};
    append(pull_.force, numbers_);
    append(pull_.at, numbers_);
    put(simulator_.q());
    put(simulator_.v());
    VectorX<double> along(model_.nv());
    const VectorX<double> neutral = neutral_configuration(model_);
    kernel::difference(model_, neutral.data(), simulator_.q().data(), along.data());
    put(along);
    put(controller_ == Controller::kHold ? simulator_.holding_torque() : tau_);
    forward_kinematics(workspace_, simulator_.q(), simulator_.v());
    for (int i = 1; i <= model_.num_bodies(); ++i)
        append_pose(frame_pose(workspace_, model_.body_frame(i)), numbers_);
    const bool has_mass = model_.total_mass() > 0;
    append(has_mass ? center_of_mass(workspace_) : Vec3<double>{}, numbers_);
    append(has_mass ? com_velocity(workspace_) : Vec3<double>{}, numbers_);
    for (const Contact& contact : simulator_.contacts()) {
        numbers_.push_back(static_cast<double>(contact.mode));
        numbers_.push_back(contact.point.body_a);
        append(contact.point.position, numbers_);
        append(contact.point.normal, numbers_);
        append(contact.force, numbers_);
        numbers_.push_back(contact.point.surface.friction);
    }
    return numbers_;
}

}  // namespace plucker::page
