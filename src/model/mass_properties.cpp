#include "plucker/model/mass_properties.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "plucker/model/error.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker {
namespace {

// Data sheets and files round to six digits, each of three entries by half a unit of the last; thin plates meet the
// triangle inequality with equality.
constexpr double kRounding = 1e-6;
// The square of a radius of gyration, in m², that is no size of anything: a nanometre's.
constexpr double kNothing = 1e-18;

// In ascending order. What the solver leaves of zeros is zero.
Eigen::Vector3d principal_moments(const SymMat3<double>& I) {
    const Eigen::Vector3d e =
        Eigen::SelfAdjointEigenSolver<Matrix3<double>>(to_eigen(I)).eigenvalues();
    const double largest = e.cwiseAbs().maxCoeff();
    return e.unaryExpr([&](double x) { return std::abs(x) < 1e-15 * largest ? 0.0 : x; });
}

// A rigid body's inertia about its centre has eigenvalues that are not negative, and each is at most
// the sum of the other two (the triangle inequality), because they are sums of squared distances.
bool is_of_a_body(const Eigen::Vector3d& moments) {
    const double tolerance = kRounding * moments.cwiseAbs().maxCoeff();
    return moments[0] >= -tolerance && moments[0] + moments[1] >= moments[2] - tolerance;
}

// What may have led to an inertia that no body has; `excess` is how far it is from one, relative to its size.
std::string reason(const MassProperties& m, double excess) {
    const SymMat3<double>& I = m.about_center;
    constexpr double kFewDigits = 0.01;
    if (I.xx == I.xy && I.xx == I.xz && I.xx == I.yy && I.xx == I.yz && I.xx == I.zz) {
        return Error::because("all six entries are ", I.xx,
                              ", the placeholder of a CAD export: give it its inertia")
            .what();
    }
    if (principal_moments(I).cwiseAbs().maxCoeff() < kNothing * m.mass) {
        return "it is next to nothing for its mass, as what rounding leaves of zeros: give it "
               "its inertia";
    }
    if (excess < kFewDigits) {
        return Error::because("by ", 100 * excess,
                              " %, as if rounded to too few digits: give it more")
            .what();
    }
    if (norm(m.center) > 0 && is_of_a_body(principal_moments(m.inertia().rotational))) {
        return "it would be a body's with the parallel-axis term of its centre of mass added: "
               "was that subtracted twice, or is it about another point?";
    }
    return "no body has it: check the order and signs of its entries, and that it is about the "
           "centre of mass";
}

}  // namespace

void MassProperties::refuse_size(const char* shape, const char* what, double size) {
    throw Error::because("MassProperties: ", shape, ": ", what, " is ", size,
                         " m; it must not be negative");
}

std::string why_no_body(const MassProperties& m) {
    const Eigen::Vector3d e = principal_moments(m.about_center);
    const double largest = e.cwiseAbs().maxCoeff();
    if (m.mass == 0 && largest > 0) {
        return Error::because("mass is zero but its rotational inertia is not (eigenvalues ", e[0],
                              ", ", e[1], ", ", e[2], "); give it a mass or zero inertia")
            .what();
    }
    if (is_of_a_body(e)) return "";
    if (e[0] < -kRounding * largest) {
        return Error::because("rotational inertia is not positive semidefinite (eigenvalues ", e[0],
                              ", ", e[1], ", ", e[2], "); ", reason(m, -e[0] / largest))
            .what();
    }
    return Error::because("rotational inertia violates the triangle inequality (eigenvalues ", e[0],
                          " + ", e[1], " < ", e[2], "); ",
                          reason(m, (e[2] - e[1] - e[0]) / largest))
        .what();
}

void check_mass(const char* function, const std::string& name, const MassProperties& mass,
                bool is_of_a_body) {
    const SymMat3<double>& I = mass.about_center;
    if (!(mass.mass >= 0) || !std::isfinite(mass.mass)) {
        throw Error::because(function, ": '", name, "': mass is ", mass.mass,
                             " kg; it must not be negative");
    }
    for (const double x :
         {mass.center.x, mass.center.y, mass.center.z, I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}) {
        if (!std::isfinite(x)) {
            throw Error::because(function, ": '", name, "': its centre or its inertia holds ", x,
                                 "; they must be finite");
        }
    }
    if (!is_of_a_body) return;
    if (const std::string why = why_no_body(mass); !why.empty())
        throw Error::because(function, ": '", name, "': ", why);
}

}  // namespace plucker
