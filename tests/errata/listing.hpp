// What the listings of the papers need: a robot as they see it, in dense 6×6 matrices, robots of any
// shape, and a measure of how wrong a result is.
//
// Each file of this directory transcribes one source line by line. A struct Printed of switches says
// which lines are run as printed; all others are run as docs/errata.md corrects them. The numbers that
// the tests expect are those of that page.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <string>
#include <vector>

#include "plucker/algorithms/table.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker::test {

using Vec = VectorX<double>;
using Mat = MatrixX<double>;
using Vec6 = Vector6<double>;
using Mat6 = Matrix6<double>;
using Mat3X = Matrix3X<double>;
using Mat6X = Matrix6X<double>;

// --- How wrong ---------------------------------------------------------------------------------

// The largest difference of two entries, as a share of the largest entry of what is right.
inline double error(const Mat& found, const Mat& right) {
    return (found - right).cwiseAbs().maxCoeff() / right.cwiseAbs().maxCoeff();
}
inline testing::AssertionResult within(double found, double lower, double upper) {
    if (lower <= found && found <= upper) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "the error is " << found << ", not between " << lower << " and " << upper;
}
// Right, up to rounding.
inline testing::AssertionResult is_right(double found) { return within(found, 0, 1e-11); }
// Right, up to what central differences with steps of 1e-5 can see.
inline testing::AssertionResult is_right_by_differences(double found) {
    return within(found, 0, 1e-7);
}
// Wrong, by as much as the page says.
inline testing::AssertionResult is_wrong_by(double found, double page) {
    return within(found, 0.99 * page, 1.01 * page);
}

// d f(q(t))/dt by central differences, where q moves with the velocity v.
template <class F>
Mat rate_along(const Model& model, const Vec& q, const Vec& v, F&& f) {
    constexpr double kStep = 1e-5;
    const Mat after = f(integrate(model, q, kStep * v));
    const Mat before = f(integrate(model, q, -kStep * v));
    return (after - before) / (2 * kStep);
}

// --- Robots ------------------------------------------------------------------------------------

// Numbers in [-1, 1), the same on every platform (the standard's distributions are not).
class Numbers {
public:
    explicit Numbers(unsigned seed) : engine_(seed) {}
    double next() { return static_cast<double>(engine_()) / 2147483648.0 - 1.0; }
    Vec3<double> vec3(double scale) {
        const double x = next(), y = next(), z = next();
        return {scale * x, scale * y, scale * z};
    }
    Vec vec(int size, double scale = 1) {
        Vec out(size);
        for (double& x : out) x = scale * next();
        return out;
    }

private:
    std::mt19937 engine_;
};

// A body without symmetry, its centre of mass away from its frame.
inline MassProperties some_mass(Numbers& numbers) {
    const double mass = 2 + numbers.next();
    const Vec3<double> center = numbers.vec3(0.2);
    SymMat3<double> about_center;
    for (int k = 0; k < 4; ++k) about_center += (mass / 4) * point_inertia(numbers.vec3(0.3));
    return {mass, center, about_center};
}

// Bodies b1, b2, … on revolute joints about axes in no special direction; parents[i - 1] is the parent
// of body i, 0 for the root. Parents must be listed depth first, so that the model keeps the numbers.
inline Model robot_of(const std::vector<int>& parents, Base base, unsigned seed = 1) {
    Numbers numbers(seed);
    Builder builder("robot");
    builder.base(base);
    builder.link("b0", base == Base::kFloating ? some_mass(numbers) : MassProperties{});
    for (std::size_t i = 1; i <= parents.size(); ++i) {
        const Vec3<double> position = numbers.vec3(0.5);
        const Pose<double> placement = Pose<double>::roll_pitch_yaw(position, numbers.vec3(3));
        const Vec3<double> axis = numbers.vec3(1);
        builder.body("b" + std::to_string(parents[i - 1]),
                     revolute("j" + std::to_string(i), axis).at(placement), "b" + std::to_string(i),
                     some_mass(numbers));
    }
    return builder.build();
}

struct State {
    Vec q, v;
};
// Any angles, velocities of about one, a base that is turned and away from the origin.
inline State some_state(const Model& model, unsigned seed = 2) {
    Numbers numbers(seed);
    State state{numbers.vec(model.nq(), 2), numbers.vec(model.nv())};
    state.q = normalize_configuration(model, state.q);
    return state;
}

// --- A robot as the listings see it --------------------------------------------------------------

// Bodies 1 … N on revolute joints about their z axes. Body 0 is the fixed world or the floating base:
// the numbering of the papers, where a floating base is not a joint.
struct Listing {
    struct Link {
        int parent = 0;       // λ(i)
        int subtree_end = 0;  // subtree(i) is i … subtree_end - 1
        Mat6 X_T = Mat6::Identity();
        Mat6 I = Mat6::Zero();
    };
    int N = 0;
    std::vector<Link> links;
    Transform<double> X_base_world;
    Vec q, v;  // of the joints 1 … N, at [i - 1]
    Vec6 v_fb = Vec6::Zero();

    const Link& operator[](int i) const { return links[static_cast<std::size_t>(i)]; }
    double position(int i) const { return q[i - 1]; }
    double velocity(int i) const { return v[i - 1]; }
};

inline Listing listing_of(const Model& model, const Vec& q, const Vec& v) {
    const int base =
        model.has_floating_base() ? 1 : 0;  // the model's number of the listing's body 0
    Listing out;
    out.N = model.num_bodies() - base;
    for (int i = 0; i <= out.N; ++i) {
        const Body<double>& body = model.body(i + base);
        out.links.push_back({body.parent - base, body.subtree_end - base,
                             motion_matrix(body.X_tree), to_eigen(body.inertia)});
    }
    if (base == 1) {
        out.X_base_world = FloatingJoint::transform<double>(model.body(1), q.data(), nullptr);
        out.v_fb = v.head<6>();
    }
    out.q = q.tail(out.N);
    out.v = v.tail(out.N);
    return out;
}

// A robot and a state, both ways.
struct Example {
    Model model;
    State state;
    Listing listing;

    Example(const std::vector<int>& parents, Base base)
        : model(robot_of(parents, base)),
          state(some_state(model)),
          listing(listing_of(model, state.q, state.v)) {}
};

// [X_J, s] = jcalc(revolute, q).
struct JointCalculation {
    Mat6 X_J;
    Vec6 s;
};
inline JointCalculation jcalc(double q) {
    Vec6 s;
    s << 0, 0, 1, 0, 0, 0;
    return {motion_matrix(Transform<double>::rotation(rotation_z(sin_cos(q)))), s};
}

// v× and v×*.
inline Mat6 cross(const Vec6& v) { return cross_matrix(to_motion(v)); }
inline Mat6 cross_star(const Vec6& v) { return cross_force_matrix(to_motion(v)); }
// s(r), the 3×3 matrix with s(r) x = r × x.
inline Matrix3<double> s(const Vector3<double>& r) { return to_eigen(skew(to_vec3(r))); }

}  // namespace plucker::test
