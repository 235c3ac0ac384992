#include "rows.hpp"

namespace plucker {

ContactFrame ContactFrame::along(const Vec3<double>& n) {
    // Duff et al., Building an Orthonormal Basis, Revisited, 2017: no branch but the sign, and no loss near any axis.
    const double sign = std::copysign(1.0, n.z);
    const double a = -1 / (sign + n.z), b = n.x * n.y * a;
    return {n, {1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

namespace {

// What a body's coordinates do to the force of a row: Jᵀ f, along its path. Adds to `row`.
void add_force(const JointSpace<double>& space, int body, const Force<double>& f, double* row) {
    const WorldKinematics<double>& kin = space.kinematics();
    if (!space.model().has_mimic_joints()) {
        const auto path = space.paths.path_of_body(body);
        for (std::size_t j = 0; j < path.size(); ++j) row[j] += dot(kin.J[path[j]], f);
        return;
    }
    for (int i = body; i != 0; i = space.model().body(i).parent) {
        const Body<double>& b = space.model().body(i);
        for (int k = 0; k < b.nv; ++k) {
            // Paths are chains there: coordinate k is the k-th.
            row[b.v_index + k] += dot(kin.J[b.dof_index + k], f);
        }
    }
}

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
    const auto fill = [&](const Force<double>& f, double* row) {
        clear_b();
        add_force(space_, point.body_a, f, row);
        if (length_b_ > 0) add_force(space_, point.body_b, -f, along_b_.data());
        push(row);
    };
    double* rows = problem.add(Law::kContact, point.surface.friction, coordinates_);
    const std::size_t length = coordinates_.size();
    fill(force_at_point(frame.normal, at), rows);
    fill(force_at_point(frame.tangent, at), rows + length);
    fill(force_at_point(frame.second_tangent, at), rows + 2 * length);
    if (point.surface.torsional > 0) {
        fill({frame.normal, {}}, problem.add(Law::kSpin, point.surface.torsional, coordinates_));
    }
}

void RowWriter::add_tie(const ConstraintRow<double>& tie, ImpulseProblem& problem) {
    if (tie.v_a >= 0) {  // torques on coordinates
        meet(tie.v_a, tie.v_b);
        double* row = problem.add(Law::kTied, 0, coordinates_);
        clear_b();
        row[length_a_ - 1] = tie.torque_a;
        if (length_b_ > 0) along_b_.back() = tie.torque_b;
        push(row);
        return;
    }
    meet(space_.paths.end_of(tie.body_a), space_.paths.end_of(tie.body_b));
    double* row = problem.add(Law::kTied, 0, coordinates_);
    clear_b();
    if (length_a_ > 0) add_force(space_, tie.body_a, tie.force, row);
    if (length_b_ > 0) add_force(space_, tie.body_b, -tie.force, along_b_.data());
    push(row);
}

}  // namespace plucker
