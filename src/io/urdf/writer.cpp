#include "plucker/io/urdf_writer.hpp"

#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "mesh_uri.hpp"
#include "plucker/io/write_text.hpp"
#include "plucker/joints/joint.hpp"
#include "plucker/model/error.hpp"

namespace plucker {
namespace {

// The shortest text that reads back as the same number, in any locale.
std::string digits(double x) {
    char buffer[32];
    const auto [end, status] =
        std::to_chars(buffer, buffer + sizeof buffer, x + 0.0);  // -0 becomes 0
    return {buffer, end};
}
std::string digits(const Vec3<double>& a) {
    return digits(a.x) + " " + digits(a.y) + " " + digits(a.z);
}
// Of angles, which are computed: what is left of a zero is one. Everything else is written as it is.
std::string digits_of_angles(const Vec3<double>& a) {
    constexpr double kDust = 1e-15;
    const auto part = [](double x) { return std::abs(x) < kDust ? 0 : x; };
    return digits(Vec3<double>{part(a.x), part(a.y), part(a.z)});
}

class UrdfWriter {
public:
    explicit UrdfWriter(const Description& d) : d_(d) {}

    std::string write(std::vector<Diagnostic>* lost) && {
        printer_.OpenElement("robot");
        attribute("name", d_.name);
        for (const LinkDescription& link : d_.links) write_link(link);
        for (const JointDescription& joint : d_.joints) write_joint(joint);
        for (const FrameDescription& frame : d_.frames) write_frame(frame);
        printer_.CloseElement();
        if (d_.gravity != Vec3<double>{0, 0, -9.81}) {
            lose("robot '" + d_.name + "'", "its gravity (" + digits(d_.gravity) + ")");
        }
        if (d_.base == Base::kFloating) lose("robot '" + d_.name + "'", "that its base floats");
        for (const ConstraintDescription& c : d_.constraints)
            lose("constraint '" + c.name + "'", "what is tied together beyond the tree");
        for (const PostureDescription& posture : d_.postures)
            lose("posture '" + posture.name + "'", "a configuration");
        lose_touching();
        if (lost != nullptr) *lost = std::move(lost_);
        return std::string("<?xml version=\"1.0\"?>\n") + printer_.CStr();
    }

private:
    void attribute(const char* name, const std::string& value) {
        printer_.PushAttribute(name, value.c_str());
    }
    void leaf(const char* element, const char* name, const std::string& value) {
        printer_.OpenElement(element);
        attribute(name, value);
        printer_.CloseElement();
    }
    void lose(const std::string& element, const std::string& what) {
        Diagnostic loss;
        loss.severity = Severity::kWarning;
        loss.element = element;
        loss.message = "URDF cannot say " + what + "; it is lost";
        lost_.push_back(std::move(loss));
    }

    // Surfaces that are not the usual one, and what never touches.
    void lose_touching() {
        const Shape* first = nullptr;
        for (const LinkDescription& link : d_.links) {
            bool differs = false;
            for (const Shape& shape : link.collisions) {
                if (first == nullptr) first = &shape;
                differs = differs || shape.surface.value_or(Surface{}) != Surface{} ||
                          shape.is != first->is || shape.meets != first->meets;
            }
            if (differs)
                lose("link '" + link.name + "'", "how its surface touches, or what it touches");
        }
        for (const auto& [a, b] : d_.never_touching)
            lose("link '" + a + "'", "that it never touches '" + b + "'");
    }

    void write_origin(const Pose<double>& pose) {
        if (pose == Pose<double>{}) return;
        printer_.OpenElement("origin");
        attribute("xyz", digits(pose.position));
        attribute("rpy", digits_of_angles(roll_pitch_yaw_of(pose.rotation)));
        printer_.CloseElement();
    }

    void write_link(const LinkDescription& link) {
        printer_.OpenElement("link");
        attribute("name", link.name);
        if (link.mass != MassProperties{}) {
            printer_.OpenElement("inertial");
            write_origin({Mat3<double>::identity(), link.mass.center});
            leaf("mass", "value", digits(link.mass.mass));
            const SymMat3<double>& I = link.mass.about_center;
            printer_.OpenElement("inertia");
            const std::pair<const char*, double> entries[] = {{"ixx", I.xx}, {"ixy", I.xy},
                                                              {"ixz", I.xz}, {"iyy", I.yy},
                                                              {"iyz", I.yz}, {"izz", I.zz}};
            for (const auto& [name, value] : entries) attribute(name, digits(value));
            printer_.CloseElement();
            printer_.CloseElement();
        }
        for (const Shape& shape : link.visuals) write_shape("visual", link, shape);
        for (const Shape& shape : link.collisions) write_shape("collision", link, shape);
        printer_.CloseElement();
    }

    void write_shape(const char* kind, const LinkDescription& link, const Shape& shape) {
        if (std::holds_alternative<Plane>(shape.geometry) ||
            std::holds_alternative<Ellipsoid>(shape.geometry)) {
            lose("link '" + link.name + "'", "its plane or ellipsoid");
            return;
        }
        const Mesh* mesh = std::get_if<Mesh>(&shape.geometry);
        if (mesh != nullptr && mesh->uri.empty()) {
            lose("link '" + link.name + "'", "its mesh, which is in no file");
            return;
        }
        printer_.OpenElement(kind);
        if (!shape.name.empty()) attribute("name", shape.name);
        write_origin(shape.placement);
        printer_.OpenElement("geometry");
        std::visit([&](const auto& form) { write_form(form); }, shape.geometry);
        printer_.CloseElement();
        if (shape.material) {
            printer_.OpenElement("material");
            attribute("name", shape.material->name);
            if (shape.material->rgba) {
                const auto& c = *shape.material->rgba;
                leaf("color", "rgba", digits({c[0], c[1], c[2]}) + " " + digits(c[3]));
            }
            if (!shape.material->texture.empty())
                leaf("texture", "filename", shape.material->texture);
            printer_.CloseElement();
        }
        printer_.CloseElement();
    }
    void write_form(const Box& box) { leaf("box", "size", digits(box.size)); }
    void write_form(const Sphere& sphere) { leaf("sphere", "radius", digits(sphere.radius)); }
    void write_form(const Cylinder& c) { write_round("cylinder", c.radius, c.length); }
    void write_form(const Capsule& c) { write_round("capsule", c.radius, c.length); }
    void write_round(const char* name, double radius, double length) {
        printer_.OpenElement(name);
        attribute("radius", digits(radius));
        attribute("length", digits(length));
        printer_.CloseElement();
    }
    void write_form(const Mesh& mesh) {
        printer_.OpenElement("mesh");
        attribute("filename", mesh.uri);
        if (mesh.scale != Vec3<double>{1, 1, 1}) attribute("scale", digits(mesh.scale));
        printer_.CloseElement();
    }
    void write_form(const Plane&) {}
    void write_form(const Ellipsoid&) {}

    std::string type_of(const JointDescription& joint) const {
        const FileWords words = words_of(joint.type);
        if (words.urdf == nullptr) {
            throw Error::because("joint '", joint.name, "' is ", name_of(joint.type),
                                 ", which URDF has no joint type for");
        }
        const bool unlimited = std::isinf(joint.limits.lower) || std::isinf(joint.limits.upper);
        return unlimited && words.unlimited != nullptr ? words.unlimited : words.urdf;
    }

    void write_joint(const JointDescription& joint) {
        const std::string element = "joint '" + joint.name + "'";
        const std::string type = type_of(joint);
        printer_.OpenElement("joint");
        attribute("name", joint.name);
        attribute("type", type);
        write_origin(joint.placement);
        leaf("parent", "link", joint.parent);
        leaf("child", "link", joint.child);
        if (number_of_axes(joint.type) > 0) leaf("axis", "xyz", digits(joint.axis));
        write_limits(joint, type);
        if (joint.damping != 0 || joint.friction != 0) {
            printer_.OpenElement("dynamics");
            attribute("damping", digits(joint.damping));
            attribute("friction", digits(joint.friction));
            printer_.CloseElement();
        }
        if (joint.mimic) {
            printer_.OpenElement("mimic");
            attribute("joint", joint.mimic->joint);
            attribute("multiplier", digits(joint.mimic->multiplier));
            attribute("offset", digits(joint.mimic->offset));
            printer_.CloseElement();
        }
        printer_.CloseElement();
        if (joint.armature != 0) lose(element, "its armature " + digits(joint.armature));
    }

    void write_limits(const JointDescription& joint, const std::string& type) {
        const JointLimits& l = joint.limits;
        const bool bounded = type == "revolute" || (type == "prismatic" && std::isfinite(l.lower) &&
                                                    std::isfinite(l.upper));
        if (!bounded && (std::isfinite(l.lower) || std::isfinite(l.upper))) {
            lose("joint '" + joint.name + "'", "a position limit on one side only, or on a " +
                                                   std::string(name_of(joint.type)) + " joint");
        }
        if (!bounded && std::isinf(l.velocity) && std::isinf(l.effort)) return;
        // A prismatic joint's <limit> without bounds would mean zero: leave the element out instead.
        if (type == "prismatic" && !bounded) {
            lose("joint '" + joint.name + "'",
                 "velocity and effort limits without position limits");
            return;
        }
        printer_.OpenElement("limit");
        if (bounded) {
            attribute("lower", digits(l.lower));
            attribute("upper", digits(l.upper));
        }
        if (std::isfinite(l.velocity)) attribute("velocity", digits(l.velocity));
        if (std::isfinite(l.effort)) attribute("effort", digits(l.effort));
        printer_.CloseElement();
    }

    // A named frame is a massless link on a fixed joint.
    void write_frame(const FrameDescription& frame) {
        printer_.OpenElement("link");
        attribute("name", frame.name);
        printer_.CloseElement();
        printer_.OpenElement("joint");
        attribute("name", unused_joint_name(frame.name + "_frame"));
        attribute("type", "fixed");
        write_origin(frame.placement);
        leaf("parent", "link", frame.link);
        leaf("child", "link", frame.name);
        printer_.CloseElement();
    }
    std::string unused_joint_name(std::string name) {
        if (used_.empty()) {
            for (const JointDescription& joint : d_.joints) used_.insert(joint.name);
        }
        while (!used_.insert(name).second) name += "_";
        return name;
    }

    const Description& d_;
    tinyxml2::XMLPrinter printer_;
    std::vector<Diagnostic> lost_;
    std::set<std::string> used_;
};

// Lets a file at that path name the meshes; returns what it cannot find.
std::vector<Diagnostic> move_meshes(Description& d, const std::string& path,
                                    const std::vector<std::string>& package_paths) {
    const io::MeshFinder files(path, package_paths);
    std::vector<Diagnostic> not_found;
    const auto move = [&](const LinkDescription& link, Mesh& mesh) {
        const bool is_found = !mesh.path.empty();
        const bool is_relative = mesh.uri.find("://") == std::string::npos;
        if (is_found && files.find(mesh.uri).path == mesh.path) return;
        // A package is found by its name, and only the robot's own file knows models.
        if (is_found && (is_relative || mesh.uri.starts_with("model://")))
            mesh.uri = files.uri_of(mesh.path);
        const io::MeshFinder::Found found = files.find(mesh.uri);
        // Where no file was found to begin with, its address may be one of the new folder.
        if (is_found ? found.path == mesh.path : !is_relative || !found.path.empty()) return;
        Diagnostic loss;
        loss.severity = Severity::kWarning;
        loss.element = "link '" + link.name + "'";
        loss.message = "mesh '" + mesh.uri + "' is not found from the new file: " +
                       (found.path.empty() ? found.why : "there is another one");
        if (std::none_of(not_found.begin(), not_found.end(), [&](const Diagnostic& known) {
                return known.element == loss.element && known.message == loss.message;
            }))
            not_found.push_back(std::move(loss));
    };
    for (LinkDescription& link : d.links) {
        for (std::vector<Shape>* shapes : {&link.visuals, &link.collisions}) {
            for (Shape& shape : *shapes) {
                Mesh* mesh = std::get_if<Mesh>(&shape.geometry);
                if (mesh != nullptr && !mesh->uri.empty()) move(link, *mesh);
            }
        }
    }
    return not_found;
}

}  // namespace

std::string write_urdf(const Description& description, std::vector<Diagnostic>* lost) {
    return UrdfWriter(description).write(lost);
}

std::string write_urdf_for(const Description& description, const std::string& path,
                           std::vector<Diagnostic>* lost,
                           const std::vector<std::string>& package_paths) {
    Description moved = description;
    std::vector<Diagnostic> not_found = move_meshes(moved, path, package_paths);
    std::string text = write_urdf(moved, lost);
    if (lost != nullptr) lost->insert(lost->end(), not_found.begin(), not_found.end());
    return text;
}

void write_urdf_file(const Description& description, const std::string& path,
                     std::vector<Diagnostic>* lost, const std::vector<std::string>& package_paths) {
    io::write_text_file(path, write_urdf_for(description, path, lost, package_paths));
}

}  // namespace plucker
