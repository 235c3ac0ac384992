// A robot's constants in the number type T of a computation, all that the algorithms read of them. They start as the model
// has them, and can be changed without a new model.
#pragma once

#include <algorithm>
#include <cmath>
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
    // Inertias that were replaced stay with their bodies: to compute what is moved would cost more than it saves.
    void regroup_at_hinges();

    // The same in T, for numbers that are not known yet: the inputs of a program (compiler/parameters.hpp). A body's inertia
    // is about its frame's origin, and of all that it carries.
    void replace_gravity(const Vec3<T>& gravity) {
        gravity_ = gravity;
        are_known_to_code_ = false;
    }
    void replace_inertia(int body, const Inertia<T>& inertia) {
        bodies_[static_cast<std::size_t>(body)].inertia = inertia;
        replaced_.push_back(body);
        sum_masses();
        are_known_to_code_ = false;
    }
    void replace_frame(FrameId frame, const Transform<T>& X_frame_body) {
        X_frame_body_[static_cast<std::size_t>(frame.index())] = X_frame_body;
        are_known_to_code_ = false;
    }

    // What the model's code reads of them, its parameters one after the other; and whether it knows all others, because
    // these are still the model's.
    const double* code_parameters() const { return code_parameters_.data(); }
    bool are_known_to_code() const { return are_known_to_code_; }

private:
    void sum_inertia(int body);
    void sum_masses();
    void note_change(const RobotCode::Parameter& what, std::span<const double> numbers);

    Model model_;
    std::vector<Body<T>> bodies_;
    std::vector<Transform<T>> X_frame_body_;  // by frame
    std::vector<AngleSource<T>> angles_;
    Vec3<T> gravity_;
    std::vector<T> armature_, damping_, friction_;
    std::vector<MassProperties> link_mass_;  // by frame: the first frames are the links
    std::vector<MassProperties> load_;       // by frame
    std::vector<int> replaced_;              // bodies whose inertia was replaced
    std::vector<double> code_parameters_;
    bool are_known_to_code_ = true;
};

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
    if (model.code() == nullptr) return;
    for (const RobotCode::Parameter& parameter : model.code()->parameters) {
        const auto append = [&](const auto& numbers) {
            code_parameters_.insert(code_parameters_.end(), numbers.begin(), numbers.end());
        };
        if (parameter.change == RobotChange::kGravity) {
            const Vec3<double> g = model.gravity();
            append(std::array{g.x, g.y, g.z});
        } else {
            const bool is_mass = parameter.change == RobotChange::kMass;
            append((is_mass ? link_mass_ : load_)[static_cast<std::size_t>(parameter.frame)]
                       .numbers());
        }
    }
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
    note_change({RobotChange::kGravity}, std::array{gravity.x, gravity.y, gravity.z});
}

template <class T>
void RobotConstants<T>::set_friction(bool on) {
    for (std::size_t k = 0; k < damping_.size(); ++k) {
        damping_[k] = on ? static_cast<T>(model_.damping()[k]) : T(0);
        friction_[k] = on ? static_cast<T>(model_.friction()[k]) : T(0);
    }
    note_change({RobotChange::kFriction}, {});
}

template <class T>
void RobotConstants<T>::set_mass(FrameId link, const MassProperties& mass) {
    const Frame& at = model_.frame(link);
    const auto index = static_cast<std::size_t>(link.index());
    if (index >= link_mass_.size()) {
        throw Error::because("set_mass: '", at.name,
                             "' is a frame, not a link; set_payload loads a frame");
    }
    check_mass("set_mass", at.name, mass, model_.is_strict());
    link_mass_[index] = mass;
    sum_inertia(at.body);
    note_change({RobotChange::kMass, link.index()}, mass.numbers());
}

template <class T>
void RobotConstants<T>::set_payload(FrameId frame, const MassProperties& load) {
    const Frame& at = model_.frame(frame);
    check_mass("set_payload", at.name, load, model_.is_strict());
    load_[static_cast<std::size_t>(frame.index())] = load;
    sum_inertia(at.body);
    note_change({RobotChange::kPayload, frame.index()}, load.numbers());
}

// Turning about z changes neither the inertia that is moved nor its momentum: it has no first moment across z, and no
// moment of inertia about it. (Khalil and Dombre, Modeling, Identification and Control of Robots, §9.4.2.)
template <class T>
void RobotConstants<T>::regroup_at_hinges() {
    for (std::size_t i = bodies_.size() - 1; i > 0; --i) {
        Body<T>& body = bodies_[i];
        const bool is_replaced =
            std::find(replaced_.begin(), replaced_.end(), static_cast<int>(i)) != replaced_.end();
        if (body.joint != JointType::kRevolute || is_replaced) continue;
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
    are_known_to_code_ = false;
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

// The model's code is told of what it reads, and is of no use where anything else has changed.
template <class T>
void RobotConstants<T>::note_change(const RobotCode::Parameter& what,
                                    std::span<const double> numbers) {
    if (model_.code() == nullptr) return;
    std::size_t at = 0;
    for (const RobotCode::Parameter& parameter : model_.code()->parameters) {
        if (parameter == what) {
            std::copy(numbers.begin(), numbers.end(),
                      code_parameters_.begin() + static_cast<long>(at));
            return;
        }
        at += parameter.size();
    }
    are_known_to_code_ = false;
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

// Compiled once: code for other instruction sets holds constants too.
extern template class RobotConstants<float>;
extern template class RobotConstants<double>;
extern template class RobotConstants<long double>;

}  // namespace plucker
