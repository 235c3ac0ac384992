// Inverse kinematics by Newton's method, in two lines a step. The error is a motion: what takes the tool to its goal in
// one unit of time. The Jacobian's columns are what each joint does about that.
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

namespace {

// From where the tool stands to the goal, along the world's axes: the turn, and the way.
Vector6<double> from_to(const Pose<double>& tool, const Pose<double>& goal) {
    const Eigen::AngleAxisd turn(to_eigen(goal.rotation) * to_eigen(tool.rotation).transpose());
    Vector6<double> out;
    out << turn.angle() * turn.axis(), to_eigen(goal.position - tool.position);
    return out;
}

}  // namespace

int main() {
    const Model arm = robots::arm();
    Workspace<double> ws(arm);
    const FrameId tool = arm.frame_id("tool");
    VectorX<double> q(arm.nq()), there(arm.nq());
    there << 0.4, 0.5, -0.2, -1.1, 0.3, 0.9, 0.1;
    q << 0.0, 0.3, 0.0, -0.8, 0.0, 0.8, 0.0;
    const Pose<double> goal = frame_pose(arm, there, tool);

    MatrixX<double> J(6, arm.nv());
    for (int k = 0; k < 6; ++k) {
        forward_kinematics(ws, q);
        const Vector6<double> error = from_to(frame_pose(ws, tool), goal);
        std::printf("step %d: the tool is %9.1e m and %9.1e rad off\n", k, error.tail<3>().norm(),
                    error.head<3>().norm());
        // The step: the smallest one that does away with the error.
        frame_jacobian(ws, tool, ReferenceFrame::kWorldAligned, J);
        integrate(ws, q, J.completeOrthogonalDecomposition().solve(error).eval(), q);
    }
}
