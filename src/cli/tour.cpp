// The tour: everything that the library computes, on one robot in one stated posture.
#include <algorithm>

#include "law_table.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"
#include "terminal.hpp"
#include "tour.hpp"

namespace plucker::cli {
namespace {

const std::vector<std::string> kSixRows{"angular x", "angular y", "angular z",
                                        "linear x",  "linear y",  "linear z"};
const std::vector<std::string> kThreeRows{"x", "y", "z"};

// The exoskeleton stands with bent knees and moves a little; any other robot bends each joint by a third
// of a radian. Velocities and accelerations are made up, but not random.
laws::State<double> posture(const Model& model) {
    const int n = model.nv();
    laws::State<double> s{neutral_configuration(model), VectorX<double>(n), VectorX<double>(n),
                          VectorX<double>::Zero(n)};
    for (int k = 0; k < n; ++k) {
        s.v[k] = 0.4 * std::sin(1.0 + k);
        s.a[k] = std::cos(2.0 + k);
    }
    if (model.name() == "exoskeleton") {
        for (const std::string side : {"left_", "right_"}) {
            const auto set = [&](const char* joint, double angle) {
                s.q[model.q_index(side + joint)] = angle;
            };
            set("hip_flexion", -0.4);
            set("knee", 0.8);
            set("ankle", -0.4);
        }
        s.q[2] = -frame_pose(model, s.q, "left_foot").position.z;  // the soles touch the ground
        return s;
    }
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.nq == body.nv) s.q.segment(body.q_index, body.nq).setConstant(1.0 / 3);
    }
    return s;
}

// Beyond this many lines nobody reads on.
constexpr int kMostLines = 60;

void print_left_out(int shown, int all, const char* what, const char* one, const char* many) {
    if (shown < all) print("  … and {}\n", counted(all - shown, what, one, many));
}

void print_tree(const Model& model) {
    constexpr int kDeepest = 14;  // deeper, lines would run off the screen
    std::vector<int> depth(static_cast<std::size_t>(model.num_bodies()) + 1, 0);
    print("  world\n");
    const int shown = std::min(model.num_bodies(), kMostLines);
    for (int i = 1; i <= shown; ++i) {
        const auto at = static_cast<std::size_t>(i);
        depth[at] = depth[static_cast<std::size_t>(model.body(i).parent)] + 1;
        const auto indent = static_cast<std::size_t>(2 * std::min(depth[at], kDeepest));
        print("  {}{}{:>9.3f} kg\n", std::string(indent, ' '),
              padded(fmt::format("{} ({} '{}')", model.body_name(i), name_of(model.body(i).joint),
                                 model.joint(i).name),
                     58 - indent),
              model.body(i).inertia.mass);
    }
    print_left_out(shown, model.num_bodies(), "more bod", "y", "ies");
}

void print_state(const Model& model, const laws::State<double>& s) {
    if (model.has_floating_base()) {
        print("  base at ({:.3f} {:.3f} {:.3f}), quaternion ({:.3f} {:.3f} {:.3f} {:.3f})\n",
              s.q[0], s.q[1], s.q[2], s.q[3], s.q[4], s.q[5], s.q[6]);
    }
    int shown = 0, all = 0;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.nq != 1 || body.mimic || ++all > kMostLines) continue;
        ++shown;
        print("  {} {:7.3f}\n", padded(model.joint(i).name, 24), s.q[body.q_index]);
    }
    print_left_out(shown, all, "more joint", "", "s");
}

void print_frame(const Model& model, const laws::State<double>& s, const std::string& frame) {
    const Pose<double> pose = frame_pose(model, s.q, frame);
    print("  {} at ({:.4f} {:.4f} {:.4f}); Jacobian along the world's axes:\n", frame,
          pose.position.x, pose.position.y, pose.position.z);
    print_matrix(frame_jacobian(model, s.q, frame, ReferenceFrame::kWorldAligned), kSixRows);
    print("  its rate:\n");
    print_matrix(frame_jacobian_dot(model, s.q, s.v, frame, ReferenceFrame::kWorldAligned),
                 kSixRows);
}

void print_matrices(const Model& model, const laws::State<double>& s, bool with_inverse) {
    const std::vector<std::string>& names = model.velocity_names();
    print_heading("Mass matrix M");
    print_matrix(mass_matrix(model, s.q), names);
    const auto [C, G] = modified_newton_euler(model, s.q, s.v);
    print_heading("Coriolis matrix C, by Modified Newton–Euler");
    print_matrix(C, names);
    print_heading("Gravity torque G");
    print_matrix(G, names);
    if (!with_inverse) return;
    print_heading("Inverse mass matrix M⁻¹, directly");
    print_matrix(inverse_mass_matrix(model, s.q), names);
}

void print_center_of_mass(const Model& model, const laws::State<double>& s) {
    print_heading("Centre of mass");
    const Vector3<double> com = center_of_mass(model, s.q);
    print("  at ({:.4f} {:.4f} {:.4f}); Jacobian:\n", com.x(), com.y(), com.z());
    print_matrix(com_jacobian(model, s.q), kThreeRows);
    print("  its rate:\n");
    print_matrix(com_jacobian_dot(model, s.q, s.v), kThreeRows);
}

void print_identities(const Model& model, const laws::State<double>& s) {
    print_heading("Identities, at this state");
    const std::vector<laws::Residual> residuals = laws::verify(model, {&s, 1});
    print_law_table(residuals);
    for (const laws::Residual& r : residuals) {
        if (r.fails()) set_exit_code(kFindings);
    }
}

// What keeps M from having an inverse, as the laws say it; nothing if it has one.
std::string why_not_regular(const Model& model, const laws::State<double>& s) {
    return laws::regularity_of_mass_matrix(model, s, laws::Report<double>(model.nv())).obstacle;
}

}  // namespace

void print_tour(const Model& model) {
    if (model.nv() == 0) {
        throw Error::because(
            "tour: robot '", model.name(),
            "' has no joint that moves, so there is nothing to show; see: plucker info");
    }
    const laws::State<double> s = posture(model);
    const std::vector<std::string>& names = model.velocity_names();
    print("{}: {}, {} of freedom, {:.2f} kg\n", bold(model.name()),
          counted(model.num_bodies(), "moving bod", "y", "ies"), counted(model.nv(), "degree"),
          model.total_mass());
    print_heading("Tree");
    print_tree(model);
    print_heading("Posture");
    print_state(model, s);
    print_heading("Motion: velocity, acceleration");
    MatrixX<double> motion(model.nv(), 2);
    motion << s.v, s.a;
    print_matrix(motion, names);

    // Their size grows with the square of the degrees of freedom, what the identities take with the cube.
    const bool with_matrices = model.nv() <= 1000;
    const bool with_identities = model.nv() <= 300;
    // Of M⁻¹ and forward dynamics.
    std::string obstacle;
    if (with_identities) obstacle = why_not_regular(model, s);
    if (with_matrices) print_matrices(model, s, obstacle.empty());
    print_heading("Frames");
    // The named frames; a robot without them shows its last link.
    const auto& described = model.description().frames;
    constexpr std::size_t kMostFrames = 12;
    const std::size_t shown = std::min(described.size(), kMostFrames);
    for (std::size_t k = 0; k < shown; ++k) print_frame(model, s, described[k].name);
    print_left_out(static_cast<int>(shown), static_cast<int>(described.size()), "more frame", "",
                   "s");
    if (described.empty()) print_frame(model, s, model.frames().back().name);
    const bool has_mass = model.total_mass() > 0;
    if (has_mass) print_center_of_mass(model, s);

    const VectorX<double> tau = inverse_dynamics(model, s.q, s.v, s.a);
    if (obstacle.empty()) {
        print_heading(
            "Inverse dynamics: τ for these accelerations; forward dynamics: a for this τ");
        MatrixX<double> both(model.nv(), 2);
        both << tau, forward_dynamics(model, s.q, s.v, tau);
        print_matrix(both, names);
    } else {
        print_heading("Inverse dynamics: τ for these accelerations");
        print_matrix(tau, names);
    }

    if (with_identities) print_identities(model, {s.q, s.v, s.a, tau});
    if (with_identities && obstacle.empty() && has_mass) return;
    print_heading("Left out");
    if (!obstacle.empty()) print("  the inverse mass matrix and forward dynamics: {}\n", obstacle);
    if (!has_mass) print("  the centre of mass: nothing that moves has mass\n");
    if (!with_identities) {
        print(
            "  for a robot with {} degrees of freedom: {}the identities; see: plucker verify, "
            "plucker eval\n",
            model.nv(), with_matrices ? "" : "the matrices M, C and M⁻¹, and ");
    }
}

void run_default() {
    print_tour(robots::exoskeleton());
    print(
        "\nThis was the tour of the built-in exoskeleton. Your robot: plucker info FILE\n"
        "All commands: plucker help\n");
}

}  // namespace plucker::cli
