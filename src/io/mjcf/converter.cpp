#include "mjcf/converter.hpp"

#include <array>

#include "joint_words.hpp"
#include "plucker/spatial/quaternion.hpp"

namespace plucker::io {

std::string name_of(const mjModel& model, int type, int id) {
    const char* name = mj_id2name(&model, type, id);
    return name == nullptr ? "" : name;
}

Vec3<double> vec3(const mjtNum* p) { return {p[0], p[1], p[2]}; }

Pose<double> pose(const mjtNum* position, const mjtNum* wxyz) {
    const Quaternion<double> q{wxyz[1], wxyz[2], wxyz[3], wxyz[0]};
    return {transpose(coordinate_rotation(q)), vec3(position)};
}

void MjcfConverter::convert() {
    convert_options();
    decide_base();
    give_names();
    joint_index_.assign(static_cast<std::size_t>(m_.njnt), kNoJoint);
    for (int b = 0; b < m_.nbody; ++b) {
        if (b == 0 && out_.base == Base::kFloating) continue;  // there is no world link
        convert_body(b);
    }
    for (int s = 0; s < m_.nsite; ++s) convert_site(s);
    if (!is_disabled(mjDSBL_EQUALITY | mjDSBL_CONSTRAINT)) {
        for (int e = 0; e < m_.neq; ++e) convert_equality(e);
        for (const MjcfTie& tie : document_.ties().ties) convert_tie(tie);
    }
    for (const auto& bodies : document_.ties().apart) keep_apart(bodies);
    convert_keyframes();
    summary_.report_to(findings_);
}

SourceLocation MjcfConverter::source(const Origin& at) const {
    return at.file.empty() ? findings_.at(0) : SourceLocation{at.file, at.line};
}

// --- The world ------------------------------------------------------------------------------------

void MjcfConverter::convert_options() {
    const Origin at = document_.section("option");
    const bool weightless = is_disabled(mjDSBL_GRAVITY);
    out_.gravity = weightless ? Vec3<double>{} : vec3(m_.opt.gravity);
    if (weightless) note(at, "<option>", "switches gravity off; gravity is zero");
    if (is_disabled(mjDSBL_PASSIVE)) note(at, "<option>", "switches dampers off; damping is zero");
    if (is_disabled(mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT))
        note(at, "<option>", "switches friction off; friction is zero");
    if (m_.opt.density > 0 || m_.opt.viscosity > 0)
        warning(at, "<option>", "the forces of the surrounding fluid are not used");
}

// An MJCF file says itself how its base stands. A floating base is the one body of the world, on a free
// joint; any other free body hangs on a floating joint of its own.
void MjcfConverter::decide_base() {
    int on_world = 0, child = 0;
    for (int b = 1; b < m_.nbody; ++b) {
        if (m_.body_parentid[b] != 0) continue;
        ++on_world;
        child = b;
    }
    const bool floats = on_world == 1 && m_.body_jntnum[child] == 1 &&
                        m_.jnt_type[m_.body_jntadr[child]] == mjJNT_FREE;
    out_.base = floats ? Base::kFloating : Base::kFixed;
    const Origin at = document_.section("worldbody");
    if (options_.base == Base::kFloating && !floats) {
        warning(at, "<worldbody>",
                "a floating base was asked for, but the file fixes the robot to the world; give "
                "its only top-level body a <freejoint/>");
    }
    if (floats && m_.body_geomnum[0] > 0)
        note(at, "<worldbody>", "the shapes of the world are not used");
}

void MjcfConverter::give_names() {
    for (int b = 0; b < m_.nbody; ++b) {
        std::string wanted = b == 0 ? "world" : name(mjOBJ_BODY, b);
        if (wanted.empty()) wanted = "body_" + std::to_string(b);  // of a composite
        link_of_body_.push_back(link_names_.make(wanted));
    }
    for (int j = 0; j < m_.njnt; ++j) joint_names_.take(name(mjOBJ_JOINT, j));
}

// --- Bodies and joints ----------------------------------------------------------------------------

void MjcfConverter::convert_body(int b) {
    const std::string& link = link_of(b);
    const Origin at = b == 0 ? document_.section("worldbody") : document_.body(link);
    LinkDescription description{link, {}, {}, {}, source(at)};
    if (b > 0) {
        description.mass = mass_of(b);
        say_where_a_bound_puts_it(b, at);
    }
    convert_shapes(b, description);
    out_.links.push_back(std::move(description));
    if (b == 0) return;

    const bool is_root = m_.body_parentid[b] == 0 && out_.base == Base::kFloating;
    const int first_joint = m_.body_jntadr[b];  // negative if it has none
    std::vector<AnchoredJoint> joints;
    for (int k = 0; k < m_.body_jntnum[b]; ++k)
        joints.push_back(convert_joint(first_joint + k, is_root));
    if (m_.body_mocapid[b] >= 0) note(at, "body '" + link + "'", "is mocap; it is fixed");
    if (is_root) return;
    for (std::size_t k = 0; k < joints.size(); ++k)
        joint_index_[static_cast<std::size_t>(first_joint) + k] = out_.joints.size() + k;
    // The coordinates of a free body are its pose in the world, wherever the file puts it.
    const bool is_free = !joints.empty() && joints[0].joint.type == JointType::kFloating;
    connect(out_, link_of(m_.body_parentid[b]), link,
            is_free ? Pose<double>{} : pose(m_.body_pos + 3 * b, m_.body_quat + 4 * b), joints,
            link_names_, joint_names_, source(at));
}

MassProperties MjcfConverter::mass_of(int b) const {
    const Pose<double> at = pose(masses_.body_ipos + 3 * b, masses_.body_iquat + 4 * b);
    const mjtNum* I = masses_.body_inertia + 3 * b;
    return {masses_.body_mass[b], at.position,
            rotate_back(transpose(at.rotation), SymMat3<double>::diagonal(I[0], I[1], I[2]))};
}

// Of a body without shapes MuJoCo, in all versions, takes its place in the parent for the centre in the body itself. That
// matters where boundmass gives such a body a mass.
void MjcfConverter::say_where_a_bound_puts_it(int b, const Origin& at) {
    const Vec3<double> place = vec3(masses_.body_pos + 3 * b);
    if (masses_.body_geomnum[b] > 0 || document_.has_inertial(link_of(b)) ||
        !(masses_.body_mass[b] > 0) || norm(place) == 0)
        return;
    summary_.add(Severity::kWarning, at, "body '" + link_of(b) + "'",
                 "MuJoCo puts the mass that boundmass gives it, ", masses_.body_mass[b],
                 " kg, at its pos once more, (", place.x, " ", place.y, " ", place.z,
                 ") in its own frame; to put it at its origin, give it an <inertial>");
}

AnchoredJoint MjcfConverter::convert_joint(int j, bool is_root) {
    const std::string given = name(mjOBJ_JOINT, j);
    const Origin at = document_.joint(given);
    const std::string where = "joint '" + given + "'";
    const int dof = m_.jnt_dofadr[j];
    AnchoredJoint out;
    JointDescription& joint = out.joint;
    out.anchor = vec3(m_.jnt_pos + 3 * j);
    joint.name = given;
    joint.source = source(at);
    joint.armature = m_.dof_armature[dof];
    // A springdamper's damping is made from masses.
    if (!is_disabled(mjDSBL_PASSIVE)) joint.damping = masses_.dof_damping[dof];
    if (!is_disabled(mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT))
        joint.friction = m_.dof_frictionloss[dof];
    set_type(j, joint);
    convert_range(j, at, joint);
    if (joint.type == JointType::kFloating) free_of_constants(at, where, is_root, joint);
    if (masses_.jnt_stiffness[j] > 0)
        summary_.add(Severity::kWarning, at, where, "its spring (stiffness) is not used");
    if (is_root && document_.is_named(given)) out_.base_joint = given;
    if (given.empty()) joint.name = joint_names_.make("joint");  // of a composite
    if (given == out_.base_joint && out_.base == Base::kFloating && !is_root) {
        joint.name = joint_names_.make("base_joint");
        note(at, where, "is called '", joint.name, "': '", given, "' is the floating base's joint");
    }
    return out;
}

// MuJoCo moves a free body along the world's axes. Damping is alike in all directions, and so the same along the
// body's. An armature would resist the acceleration seen from the world, which a constant on the diagonal, in the
// body's coordinates, does not do; and friction acts on each of the world's axes by itself.
void MjcfConverter::free_of_constants(const Origin& at, const std::string& where, bool is_root,
                                      JointDescription& joint) {
    const auto drop = [&](const char* what, double& value, const char* why) {
        if (value > 0)
            summary_.add(Severity::kWarning, at, where, "its ", what, " of ", value,
                         " is not used: ", why,
                         "; if it comes from <default>, write <freejoint/>, which takes none");
        value = 0;
    };
    const char* along_axes = "on a free joint it acts along the world's axes";
    drop("armature", joint.armature, along_axes);
    drop("friction", joint.friction, along_axes);
    if (is_root) drop("damping", joint.damping, "a floating base is not damped here");
}

void MjcfConverter::set_type(int j, JointDescription& joint) const {
    // MuJoCo has numbered the words of the file: those of mjtJoint, in its order.
    constexpr std::array kWords{"free", "ball", "slide", "hinge"};
    static_assert(mjJNT_FREE == 0 && mjJNT_BALL == 1 && mjJNT_SLIDE == 2 && mjJNT_HINGE == 3);
    static const JointWords kTypes = joint_words(&FileWords::mjcf);
    joint.type = kTypes.at(kWords.at(static_cast<std::size_t>(m_.jnt_type[j])));
    if (number_of_axes(joint.type) > 0) joint.axis = vec3(m_.jnt_axis + 3 * j);
}

void MjcfConverter::convert_range(int j, const Origin& at, JointDescription& joint) {
    const std::string where = "joint '" + joint.name + "'";
    const bool is_limited = m_.jnt_limited[j] != 0;
    if (m_.jnt_type[j] != mjJNT_HINGE && m_.jnt_type[j] != mjJNT_SLIDE) {
        if (is_limited)
            summary_.add(Severity::kNote, at, where, "the limit of a ball joint is not used");
        return;
    }
    const double ref = m_.qpos0[m_.jnt_qposadr[j]];
    if (ref != 0) {
        summary_.add(Severity::kNote, at, where, "its coordinate here is MuJoCo's less its ref, ",
                     ref, ": zero in the pose that the file describes");
    }
    if (!is_limited) return;
    joint.limits.lower = m_.jnt_range[2 * j] - ref;
    joint.limits.upper = m_.jnt_range[2 * j + 1] - ref;
}

// --- Postures ---------------------------------------------------------------------------------------

// Coordinates here are MuJoCo's less those of the file, but for what has an attitude, whose are in the same place.
PostureDescription MjcfConverter::posture_at(const std::string& name, const double* qpos,
                                             const Origin& at) const {
    PostureDescription out{name, {}, source(at)};
    for (int j = 0; j < m_.njnt; ++j) {
        const std::size_t index = joint_index_[static_cast<std::size_t>(j)];
        const std::string& joint = index == kNoJoint ? out_.base_joint : out_.joints[index].name;
        const double* x = qpos + m_.jnt_qposadr[j];
        const auto quaternion = [](const double* wxyz) {
            return std::vector<double>{wxyz[1], wxyz[2], wxyz[3], wxyz[0]};
        };
        std::vector<double> coordinates;
        if (m_.jnt_type[j] == mjJNT_FREE) {
            coordinates = {x[0], x[1], x[2]};
            for (const double part : quaternion(x + 3)) coordinates.push_back(part);
        } else if (m_.jnt_type[j] == mjJNT_BALL) {
            coordinates = quaternion(x);
        } else {
            coordinates = {x[0] - m_.qpos0[m_.jnt_qposadr[j]]};
        }
        out.joints.emplace_back(joint, std::move(coordinates));
    }
    return out;
}

// Zero is the pose of the file for all joints but free ones: where these are is a posture too.
void MjcfConverter::convert_keyframes() {
    for (const MjcfKeyframe& key : document_.keyframes()) {
        const std::string who = "keyframe '" + key.name + "'";
        if (!key.qpos.empty() && static_cast<int>(key.qpos.size()) != m_.nq) {
            summary_.add(Severity::kWarning, key.at, who, "is not used: its qpos has ",
                         key.qpos.size(), key.qpos.size() == 1 ? " number" : " numbers",
                         ", and the robot ", m_.nq, m_.nq == 1 ? " coordinate" : " coordinates");
            continue;
        }
        const double* qpos = key.qpos.empty() ? m_.qpos0 : key.qpos.data();
        out_.postures.push_back(posture_at(posture_names_.make(key.name), qpos, key.at));
    }
    for (int j = 0; j < m_.njnt; ++j) {
        if (m_.jnt_type[j] != mjJNT_FREE) continue;
        if (!posture_names_.contains(kPostureOfFile))
            out_.postures.push_back(posture_at(posture_names_.make(kPostureOfFile), m_.qpos0,
                                               document_.section("worldbody")));
        return;
    }
}

// --- Sites -------------------------------------------------------------------------

void MjcfConverter::convert_site(int s) {
    const int b = m_.site_bodyid[s];
    const std::string given = name(mjOBJ_SITE, s);
    if (given.empty() || (b == 0 && out_.base == Base::kFloating)) return;
    const Origin at = document_.site(given);
    std::string called = given;
    if (link_names_.contains(given)) {
        called = link_names_.make(given + "_site");
        note(at, "site '" + given + "'", "is called '", called, "': the name is that of a body");
    }
    out_.frames.push_back(
        {called, link_of(b), pose(m_.site_pos + 3 * s, m_.site_quat + 4 * s), source(at)});
}

}  // namespace plucker::io
