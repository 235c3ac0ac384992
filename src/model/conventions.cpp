#include "plucker/model/conventions.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "plucker/spatial/eigen.hpp"

namespace plucker {
namespace {

// The numbers of the bodies that have a joint with coordinates, as urdfdom and Pinocchio come upon them: depth first,
// through fixed joints too, and siblings by the names of their joints.
std::vector<int> bodies_by_joint_names(const Model& model) {
    const Description& d = model.description();
    std::map<std::string, std::map<std::string, const JointDescription*>> joints_from;
    std::map<std::string, int> number;
    for (const JointDescription& joint : d.joints) joints_from[joint.parent][joint.name] = &joint;
    for (int i = 1; i <= model.num_bodies(); ++i) number[model.joint(i).name] = i;
    std::vector<int> out;
    if (model.has_floating_base()) out.push_back(1);
    std::vector<const JointDescription*> stack;
    const auto push_joints_from = [&](const std::string& link) {
        const auto& joints = joints_from[link];
        for (auto at = joints.rbegin(); at != joints.rend(); ++at) stack.push_back(at->second);
    };
    push_joints_from(model.frame(model.body_frame(model.has_floating_base() ? 1 : 0)).name);
    while (!stack.empty()) {
        const JointDescription& joint = *stack.back();
        stack.pop_back();
        if (const auto found = number.find(joint.name); found != number.end())
            out.push_back(found->second);
        push_joints_from(joint.child);
    }
    return out;
}

std::vector<int> bodies_in_order(const Model& model, Convention convention) {
    if (convention == Convention::kPinocchio) return bodies_by_joint_names(model);
    std::vector<int> out;
    if (convention == Convention::kFile) {
        std::map<std::string, int> number;
        for (int i = 1; i <= model.num_bodies(); ++i) number[model.joint(i).name] = i;
        if (model.has_floating_base()) out.push_back(1);
        for (const JointDescription& joint : model.description().joints) {
            if (const auto found = number.find(joint.name); found != number.end())
                out.push_back(found->second);
        }
        return out;
    }
    for (int i = 1; i <= model.num_bodies(); ++i) out.push_back(i);
    return out;
}

bool is_unlimited(const JointDescription& joint) {
    return has_one_freedom(joint.type) && std::isinf(joint.limits.lower) &&
           std::isinf(joint.limits.upper);
}

Eigen::Quaterniond quaternion_xyzw(const double* x) { return {x[3], x[0], x[1], x[2]}; }
Eigen::Quaterniond quaternion_wxyz(const double* x) { return {x[0], x[1], x[2], x[3]}; }
void store_xyzw(const Eigen::Quaterniond& a, double* out) {
    Eigen::Map<Eigen::Vector4d>{out} = a.coeffs();
}
void store_wxyz(const Eigen::Quaterniond& a, double* out) {
    Eigen::Map<Eigen::Vector4d>{out} << a.w(), a.x(), a.y(), a.z();
}

bool is_identity(const Transform<double>& X) {
    return to_eigen(X.E) == Eigen::Matrix3d::Identity() && to_eigen(X.r) == Eigen::Vector3d::Zero();
}

}  // namespace

Coordinates::Coordinates(const Model& model, Convention convention, MimicJoints mimic_joints)
    : model_(model), convention_(convention) {
    for (const int i : bodies_in_order(model, convention)) {
        if (model.body(i).nv == 0) continue;
        const bool is_ours = convention == Convention::kPlucker || convention == Convention::kFile;
        if (model.body(i).mimic && (is_ours || mimic_joints == MimicJoints::kLeftOut)) continue;
        add(i);
    }
    only_permutes_ = turns_.empty() && nv() == model.nv();
}

Coordinates::Form Coordinates::form_of(int i) const {
    const JointDescription& joint = model_.joint(i);
    const CoordinateForms forms = forms_of(joint.type);
    if (convention_ == Convention::kPinocchio) {
        return is_unlimited(joint) ? forms.pinocchio_unlimited : forms.pinocchio;
    }
    if (convention_ != Convention::kMujoco) return Form::kOurs;
    if (forms.mujoco == Form::kNone) {
        throw Error::because("joint '", joint.name, "' is ", name_of(joint.type),
                             "; MuJoCo has no such joint, nor coordinates for it");
    }
    if (forms.mujoco == Form::kWorldLinear && model_.body(i).parent != 0) {
        throw Error::because("joint '", joint.name,
                             "' floats on another body; MuJoCo's free joints are the world's");
    }
    return forms.mujoco;
}

void Coordinates::add(int i) {
    const Body<double>& body = model_.body(i);
    const Joint joint{i, form_of(i), nq(), nv()};
    joints_.push_back(joint);
    name_coordinates(joint);
    // A turned velocity is along other axes; a position in the world is another than one from the joint's place.
    q_differs_.resize(q_names_.size(),
                      joint.form == Form::kWorldLinear && !is_identity(body.X_tree));
    v_differs_.resize(v_names_.size(), false);
    if (turns_.empty() || turns_.back().body != i) return;
    const auto turned = v_differs_.begin() + turns_.back().at;
    std::fill(turned, turned + turns_.back().size, true);
}

// Its coordinates there, by their names.
void Coordinates::name_coordinates(const Joint& joint) {
    const int i = joint.body;
    const Body<double>& body = model_.body(i);
    const std::string& name = model_.joint(i).name;
    const auto name_velocities = [&](const std::vector<int>& order) {
        for (const int k : order) {
            const int ours = body.v_index + k;
            order_.push_back(ours);
            multiplier_.push_back(body.multiplier);
            follows_.push_back(body.mimic);
            v_names_.push_back(
                body.mimic ? name : model_.velocity_names()[static_cast<std::size_t>(ours)]);
        }
    };
    const auto name_positions = [&](std::initializer_list<const char*> suffixes) {
        for (const char* suffix : suffixes) q_names_.push_back(name + suffix);
    };
    switch (joint.form) {
        case Form::kCosSin:
            name_positions({".cos", ".sin"});
            return name_velocities({0});
        case Form::kPlanarCosSin:
            name_positions({".linear.x", ".linear.y", ".cos", ".sin"});
            return name_velocities({1, 2, 0});
        case Form::kPlanarRates:
            name_positions({".linear.x", ".linear.y", ".angular.z"});
            turns_.push_back({i, joint.v_at, 2});
            return name_velocities({1, 2, 0});
        case Form::kLinearFirst:
        case Form::kWorldLinear:
            name_positions({".position.x", ".position.y", ".position.z"});
            if (joint.form == Form::kLinearFirst) {
                name_positions(
                    {".quaternion.x", ".quaternion.y", ".quaternion.z", ".quaternion.w"});
            } else {
                name_positions(
                    {".quaternion.w", ".quaternion.x", ".quaternion.y", ".quaternion.z"});
                turns_.push_back({i, joint.v_at, 3});
            }
            return name_velocities({3, 4, 5, 0, 1, 2});
        case Form::kWxyz:
            name_positions({".quaternion.w", ".quaternion.x", ".quaternion.y", ".quaternion.z"});
            return name_velocities({0, 1, 2});
        case Form::kOurs:
        case Form::kNone:
            break;
    }
    for (const char* suffix : position_suffixes(body.joint)) q_names_.push_back(name + suffix);
    std::vector<int> all(static_cast<std::size_t>(body.nv));
    std::iota(all.begin(), all.end(), 0);
    name_velocities(all);
}

void Coordinates::check(const char* what, long size, long expected) const {
    if (size == expected) return;
    throw Error::because(what, " has ", size, size == 1 ? " number" : " numbers", ", expected ",
                         expected, " in the order of ",
                         convention_names()[static_cast<std::size_t>(convention_)]);
}

void Coordinates::refuse_mimic_joints(const char* function) const {
    if (nv() == model_.nv()) return;
    throw Error::because(
        function, ": robot '", model_.name(),
        "' has joints that mimic others, and a matrix for each of them alone does not follow from "
        "ours; use MimicJoints::kLeftOut");
}

// --- Configurations ------------------------------------------------------------------------------

void Coordinates::export_joint(const Joint& joint, const VectorX<double>& q, double* theirs) const {
    const Body<double>& body = model_.body(joint.body);
    const double* ours = q.data() + body.q_index;
    const double angle = body.multiplier * ours[0] + body.offset;  // of a joint with one coordinate
    switch (joint.form) {
        case Form::kCosSin:
            theirs[0] = std::cos(angle);
            theirs[1] = std::sin(angle);
            return;
        case Form::kPlanarCosSin:
            std::copy(ours, ours + 2, theirs);
            theirs[2] = std::cos(ours[2]);
            theirs[3] = std::sin(ours[2]);
            return;
        case Form::kWorldLinear: {
            // The pose in the world, whatever the place of the joint's frame there.
            const Eigen::Matrix3d R = to_eigen(body.X_tree.E).transpose();
            Eigen::Map<Eigen::Vector3d>{theirs} =
                to_eigen(body.X_tree.r) + R * Eigen::Map<const Eigen::Vector3d>(ours);
            store_wxyz(Eigen::Quaterniond(R) * quaternion_xyzw(ours + 3), theirs + 3);
            return;
        }
        case Form::kWxyz:
            store_wxyz(quaternion_xyzw(ours), theirs);
            return;
        case Form::kPlanarRates:
        case Form::kLinearFirst:
        case Form::kOurs:
        case Form::kNone:
            break;
    }
    if (body.nq == 1) {
        theirs[0] = angle;
    } else {
        std::copy(ours, ours + body.nq, theirs);
    }
}

void Coordinates::import_joint(const Joint& joint, const double* theirs, double* ours) const {
    const Body<double>& body = model_.body(joint.body);
    const auto angle = [&](const double* cos_sin) {
        if (!(std::abs(std::hypot(cos_sin[0], cos_sin[1]) - 1) < 1e-3)) {
            throw Error::because("joint '", model_.joint(joint.body).name, "': (", cos_sin[0], ", ",
                                 cos_sin[1], ") is not the cosine and sine of an angle");
        }
        return std::atan2(cos_sin[1], cos_sin[0]);
    };
    switch (joint.form) {
        case Form::kCosSin:
            ours[0] = angle(theirs);
            return;
        case Form::kPlanarCosSin:
            std::copy(theirs, theirs + 2, ours);
            ours[2] = angle(theirs + 2);
            return;
        case Form::kWorldLinear: {
            const Eigen::Matrix3d E = to_eigen(body.X_tree.E);
            Eigen::Map<Eigen::Vector3d>{ours} =
                E * (Eigen::Map<const Eigen::Vector3d>(theirs) - to_eigen(body.X_tree.r));
            store_xyzw(Eigen::Quaterniond(E) * quaternion_wxyz(theirs + 3), ours + 3);
            return;
        }
        case Form::kWxyz:
            store_xyzw(quaternion_wxyz(theirs), ours);
            return;
        case Form::kPlanarRates:
        case Form::kLinearFirst:
        case Form::kOurs:
        case Form::kNone:
            break;
    }
    std::copy(theirs, theirs + body.nq, ours);
}

ResultVector<double> Coordinates::export_q(const VectorX<double>& q) const {
    check_size("export_q", "q", q.size(), model_.nq(), "nq");
    VectorX<double> out(nq());
    for (const Joint& joint : joints_) export_joint(joint, q, out.data() + joint.q_at);
    return out;
}

ResultVector<double> Coordinates::import_q(const VectorX<double>& theirs) const {
    check("q", theirs.size(), nq());
    VectorX<double> out(model_.nq());
    for (const Joint& joint : joints_) {
        const Body<double>& body = model_.body(joint.body);
        if (!body.mimic) import_joint(joint, theirs.data() + joint.q_at, out.data() + body.q_index);
    }
    for (const Joint& joint : joints_) {
        const Body<double>& body = model_.body(joint.body);
        if (!body.mimic) continue;
        double given = 0;
        import_joint(joint, theirs.data() + joint.q_at, &given);
        const double expected = body.multiplier * out[body.q_index] + body.offset;
        double off = given - expected;
        if (joint.form == Form::kCosSin) off = std::remainder(off, 2 * std::acos(-1.0));
        if (std::abs(off) <= 1e-3) continue;
        throw Error::because("q of joint '", model_.joint(joint.body).name, "' is ", given,
                             ", but it mimics '", model_.joint(joint.body).mimic->joint,
                             "' and must be ", expected);
    }
    return out;
}

// --- Velocities, accelerations, torques ------------------------------------------------------------

Eigen::Matrix3d Coordinates::turn(const Turn& t, const VectorX<double>& q) const {
    check_size("Coordinates", "q", q.size(), model_.nq(), "nq");
    const Body<double>& body = model_.body(t.body);
    if (t.size == 2) {
        return Eigen::AngleAxisd(q[body.q_index + 2], Eigen::Vector3d::UnitZ()).matrix();
    }
    const Eigen::Quaterniond attitude = quaternion_xyzw(q.data() + body.q_index + 3);
    if (!(attitude.squaredNorm() > 0 && std::isfinite(attitude.squaredNorm()))) {
        throw Error::because("Coordinates: q: the quaternion of joint '", model_.joint(t.body).name,
                             "' is zero, or not finite; no turn is 0 0 0 1");
    }
    return to_eigen(body.X_tree.E).transpose() * attitude.normalized().matrix();
}

Eigen::Matrix3d Coordinates::turn_rate(const Turn& t, const VectorX<double>& q,
                                       const VectorX<double>& v) const {
    check_size("Coordinates", "v", v.size(), model_.nv(), "nv");
    const double* omega = v.data() + model_.body(t.body).v_index;
    const Vec3<double> w =
        t.size == 2 ? Vec3<double>{0, 0, omega[0]} : Vec3<double>{omega[0], omega[1], omega[2]};
    return turn(t, q) * to_eigen(skew(w));
}

void Coordinates::turn_rows(const VectorX<double>& q, MatrixX<double>& m) const {
    for (const Turn& t : turns_) {
        const Eigen::Matrix3d R = turn(t, q);
        m.middleRows(t.at, t.size) =
            (R.topLeftCorner(t.size, t.size) * m.middleRows(t.at, t.size)).eval();
    }
}
void Coordinates::turn_rows_back(const VectorX<double>& q, MatrixX<double>& m) const {
    for (const Turn& t : turns_) {
        const Eigen::Matrix3d R = turn(t, q).transpose();
        m.middleRows(t.at, t.size) =
            (R.topLeftCorner(t.size, t.size) * m.middleRows(t.at, t.size)).eval();
    }
}

ResultVector<double> Coordinates::export_v(const VectorX<double>& q,
                                           const VectorX<double>& v) const {
    check_size("export_v", "v", v.size(), model_.nv(), "nv");
    MatrixX<double> out(nv(), 1);
    for (int k = 0; k < nv(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        out(k) = multiplier_[at] * v[order_[at]];
    }
    turn_rows(q, out);
    return out;
}

ResultVector<double> Coordinates::export_a(const VectorX<double>& q, const VectorX<double>& v,
                                           const VectorX<double>& a) const {
    VectorX<double> out = export_v(q, a);
    for (const Turn& t : turns_) {
        const Eigen::Matrix3d rate = turn_rate(t, q, v);
        Eigen::Vector3d moved = Eigen::Vector3d::Zero();
        for (int k = 0; k < t.size; ++k) moved[k] = v[order_[static_cast<std::size_t>(t.at + k)]];
        out.segment(t.at, t.size) += (rate * moved).head(t.size);
    }
    return out;
}

ResultVector<double> Coordinates::export_tau(const VectorX<double>& q,
                                             const VectorX<double>& tau) const {
    check_size("export_tau", "tau", tau.size(), model_.nv(), "nv");
    MatrixX<double> out(nv(), 1);
    for (int k = 0; k < nv(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        out(k) = follows_[at] ? 0 : tau[order_[at]];
    }
    turn_rows(q, out);
    return out;
}

VectorX<double> Coordinates::from_leaders(const char* what, const VectorX<double>& theirs) const {
    VectorX<double> out(model_.nv());
    for (int k = 0; k < nv(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (!follows_[at]) out[order_[at]] = theirs[k];
    }
    for (int k = 0; k < nv(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        const double expected = multiplier_[at] * out[order_[at]];
        if (!follows_[at] ||
            std::abs(theirs[k] - expected) <= 1e-3 * std::max(1.0, std::abs(expected)))
            continue;
        throw Error::because(what, " of joint '", v_names_[at], "' is ", theirs[k],
                             ", but the joint mimics another and it must be ", expected);
    }
    return out;
}

ResultVector<double> Coordinates::import_v(const VectorX<double>& q,
                                           const VectorX<double>& theirs) const {
    check("v", theirs.size(), nv());
    MatrixX<double> turned = theirs;
    turn_rows_back(q, turned);
    return from_leaders("v", turned);
}

ResultVector<double> Coordinates::import_a(const VectorX<double>& q, const VectorX<double>& v,
                                           const VectorX<double>& theirs) const {
    check("a", theirs.size(), nv());
    MatrixX<double> turned = theirs - export_a(q, v, VectorX<double>::Zero(model_.nv()));
    turn_rows_back(q, turned);
    return from_leaders("a", turned);
}

ResultVector<double> Coordinates::import_tau(const VectorX<double>& q,
                                             const VectorX<double>& theirs) const {
    check("tau", theirs.size(), nv());
    MatrixX<double> turned = theirs;
    turn_rows_back(q, turned);
    VectorX<double> out = VectorX<double>::Zero(model_.nv());
    for (int k = 0; k < nv(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        out[order_[at]] += multiplier_[at] * turned(k);
    }
    return out;
}

// --- Matrices --------------------------------------------------------------------------------------

ResultMatrix<double> Coordinates::velocity_map(const VectorX<double>& q) const {
    MatrixX<double> T = MatrixX<double>::Zero(nv(), model_.nv());
    for (int k = 0; k < nv(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        T(k, order_[at]) = multiplier_[at];
    }
    turn_rows(q, T);
    return T;
}

ResultMatrix<double> Coordinates::velocity_map_rate(const VectorX<double>& q,
                                                    const VectorX<double>& v) const {
    MatrixX<double> T_dot = MatrixX<double>::Zero(nv(), model_.nv());
    for (const Turn& t : turns_) {
        const Eigen::Matrix3d rate = turn_rate(t, q, v);
        for (int r = 0; r < t.size; ++r) {
            for (int c = 0; c < t.size; ++c)
                T_dot(t.at + r, order_[static_cast<std::size_t>(t.at + c)]) = rate(r, c);
        }
    }
    return T_dot;
}

ResultMatrix<double> Coordinates::export_matrix(const VectorX<double>& q,
                                                const MatrixX<double>& M) const {
    refuse_mimic_joints("export_matrix");
    check_shape("export_matrix", "M", M.rows(), M.cols(), model_.nv(), model_.nv());
    MatrixX<double> out = M(order_, order_);
    if (turns_.empty()) return out;
    turn_rows(q, out);
    MatrixX<double> other = out.transpose();
    turn_rows(q, other);
    return other.transpose();
}

ResultMatrix<double> Coordinates::export_jacobian(const VectorX<double>& q,
                                                  const MatrixX<double>& J) const {
    refuse_mimic_joints("export_jacobian");
    check_shape("export_jacobian", "J", J.rows(), J.cols(), J.rows(), model_.nv());
    if (turns_.empty()) return J(Eigen::all, order_);
    MatrixX<double> out = J(Eigen::all, order_).transpose();
    turn_rows(q, out);
    return out.transpose();
}

// --- Names -----------------------------------------------------------------------------------------

const std::vector<std::string>& convention_names() {
    static const std::vector<std::string> kNames{"plucker", "file", "pinocchio", "mujoco"};
    return kNames;
}

Convention convention_named(const std::string& name) {
    const auto& names = convention_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw unknown_name("order", name, names);
    return static_cast<Convention>(found - names.begin());
}

}  // namespace plucker
