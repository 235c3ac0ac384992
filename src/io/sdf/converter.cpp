#include "sdf/converter.hpp"

#include <algorithm>
#include <sdf/Frame.hh>

#include "sdf/library.hpp"

namespace plucker::io {

void SdfConverter::convert(const sdf::Model& model) {
    out_.name = model.Name();
    out_.source = source_of(model.Element());
    const std::string where = "model '" + model.Name() + "'";
    if (model.Static()) {
        add(Severity::kNote, model.Element(), where, "is static; its base is fixed");
        out_.base = Base::kFixed;
    }
    out_.links.push_back({"world", {}, {}, {}, out_.source});
    link_names_.take("world");
    place_["world"] = {};
    const Pose<double> at = resolved(model.SemanticPose(), model.Element(), where);
    take_names(model, "");
    convert_links(model, "", at, model.Static());
    convert_joints(model, "", at);
    for (const Gearbox& gearbox : gearboxes_) convert_gearbox(gearbox);
    convert_frames(model, "", at);
    connect_to_world(model);
}

void SdfConverter::take_names(const sdf::Model& model, const std::string& scope) {
    for (std::uint64_t k = 0; k < model.LinkCount(); ++k)
        link_names_.take(scope + model.LinkByIndex(k)->Name());
    for (std::uint64_t k = 0; k < model.JointCount(); ++k)
        joint_names_.take(scope + model.JointByIndex(k)->Name());
    for (std::uint64_t k = 0; k < model.FrameCount(); ++k)
        link_names_.take(scope + model.FrameByIndex(k)->Name());
    for (std::uint64_t k = 0; k < model.ModelCount(); ++k) {
        const sdf::Model& nested = *model.ModelByIndex(k);
        take_names(nested, scope + nested.Name() + "::");
    }
}

// Calls f for each nested model with its scope and its place in the world.
template <class F>
void SdfConverter::for_each_nested(const sdf::Model& model, const std::string& scope,
                                   const Pose<double>& at, F&& f) {
    for (std::uint64_t k = 0; k < model.ModelCount(); ++k) {
        const sdf::Model& nested = *model.ModelByIndex(k);
        const std::string name = scope + nested.Name();
        f(nested, name + "::",
          at * resolved(nested.SemanticPose(), nested.Element(), "model '" + name + "'"));
    }
}

// --- Links --------------------------------------------------------------------------------------

void SdfConverter::convert_links(const sdf::Model& model, const std::string& scope,
                                 const Pose<double>& at, bool is_static) {
    const bool model_collides = self_collides(model.Element(), false);
    for (std::uint64_t k = 0; k < model.LinkCount(); ++k) {
        const sdf::Link& link = *model.LinkByIndex(k);
        const std::string name = scope + link.Name();
        const std::string where = "link '" + name + "'";
        place_[name] = at * resolved(link.SemanticPose(), link.Element(), where);
        LinkDescription out{
            name, mass_of(link, where, is_static), {}, {}, source_of(link.Element())};
        convert_shapes(link, where, self_collides(link.Element(), model_collides), out);
        out_.links.push_back(std::move(out));
    }
    for_each_nested(
        model, scope, at,
        [&](const sdf::Model& nested, const std::string& name, const Pose<double>& place) {
            convert_links(nested, name, place, is_static);
        });
}

// Whether a model's links, or a link and the others, may touch; a link's word counts before its model's.
bool SdfConverter::self_collides(const sdf::ElementPtr& e, bool otherwise) {
    return e->HasElement("self_collide") ? e->Get<bool>("self_collide") : otherwise;
}

// Read from the elements, not from sdformat's inertia, which replaces what it does not like.
MassProperties SdfConverter::mass_of(const sdf::Link& link, const std::string& where,
                                     bool is_static) {
    const sdf::ElementPtr e = link.Element();
    if (!e->HasElement("inertial")) {
        if (!is_static)
            add(Severity::kWarning, e, where,
                "has no <inertial>; SDF gives it 1 kg and 1 kg·m² about each axis");
        return {1, {}, SymMat3<double>::identity()};
    }
    const sdf::ElementPtr inertial = e->GetElement("inertial");
    if (!inertial->HasElement("mass"))
        add(Severity::kWarning, inertial, where, "<inertial> has no <mass>; SDF makes it 1 kg");
    MassProperties out;
    out.mass = inertial->Get<double>("mass", 1.0).first;
    const Pose<double> at = pose(link.Inertial().Pose());
    out.center = at.position;
    SymMat3<double> inertia = SymMat3<double>::identity();
    if (inertial->HasElement("inertia")) {
        const sdf::ElementPtr i = inertial->GetElement("inertia");
        const auto entry = [&](const char* name, double otherwise) {
            return i->Get<double>(name, otherwise).first;
        };
        inertia = {entry("ixx", 1), entry("ixy", 0), entry("ixz", 0),
                   entry("iyy", 1), entry("iyz", 0), entry("izz", 1)};
    } else {
        add(Severity::kWarning, inertial, where,
            "<inertial> has no <inertia>; SDF makes it 1 kg·m² about each axis");
    }
    out.about_center = rotate_back(transpose(at.rotation), inertia);
    return out;
}

// --- Joints and frames ----------------------------------------------------------------------------

void SdfConverter::convert_joints(const sdf::Model& model, const std::string& scope,
                                  const Pose<double>& at) {
    for (std::uint64_t k = 0; k < model.JointCount(); ++k)
        convert_joint(*model.JointByIndex(k), scope, at);
    for_each_nested(model, scope, at,
                    [&](const sdf::Model& nested, const std::string& name,
                        const Pose<double>& place) { convert_joints(nested, name, place); });
}

void SdfConverter::convert_frames(const sdf::Model& model, const std::string& scope,
                                  const Pose<double>& at) {
    for (std::uint64_t k = 0; k < model.FrameCount(); ++k) {
        const sdf::Frame& frame = *model.FrameByIndex(k);
        if (frame.Name().starts_with("_merged__")) continue;  // made by sdformat
        const std::string name = scope + frame.Name();
        const std::string where = "frame '" + name + "'";
        std::string body;
        add_errors(frame.ResolveAttachedToBody(body), frame.Element(), where);
        body = scope + body;
        if (!place_.contains(body)) body = "world";  // on a static model
        const Pose<double> place =
            at * resolved(frame.SemanticPose(), frame.Element(), where, "__model__");
        out_.frames.push_back(
            {name, body, inverse(place_.at(body)) * place, source_of(frame.Element())});
    }
    for_each_nested(model, scope, at,
                    [&](const sdf::Model& nested, const std::string& name,
                        const Pose<double>& place) { convert_frames(nested, name, place); });
}

// --- The base -------------------------------------------------------------------------------------

// How the model stands in the world: by its own joints, or by the base that was asked for. The link "world"
// is kept only if something hangs on it.
void SdfConverter::connect_to_world(const sdf::Model& model) {
    std::vector<LinkDescription> roots;
    for (std::size_t i = 1; i < out_.links.size(); ++i) {
        const std::string& name = out_.links[i].name;
        const bool is_of_the_file = place_.contains(name);  // not one that connect() put in
        if (is_of_the_file && !parent_of_.contains(name)) roots.push_back(out_.links[i]);
    }
    const std::string where = "model '" + model.Name() + "'";
    if (model.Static()) {
        for (auto root = roots.rbegin(); root != roots.rend(); ++root) fix_to_world(*root);
        return;
    }
    if (hangs_on_world_) {
        if (out_.base == Base::kFloating) {
            add(Severity::kWarning, model.Element(), where,
                "a floating base was asked for, but a joint fixes the model to the world");
            out_.base = Base::kFixed;
        }
        return;
    }
    if (out_.base == Base::kFixed) {
        add(Severity::kNote, model.Element(), where,
            "has no joint to the world; its base is fixed (--floating, LoadOptions::base)");
        if (roots.size() == 1 && place_.at(roots[0].name) != Pose<double>{})
            return fix_to_world(roots[0]);
    }
    const auto on_world = [](const FrameDescription& f) { return f.link == "world"; };
    if (std::none_of(out_.frames.begin(), out_.frames.end(), on_world) && out_.links.size() > 1)
        out_.links.erase(out_.links.begin());
}

void SdfConverter::fix_to_world(const LinkDescription& link) {
    JointDescription joint =
        fixed(joint_names_.make("world_to_" + link.name)).at(place_.at(link.name));
    joint.parent = "world";
    joint.child = link.name;
    joint.source = link.source;
    out_.joints.insert(out_.joints.begin(), std::move(joint));
}

// --- Findings and poses ---------------------------------------------------------------------------

void SdfConverter::add_errors(const sdf::Errors& errors, const sdf::ElementPtr& e,
                              const std::string& element) {
    for (const sdf::Error& error : errors)
        add(Severity::kError, e, element, "sdformat: ", error.Message());
}

SourceLocation SdfConverter::source_of(const sdf::ElementPtr& e) const {
    const Origin at = documents_.origin_of(e);
    return {at.file, at.line};
}

// A pose that sdformat resolves; on failure an error, and no displacement.
Pose<double> SdfConverter::resolved(const sdf::SemanticPose& semantic, const sdf::ElementPtr& e,
                                    const std::string& where, const std::string& to) {
    ignition::math::Pose3d p;
    add_errors(semantic.Resolve(p, to), e, where);
    return pose(p);
}

}  // namespace plucker::io
