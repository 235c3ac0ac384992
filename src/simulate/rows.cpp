#include "rows.hpp"

#include <algorithm>

#include "plucker/constraints/proximal.hpp"

namespace plucker {
namespace {

// Those of a contact, and of spinning on it.
constexpr int kMostRowsOfBlock = 4;

double squared(const double* x, std::size_t count) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += x[k] * x[k];
    return sum;
}

}  // namespace

ContactFrame ContactFrame::along(const Vec3<double>& n) {
    // Duff et al., Building an Orthonormal Basis, Revisited, 2017: no branch but the sign, and no loss near any axis.
    const double sign = std::copysign(1.0, n.z);
    const double a = -1 / (sign + n.z), b = n.x * n.y * a;
    return {n, {1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

RowWriter::RowWriter(const JointSpace<double>& space)
    : space_(space), responses_(static_cast<std::size_t>(space.model().num_bodies()) + 1) {
    const CoordinatePaths& paths = space.paths;
    int end = 0, longest = 0;
    for (int k = 0; k < space.model().nv(); ++k) {
        const auto length = static_cast<int>(paths.path(k).size());
        first_.push_back(end);
        end += impulses::pitch_of(length);
        longest = std::max(longest, length);
    }
    inverse_.assign(static_cast<std::size_t>(end), 0.0);
    known_.assign(first_.size(), 0);
    const auto pitch = static_cast<std::size_t>(impulses::pitch_of(longest));
    along_a_.resize(kMostRowsOfBlock * pitch);
    along_b_.resize(kMostRowsOfBlock * pitch);
    if (space.model().has_mimic_joints()) J_.resize(6 * first_.size());
}

const double* RowWriter::push_of(int coordinate) {
    const CoordinatePaths& paths = space_.paths;
    const auto path = paths.path(coordinate);
    for (std::size_t a = 0; a < path.size(); ++a) {
        const int k = path[a];
        if (known_[static_cast<std::size_t>(k)] == now_) continue;
        known_[static_cast<std::size_t>(k)] = now_;
        code_.invert_row(static_cast<int>(a) + 1, path.data(), first_.data(),
                         space_.L.data() + paths.row(k), space_.inverse_diagonal()[k],
                         inverse_.data());
    }
    return inverse_.data() + first_[static_cast<std::size_t>(coordinate)];
}

const RowWriter::Response& RowWriter::response(int body) {
    Response& out = responses_[static_cast<std::size_t>(body)];
    if (out.when == now_) return out;
    out.when = now_;
    const auto path = space_.paths.path_of_body(body);
    const auto length = static_cast<int>(path.size());
    out.pitch = impulses::pitch_of(length);
    out.rows.resize(6 * static_cast<std::size_t>(out.pitch));
    push_of(path.back());
    const WorldKinematics<double>& kin = space_.kinematics();
    static_assert(sizeof(Motion<double>) == 6 * sizeof(double));
    const double* J = &kin.J[0].angular.x;
    const Model& model = space_.model();
    if (model.has_mimic_joints()) {
        // Paths are chains there: coordinate k is the k-th.
        std::fill(J_.begin(), J_.end(), 0.0);
        for (int i = body; i != 0; i = model.body(i).parent) {
            const Body<double>& b = model.body(i);
            for (int k = 0; k < b.nv; ++k) {
                for (int r = 0; r < 6; ++r)
                    J_[6 * (b.v_index + k) + r] += J[6 * (b.dof_index + k) + r];
            }
        }
        J = J_.data();
    }
    code_.respond(length, path.data(), first_.data(), inverse_.data(), J, path.data(),
                  out.rows.data());
    const auto half = static_cast<std::size_t>(3 * out.pitch);
    out.torque2 = squared(out.rows.data(), half);
    out.force2 = squared(out.rows.data() + half, half);
    return out;
}

double RowWriter::largest_push2(int body, const Force<double>& force) {
    if (space_.paths.end_of(body) < 0) return 0;
    const Response& own = response(body);
    return 2 *
           (squared_norm(force.angular) * own.torque2 + squared_norm(force.linear) * own.force2);
}

void RowWriter::meet(int end_a, int end_b) {
    const CoordinatePaths& paths = space_.paths;
    const auto path_of = [&](int end) {
        return end < 0 ? std::span<const int>{} : paths.path(end);
    };
    const auto a = path_of(end_a), b = path_of(end_b);
    length_a_ = static_cast<int>(a.size());
    length_b_ = static_cast<int>(b.size());
    shared_ = paths.shared(end_a, end_b);
    coordinates_.assign(a.begin(), a.end());
    coordinates_.insert(coordinates_.end(), b.begin() + shared_, b.end());
}

void RowWriter::subtract(int count, double* rows) {
    const int pitch_a = impulses::pitch_of(length_a_), pitch_b = impulses::pitch_of(length_b_);
    for (int r = 0; r < count; ++r) {
        const double *a = along_a_.data() + static_cast<std::ptrdiff_t>(r) * pitch_a,
                     *b = along_b_.data() + static_cast<std::ptrdiff_t>(r) * pitch_b;
        std::copy_n(a, length_a_, rows);
        for (int k = 0; k < shared_; ++k) rows[k] -= b[k];
        rows += length_a_;
        for (int k = shared_; k < length_b_; ++k) *rows++ = -b[k];
    }
}

void RowWriter::push(int body, int count, const Force<double>* forces, impulses::Numbers& out) {
    if (space_.paths.end_of(body) < 0) return;
    const Response& own = response(body);
    static_assert(sizeof(Force<double>) == 6 * sizeof(double));
    code_.push(count, own.pitch, &forces->angular.x, own.rows.data(), out.data());
}

void RowWriter::add_coordinate(Law law, double coefficient, int coordinate, double side,
                               ImpulseProblem& problem) {
    const auto path = space_.paths.path(coordinate);
    const double* own = push_of(coordinate);
    double* row = problem.add(law, coefficient, path);
    for (std::size_t k = 0; k < path.size(); ++k) row[k] = side * own[k];
}

void RowWriter::add_contact(const ContactPoint& point, const ContactFrame& frame,
                            ImpulseProblem& problem) {
    meet(space_.paths.end_of(point.body_a), space_.paths.end_of(point.body_b));
    const Vec3<double> at = point.position - space_.kinematics().anchor;
    // What moves the point along a direction is pushed by a force along it.
    const auto force_along = [&](const Vec3<double>& d) { return Force<double>{cross(at, d), d}; };
    const Force<double> forces[kMostRowsOfBlock] = {force_along(frame.normal),
                                                    force_along(frame.tangent),
                                                    force_along(frame.second_tangent),
                                                    {frame.normal, {}}};
    const bool spins = point.surface.torsional > 0;
    const int count = spins ? 4 : 3;
    push(point.body_a, count, forces, along_a_);
    push(point.body_b, count, forces, along_b_);
    double* rows = problem.add(Law::kContact, point.surface.friction, coordinates_);
    subtract(3, rows);
    if (!spins) return;
    // The fourth alone.
    const auto only = [&](impulses::Numbers& x, int length) {
        const auto pitch = static_cast<std::ptrdiff_t>(impulses::pitch_of(length));
        std::copy_n(x.begin() + 3 * pitch, pitch, x.begin());
    };
    only(along_a_, length_a_);
    only(along_b_, length_b_);
    subtract(1, problem.add(Law::kSpin, point.surface.torsional, coordinates_));
}

void RowWriter::add_tie(const ConstraintRow<double>& tie, ImpulseProblem& problem) {
    double largest2 = 0;
    if (tie.v_a >= 0) {  // torques on coordinates
        meet(tie.v_a, tie.v_b);
        const auto take = [&](int coordinate, int length, double torque, impulses::Numbers& out) {
            if (length == 0) return;
            const double* own = push_of(coordinate);
            for (int k = 0; k < length; ++k) out[static_cast<std::size_t>(k)] = torque * own[k];
        };
        take(tie.v_a, length_a_, tie.torque_a, along_a_);
        take(tie.v_b, length_b_, -tie.torque_b, along_b_);
    } else {
        meet(space_.paths.end_of(tie.body_a), space_.paths.end_of(tie.body_b));
        push(tie.body_a, 1, &tie.force, along_a_);
        push(tie.body_b, 1, &tie.force, along_b_);
        largest2 = largest_push2(tie.body_a, tie.force) + largest_push2(tie.body_b, tie.force);
    }
    double* row = problem.add(Law::kTied, 0, coordinates_);
    subtract(1, row);
    // What the tree does not allow anyway leaves rounding, which as an equation would hold everything.
    const std::size_t length = coordinates_.size();
    if (squared(row, length) <= kernel::kRoundingOfRows * largest2) std::fill_n(row, length, 0.0);
}

}  // namespace plucker
