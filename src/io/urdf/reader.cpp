// URDF: links, joints, materials, as in the format's XML specification.
#include "urdf/reader.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "joint_words.hpp"
#include "limits.hpp"
#include "mesh_uri.hpp"
#include "plucker/spatial/quaternion.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

class UrdfReader {
public:
    UrdfReader(const LoadOptions& options, Findings& findings)
        : findings_(findings),
          meshes_(findings.file(), options.package_paths),
          mendable_(options.physics == Physics::kStrict ? Severity::kError : Severity::kWarning) {
        out_.base = options.base;
        out_.fixed_joints = options.fixed_joints;
    }

    Description read(const XMLElement& robot) && {
        out_.name = attribute(robot, "name");
        if (out_.name.empty()) {
            out_.name = std::filesystem::path(findings_.file()).stem().string();
            findings_.warning(robot.GetLineNum(), "", "the <robot> has no name; it is called '",
                              out_.name, "', after its file");
        }
        out_.source = findings_.at(robot.GetLineNum());
        if (is_xacro(robot)) return std::move(out_);
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
        for (const auto* e = robot.FirstChildElement("gazebo"); e;
             e = e->NextSiblingElement("gazebo")) {
            read_friction(*e);
        }
        add_world();
        free_mimics_of_nothing();
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

    // <gazebo reference="LINK"><mu1>: the friction of the link's surface. The rest is of Gazebo alone.
    void read_friction(const XMLElement& gazebo) {
        const auto* mu = gazebo.FirstChildElement("mu1");
        if (mu == nullptr) return;
        const std::string name = attribute(gazebo, "reference");
        std::string why;
        const auto value = parse_numbers(text_of(*mu), 1, why);
        if (!value || value->front() < 0) {
            findings_.warning(mu->GetLineNum(), "link '" + name + "'", "<mu1> ",
                              value ? "is negative" : why, "; its friction is not used");
            return;
        }
        for (LinkDescription& link : out_.links) {
            for (Shape& shape : link.collisions) {
                if (link.name == name) shape.surface = Surface{.friction = value->front()};
            }
        }
    }

    // Definitions make a file the source of others. What is left over when those were expanded is ignored.
    bool is_xacro(const XMLElement& robot) {
        for (const auto* e = robot.FirstChildElement(); e; e = e->NextSiblingElement()) {
            const std::string name = e->Name();
            for (const char* definition : {"macro", "include", "property", "arg", "if", "unless"}) {
                if (name != std::string("xacro:") + definition) continue;
                findings_.error(e->GetLineNum(), "", "<", name,
                                "> is of a xacro file; expand it with xacro first");
                return true;
            }
        }
        return false;
    }

    std::optional<std::string> required_name(const XMLElement& element, const std::string& kind) {
        const char* name = element.Attribute("name");
        if (name != nullptr && *name != '\0') return name;
        findings_.error(element.GetLineNum(), "", "a <", kind, "> has no name");
        return std::nullopt;
    }

    // Adds what was found while reading something that is no part of the mechanics: errors become warnings. False if
    // there were any.
    bool demote(Findings&& found, const std::string& consequence) {
        const bool sound = !found.has_errors();
        for (const Diagnostic& d : std::move(found).take()) {
            if (d.severity == Severity::kError) {
                findings_.warning(d.at.line, d.element, d.message, consequence);
            } else {
                findings_.add(d.severity, d.at.line, d.element, d.message);
            }
        }
        return sound;
    }

    // The only child of that name, or the first.
    const XMLElement* only_child(const XMLElement& parent, const char* name,
                                 const std::string& where, Findings& findings) const {
        const auto* child = parent.FirstChildElement(name);
        if (child != nullptr && child->NextSiblingElement(name) != nullptr) {
            findings.add(mendable_, child->NextSiblingElement(name)->GetLineNum(), where,
                         "has more than one <", name, ">; the first counts");
        }
        return child;
    }

    // <origin xyz="…" rpy="…"/>, or quat_xyzw instead of rpy; the identity where it is missing.
    Pose<double> origin(const XMLElement& parent, const std::string& where,
                        Findings& findings) const {
        const auto* e = only_child(parent, "origin", where, findings);
        if (e == nullptr) return {};
        const auto position = vector3(*e, "xyz", where, Vec3<double>{}, findings);
        const auto rpy = vector3(*e, "rpy", where, Vec3<double>{}, findings);
        Pose<double> pose = Pose<double>::roll_pitch_yaw(position.value_or(Vec3<double>{}),
                                                         rpy.value_or(Vec3<double>{}));
        if (const char* text = e->Attribute("quat_xyzw")) {
            std::string why;
            const auto q = parse_numbers(text, 4, why);
            if (!q) {
                findings.error(e->GetLineNum(), where, "<origin quat_xyzw=…> ", why);
            } else if (e->Attribute("rpy") != nullptr) {
                findings.error(e->GetLineNum(), where,
                               "<origin> has both rpy and quat_xyzw; keep one");
            } else {
                pose.rotation = rotation_of({(*q)[0], (*q)[1], (*q)[2], (*q)[3]}, e->GetLineNum(),
                                            where, findings);
            }
        }
        return pose;
    }

    static Mat3<double> rotation_of(const Quaternion<double>& q, int line, const std::string& where,
                                    Findings& findings) {
        const double length = std::sqrt(squared_norm(q));
        if (!(length > 1e-12 && length < 1e12)) {
            findings.error(line, where, "the quaternion has length ", length, "; it must be 1");
            return Mat3<double>::identity();
        }
        if (std::abs(length - 1) > 1e-3) {
            findings.note(line, where, "the quaternion has length ", length, "; it is normalised");
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

    // What is missing counts as zero, which is said.
    MassProperties read_inertial(const XMLElement& link, const std::string& where) {
        const auto* e = only_child(link, "inertial", where, findings_);
        if (e == nullptr) return {};
        warn_of_unknown(*e, where, {"origin", "mass", "inertia"});
        const Pose<double> at = origin(*e, where, findings_);
        const auto* mass = only_child(*e, "mass", where, findings_);
        const auto* inertia = only_child(*e, "inertia", where, findings_);
        const auto lacks = [&](const auto&... parts) {
            findings_.add(mendable_, e->GetLineNum(), where, "<inertial> lacks ", parts...);
        };
        if (mass == nullptr && inertia == nullptr) {
            lacks("<mass> and <inertia>; the link is taken as massless");
            return {};
        }
        if (mass == nullptr) lacks("<mass value=…>; it is taken as 0 kg");
        if (inertia == nullptr) lacks("<inertia ixx=… ixy=… …>; its entries are taken as 0");
        const auto entry = [&](const XMLElement* element, const char* name) {
            if (element == nullptr) return 0.0;
            if (element->Attribute(name) == nullptr) {
                lacks("the attribute '", name, "' of <", element->Name(), ">; it is taken as 0");
            }
            return number(*element, name, where, 0.0, findings_).value_or(0);
        };
        MassProperties out;
        out.mass = entry(mass, "value");
        out.center = at.position;
        out.about_center = rotate_back(
            transpose(at.rotation),
            SymMat3<double>{entry(inertia, "ixx"), entry(inertia, "ixy"), entry(inertia, "ixz"),
                            entry(inertia, "iyy"), entry(inertia, "iyz"), entry(inertia, "izz")});
        return out;
    }

    // A visual or collision shape. One that makes no sense is left out: shapes are only drawn.
    std::optional<Shape> read_shape(const XMLElement& e, const std::string& link) {
        const std::string where = link + ", <" + e.Name() + ">";
        Findings found(findings_.file());
        Shape shape;
        if (const char* name = e.Attribute("name")) shape.name = name;
        shape.placement = origin(e, where, found);
        shape.geometry = read_geometry(e, where, found);
        if (!demote(std::move(found), "; the shape is left out")) return std::nullopt;
        if (const auto* m = e.FirstChildElement("material"))
            shape.material = material_of_shape(*m, where);
        return shape;
    }

    Geometry read_geometry(const XMLElement& e, const std::string& where, Findings& found) const {
        const auto* geometry = only_child(e, "geometry", where, found);
        const auto* form = geometry == nullptr ? nullptr : geometry->FirstChildElement();
        if (form == nullptr) {
            found.error(e.GetLineNum(), where,
                        "has no geometry; give it a box, cylinder, sphere or mesh");
            return {};
        }
        const auto size = [&](const char* attribute) {
            const double x = number(*form, attribute, where, std::nullopt, found).value_or(0);
            if (x < 0)
                found.error(form->GetLineNum(), where, attribute, " is ", x,
                            "; it must not be negative");
            return x;
        };
        const std::string type = form->Name();
        if (type == "box") {
            return Box{vector3(*form, "size", where, std::nullopt, found).value_or(Vec3<double>{})};
        }
        if (type == "cylinder") return Cylinder{size("radius"), size("length")};
        if (type == "capsule") return Capsule{size("radius"), size("length")};
        if (type == "sphere") return Sphere{size("radius")};
        if (type == "mesh") return read_mesh(*form, where, found);
        found.error(form->GetLineNum(), where,
                    unknown_name("geometry", type, {"box", "cylinder", "sphere", "capsule", "mesh"})
                        .what());
        return {};
    }

    Mesh read_mesh(const XMLElement& e, const std::string& where, Findings& found) const {
        Mesh mesh;
        mesh.scale = vector3(e, "scale", where, Vec3<double>{1, 1, 1}, found)
                         .value_or(Vec3<double>{1, 1, 1});
        const char* uri = e.Attribute("filename");
        if (uri == nullptr || *uri == '\0') {
            found.error(e.GetLineNum(), where, "<mesh> lacks the attribute 'filename'");
            return mesh;
        }
        mesh.uri = uri;
        const MeshFinder::Found at = meshes_.find(mesh.uri);
        mesh.path = at.path;
        if (mesh.path.empty()) {
            found.warning(e.GetLineNum(), where, "mesh '", mesh.uri, "' is not used: ", at.why);
        }
        return mesh;
    }

    // As the element says, in itself.
    Material read_material(const XMLElement& e, const std::string& where) {
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
                findings_.warning(color->GetLineNum(), where, "<color rgba=…> ", why,
                                  "; the colour is left out");
            }
        }
        if (const auto* texture = e.FirstChildElement("texture")) {
            if (const char* file = texture->Attribute("filename")) material.texture = file;
        }
        return material;
    }

    // That of a shape: one without content refers to one that is defined elsewhere.
    Material material_of_shape(const XMLElement& e, const std::string& where) {
        Material material = read_material(e, where);
        const bool refers =
            e.FirstChildElement("color") == nullptr && e.FirstChildElement("texture") == nullptr;
        if (material.name.empty()) return material;
        if (!refers) {
            if (material.rgba || !material.texture.empty())
                materials_.emplace(material.name, material);
            return material;
        }
        const auto found = materials_.find(material.name);
        if (found != materials_.end()) return found->second;
        findings_.warning(e.GetLineNum(), where, "material '", material.name,
                          "' is not defined before; it has no colour");
        return material;
    }

    void define_material(const XMLElement& e) {
        const std::string name = attribute(e, "name");
        const std::string where = "material '" + name + "'";
        const Material material = read_material(e, where);
        if (name.empty()) {
            findings_.warning(e.GetLineNum(), "", "a <material> has no name; it is ignored");
        } else if (!materials_.emplace(name, material).second) {
            findings_.warning(e.GetLineNum(), where, "is defined twice; the first counts");
        } else if (e.FirstChildElement("color") == nullptr &&
                   e.FirstChildElement("texture") == nullptr) {
            findings_.warning(e.GetLineNum(), where, "has neither <color> nor <texture>");
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
        joint.placement = origin(e, where, findings_);
        joint.parent = link_of(e, "parent", where);
        joint.child = link_of(e, "child", where);
        read_axis(e, where, joint);
        read_limits(e, where, joint);
        if (const auto* dynamics = only_child(e, "dynamics", where, findings_)) {
            joint.damping = number(*dynamics, "damping", where, 0.0, findings_).value_or(0);
            joint.friction = number(*dynamics, "friction", where, 0.0, findings_).value_or(0);
        }
        if (const auto* mimic = only_child(e, "mimic", where, findings_)) {
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
        static const JointWords kTypes = joint_words(&FileWords::urdf);
        const char* type = e.Attribute("type");
        if (type == nullptr) {
            findings_.error(e.GetLineNum(), where, "has no type");
            return std::nullopt;
        }
        const auto found = kTypes.find(type);
        if (found != kTypes.end()) return found->second;
        if (std::string(type) == "spherical") {
            findings_.add(mendable_, e.GetLineNum(), where,
                          "is spherical, which URDF does not have; it is read as a ball joint");
            return JointType::kSpherical;
        }
        findings_.error(e.GetLineNum(), where,
                        unknown_name("joint type", type, names_of(kTypes)).what());
        return std::nullopt;
    }

    std::string link_of(const XMLElement& joint, const char* role, const std::string& where) {
        const auto* e = only_child(joint, role, where, findings_);
        const char* link = e == nullptr ? nullptr : e->Attribute("link");
        if (link != nullptr && *link != '\0') return link;
        findings_.error(joint.GetLineNum(), where, "lacks <", role, " link=…>");
        return "";
    }

    void read_axis(const XMLElement& e, const std::string& where, JointDescription& joint) {
        joint.axis = {1, 0, 0};  // URDF's default
        // Some files write an empty axis, or zeros, for a joint that has none.
        if (number_of_axes(joint.type) == 0) return;
        const auto* axis = only_child(e, "axis", where, findings_);
        if (axis == nullptr) return;
        if (axis->Attribute("xyz") == nullptr) {
            findings_.add(mendable_, axis->GetLineNum(), where,
                          "<axis> lacks the attribute 'xyz'; it is taken as 1 0 0");
            return;
        }
        const auto xyz = vector3(*axis, "xyz", where, std::nullopt, findings_);
        if (!xyz) return;
        joint.axis = *xyz;
        const double length = norm(*xyz);
        if (length > 1e-12 && std::abs(length - 1) > 1e-3) {
            findings_.note(axis->GetLineNum(), where, "its axis has length ", length,
                           "; it is normalised");
        }
    }

    void read_limits(const XMLElement& e, const std::string& where, JointDescription& joint) {
        Findings found(findings_.file());
        const auto* limit = only_child(e, "limit", where, found);
        const std::string type = e.Attribute("type") == nullptr ? "" : e.Attribute("type");
        const bool bounded = type == "revolute" || type == "prismatic";
        if (limit == nullptr) {
            if (bounded) {
                findings_.warning(e.GetLineNum(), where, "is ", type,
                                  " but has no <limit>; it is taken as unlimited");
            }
            return;
        }
        constexpr double kNone = std::numeric_limits<double>::infinity();
        const auto value = [&](const char* name, double otherwise, double none) {
            const std::string text = attribute(*limit, name);
            if (text == "inf" || text == "+inf") return kNone;
            if (text == "-inf") return -kNone;
            return number(*limit, name, where, otherwise, found).value_or(none);
        };
        JointLimits l;
        if (bounded) {
            // Missing bounds mean zero in URDF.
            l.lower = value("lower", 0, -kNone);
            l.upper = value("upper", 0, kNone);
        }
        l.velocity = value("velocity", kNone, kNone);
        l.effort = value("effort", kNone, kNone);
        demote(std::move(found), "; the limit is left out");
        joint.limits = sensible(l, [&](const auto&... parts) {
            findings_.warning(limit->GetLineNum(), where, parts...);
        });
    }

    // Some files hang the robot on a link 'world' that they do not have.
    void add_world() {
        const auto is_world = [](const LinkDescription& link) { return link.name == "world"; };
        const auto hangs_on_world = [](const JointDescription& j) { return j.parent == "world"; };
        const auto joint = std::find_if(out_.joints.begin(), out_.joints.end(), hangs_on_world);
        if (joint == out_.joints.end() ||
            std::any_of(out_.links.begin(), out_.links.end(), is_world))
            return;
        findings_.add(mendable_, joint->source.line, "joint '" + joint->name + "'",
                      "hangs on the link 'world', which is missing; it is added");
        out_.links.push_back({"world", {}, {}, {}, joint->source});
    }

    // A mimic of a joint that is not there leaves the joint to move by itself.
    void free_mimics_of_nothing() {
        std::vector<std::string> names;
        for (const JointDescription& joint : out_.joints) names.push_back(joint.name);
        const std::set<std::string> known(names.begin(), names.end());
        // Comparing every unknown name with every known one would take hours for a large broken file.
        int suggestions = 50;
        for (JointDescription& joint : out_.joints) {
            if (!joint.mimic || known.contains(joint.mimic->joint)) continue;
            const std::string what = suggestions-- > 0
                                         ? unknown_name("joint", joint.mimic->joint, names).what()
                                         : "unknown joint '" + joint.mimic->joint + "'";
            findings_.add(mendable_, joint.source.line, "joint '" + joint.name + "'", "mimics an ",
                          what, "; it moves by itself");
            joint.mimic.reset();
        }
    }

    Findings& findings_;
    MeshFinder meshes_;
    Severity mendable_;  // of what is wrong, but can be computed with
    Description out_;
    std::map<std::string, Material> materials_;
};

}  // namespace

Description read_urdf(const XMLElement& robot, const LoadOptions& options, Findings& findings) {
    return UrdfReader(options, findings).read(robot);
}

}  // namespace plucker::io
