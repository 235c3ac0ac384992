// MuJoCo. The dampers are those of joints, which its Euler method takes implicitly; springs are position actuators.
#include <Eigen/Dense>
#include <cmath>
#include <iomanip>
#include <memory>
#include <sstream>

#include "engine.hpp"
#include "support/mujoco_xml.hpp"

namespace plucker::bench {
namespace {

using test::compile_mujoco;
using test::xml_numbers;
using test::xml_quaternion;

struct Variant {
    const char* name;
    const char* cone;
    const char* integrator;
};
constexpr Variant kVariants[] = {{"MuJoCo", "pyramidal", "Euler"},
                                 {"MuJoCo, elliptic cones", "elliptic", "Euler"},
                                 {"MuJoCo, implicit", "pyramidal", "implicit"}};

Eigen::Matrix3d matrix(const std::array<double, 9>& a) {
    return Eigen::Map<const Eigen::Matrix3d>(a.data());
}
void write_shape(const ShapeData& shape, std::ostream& out) {
    const auto& s = shape.size;
    out << "<geom pos='" << xml_numbers(shape.position) << "' quat='"
        << xml_quaternion(matrix(shape.rotation)) << "' ";
    switch (shape.form) {
        case Form::kBox:
            out << "type='box' size='" << xml_numbers({s[0] / 2, s[1] / 2, s[2] / 2});
            break;
        case Form::kSphere:
            out << "type='sphere' size='" << xml_numbers({s[0]});
            break;
        case Form::kCapsule:
            out << "type='capsule' size='" << xml_numbers({s[0], s[1] / 2});
            break;
    }
    out << "'/>";
}

void write_children(const Scene& scene, int parent, std::ostream& out) {
    for (int i = parent + 1; i <= static_cast<int>(scene.bodies.size()); ++i) {
        const BodyData& b = scene.bodies[static_cast<std::size_t>(i) - 1];
        if (b.parent != parent) continue;
        const Eigen::Matrix3d I = matrix(b.about_center);
        out << "<body name='" << b.name << "' pos='" << xml_numbers(b.position) << "' quat='"
            << xml_quaternion(matrix(b.rotation)) << "'><inertial pos='" << xml_numbers(b.center)
            << "' mass='" << xml_numbers({b.mass}) << "' fullinertia='"
            << xml_numbers({I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}) << "'/>";
        if (b.floats) {
            out << "<freejoint/>";
        } else {
            out << "<joint name='" << b.name << "' axis='0 0 1' damping='" << scene.kd << "'";
            if (std::isfinite(b.lower))
                out << " limited='true' range='" << xml_numbers({b.lower, b.upper}) << "'";
            out << "/>";
        }
        for (const ShapeData& shape : b.shapes) write_shape(shape, out);
        write_children(scene, i, out);
        out << "</body>";
    }
}

std::string to_mjcf(const Scene& scene, const Variant& variant) {
    std::ostringstream out;
    out << std::setprecision(17);
    out << "<mujoco><compiler angle='radian'/><option timestep='" << scene.step << "' gravity='"
        << xml_numbers(scene.gravity) << "' cone='" << variant.cone << "' integrator='"
        << variant.integrator << "'/><size njmax='2000' nconmax='400'/>"
        << "<default><geom friction='" << scene.friction << " 0 0' condim='3'/></default>"
        << "<worldbody>";
    if (scene.has_ground) out << "<geom type='plane' size='10 10 1'/>";
    write_children(scene, 0, out);
    out << "</worldbody><contact>";
    const auto name = [&](int i) { return scene.bodies[static_cast<std::size_t>(i) - 1].name; };
    for (const auto& [a, b] : scene.never_touching)
        out << "<exclude body1='" << name(a) << "' body2='" << name(b) << "'/>";
    out << "</contact><actuator>";
    for (const BodyData& b : scene.bodies) {
        if (!b.floats && scene.kp > 0)
            out << "<position joint='" << b.name << "' kp='" << scene.kp << "'/>";
    }
    out << "</actuator></mujoco>";
    return out.str();
}

class MujocoEngine : public Engine {
public:
    MujocoEngine(const Scene& scene, const Variant& variant)
        : scene_(scene),
          variant_(variant),
          m_(compile_mujoco(to_mjcf(scene, variant)), &mj_deleteModel),
          d_(mj_makeData(m_.get()), &mj_deleteData) {}

    std::string name() const override { return variant_.name; }
    std::string version() const override { return mj_versionString(); }
    void reset() override {
        mj_resetData(m_.get(), d_.get());
        const std::size_t n = scene_.q.size();
        for (std::size_t k = 0; k < n; ++k) d_->qpos[k] = scene_.q[k];
        const Eigen::Quaterniond turn(scene_.q[6], scene_.q[3], scene_.q[4], scene_.q[5]);
        d_->qpos[3] = turn.w();
        for (int k = 0; k < 3; ++k) d_->qpos[4 + k] = scene_.q[3 + static_cast<std::size_t>(k)];
        for (std::size_t k = 0; k < scene_.v.size(); ++k) d_->qvel[k] = scene_.v[k];
        const Eigen::Vector3d linear = turn * Eigen::Vector3d(scene_.v.data() + 3);
        for (int k = 0; k < 3; ++k) {
            d_->qvel[k] = linear[k];
            d_->qvel[3 + k] = scene_.v[static_cast<std::size_t>(k)];
        }
        for (int k = 0; k < m_->nu; ++k) d_->ctrl[k] = scene_.q[7 + static_cast<std::size_t>(k)];
    }
    void step() override { mj_step(m_.get(), d_.get()); }
    std::vector<double> configuration() const override {
        std::vector<double> q(d_->qpos, d_->qpos + m_->nq);
        for (std::size_t k = 0; k < 3; ++k) q[3 + k] = d_->qpos[4 + k];
        q[6] = d_->qpos[3];
        return q;
    }

private:
    Scene scene_;
    Variant variant_;
    std::unique_ptr<mjModel, decltype(&mj_deleteModel)> m_;
    std::unique_ptr<mjData, decltype(&mj_deleteData)> d_;
};

}  // namespace

extern "C" int plucker_count_engines() { return static_cast<int>(std::size(kVariants)); }
extern "C" Engine* plucker_make_engine(const Scene& scene, int variant) {
    return new MujocoEngine(scene, kVariants[variant]);
}

}  // namespace plucker::bench
