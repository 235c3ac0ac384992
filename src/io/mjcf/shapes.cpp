#include <array>
#include <cmath>

#include "colour.hpp"
#include "mjcf/converter.hpp"

namespace plucker::io {
namespace {

constexpr double kRounding = 2e-6;  // of corners in single precision, which are subtracted

}  // namespace

void MjcfConverter::convert_shapes(int b, LinkDescription& link) {
    for (int k = 0; k < m_.body_geomnum[b]; ++k) {
        const int g = m_.body_geomadr[b] + k;
        Shape shape;
        shape.name = name(mjOBJ_GEOM, g);
        // A box may have been fitted to a mesh.
        const mjModel& m = m_.geom_type[g] == mjGEOM_MESH ? m_ : masses_;
        shape.placement = pose(m.geom_pos + 3 * g, m.geom_quat + 4 * g);
        const mjtNum* size = m.geom_size + 3 * g;
        switch (m_.geom_type[g]) {
            case mjGEOM_PLANE:
                shape.geometry = Plane{};
                break;
            case mjGEOM_SPHERE:
                shape.geometry = Sphere{size[0]};
                break;
            case mjGEOM_CAPSULE:
                shape.geometry = Capsule{size[0], 2 * size[1]};
                break;
            case mjGEOM_ELLIPSOID:
                shape.geometry = Ellipsoid{vec3(size)};
                break;
            case mjGEOM_CYLINDER:
                shape.geometry = Cylinder{size[0], 2 * size[1]};
                break;
            case mjGEOM_BOX:
                shape.geometry = Box{2 * vec3(size)};
                break;
            case mjGEOM_MESH:
                convert_mesh(g, shape);
                break;
            default:
                continue;
        }
        shape.material = material_of(g);
        if (m_.geom_contype[g] != 0 || m_.geom_conaffinity[g] != 0) {
            link.collisions.push_back(shape);
            add_surface(g, link.collisions.back());
        }
        link.visuals.push_back(std::move(shape));
    }
}

// Sliding friction counts from three dimensions of a contact on, torsional from four. Of what rolls nothing is kept, nor of
// what gives way.
void MjcfConverter::add_surface(int g, Shape& shape) const {
    const mjtNum* friction = m_.geom_friction + 3 * g;
    const int dimensions = m_.geom_condim[g];
    shape.is = static_cast<std::uint32_t>(m_.geom_contype[g]);
    shape.meets = static_cast<std::uint32_t>(m_.geom_conaffinity[g]);
    shape.surface = Surface{.friction = dimensions < 3 ? 0 : friction[0],
                            .torsional = dimensions < 4 ? 0 : friction[1]};
}

// MuJoCo moves a mesh to its own centre and principal axes, and does not tell from where. The known corners
// of the stand-in do: their images in the body are origin + R · scale · corner.
void MjcfConverter::convert_mesh(int g, Shape& shape) {
    const int id = m_.geom_dataid[g];
    Mesh mesh;
    const MeshAsset* asset = document_.meshes().find(name(mjOBJ_MESH, id));
    if (asset != nullptr) {
        mesh.uri = asset->file;
        mesh.path = asset->found.path;
    }
    const float* corners = m_.mesh_vert + 3 * m_.mesh_vertadr[id];
    const auto corner = [&](int k) {
        return shape.placement *
               Vec3<double>{corners[3 * k], corners[3 * k + 1], corners[3 * k + 2]};
    };
    const Vec3<double> origin = corner(0);
    const std::array<Vec3<double>, 3> column{corner(1) - origin, corner(2) - origin,
                                             corner(3) - origin};
    // The file's numbers have few digits, the corners seven: 0.9999999 is 1.
    const double digits =
        std::pow(10, std::floor(std::log10((1 + kRounding) * norm(column[0]) + 1e-300)));
    const auto scale_of = [&](const Vec3<double>& edge) {
        return digits * std::round(1e6 * norm(edge) / digits / kStandInSize) / 1e6;
    };
    mesh.scale = {scale_of(column[0]), scale_of(column[1]), scale_of(column[2])};
    const bool mirrored = dot(cross(column[0], column[1]), column[2]) < 0;
    if (mirrored) mesh.scale.x = -mesh.scale.x;
    const Vec3<double> x = (mirrored ? -1 : 1) / norm(column[0]) * column[0];
    const Vec3<double> y_raw = column[1] - dot(x, column[1]) * x;
    const Vec3<double> y = (1 / norm(y_raw)) * y_raw;
    shape.placement = {transpose(Mat3<double>{x, y, cross(x, y)}), origin};
    const auto is_oblique = [&](int a, int b) {
        const Vec3<double>&u = column[static_cast<std::size_t>(a)],
              &v = column[static_cast<std::size_t>(b)];
        return std::abs(dot(u, v)) > kRounding * norm(u) * norm(v);
    };
    if (asset != nullptr && (is_oblique(0, 1) || is_oblique(1, 2) || is_oblique(0, 2))) {
        summary_.add(
            Severity::kWarning, document_.xml().origin(*asset->element),
            "mesh '" + name(mjOBJ_MESH, id) + "'",
            "is sheared, as its scale is not alike along the axes that its refquat turns; its "
            "shape here is not, but its mass is; write both into the file of the mesh");
    }
    shape.geometry = mesh;
}

Material MjcfConverter::material_of(int g) const {
    Material out;
    const float* rgba = m_.geom_rgba + 4 * g;
    if (const int id = m_.geom_matid[g]; id >= 0) {
        out.name = name(mjOBJ_MATERIAL, id);
        // A geom's own colour counts unless it is the default grey.
        const bool is_default =
            rgba[0] == 0.5F && rgba[1] == 0.5F && rgba[2] == 0.5F && rgba[3] == 1;
        if (is_default) rgba = m_.mat_rgba + 4 * id;
    }
    out.rgba = rgba_of({rgba[0], rgba[1], rgba[2], rgba[3]});
    return out;
}

}  // namespace plucker::io
