#include "plucker/identify/base_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "plucker/algorithms/joint_pass.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/scalar/decompositions.hpp"
#include "plucker/scalar/plain_algebra.hpp"

namespace plucker {
namespace {

using namespace plain;

using Matrix = MatrixX<double>;
using Vector = VectorX<double>;

constexpr int kSamples = 40;  // positions of a joint; trigonometry of degree four needs fewer
constexpr double kNegligible =
    1e-9;  // of a singular value, relative to the largest: lengths are made one
constexpr double kNoPivot = 1e-8;
constexpr int kSymmetric = 21;  // entries of a symmetric 6 × 6 matrix

// --- Linear algebra of small spaces -------------------------------------------------------------------

// The right singular vectors, of the largest singular value first, and how many of these values are not zero.
struct Directions {
    Matrix V;
    long rank = 0;
};
Directions directions_of(const Matrix& rows) {
    if (rows.cols() == 0) return {};
    const auto [values, V] = singular_values_of(rows);
    const double least = kNegligible * std::max(1.0, values[0]);
    return {V, std::count_if(values.begin(), values.end(),
                             [&](double value) { return value > least; })};
}
// An orthonormal basis of what the columns span.
Matrix span_of(const Matrix& columns) {
    if (columns.cols() == 0) return columns;
    const Directions found = directions_of(transposed(columns));
    return columns_of(found.V, 0, found.rank);
}
// An orthonormal basis of the x with rows · x = 0.
Matrix nullspace_of(const Matrix& rows) {
    const long n = rows.cols();
    if (rows.rows() == 0) return identity<double>(n);
    const Directions found = directions_of(rows);
    return columns_of(found.V, found.rank, n - found.rank);
}
// Columns side by side, and rows one below the other.
Matrix side_by_side(const std::vector<Vector>& columns, long rows) {
    Matrix out(rows, static_cast<long>(columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k) out.col(static_cast<long>(k)) = columns[k];
    return out;
}

// Of a column of one matrix and a column of another: x yᵀ.
Matrix outer(const Matrix& x, long k, const Matrix& y, long l) {
    return column_of(x, k) * transposed(column_of(y, l));
}

Vector entries_of(const Matrix& B) {
    Vector out(kSymmetric);
    int k = 0;
    for (int r = 0; r < 6; ++r) {
        out[k++] = B(r, r);
        for (int c = r + 1; c < 6; ++c) out[k++] = std::sqrt(0.5) * (B(r, c) + B(c, r));
    }
    return out;
}
Matrix symmetric_from(const Vector& entries) {
    Matrix out(6, 6);
    int k = 0;
    for (int r = 0; r < 6; ++r) {
        for (int c = r; c < 6; ++c)
            out(r, c) = out(c, r) = (r == c ? 1 : std::sqrt(0.5)) * entries[k++];
    }
    return out;
}

// The ten numbers of a body one by one, as 6 × 6 inertias.
std::array<Matrix, kLinkParameters> unit_inertias() {
    std::array<Matrix, kLinkParameters> out;
    for (std::size_t c = 0; c < out.size(); ++c) {
        std::array<double, kLinkParameters> numbers{};
        numbers[c] = 1;
        out[c] = to_eigen(inertia_from(numbers.data()));
    }
    return out;
}

// Changes that nobody feels, as columns, with each parameter in a unit of its own.
struct Unseen {
    Matrix changes;
    Vector unit;
};

// --- The recursion --------------------------------------------------------------------------------------

// What a body can meet with, in its own coordinates.
struct Reach {
    Matrix velocities{6, 0};        // a basis of the velocities v that it can have
    Matrix squares{kSymmetric, 0};  // a basis of v vᵀ
    Matrix gravity{3, 0};           // a basis of the directions in which it can be pulled
};

// A joint at one position.
struct Place {
    Transform<double> X;  // body ← parent
    Matrix S;             // 6 × nv
};

class Structure {
public:
    explicit Structure(const Model& model)
        : length_(length_of(model)), model_(in_units_of(length_, model)) {
        visit_positions();
        find_first_links();
    }

    Unseen unobservable() {
        std::vector<Vector> basis;
        add_links_on_one_body(basis);
        reach_.resize(static_cast<std::size_t>(model_.num_bodies()) + 1);
        const Vec3<double> g = model_.gravity();
        if (norm(g) > 0) reach_[0].gravity = to_eigen((1 / norm(g)) * g);
        for (int i = 1; i <= model_.num_bodies(); ++i) {
            add_unfelt(i, basis);
            extend_reach(i);
        }
        return {side_by_side(basis, num_dynamic_parameters(model_)), units()};
    }

private:
    // Of the largest step from body to body: ranks must not depend on the units of length.
    static double length_of(const Model& model) {
        double longest = 0;
        for (const Body<double>& body : model.bodies())
            longest = std::max(longest, norm(body.X_tree.r));
        return longest > 0 ? longest : 1;
    }
    static Model in_units_of(double length, const Model& model) {
        Description d = model.description();
        for (JointDescription& joint : d.joints) {
            joint.placement.position = (1 / length) * joint.placement.position;
            joint.pitch /= length;
        }
        return Model(std::move(d));
    }
    // What turns the parameters of the model in those units into the robot's.
    Vector units() const {
        const double L = length_;
        Vector out = filled<double>(num_dynamic_parameters(model_), 1);
        for (int k = 0; k < num_inertial_parameters(model_); k += kLinkParameters) {
            std::fill_n(out.data() + k + 1, 3, L);
            std::fill_n(out.data() + k + 4, 6, L * L);
        }
        for (int i = 1; i <= model_.num_bodies(); ++i) {
            const Body<double>& body = model_.body(i);
            std::fill_n(out.data() + column_of_armature(i), number_of_turns(body.joint), L * L);
        }
        return out;
    }
    int column_of_armature(int i) const {
        return num_inertial_parameters(model_) + model_.body(i).v_index;
    }

    // The first is at zero.
    void visit_positions() {
        std::mt19937 generator(1);
        std::normal_distribution<double> any;
        Workspace<double> ws(model_);
        places_.resize(static_cast<std::size_t>(model_.num_bodies()) + 1);
        for (int sample = 0; sample < kSamples; ++sample) {
            Vector q = neutral_configuration(model_);
            for (double& x : q) x = sample == 0 ? x : any(generator);
            detail::joint_angles(ws, q.data());
            for (int i = 1; i <= model_.num_bodies(); ++i) {
                Place place;
                detail::any_joint_transform(ws, i, q.data(), place.X);
                std::vector<Vector> axes;
                for (int k = 0; k < model_.body(i).nv; ++k)
                    axes.emplace_back(to_eigen(detail::columns(ws, i)[k]));
                place.S = side_by_side(axes, 6);
                places_[static_cast<std::size_t>(i)].push_back(place);
            }
        }
    }

    void find_first_links() {
        first_link_.assign(static_cast<std::size_t>(model_.num_bodies()) + 1, -1);
        const auto links = model_.moving_links();
        for (std::size_t l = 0; l < links.size(); ++l) {
            int& first = first_link_[static_cast<std::size_t>(model_.frame(links[l]).body)];
            if (first < 0) first = static_cast<int>(l);
        }
    }

    // Adds an inertia in a body's coordinates to the parameters, as one of the body's first link.
    void add_to(Vector& parameters, int body, const Inertia<double>& inertia) const {
        if (body == 0) return;  // the world holds anything
        const int l = first_link_[static_cast<std::size_t>(body)];
        const FrameId link = model_.moving_links()[static_cast<std::size_t>(l)];
        const auto numbers = link_parameters(model_.frame(link).X_frame_body * inertia);
        for (std::size_t c = 0; c < numbers.size(); ++c)
            parameters[kLinkParameters * l + static_cast<long>(c)] += numbers[c];
    }

    // Of links on one body only the sum is felt.
    void add_links_on_one_body(std::vector<Vector>& basis) const {
        const auto links = model_.moving_links();
        for (std::size_t l = 0; l < links.size(); ++l) {
            const Frame& frame = model_.frame(links[l]);
            if (first_link_[static_cast<std::size_t>(frame.body)] == static_cast<int>(l)) continue;
            for (int c = 0; c < kLinkParameters; ++c) {
                Vector change = zeros<double>(num_dynamic_parameters(model_));
                std::array<double, kLinkParameters> numbers{};
                numbers[static_cast<std::size_t>(c)] = -1;
                change[kLinkParameters * static_cast<long>(l) + c] = 1;
                add_to(change, frame.body,
                       apply_inverse(frame.X_frame_body, inertia_from(numbers.data())));
                basis.push_back(change);
            }
        }
    }

    // The changes δI of body i and δa of its joint's rotor inertia that nobody feels.
    void add_unfelt(int i, std::vector<Vector>& basis) const {
        const Body<double>& body = model_.body(i);
        const Reach& parent = reach_[static_cast<std::size_t>(body.parent)];
        const auto& places = places_[static_cast<std::size_t>(i)];
        const int unknowns = kLinkParameters + body.nv;
        std::vector<Vector> rows;
        const auto quadratic = [&](const Matrix& B) -> Vector& {  // tr(B δI)
            Vector row = zeros<double>(unknowns);
            for (int c = 0; c < kLinkParameters; ++c)
                row[c] = sum_of_products(B, units_[static_cast<std::size_t>(c)]);
            return rows.emplace_back(std::move(row));
        };
        const Matrix X0 = motion_matrix(places[0].X);
        const Matrix X0_T = transposed(X0);
        for (const Place& place : places) {
            const Matrix X = motion_matrix(place.X);
            const Matrix X_T = transposed(X);
            const Matrix carried = X * parent.velocities;
            for (int k = 0; k < body.nv; ++k) {
                // Sᵀ δI S + δa = 0: alone, the joint feels nothing.
                for (int l = k; l < body.nv; ++l) {
                    Vector& row = quadratic(outer(place.S, k, place.S, l));
                    if (k == l) row[kLinkParameters + k] = 1;
                }
                // Sᵀ δI X v = 0: nor with the parent's velocity.
                for (long c = 0; c < carried.cols(); ++c) quadratic(outer(place.S, k, carried, c));
            }
            // vᵀ (Xᵀ δI X - X0ᵀ δI X0) v = 0: to the parent it is the same at every position.
            for (long c = 0; c < parent.squares.cols(); ++c) {
                const Matrix B = symmetric_from(column_of(parent.squares, c));
                quadratic(X * B * X_T - X0 * B * X0_T);
            }
            // γᵀ (m r + Eᵀ h), the moment that gravity finds, too.
            for (long c = 0; c < parent.gravity.cols(); ++c) {
                const Vec3<double> g = to_vec3(column_of(parent.gravity, c));
                Vector row = zeros<double>(unknowns);
                row[0] = dot(g, place.X.r - places[0].X.r);
                const Vec3<double> h = place.X.E * g - places[0].X.E * g;
                row[1] = h.x;
                row[2] = h.y;
                row[3] = h.z;
                rows.push_back(row);
            }
        }
        add_gyroscopic_rows(body, places[0].S, rows);
        const Matrix unfelt = nullspace_of(transposed(side_by_side(rows, unknowns)));
        for (long k = 0; k < unfelt.cols(); ++k) {
            const Vector x = column_of(unfelt, k);
            const Inertia<double> I = inertia_from(x.data());
            Vector change = zeros<double>(num_dynamic_parameters(model_));
            add_to(change, i, I);
            // The parent takes it back.
            const Vector minus = -x;
            add_to(change, body.parent, apply_inverse(places[0].X, inertia_from(minus.data())));
            for (int l = 0; l < body.nv; ++l)
                change[column_of_armature(i) + l] += x[kLinkParameters + l];
            basis.push_back(change);
        }
    }

    // Where velocities are no rates of coordinates, an inertia has gyroscopic torques, and a rotor none: with the structure
    // constants S_k × S_l = Σ c_m S_m, those that a rotor would have as an inertia, Σ c_m q̇_l δa_m q̇_m, are felt as missing.
    static void add_gyroscopic_rows(const Body<double>& body, const Matrix& S,
                                    std::vector<Vector>& rows) {
        if (has_coordinate_velocity(body.joint)) return;
        const auto axis = [&](int k) { return to_motion(column_of(S, k)); };
        const auto constants = [&](int k, int l) {
            return transposed(S) * to_eigen(cross(axis(k), axis(l)));
        };
        for (int k = 0; k < body.nv; ++k) {
            for (int l = 0; l < body.nv; ++l) {
                for (int m = l; m < body.nv; ++m) {
                    Vector row = zeros<double>(kLinkParameters + body.nv);
                    row[kLinkParameters + m] += constants(k, l)[m];
                    row[kLinkParameters + l] += constants(k, m)[l];
                    rows.push_back(row);
                }
            }
        }
    }

    void extend_reach(int i) {
        const Reach& parent = reach_[static_cast<std::size_t>(model_.body(i).parent)];
        std::vector<Vector> velocities, squares, gravity;
        for (const Place& place : places_[static_cast<std::size_t>(i)]) {
            const Matrix X = motion_matrix(place.X);
            const Matrix X_T = transposed(X);
            const Matrix carried = X * parent.velocities;
            const long freedoms = place.S.cols();
            for (long c = 0; c < carried.cols(); ++c) velocities.push_back(column_of(carried, c));
            for (long k = 0; k < freedoms; ++k) velocities.push_back(column_of(place.S, k));
            // (X v + S q̇) (X v + S q̇)ᵀ, where q̇ is any.
            for (long c = 0; c < parent.squares.cols(); ++c) {
                const Matrix B = symmetric_from(column_of(parent.squares, c));
                squares.push_back(entries_of(X * B * X_T));
            }
            for (long k = 0; k < freedoms; ++k) {
                for (long c = 0; c < carried.cols(); ++c)
                    squares.push_back(entries_of(outer(place.S, k, carried, c)));
                for (long l = 0; l < freedoms; ++l)
                    squares.push_back(entries_of(outer(place.S, k, place.S, l)));
            }
            for (long c = 0; c < parent.gravity.cols(); ++c) {
                const Vec3<double> g = to_vec3(column_of(parent.gravity, c));
                gravity.emplace_back(to_eigen(place.X.E * g));
            }
        }
        const auto spanned = [](const std::vector<Vector>& columns, long rows) {
            return span_of(side_by_side(columns, rows));
        };
        Reach& mine = reach_[static_cast<std::size_t>(i)];
        mine.velocities = spanned(velocities, 6);
        mine.squares = spanned(squares, kSymmetric);
        mine.gravity = spanned(gravity, 3);
    }

    double length_;
    Model model_;  // with that length as one
    std::array<Matrix, kLinkParameters> units_ = unit_inertias();
    std::vector<std::vector<Place>> places_;  // by body
    std::vector<int> first_link_;             // by body
    std::vector<Reach> reach_;                // by body
};

// --- By numbers -----------------------------------------------------------------------------------------

// As many rows as there are parameters, twice, each parameter in a unit in which it matters as much as another.
struct Stacked {
    Matrix Y;
    Vector unit;
};
Stacked stacked_regressor(const Model& model, unsigned seed) {
    const long parameters = num_dynamic_parameters(model);
    const long states = 2 * parameters / std::max(1, model.nv()) + 10;
    std::mt19937 generator(seed);
    std::normal_distribution<double> any;
    Stacked out{Matrix(states * model.nv(), parameters), filled<double>(parameters, 1)};
    Workspace<double> ws(model);
    Matrix Y(model.nv(), parameters);
    const auto random = [&](long n) {
        Vector x(n);
        for (double& entry : x) entry = any(generator);
        return x;
    };
    for (long k = 0; k < states; ++k) {
        torque_regressor(ws, random(model.nq()), random(model.nv()), random(model.nv()), Y);
        for (long c = 0; c < parameters; ++c)
            std::copy_n(Y.col(c).data(), model.nv(), out.Y.col(c).data() + k * model.nv());
    }
    // A column far below those of the same number of other links is rounding: nobody feels it.
    Vector size(parameters);
    for (long c = 0; c < parameters; ++c) {
        const Vector column = column_of(out.Y, c);
        size[c] = std::sqrt(sum_of_products(column, column));
    }
    const auto largest_of_kind = [&](long c) {
        double largest = 0;
        for (long other = c % kLinkParameters; other < num_inertial_parameters(model);
             other += kLinkParameters)
            largest = std::max(largest, size[other]);
        return largest;
    };
    for (long c = 0; c < parameters; ++c) {
        const bool of_link = c < num_inertial_parameters(model);
        const bool is_felt = size[c] > (of_link ? 1e-12 * largest_of_kind(c) : 0);
        if (is_felt) {
            out.unit[c] = 1 / size[c];
        }
        const double scale = is_felt ? out.unit[c] : 0;
        for (long r = 0; r < out.Y.rows(); ++r) out.Y(r, c) *= scale;
    }
    return out;
}
Unseen unobservable_by_numbers(const Model& model) {
    const Stacked stacked = stacked_regressor(model, 1);
    return {nullspace_of(stacked.Y), stacked.unit};
}

Unseen unseen_of(const Model& model) {
    const int n = num_dynamic_parameters(model);
    if (model.nv() == 0) return {identity<double>(n), filled<double>(n, 1)};
    return model.has_mimic_joints() ? unobservable_by_numbers(model)
                                    : Structure(model).unobservable();
}

// --- Names ------------------------------------------------------------------------------------------------

std::string text_of(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", x);
    return text;
}
std::string combination_name(const Vector& combination, int column,
                             const std::vector<std::string>& names) {
    std::string out = names[static_cast<std::size_t>(column)];
    for (long k = 0; k < combination.size(); ++k) {
        if (k == column || combination[k] == 0) continue;
        const double size = std::abs(combination[k]);
        out += combination[k] < 0 ? " - " : " + ";
        if (text_of(size) != "1") out += text_of(size) + " ";
        out += names[static_cast<std::size_t>(k)];
    }
    return out;
}

}  // namespace

ResultMatrix<double> unobservable_parameters(const Model& model) {
    const Unseen unseen = unseen_of(model);
    return scaled_rows(unseen.unit, unseen.changes);
}

int numerical_rank_of_regressor(const Model& model, unsigned seed) {
    if (model.nv() == 0) return 0;
    const Stacked stacked = stacked_regressor(model, seed);
    return static_cast<int>(stacked.Y.cols() - nullspace_of(stacked.Y).cols());
}

// Of each change that nobody feels one parameter can be made zero, and what it was joins others. Rotors come first, then
// masses and moments, of the outer links before the inner ones: so they join the links that carry them.
BaseParameters base_parameters(const Model& model) {
    const int n = num_dynamic_parameters(model), of_links = num_inertial_parameters(model);
    auto [unseen, unit] = unseen_of(model);
    std::vector<int> order;
    for (int c = of_links; c < n; ++c) order.push_back(c);
    for (int link = of_links - kLinkParameters; link >= 0; link -= kLinkParameters) {
        for (int c = 0; c < kLinkParameters; ++c) order.push_back(link + c);
    }

    // Gauss and Jordan, by columns: afterwards the k-th change is one at the k-th parameter that is left out.
    std::vector<int> left_out;
    std::vector<bool> is_base(static_cast<std::size_t>(n), true);
    for (const int parameter : order) {
        const auto done = static_cast<long>(left_out.size());
        if (done == unseen.cols()) break;
        long pivot = done;
        for (long c = done; c < unseen.cols(); ++c) {
            if (std::abs(unseen(parameter, c)) > std::abs(unseen(parameter, pivot))) pivot = c;
        }
        if (std::abs(unseen(parameter, pivot)) <= kNoPivot) continue;
        Vector change = column_of(unseen, pivot);
        for (double& x : change) x /= unseen(parameter, pivot);
        if (pivot != done) unseen.col(pivot) = column_of(unseen, done);
        unseen.col(done) = change;
        for (long c = 0; c < unseen.cols(); ++c) {
            if (c != done)
                add_scaled(-unseen(parameter, c), change.data(), 1, n, unseen.col(c).data());
        }
        left_out.push_back(parameter);
        is_base[static_cast<std::size_t>(parameter)] = false;
    }

    BaseParameters out;
    for (int c = 0; c < n; ++c) {
        if (is_base[static_cast<std::size_t>(c)]) out.columns.push_back(c);
    }
    const std::vector<std::string> names = dynamic_parameter_names(model);
    out.combination = zeros<double>(out.size(), n);
    for (int k = 0; k < out.size(); ++k) {
        const int column = out.columns[static_cast<std::size_t>(k)];
        out.combination(k, column) = 1;
        for (std::size_t other = 0; other < left_out.size(); ++other) {
            const double x = -unseen(column, static_cast<long>(other));
            if (std::abs(x) <= kNoPivot) continue;
            out.combination(k, left_out[other]) = x * unit[column] / unit[left_out[other]];
        }
        out.names.push_back(combination_name(row_of(out.combination, k), column, names));
    }
    return out;
}

}  // namespace plucker
