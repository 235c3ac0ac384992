// From MuJoCo's compiled model to a Description.
#pragma once

#include <string>
#include <vector>

#include "mjcf/compiler.hpp"
#include "mjcf/document.hpp"
#include "plucker/io/load.hpp"
#include "tree_assembly.hpp"

namespace plucker::io {

// The name of one of the model's objects (an mjtObj); empty if it has none.
std::string name_of(const mjModel& model, int type, int id);

class MjcfConverter {
public:
    // `model` was compiled with stand-ins for meshes; masses are taken from `masses`, which was not if one
    // depends on a mesh.
    MjcfConverter(const mjModel& model, const mjModel& masses, const MjcfDocument& document,
                  const LoadOptions& options, Findings& findings, Description& out)
        : m_(model),
          masses_(masses),
          document_(document),
          options_(options),
          findings_(findings),
          out_(out) {}

    void convert();

private:
    // In mjcf_converter.cpp.
    void convert_options();
    void decide_base();
    void give_names();
    void convert_body(int b);
    MassProperties mass_of(int b) const;
    void say_where_a_bound_puts_it(int b, const Origin& at);
    AnchoredJoint convert_joint(int j, bool is_root);
    void free_of_constants(const Origin& at, const std::string& where, bool is_root,
                           JointDescription& joint);
    void set_type(int j, JointDescription& joint) const;
    void convert_range(int j, const Origin& at, JointDescription& joint);
    void convert_site(int s);
    void convert_keyframes();
    PostureDescription posture_at(const std::string& name, const double* qpos,
                                  const Origin& at) const;

    // In mjcf/constraints.cpp.
    void convert_equality(int e);
    void convert_tie(const MjcfTie& tie);
    std::string constraint_name(const std::string& given);
    Pose<double> initial_pose(int b) const;
    void keep_apart(const std::pair<std::string, std::string>& bodies);

    // In mjcf_shapes.cpp.
    void convert_shapes(int b, LinkDescription& link);
    void add_surface(int g, Shape& shape) const;
    void convert_mesh(int g, Shape& shape);
    Material material_of(int g) const;

    template <class... Parts>
    void warning(const Origin& at, const std::string& element, const Parts&... parts) {
        report(findings_, Severity::kWarning, at, element, parts...);
    }
    template <class... Parts>
    void note(const Origin& at, const std::string& element, const Parts&... parts) {
        report(findings_, Severity::kNote, at, element, parts...);
    }
    SourceLocation source(const Origin& at) const;
    std::string name(int type, int id) const { return name_of(m_, type, id); }
    bool is_disabled(int flags) const { return (m_.opt.disableflags & flags) != 0; }
    const std::string& link_of(int body) const {
        return link_of_body_[static_cast<std::size_t>(body)];
    }

    const mjModel& m_;
    const mjModel& masses_;
    const MjcfDocument& document_;
    const LoadOptions& options_;
    Findings& findings_;
    Description& out_;
    MjcfSummary summary_;
    static constexpr std::size_t kNoJoint = static_cast<std::size_t>(-1);
    UniqueNames link_names_, joint_names_, constraint_names_, posture_names_;
    std::vector<std::string> link_of_body_;
    std::vector<std::size_t> joint_index_;  // of MuJoCo's joints, in out_.joints
};

Vec3<double> vec3(const mjtNum* p);
Pose<double> pose(const mjtNum* position, const mjtNum* wxyz);

}  // namespace plucker::io
