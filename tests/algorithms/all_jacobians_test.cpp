// `jacobians` and `jacobians_dot` give all bodies at once what frame_pose, frame_jacobian and frame_jacobian_dot give of
// one frame.
#include <gtest/gtest.h>

#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

// One row per body: the rows of its [R p].
MatrixX<double> poses_one_by_one(Workspace<double>& ws) {
    MatrixX<double> out(ws.num_bodies(), 12);
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        // The body's own frame, whose axes are the joint's, from the frame of its link.
        const FrameId link = ws.model().body_frame(i);
        const Pose<double> pose =
            frame_pose(ws, link) * inverse(to_pose(ws.model().frame(link).X_frame_body));
        MatrixX<double> m(3, 4);
        m << to_eigen(pose.rotation), to_eigen(pose.position);
        for (int k = 0; k < 12; ++k) out(i - 1, k) = m(k / 4, k % 4);
    }
    return out;
}
// Each column from the Jacobian, in world coordinates, of a body that the coordinate moves.
MatrixX<double> axes_one_by_one(Workspace<double>& ws, bool rates) {
    const Model& model = ws.model();
    MatrixX<double> out = MatrixX<double>::Zero(6, model.nv());
    const auto jacobian = [&](int body) {
        MatrixX<double> J = MatrixX<double>::Zero(6, model.nv());
        if (body == 0) return J;
        const FrameId frame = model.body_frame(body);
        if (rates) {
            frame_jacobian_dot(ws, frame, ReferenceFrame::kWorld, J);
        } else {
            frame_jacobian(ws, frame, ReferenceFrame::kWorld, J);
        }
        return J;
    };
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        // What joint i adds on the way from the root: for mimic joints not the only contribution.
        const MatrixX<double> added = jacobian(i) - jacobian(body.parent);
        out.middleCols(body.v_index, body.nv) += added.middleCols(body.v_index, body.nv);
    }
    return out;
}

class AllJacobians : public testing::TestWithParam<std::string> {};

TEST_P(AllJacobians, AreThoseOfSingleFrames) {
    const Model model = joint_model(GetParam());
    std::mt19937 generator(4);
    const laws::State<double> s = laws::random_state(model, generator);
    Workspace<double> ws(model);
    forward_kinematics(ws, s.q, s.v);
    const MatrixX<double> poses = poses_one_by_one(ws), J = axes_one_by_one(ws, false),
                          J_dot = axes_one_by_one(ws, true);
    // Differences of Jacobians, where the result adds up single axes: some roundings of the largest.
    const auto expect_near = [&](const char* what, const MatrixX<double>& got,
                                 const MatrixX<double>& expected) {
        EXPECT_LE((got - expected).cwiseAbs().maxCoeff(),
                  1e-13 * std::max(1.0, expected.cwiseAbs().maxCoeff()))
            << what;
    };
    const auto at_rest = jacobians(model, s.q);
    expect_near("poses", at_rest.poses, poses);
    expect_near("J", at_rest.J, J);
    const auto moving = jacobians_dot(model, s.q, s.v);
    expect_near("poses", moving.poses, poses);
    expect_near("J", moving.J, J);
    expect_near("J_dot", moving.J_dot, J_dot);
}

INSTANTIATE_TEST_SUITE_P(EveryJoint, AllJacobians, testing::ValuesIn(joint_model_names()));

}  // namespace
}  // namespace plucker::test
