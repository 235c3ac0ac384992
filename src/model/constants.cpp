#include "plucker/model/constants.hpp"

#include <cmath>

namespace plucker {

template <class T>
RobotConstants<T>::RobotConstants(const Model& model)
    : model_(model), gravity_(cast<T>(model.gravity())), load_(model.frames().size()) {
    bodies_.reserve(model.bodies().size());
    for (const Body<double>& body : model.bodies()) bodies_.push_back(cast<T>(body));
    X_frame_body_.reserve(model.frames().size());
    for (const Frame& frame : model.frames()) X_frame_body_.push_back(cast<T>(frame.X_frame_body));
    for (const AngleSource<double>& at : model.angles()) {
        angles_.push_back({at.q_index, static_cast<T>(at.multiplier), static_cast<T>(at.offset)});
    }
    armature_.assign(model.armature().begin(), model.armature().end());
    damping_.assign(model.damping().begin(), model.damping().end());
    friction_.assign(model.friction().begin(), model.friction().end());
    for (const LinkDescription& link : model.description().links) link_mass_.push_back(link.mass);
    sum_masses();
}
template <class T>
RobotConstants<T>::RobotConstants(const RobotConstants&) = default;
template <class T>
RobotConstants<T>::RobotConstants(RobotConstants&&) noexcept = default;
template <class T>
RobotConstants<T>& RobotConstants<T>::operator=(const RobotConstants&) = default;
template <class T>
RobotConstants<T>& RobotConstants<T>::operator=(RobotConstants&&) noexcept = default;
template <class T>
RobotConstants<T>::~RobotConstants() = default;

template <class T>
void RobotConstants<T>::set_gravity(const Vec3<double>& gravity) {
    for (const double g : {gravity.x, gravity.y, gravity.z}) {
        if (!std::isfinite(g))
            throw Error::because("set_gravity: gravity holds ", g, "; it must be finite");
    }
    gravity_ = cast<T>(gravity);
}

template <class T>
void RobotConstants<T>::set_friction(bool on) {
    for (std::size_t k = 0; k < damping_.size(); ++k) {
        damping_[k] = on ? static_cast<T>(model_.damping()[k]) : T(0);
        friction_[k] = on ? static_cast<T>(model_.friction()[k]) : T(0);
    }
}

template <class T>
void RobotConstants<T>::set_mass(FrameId link, const MassProperties& mass) {
    const Frame& at = model_.frame(link);
    const auto index = static_cast<std::size_t>(link.index());
    if (index >= link_mass_.size()) {
        throw Error::because("set_mass: '", at.name,
                             "' is a frame, not a link; set_payload loads a frame");
    }
    check_mass("set_mass", at.name, mass);
    link_mass_[index] = mass;
    sum_inertia(at.body);
}

template <class T>
void RobotConstants<T>::set_payload(FrameId frame, const MassProperties& load) {
    const Frame& at = model_.frame(frame);
    check_mass("set_payload", at.name, load);
    load_[static_cast<std::size_t>(frame.index())] = load;
    sum_inertia(at.body);
}

// Turning about z changes neither the inertia that is moved nor its momentum: it has no first moment across z, and no
// moment of inertia about it. (Khalil and Dombre, Modeling, Identification and Control of Robots, §9.4.2.)
template <class T>
void RobotConstants<T>::regroup_at_hinges() {
    for (std::size_t i = bodies_.size() - 1; i > 0; --i) {
        Body<T>& body = bodies_[i];
        if (body.joint != JointType::kRevolute) continue;
        const Vec3<T> h = body.inertia.first_moment;
        const SymMat3<T> J = body.inertia.rotational;
        const Inertia<T> moved{
            body.inertia.mass, {T(0), T(0), h.z}, {J.yy, T(0), T(0), J.yy, T(0), T(0)}};
        body.inertia = {T(0), {h.x, h.y, T(0)}, {J.xx - J.yy, J.xy, J.xz, T(0), J.yz, J.zz}};
        if (body.parent > 0) {  // the world does not move
            bodies_[static_cast<std::size_t>(body.parent)].inertia +=
                apply_inverse(body.X_tree, moved);
        }
    }
    sum_masses();
}

// The inertia of a body is that of its links and loads.
template <class T>
void RobotConstants<T>::sum_inertia(int body) {
    if (body == 0) return;  // the world does not move
    Inertia<double> sum{};
    const auto frames = model_.frames();
    const auto add = [&](const std::vector<MassProperties>& masses) {
        for (std::size_t k = 0; k < masses.size(); ++k) {
            if (frames[k].body == body)
                sum += apply_inverse(frames[k].X_frame_body, masses[k].inertia());
        }
    };
    add(link_mass_);
    add(load_);
    bodies_[static_cast<std::size_t>(body)].inertia = cast<T>(sum);
    sum_masses();
}

// In T, so that they are sums of the bodies' masses to the last digit of T.
template <class T>
void RobotConstants<T>::sum_masses() {
    for (Body<T>& b : bodies_) b.subtree_mass = b.inertia.mass;
    for (std::size_t i = bodies_.size() - 1; i > 0; --i) {
        bodies_[static_cast<std::size_t>(bodies_[i].parent)].subtree_mass +=
            bodies_[i].subtree_mass;
    }
}

template class RobotConstants<float>;
template class RobotConstants<double>;
template class RobotConstants<long double>;

}  // namespace plucker
