// MuJoCo. The dampers are those of joints, which its Euler method takes implicitly; springs are position actuators.
#include <mujoco/mujoco.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "engine.hpp"

namespace plucker::bench {
namespace {

struct Variant {
    const char* name;
    const char* cone;
    const char* integrator;
};
constexpr Variant kVariants[] = {{"MuJoCo", "pyramidal", "Euler"},
                                 {"MuJoCo, elliptic cones", "elliptic", "Euler"},
                                 {"MuJoCo, implicit", "pyramidal", "implicit"}};

template <class Numbers>
std::string text(const Numbers& numbers) {
    std::ostringstream out;
    out << std::setprecision(17);
    for (const double x : numbers) out << x << ' ';
    return out.str();
}
Eigen::Matrix3d matrix(const std::array<double, 9>& a) {
    return Eigen::Map<const Eigen::Matrix3d>(a.data());
}
std::string quaternion(const std::array<double, 9>& rotation) {
    const Eigen::Quaterniond a(matrix(rotation));
    return text(std::array{a.w(), a.x(), a.y(), a.z()});
}

void write_shape(const ShapeData& shape, std::ostream& out) {
    const auto& s = shape.size;
    out << "<geom pos='" << text(shape.position) << "' quat='" << quaternion(shape.rotation)
        << "' ";
    switch (shape.form) {
        case Form::kBox:
            out << "type='box' size='" << text(std::array{s[0] / 2, s[1] / 2, s[2] / 2});
            break;
        case Form::kSphere:
            out << "type='sphere' size='" << text(std::array{s[0]});
            break;
        case Form::kCapsule:
            out << "type='capsule' size='" << text(std::array{s[0], s[1] / 2});
            break;
    }
    out << "'/>";
}

void write_children(const Scene& scene, int parent, std::ostream& out) {
    for (int i = parent + 1; i <= static_cast<int>(scene.bodies.size()); ++i) {
        const BodyData& b = scene.bodies[static_cast<std::size_t>(i) - 1];
        if (b.parent != parent) continue;
        const Eigen::Matrix3d I = matrix(b.about_center);
        out << "<body name='" << b.name << "' pos='" << text(b.position) << "' quat='"
            << quaternion(b.rotation) << "'><inertial pos='" << text(b.center) << "' mass='"
            << text(std::array{b.mass}) << "' fullinertia='"
            << text(std::array{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}) << "'/>";
        if (b.floats) {
            out << "<freejoint/>";
        } else {
            out << "<joint name='" << b.name << "' axis='0 0 1' damping='" << scene.kd << "'";
            if (std::isfinite(b.lower))
                out << " limited='true' range='" << text(std::array{b.lower, b.upper}) << "'";
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
        << text(scene.gravity) << "' cone='" << variant.cone << "' integrator='"
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

mjModel* compile(const std::string& xml) {
    const auto files = std::make_unique<mjVFS>();  // two megabytes: not on the stack
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), "robot.xml")], xml.data(), xml.size());
    char error[1000] = "";
    mjModel* model = mj_loadXML("robot.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (model == nullptr) throw std::runtime_error(error);
    return model;
}

class MujocoEngine : public Engine {
public:
    MujocoEngine(const Scene& scene, const Variant& variant)
        : scene_(scene),
          variant_(variant),
          m_(compile(to_mjcf(scene, variant)), &mj_deleteModel),
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
