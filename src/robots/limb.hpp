// Limbs, joint by joint, for robots that are symmetric about the x–z plane: x forward, y left, z up.
#pragma once

#include <string>
#include <utility>

#include "plucker/model/builder.hpp"
#include "shapes.hpp"

namespace plucker::robots {

enum class Side { kMiddle, kLeft, kRight };

// Adds revolute joints and links outward from a root. Both sides are described as on the left: on the
// right, positions are reflected in y, and so are limits, because a reflection in y keeps a turn about
// y and reverses one about x or z. Axes stay along +x, +y, +z on both sides.
class Limb {
public:
    // All names get the prefix: "left_" + "knee".
    Limb(Builder& builder, Side side, std::string prefix, std::string root)
        : builder_(builder), side_(side), prefix_(std::move(prefix)), end_(std::move(root)) {}

    // The next joint, at `position` in the link before it, and the link that it carries.
    Limb& then(const std::string& joint, const Vec3<double>& axis, const Vec3<double>& position,
               const JointLimits& limits, const std::string& link, MassProperties mass) {
        mass.center = reflected(mass.center);
        builder_.body(end_,
                      revolute(prefix_ + joint, axis)
                          .at({Mat3<double>::identity(), reflected(position)})
                          .with_limits(axis.y == 0 ? reflected(limits) : limits),
                      prefix_ + link, mass);
        end_ = prefix_ + link;
        return *this;
    }
    // Shapes of the last link, described as on the left, too. Solid ones are drawn and touch; the others only are drawn, or
    // only touch.
    Limb& solid(const Form& form, const Colour& colour) {
        const Shape shape = reflected(form).shape(colour);
        builder_.shape(end_, shape);
        return *this;
    }
    Limb& drawn(const Form& form, const Colour& colour) {
        builder_.visual(end_, reflected(form).shape(colour));
        return *this;
    }
    Limb& felt(const Form& form) {
        builder_.collision(end_, reflected(form).shape());
        return *this;
    }
    // The link and another one, on the same side, never touch.
    Limb& never_touches(const std::string& other) {
        builder_.never_touching(end_, other);
        return *this;
    }
    // A named frame on the last link.
    Limb& frame(const std::string& name, const Vec3<double>& position) {
        builder_.frame(prefix_ + name, end_, {Mat3<double>::identity(), reflected(position)});
        return *this;
    }

private:
    // 0 - y instead of -y, so that zero stays +0.
    Vec3<double> reflected(const Vec3<double>& p) const {
        return side_ == Side::kRight ? Vec3<double>{p.x, 0 - p.y, p.z} : p;
    }
    Form reflected(Form form) const {
        form.center = reflected(form.center);
        form.along = reflected(form.along);
        return form;
    }
    JointLimits reflected(const JointLimits& l) const {
        return side_ == Side::kRight ? JointLimits{0 - l.upper, 0 - l.lower, l.velocity, l.effort}
                                     : l;
    }

    Builder& builder_;
    Side side_;
    std::string prefix_;
    std::string end_;  // the link to which the next joint is attached
};

inline constexpr Vec3<double> kAboutX{1, 0, 0};
inline constexpr Vec3<double> kAboutY{0, 1, 0};
inline constexpr Vec3<double> kAboutZ{0, 0, 1};

}  // namespace plucker::robots
