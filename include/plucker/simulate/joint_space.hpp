// The equation of motion M v̇ + c = τ at one state, ready for a time step: bodies along the world's axes, the mass matrix in
// its factors, and what a force on a body does to each coordinate.
//
// All motion and force vectors are in the coordinates of WorldKinematics, the world's axes about an anchor, where those of
// different bodies add up without a transform. A row of M, of its factor or of a Jacobian has an entry for each coordinate on the
// path from the root, and no other; the rows of a coordinate's ancestors are the beginnings of its own.
//
// Source: Featherstone, Rigid Body Dynamics Algorithms, §6.3 (composite bodies), §6.5 (M = Lᵀ L along the tree). Departure:
// in coordinates that all bodies share, no vector is transformed on its way to the root.
#pragma once

#include <cmath>
#include <span>
#include <type_traits>
#include <vector>

#include "plucker/algorithms/forward_kinematics.hpp"
#include "plucker/algorithms/mass_matrix.hpp"

namespace plucker {

namespace compiler {
struct Trace;
}

// Which coordinates lie on the way from the root to a coordinate or body. Of one model.
class CoordinatePaths {
public:
    explicit CoordinatePaths(const Model& model);

    // Of coordinate k, itself last, and where its row begins among all rows.
    std::span<const int> path(int k) const {
        return {coordinates_.data() + row_[k], static_cast<std::size_t>(row_[k + 1] - row_[k])};
    }
    int row(int k) const { return row_[k]; }
    const int* rows() const { return row_.data(); }
    int num_entries() const { return row_.back(); }
    // The coordinate at the end of a body's path; -1 where nothing can move it.
    int end_of(int body) const { return end_[body]; }
    std::span<const int> path_of_body(int body) const {
        return end_[body] < 0 ? std::span<const int>{} : path(end_[body]);
    }
    // The last coordinate whose path has this one in it, where its own path ends.
    int last_beyond(int k) const { return last_beyond_[k]; }
    // How many coordinates two paths have in common, from the root.
    int shared(int a, int b) const;

private:
    std::vector<int> coordinates_, row_, end_, last_beyond_;
};

template <class S>
class JointSpace {
public:
    explicit JointSpace(const Model& model)
        : paths(model),
          L(static_cast<std::size_t>(paths.num_entries())),
          c(static_cast<std::size_t>(model.nv())),
          ws_(model),
          I_(static_cast<std::size_t>(model.num_bodies()) + 1),
          f_(I_.size()),
          a_(I_.size()),
          straight_(I_.size()),
          inverse_diagonal_(c.size()) {
        // The friction of joints is the time step's business.
        ws_.set_friction(false);
        if (model.has_mimic_joints()) dense_.resize(c.size() * c.size());
    }

    CoordinatePaths paths;
    std::vector<S> L;  // by path: M, and its factor after factor()
    std::vector<S>
        c;  // what it takes to keep the velocity of every coordinate, gravity and external forces included

    const Model& model() const { return ws_.model(); }
    Workspace<S>& workspace() { return ws_; }
    const WorldKinematics<S>& kinematics() const { return ws_.kinematics; }
    Pose<S> pose(int body) const {
        Pose<S> pose = to_pose(kinematics().X[body]);
        pose.position += kinematics().anchor;
        return pose;
    }

    // Where all bodies are. First of all.
    void place(const S* q) {
        WorldKinematics<S>& kin = ws_.kinematics;
        kernel::position_kinematics(ws_, kin, q);
        for (int i = 1; i <= ws_.num_bodies(); ++i) {
            I_[i] = apply_inverse(kin.X[i], cast<S>(ws_.body(i).inertia));
        }
        q_ = q;
    }
    // How they move. Needs place.
    void move(const S* v) {
        WorldKinematics<S>& kin = ws_.kinematics;
        detail::subspace_rates(ws_, v);
        kin.v[0] = {};
        for (int i = 1; i <= ws_.num_bodies(); ++i) {
            const auto& body = ws_.body(i);
            Motion<S> sum = kin.v[body.parent];
            for (int k = 0; k < body.nv; ++k) {
                sum += v[body.v_index + k] * kin.J[body.dof_index + k];
            }
            kin.v[i] = sum;
        }
    }
    // A body and all that hangs on it move so much more, as one. Needs move.
    void add_motion(int root, const Motion<S>& more) {
        for (int i = root; i < ws_.body(root).subtree_end; ++i) ws_.kinematics.v[i] += more;
    }
    // Rates of the joints' axes, which only constraints ask for. Needs move with the same v.
    void turn_axes(const S* v) { kernel::velocity_kinematics(ws_, ws_.kinematics, v); }
    // Momentum, about the anchor, of a body and all that hangs on it. Needs move, and is gone after weigh.
    Force<S> momentum_of_tree(int root) const {
        Force<S> sum{};
        for (int i = root; i < ws_.body(root).subtree_end; ++i) sum += I_[i] * ws_.kinematics.v[i];
        return sum;
    }
    Inertia<S> inertia_of_tree(int root) const {
        Inertia<S> sum{};
        for (int i = root; i < ws_.body(root).subtree_end; ++i) sum += I_[i];
        return sum;
    }
    // M, in L, and c. Needs move with the same v. The linear velocity of a floating or planar joint is kept along fixed axes, not
    // along those of the body: otherwise what flies and spins would gather speed.
    void weigh(const S* v, MaybeForces<S> external = nullptr) {
        const WorldKinematics<S>& kin = ws_.kinematics;
        const int n = ws_.num_bodies();
        f_[0] = {};
        a_[0] = kernel::acceleration_of_ground(ws_, kin);
        straight_[0] = {};
        for (int i = 1; i <= n; ++i) {
            const auto& body = ws_.body(i);
            // J̇ q̇ = v_i × J q̇ + Ṡ q̇, and J q̇ is v_i - v_λ.
            Motion<S> a = a_[body.parent] + cross(kin.v[body.parent], kin.v[i]);
            if (!has_constant_subspace(body.joint)) {
                for (int k = 0; k < body.nv; ++k) {
                    a += v[body.v_index + k] *
                         apply_inverse(kin.X[i], ws_.joints.subspace_rate[body.dof_index + k]);
                }
            }
            straight_[i] = straight_[body.parent];
            if (is_straightened(body.joint)) {
                const Motion<S> own = own_straightening(i, v);
                a += own;
                straight_[i] += own;
            }
            a_[i] = a;
            f_[i] = equation_of_motion(I_[i], a, kin.v[i]);
        }
        if (external != nullptr) subtract(*external);
        for (auto& entry : c) entry = S(0);
        if (ws_.model().has_mimic_joints()) {
            sum_forces();
            add_rotors(v);
            kernel::mass_matrix(ws_, q_, {dense_.data(), ws_.model().nv()});
            for (int k = 0; k < ws_.model().nv(); ++k) {
                S* row = L.data() + paths.row(k);
                for (int j = 0; j <= k; ++j) {
                    row[j] = dense_[static_cast<std::size_t>(k) * c.size() +
                                    static_cast<std::size_t>(j)];
                }
            }
            return;
        }
        I_[0] = {};
        for (int i = n; i >= 1; --i) {
            const auto& body = ws_.body(i);
            for (int k = 0; k < body.nv; ++k) {
                const int at = body.v_index + k;
                const Motion<S>& J = kin.J[body.dof_index + k];
                c[at] = dot(J, f_[i]);
                const Force<S> F = I_[i] * J;
                S* row = L.data() + paths.row(at);
                const auto path = paths.path(at);
                for (std::size_t j = 0; j < path.size(); ++j) row[j] = dot(kin.J[path[j]], F);
                row[path.size() - 1] += S(ws_.armature(at));
            }
            f_[body.parent] += f_[i];
            I_[body.parent] += I_[i];
        }
        add_rotors(v);
    }
    void update(const S* q, const S* v, MaybeForces<S> external = nullptr) {
        place(q);
        move(v);
        weigh(v, external);
    }
    // What gravity and the external forces of the last weigh do to a tree, about the anchor.
    Force<S> force_on_tree(int root, const Inertia<S>& inertia_of_tree,
                           MaybeForces<S> external) const {
        Force<S> sum = -(inertia_of_tree * a_[0]);
        if (external == nullptr) return sum;
        for (const auto& entry : external->entries()) {
            if (entry.body < root || entry.body >= ws_.body(root).subtree_end) continue;
            sum += about_anchor(entry);
        }
        return sum;
    }

    // The part of a body's acceleration that keeps linear velocities along fixed axes.
    const Motion<S>& straightening(int body) const { return straight_[body]; }

    // M + diagonal = Lᵀ L, in place. Needs weigh. Returns the first coordinate that nothing resists, or -1.
    template <class Diagonal>
    int factor(const Diagonal& diagonal) {
        const int n = static_cast<int>(c.size());
        for (int k = 0; k < n; ++k)
            L[static_cast<std::size_t>(paths.row(k + 1)) - 1] += diagonal(k);
        // Two coordinates at a time where one follows the other: rows above are read and written half as often.
        for (int k = n - 1; k >= 0;) {
            const auto path = paths.path(k);
            S* row = L.data() + paths.row(k);
            const int last = static_cast<int>(path.size()) - 1;
            if (!take_root(k, last)) return k;
            if (last == 0 || path[last - 1] != k - 1) {
                for (int a = 0; a < last; ++a) {
                    S* other = L.data() + paths.row(path[a]);
                    for (int b = 0; b <= a; ++b) other[b] -= row[a] * row[b];
                }
                k -= 1;
                continue;
            }
            S* before = L.data() + paths.row(k - 1);
            for (int b = 0; b < last; ++b) before[b] -= row[last - 1] * row[b];
            if (!take_root(k - 1, last - 1)) return k - 1;
            for (int a = 0; a < last - 1; ++a) {
                S* other = L.data() + paths.row(path[a]);
                const S first = row[a], second = before[a];
                for (int b = 0; b <= a; ++b) {
                    other[b] = other[b] - first * row[b] - second * before[b];
                }
            }
            k -= 2;
        }
        return -1;
    }

    // p = L v.
    void to_momentum(const S* v, S* p) const {
        for (int k = 0; k < static_cast<int>(c.size()); ++k) {
            const auto path = paths.path(k);
            const S* row = L.data() + paths.row(k);
            S sum(0);
            for (std::size_t j = 0; j < path.size(); ++j) sum += row[j] * v[path[j]];
            p[k] = sum;
        }
    }
    // v = L⁻¹ p.
    void to_velocity(const S* p, S* v) const {
        for (int k = 0; k < static_cast<int>(c.size()); ++k) {
            const auto path = paths.path(k);
            const S* row = L.data() + paths.row(k);
            S sum = p[k];
            const std::size_t last = path.size() - 1;
            for (std::size_t j = 0; j < last; ++j) sum -= row[j] * v[path[j]];
            v[k] = sum * inverse_diagonal_[k];
        }
    }
    // x ← L⁻ᵀ x, for all coordinates.
    void to_push(S* x) const {
        for (int k = static_cast<int>(c.size()) - 1; k >= 0; --k) {
            const auto path = paths.path(k);
            const S* row = L.data() + paths.row(k);
            const std::size_t last = path.size() - 1;
            x[k] *= inverse_diagonal_[k];
            for (std::size_t j = 0; j < last; ++j) x[path[j]] -= row[j] * x[k];
        }
    }
    // The same along one path: the entries of x from `end` down to `first` are done, and those before take their share.
    void to_push(int coordinate, S* x, int end, int first) const {
        const auto path = paths.path(coordinate);
        for (int a = end - 1; a >= first; --a) {
            const S* row = L.data() + paths.row(path[a]);
            x[a] *= inverse_diagonal_[path[a]];
            for (int b = 0; b < a; ++b) x[b] -= row[b] * x[a];
        }
    }

    static bool is_straightened(JointType joint) {
        return joint == JointType::kFloating || joint == JointType::kPlanar;
    }
    // Such a joint's linear velocity stays along fixed axes if its coordinates, those after the ones that turn, accelerate so.
    static Vec3<S> straightening_rates(JointType joint, const S* v) {
        if (joint == JointType::kFloating)
            return -cross(Vec3<S>{v[0], v[1], v[2]}, Vec3<S>{v[3], v[4], v[5]});
        return {v[0] * v[2], -(v[0] * v[1]), S(0)};
    }

    const S* inverse_diagonal() const { return inverse_diagonal_.data(); }

    // What update and factor find, to be filled in by who knows it from elsewhere: after stand_still, once.
    struct Parts {
        S *L, *inverse_diagonal;
        Motion<S>* J;
        Vec3<S>* anchor;
        Transform<S>* X;  // by body, as v
        Motion<S>* v;
    };
    Parts parts() {
        WorldKinematics<S>& kin = ws_.kinematics;
        return {L.data(),    inverse_diagonal_.data(), kin.J.data(), &kin.anchor, kin.X.data(),
                kin.v.data()};
    }
    // What is the same at all states.
    void stand_still() {
        WorldKinematics<S>& kin = ws_.kinematics;
        kin.X[0] = Transform<S>::identity();
        kin.v[0] = {};
        a_[0] = kernel::acceleration_of_ground(ws_, kin);
    }
    // As factor: the first coordinate that nothing resists, or -1.
    int first_lost() const {
        using std::isfinite;
        for (int k = static_cast<int>(c.size()) - 1; k >= 0; --k) {
            if (!any(isfinite(inverse_diagonal_[static_cast<std::size_t>(k)]))) return k;
        }
        return -1;
    }
    // What forces do to each coordinate. Needs place.
    void generalize(const ExternalForces<S>& external, S* out) const {
        std::fill_n(out, c.size(), S(0));
        for (const auto& entry : external.entries()) {
            const Force<S> f = about_anchor(entry);
            for (const int k : paths.path_of_body(entry.body))
                out[k] += dot(ws_.kinematics.J[static_cast<std::size_t>(k)], f);
        }
    }

private:
    // Row k of L, once all that hangs on its coordinate has been taken from it. False where nothing is left.
    bool take_root(int k, int last) {
        using std::sqrt;
        S* row = L.data() + paths.row(k);
        // A recorded program cannot ask; what it then computes is not finite.
        if constexpr (!std::is_same_v<S, compiler::Trace>) {
            if (!any(row[last] > S(0))) return false;
        }
        row[last] = sqrt(row[last]);
        const S inverse = inverse_diagonal_[k] = S(1) / row[last];
        for (int a = 0; a < last; ++a) row[a] *= inverse;
        return true;
    }
    Motion<S> own_straightening(int i, const S* v) const {
        const auto& body = ws_.body(i);
        const Motion<S>* J = ws_.kinematics.J.data() + body.dof_index;
        const Vec3<S> rates = straightening_rates(body.joint, v + body.v_index);
        if (body.joint == JointType::kFloating)
            return rates.x * J[3] + rates.y * J[4] + rates.z * J[5];
        return rates.x * J[1] + rates.y * J[2];
    }
    // A rotor resists the rate of its coordinate, of which that is a part.
    void add_rotors(const S* v) {
        for (int i = 1; i <= ws_.num_bodies(); ++i) {
            const auto& body = ws_.body(i);
            if (!is_straightened(body.joint)) continue;
            const int first = body.joint == JointType::kFloating ? 3 : 1;
            const Vec3<S> rates = straightening_rates(body.joint, v + body.v_index);
            const S parts[] = {rates.x, rates.y, rates.z};
            for (int k = first; k < body.nv; ++k) {
                const int at = body.v_index + k;
                if (ws_.model().armature()[at] != 0)
                    c[at] += S(ws_.armature(at)) * parts[k - first];
            }
        }
    }
    void subtract(const ExternalForces<S>& external) {
        for (const auto& entry : external.entries()) f_[entry.body] -= about_anchor(entry);
    }
    Force<S> about_anchor(const typename ExternalForces<S>::Entry& entry) const {
        return apply_inverse(
            detail::X_reference_anchor(ws_, ws_.kinematics, entry.frame, entry.expressed_in),
            entry.force);
    }
    void sum_forces() {
        for (int i = ws_.num_bodies(); i >= 1; --i) {
            const auto& body = ws_.body(i);
            for (int k = 0; k < body.nv; ++k) {
                c[body.v_index + k] += dot(ws_.kinematics.J[body.dof_index + k], f_[i]);
            }
            f_[body.parent] += f_[i];
        }
    }

    Workspace<S> ws_;
    std::vector<Inertia<S>> I_;  // of bodies, then of what hangs on them too
    std::vector<Force<S>> f_;
    std::vector<Motion<S>> a_, straight_;
    std::vector<S> inverse_diagonal_;  // of L
    std::vector<S> dense_;
    const S* q_ = nullptr;  // of the last place
};

}  // namespace plucker
