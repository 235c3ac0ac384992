// Random spatial quantities of every scalar.
#pragma once

#include "plucker/spatial/eigen.hpp"
#include "plucker/spatial/quaternion.hpp"
#include "scalar/scalars.hpp"

namespace plucker::test {

template <class S>
class SpatialSampler : public Sampler<S> {
public:
    using Sampler<S>::Sampler;
    using Sampler<S>::scalar;

    Vec3<S> vec3() { return {scalar(), scalar(), scalar()}; }
    Mat3<S> mat3() { return {vec3(), vec3(), vec3()}; }
    SymMat3<S> symmetric() { return {scalar(), scalar(), scalar(), scalar(), scalar(), scalar()}; }
    Motion<S> motion() { return {vec3(), vec3()}; }
    Force<S> force() { return {vec3(), vec3()}; }
    // Away from zero, where a quaternion has no direction.
    Quaternion<S> attitude() {
        return normalized(Quaternion<S>{scalar(), scalar(), scalar(), scalar(0.5, 1)});
    }
    Mat3<S> rotation() { return coordinate_rotation(attitude()); }
    Transform<S> transform() { return {rotation(), vec3()}; }
    // The inertia of a solid: principal moments that satisfy the triangle inequality, turned and moved.
    Inertia<S> inertia() {
        const SymMat3<S> principal =
            SymMat3<S>::diagonal(scalar(0.5, 0.9), scalar(0.5, 0.9), scalar(0.5, 0.9));
        return Inertia<S>::from_center_of_mass(scalar(1, 2), vec3(),
                                               rotate_back(rotation(), principal));
    }
    // Several solids and springs: symmetric and positive definite, with no more structure than that.
    ArticulatedInertia<S> articulated_inertia() {
        ArticulatedInertia<S> sum(inertia());
        for (int k = 0; k < 6; ++k) {
            const Force<S> f = force();
            sum = subtract_outer(sum, f, S(-1) * f);
        }
        return sum;
    }
};

// The derivatives of a vector's components.
template <class S>
Vec3<ValueOf<S>> rate_of(const Vec3<S>& a) {
    return {derivative_of(a.x), derivative_of(a.y), derivative_of(a.z)};
}
template <template <class> class SpatialVector, class S>
SpatialVector<ValueOf<S>> rate_of(const SpatialVector<S>& a) {
    return {rate_of(a.angular), rate_of(a.linear)};
}

// Numbers of S that are held still: the derivative of everything computed from them comes from `time`.
template <class S>
using StillSampler = SpatialSampler<ValueOf<S>>;
template <class S>
S time() {
    return with_derivative<S>(0, 1);
}

// Where a frame B at X = ᴮX_A will be after the time t, to first order, if it moves with the spatial
// velocity v, all seen from A: Ė = -E ω×, ṙ = v_O + ω × r.
template <class S>
Transform<S> moved(const Transform<S>& X, const Motion<S>& v, const S& t) {
    return {X.E - t * (X.E * skew(v.angular)), X.r + t * point_velocity(v, X.r)};
}

}  // namespace plucker::test
