#include "plucker/compiler/parameters.hpp"

#include <algorithm>

#include "carried_frames.hpp"

namespace plucker::compiler {
namespace {

constexpr std::string_view kMass = "mass:", kPayload = "payload:", kFrame = "frame:";

bool moves(const Model& model, int frame) {
    return model.frames()[static_cast<std::size_t>(frame)].body != 0;
}

ProgramParameter made(const Model& model, ParameterKind kind, int frame, const std::string& name) {
    ProgramParameter out{name, kind, frame, {}};
    const auto assign = [&](const auto& numbers) {
        out.defaults.assign(numbers.begin(), numbers.end());
    };
    switch (kind) {
        case ParameterKind::kGravity: {
            const Vec3<double> g = model.gravity();
            assign(std::array{g.x, g.y, g.z});
            break;
        }
        case ParameterKind::kMass:
            assign(model.description().links[static_cast<std::size_t>(frame)].mass.numbers());
            break;
        case ParameterKind::kPayload:
            assign(MassProperties{}.numbers());
            break;
        case ParameterKind::kFrame: {
            Description d = model.description();
            const Pose<double>& at = CarriedFrames(model).placement(d, frame);
            const Vec3<double> rpy = roll_pitch_yaw_of(at.rotation);
            assign(std::array{at.position.x, at.position.y, at.position.z, rpy.x, rpy.y, rpy.z});
            break;
        }
    }
    return out;
}

// Why a frame's place cannot be a parameter; nothing: it can.
std::string why_not(const Model& model, const CarriedFrames& carried, int frame) {
    if (carried.on(frame) < 0) return "it is the frame of a body";
    const int joint = carried.moving_joint_on(frame);
    if (joint < 0) return "";
    return "the joint '" + model.description().joints[static_cast<std::size_t>(joint)].name +
           "' hangs on it";
}

ProgramParameter parameter_named(const Model& model, const std::string& name) {
    if (name == "gravity") return made(model, ParameterKind::kGravity, -1, name);
    const auto find = [&](std::string_view kind, std::size_t count) {
        if (!name.starts_with(kind)) return -1;
        const auto frames = model.frames().first(count);
        const auto found = std::find_if(frames.begin(), frames.end(), [&](const Frame& frame) {
            return frame.name == name.substr(kind.size());
        });
        return found == frames.end() ? -1 : static_cast<int>(found - frames.begin());
    };
    const auto require_moving = [&](int frame) {
        if (moves(model, frame)) return;
        throw Error::because("parameter '", name, "': '",
                             model.frames()[static_cast<std::size_t>(frame)].name,
                             "' is fixed in the world, where its mass has no part in the dynamics");
    };
    if (const int link = find(kMass, model.description().links.size()); link >= 0) {
        require_moving(link);
        return made(model, ParameterKind::kMass, link, name);
    }
    if (const int frame = find(kPayload, model.frames().size()); frame >= 0) {
        require_moving(frame);
        return made(model, ParameterKind::kPayload, frame, name);
    }
    if (const int frame = find(kFrame, model.frames().size()); frame >= 0) {
        const std::string reason = why_not(model, CarriedFrames(model), frame);
        if (!reason.empty())
            throw Error::because("parameter '", name, "': its place cannot be one: ", reason);
        return made(model, ParameterKind::kFrame, frame, name);
    }
    throw Error::because(
        unknown_name("parameter", name, parameter_names(model)).what(),
        " (there are gravity, mass:LINK, payload:FRAME and frame:FRAME, for a frame's place)");
}

MassProperties mass_from(const std::vector<double>& numbers) {
    return MassProperties::from_numbers(
        std::span<const double, MassProperties::kNumbers>(numbers.data(), numbers.size()));
}

// What a link and a load on it are together.
MassProperties sum_of(const MassProperties& link, const Transform<double>& X_frame_link,
                      const MassProperties& load) {
    if (load == MassProperties{}) return link;
    const Inertia<double> sum = link.inertia() + apply_inverse(X_frame_link, load.inertia());
    const Vec3<double> center = sum.mass == 0 ? Vec3<double>{} : (1 / sum.mass) * sum.first_moment;
    return {sum.mass, center, sum.rotational - sum.mass * point_inertia(center)};
}

Inertia<Trace> inertia_from(const std::vector<Trace>& x) {
    return Inertia<Trace>::from_center_of_mass(x[0], {x[1], x[2], x[3]},
                                               {x[4], x[5], x[6], x[7], x[8], x[9]});
}

// The constants of a robot, some of which are inputs.
class ConstantsWithInputs {
public:
    ConstantsWithInputs(const Model& model, const std::vector<ProgramParameter>& parameters,
                        const ParameterNumbers<Trace>& inputs)
        : model_(model), parameters_(parameters), inputs_(inputs), carried_(model), out_(model) {}

    RobotConstants<Trace> made() {
        if (const auto* gravity = input(ParameterKind::kGravity, -1))
            out_.replace_gravity({(*gravity)[0], (*gravity)[1], (*gravity)[2]});
        const auto count = static_cast<int>(model_.frames().size());
        for (int k = 0; k < count; ++k) {
            if (is_moved(k)) out_.replace_frame(model_.frame_id(k), X_frame_body(k));
        }
        for (int i = 1; i <= model_.num_bodies(); ++i) {
            bool varies = false;
            Inertia<Trace> sum{};
            for (int k = 0; k < count; ++k) {
                if (model_.frames()[static_cast<std::size_t>(k)].body == i)
                    varies = add_masses(k, sum) || varies;
            }
            if (varies) out_.replace_inertia(i, sum);
        }
        return std::move(out_);
    }

private:
    const Model& model_;
    const std::vector<ProgramParameter>& parameters_;
    const ParameterNumbers<Trace>& inputs_;
    CarriedFrames carried_;
    RobotConstants<Trace> out_;

    const std::vector<Trace>* input(ParameterKind kind, int frame) const {
        for (std::size_t k = 0; k < parameters_.size(); ++k) {
            if (parameters_[k].kind == kind && parameters_[k].frame == frame) return &inputs_[k];
        }
        return nullptr;
    }
    // Whether its place on the body is computed from inputs.
    bool is_moved(int frame) const {
        for (; frame >= 0; frame = carried_.on(frame)) {
            if (input(ParameterKind::kFrame, frame) != nullptr) return true;
        }
        return false;
    }
    Transform<Trace> X_frame_body(int frame) const {
        const Transform<double>& constant =
            model_.frames()[static_cast<std::size_t>(frame)].X_frame_body;
        if (!is_moved(frame)) return cast<Trace>(constant);
        const int parent = carried_.on(frame);
        const auto* x = input(ParameterKind::kFrame, frame);
        if (x == nullptr) {
            const Transform<double>& X_parent_body =
                model_.frames()[static_cast<std::size_t>(parent)].X_frame_body;
            return cast<Trace>(constant * inverse(X_parent_body)) * X_frame_body(parent);
        }
        const auto placement =
            Pose<Trace>::roll_pitch_yaw({(*x)[0], (*x)[1], (*x)[2]}, {(*x)[3], (*x)[4], (*x)[5]});
        return to_transform(placement) * X_frame_body(parent);
    }
    // Adds the mass of a link and the load at a frame; returns whether these come from inputs.
    bool add_masses(int frame, Inertia<Trace>& sum) const {
        const auto& links = model_.description().links;
        const auto* mass = input(ParameterKind::kMass, frame);
        const auto* load = input(ParameterKind::kPayload, frame);
        const auto k = static_cast<std::size_t>(frame);
        Inertia<Trace> here{};
        if (mass != nullptr) here = inertia_from(*mass);
        if (mass == nullptr && k < links.size()) here = cast<Trace>(links[k].mass.inertia());
        if (load != nullptr) here += inertia_from(*load);
        sum += apply_inverse(X_frame_body(frame), here);
        const bool has_mass = k < links.size() && links[k].mass.mass != 0;
        return mass != nullptr || load != nullptr || (has_mass && is_moved(frame));
    }
};

}  // namespace

std::vector<std::string> parameter_names(const Model& model) {
    std::vector<std::string> out{"gravity"};
    const auto frames = model.frames();
    const auto add = [&](std::string_view kind, std::size_t count, const auto& is_one) {
        for (std::size_t k = 0; k < count; ++k) {
            if (is_one(static_cast<int>(k))) out.push_back(std::string(kind) + frames[k].name);
        }
    };
    const auto on_a_body = [&](int k) { return moves(model, k); };
    add(kMass, model.description().links.size(), on_a_body);
    add(kPayload, frames.size(), on_a_body);
    const CarriedFrames carried(model);
    add(kFrame, frames.size(), [&](int k) { return why_not(model, carried, k).empty(); });
    return out;
}

std::vector<ProgramParameter> parameters_named(const Model& model,
                                               const std::vector<std::string>& names) {
    std::vector<ProgramParameter> out;
    for (const std::string& name : names) {
        if (std::count(names.begin(), names.end(), name) > 1)
            throw Error::because("parameter '", name, "' is named twice");
        out.push_back(parameter_named(model, name));
    }
    return out;
}

RobotConstants<Trace> constants_with(const Model& model,
                                     const std::vector<ProgramParameter>& parameters,
                                     const ParameterNumbers<Trace>& inputs) {
    return ConstantsWithInputs(model, parameters, inputs).made();
}

Model with_parameters(const Model& model, const std::vector<ProgramParameter>& parameters,
                      const ParameterNumbers<double>& numbers) {
    Description d = model.description();
    const CarriedFrames carried(model);
    // Loads come last: they are carried where their frames are by then.
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const std::vector<double>& x = numbers[k];
        const auto frame = static_cast<std::size_t>(parameters[k].frame);
        if (parameters[k].kind == ParameterKind::kGravity) d.gravity = {x[0], x[1], x[2]};
        if (parameters[k].kind == ParameterKind::kMass) d.links[frame].mass = mass_from(x);
        if (parameters[k].kind == ParameterKind::kFrame) {
            carried.placement(d, parameters[k].frame) =
                Pose<double>::roll_pitch_yaw({x[0], x[1], x[2]}, {x[3], x[4], x[5]});
        }
    }
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        if (parameters[k].kind != ParameterKind::kPayload) continue;
        const Model placed(d);
        const int link = carried.link_under(parameters[k].frame);
        const auto frames = placed.frames();
        const Transform<double> X_frame_link =
            frames[static_cast<std::size_t>(parameters[k].frame)].X_frame_body *
            inverse(frames[static_cast<std::size_t>(link)].X_frame_body);
        MassProperties& mass = d.links[static_cast<std::size_t>(link)].mass;
        mass = sum_of(mass, X_frame_link, mass_from(numbers[k]));
    }
    return Model(std::move(d));
}

ParameterNumbers<double> other_numbers(const std::vector<ProgramParameter>& parameters) {
    ParameterNumbers<double> out;
    for (const ProgramParameter& parameter : parameters) {
        std::vector<double> x = parameter.defaults;
        switch (parameter.kind) {
            case ParameterKind::kGravity:
                x = {1.5, -2.5, -7};
                break;
            case ParameterKind::kFrame:
                x = {x[0] + 0.125, x[1] - 0.0625, x[2] + 0.25, x[3] + 0.5, x[4] - 0.25, x[5] + 1};
                break;
            case ParameterKind::kMass:
            case ParameterKind::kPayload: {
                // More than before by a body that nothing is special about.
                const MassProperties load{
                    1.25,
                    {0.03125, -0.0625, 0.125},
                    {0.0625, 0.0078125, -0.0078125, 0.078125, 0.015625, 0.09375}};
                const auto sum = sum_of(mass_from(x), {}, load).numbers();
                x.assign(sum.begin(), sum.end());
                break;
            }
        }
        out.push_back(x);
    }
    return out;
}

}  // namespace plucker::compiler
