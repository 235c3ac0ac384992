#include "rows.hpp"

namespace plucker {

ContactFrame ContactFrame::along(const Vec3<double>& n) {
    // Duff et al., Building an Orthonormal Basis, Revisited, 2017: no branch but the sign, and no loss near any axis.
    const double sign = std::copysign(1.0, n.z);
    const double a = -1 / (sign + n.z), b = n.x * n.y * a;
    return {n, {1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

RowWriter::RowWriter(const JointSpace<double>& space)
    : space_(space), responses_(static_cast<std::size_t>(space.model().num_bodies()) + 1) {}

const RowWriter::Response& RowWriter::response(int body) {
    Response& out = responses_[static_cast<std::size_t>(body)];
    if (out.when == now_) return out;
    out.when = now_;
    const CoordinatePaths& paths = space_.paths;
    const auto path = paths.path_of_body(body);
    out.entries.assign(8 * path.size(), 0.0);
    const auto add = [&](int place, const Motion<double>& J) {
        double* x = out.entries.data() + static_cast<std::ptrdiff_t>(place) * 8;
        const double parts[] = {J.angular.x, J.angular.y, J.angular.z,
                                J.linear.x,  J.linear.y,  J.linear.z};
        for (int i = 0; i < 6; ++i) x[i] += parts[i];
    };
    const WorldKinematics<double>& kin = space_.kinematics();
    const Model& model = space_.model();
    if (!model.has_mimic_joints()) {
        for (int j = 0; j < static_cast<int>(path.size()); ++j) add(j, kin.J[path[j]]);
    } else {
        for (int i = body; i != 0; i = model.body(i).parent) {
            const Body<double>& b = model.body(i);
            // Paths are chains there: coordinate k is the k-th.
            for (int k = 0; k < b.nv; ++k) add(b.v_index + k, kin.J[b.dof_index + k]);
        }
    }
    code_.respond(static_cast<int>(path.size()), path.data(), paths.rows(), space_.L.data(),
                  space_.inverse_diagonal(), out.entries.data());
    return out;
}

template <class Write>
void RowWriter::between(int body_a, int body_b, const Write& write) {
    if (length_b_ == 0) {
        const Response& a = response(body_a);
        for (int k = 0; k < length_a_; ++k) write(k, a.at(k));
        return;
    }
    if (length_a_ == 0) {
        const Response& b = response(body_b);
        for (int k = 0; k < length_b_; ++k) write(k, -b.at(k));
        return;
    }
    const Response &a = response(body_a), &b = response(body_b);
    for (int k = 0; k < shared_; ++k) write(k, a.at(k) - b.at(k));
    for (int k = shared_; k < length_a_; ++k) write(k, a.at(k));
    for (int k = shared_; k < length_b_; ++k) write(length_a_ + k - shared_, -b.at(k));
}

namespace {

int length_of(const CoordinatePaths& paths, int end) {
    return end < 0 ? 0 : static_cast<int>(paths.path(end).size());
}

}  // namespace

void RowWriter::meet(int end_a, int end_b) {
    const CoordinatePaths& paths = space_.paths;
    end_a_ = end_a;
    end_b_ = end_b;
    length_a_ = length_of(paths, end_a);
    length_b_ = length_of(paths, end_b);
    shared_ = paths.shared(end_a, end_b);
    coordinates_.clear();
    for (int k = 0; k < length_a_; ++k) coordinates_.push_back(paths.path(end_a)[k]);
    for (int k = shared_; k < length_b_; ++k) coordinates_.push_back(paths.path(end_b)[k]);
    along_b_.resize(static_cast<std::size_t>(length_b_));
}

void RowWriter::push(double* row) {
    if (length_b_ > 0) {
        space_.to_push(end_b_, along_b_.data(), length_b_, shared_);
        for (int k = shared_; k < length_b_; ++k) row[length_a_ + k - shared_] = along_b_[k];
        for (int k = 0; k < shared_; ++k) row[k] += along_b_[k];
    }
    // What b's path has in common with a's is done with a's; where a's ends first, so does b's.
    if (length_a_ > 0) space_.to_push(end_a_, row, length_a_, 0);
}

void RowWriter::add_coordinate(Law law, double coefficient, int coordinate, double side,
                               ImpulseProblem& problem) {
    const auto path = space_.paths.path(coordinate);
    double* row = problem.add(law, coefficient, path);
    const int n = static_cast<int>(path.size());
    row[n - 1] = side;
    space_.to_push(coordinate, row, n, 0);
}

void RowWriter::add_contact(const ContactPoint& point, const ContactFrame& frame,
                            ImpulseProblem& problem) {
    meet(space_.paths.end_of(point.body_a), space_.paths.end_of(point.body_b));
    const Vec3<double> at = point.position - space_.kinematics().anchor;
    const std::size_t length = coordinates_.size();
    double* normal = problem.add(Law::kContact, point.surface.friction, coordinates_);
    double *first = normal + length, *second = first + length;
    // What moves the point along a direction is pushed by a force along it.
    between(point.body_a, point.body_b, [&](int k, const Motion<double>& x) {
        const Vec3<double> v = point_velocity(x, at);
        normal[k] = dot(frame.normal, v);
        first[k] = dot(frame.tangent, v);
        second[k] = dot(frame.second_tangent, v);
    });
    if (!(point.surface.torsional > 0)) return;
    double* spin = problem.add(Law::kSpin, point.surface.torsional, coordinates_);
    between(point.body_a, point.body_b,
            [&](int k, const Motion<double>& x) { spin[k] = dot(frame.normal, x.angular); });
}

void RowWriter::add_tie(const ConstraintRow<double>& tie, ImpulseProblem& problem) {
    if (tie.v_a >= 0) {  // torques on coordinates
        meet(tie.v_a, tie.v_b);
        double* row = problem.add(Law::kTied, 0, coordinates_);
        std::fill(along_b_.begin(), along_b_.end(), 0.0);
        row[length_a_ - 1] = tie.torque_a;
        if (length_b_ > 0) along_b_.back() = tie.torque_b;
        push(row);
        return;
    }
    meet(space_.paths.end_of(tie.body_a), space_.paths.end_of(tie.body_b));
    double* row = problem.add(Law::kTied, 0, coordinates_);
    between(tie.body_a, tie.body_b,
            [&](int k, const Motion<double>& x) { row[k] = dot(x, tie.force); });
}

}  // namespace plucker
