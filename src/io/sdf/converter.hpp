// From sdformat's objects to a Description.
#pragma once

#include <map>
#include <optional>
#include <sdf/Element.hh>
#include <sdf/Geometry.hh>
#include <sdf/Joint.hh>
#include <sdf/Link.hh>
#include <sdf/Mesh.hh>
#include <sdf/Model.hh>
#include <sdf/SemanticPose.hh>
#include <string>
#include <vector>

#include "plucker/io/load.hpp"
#include "sdf/documents.hpp"
#include "tree_assembly.hpp"

namespace plucker::io {

// All poses and axes are taken to the world first. `scope` is the prefix of a nested model's names, `at` the
// model's place in the world.
class SdfConverter {
public:
    SdfConverter(const SdfDocuments& documents, const LoadOptions& options, Findings& findings,
                 Description& out)
        : documents_(documents), options_(options), findings_(findings), out_(out) {}

    // Poses are resolved on demand, so that this is a call of sdformat.
    void convert(const sdf::Model& model);

private:
    // In sdf_converter.cpp.
    void take_names(const sdf::Model& model, const std::string& scope);
    template <class F>
    void for_each_nested(const sdf::Model& model, const std::string& scope, const Pose<double>& at,
                         F&& f);
    void convert_links(const sdf::Model& model, const std::string& scope, const Pose<double>& at,
                       bool is_static);
    static bool self_collides(const sdf::ElementPtr& e, bool otherwise);
    MassProperties mass_of(const sdf::Link& link, const std::string& where, bool is_static);
    void convert_joints(const sdf::Model& model, const std::string& scope, const Pose<double>& at);
    void convert_frames(const sdf::Model& model, const std::string& scope, const Pose<double>& at);
    void connect_to_world(const sdf::Model& model);
    void fix_to_world(const LinkDescription& link);

    // In sdf_joints.cpp.
    void convert_joint(const sdf::Joint& j, const std::string& scope, const Pose<double>& at);
    bool resolve_ends(const sdf::Joint& j, const std::string& where, const std::string& scope,
                      std::string& parent, std::string& child);
    bool set_type(const sdf::Joint& j, const std::string& where, JointDescription& joint);
    double pitch_of(const sdf::Joint& j, const std::string& where);
    void read_axis_constants(const sdf::Joint& j, const std::string& where,
                             const std::string& scope, JointDescription& joint);

    // In sdf/loops.cpp.
    struct Gearbox {
        const sdf::Joint* joint;
        std::string scope;
        Pose<double> at;
    };
    bool closes_a_loop(const std::string& parent, const std::string& child) const;
    void close_loop(const AnchoredJoint& anchored, const std::string& parent,
                    const std::string& child, const sdf::ElementPtr& e);
    void convert_gearbox(const Gearbox& gearbox);
    Vec3<double> world_axis(const sdf::Joint& j, unsigned index, const Pose<double>& at,
                            const std::string& where);

    // In sdf_shapes.cpp.
    void convert_shapes(const sdf::Link& link, const std::string& where, bool collides_with_model,
                        LinkDescription& out);
    template <class VisualOrCollision>
    std::optional<Shape> shape_of(const VisualOrCollision& v, const std::string& where);
    std::optional<Geometry> geometry_of(const sdf::Geometry& g, const sdf::ElementPtr& e,
                                        const std::string& where);
    Mesh mesh_of(const sdf::Mesh& mesh, const sdf::ElementPtr& e, const std::string& where);

    template <class... Parts>
    void add(Severity severity, const sdf::ElementPtr& e, const std::string& element,
             const Parts&... parts) {
        report(findings_, severity, documents_.origin_of(e), element, parts...);
    }
    void add_errors(const sdf::Errors& errors, const sdf::ElementPtr& e,
                    const std::string& element);
    SourceLocation source_of(const sdf::ElementPtr& e) const;
    Pose<double> resolved(const sdf::SemanticPose& semantic, const sdf::ElementPtr& e,
                          const std::string& where, const std::string& to = "");

    const SdfDocuments& documents_;
    const LoadOptions& options_;
    Findings& findings_;
    Description& out_;
    std::map<std::string, Pose<double>> place_;  // of each link in the world
    std::map<std::string, std::string>
        parent_of_;  // of each link that a joint of the tree leads to
    struct TreeJoint {
        std::string name, parent, child;
        Vec3<double> axis;  // in the world
        bool is_revolute;
    };
    std::vector<TreeJoint> tree_joints_;
    std::vector<Gearbox> gearboxes_;
    bool hangs_on_world_ = false;
    UniqueNames link_names_, joint_names_;
};

// The number in an element that this version of sdformat may not know; it was checked before.
double number_in(const sdf::ElementPtr& e, const char* name, double otherwise);

}  // namespace plucker::io
