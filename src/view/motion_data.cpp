#include "motion_data.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "plucker/algorithms/table.hpp"
#include "plucker/joints/joint.hpp"
#include "plucker/model/conventions.hpp"
#include "plucker/model/workspace.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker::view {
namespace {

using nlohmann::ordered_json;

// A curve to plot.
struct Series {
    std::string group, name, unit;
    std::vector<float> values;
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
};

ordered_json series_data(const Series& series, Buffers& buffers) {
    ordered_json out{{"group", series.group},
                     {"name", series.name},
                     {"unit", series.unit},
                     {"values", buffers.add(std::span(series.values))}};
    if (std::isfinite(series.lower)) out["lower"] = series.lower;
    if (std::isfinite(series.upper)) out["upper"] = series.upper;
    return out;
}

// How many of a joint's velocities turn; these come first.
int turning(JointType type) {
    return visit_joint(type, [](auto joint) { return static_cast<int>(joint.kTurns); });
}

// The unit of a joint's coordinate, counted from its first; quaternions, which stand last, have none.
const char* unit_of(JointType type, int coordinate) {
    return visit_joint(type, [&](auto joint) {
        if (joint.kHasQuaternion && coordinate >= joint.kNq - 4) return "";
        if constexpr (requires { joint.kFirstAngle; }) {
            const int angle = coordinate - joint.kFirstAngle;
            if (angle >= 0 && angle < joint.kAngles) return "rad";
        }
        return "m";
    });
}

class MotionData {
public:
    MotionData(const Model& model, const Recording& recording)
        : model_(model),
          recording_(recording),
          workspace_(model),
          has_mass_(model.total_mass() > 0) {
        for (const auto& frame : model.frames()) names_.push_back(frame.name);
        for (std::size_t k = 0; k < names_.size(); ++k) index_[names_[k]] = k;
        const auto& instants = recording.instants;
        const auto all = [&](auto&& has) {
            return std::all_of(instants.begin(), instants.end(), has);
        };
        has_v_ = all([](const RecordedInstant& x) { return x.v.size() > 0; });
        has_tau_ = all([](const RecordedInstant& x) { return x.tau.size() > 0; });
        has_energy_ = all([](const RecordedInstant& x) { return x.energy.has_value(); });
        has_residual_ = std::any_of(instants.begin(), instants.end(), [](const RecordedInstant& x) {
            return x.residual.has_value();
        });
        has_contacts_ = std::any_of(instants.begin(), instants.end(),
                                    [](const RecordedInstant& x) { return !x.contacts.empty(); });
    }

    ordered_json data(const std::string& name, Buffers& buffers) {
        declare_series();
        for (const RecordedInstant& instant : recording_.instants) add(instant);
        ordered_json out{{"name", name},
                         {"times", buffers.add(std::span(std::as_const(times_)))},
                         {"poses", buffers.add(std::span(std::as_const(poses_)))},
                         {"center", buffers.add(std::span(std::as_const(center_)))},
                         {"names", names_},
                         {"ground", recording_.header.ground.has_value()}};
        if (has_v_)
            out["center_velocity"] = buffers.add(std::span(std::as_const(center_velocity_)));
        ordered_json list = ordered_json::array();
        for (const Series& series : series_) list.push_back(series_data(series, buffers));
        out["series"] = std::move(list);
        contact_starts_.push_back(static_cast<std::uint32_t>(contact_links_.size()));
        push_starts_.push_back(static_cast<std::uint32_t>(push_links_.size()));
        out["contacts"] = {{"starts", buffers.add(std::span(std::as_const(contact_starts_)))},
                           {"links", buffers.add(std::span(std::as_const(contact_links_)))},
                           {"modes", buffers.add(std::span(std::as_const(contact_modes_)))},
                           {"numbers", buffers.add(std::span(std::as_const(contact_numbers_)))}};
        out["pushes"] = {{"starts", buffers.add(std::span(std::as_const(push_starts_)))},
                         {"links", buffers.add(std::span(std::as_const(push_links_)))},
                         {"numbers", buffers.add(std::span(std::as_const(push_numbers_)))}};
        return out;
    }

private:
    void declare(std::string group, std::string name, std::string unit,
                 const JointLimits& limits = {}) {
        series_.push_back(
            {std::move(group), std::move(name), std::move(unit), {}, limits.lower, limits.upper});
        series_.back().values.reserve(recording_.instants.size());
    }

    // In the order in which add fills them.
    void declare_series() {
        const Coordinates coordinates(model_, Convention::kPlucker, MimicJoints::kLeftOut);
        const auto joint_of = [&](int coordinate, int Body<double>::*first,
                                  int Body<double>::*count) {
            for (int i = 1; i <= model_.num_bodies(); ++i) {
                const Body<double>& body = model_.body(i);
                if (!body.mimic && coordinate >= body.*first &&
                    coordinate < body.*first + body.*count)
                    return i;
            }
            return 0;
        };
        for (int k = 0; k < model_.nq(); ++k) {
            const int i = joint_of(k, &Body<double>::q_index, &Body<double>::nq);
            const Body<double>& body = model_.body(i);
            declare("positions", coordinates.q_names()[static_cast<std::size_t>(k)],
                    unit_of(body.joint, k - body.q_index),
                    body.nq == 1 ? model_.joint(i).limits : JointLimits{});
        }
        const auto velocity_like = [&](const char* group, const char* angular, const char* linear,
                                       double JointLimits::*limit) {
            for (int k = 0; k < model_.nv(); ++k) {
                const int i = joint_of(k, &Body<double>::v_index, &Body<double>::nv);
                const Body<double>& body = model_.body(i);
                const double most = model_.joint(i).limits.*limit;
                declare(group, coordinates.v_names()[static_cast<std::size_t>(k)],
                        k - body.v_index < turning(body.joint) ? angular : linear,
                        body.nv == 1 ? JointLimits{-most, most} : JointLimits{});
            }
        };
        if (has_v_) velocity_like("velocities", "rad/s", "m/s", &JointLimits::velocity);
        if (has_tau_) velocity_like("torques", "N m", "N", &JointLimits::effort);
        if (has_v_ || has_energy_) {
            for (const char* name : {"kinetic", "potential", "total"}) declare("energy", name, "J");
        } else {
            declare("energy", "potential", "J");
        }
        if (has_v_) {
            for (const char* name : {"linear x", "linear y", "linear z"})
                declare("momentum", name, "kg m/s");
            for (const char* name : {"angular x", "angular y", "angular z"})
                declare("momentum", name, "kg m²/s");
        }
        for (const char* name : {"x", "y", "z"}) declare("centre of mass", name, "m");
        if (has_contacts_) {
            for (const char* name : {"x", "y", "z"}) declare("contact force", name, "N");
        }
        if (has_residual_) declare("residual", "residual", "m/s");
    }

    void add(const RecordedInstant& instant) {
        std::size_t at = 0;
        const auto plot = [&](double x) { series_[at++].values.push_back(static_cast<float>(x)); };
        const auto plot_vector = [&](const Vec3<double>& x) {
            plot(x.x);
            plot(x.y);
            plot(x.z);
        };
        times_.push_back(instant.time);
        if (has_v_) {
            forward_kinematics(workspace_, instant.q, instant.v);
        } else {
            forward_kinematics(workspace_, instant.q);
        }
        add_poses();
        for (const double x : instant.q) plot(x);
        if (has_v_) {
            for (const double x : instant.v) plot(x);
        }
        if (has_tau_) {
            for (const double x : instant.tau) plot(x);
        }
        const double potential =
            has_energy_ ? instant.energy->potential : potential_energy(workspace_);
        if (has_v_ || has_energy_) {
            const double kinetic = has_energy_ ? instant.energy->kinetic
                                               : kinetic_energy(workspace_, instant.q, instant.v);
            plot(kinetic);
            plot(potential);
            plot(kinetic + potential);
        } else {
            plot(potential);
        }
        const Vec3<double> center = has_mass_ ? center_of_mass(workspace_) : Vec3<double>{};
        push(center_, center);
        if (has_v_) {
            const Force<double> momentum =
                has_mass_ ? centroidal_momentum(workspace_) : Force<double>{};
            plot_vector(momentum.linear);
            plot_vector(momentum.angular);
            push(center_velocity_, has_mass_ ? com_velocity(workspace_) : Vec3<double>{});
        }
        plot_vector(center);
        Vec3<double> total{};
        for (const RecordedContact& contact : instant.contacts) total += contact.force;
        if (has_contacts_) plot_vector(total);
        if (has_residual_) plot(instant.residual.value_or(0));
        add_forces(instant);
    }

    void add_poses() {
        for (int i = 1; i <= model_.num_bodies(); ++i) {
            const Pose<double> pose = frame_pose(workspace_, model_.body_frame(i));
            const Mat3<double>& R = pose.rotation;
            Eigen::Matrix3d m;
            m << R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z, R.z.x, R.z.y, R.z.z;
            const Eigen::Quaterniond attitude(m);
            push(poses_, pose.position);
            for (const double x : {attitude.x(), attitude.y(), attitude.z(), attitude.w()})
                poses_.push_back(static_cast<float>(x));
        }
    }

    void add_forces(const RecordedInstant& instant) {
        contact_starts_.push_back(static_cast<std::uint32_t>(contact_links_.size()));
        for (const RecordedContact& contact : instant.contacts) {
            contact_links_.push_back(index_of(contact.link));
            contact_modes_.push_back(static_cast<std::uint32_t>(contact.mode));
            push(contact_numbers_, contact.position);
            push(contact_numbers_, contact.normal);
            push(contact_numbers_, contact.force);
            const double of_ground =
                recording_.header.ground ? recording_.header.ground->friction : -1;
            contact_numbers_.push_back(static_cast<float>(contact.friction.value_or(of_ground)));
        }
        push_starts_.push_back(static_cast<std::uint32_t>(push_links_.size()));
        for (const RecordedPush& p : instant.pushes) {
            push_links_.push_back(index_of(p.link));
            push(push_numbers_, p.position);
            push(push_numbers_, p.force);
        }
    }

    std::uint32_t index_of(const std::string& link) const {
        const auto found = index_.find(link);
        if (found == index_.end()) throw unknown_name("link in a recording", link, names_);
        return static_cast<std::uint32_t>(found->second);
    }

    static void push(std::vector<float>& to, const Vec3<double>& x) {
        for (const double number : {x.x, x.y, x.z}) to.push_back(static_cast<float>(number));
    }

    const Model& model_;
    const Recording& recording_;
    Workspace<double> workspace_;
    bool has_mass_, has_v_ = false, has_tau_ = false, has_energy_ = false, has_residual_ = false;
    bool has_contacts_ = false;
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::size_t> index_;
    std::vector<double> times_;
    std::vector<float> poses_, center_, center_velocity_, contact_numbers_, push_numbers_;
    std::vector<std::uint32_t> contact_starts_, contact_links_, contact_modes_;
    std::vector<std::uint32_t> push_starts_, push_links_;
    std::vector<Series> series_;
};

// From `start` to the upper limit, to the lower one and back, in one unit of time: its value and its rate.
std::array<double, 2> sweep(double t, double lower, double upper) {
    const double turn = 2 * std::numbers::pi * t;
    const double s = std::sin(turn);
    const double reach = s > 0 ? upper : -lower;
    // Squared, it leaves and arrives at rest.
    const double sign = s > 0 ? 1 : -1;
    return {sign * reach * s * s, sign * reach * 4 * std::numbers::pi * s * std::cos(turn)};
}

}  // namespace

ordered_json motion_data(const Model& model, const std::string& name, const Recording& recording,
                         Buffers& buffers) {
    return MotionData(model, recording).data(name, buffers);
}

Recording demonstration(const Model& model) {
    constexpr double kReach = 0.8;        // where there are no limits, in radians
    constexpr double kReachAlong = 0.25;  // in metres
    constexpr double kLongestJoint = 2.4, kLongestAll = 90;  // in seconds
    constexpr int kPerSecond = 30;

    VectorX<double> start = neutral_configuration(model);
    std::vector<int> moved;  // velocity coordinates
    std::vector<std::array<double, 2>> reaches;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic || body.joint == JointType::kFloating) continue;
        const JointLimits& limits = model.limits_with_followers(i);
        if (body.nq == 1)
            start[body.q_index] = std::clamp(start[body.q_index], limits.lower, limits.upper);
        for (int k = 0; k < body.nv; ++k) {
            const double reach = k < turning(body.joint) ? kReach : kReachAlong;
            double lower = -reach, upper = reach;
            if (body.nv == 1) {
                lower = std::max(limits.lower - start[body.q_index], -4 * reach);
                upper = std::min(limits.upper - start[body.q_index], 4 * reach);
                if (!std::isfinite(limits.lower)) lower = -reach;
                if (!std::isfinite(limits.upper)) upper = reach;
            }
            moved.push_back(body.v_index + k);
            reaches.push_back({lower, upper});
        }
    }
    Recording out;
    out.header.model = model.name();
    const double each = std::min(
        kLongestJoint, kLongestAll / std::max<double>(1, static_cast<double>(moved.size())));
    const int frames = std::max(8, static_cast<int>(each * kPerSecond));
    const auto add = [&](double time, const VectorX<double>& q, const VectorX<double>& v) {
        RecordedInstant instant;
        instant.time = time;
        instant.q = q;
        instant.v = v;
        instant.tau = gravity_torque(model, q);
        out.instants.push_back(std::move(instant));
    };
    for (std::size_t j = 0; j < moved.size(); ++j) {
        for (int k = 0; k < frames; ++k) {
            const double t = static_cast<double>(k) / frames;
            const auto [value, rate] = sweep(t, reaches[j][0], reaches[j][1]);
            const VectorX<double> along = VectorX<double>::Unit(model.nv(), moved[j]);
            add(each * (static_cast<double>(j) + t), integrate(model, start, value * along),
                (rate / each) * along);
        }
    }
    add(each * static_cast<double>(moved.size()), start, VectorX<double>::Zero(model.nv()));
    return out;
}

}  // namespace plucker::view
