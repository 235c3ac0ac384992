#include "steps.hpp"

#include "plucker/algorithms/configuration.hpp"

namespace plucker::simulate {

void advance(const Model& model, const double* q, const double* v, double h, double* out) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic) continue;
        const double* q_i = q + body.q_index;
        const double* v_i = v + body.v_index;
        double* out_i = out + body.q_index;
        visit_joint(body.joint, [&]<class Joint>(Joint) {
            std::array<double, Joint::kNv == 0 ? 1 : Joint::kNv> step;
            for (int k = 0; k < Joint::kNv; ++k) step[static_cast<std::size_t>(k)] = h * v_i[k];
            if constexpr (Joint::kType == JointType::kFloating) {
                const Vec3<double> moved =
                    transpose_times(coordinate_rotation(FloatingJoint::attitude(q_i)),
                                    Vec3<double>{step[3], step[4], step[5]});
                SphericalJoint::integrate(q_i + 3, step.data(), out_i + 3);
                out_i[0] = q_i[0] + moved.x;
                out_i[1] = q_i[1] + moved.y;
                out_i[2] = q_i[2] + moved.z;
            } else if constexpr (Joint::kType == JointType::kPlanar) {
                const double s = std::sin(q_i[2]), c = std::cos(q_i[2]);
                out_i[0] = q_i[0] + c * step[1] - s * step[2];
                out_i[1] = q_i[1] + s * step[1] + c * step[2];
                out_i[2] = q_i[2] + step[0];
            } else if constexpr (Joint::kNv > 0) {
                Joint::integrate(q_i, step.data(), out_i);
            }
        });
    }
}

void turn_along(const Model& model, const double* from, const double* to, double* v) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        const double *a = from + body.q_index, *b = to + body.q_index;
        double* v_i = v + body.v_index;
        if (body.joint == JointType::kFloating) {
            const Vec3<double> fixed =
                transpose_times(coordinate_rotation(FloatingJoint::attitude(a)),
                                Vec3<double>{v_i[3], v_i[4], v_i[5]});
            const Vec3<double> turned = coordinate_rotation(FloatingJoint::attitude(b)) * fixed;
            v_i[3] = turned.x;
            v_i[4] = turned.y;
            v_i[5] = turned.z;
        } else if (body.joint == JointType::kPlanar) {
            const double s = std::sin(b[2] - a[2]), c = std::cos(b[2] - a[2]);
            const double x = v_i[1], y = v_i[2];
            v_i[1] = c * x + s * y;
            v_i[2] = c * y - s * x;
        }
    }
}

}  // namespace plucker::simulate
