// A robot, compiled for computing: an immutable tree of bodies.
//
// Body 0 is the world; moving bodies are numbered 1 … num_bodies(), depth first, so that a parent comes
// before its children and a subtree is a range. Joint i connects body i to its parent. Links on fixed
// joints are merged into the body that carries them; every link remains as a named frame.
//
// With a fixed base the root link is part of the world. With a floating base it is body 1, on a
// floating joint named "base", unless its file names it; "base" means it all the same, unless another joint has that name.
//
// Copying a Model is cheap: copies share the same data.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plucker/joints/joint.hpp"
#include "plucker/model/description.hpp"
#include "plucker/model/error.hpp"
#include "plucker/model/robot_code.hpp"

namespace plucker {

class Compiler;  // src/model/compile.cpp

// A frame of one model, and of its copies; any other model refuses it.
class FrameId {
public:
    FrameId() = default;  // of no model
    int index() const { return index_; }
    friend bool operator==(const FrameId&, const FrameId&) = default;

private:
    friend class Model;
    friend class Compiler;
    FrameId(int index, std::uint32_t model) : index_(index), model_(model) {}

    int index_ = -1;
    std::uint32_t model_ = 0;
};

struct Frame {
    std::string name;
    int body = 0;                    // the body that carries it; 0: fixed in the world
    Transform<double> X_frame_body;  // the frame's constant place on that body
};

// The coordinate of a joint of one freedom: multiplier · q[q_index] + offset, where it may mimic another.
struct JointCoordinate {
    int q_index = -1, v_index = -1;
    double multiplier = 1, offset = 0;
};

// A tie beyond the tree (ConstraintDescription), its names looked up. constraints/rows.hpp has its equations.
struct Constraint {
    std::string name;
    ConstraintKind kind = ConstraintKind::kFrames;
    int first_row = 0, num_rows = 0;  // among all rows of the model's constraints
    // kFrames, kDistance: the bodies that carry frames a and b (0: the world), and the frames' constant places there.
    int body_a = 0, body_b = 0;
    Transform<double> X_a_body, X_b_body;
    std::array<bool, 6> axes{};  // kFrames
    double distance = 0;         // kDistance
    // kCoupling: a = Σ c_k b^k. Without b, a = c_0.
    JointCoordinate a, b;
    bool has_b = false;
    std::array<double, 5> polynomial{};
};

// A joint angle, whose sine and cosine a computation needs: multiplier · q[q_index] + offset.
template <class T>
struct AngleSource {
    int q_index;
    T multiplier;
    T offset;
};

class Model {
public:
    // Checks the description and compiles it; throws Error with what is wrong and where.
    explicit Model(Description description);
    // In the library, not here: code compiled for other instruction sets copies models too.
    // A model that was moved from is still whole: moving is copying.
    Model(const Model&) noexcept;
    Model& operator=(const Model&) noexcept;
    ~Model();

    const std::string& name() const { return data_->description.name; }
    // Whether two are copies of one model, so that frames and forces of the one are those of the other.
    bool is_copy_of(const Model& other) const { return data_->id == other.data_->id; }
    int num_bodies() const { return static_cast<int>(data_->bodies.size()) - 1; }
    int nq() const { return data_->nq; }
    int nv() const { return data_->nv; }
    Vec3<double> gravity() const { return data_->description.gravity; }
    double total_mass() const { return body(0).subtree_mass; }  // of the moving bodies
    bool has_floating_base() const { return data_->description.base == Base::kFloating; }
    // Whether an inertia that no rigid body has is refused.
    bool is_strict() const { return data_->description.physics == Physics::kStrict; }
    bool has_mimic_joints() const { return data_->num_dofs != data_->nv; }
    bool has_varying_subspaces() const { return data_->has_varying_subspaces; }
    // Whether the tree is so deep that M⁻¹ costs less by articulated bodies than by factors of M.
    bool is_deep() const { return data_->is_deep; }

    // Bodies, world first. body(i) for i in 0 … num_bodies(); any other number throws.
    std::span<const Body<double>> bodies() const { return data_->bodies; }
    const Body<double>& body(int i) const { return data_->bodies[checked(i)]; }
    const std::string& body_name(int i) const { return data_->body_names[checked(i)]; }
    const JointDescription& joint(int i) const { return data_->joints[checked(i)]; }
    // Numbers of bodies by the name of their link or of their joint. Throws, with the closest names,
    // when there is none; a link that was merged is found through frame() instead.
    int body_index(const std::string& link) const;
    int joint_index(const std::string& joint) const;
    // Where a joint's coordinates start in q, and in v.
    int q_index(const std::string& joint) const { return body(joint_index(joint)).q_index; }
    int v_index(const std::string& joint) const { return body(joint_index(joint)).v_index; }

    // Frames: every link by its name, and the named frames.
    std::span<const Frame> frames() const { return data_->frames; }
    const Frame& frame(FrameId id) const {
        if (!owns(id)) refuse(id);
        return data_->frames[static_cast<std::size_t>(id.index_)];
    }
    bool owns(FrameId id) const { return id.model_ == data_->id; }
    FrameId frame_id(const std::string& name) const;
    // The k-th of frames().
    FrameId frame_id(int k) const;
    // The frame of the link that names body i: the body's frame as the user described it.
    FrameId body_frame(int i) const { return {data_->body_frames[checked(i)], data_->id}; }
    // The links that move with a body, in the order of their bodies and, on one body, of their declaration: those whose
    // masses matter. They may hang on fixed joints; with a fixed base the root link is not among them.
    std::span<const FrameId> moving_links() const { return data_->moving_links; }
    // The bodies whose configuration ends in a quaternion.
    std::span<const int> bodies_with_quaternion() const { return data_->bodies_with_quaternion; }

    // Joint-space constants, one a velocity coordinate (nv): rotor inertia, viscous and Coulomb
    // friction. A mimic joint's share is already reflected to the joint it follows.
    std::span<const double> armature() const { return data_->armature; }
    std::span<const double> damping() const { return data_->damping; }
    std::span<const double> friction() const { return data_->friction; }

    // Between which its coordinate, and how fast, keeps joint i of one freedom within its own limits and those of the joints
    // that mimic it; where no position does, its own. Efforts are its own: what follows is not driven.
    const JointLimits& limits_with_followers(int i) const { return data_->limits[checked(i)]; }

    // Closed loops and other ties beyond the tree, in the order of their declaration, and the number of their rows.
    std::span<const Constraint> constraints() const { return data_->constraints; }
    int num_constraint_rows() const { return data_->num_constraint_rows; }
    // The number of a constraint. Throws, with the closest names, when there is none.
    int constraint_index(const std::string& name) const;

    // Names of the nv velocity coordinates: a joint's name, with a suffix where it has several.
    const std::vector<std::string>& velocity_names() const { return data_->velocity_names; }
    // Velocity coordinates in the order in which the joints were declared.
    const std::vector<int>& declared_velocity_order() const {
        return data_->declared_velocity_order;
    }

    // For the sparse factorisation: the velocity coordinate that coordinate k hangs on, or -1. When
    // joints mimic others the matrix has no tree structure and this is a chain.
    std::span<const int> coordinate_parent() const { return data_->coordinate_parent; }
    int joint_of_coordinate(int k) const {
        return data_->coordinate_joint[static_cast<std::size_t>(k)];
    }
    std::span<const AngleSource<double>> angles() const { return data_->angles; }
    int num_dofs() const { return data_->num_dofs; }  // nv, and one more for each mimic joint

    const Description& description() const { return data_->description; }

    // The same model with code that was made for it (compiler/compile.hpp), and that code; null: none.
    Model with_code(std::shared_ptr<const RobotCode> code) const;
    const RobotCode* code() const { return code_.get(); }

private:
    std::size_t checked(int i) const {
        if (i < 0 || i > num_bodies()) refuse_body(i);
        return static_cast<std::size_t>(i);
    }
    [[noreturn]] void refuse_body(int i) const;
    [[noreturn]] void refuse(FrameId id) const;

    struct Data {
        std::uint32_t id = 0;  // of this model and its copies
        Description description;
        int nq = 0, nv = 0, num_dofs = 0;
        bool has_varying_subspaces = false;  // in the body's frame: universal joints
        bool is_deep = false;
        std::vector<Body<double>> bodies;
        std::vector<std::string> body_names;
        std::vector<JointDescription> joints;  // of each body; entry 0 is unused
        std::vector<JointLimits> limits;       // of each body, with its followers'
        std::vector<Frame> frames;
        std::vector<FrameId> moving_links;
        std::vector<int> body_frames, bodies_with_quaternion;
        std::vector<double> armature, damping, friction;
        std::vector<std::string> velocity_names;
        std::vector<int> declared_velocity_order;
        std::vector<int> coordinate_parent, coordinate_joint;
        std::vector<AngleSource<double>> angles;
        std::vector<Constraint> constraints;
        int num_constraint_rows = 0;
    };
    friend class Compiler;  // src/model/compile.cpp fills Data
    std::shared_ptr<const Data> data_;
    std::shared_ptr<const RobotCode> code_;
};

}  // namespace plucker
