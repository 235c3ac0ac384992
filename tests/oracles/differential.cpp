#include "oracles/differential.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "oracles/oracle.hpp"

namespace plucker::test {
namespace {

// Joint constants that a library lacks, by our velocity coordinates. They are added to its answers as they are
// defined.
struct LackedConstants {
    VectorX<double> armature, friction;

    LackedConstants(const Model& model, const Oracle& oracle)
        : armature(VectorX<double>::Zero(model.nv())), friction(armature) {
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Body<double>& body = model.body(i);
            const JointDescription& joint = model.joint(i);
            const double ratio = body.multiplier;
            for (int k = body.v_index; k < body.v_index + body.nv; ++k) {
                friction[k] += std::abs(ratio) * joint.friction;
                if (!oracle.has_armature(joint.type)) armature[k] += ratio * ratio * joint.armature;
            }
        }
    }
    VectorX<double> torque(const VectorX<double>& v, const VectorX<double>& a) const {
        return friction.cwiseProduct(v.cwiseSign()) + armature.cwiseProduct(a);
    }
};

class Comparison {
public:
    Comparison(const Model& model, Oracle& oracle)
        : model_(model), ws_(model), oracle_(oracle), lacked_(model, oracle) {}

    std::string at(const State& s, const std::vector<LinkForce>& forces) {
        const VectorX<double> zero = VectorX<double>::Zero(model_.nv());
        oracle_.set_state(s.q, zero, {});
        const VectorX<double> gravity = gravity_torque(model_, s.q);
        agree("gravity torque", gravity, their_torque(zero, zero), scale_of(gravity));

        oracle_.set_state(s.q, s.v, {});
        const VectorX<double> bias = bias_torque(model_, s.q, s.v);
        agree("bias torque", bias, their_torque(s.v, zero), scale_of(bias) + scale_of(gravity));
        const MatrixX<double> M = mass_matrix(model_, s.q);
        const MatrixX<double> lacked = lacked_.armature.asDiagonal();
        agree("mass matrix", M, oracle_.mass_matrix() + lacked, scale_of(M));

        forward_kinematics(ws_, s.q, s.v, s.a);
        for (const LinkDescription& link : model_.description().links) compare_link(link.name);

        // Forward dynamics is asked for the torque that our acceleration needs: a screw or a mimic that is composed of
        // free joints there would come apart in theirs.
        const ExternalForces<double> external = external_forces(ws_, forces);
        oracle_.set_state(s.q, s.v, forces);
        const VectorX<double> tau = inverse_dynamics(model_, s.q, s.v, s.a, &external);
        const double load = scale_of(bias) + scale_of(gravity) + kForceScale;
        agree("inverse dynamics", tau, their_torque(s.v, s.a), load + scale_of(M) * scale_of(s.a));
        const VectorX<double> a = forward_dynamics(model_, s.q, s.v, s.tau, &external);
        agree("torque of forward dynamics", s.tau, their_torque(s.v, a),
              load + scale_of(M) * scale_of(a));
        return what_;
    }

private:
    // Forces of a few newtons on arms of a few metres.
    static constexpr double kForceScale = 10;

    static double scale_of(const MatrixX<double>& terms) {
        return terms.size() == 0 ? 0 : terms.cwiseAbs().maxCoeff();
    }
    VectorX<double> their_torque(const VectorX<double>& v, const VectorX<double>& a) {
        return oracle_.inverse_dynamics(v, a) + lacked_.torque(v, a);
    }

    void compare_link(const std::string& name) {
        const FrameId frame = model_.frame_id(name);
        const Pose<double> ours = frame_pose(ws_, frame), theirs = oracle_.pose(name);
        agree("position of " + name, to_eigen(ours.position), to_eigen(theirs.position),
              scale_of(to_eigen(ours.position)));
        agree("rotation of " + name, to_eigen(ours.rotation), to_eigen(theirs.rotation), 1);
        const auto along_world = ReferenceFrame::kWorldAligned;
        const Vector6<double> v = to_eigen(frame_velocity(ws_, frame, along_world));
        agree("velocity of " + name, v, oracle_.velocity(name), scale_of(v));
        MatrixX<double> J(6, model_.nv());
        frame_jacobian(ws_, frame, along_world, J);
        agree("Jacobian of " + name, J, oracle_.jacobian(name), scale_of(J));
    }

    // Keeps the first thing that does not agree. `scale`: the size of the terms that were added up.
    void agree(const std::string& what, const MatrixX<double>& ours, const MatrixX<double>& theirs,
               double scale) {
        if (!what_.empty()) return;
        // Eight links in a row, each side with its own rounding: four digits of sixteen.
        constexpr double kRounding = 1e-12;
        const double off = ours.size() == 0 ? 0 : (ours - theirs).cwiseAbs().maxCoeff();
        if (off <= kRounding * (1 + scale)) return;  // not so for NaN either
        std::ostringstream out;
        out << what << " differs from " << oracle_.name() << "'s by " << off << "\nours:\n"
            << ours << "\ntheirs:\n"
            << theirs;
        what_ = out.str();
    }

    const Model& model_;
    Workspace<double> ws_;
    Oracle& oracle_;
    LackedConstants lacked_;
    std::string what_;
};

// --- Shrinking ----------------------------------------------------------------------------------

// Calls f(robot) with one simplification after the other, until f takes one.
class Shrinker {
public:
    Shrinker(Description& robot, const std::function<bool(const Description&)>& fails)
        : robot_(robot), fails_(fails) {}

    bool shrink_once() {
        for (std::size_t k = robot_.joints.size(); k-- > 0;) {
            if (try_without_leaf(k)) return true;
        }
        if (try_with([](Description& d) { d.base = Base::kFixed; })) return true;
        if (try_with([](Description& d) { d.fixed_joints = FixedJoints::kMerge; })) return true;
        if (try_with([](Description& d) { d.gravity = {}; })) return true;
        for (std::size_t k = 0; k < robot_.joints.size(); ++k) {
            if (try_plainer_joint(k)) return true;
        }
        for (std::size_t k = 0; k < robot_.links.size(); ++k) {
            if (try_with([&](Description& d) { d.links[k].mass = {}; })) return true;
            if (try_with([&](Description& d) { d.links[k].mass.center = {}; })) return true;
        }
        return false;
    }

private:
    // Kept if it changes the robot and it still fails.
    template <class Edit>
    bool try_with(Edit&& edit) {
        Description candidate = robot_;
        edit(candidate);
        if (to_text(candidate) == to_text(robot_) || has_errors(find_errors(candidate)))
            return false;
        if (!fails_(candidate)) return false;
        robot_ = std::move(candidate);
        return true;
    }
    bool try_without_leaf(std::size_t k) {
        return try_with([&](Description& d) {
            const std::string child = d.joints[k].child;
            d.joints.erase(d.joints.begin() + static_cast<long>(k));
            std::erase_if(d.links, [&](const auto& link) { return link.name == child; });
        });
    }
    bool try_plainer_joint(std::size_t k) {
        const auto with = [&](auto member, const auto& value) {
            return try_with([&](Description& d) { d.joints[k].*member = value; });
        };
        return with(&JointDescription::mimic, std::optional<Mimic>{}) ||
               with(&JointDescription::type, JointType::kFixed) ||
               with(&JointDescription::armature, 0.0) || with(&JointDescription::damping, 0.0) ||
               with(&JointDescription::friction, 0.0) ||
               with(&JointDescription::placement, Pose<double>{}) ||
               with(&JointDescription::axis, Vec3<double>{0, 0, 1});
    }

    Description& robot_;
    const std::function<bool(const Description&)>& fails_;
};

std::ostream& operator<<(std::ostream& out, const Vec3<double>& a) {
    return out << '(' << a.x << ' ' << a.y << ' ' << a.z << ')';
}

}  // namespace

std::string disagreement(const Description& ours, const Description& theirs, unsigned seed) {
    const Model model(ours);
    std::mt19937 generator(seed);
    for (const auto& oracle : oracles_for(theirs)) {
        constexpr int kStates = 2;
        for (int k = 0; k < kStates; ++k) {
            const State state = random_state(model, generator);
            const std::vector<LinkForce> forces = random_forces(model, generator);
            const std::string what = Comparison(model, *oracle).at(state, forces);
            if (!what.empty()) return what;
        }
    }
    return "";
}

Description shrunken(Description robot, const std::function<bool(const Description&)>& fails) {
    while (Shrinker(robot, fails).shrink_once()) {
    }
    return robot;
}

std::string to_text(const Description& robot) {
    std::ostringstream out;
    out << std::setprecision(17);
    out << robot.name << ", base " << (robot.base == Base::kFloating ? "floating" : "fixed")
        << ", fixed joints " << (robot.fixed_joints == FixedJoints::kKeep ? "kept" : "merged")
        << ", gravity " << robot.gravity << '\n';
    for (const LinkDescription& link : robot.links) {
        const SymMat3<double>& I = link.mass.about_center;
        out << "  " << link.name << ": mass " << link.mass.mass << " at " << link.mass.center
            << ", inertia " << Vec3<double>{I.xx, I.yy, I.zz} << ' '
            << Vec3<double>{I.xy, I.xz, I.yz} << '\n';
    }
    for (const JointDescription& joint : robot.joints) {
        const Mat3<double>& R = joint.placement.rotation;
        out << "  " << joint.name << ": " << name_of(joint.type) << " from " << joint.parent
            << " to " << joint.child << " at " << joint.placement.position << ", rows " << R.x
            << R.y << R.z << ", axes " << joint.axis << joint.second_axis << ", pitch "
            << joint.pitch << ", armature " << joint.armature << ", damping " << joint.damping
            << ", friction " << joint.friction;
        if (joint.mimic) {
            out << ", mimics " << joint.mimic->joint << " × " << joint.mimic->multiplier << " + "
                << joint.mimic->offset;
        }
        out << '\n';
    }
    return out.str();
}

}  // namespace plucker::test
