#include "plucker/algorithms/door.hpp"

namespace plucker::detail {
namespace {

// The joint whose coordinate is number `index`: of the configuration, or of the velocity.
const std::string& joint_at(const Model& model, long index, bool is_configuration) {
    if (!is_configuration)
        return model.joint(model.joint_of_coordinate(static_cast<int>(index))).name;
    int found = 0;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (!body.mimic && body.q_index <= index && index < body.q_index + body.nq) found = i;
    }
    return model.joint(found).name;
}

}  // namespace

Error not_finite(const char* function, const char* argument, const Model& model, long index,
                 double value, bool is_configuration) {
    const bool is_coordinate = std::string_view(argument).find(' ') == std::string_view::npos;
    if (!is_coordinate)
        return Error::because(function, ": ", argument, " holds ", value, "; it must be finite");
    return Error::because(function, ": ", argument, "[", index, "] (joint '",
                          joint_at(model, index, is_configuration), "') is ", value,
                          "; it must be finite");
}

Error no_attitude(const char* function, const char* argument, const Model& model, int body) {
    return Error::because(
        function, ": ", argument, ": the quaternion of joint '", model.joint(body).name,
        "' is zero, or too short or too long to tell a direction; no turn is 0 0 0 1 "
        "(neutral_configuration gives it)");
}

Error shared_output(const char* function, const char* first, const char* second) {
    return Error::because(function, ": the outputs ", first, " and ", second,
                          " share memory; each needs its own");
}

Error foreign_forces(const char* function, const Model& model, const Model& other) {
    return Error::because(function, ": the external forces were made for another model (robot '",
                          other.name(), "') than this workspace (robot '", model.name(),
                          "'); make them from workspace.model()");
}

Error foreign_frame(const char* function, const Model& model, FrameId frame) {
    try {
        model.frame(frame);
    } catch (const Error& e) {
        return Error::because(function, ": ", e.what());
    }
    return Error(function);
}

Error no_such_body(const char* function, const Model& model, int root) {
    return Error::because(function, ": there is no body ", root, "; bodies are 1 to ",
                          model.num_bodies(), ", and 0 stands for the whole robot");
}

Error no_mass(const char* function, const Model& model, int root) {
    const std::string what = root == 0 ? "the robot" : "subtree '" + model.body_name(root) + "'";
    return Error::because(function, ": ", what, " has no mass, so it has no centre of mass");
}

Error fixed_base(const char* function, const Model& model) {
    return Error::because(
        function, ": robot '", model.name(),
        "' has a fixed base; use inverse_dynamics, or with_base(model, Base::kFloating)");
}

Error singular_mass_matrix(const char* function, const Model& model, int joint) {
    if (joint == kAtFrame) {
        return Error::because(function,
                              ": the frame cannot be moved in all six ways from this "
                              "configuration, so that J M⁻¹ Jᵀ has no inverse");
    }
    if (joint == 0)
        return Error::because(function, ": the mass matrix is singular in one of the states");
    return Error::because(function, ": the mass matrix is singular at joint '",
                          model.joint(joint).name,
                          "': what it moves has no inertia about it; give link '",
                          model.body_name(joint), "' mass, or the joint armature");
}

Error missing_kinematics(const char* function, Kinematics level) {
    constexpr const char* kArguments[] = {"", "q", "q, v", "q, v, a"};
    return Error::because(function,
                          ": the workspace does not hold what this needs; call "
                          "forward_kinematics(workspace, ",
                          kArguments[static_cast<int>(level)], ") first");
}

Error wrong_operand(const char* function, const Argument& argument, const Model& model, long rows,
                    long columns) {
    const Extent extent = extent_of(argument.kind, model);
    if (extent.columns == 1) {
        return wrong_size(function, argument.name, rows, extent.rows,
                          in_words(lengths_of(argument.kind).rows));
    }
    if (extent.columns == kAnyColumns) {
        return wrong_size(function, argument.name, rows, extent.rows, "nv rows");
    }
    return wrong_shape(function, argument.name, rows, columns, extent.rows, extent.columns);
}

Error wrong_given(const char* function, const Model& model, long size) {
    return wrong_size(function, "given", size, model.num_bodies() + 1,
                      "one entry per body, and entry 0");
}

Error given_mimic(const char* function, const Model& model, int joint) {
    const JointDescription& follower = model.joint(joint);
    return Error::because(function, ": joint '", follower.name, "' mimics '", follower.mimic->joint,
                          "' and has no acceleration of its own; give that of '",
                          follower.mimic->joint, "'");
}

int first_given_mimic(const Model& model, std::span<const Given> given) {
    if (!model.has_mimic_joints()) return 0;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        if (model.body(i).mimic && given[static_cast<std::size_t>(i)] == Given::kAcceleration)
            return i;
    }
    return 0;
}

void require_floating_base(const Algorithm& row, const Model& model) {
    if (row.needs_floating_base && !model.has_floating_base()) throw fixed_base(row.name, model);
}
void require_frame(const Algorithm& row, const Model& model, FrameId frame) {
    if (!model.owns(frame)) throw foreign_frame(row.name, model, frame);
}
void require_subtree(const Algorithm& row, const Model& model, int root) {
    if (root < 0 || root > model.num_bodies()) throw no_such_body(row.name, model, root);
    if (!(model.body(root).subtree_mass > 0)) throw no_mass(row.name, model, root);
}
void require_given(const Algorithm& row, const Model& model, std::span<const Given> given) {
    const auto size = static_cast<long>(given.size());
    if (size != model.num_bodies() + 1) throw wrong_given(row.name, model, size);
    if (const int joint = first_given_mimic(model, given); joint != 0)
        throw given_mimic(row.name, model, joint);
}

bool columns_overlap(const Region& a, const Region& b) {
    for (long i = 0; i < a.columns; ++i) {
        const char* a_begin = a.begin + i * a.stride;
        for (long j = 0; j < b.columns; ++j) {
            const char* b_begin = b.begin + j * b.stride;
            if (a_begin < b_begin + b.run && b_begin < a_begin + a.run) return true;
        }
    }
    return false;
}

}  // namespace plucker::detail
