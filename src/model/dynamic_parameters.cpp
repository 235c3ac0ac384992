#include "plucker/model/dynamic_parameters.hpp"

#include <cmath>

namespace plucker {
namespace {

struct JointConstant {
    const char* name;
    std::span<const double> (Model::*of)() const;
    double JointDescription::*in;
};
constexpr std::array<JointConstant, 3> kJointConstants{
    {{"armature", &Model::armature, &JointDescription::armature},
     {"damping", &Model::damping, &JointDescription::damping},
     {"friction", &Model::friction, &JointDescription::friction}}};

constexpr std::array kLinkNumbers{"m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz"};

// The number of one joint, which must be the same for all its freedoms. `numbers` has one per coordinate.
double of_joint(const Model& model, int i, const char* name, const double* numbers) {
    const Body<double>& body = model.body(i);
    const double first = numbers[body.v_index];
    for (int k = 1; k < body.nv; ++k) {
        const double other = numbers[body.v_index + k];
        if (other == first) continue;
        throw Error::because("with_dynamic_parameters: joint '", model.joint(i).name, "' is given ",
                             name, " ", first, " and ", other,
                             " for two of its freedoms; a joint has one number for all");
    }
    if (!(first >= 0) || !std::isfinite(first)) {
        throw Error::because("with_dynamic_parameters: joint '", model.joint(i).name, "' is given ",
                             name, " ", first, "; it must not be negative");
    }
    return first;
}

// A first moment is that of a mass: without one it would be lost.
void check_first_moment(const std::string& link, const Inertia<double>& inertia) {
    const Vec3<double>& h = inertia.first_moment;
    if (inertia.mass != 0 || h == Vec3<double>{}) return;
    throw Error::because("with_dynamic_parameters: '", link,
                         "': mass is 0 kg, but its first moment is (", h.x, " ", h.y, " ", h.z,
                         ") kg m, which no body has; give it a mass, or no moment");
}

}  // namespace

std::array<double, kLinkParameters> link_parameters(const Inertia<double>& inertia) {
    const Vec3<double>& h = inertia.first_moment;
    const SymMat3<double>& I = inertia.rotational;
    return {inertia.mass, h.x, h.y, h.z, I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
}
Inertia<double> inertia_from(const double* x) {
    return {x[0], {x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7], x[8], x[9]}};
}

MassProperties mass_properties(const Inertia<double>& about_origin) {
    const double m = about_origin.mass;
    if (!(m > 0)) return {m, {}, about_origin.rotational};
    const Vec3<double> center = (1 / m) * about_origin.first_moment;
    return {m, center, about_origin.rotational - m * point_inertia(center)};
}

ResultVector<double> dynamic_parameters(const Model& model) {
    VectorX<double> out(num_dynamic_parameters(model));
    long at = 0;
    for (const FrameId link : model.moving_links()) {
        const auto& mass = model.description().links[static_cast<std::size_t>(link.index())].mass;
        for (const double x : link_parameters(mass.inertia())) out[at++] = x;
    }
    for (const JointConstant& constant : kJointConstants) {
        for (const double x : (model.*constant.of)()) out[at++] = x;
    }
    return out;
}

std::vector<std::string> dynamic_parameter_names(const Model& model) {
    std::vector<std::string> out;
    out.reserve(static_cast<std::size_t>(num_dynamic_parameters(model)));
    for (const FrameId link : model.moving_links()) {
        for (const char* number : kLinkNumbers) {
            out.push_back(model.frame(link).name + "." + number);
        }
    }
    for (const JointConstant& constant : kJointConstants) {
        for (const std::string& coordinate : model.velocity_names()) {
            out.push_back(coordinate + "." + constant.name);
        }
    }
    return out;
}

Model with_dynamic_parameters(const Model& model, const VectorX<double>& parameters) {
    check_size("with_dynamic_parameters", "parameters", parameters.size(),
               num_dynamic_parameters(model), "num_dynamic_parameters");
    Description d = model.description();
    const double* at = parameters.data();
    for (const FrameId link : model.moving_links()) {
        LinkDescription& described = d.links[static_cast<std::size_t>(link.index())];
        MassProperties& mass = described.mass;
        // What is not changed is not converted to and fro either.
        const auto old = link_parameters(mass.inertia());
        if (!std::equal(old.begin(), old.end(), at)) {
            const Inertia<double> inertia = inertia_from(at);
            check_first_moment(model.frame(link).name, inertia);
            mass = mass_properties(inertia);
            check_mass("with_dynamic_parameters", described.name, mass, model.is_strict());
            described.source = {};
        }
        at += kLinkParameters;
    }
    for (const JointConstant& constant : kJointConstants) {
        const std::span<const double> old = (model.*constant.of)();
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Body<double>& body = model.body(i);
            if (body.nv == 0 || std::equal(at + body.v_index, at + body.v_index + body.nv,
                                           old.data() + body.v_index)) {
                continue;
            }
            const double number = of_joint(model, i, constant.name, at);
            const std::string& name = model.joint(i).name;
            if (model.has_floating_base() && name == d.base_joint) {
                throw Error::because("with_dynamic_parameters: the floating base is given ",
                                     constant.name, " ", number, "; nothing holds it");
            }
            for (JointDescription& joint : d.joints) {
                // All of it goes to the joint that leads.
                if (joint.name == name) joint.*constant.in = body.mimic ? 0 : number;
            }
        }
        at += model.nv();
    }
    return Model(std::move(d));
}

}  // namespace plucker
