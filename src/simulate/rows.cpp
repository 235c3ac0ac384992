#include "rows.hpp"

#include <array>

namespace plucker {

ContactFrame ContactFrame::along(const Vec3<double>& n) {
    // Duff et al., Building an Orthonormal Basis, Revisited, 2017: no branch but the sign, and no loss near any axis.
    const double sign = std::copysign(1.0, n.z);
    const double a = -1 / (sign + n.z), b = n.x * n.y * a;
    return {n, {1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

void add_coordinate(const JointSpace<double>& space, Law law, double coefficient, int coordinate,
                    double side, ImpulseProblem& problem) {
    const auto path = space.paths.path(coordinate);
    double* row = problem.add(law, coefficient, path);
    const int n = static_cast<int>(path.size());
    row[n - 1] = side;
    space.to_push(coordinate, row, n, 0);
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

}  // namespace

void add_contact(const JointSpace<double>& space, const ContactPoint& point,
                 const ContactFrame& frame, ImpulseProblem& problem) {
    const CoordinatePaths& paths = space.paths;
    const int end_a = paths.end_of(point.body_a), end_b = paths.end_of(point.body_b);
    const auto path_a = paths.path_of_body(point.body_a);
    const auto path_b = paths.path_of_body(point.body_b);
    const int n_a = static_cast<int>(path_a.size()), n_b = static_cast<int>(path_b.size());
    const int shared = paths.shared(end_a, end_b);
    // The coordinates of a's path, then those of b's that are not among them.
    thread_local std::vector<int> coordinates;
    coordinates.assign(path_a.begin(), path_a.end());
    coordinates.insert(coordinates.end(), path_b.begin() + shared, path_b.end());
    thread_local std::vector<double> along_b;
    along_b.resize(static_cast<std::size_t>(n_b));

    const Vec3<double> at = point.position - space.kinematics().anchor;
    const auto fill = [&](const Force<double>& f, double* row) {
        add_force(space, point.body_a, f, row);
        if (n_b > 0) {
            std::fill(along_b.begin(), along_b.end(), 0.0);
            add_force(space, point.body_b, -f, along_b.data());
            space.to_push(end_b, along_b.data(), n_b, shared);
            for (int k = shared; k < n_b; ++k) row[n_a + k - shared] = along_b[k];
            for (int k = 0; k < shared; ++k) row[k] += along_b[k];
        }
        if (n_a > 0) space.to_push(end_a, row, n_a, 0);
    };
    double* rows = problem.add(Law::kContact, point.surface.friction, coordinates);
    const std::size_t length = coordinates.size();
    fill(force_at_point(frame.normal, at), rows);
    fill(force_at_point(frame.tangent, at), rows + length);
    fill(force_at_point(frame.second_tangent, at), rows + 2 * length);
    if (point.surface.torsional > 0) {
        fill({frame.normal, {}}, problem.add(Law::kSpin, point.surface.torsional, coordinates));
    }
}

}  // namespace plucker
