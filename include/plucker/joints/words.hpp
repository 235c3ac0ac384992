// The names of a joint type in files, its coordinates in other libraries, and where its frame may lie.
#pragma once

namespace plucker {

// The words of file formats for a type of joint; null where a format has none.
struct FileWords {
    const char* urdf = nullptr;
    const char* sdf = nullptr;
    const char* mjcf = nullptr;
    const char* unlimited = nullptr;  // URDF's and SDF's word for the same joint without limits
};

// How another library writes a joint's coordinates (see model/conventions.hpp).
enum class CoordinateForm {
    kOurs,
    kCosSin,        // the cosine and sine of an angle
    kPlanarCosSin,  // q (x, y, cos, sin); v (v_x, v_y, ω_z)
    kPlanarRates,   // v the rates of (x, y, angle)
    kLinearFirst,   // v (v; ω)
    kWorldLinear,   // q (position, wxyz), v (v; ω), both in the world's axes but for ω
    kWxyz,          // q the quaternion w x y z
    kNone,          // there is no such joint
};
// Only types that are not written as ours say so, in `kForms`.
struct CoordinateForms {
    CoordinateForm pinocchio = CoordinateForm::kOurs;
    CoordinateForm pinocchio_unlimited = CoordinateForm::kOurs;  // for joints with one freedom
    CoordinateForm mujoco = CoordinateForm::kOurs;
};

// Where the joint's frame must have its origin, so that its coordinates mean what they say: at a certain point of
// both bodies, on the axis, or anywhere.
enum class Anchor { kAnywhere, kOnAxis, kAtPoint };

}  // namespace plucker
