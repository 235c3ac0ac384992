// A robot's constants in the number type T of a computation, all that the algorithms read of them. They start as the model has them, and can be changed
// without a new model.
#pragma once

#include <vector>

#include "plucker/model/model.hpp"

namespace plucker {

template <class T>
class RobotConstants {
public:
    explicit RobotConstants(const Model& model);
    RobotConstants(const RobotConstants&);
    RobotConstants(RobotConstants&&) noexcept;
    RobotConstants& operator=(const RobotConstants&);
    RobotConstants& operator=(RobotConstants&&) noexcept;
    ~RobotConstants();

    const Body<T>& body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }
    const Transform<T>& X_frame_body(FrameId frame) const {
        return X_frame_body_[static_cast<std::size_t>(frame.index())];
    }
    std::span<const AngleSource<T>> angles() const { return angles_; }
    const Vec3<T>& gravity() const { return gravity_; }
    T armature(int k) const { return armature_[static_cast<std::size_t>(k)]; }
    T damping(int k) const { return damping_[static_cast<std::size_t>(k)]; }
    T friction(int k) const { return friction_[static_cast<std::size_t>(k)]; }

    void set_gravity(const Vec3<double>& gravity);
    void set_friction(bool on);
    void set_mass(FrameId link, const MassProperties& mass);
    void set_payload(FrameId frame, const MassProperties& load);

    // Moves to the parent what a body that hangs on a hinge has of inertia that does not feel the hinge: its mass, on the
    // axis, and a rotational inertia that is the same about all axes across. Motions and torques stay as they are, and zeros
    // come about. Forces between bodies change, and so do masses and centres of mass of single bodies and subtrees.
    void regroup_at_hinges();

private:
    void sum_inertia(int body);
    void sum_masses();

    Model model_;
    std::vector<Body<T>> bodies_;
    std::vector<Transform<T>> X_frame_body_;  // by frame
    std::vector<AngleSource<T>> angles_;
    Vec3<T> gravity_;
    std::vector<T> armature_, damping_, friction_;
    std::vector<MassProperties> link_mass_;  // by frame: the first frames are the links
    std::vector<MassProperties> load_;       // by frame
};

// Compiled once: code for other instruction sets holds constants too.
extern template class RobotConstants<float>;
extern template class RobotConstants<double>;
extern template class RobotConstants<long double>;

}  // namespace plucker
