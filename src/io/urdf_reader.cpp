// URDF: links, joints, materials, as in the format's XML specification.
#include "urdf_reader.hpp"

#include <cmath>
#include <filesystem>
#include <map>

#include "mesh_uri.hpp"
#include "plucker/joints/joint.hpp"
#include "plucker/spatial/quaternion.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

class UrdfReader {
public:
    UrdfReader(const LoadOptions& options, Findings& findings)
        : findings_(findings), meshes_(findings.file(), options.package_paths) {
        out_.base = options.base;
        out_.fixed_joints = options.fixed_joints;
    }

    Description read(const XMLElement& robot) && {
        const char* name = robot.Attribute("name");
        out_.name =
            name == nullptr ? std::filesystem::path(findings_.file()).stem().string() : name;
        if (name == nullptr) {
            findings_.warning(robot.GetLineNum(), "", "the <robot> has no name; it is called '",
                              out_.name, "', after its file");
        }
        out_.source = findings_.at(robot.GetLineNum());
        for (const auto* e = robot.FirstChildElement(); e; e = e->NextSiblingElement()) {
            if (std::string(e->Name()).starts_with("xacro:")) {
                findings_.error(e->GetLineNum(), "", "<", e->Name(),
                                "> is a macro: this is a xacro file; expand it with xacro first");
                return std::move(out_);
            }
        }
        // What tools of the ecosystem put beside links and joints is not ours to read.
        warn_of_unknown(robot, "robot '" + out_.name + "'",
                        {"link", "joint", "material", "transmission", "gazebo", "sensor",
                         "ros2_control", "version", "group", "mujoco", "drake:diagonal_inertia",
                         "loop_joint", "frame", "safety_controller", "self_collision_checking",
                         "verbose", "visualize", "capsule", "joint_properties"});
        for (const auto* e = robot.FirstChildElement("material"); e;
             e = e->NextSiblingElement("material")) {
            define_material(*e);
        }
        for (const auto* e = robot.FirstChildElement("link"); e;
             e = e->NextSiblingElement("link")) {
            read_link(*e);
        }
        for (const auto* e = robot.FirstChildElement("joint"); e;
             e = e->NextSiblingElement("joint")) {
            read_joint(*e);
        }
        return std::move(out_);
    }

private:
    void warn_of_unknown(const XMLElement& element, const std::string& where,
                         const std::vector<std::string>& known) {
        for_each_unknown_child(element, known,
                               [&](const XMLElement& e, const std::string& message) {
                                   findings_.warning(e.GetLineNum(), where, message);
                               });
    }

    std::optional<std::string> required_name(const XMLElement& element, const std::string& kind) {
        const char* name = element.Attribute("name");
        if (name != nullptr && *name != '\0') return name;
        findings_.error(element.GetLineNum(), "", "a <", kind, "> has no name");
        return std::nullopt;
    }

    // The only child of that name; several are an error.
    const XMLElement* only_child(const XMLElement& parent, const char* name,
                                 const std::string& where) {
        const auto* child = parent.FirstChildElement(name);
        if (child != nullptr && child->NextSiblingElement(name) != nullptr) {
            findings_.error(child->NextSiblingElement(name)->GetLineNum(), where,
                            "has more than one <", name, ">");
        }
        return child;
    }

    // <origin xyz="…" rpy="…"/>, or quat_xyzw instead of rpy; the identity where it is missing.
    Pose<double> origin(const XMLElement& parent, const std::string& where) {
        const auto* e = only_child(parent, "origin", where);
        if (e == nullptr) return {};
        const auto position = vector3(*e, "xyz", where, Vec3<double>{}, findings_);
        const auto rpy = vector3(*e, "rpy", where, Vec3<double>{}, findings_);
        Pose<double> pose = Pose<double>::roll_pitch_yaw(position.value_or(Vec3<double>{}),
                                                         rpy.value_or(Vec3<double>{}));
        if (const char* text = e->Attribute("quat_xyzw")) {
            std::string why;
            const auto q = parse_numbers(text, 4, why);
            if (!q) {
                findings_.error(e->GetLineNum(), where, "<origin quat_xyzw=…> ", why);
            } else if (e->Attribute("rpy") != nullptr) {
                findings_.error(e->GetLineNum(), where,
                                "<origin> has both rpy and quat_xyzw; keep one");
            } else {
                pose.rotation =
                    rotation_of({(*q)[0], (*q)[1], (*q)[2], (*q)[3]}, e->GetLineNum(), where);
            }
        }
        return pose;
    }

    Mat3<double> rotation_of(const Quaternion<double>& q, int line, const std::string& where) {
        const double length = std::sqrt(squared_norm(q));
        if (!(length > 1e-12 && length < 1e12)) {
            findings_.error(line, where, "the quaternion has length ", length, "; it must be 1");
            return Mat3<double>::identity();
        }
        if (std::abs(length - 1) > 1e-3) {
            findings_.note(line, where, "the quaternion has length ", length, "; it is normalised");
        }
        return transpose(coordinate_rotation(q));
    }

    void read_link(const XMLElement& e) {
        const auto name = required_name(e, "link");
        if (!name) return;
        const std::string where = "link '" + *name + "'";
        warn_of_unknown(e, where,
                        {"inertial", "visual", "collision", "sensor", "contact",
                         "self_collision_checking", "gazebo", "verbose", "collision_checking"});
        LinkDescription link{*name, read_inertial(e, where), {}, {}, findings_.at(e.GetLineNum())};
        for (const auto* v = e.FirstChildElement("visual"); v;
             v = v->NextSiblingElement("visual")) {
            if (auto shape = read_shape(*v, where)) link.visuals.push_back(std::move(*shape));
        }
        for (const auto* c = e.FirstChildElement("collision"); c;
             c = c->NextSiblingElement("collision")) {
            if (auto shape = read_shape(*c, where)) link.collisions.push_back(std::move(*shape));
        }
        out_.links.push_back(std::move(link));
    }

    MassProperties read_inertial(const XMLElement& link, const std::string& where) {
        const auto* e = only_child(link, "inertial", where);
        if (e == nullptr) return {};
        warn_of_unknown(*e, where, {"origin", "mass", "inertia"});
        MassProperties out;
        const Pose<double> at = origin(*e, where);
        out.center = at.position;
        const auto* mass = only_child(*e, "mass", where);
        const auto* inertia = only_child(*e, "inertia", where);
        if (mass == nullptr) {
            findings_.error(e->GetLineNum(), where, "<inertial> lacks <mass value=…>");
        } else {
            out.mass = number(*mass, "value", where, std::nullopt, findings_).value_or(0);
        }
        if (inertia == nullptr) {
            findings_.error(e->GetLineNum(), where, "<inertial> lacks <inertia ixx=… ixy=… …>");
            return out;
        }
        const auto entry = [&](const char* name) {
            return number(*inertia, name, where, std::nullopt, findings_).value_or(0);
        };
        const SymMat3<double> about_center{entry("ixx"), entry("ixy"), entry("ixz"),
                                           entry("iyy"), entry("iyz"), entry("izz")};
        out.about_center = rotate_back(transpose(at.rotation), about_center);
        return out;
    }

    std::optional<Shape> read_shape(const XMLElement& e, const std::string& link) {
        const std::string where = link + ", <" + e.Name() + ">";
        const auto* geometry = only_child(e, "geometry", where);
        const auto* form = geometry == nullptr ? nullptr : geometry->FirstChildElement();
        if (form == nullptr) {
            findings_.error(e.GetLineNum(), where,
                            "has no geometry; give it a box, cylinder, sphere or mesh");
            return std::nullopt;
        }
        Shape shape;
        if (const char* name = e.Attribute("name")) shape.name = name;
        shape.placement = origin(e, where);
        const auto size = [&](const char* attribute) {
            const double x = number(*form, attribute, where, std::nullopt, findings_).value_or(0);
            if (x < 0)
                findings_.error(form->GetLineNum(), where, attribute, " is ", x,
                                "; it must not be negative");
            return x;
        };
        const std::string type = form->Name();
        if (type == "box") {
            shape.geometry = Box{
                vector3(*form, "size", where, std::nullopt, findings_).value_or(Vec3<double>{})};
        } else if (type == "cylinder") {
            shape.geometry = Cylinder{size("radius"), size("length")};
        } else if (type == "capsule") {
            shape.geometry = Capsule{size("radius"), size("length")};
        } else if (type == "sphere") {
            shape.geometry = Sphere{size("radius")};
        } else if (type == "mesh") {
            shape.geometry = read_mesh(*form, where);
        } else {
            findings_.error(
                form->GetLineNum(), where,
                unknown_name("geometry", type, {"box", "cylinder", "sphere", "capsule", "mesh"})
                    .what());
            return std::nullopt;
        }
        if (const auto* m = e.FirstChildElement("material"))
            shape.material = read_material(*m, where);
        return shape;
    }

    Mesh read_mesh(const XMLElement& e, const std::string& where) {
        Mesh mesh;
        mesh.scale = vector3(e, "scale", where, Vec3<double>{1, 1, 1}, findings_)
                         .value_or(Vec3<double>{1, 1, 1});
        const char* uri = e.Attribute("filename");
        if (uri == nullptr || *uri == '\0') {
            findings_.error(e.GetLineNum(), where, "<mesh> lacks the attribute 'filename'");
            return mesh;
        }
        mesh.uri = uri;
        const MeshFinder::Found found = meshes_.find(mesh.uri);
        mesh.path = found.path;
        if (mesh.path.empty()) {
            findings_.warning(e.GetLineNum(), where, "mesh '", mesh.uri,
                              "' is not used: ", found.why);
        }
        return mesh;
    }

    std::optional<Material> read_material(const XMLElement& e, const std::string& where) {
        Material material;
        if (const char* name = e.Attribute("name")) material.name = name;
        if (const auto* color = e.FirstChildElement("color")) {
            std::string why;
            const char* text = color->Attribute("rgba");
            const auto rgba = parse_numbers(text == nullptr ? "" : text, 4, why);
            if (rgba) {
                material.rgba =
                    std::array<double, 4>{(*rgba)[0], (*rgba)[1], (*rgba)[2], (*rgba)[3]};
            } else {
                findings_.error(color->GetLineNum(), where, "<color rgba=…> ", why);
            }
        }
        if (const auto* texture = e.FirstChildElement("texture")) {
            if (const char* file = texture->Attribute("filename")) material.texture = file;
        }
        // A material without content refers to one defined elsewhere.
        if (!material.rgba && material.texture.empty()) {
            const auto found = materials_.find(material.name);
            if (found != materials_.end()) return found->second;
        } else if (!material.name.empty()) {
            materials_.emplace(material.name, material);
        }
        return material;
    }

    void define_material(const XMLElement& e) {
        if (const auto name = required_name(e, "material")) {
            if (auto material = read_material(e, "material '" + *name + "'"))
                materials_[*name] = *material;
        }
    }

    void read_joint(const XMLElement& e) {
        const auto name = required_name(e, "joint");
        if (!name) return;
        const std::string where = "joint '" + *name + "'";
        warn_of_unknown(
            e, where,
            {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration",
             "safety_controller", "joint_properties", "hardwareInterface"});
        JointDescription joint;
        joint.name = *name;
        joint.source = findings_.at(e.GetLineNum());
        if (const auto type = joint_type(e, where)) joint.type = *type;
        joint.placement = origin(e, where);
        joint.parent = link_of(e, "parent", where);
        joint.child = link_of(e, "child", where);
        read_axis(e, where, joint);
        read_limits(e, where, joint);
        if (const auto* dynamics = only_child(e, "dynamics", where)) {
            joint.damping = number(*dynamics, "damping", where, 0.0, findings_).value_or(0);
            joint.friction = number(*dynamics, "friction", where, 0.0, findings_).value_or(0);
        }
        if (const auto* mimic = only_child(e, "mimic", where)) {
            const char* followed = mimic->Attribute("joint");
            if (joint.type == JointType::kFixed) {
                findings_.warning(mimic->GetLineNum(), where,
                                  "is fixed, so its <mimic> means nothing; it is ignored");
            } else if (followed == nullptr) {
                findings_.error(mimic->GetLineNum(), where, "<mimic> lacks the attribute 'joint'");
            } else {
                joint.mimic =
                    Mimic{followed, number(*mimic, "multiplier", where, 1.0, findings_).value_or(1),
                          number(*mimic, "offset", where, 0.0, findings_).value_or(0)};
            }
        }
        out_.joints.push_back(std::move(joint));
    }

    std::optional<JointType> joint_type(const XMLElement& e, const std::string& where) {
        static const std::map<std::string, JointType> kTypes{
            {"revolute", JointType::kRevolute},   {"continuous", JointType::kRevolute},
            {"prismatic", JointType::kPrismatic}, {"fixed", JointType::kFixed},
            {"floating", JointType::kFloating},   {"planar", JointType::kPlanar}};
        const char* type = e.Attribute("type");
        if (type == nullptr) {
            findings_.error(e.GetLineNum(), where, "has no type");
            return std::nullopt;
        }
        const auto found = kTypes.find(type);
        if (found != kTypes.end()) return found->second;
        std::vector<std::string> names;
        for (const auto& [name, value] : kTypes) names.push_back(name);
        findings_.error(e.GetLineNum(), where, unknown_name("joint type", type, names).what());
        return std::nullopt;
    }

    std::string link_of(const XMLElement& joint, const char* role, const std::string& where) {
        const auto* e = only_child(joint, role, where);
        const char* link = e == nullptr ? nullptr : e->Attribute("link");
        if (link != nullptr && *link != '\0') return link;
        findings_.error(joint.GetLineNum(), where, "lacks <", role, " link=…>");
        return "";
    }

    void read_axis(const XMLElement& e, const std::string& where, JointDescription& joint) {
        const auto* axis = only_child(e, "axis", where);
        joint.axis = {1, 0, 0};  // URDF's default
        if (axis == nullptr) return;
        const auto xyz = vector3(*axis, "xyz", where, std::nullopt, findings_);
        if (!xyz) return;
        const bool needs_axis =
            joint.type != JointType::kFixed && joint.type != JointType::kFloating;
        const double length = norm(*xyz);
        // Some files write zeros for a joint that has no axis.
        if (!needs_axis) return;
        joint.axis = *xyz;
        if (length > 1e-12 && std::abs(length - 1) > 1e-3) {
            findings_.note(axis->GetLineNum(), where, "its axis has length ", length,
                           "; it is normalised");
        }
    }

    void read_limits(const XMLElement& e, const std::string& where, JointDescription& joint) {
        const auto* limit = only_child(e, "limit", where);
        const std::string type = e.Attribute("type") == nullptr ? "" : e.Attribute("type");
        const bool bounded = type == "revolute" || type == "prismatic";
        if (limit == nullptr) {
            if (bounded) {
                findings_.warning(e.GetLineNum(), where, "is ", type,
                                  " but has no <limit>; it is taken as unlimited");
            }
            return;
        }
        const double inf = std::numeric_limits<double>::infinity();
        if (bounded) {
            // Missing bounds mean zero in URDF.
            joint.limits.lower = number(*limit, "lower", where, 0.0, findings_).value_or(0);
            joint.limits.upper = number(*limit, "upper", where, 0.0, findings_).value_or(0);
        }
        joint.limits.velocity = number(*limit, "velocity", where, inf, findings_).value_or(inf);
        joint.limits.effort = number(*limit, "effort", where, inf, findings_).value_or(inf);
    }

    Findings& findings_;
    MeshFinder meshes_;
    Description out_;
    std::map<std::string, Material> materials_;
};

}  // namespace

Description read_urdf(const XMLElement& robot, const LoadOptions& options, Findings& findings) {
    return UrdfReader(options, findings).read(robot);
}

}  // namespace plucker::io
