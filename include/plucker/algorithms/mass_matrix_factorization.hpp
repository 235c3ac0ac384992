// M = Lᵀ D L with the sparsity of the tree: no fill-in, because elimination runs from the leaves.
//
// Source: Featherstone, Rigid Body Dynamics Algorithms, §6.5, Table 6.3 (LTDL) and Table 6.5. Departure: the
// upper triangle is used, where row k of L is column k, so that what is read together stands together.
// Cost: O(n · depth²) to factor, O(n · depth) to solve.
#pragma once

#include "plucker/algorithms/door.hpp"
#include "plucker/algorithms/function.hpp"
#include "plucker/joints/subspace_products.hpp"

namespace plucker {
namespace kernel {

// In place: D on the diagonal, Lᵀ above it; what is below is neither read nor written. Pivots that are not
// positive are noted in the workspace, where pivot_scale, of this call, says what is only rounding.
template <class S>
void factor_mass_matrix(Workspace<S>& ws, detail::MatrixView<S> M) {
    const Model& model = ws.model();
    const int* parent = model.coordinate_parent().data();
    ws.coordinates.pivots = {};
    for (int k = model.nv() - 1; k >= 0; --k) {
        S* column = &M(0, k);
        const S pivot = column[k];
        ws.coordinates.pivots.note(model.joint_of_coordinate(k), pivot,
                                   ws.coordinates.pivot_scale[k]);
        const S inverse = S(1) / pivot;
        for (int i = parent[k]; i >= 0; i = parent[i]) {
            const S M_ki = column[i];
            const S L_ki = M_ki * inverse;
            S* above = &M(0, i);
            above[i] -= L_ki * M_ki;
            for (int j = parent[i]; j >= 0; j = parent[j]) above[j] -= L_ki * column[j];
            column[i] = L_ki;
        }
    }
}

// What entries of M's diagonal are summed from is not known of somebody's M: pivot_scale is what it can be at most, of the
// robot stretched out. It depends on the constants alone; how far slides have gone is left out.
template <class S>
void stretched_pivot_scales(Workspace<S>& ws) {
    Array<StretchedOut<S>>& stretched = ws.bodies.stretched;
    for (S& scale : ws.coordinates.pivot_scale) scale = S(0);
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const Inertia<S> I = cast<S>(ws.body(i).inertia);
        stretched[i] = {I.mass, norm(I.first_moment), detail::rotational_trace(I)};
    }
    for (int i = ws.num_bodies(); i >= 1; --i) {
        const auto& body = ws.body(i);
        const StretchedOut<S>& all = stretched[i];
        // Axes turn, but their lengths stay.
        std::array<Motion<S>, 6> axes;
        std::array<SinCos<S>, kMostAngles> unturned;
        unturned.fill({S(0), S(1)});
        visit_joint(body.joint,
                    [&](auto joint) { joint.subspace(body, unturned.data(), axes.data()); });
        // Where joints mimic others, all axes are seen from one origin.
        S d(0);
        for (int j = i; j != 0 && ws.model().has_mimic_joints(); j = ws.body(j).parent)
            d += norm(cast<S>(ws.body(j).X_tree).r);
        const S trace = all.trace + S(2) * d * (S(2) * all.moment + d * all.mass);
        for (int k = 0; k < body.nv; ++k) {
            const Motion<S>& axis = axes[static_cast<std::size_t>(k)];
            const S w2 = squared_norm(axis.angular);
            ws.coordinates.pivot_scale[body.v_index + k] +=
                S(body.multiplier) * S(body.multiplier) *
                (w2 * trace + (squared_norm(axis.linear) + w2 * d * d) * all.mass);
        }
        if (body.parent == 0) continue;
        // About a point at the distance r, along the line: Σ m d, and 2 Σ m d².
        const S r = norm(cast<S>(body.X_tree).r);
        StretchedOut<S>& parent = stretched[body.parent];
        parent.trace += all.trace + S(2) * r * (S(2) * all.moment + r * all.mass);
        parent.moment += all.moment + r * all.mass;
        parent.mass += all.mass;
    }
}

// Solves Lᵀ D L x = b in place.
template <class S>
void solve_with_factor(const Workspace<S>& ws, detail::MatrixView<const S> LD, S* x) {
    const int* parent = ws.model().coordinate_parent().data();
    const int n = ws.model().nv();
    for (int i = n - 1; i >= 0; --i) {
        const S* L_i = &LD(0, i);
        const S x_i = x[i];
        for (int j = parent[i]; j >= 0; j = parent[j]) x[j] -= L_i[j] * x_i;
    }
    for (int i = 0; i < n; ++i) {
        const S* L_i = &LD(0, i);
        // The inverse is there already in a program that is recorded: it divided by the pivot when it factored.
        S sum = x[i] * (S(1) / L_i[i]);
        for (int j = parent[i]; j >= 0; j = parent[j]) sum -= L_i[j] * x[j];
        x[i] = sum;
    }
}

}  // namespace kernel

namespace detail {
inline constexpr Argument kMatrixToFactor{"M", Kind::kSymmetricMatrix};
inline constexpr Argument kRightHandSide{"x", Kind::kTorque};
inline constexpr Argument kMatrixOfFactors{"factors", Kind::kSymmetricMatrix};
}  // namespace detail

// Replaces the mass matrix by its factors: D on the diagonal, Lᵀ (unit diagonal) above it. What is below stays.
template <class S>
Status factor_mass_matrix(Workspace<S>& ws, MutableMatrix<S> M) {
    detail::Door<S> door("factor_mass_matrix", ws);
    door.output(detail::kMatrixToFactor, {M.data(), M.rows(), M.cols(), M.outerStride()});
    if (!door.opens()) return door.status();
    // What is left of a diagonal entry is compared with the entry and, because that can be rounding itself, with what it can
    // have been summed from.
    kernel::stretched_pivot_scales(ws);
    for (int k = 0; k < ws.model().nv(); ++k) {
        door.read(detail::kMatrixToFactor, &M(0, k), 0, k + 1);
        ws.coordinates.pivot_scale[k] =
            select(ws.coordinates.pivot_scale[k] < M(k, k), M(k, k), ws.coordinates.pivot_scale[k]);
    }
    if (!door.opens()) return door.status();
    kernel::factor_mass_matrix(ws, {M.data(), M.outerStride()});
    return door.regular();
}

// x = M⁻¹ x with factors from factor_mass_matrix, which are not looked through again.
template <class S>
Status solve_with_factor(Workspace<S>& ws, ConstMatrix<S> factors, MutableVector<S> x) {
    detail::Door<S> door("solve_with_factor", ws);
    door.output(detail::kRightHandSide, {x.data(), x.size(), 1, x.size()});
    door.separate(detail::kMatrixOfFactors,
                  {factors.data(), factors.rows(), factors.cols(), factors.outerStride()});
    if (!door.opens()) return door.status();
    door.read(detail::kRightHandSide, x.data(), 0, x.size());
    if (!door.opens()) return door.status();
    const detail::MatrixView<const S> LD{factors.data(), factors.outerStride()};
    kernel::solve_with_factor<S>(ws, LD, x.data());
    return door.status();
}

}  // namespace plucker
