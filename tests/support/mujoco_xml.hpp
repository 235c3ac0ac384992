// What the tests and the benchmarks share that write robots down for MuJoCo: numbers, inertias, and its compiler. Needs Eigen and MuJoCo, and
// nothing of this library, because the benchmarks' modules are compiled beside it.
#pragma once

#include <mujoco/mujoco.h>

#include <Eigen/Dense>
#include <cstring>
#include <iomanip>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

namespace plucker::test {

// Numbers of an attribute, to the last bit.
template <class Numbers>
std::string xml_numbers(const Numbers& numbers) {
    std::ostringstream out;
    out << std::setprecision(17);
    for (const double x : numbers) out << x << ' ';
    return out.str();
}
inline std::string xml_numbers(std::initializer_list<double> numbers) {
    return xml_numbers<std::initializer_list<double>>(numbers);
}
// w x y z.
inline std::string xml_quaternion(const Eigen::Matrix3d& rotation) {
    const Eigen::Quaterniond a(rotation);
    return xml_numbers({a.w(), a.x(), a.y(), a.z()});
}

// MuJoCo keeps inertias along their principal axes. Its compiler can find these from a full matrix as well, but not to the
// last digit.
struct PrincipalInertia {
    Eigen::Vector3d moments;
    Eigen::Matrix3d axes;
};
inline PrincipalInertia principal_inertia(const Eigen::Matrix3d& about_center) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(about_center);
    Eigen::Matrix3d axes = solver.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    return {solver.eigenvalues(), axes};
}

// MJCF or URDF by MuJoCo's own compiler; throws what it says. The caller deletes the model.
inline mjModel* compile_mujoco(const std::string& xml) {
    const auto files = std::make_unique<mjVFS>();  // two megabytes: not on the stack
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), "robot.xml")], xml.data(), xml.size());
    char error[1000] = "";
    mjModel* model = mj_loadXML("robot.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (model == nullptr) throw std::runtime_error(std::string(error) + " in\n" + xml);
    return model;
}

}  // namespace plucker::test
