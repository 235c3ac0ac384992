// Forces on bodies that keep the world's axes when the bodies turn, and what a step of the bodies changes of them.
//
// A force that is given in its body's frame turns along with the body: a step ψ changes it by ψ ×* f. One in the world
// stays as it is; one along the world's axes at a frame's origin keeps its axes and moves with the origin. What such
// forces lack, compared with those that turn along, is linear in the step, and adds up over many bodies:
//
//     in the world:                       ψ ×* f              = (ω × n + v × f;          ω × f)
//     along its axes, at a point p:       ψ ×* f - (ṗ × f; 0) = (ω × n_p + p × (ω × f);  ω × f)
//
// with ψ = (ω; v), n the moment about the origin and n_p that about p.
#pragma once

#include "plucker/spatial/force.hpp"
#include "plucker/spatial/mat3.hpp"
#include "plucker/spatial/motion.hpp"

namespace plucker {

// ψ ↦ (T ω + v × w; ω × f).
template <class S>
struct HeldForces {
    Mat3<S> T{};
    Vec3<S> w{};  // the sum of those in the world
    Vec3<S> f{};  // of all

    static constexpr HeldForces in_world(const Force<S>& x) {
        return {-skew(x.angular), x.linear, x.linear};
    }
    // p × (ω × f) = ((p·f) 1 - f pᵀ) ω.
    static constexpr HeldForces at_point(const Vec3<S>& p, const Force<S>& x) {
        return {dot(p, x.linear) * Mat3<S>::identity() - outer(x.linear, p) - skew(x.angular),
                {},
                x.linear};
    }
    constexpr HeldForces& operator+=(const HeldForces& b) {
        T += b.T;
        w += b.w;
        f += b.f;
        return *this;
    }
    friend constexpr Force<S> operator*(const HeldForces& G, const Motion<S>& psi) {
        return {G.T * psi.angular + cross(psi.linear, G.w), cross(psi.angular, G.f)};
    }
    // Gᵀ m, to be multiplied with a step.
    friend constexpr Force<S> transpose_times(const HeldForces& G, const Motion<S>& m) {
        return {transpose_times(G.T, m.angular) + cross(G.f, m.linear), cross(G.w, m.angular)};
    }
};

// How Gᵀ l changes with a step ψ of the forces' body, where l is a motion that turns along with the body, by ψ × l. G itself
// changes only where p moves, by ṗ = ω × p + v:
//
//     Gᵀ (ψ × l) + ( (l_ω fᵀ - (l_ω · f) 1) ṗ; 0 )
//
// It is linear in ψ, and adds up over many bodies: ψ ↦ (A ω + B v; C ω).
template <class S>
struct HeldForceSlopes {
    Mat3<S> A{}, B{}, C{};

    static constexpr HeldForceSlopes in_world(const HeldForces<S>& G, const Motion<S>& l) {
        const Mat3<S> turn = skew(l.angular), f = skew(G.f);
        return {-(transpose(G.T) * turn + f * skew(l.linear)), -(f * turn), -(skew(G.w) * turn)};
    }
    static constexpr HeldForceSlopes at_point(const HeldForces<S>& G, const Vec3<S>& p,
                                              const Motion<S>& l) {
        const Mat3<S> K = outer(l.angular, G.f) - dot(l.angular, G.f) * Mat3<S>::identity();
        HeldForceSlopes out = in_world(G, l);
        out.A -= K * skew(p);
        out.B += K;
        return out;
    }
    constexpr HeldForceSlopes& operator+=(const HeldForceSlopes& b) {
        A += b.A;
        B += b.B;
        C += b.C;
        return *this;
    }
    friend constexpr Force<S> operator*(const HeldForceSlopes& W, const Motion<S>& psi) {
        return {W.A * psi.angular + W.B * psi.linear, W.C * psi.angular};
    }
};

// Of forces along the world's axes at points p: how G changes where these move, ṗ = ω × p + v. G ψ changes by
// ((f·ṗ) ω - f (ṗ·ω); 0), which adds up over many forces.
template <class S>
struct HeldPoints {
    Mat3<S> K{};  // Σ f pᵀ
    Vec3<S> f{};  // Σ f

    static constexpr HeldPoints at(const Vec3<S>& p, const Vec3<S>& f) { return {outer(f, p), f}; }
    constexpr HeldPoints& operator+=(const HeldPoints& b) {
        K += b.K;
        f += b.f;
        return *this;
    }
    // The change of G with a step ψ of the points, as a map: Σ (f·ṗ) 1 - f ṗᵀ.
    constexpr Mat3<S> slope(const Motion<S>& psi) const {
        const Mat3<S> f_p_dot = outer(f, psi.linear) - K * skew(psi.angular);
        return trace(f_p_dot) * Mat3<S>::identity() - f_p_dot;
    }
};

}  // namespace plucker
