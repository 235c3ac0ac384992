// A prismatic joint along z: q is the displacement.
#pragma once

#include <array>

#include "plucker/joints/axes.hpp"
#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"
#include "plucker/joints/subspace_products.hpp"
#include "plucker/joints/words.hpp"

namespace plucker {

struct PrismaticJoint : Euclidean<1>, AxisAlongZ, ConstantSubspace {
    static constexpr JointType kType = JointType::kPrismatic;
    static constexpr const char* kName = "prismatic";
    static constexpr FileWords kWords{.urdf = "prismatic", .sdf = "prismatic", .mjcf = "slide"};
    static constexpr Anchor kAnchor = Anchor::kAnywhere;
    static constexpr std::array kVelocitySuffixes{""};
    static constexpr int kTurns = 0;
    static constexpr int kAngles = 0;

    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S* q, const SinCos<S>*) {
        const Transform<S> X_tree = cast<S>(body.X_tree);
        return {X_tree.E, X_tree.r + q[0] * X_tree.E.z};
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>*, Motion<S>* column) {
        column[0] = {{}, {S(0), S(0), S(1)}};
    }

    // It touches one coordinate, v_z.
    template <class S>
    struct Subspace {
        static constexpr bool kOneFreedom = true;
        static constexpr int dim() { return 1; }
        LinearZ<S> operator*(const S* x) const { return {x[0]}; }
        S transpose_times(int, const Force<S>& f) const { return f.linear.z; }
        template <class AnyInertia>
        S inertia_scale(int, const AnyInertia& I) const {
            return detail::linear_trace(I);
        }
        Force<S> inertia_times(int, const ArticulatedInertia<S>& A) const {
            return {{A.H.x.z, A.H.y.z, A.H.z.z}, {A.M.xz, A.M.yz, A.M.zz}};
        }
        Force<S> inertia_times(int, const Inertia<S>& I) const {
            return {{I.first_moment.y, -I.first_moment.x, S(0)}, {S(0), S(0), I.mass}};
        }
        Motion<S> apply_inverse_to(int, const Transform<S>& X) const { return {{}, X.E.z}; }
        PLUCKER_ALWAYS_INLINE void add_motion(const S* v, const S* a, TurningMotion<S>& m) const {
            const S twice = S(2) * v[0];
            m.a = {m.a.x + m.w.y * twice, m.a.y - m.w.x * twice, m.a.z + a[0]};
        }
    };
};

}  // namespace plucker
