#include <numbers>
#include <sdf/Box.hh>
#include <sdf/Capsule.hh>
#include <sdf/Collision.hh>
#include <sdf/Cylinder.hh>
#include <sdf/Ellipsoid.hh>
#include <sdf/Material.hh>
#include <sdf/Plane.hh>
#include <sdf/Sphere.hh>
#include <sdf/Visual.hh>

#include "colour.hpp"
#include "sdf/converter.hpp"
#include "sdf/library.hpp"

namespace plucker::io {
namespace {

std::optional<Material> material_of(const sdf::Visual& v) {
    const sdf::Material* m = v.Material();
    if (m == nullptr) return std::nullopt;
    Material out;
    out.name = m->ScriptName();
    if (m->Element() != nullptr && m->Element()->HasElement("diffuse")) {
        const ignition::math::Color c = m->Diffuse();
        out.rgba = rgba_of({c.R(), c.G(), c.B(), c.A()});
    }
    return out;
}

sdf::ElementPtr below(const sdf::ElementPtr& e, const char* name) {
    return e == nullptr || !e->HasElement(name) ? nullptr : e->GetElement(name);
}

// Friction of ODE, which Gazebo starts from, otherwise of Bullet. A patch that presses evenly turns against 3π/16 of its
// radius times its friction.
Surface surface_of(const sdf::ElementPtr& surface) {
    Surface out;
    const sdf::ElementPtr friction = below(surface, "friction");
    if (const auto bullet = below(friction, "bullet"))
        out.friction = number_in(bullet, "friction", 1);
    if (const auto ode = below(friction, "ode")) out.friction = number_in(ode, "mu", 1);
    if (const auto torsional = below(friction, "torsional")) {
        out.torsional = 3 * std::numbers::pi / 16 * number_in(torsional, "patch_radius", 0) *
                        number_in(torsional, "coefficient", 1);
    }
    if (const auto bounce = below(surface, "bounce"))
        out.restitution = number_in(bounce, "restitution_coefficient", 0);
    return out;
}

// Bits of <collide_bitmask>, and one more for links that do not touch others of their model.
constexpr std::uint32_t kAllKinds = 0xffff, kAloof = 0x10000;

}  // namespace

void SdfConverter::convert_shapes(const sdf::Link& link, const std::string& where,
                                  bool collides_with_model, LinkDescription& out) {
    for (std::uint64_t j = 0; j < link.VisualCount(); ++j) {
        const sdf::Visual& v = *link.VisualByIndex(j);
        auto shape = shape_of(v, where + ", visual '" + v.Name() + "'");
        if (!shape) continue;
        shape->material = material_of(v);
        out.visuals.push_back(std::move(*shape));
    }
    for (std::uint64_t j = 0; j < link.CollisionCount(); ++j) {
        const sdf::Collision& c = *link.CollisionByIndex(j);
        auto shape = shape_of(c, where + ", collision '" + c.Name() + "'");
        if (!shape) continue;
        const sdf::ElementPtr surface = below(c.Element(), "surface");
        if (surface != nullptr) shape->surface = surface_of(surface);
        const sdf::ElementPtr contact = below(surface, "contact");
        const auto kinds =
            contact == nullptr
                ? kAllKinds
                : static_cast<std::uint32_t>(number_in(contact, "collide_bitmask", kAllKinds)) &
                      kAllKinds;
        // Two links of a model touch if one of them wants to, and they have a bit in common.
        shape->is = collides_with_model ? kinds : kAloof;
        shape->meets = kinds;
        out.collisions.push_back(std::move(*shape));
    }
}

template <class VisualOrCollision>
std::optional<Shape> SdfConverter::shape_of(const VisualOrCollision& v, const std::string& where) {
    if (v.Geom() == nullptr) return std::nullopt;
    const auto geometry = geometry_of(*v.Geom(), v.Element(), where);
    if (!geometry) return std::nullopt;
    Shape out;
    out.name = v.Name();
    out.placement = resolved(v.SemanticPose(), v.Element(), where);
    out.geometry = *geometry;
    return out;
}

std::optional<Geometry> SdfConverter::geometry_of(const sdf::Geometry& g, const sdf::ElementPtr& e,
                                                  const std::string& where) {
    if (const auto* box = g.BoxShape()) return Box{vec3(box->Size())};
    if (const auto* cylinder = g.CylinderShape())
        return Cylinder{cylinder->Radius(), cylinder->Length()};
    if (const auto* capsule = g.CapsuleShape())
        return Capsule{capsule->Radius(), capsule->Length()};
    if (const auto* sphere = g.SphereShape()) return Sphere{sphere->Radius()};
    if (const auto* ellipsoid = g.EllipsoidShape()) return Ellipsoid{vec3(ellipsoid->Radii())};
    if (const auto* plane = g.PlaneShape()) return Plane{vec3(plane->Normal())};
    if (const auto* mesh = g.MeshShape()) return mesh_of(*mesh, e, where);
    add(Severity::kNote, e, where, "its geometry is not used");
    return std::nullopt;
}

Mesh SdfConverter::mesh_of(const sdf::Mesh& mesh, const sdf::ElementPtr& e,
                           const std::string& where) {
    Mesh out;
    out.uri = mesh.Uri();
    out.scale = vec3(mesh.Scale());
    const MeshFinder files(documents_.origin_of(e).file, options_.package_paths);
    const MeshFinder::Found found = files.find(out.uri);
    out.path = found.path;
    if (out.path.empty())
        add(Severity::kWarning, e, where, "mesh '", out.uri, "' is not used: ", found.why);
    return out;
}

}  // namespace plucker::io
