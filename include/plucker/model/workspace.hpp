// All memory of the algorithms, for one model and one scalar, in one block. Make one per thread, once; no algorithm allocates
// after that.
//
// Its groups belong to the algorithms (model/scratch.hpp): read results through the functions in algorithms/, which say what
// they need. docs/contract.md defines what a call needs, writes and leaves alone, and how it fails.
#pragma once

#include <algorithm>
#include <array>

#include "plucker/model/constants.hpp"
#include "plucker/model/scratch.hpp"
#include "plucker/model/status.hpp"

namespace plucker {
namespace detail {
template <class S>
class Door;  // algorithms/door.hpp
}

// In which coordinates a frame's velocity, Jacobian or a force on it is expressed.
enum class ReferenceFrame {
    kBody,          // the frame's own axes, at its origin
    kWorld,         // the world's axes, at the world's origin
    kWorldAligned,  // the world's axes, at the frame's origin
};

template <class S>
class Workspace {
    static_assert(Scalar<S>, "scalar/scalar.hpp says what a number must do");

public:
    using Parameter = ParameterOf<S>;

    explicit Workspace(const Model& model, OnFailure on_failure = OnFailure::kThrow)
        : Workspace(model, RobotConstants<Parameter>(model), on_failure) {}
    // With other constants from the beginning.
    Workspace(const Model& model, RobotConstants<Parameter> constants,
              OnFailure on_failure = OnFailure::kThrow);

    const Model& model() const { return model_; }
    int num_bodies() const { return model_.num_bodies(); }

    // How the last call ended. It can be other than kOk only where failures are reported, not thrown.
    Status status() const { return status_; }
    OnFailure on_failure() const { return on_failure_; }

    // --- The robot's constants. They start as the model has them; a change holds for this workspace alone. It allocates
    // nothing, and drops what forward_kinematics left. ---
    const Body<Parameter>& body(int i) const { return constants_.body(i); }
    const Transform<Parameter>& X_frame_body(FrameId frame) const {
        return constants_.X_frame_body(frame);
    }
    std::span<const AngleSource<Parameter>> angles() const { return constants_.angles(); }
    const Vec3<Parameter>& gravity() const { return constants_.gravity(); }
    Parameter armature(int k) const { return constants_.armature(k); }
    Parameter damping(int k) const { return constants_.damping(k); }
    Parameter friction(int k) const { return constants_.friction(k); }

    // For code that was made for the model: what it reads of them, and whether it knows all others.
    const double* code_parameters() const { return constants_.code_parameters(); }
    bool has_constants_known_to_code() const { return constants_.are_known_to_code(); }

    void set_gravity(const Vec3<double>& gravity) { change().set_gravity(gravity); }
    // Viscous and Coulomb friction as the model has it, or none.
    void set_friction(bool on) { change().set_friction(on); }
    // Another mass for a link, named by its frame.
    void set_mass(FrameId link, const MassProperties& mass) { change().set_mass(link, mass); }
    // A load carried at a frame, in that frame's coordinates. It replaces the load that was there.
    void set_payload(FrameId frame, const MassProperties& load) {
        change().set_payload(frame, load);
    }

    // --- The algorithms' groups ---
    WorldKinematics<S> kinematics;  // what forward_kinematics leaves for the caller's questions
    WorldKinematics<S> passing_kinematics;  // of algorithms that need kinematics on their way
    JointScratch<S> joints;
    BodyScratch<S> bodies;
    ArticulatedScratch<S> articulated;
    SubtreeScratch<S> subtrees;
    TangentScratch<S> tangent;
    SquareScratch<S> squares;
    PathScratch<S> path;
    CoordinateScratch<S> coordinates;
    ConstraintScratch<S> constraints;

private:
    template <class T>
    friend class detail::Door;

    // What was computed with other constants is not to be read any more.
    RobotConstants<Parameter>& change() {
        kinematics.level = Kinematics::kNone;
        return constants_;
    }
    void lay_out(Arena& arena);

    Model model_;
    RobotConstants<Parameter> constants_;
    OnFailure on_failure_;
    Status status_ = Status::kOk;
    Arena memory_;
    std::array<Array<S>, 4> staged_;  // copies of inputs that share memory with an output
};

template <class S>
Workspace<S>::Workspace(const Model& model, RobotConstants<Parameter> constants,
                        OnFailure on_failure)
    : model_(model), constants_(std::move(constants)), on_failure_(on_failure) {
    Arena measured;
    lay_out(measured);
    memory_ = Arena(measured);
    lay_out(memory_);
    // Constant subspaces are written once, here.
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<Parameter>& b = body(i);
        Motion<S>* column = joints.subspace.data() + b.dof_index;
        std::array<SinCos<S>, kMostAngles> unturned;
        unturned.fill({S(0), S(1)});
        visit_joint(b.joint, [&](auto joint) { joint.subspace(b, unturned.data(), column); });
        if (b.mimic) column[0] = S(b.multiplier) * column[0];
    }
}

template <class S>
void Workspace<S>::lay_out(Arena& arena) {
    const ScratchSizes sizes(model_);
    joints = {arena, sizes};
    bodies = {arena, sizes};
    articulated = {arena, sizes};
    kinematics = {arena, sizes};
    passing_kinematics = {arena, sizes};
    subtrees = {arena, sizes};
    tangent = {arena, sizes};
    path = {arena, sizes};
    coordinates = {arena, sizes};
    constraints = {arena, sizes};
    for (Array<S>& copy : staged_) copy = arena.take<S>(sizes.longest);
    squares = {arena, sizes};  // last: beyond what is touched
}

}  // namespace plucker
