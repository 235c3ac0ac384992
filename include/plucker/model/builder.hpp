// Builds a robot in code, link by link.
//
//     Model pendulum = Builder("pendulum")
//                          .link("ground")
//                          .body("ground", revolute("hinge", {0, 1, 0}), "rod", MassProperties::point(1, {0, 0, -1}))
//                          .build();
//
// You can add links and joints in any order; build() checks the whole.
#pragma once

#include <string>
#include <utility>

#include "plucker/model/model.hpp"

namespace plucker {

class Builder {
public:
    explicit Builder(std::string name) { description_.name = std::move(name); }
    explicit Builder(Description description) : description_(std::move(description)) {}

    Builder& gravity(const Vec3<double>& g) {
        description_.gravity = g;
        return *this;
    }
    // How the root link stands in the world. Fixed unless said otherwise.
    Builder& base(Base base) {
        description_.base = base;
        return *this;
    }
    // Keep fixed joints as bodies of their own, for example to read the force across one.
    Builder& fixed_joints(FixedJoints choice) {
        description_.fixed_joints = choice;
        return *this;
    }
    // Whether an inertia that no body can have is refused, as it is unless said otherwise, or let pass.
    Builder& physics(Physics choice) {
        description_.physics = choice;
        return *this;
    }
    Builder& link(std::string name, const MassProperties& mass = {}) {
        description_.links.push_back({std::move(name), mass});
        return *this;
    }
    // A joint whose parent and child links are set in it.
    Builder& joint(JointDescription joint) {
        description_.joints.push_back(std::move(joint));
        return *this;
    }
    // A link and the joint that connects it to its parent.
    Builder& body(std::string parent, JointDescription joint, std::string name,
                  const MassProperties& mass = {}) {
        joint.parent = std::move(parent);
        joint.child = name;
        return link(std::move(name), mass).joint(std::move(joint));
    }
    Builder& frame(std::string name, std::string link, const Pose<double>& placement = {}) {
        description_.frames.push_back({std::move(name), std::move(link), placement});
        return *this;
    }

    // A shape of a link that was named before: what is drawn, what touches other things, or both.
    Builder& visual(const std::string& link, Shape shape) {
        find_link(link).visuals.push_back(std::move(shape));
        return *this;
    }
    Builder& collision(const std::string& link, Shape shape) {
        find_link(link).collisions.push_back(std::move(shape));
        return *this;
    }
    Builder& shape(const std::string& link, const Shape& shape) {
        return visual(link, shape).collision(link, shape);
    }
    // The collision shapes of these links do not touch.
    Builder& never_touching(std::string a, std::string b) {
        description_.never_touching.emplace_back(std::move(a), std::move(b));
        return *this;
    }

    // A tie beyond the tree: builder.constraint(connect("loop", "crank_end", "rod_end")).
    Builder& constraint(ConstraintDescription constraint) {
        description_.constraints.push_back(std::move(constraint));
        return *this;
    }

    // A configuration with a name: builder.posture("home", {{"elbow", {0.5}}}).
    Builder& posture(std::string name,
                     std::vector<std::pair<std::string, std::vector<double>>> joints) {
        description_.postures.push_back({std::move(name), std::move(joints), {}});
        return *this;
    }

    const Description& description() const { return description_; }
    Model build() const { return Model(description_); }

private:
    LinkDescription& find_link(const std::string& name) {
        // The last one, mostly.
        for (auto link = description_.links.rbegin(); link != description_.links.rend(); ++link) {
            if (link->name == name) return *link;
        }
        std::vector<std::string> names;
        for (const LinkDescription& link : description_.links) names.push_back(link.name);
        throw unknown_name("link", name, names);
    }

    Description description_;
};

}  // namespace plucker
