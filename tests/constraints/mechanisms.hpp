// Mechanisms of one freedom whose motion is known in closed form, cut open in several ways.
#pragma once

#include <array>
#include <cmath>
#include <ostream>

#include "plucker/constraints/close_loops.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/scalar/dual.hpp"

namespace plucker::test {

// A rod that lies along x from its joint, with its centre at a part of its length.
struct Rod {
    double length, mass, center, inertia;  // about the centre, across the plane

    MassProperties from_near_end() const { return placed(center * length, 1); }
    // As seen from the far end, with x still from the near end to the far one.
    MassProperties from_far_end() const { return placed((center - 1) * length, 1); }
    MassProperties placed(double x, double part) const {
        return {part * mass, {x, 0, 0}, part * inertia * SymMat3<double>::diagonal(0.3, 0.8, 1.0)};
    }
};

// Where a plane mechanism lies in space: gravity acts along its -y.
inline Pose<double> tilted() {
    return Pose<double>::roll_pitch_yaw({0.3, -0.2, 0.5}, {0.4, -0.7, 1.1});
}

// The motion of a mechanism as a function of its crank's angle: the centres and angles of its links, in its plane.
template <class S, int N>
struct PlaneMotion {
    std::array<S, N> x, y, angle;
};

// α of the crank by Lagrange's equation of one freedom: I α + ½ I' ω² + V' = τ with I = Σ m |r'|² + I_c φ'². `motion` is a
// template: motion(S θ) gives PlaneMotion<S, N>.
template <int N, class Motion>
double crank_acceleration(const Motion& motion, const std::array<Rod, N>& links, double theta,
                          double omega, double tau) {
    using D = Dual<double>;
    const auto at = motion(Dual<D>(D(theta, 1.0), D(1.0)));
    D inertia(0);
    double slope = 0;
    for (std::size_t k = 0; k < N; ++k) {
        const D dx = at.x[k].derivative, dy = at.y[k].derivative, turn = at.angle[k].derivative;
        inertia += D(links[k].mass) * (dx * dx + dy * dy) + D(links[k].inertia) * turn * turn;
        slope += links[k].mass * 9.81 * dy.value;
    }
    return (tau - 0.5 * inertia.derivative * omega * omega - slope) / inertia.value;
}

struct FourBar {
    double ground = 2.0;
    Rod crank{0.7, 1.3, 0.4, 0.08}, coupler{1.9, 2.1, 0.55, 0.5}, rocker{1.4, 1.7, 0.45, 0.3};

    enum class Cut { kAtRockerEnd, kAtGround, kInCoupler };

    // Angles of coupler and rocker from the x-axis, from a crank angle: C is where the two circles meet, above.
    template <class S>
    struct Angles {
        S coupler, rocker;
    };
    template <class S>
    Angles<S> angles(const S& theta) const {
        using std::atan2;
        using std::sqrt;
        const auto [s, c] = sin_cos(theta);
        const S bx = S(crank.length) * c, by = S(crank.length) * s;
        const S dx = S(ground) - bx, dy = -by;
        const S d2 = dx * dx + dy * dy;
        const double b = coupler.length, r = rocker.length;
        const S along = (d2 + S(b * b - r * r)) / (S(2) * d2);
        const S across = sqrt(S(b * b) / d2 - along * along);
        const S cx = bx + along * dx - across * dy, cy = by + along * dy + across * dx;
        return {atan2(cy - by, cx - bx), atan2(cy, cx - S(ground))};
    }
    template <class S>
    PlaneMotion<S, 3> motion(const S& theta) const {
        const Angles<S> at = angles(theta);
        const auto A = sin_cos(theta), B = sin_cos(at.coupler), C = sin_cos(at.rocker);
        const auto arm = [](const Rod& rod) { return S(rod.center * rod.length); };
        return {{arm(crank) * A.cos, S(crank.length) * A.cos + arm(coupler) * B.cos,
                 S(ground) + arm(rocker) * C.cos},
                {arm(crank) * A.sin, S(crank.length) * A.sin + arm(coupler) * B.sin,
                 arm(rocker) * C.sin},
                {theta, at.coupler, at.rocker}};
    }
    double crank_acceleration_at(double theta, double omega, double tau) const {
        return crank_acceleration<3>([&](const auto& t) { return motion(t); },
                                     {crank, coupler, rocker}, theta, omega, tau);
    }

    Model model(Cut cut, const std::array<bool, 6>& axes = {false, false, false, true, true, true},
                const Pose<double>& base = tilted()) const {
        const Vec3<double> z{0, 0, 1};
        const auto along_x = [](double x) { return Pose<double>::translation(x, 0, 0); };
        Builder b("four_bar");
        b.gravity(base.rotation * Vec3<double>{0, -9.81, 0}).link("ground");
        b.body("ground", revolute("crank_joint", z).at(base), "crank", crank.from_near_end());
        ConstraintDescription loop;
        loop.name = "loop";
        loop.axes = axes;
        if (cut == Cut::kInCoupler) {
            b.body("crank", revolute("coupler_joint", z).at(along_x(crank.length)), "near_half",
                   coupler.placed(coupler.center * coupler.length, 0.5));
            b.body("ground", revolute("rocker_joint", z).at(base * along_x(ground)), "rocker",
                   rocker.from_near_end());
            b.body("rocker", revolute("end_joint", z).at(along_x(rocker.length)), "far_half",
                   coupler.placed((coupler.center - 1) * coupler.length, 0.5));
            loop.frame_a = "near_half";
            loop.placement_a = along_x(coupler.length);
            loop.frame_b = "far_half";
        } else {
            b.body("crank", revolute("coupler_joint", z).at(along_x(crank.length)), "coupler",
                   coupler.from_near_end());
            if (cut == Cut::kAtGround) {
                // Its x points from the coupler to the ground.
                Rod upside_down = rocker;
                upside_down.center = 1 - rocker.center;
                b.body("coupler", revolute("rocker_joint", z).at(along_x(coupler.length)), "rocker",
                       upside_down.from_near_end());
                loop.frame_a = "rocker";
                loop.placement_a = along_x(rocker.length);
                loop.frame_b = "ground";
                loop.placement_b = base * along_x(ground);
            } else {
                b.body("ground", revolute("rocker_joint", z).at(base * along_x(ground)), "rocker",
                       rocker.from_near_end());
                loop.frame_a = "coupler";
                loop.placement_a = along_x(coupler.length);
                loop.frame_b = "rocker";
                loop.placement_b = along_x(rocker.length);
            }
        }
        return b.constraint(loop).build();
    }
    // Coordinates of the model's joints, for any number type.
    template <class S>
    VectorX<S> configuration(Cut cut, const S& theta) const {
        constexpr double kPi = 3.14159265358979323846;
        const Angles<S> at = angles(theta);
        VectorX<S> q(cut == Cut::kInCoupler ? 4 : 3);
        q[0] = theta;
        q[1] = at.coupler - theta;
        q[2] = cut == Cut::kAtGround ? at.rocker + S(kPi) - at.coupler : at.rocker;
        if (cut == Cut::kInCoupler) q[3] = at.coupler - at.rocker;
        return q;
    }
};

// Which axes a loop holds: three of rotation, three of position.
using Axes = std::array<bool, 6>;
inline constexpr Axes kHeldInPlane{false, false, false, true, true, false};
inline constexpr Axes kHeldPoint{false, false, false, true, true, true};
inline constexpr Axes kHeldHinge{true, true, false, true, true, true};
inline constexpr Axes kHeldAll{true, true, true, true, true, true};

// A plane mechanism needs two rows where a joint is cut, and three where a link is: all others are redundant.
struct WayToClose {
    const char* name;
    FourBar::Cut cut;
    Axes axes;
};
inline void PrintTo(const WayToClose& way, std::ostream* out) { *out << way.name; }

inline constexpr WayToClose kWaysToClose[] = {
    {"two rows", FourBar::Cut::kAtRockerEnd, kHeldInPlane},
    {"a point", FourBar::Cut::kAtRockerEnd, kHeldPoint},
    {"a hinge", FourBar::Cut::kAtRockerEnd, kHeldHinge},
    {"on the ground", FourBar::Cut::kAtGround, kHeldInPlane},
    {"hinged to ground", FourBar::Cut::kAtGround, kHeldHinge},
    {"a link in two", FourBar::Cut::kInCoupler, kHeldAll},
};

struct SliderCrank {
    Rod crank{0.5, 1.1, 0.3, 0.05}, rod{1.6, 0.9, 0.5, 0.2}, slider{0, 2.5, 0, 0.1};

    template <class S>
    S rod_angle(const S& theta) const {
        using std::atan2;
        using std::sqrt;
        const S s = S(-crank.length / rod.length) * sin_cos(theta).sin;
        return atan2(s, sqrt(S(1) - s * s));
    }
    template <class S>
    S slide(const S& theta) const {
        return S(crank.length) * sin_cos(theta).cos + S(rod.length) * sin_cos(rod_angle(theta)).cos;
    }
    template <class S>
    PlaneMotion<S, 3> motion(const S& theta) const {
        const S phi = rod_angle(theta);
        const auto A = sin_cos(theta), B = sin_cos(phi);
        const S a(crank.center * crank.length), b(rod.center * rod.length), r(crank.length);
        return {{a * A.cos, r * A.cos + b * B.cos, slide(theta)},
                {a * A.sin, r * A.sin + b * B.sin, S(0)},
                {theta, phi, S(0)}};
    }
    double crank_acceleration_at(double theta, double omega, double tau) const {
        return crank_acceleration<3>([&](const auto& t) { return motion(t); }, {crank, rod, slider},
                                     theta, omega, tau);
    }
    // The rod's end is hinged to the slider: five axes, of which three are redundant.
    Model model() const {
        const Pose<double> base = tilted();
        const Vec3<double> z{0, 0, 1};
        ConstraintDescription hinge = weld("pin", "rod", "slider");
        hinge.axes = {true, true, false, true, true, true};
        hinge.placement_a = Pose<double>::translation(rod.length, 0, 0);
        return Builder("slider_crank")
            .gravity(base.rotation * Vec3<double>{0, -9.81, 0})
            .link("ground")
            .body("ground", revolute("crank_joint", z).at(base), "crank", crank.from_near_end())
            .body("crank", revolute("rod_joint", z).at(crank.length, 0, 0), "rod",
                  rod.from_near_end())
            .body("ground", prismatic("slide", {1, 0, 0}).at(base), "slider",
                  slider.from_near_end())
            .constraint(hinge)
            .build();
    }
    template <class S>
    VectorX<S> configuration(const S& theta) const {
        VectorX<S> q(3);
        q << theta, rod_angle(theta) - theta, slide(theta);
        return q;
    }
};

// Position, velocity for a crank's rate, and acceleration for its acceleration, from a closed form q(θ).
struct KnownMotion {
    VectorX<double> q, v, a;
};
template <class Configuration>
KnownMotion known_motion(const Configuration& configuration, double theta, double omega,
                         double alpha) {
    using D = Dual<double>;
    const auto at = configuration(Dual<D>(D(theta, 1.0), D(1.0)));
    KnownMotion out{VectorX<double>(at.size()), VectorX<double>(at.size()),
                    VectorX<double>(at.size())};
    for (long k = 0; k < at.size(); ++k) {
        const double slope = at[k].derivative.value, curvature = at[k].derivative.derivative;
        out.q[k] = at[k].value.value;
        out.v[k] = slope * omega;
        out.a[k] = slope * alpha + curvature * omega * omega;
    }
    return out;
}

}  // namespace plucker::test
