// A robot that was read from an MJCF file, beside the same robot in MuJoCo.
#pragma once

#ifdef PLUCKER_HAVE_MUJOCO

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <Eigen/Geometry>
#include <array>
#include <memory>
#include <random>
#include <string>

#include "plucker/io/load.hpp"
#include "plucker/plucker.hpp"

namespace plucker::test {

// A robot, and the same file as MuJoCo reads it. MuJoCo's velocity is T times ours: joints are in another
// order, a free body's velocity is along the world's axes, and mimic joints are joints of their own.
class MujocoTwin {
public:
    explicit MujocoTwin(const std::string& path) : MujocoTwin(load(path), path) {}
    // The other file says the same to MuJoCo in other words.
    MujocoTwin(Model model, const std::string& path) : ours(std::move(model)) {
        std::array<char, 1000> error{};
        theirs.reset(mj_loadXML(path.c_str(), nullptr, error.data(), error.size()));
        if (!theirs) throw Error(error.data());
        data.reset(mj_makeData(theirs.get()));
    }

    void set_state(const VectorX<double>& q, const VectorX<double>& v) {
        const mjModel& m = *theirs;
        T = MatrixX<double>::Zero(m.nv, ours.nv());
        VectorX<double> T_rate_v = VectorX<double>::Zero(m.nv);
        for (int j = 0; j < m.njnt; ++j) {
            mjtNum* position = data->qpos + m.jnt_qposadr[j];
            const int at = m.jnt_dofadr[j];
            const bool free = m.jnt_type[j] == mjJNT_FREE;
            const int i = free && ours.has_floating_base() ? 1 : ours.joint_index(name_of_joint(j));
            const Body<double>& body = ours.body(i);
            const double* mine = q.data() + body.q_index;
            const auto copy_quaternion = [](const double* xyzw, mjtNum* wxyz) {
                for (int k = 0; k < 4; ++k) wxyz[k] = xyzw[(k + 3) % 4];
            };
            if (free) {
                std::copy(mine, mine + 3, position);
                copy_quaternion(mine + 3, position + 3);
                const Matrix3<double> R =
                    Eigen::Quaterniond(position[3], position[4], position[5], position[6])
                        .toRotationMatrix();
                T.block(at, body.v_index + 3, 3, 3) = R;
                T.block(at + 3, body.v_index, 3, 3).setIdentity();
                const Eigen::Vector3d turn = v.segment<3>(body.v_index);
                const Eigen::Vector3d move = v.segment<3>(body.v_index + 3);
                T_rate_v.segment<3>(at) = R * turn.cross(move);
            } else if (m.jnt_type[j] == mjJNT_BALL) {
                copy_quaternion(mine, position);
                T.block(at, body.v_index, 3, 3).setIdentity();
            } else {
                position[0] = body.multiplier * mine[0] + body.offset + m.qpos0[m.jnt_qposadr[j]];
                T(at, body.v_index) = body.multiplier;
            }
        }
        Eigen::Map<VectorX<double>>(data->qvel, m.nv) = T * v;
        mj_forward(&m, data.get());
        MatrixX<double> M_theirs(m.nv, m.nv);
        mj_fullM(&m, M_theirs.data(), data->qM);
        M = T.transpose() * M_theirs * T;
        bias = T.transpose() *
               (Eigen::Map<VectorX<double>>(data->qfrc_bias, m.nv) + M_theirs * T_rate_v);
    }

    // Its own, or the one that the reader gives to a joint without a name.
    std::string name_of_joint(int j) const {
        if (const char* name = mj_id2name(theirs.get(), mjOBJ_JOINT, j)) return name;
        const char* body = mj_id2name(theirs.get(), mjOBJ_BODY, theirs->jnt_bodyid[j]);
        return std::string(body == nullptr ? "" : body) + "_joint";
    }

    struct Delete {
        void operator()(mjModel* m) const { mj_deleteModel(m); }
        void operator()(mjData* d) const { mj_deleteData(d); }
    };
    Model ours;
    std::unique_ptr<mjModel, Delete> theirs;
    std::unique_ptr<mjData, Delete> data;
    MatrixX<double> T, M;
    VectorX<double> bias;
};

// Mass matrix, bias and the poses of all bodies and sites are the same at random states.
inline void expect_agreement(MujocoTwin& twin) {
    using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const Model& model = twin.ours;
    const mjModel& m = *twin.theirs;
    std::mt19937 generator(7);
    std::normal_distribution<double> normal;
    for (int sample = 0; sample < 20; ++sample) {
        SCOPED_TRACE(sample);
        const VectorX<double> q = random_configuration(model, generator);
        const VectorX<double> v = VectorX<double>::NullaryExpr(
            model.nv(), [&](Eigen::Index) { return normal(generator); });
        twin.set_state(q, v);
        EXPECT_LT((mass_matrix(model, q) - twin.M).norm(), 1e-12 * (1 + twin.M.norm()));
        // MuJoCo keeps friction apart from the bias.
        const VectorX<double> ours = bias_torque(model, q, v) - friction_torque(model, v);
        EXPECT_LT((ours - twin.bias).norm(), 1e-11 * (1 + twin.bias.norm()));
        const auto expect_pose = [&](const std::string& name, const mjtNum* xmat,
                                     const mjtNum* xpos) {
            const Pose<double> pose = frame_pose(model, q, name);
            const Eigen::Map<const Eigen::Vector3d> p(xpos);
            EXPECT_LT((to_eigen(pose.position) - p).norm(), 1e-12) << name;
            EXPECT_LT((to_eigen(pose.rotation) - Eigen::Map<const RowMajor>(xmat)).norm(), 1e-12)
                << name;
        };
        for (int b = 1; b < m.nbody; ++b) {
            const char* name = mj_id2name(&m, mjOBJ_BODY, b);
            if (name != nullptr)
                expect_pose(name, twin.data->xmat + 9 * b, twin.data->xpos + 3 * b);
        }
        for (int s = 0; s < m.nsite; ++s) {
            const char* given = mj_id2name(&m, mjOBJ_SITE, s);
            if (given == nullptr) continue;
            // A site with the name of a body gets another.
            const bool taken = mj_name2id(&m, mjOBJ_BODY, given) >= 0;
            expect_pose(taken ? std::string(given) + "_site" : given, twin.data->site_xmat + 9 * s,
                        twin.data->site_xpos + 3 * s);
        }
    }
}

}  // namespace plucker::test

#endif
