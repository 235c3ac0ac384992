#include "robot_data.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <unordered_map>

#include "plucker/io/read_mesh.hpp"
#include "plucker/joints/joint.hpp"
#include "plucker/scalar/eigen.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker::view {
namespace {

using nlohmann::ordered_json;

ordered_json vector_data(const Vec3<double>& x) { return {x.x, x.y, x.z}; }

// A limit, or null where there is none.
ordered_json limit_data(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(); }

// Where a body's own frame, whose z is the joint's axis, lies in the link that names it.
Pose<double> own_frame(const Model& model, int body) {
    if (body == 0) return {};
    return inverse(to_pose(model.frame(model.body_frame(body)).X_frame_body));
}

// The ellipsoid of even density that has the body's mass and inertia: its centre, its attitude and its radii.
ordered_json ellipsoid_data(const Inertia<double>& inertia, const Pose<double>& own) {
    const double m = inertia.mass;
    const Vec3<double> center = (1 / m) * inertia.first_moment;
    const SymMat3<double> about_center = inertia.rotational - m * point_inertia(center);
    const Mat3<double> full = to_mat3(about_center);
    Eigen::Matrix3d I;
    I << full.x.x, full.x.y, full.x.z, full.y.x, full.y.y, full.y.z, full.z.x, full.z.y, full.z.z;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(I);
    Eigen::Matrix3d R = principal.eigenvectors();
    if (R.determinant() < 0) R.col(0) *= -1;
    const Eigen::Vector3d& moments = principal.eigenvalues();
    ordered_json radii = ordered_json::array();
    for (int k = 0; k < 3; ++k) {
        // I_x + I_y + I_z = 2 (J_x + J_y + J_z), I_x = J_y + J_z with J_x = m r_x²/5. A file may have an inertia that no
        // body has: what would be a root of less than nothing is drawn flat.
        const double J = moments.sum() / 2 - moments[k];
        radii.push_back(std::sqrt(std::max(0.0, 5 * J / m)));
    }
    Pose<double> pose;
    pose.position = center;
    pose.rotation = {
        {R(0, 0), R(0, 1), R(0, 2)}, {R(1, 0), R(1, 1), R(1, 2)}, {R(2, 0), R(2, 1), R(2, 2)}};
    return {{"pose", pose_data(own * pose)}, {"radii", radii}};
}

ordered_json joint_data(const Model& model, int i) {
    const JointDescription& joint = model.joint(i);
    const Body<double>& body = model.body(i);
    const Pose<double> own = own_frame(model, i);
    ordered_json out{{"name", joint.name}, {"type", name_of(joint.type)}};
    ordered_json axes = ordered_json::array();
    const auto axis = [&](const Vec3<double>& in_body) {
        axes.push_back(vector_data(own.rotation * in_body));
    };
    // In the body's frame one axis is z, and two are x and y.
    const int count = number_of_axes(body.joint);
    if (count == 1) axis({0, 0, 1});
    if (count == 2) {
        axis({1, 0, 0});
        axis({0, 1, 0});
    }
    out["axes"] = axes;
    out["lower"] = limit_data(joint.limits.lower);
    out["upper"] = limit_data(joint.limits.upper);
    if (body.mimic) out["mimics"] = joint.mimic ? joint.mimic->joint : "";
    return out;
}

ordered_json body_data(const Model& model, int i) {
    const Body<double>& body = model.body(i);
    ordered_json out{{"name", i == 0 ? "world" : model.body_name(i)},
                     {"parent", i == 0 ? -1 : body.parent}};
    if (i == 0) return out;
    out["joint"] = joint_data(model, i);
    out["mass"] = body.inertia.mass;
    if (body.inertia.mass > 0) {
        const Pose<double> own = own_frame(model, i);
        out["center"] = vector_data(own * ((1 / body.inertia.mass) * body.inertia.first_moment));
        out["ellipsoid"] = ellipsoid_data(body.inertia, own);
    }
    return out;
}

// Mesh files, each read once.
class Meshes {
public:
    Meshes(Buffers& buffers, std::vector<Diagnostic>* diagnostics)
        : buffers_(buffers), diagnostics_(diagnostics) {}

    // The number of the mesh; -1 if it cannot be drawn.
    int index(const Mesh& mesh, const std::string& link) {
        if (mesh.path.empty()) {
            report("link '" + link + "': mesh " + mesh.uri +
                   " was not found and is not drawn; name its folder by --package-path");
            return -1;
        }
        const auto [found, is_new] = known_.try_emplace(mesh.path, -1);
        if (!is_new) return found->second;
        try {
            ordered_json parts = ordered_json::array();
            for (const MeshPart& part : read_mesh_parts(mesh.path)) {
                ordered_json data{{"positions", buffers_.add(std::span(part.positions))},
                                  {"indices", buffers_.add(std::span(part.indices))}};
                if (!part.normals.empty()) data["normals"] = buffers_.add(std::span(part.normals));
                if (part.rgba) data["rgba"] = *part.rgba;
                parts.push_back(std::move(data));
            }
            found->second = static_cast<int>(list_.size());
            list_.push_back(std::move(parts));
        } catch (const Error& error) {
            report("link '" + link + "': " + error.what());
        }
        return found->second;
    }
    ordered_json take() { return std::move(list_); }

private:
    void report(std::string what) {
        if (diagnostics_ == nullptr) return;
        diagnostics_->push_back({Severity::kWarning, {}, "", std::move(what)});
    }

    Buffers& buffers_;
    std::vector<Diagnostic>* diagnostics_;
    std::map<std::string, int> known_;
    ordered_json list_ = ordered_json::array();
};

struct GeometryData {
    Meshes& meshes;
    const std::string& link;

    ordered_json operator()(const Box& box) const { return {{"box", vector_data(box.size)}}; }
    ordered_json operator()(const Cylinder& c) const {
        return {{"cylinder", {c.radius, c.length}}};
    }
    ordered_json operator()(const Capsule& c) const { return {{"capsule", {c.radius, c.length}}}; }
    ordered_json operator()(const Sphere& s) const { return {{"sphere", s.radius}}; }
    ordered_json operator()(const Ellipsoid& e) const {
        return {{"ellipsoid", vector_data(e.radii)}};
    }
    ordered_json operator()(const Plane& p) const { return {{"plane", vector_data(p.normal)}}; }
    ordered_json operator()(const Mesh& mesh) const {
        const int index = meshes.index(mesh, link);
        if (index < 0) return {};
        return {{"mesh", index}, {"uri", mesh.uri}, {"scale", vector_data(mesh.scale)}};
    }
};

ordered_json shapes_data(const std::vector<Shape>& shapes, const std::string& link,
                         Meshes& meshes) {
    ordered_json out = ordered_json::array();
    for (const Shape& shape : shapes) {
        ordered_json data = std::visit(GeometryData{meshes, link}, shape.geometry);
        if (data.is_null()) continue;
        data["name"] = shape.name;
        data["pose"] = pose_data(shape.placement);
        if (shape.material && shape.material->rgba) data["rgba"] = *shape.material->rgba;
        out.push_back(std::move(data));
    }
    return out;
}

// A frame of the model as the page knows it: the body, and the frame's pose in the link that names the body.
ordered_json placed(const Model& model, const Frame& frame) {
    return {{"name", frame.name},
            {"body", frame.body},
            {"pose", pose_data(own_frame(model, frame.body) * to_pose(frame.X_frame_body))}};
}

}  // namespace

ordered_json pose_data(const Pose<double>& pose) {
    const Mat3<double>& R = pose.rotation;
    Eigen::Matrix3d m;
    m << R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z, R.z.x, R.z.y, R.z.z;
    const Eigen::Quaterniond q(m);
    return {pose.position.x, pose.position.y, pose.position.z, q.x(), q.y(), q.z(), q.w()};
}

ordered_json robot_data(const Model& model, Buffers& buffers,
                        std::vector<Diagnostic>* diagnostics) {
    ordered_json out{{"name", model.name()},
                     {"mass", model.total_mass()},
                     {"nq", model.nq()},
                     {"nv", model.nv()},
                     {"floating", model.has_floating_base()},
                     {"gravity", vector_data(model.gravity())}};
    ordered_json bodies = ordered_json::array();
    for (int i = 0; i <= model.num_bodies(); ++i) bodies.push_back(body_data(model, i));
    out["bodies"] = std::move(bodies);

    Meshes meshes(buffers, diagnostics);
    std::unordered_map<std::string, const LinkDescription*> described;
    for (const LinkDescription& link : model.description().links) described[link.name] = &link;
    ordered_json links = ordered_json::array(), frames = ordered_json::array();
    for (const Frame& frame : model.frames()) {
        const auto link = described.find(frame.name);
        if (link == described.end()) {
            frames.push_back(placed(model, frame));
            continue;
        }
        ordered_json data = placed(model, frame);
        data["visuals"] = shapes_data(link->second->visuals, frame.name, meshes);
        data["collisions"] = shapes_data(link->second->collisions, frame.name, meshes);
        links.push_back(std::move(data));
    }
    out["links"] = std::move(links);
    out["frames"] = std::move(frames);
    out["meshes"] = meshes.take();
    return out;
}

ordered_json world_data(const RecordingHeader& header, Buffers& buffers,
                        std::vector<Diagnostic>* diagnostics) {
    if (header.shapes.empty() && header.terrain.empty()) return {};
    Meshes meshes(buffers, diagnostics);
    ordered_json out;
    out["shapes"] = shapes_data(header.shapes, "the world", meshes);
    out["meshes"] = meshes.take();
    ordered_json terrain = ordered_json::array();
    for (const HeightField& field : header.terrain) {
        const std::vector<float> heights(field.heights.begin(), field.heights.end());
        terrain.push_back({{"origin", vector_data(field.origin)},
                           {"spacing", {field.spacing_x, field.spacing_y}},
                           {"points", {field.points_x, field.points_y}},
                           {"heights", buffers.add(std::span(heights))}});
    }
    out["terrain"] = std::move(terrain);
    return out;
}

}  // namespace plucker::view
