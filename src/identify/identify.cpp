#include "plucker/identify/identify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "link_prior.hpp"
#include "lost_motion.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/identify/base_parameters.hpp"
#include "plucker/scalar/decompositions.hpp"
#include "plucker/scalar/plain_algebra.hpp"
#include "pseudo_inertia.hpp"

namespace plucker {
namespace {

using namespace plain;

using Matrix = MatrixX<double>;
using Vector = VectorX<double>;

// Below this part of a joint's greatest speed the sign of its friction is not sure.
constexpr double kTooSlow = 0.02;
constexpr int kReweightings = 4;
constexpr int kMostIterations = 200;
// Of the logarithm of the likelihood: bodies that the data have without extent come as near to that as a thousandth of a deviation.
constexpr double kLowestBarrier = 1e-6;
// A gain of the logarithm of the likelihood that is not worth another step.
constexpr double kNothing = 1e-9;

// --- The data, as normal equations of each joint -----------------------------------------------------------

struct JointData {
    Matrix A;      // Σ yᵀ y: parameters × parameters
    Vector b;      // Σ yᵀ τ
    double c = 0;  // Σ τ²
    long samples = 0;

    double squared_residuals(const Vector& pi) const {
        return std::max(0.0, sum_of_products(pi, A * pi) - 2 * sum_of_products(b, pi) + c);
    }
};

std::vector<JointData> joint_data(const Model& model, const MotionLog& log,
                                  const IdentifyOptions& options) {
    const int n = num_dynamic_parameters(model);
    std::vector<JointData> out(static_cast<std::size_t>(model.nv()));
    for (JointData& joint : out) joint = {zeros<double>(n, n), zeros<double>(n), 0, 0};
    Workspace<double> ws(model);
    Matrix Y(model.nv(), n);
    Vector fastest = zeros<double>(model.nv());
    for (long k = 0; k < model.nv(); ++k) {
        for (long t = 0; t < log.size(); ++t)
            fastest[k] = std::max(fastest[k], std::abs(log.v(t, k)));
    }
    for (long t = 0; t < log.size(); ++t) {
        if (options.between) options.between();
        torque_regressor(ws, row_of(log.q, t), row_of(log.v, t), row_of(log.a, t), Y);
        for (int k = 0; k < model.nv(); ++k) {
            if (options.friction && std::abs(log.v(t, k)) < kTooSlow * fastest[k]) continue;
            JointData& joint = out[static_cast<std::size_t>(k)];
            const Vector y = row_of(Y, k);
            add_square_below(y, joint.A);
            add_scaled(log.tau(t, k), y.data(), 1, n, joint.b.data());
            joint.c += log.tau(t, k) * log.tau(t, k);
            ++joint.samples;
        }
    }
    for (JointData& joint : out) {
        for (long c = 0; c < n; ++c) {
            for (long r = 0; r < c; ++r) joint.A(r, c) = joint.A(c, r);
        }
    }
    return out;
}

// --- The unknowns --------------------------------------------------------------------------------------------

// The unknowns z: the ten numbers of each link that is identified, then the joints' constants. Steps of a link are in coordinates
// of its own, in which it is round: its pseudo-inertia P = U Uᵀ becomes P + U M Uᵀ, and the ten are the entries of M.
class Unknowns {
public:
    Unknowns(const Model& model, const MotionLog& log, const IdentifyOptions& options,
             std::vector<std::string>& remarks)
        : file_(dynamic_parameters(model)), prior_(options.prior) {
        choose_links(model, options, remarks);
        choose_constants(model, log, options);
    }

    long size() const { return first_constant() + static_cast<long>(constants_.size()); }
    const Vector& file() const { return file_; }

    // The file's model.
    Vector of_file() const {
        return unknowns_with([](const LinkPrior& link) { return link.P0; });
    }
    // Where the search begins: well within what there can be.
    Vector start() const {
        return unknowns_with([](const LinkPrior& link) { return Matrix4(link.P0 + link.S); });
    }
    Vector parameters(const Vector& z) const {
        Vector pi = file_;
        for (long l = 0; l < num_links(); ++l)
            put_ten(ten_of(z, 10 * l), pi, first_[static_cast<std::size_t>(l)]);
        for (std::size_t k = 0; k < constants_.size(); ++k) {
            for (const int column : constants_[k].columns)
                pi[column] = z[first_constant() + static_cast<long>(k)];
        }
        return pi;
    }
    // A ∂π/∂(steps from z): a link's ten move its own ten parameters alone.
    Matrix times_slope(const Matrix& A, const Vector& z) const {
        Matrix out = zeros<double>(A.rows(), size());
        for (long l = 0; l < num_links(); ++l) {
            const Matrix10 J = own_directions(link_of(z, l));
            for (long c = 0; c < 10; ++c) {
                for (long r = 0; r < 10; ++r)
                    add_column(J(r, c), A, first_[static_cast<std::size_t>(l)] + r, out,
                               10 * l + c);
            }
        }
        for (std::size_t k = 0; k < constants_.size(); ++k) {
            for (const int column : constants_[k].columns)
                add_column(1, A, column, out, first_constant() + static_cast<long>(k));
        }
        return out;
    }
    // As far along the step as there are bodies, and constants that are not negative.
    Vector moved(const Vector& z, const Vector& step) const {
        double part = 1;
        for (long l = 0; l < num_links(); ++l)
            part = std::min(part, part_within_bodies(ten_of(step, 10 * l)));
        Vector out = z + part * step;
        for (long l = 0; l < num_links(); ++l) {
            const Vector10 own = ten_of(step, 10 * l);
            const Matrix10 J = own_directions(link_of(z, l));
            for (long r = 0; r < 10; ++r) {
                out[10 * l + r] = z[10 * l + r];
                for (long c = 0; c < 10; ++c) out[10 * l + r] += part * J(r, c) * own[c];
            }
        }
        for (long k = first_constant(); k < size(); ++k) out[k] = std::max(out[k], 0.0);
        return out;
    }
    // Whether some links have no extent in the file, so that nothing but a barrier keeps them from less than none.
    bool need_barrier() const {
        return std::any_of(links_.begin(), links_.end(), &Unknowns::needs_barrier);
    }
    // What the file holds against z, with its gradient and curvature for steps from z; and a barrier of that height.
    double prior(const Vector& z, double barrier, Vector* gradient = nullptr,
                 Matrix* curvature = nullptr) const {
        const double weight = 1 / (4 * prior_ * prior_);
        double sum = 0;
        for (long l = 0; l < num_links(); ++l) {
            // Both with S.
            const LinkPrior& link = links_[static_cast<std::size_t>(l)];
            const Matrix4 P0 = link.P0 + link.S;
            const Matrix4 P = link_of(z, l) + link.S;
            sum += weight * divergence(P, P0);
            if (barrier > 0 && needs_barrier(link)) {
                sum -= barrier * log_determinant(link_of(z, l));
                if (gradient != nullptr) add_barrier(barrier, 10 * l, *gradient, *curvature);
            }
            if (gradient == nullptr) continue;
            // dD = tr((P₀⁻¹ - P⁻¹) dP),  d²D = tr(P⁻¹ dP P⁻¹ dP)
            const Matrix4 P_inv = inverse_of(P);
            const Matrix pull = inverse_of(P0) - P_inv;
            const Matrix10 J = own_directions(link_of(z, l));
            std::array<Matrix, 10> moved, moved_transposed;
            for (std::size_t k = 0; k < 10; ++k) {
                const auto at = static_cast<long>(k);
                const Matrix4 dP = pseudo_inertia(column_of(J, at));
                (*gradient)[10 * l + at] += weight * sum_of_products(pull, dP);
                moved[k] = P_inv * dP;
                moved_transposed[k] = transposed(moved[k]);
            }
            for (std::size_t k = 0; k < 10; ++k) {
                for (std::size_t j = 0; j < 10; ++j) {
                    (*curvature)(10 * l + static_cast<long>(k), 10 * l + static_cast<long>(j)) +=
                        weight * sum_of_products(moved[k], moved_transposed[j]);
                }
            }
        }
        for (std::size_t k = 0; k < constants_.size(); ++k) {
            const long at = first_constant() + static_cast<long>(k);
            const double off = (z[at] - constants_[k].before) / constants_[k].deviation;
            sum += off * off / 2;
            if (gradient == nullptr) continue;
            (*gradient)[at] += off / constants_[k].deviation;
            (*curvature)(at, at) += 1 / (constants_[k].deviation * constants_[k].deviation);
        }
        return sum;
    }
    // Constants of joints are not negative.
    bool has_floor(long k) const { return k >= first_constant(); }
    bool are_bodies(const Vector& z) const {
        for (long l = 0; l < num_links(); ++l) {
            if (!is_body(link_of(z, l))) return false;
        }
        return true;
    }
    long first_constant() const { return 10 * num_links(); }

private:
    static Vector10 ten_of(const Vector& x, long first) {
        Vector10 out;
        std::copy_n(x.data() + first, 10, out.data());
        return out;
    }
    static void put_ten(const Vector10& ten, Vector& x, long first) {
        std::copy_n(ten.data(), 10, x.data() + first);
    }
    static Matrix4 link_of(const Vector& z, long l) { return pseudo_inertia(ten_of(z, 10 * l)); }
    static bool needs_barrier(const LinkPrior& link) { return link.S != Matrix4::Zero(); }
    // That of -log det (P + U M Uᵀ) = -log det P - tr M + tr M² / 2 - …
    static void add_barrier(double height, long first, Vector& gradient, Matrix& curvature) {
        for (long k = 0; k < 10; ++k) {
            const bool is_diagonal = is_on_diagonal(k);
            if (is_diagonal) gradient[first + k] -= height;
            curvature(first + k, first + k) += is_diagonal ? height : 2 * height;
        }
    }
    // Adds s times a column of A to one of B.
    static void add_column(double s, const Matrix& A, long from, Matrix& B, long to) {
        add_scaled(s, A.data() + from * A.rows(), 1, A.rows(), B.data() + to * B.rows());
    }

    // The same for all freedoms of a joint.
    struct Constant {
        std::vector<int> columns;
        double before, deviation;
    };

    long num_links() const { return static_cast<long>(first_.size()); }

    template <class Link>
    Vector unknowns_with(const Link& pseudo_inertia_of) const {
        Vector z(size());
        for (long l = 0; l < num_links(); ++l)
            put_ten(parameters_of(pseudo_inertia_of(links_[static_cast<std::size_t>(l)])), z,
                    10 * l);
        for (std::size_t k = 0; k < constants_.size(); ++k)
            z[first_constant() + static_cast<long>(k)] = constants_[k].before;
        return z;
    }

    void choose_links(const Model& model, const IdentifyOptions& options,
                      std::vector<std::string>& remarks) {
        try {
            require_links_that_move(model, options.links);
        } catch (const Error& error) {
            throw Error::because("identify: links: ", error.what());
        }
        const std::vector<LinkPrior> priors = link_priors(model);
        int column = 0;
        for (const FrameId link : model.moving_links()) {
            const std::string& name = model.frame(link).name;
            const LinkPrior& prior = priors[static_cast<std::size_t>(column / kLinkParameters)];
            const bool is_wanted =
                options.links.empty() ||
                std::find(options.links.begin(), options.links.end(), name) != options.links.end();
            if (is_wanted && file_[column] > 0) {
                first_.push_back(column);
                links_.push_back(prior);
                const std::string remark = remark_on_extent(name, prior);
                if (!remark.empty()) remarks.push_back(remark);
            } else if (is_wanted && !options.links.empty()) {
                throw Error::because("identify: link '", name,
                                     "' has no mass in the file; give it a first guess");
            } else if (is_wanted) {
                remarks.push_back("link '" + name +
                                  "' has no mass in the file and is kept without");
            }
            column += kLinkParameters;
        }
        if (first_.empty()) throw Error("identify: no link that moves has a mass to begin with");
    }
    void choose_constants(const Model& model, const MotionLog& log,
                          const IdentifyOptions& options) {
        const Vector torque = root_mean_squares(log.tau);
        const std::array<Vector, 3> by{root_mean_squares(log.a), root_mean_squares(log.v),
                                       filled<double>(model.nv(), 1)};
        for (int kind = 0; kind < 3; ++kind) {
            const int first = num_inertial_parameters(model) + kind * model.nv();
            for (int i = 1; i <= model.num_bodies(); ++i) {
                const Body<double>& body = model.body(i);
                if (body.mimic || body.nv == 0 || (model.has_floating_base() && i == 1)) continue;
                Constant constant{{}, file_[first + body.v_index], 0};
                const bool is_wanted =
                    kind == 0 ? options.rotors || constant.before > 0 : options.friction;
                if (!is_wanted) continue;
                // Such that it could make all of the torque.
                for (int k = 0; k < body.nv; ++k) {
                    constant.columns.push_back(first + body.v_index + k);
                    const double size = by[static_cast<std::size_t>(kind)][body.v_index + k];
                    if (size > 0)
                        constant.deviation =
                            std::max(constant.deviation, torque[body.v_index + k] / size);
                }
                if (constant.deviation > 0) constants_.push_back(constant);
            }
        }
    }

    Vector file_;
    double prior_;
    std::vector<int> first_;  // column of each link's first number
    std::vector<LinkPrior> links_;
    std::vector<Constant> constants_;
};

// --- The minimum ---------------------------------------------------------------------------------------------

struct Weighted {
    Matrix A;
    Vector b;
    double c;
};
Weighted weighted(const std::vector<JointData>& joints, const Vector& weight) {
    const long n = joints[0].b.size();
    Weighted out{zeros<double>(n, n), zeros<double>(n), 0};
    for (std::size_t k = 0; k < joints.size(); ++k) {
        const double w = weight[static_cast<long>(k)];
        add_scaled(w, joints[k].A.data(), 1, n * n, out.A.data());
        add_scaled(w, joints[k].b.data(), 1, n, out.b.data());
        out.c += w * joints[k].c;
    }
    return out;
}

// Units in which each curvature is one.
Vector units_of(const Matrix& H) {
    Vector unit = diagonal_of(H);
    for (double& x : unit) x = 1 / std::sqrt(x);
    return unit;
}
Matrix in_units(const Matrix& H, const Vector& unit) {
    return scaled_rows(unit, transposed(scaled_rows(unit, H)));
}
// Solves H x = g with each unknown in a unit in which its curvature is one.
Vector solve(const Matrix& H, const Vector& g) {
    const Vector unit = units_of(H);
    return scaled_rows(unit, Vector(solved(in_units(H, unit), scaled_rows(unit, g))));
}

// By Newton, damped as by Levenberg and Marquardt, from z on: what is sought is the one minimum of a convex function. Constants
// that are pushed below zero stay there. A body that the file has no extent for is kept from less than none by a barrier, which
// becomes lower and lower.
class Minimum {
public:
    Minimum(const Unknowns& unknowns, const Weighted& data) : unknowns_(unknowns), data_(data) {}

    Vector find(Vector z, const std::function<void()>& between) const {
        if (!unknowns_.need_barrier()) return descended(z, 0, between);
        // From the inside: on the brink of what there can be, steps would be as short as the way to it.
        z = unknowns_.start();
        double barrier = std::max(cost_at(z), kLowestBarrier);
        for (; barrier > kLowestBarrier; barrier /= 10) z = descended(z, barrier, between);
        return descended(z, kLowestBarrier, between);
    }
    // The covariance of π about the minimum, without the barrier, which is not known of the robot. A constant on its floor counts
    // by itself.
    Matrix covariance(const Vector& z) const {
        const Matrix J = unknowns_.times_slope(identity<double>(unknowns_.file().size()), z);
        const Matrix H = slopes_at(z, 0).curvature;
        const Vector unit = units_of(H);
        const Matrix columns = scaled_rows(unit, transposed(J));
        return transposed(columns) * solved(in_units(H, unit), columns);
    }

private:
    struct Slopes {
        Vector gradient;
        Matrix curvature;
    };

    // From z on to the minimum with that barrier, to a part of it that does not matter.
    Vector descended(Vector z, double barrier, const std::function<void()>& between) const {
        const double nothing = std::max(kNothing, barrier > kLowestBarrier ? barrier / 100 : 0);
        double damping = 1e-6;
        for (int iteration = 0; iteration < kMostIterations; ++iteration) {
            if (between) between();
            const auto [gradient, curvature] = slopes_at(z, barrier);
            Matrix damped = curvature;
            for (long k = 0; k < z.size(); ++k) damped(k, k) *= 1 + damping;
            const Vector next = unknowns_.moved(z, -1 * solve(damped, gradient));
            const double gain = gained(z, next, barrier);
            if (!(gain > 0)) {
                if (damping > 1e12) break;
                damping *= 10;
                continue;
            }
            z = next;
            damping = std::max(damping / 10, 1e-12);
            if (gain < nothing) break;
        }
        return z;
    }
    double cost_at(const Vector& z) const {
        const Vector pi = unknowns_.parameters(z);
        return sum_of_products(pi, data_.A * pi) / 2 - sum_of_products(data_.b, pi) + data_.c / 2 +
               unknowns_.prior(z, 0);
    }
    // How much less the objective is at the next z: not as a difference of its values, whose rounding may be more.
    double gained(const Vector& z, const Vector& next, double barrier) const {
        if (!unknowns_.are_bodies(next)) return -std::numeric_limits<double>::infinity();
        const Vector pi = unknowns_.parameters(z), step = unknowns_.parameters(next) - pi;
        return unknowns_.prior(z, barrier) - unknowns_.prior(next, barrier) -
               sum_of_products(step, data_.A * pi - data_.b) -
               sum_of_products(step, data_.A * step) / 2;
    }
    Slopes slopes_at(const Vector& z, double barrier) const {
        const Vector pi = unknowns_.parameters(z);
        // Jᵀ (A π - b) and Jᵀ A J: A is symmetric.
        const Matrix A_J = unknowns_.times_slope(data_.A, z);
        Slopes out{row_of(unknowns_.times_slope(transposed(data_.A * pi - data_.b), z), 0),
                   unknowns_.times_slope(transposed(A_J), z)};
        unknowns_.prior(z, barrier, &out.gradient, &out.curvature);
        for (long k = 0; k < z.size(); ++k) {
            if (!unknowns_.has_floor(k) || z[k] > 0 || out.gradient[k] < 0) continue;
            out.gradient[k] = 0;
            const double own = out.curvature(k, k);
            for (long other = 0; other < z.size(); ++other)
                out.curvature(k, other) = out.curvature(other, k) = 0;
            out.curvature(k, k) = own;
        }
        return out;
    }

    const Unknowns& unknowns_;
    const Weighted& data_;
};

// --- What is told about it --------------------------------------------------------------------------------------

double condition_number(const Matrix& A, const std::vector<int>& columns) {
    Matrix scaled(static_cast<long>(columns.size()), static_cast<long>(columns.size()));
    const auto unit = [&](int c) { return A(c, c) > 0 ? 1 / std::sqrt(A(c, c)) : 1; };
    for (long r = 0; r < scaled.rows(); ++r) {
        for (long c = 0; c < scaled.cols(); ++c) {
            const int i = columns[static_cast<std::size_t>(r)],
                      j = columns[static_cast<std::size_t>(c)];
            scaled(r, c) = unit(i) * A(i, j) * unit(j);
        }
    }
    const Vector values = eigenvalues_of(scaled);
    const double least = values[0], most = values[values.size() - 1];
    return least > 0 ? std::sqrt(most / least) : std::numeric_limits<double>::infinity();
}

void refuse_stillness(const Model& model, const MotionLog& log, std::vector<std::string>& remarks) {
    const Vector speed = root_mean_squares(log.v);
    const double fastest = *std::max_element(speed.begin(), speed.end());
    if (fastest < 1e-6) {
        throw Error(
            "identify: nothing moves in this log; inertias and friction show in motion: plucker "
            "excite proposes one");
    }
    if (std::all_of(log.tau.data(), log.tau.data() + log.tau.size(),
                    [](double x) { return x == 0; }))
        throw Error("identify: the log's torques are all zero; they have to be measured");
    for (int k = 0; k < model.nv(); ++k) {
        if (speed[k] < 1e-3 * fastest)
            remarks.push_back("'" + model.velocity_names()[static_cast<std::size_t>(k)] +
                              "' hardly moves");
    }
}

void check_options(const Model& model, const IdentifyOptions& options) {
    if (model.nv() == 0)
        throw Error::because("identify: robot '", model.name(), "' has no joints that move");
    // It has a share in what was measured, and no regressor knows it.
    if (!model.constraints().empty()) {
        throw Error::because("identify: robot '", model.name(), "' has constraint '",
                             model.constraints()[0].name,
                             "', whose force is not known; leave it out of the model, and log "
                             "motions in which it does nothing, or lock its joints");
    }
    if (!(options.prior > 0) || !std::isfinite(options.prior)) {
        throw Error::because("identify: prior is ", options.prior,
                             "; it must be positive: 0.3 says that masses may be off by 30 %");
    }
    if (!(options.cutoff >= 0) || !std::isfinite(options.cutoff))
        throw Error::because("identify: cutoff is ", options.cutoff,
                             " Hz; it must not be negative");
}

// Whether a combination of parameters, whose slopes by the unknowns are given, is the same whatever these are: as the
// difference of two that are one unknown. What is left is the rounding of its terms.
bool is_fixed(const Vector& row, const Matrix& slope) {
    constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();
    for (long z = 0; z < slope.cols(); ++z) {
        double sum = 0, size = 0;
        for (long k = 0; k < row.size(); ++k) {
            sum += row[k] * slope(k, z);
            size += std::abs(row[k] * slope(k, z));
        }
        if (std::abs(sum) > kRounding * static_cast<double>(row.size() + 8) * size) return false;
    }
    return true;
}

std::vector<IdentifiedParameter> described(const std::vector<std::string>& names, const Matrix& map,
                                           const Vector& before, const Vector& after,
                                           const Matrix& slope, const Matrix& prior,
                                           const Matrix& posterior) {
    const auto deviation = [&](const Matrix& covariance, const Vector& row) {
        return std::sqrt(std::max(0.0, sum_of_products(covariance * row, row)));
    };
    std::vector<IdentifiedParameter> out;
    for (long k = 0; k < map.rows(); ++k) {
        const Vector row = row_of(map, k);
        const bool fixed = is_fixed(row, slope);
        out.push_back({names[static_cast<std::size_t>(k)], sum_of_products(row, before),
                       sum_of_products(row, after), fixed ? 0 : deviation(posterior, row),
                       fixed ? 0 : deviation(prior, row)});
    }
    return out;
}

}  // namespace

ResultVector<double> root_mean_squares(const MatrixX<double>& columns) {
    Vector out(columns.cols());
    for (long c = 0; c < columns.cols(); ++c) {
        const Vector column = column_of(columns, c);
        out[c] = std::sqrt(sum_of_products(column, column) /
                           static_cast<double>(std::max(1L, columns.rows())));
    }
    return out;
}

ResultMatrix<double> predict_torques(const Model& model, const MotionLog& log) {
    Matrix out(log.size(), model.nv());
    Workspace<double> ws(model);
    Vector tau(model.nv());
    for (long t = 0; t < log.size(); ++t) {
        inverse_dynamics(ws, row_of(log.q, t), row_of(log.v, t), row_of(log.a, t), tau);
        for (long k = 0; k < model.nv(); ++k) out(t, k) = tau[k];
    }
    return out;
}

void require_links_that_move(const Model& model, const std::vector<std::string>& names) {
    std::vector<std::string> moving;
    for (const FrameId link : model.moving_links()) moving.push_back(model.frame(link).name);
    for (const std::string& name : names) {
        if (std::find(moving.begin(), moving.end(), name) == moving.end())
            throw unknown_name("link that moves", name, moving);
    }
}

Identified identify(const Model& model, const MotionLog& log, const IdentifyOptions& options) {
    check_options(model, options);
    const double cutoff = cutoff_for(log, options.cutoff);
    Identified out{model, {}, {}, {}, 0, 0, {}, prepare_log(model, log, cutoff), {}, {}};
    refuse_stillness(model, out.log, out.remarks);
    const std::string lost_motion = remark_on_lost_motion(model, log, cutoff);
    if (!lost_motion.empty()) out.remarks.push_back(lost_motion);

    const Unknowns unknowns(model, out.log, options, out.remarks);
    const std::vector<JointData> joints = joint_data(model, out.log, options);
    for (int k = 0; k < model.nv(); ++k) {
        if (std::isfinite(joints[static_cast<std::size_t>(k)].c)) continue;
        throw Error::because("identify: the torques of '",
                             model.velocity_names()[static_cast<std::size_t>(k)],
                             "' in this log are too large to be squared; they are in N m, or N");
    }
    const BaseParameters base = base_parameters(model);
    const double told_each = static_cast<double>(base.size()) / model.nv();

    // Weights from the residuals, and residuals with the weights, in turn.
    Vector weight(model.nv());
    for (int k = 0; k < model.nv(); ++k) {
        const JointData& joint = joints[static_cast<std::size_t>(k)];
        weight[k] = joint.c > 0 ? static_cast<double>(joint.samples) / joint.c : 0;
    }
    Vector z = unknowns.start();
    Weighted data{};
    for (int round = 0; round <= kReweightings; ++round) {
        data = weighted(joints, weight);
        z = Minimum(unknowns, data).find(z, options.between);
        const Vector pi = unknowns.parameters(z);
        for (int k = 0; k < model.nv(); ++k) {
            const JointData& joint = joints[static_cast<std::size_t>(k)];
            if (!(joint.c > 0)) continue;
            const double freedoms = std::max(1.0, static_cast<double>(joint.samples) - told_each);
            // No measurement is better than its digits.
            const double least = 1e-12 * joint.c / static_cast<double>(joint.samples);
            weight[k] = 1 / std::max(least, joint.squared_residuals(pi) / freedoms);
        }
    }
    data = weighted(joints, weight);
    const Minimum minimum(unknowns, data);
    z = minimum.find(z, options.between);

    const Vector pi = unknowns.parameters(z);
    const Weighted nothing{zeros<double>(pi.size(), pi.size()), zeros<double>(pi.size()), 0};
    const Vector of_file = unknowns.of_file();
    const Matrix prior = Minimum(unknowns, nothing).covariance(of_file);
    const Matrix posterior = minimum.covariance(z);
    const Matrix slope = unknowns.times_slope(identity<double>(pi.size()), of_file);
    out.model = with_dynamic_parameters(model, pi);
    out.parameters = described(dynamic_parameter_names(model), identity<double>(pi.size()),
                               unknowns.file(), pi, slope, prior, posterior);
    out.combinations =
        described(base.names, base.combination, unknowns.file(), pi, slope, prior, posterior);
    out.num_told =
        static_cast<int>(std::count_if(out.combinations.begin(), out.combinations.end(),
                                       [](const auto& x) { return x.is_told_by_data(); }));
    out.condition_number = condition_number(data.A, base.columns);
    out.torques_before = predict_torques(model, out.log);
    out.torques_after = predict_torques(out.model, out.log);
    const Vector torque = root_mean_squares(out.log.tau);
    const Vector before = root_mean_squares(out.log.tau - out.torques_before);
    const Vector after = root_mean_squares(out.log.tau - out.torques_after);
    for (int k = 0; k < model.nv(); ++k) {
        const std::string& name = model.velocity_names()[static_cast<std::size_t>(k)];
        out.joints.push_back({name, torque[k], before[k], after[k]});
        // Of motion that was filtered away, the torques are left.
        if (after[k] > torque[k] / 2 && lost_motion.empty()) {
            out.remarks.push_back("no masses and friction explain most of what was measured at '" +
                                  name + "': look at signs, units (rad, N m) and columns");
        }
    }
    return out;
}

}  // namespace plucker
