#include "mjcf/mesh_weight.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "mjcf/converter.hpp"
#include "mjcf/triangles.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;
using Corners = std::array<Vec3<double>, 3>;
using Edge = std::pair<int, int>;

constexpr double kLeastVolume = 1e-15;  // MuJoCo's

// A document with nothing but these meshes, each as a shape of the world. Only convex hulls are computed of shapes that can
// touch.
std::string document_with(const TracedXml& document, const MjcfMeshes& meshes,
                          const std::set<std::string>& names) {
    tinyxml2::XMLDocument out;
    XMLElement& root = *out.NewElement("mujoco");
    out.InsertEndChild(&root);
    for_each_child(document.root(), [&](const XMLElement& section) {
        if (is(section, "compiler") || is(section, "default"))
            root.InsertEndChild(section.DeepClone(&out));
    });
    for_each_below(root, [](XMLElement& e) {
        if (is(e, "compiler")) {
            e.DeleteAttribute("discardvisual");
            e.DeleteAttribute("exactmeshinertia");
        } else if (!is(e, "default") && !is(e, "mesh")) {
            e.Parent()->DeleteChild(&e);
        }
    });
    XMLElement* assets = root.InsertNewChildElement("asset");
    for (const std::string& name : names)
        assets->InsertEndChild(meshes.find(name)->element->DeepClone(&out));
    XMLElement* world = root.InsertNewChildElement("worldbody");
    for (const std::string& name : names) {
        XMLElement* geom = world->InsertNewChildElement("geom");
        geom->SetAttribute("name", name.c_str());
        geom->SetAttribute("type", "mesh");
        geom->SetAttribute("mesh", name.c_str());
        const bool needs_hull = mesh_rule(meshes.find(name)->inertia) == MeshRule::kConvex;
        geom->SetAttribute("contype", needs_hull ? "1" : "0");
        geom->SetAttribute("conaffinity", "0");
    }
    tinyxml2::XMLPrinter printer;
    out.Print(&printer);
    return printer.CStr();
}

// The corners' numbers, three for each face: of the convex hull, or as the mesh has them.
std::vector<int> faces_of(const mjModel& m, int mesh, bool of_hull) {
    if (!of_hull || m.mesh_graphadr[mesh] < 0) {
        const int* first = m.mesh_face + 3 * m.mesh_faceadr[mesh];
        return {first, first + 3 * m.mesh_facenum[mesh]};
    }
    const int* graph = m.mesh_graph + m.mesh_graphadr[mesh];
    const int vertices = graph[0], faces = graph[1];
    const int* first = graph + 2 + 3 * vertices + 3 * faces;
    return {first, first + 3 * faces};
}

bool has_an_edge_twice(const std::vector<int>& faces) {
    std::vector<Edge> edges;
    for (std::size_t f = 0; f < faces.size(); f += 3) {
        for (std::size_t k = 0; k < 3; ++k)
            edges.emplace_back(faces[f + k], faces[f + (k + 1) % 3]);
    }
    std::sort(edges.begin(), edges.end());
    return std::adjacent_find(edges.begin(), edges.end()) != edges.end();
}

// Sums over triangles: pyramids on them with their tips in `tip`, or the triangles themselves.
struct Sums {
    double amount = 0;
    Vec3<double> moment{};             // amount times centre
    std::array<double, 6> products{};  // ∫ xx yy zz xy xz yz, about the tip
};

Sums add_up(const std::vector<Corners>& triangles, const Vec3<double>& tip, MeshRule rule) {
    Sums out;
    for (const Corners& corners : triangles) {
        const Vec3<double> a = corners[0] - tip, b = corners[1] - tip, c = corners[2] - tip;
        const bool is_shell = rule == MeshRule::kShell;
        double amount = is_shell ? norm(cross(b - a, c - a)) / 2 : dot(a, cross(b, c)) / 6;
        if (rule == MeshRule::kLegacy) amount = std::abs(amount);
        out.amount += amount;
        out.moment = out.moment + amount * (tip + (is_shell ? 1.0 / 3 : 1.0 / 4) * (a + b + c));
        // The integral of xy over a triangle is area/12 · (Σ x y + Σ x Σ y), that over a pyramid volume/20 · (the same).
        const Vec3<double> s = a + b + c;
        const auto product = [&](double Vec3<double>::*x, double Vec3<double>::*y) {
            return amount / (is_shell ? 12 : 20) *
                   (a.*x * a.*y + b.*x * b.*y + c.*x * c.*y + s.*x * s.*y);
        };
        using V = Vec3<double>;
        const std::array<double, 6> more{product(&V::x, &V::x), product(&V::y, &V::y),
                                         product(&V::z, &V::z), product(&V::x, &V::y),
                                         product(&V::x, &V::z), product(&V::y, &V::z)};
        for (std::size_t k = 0; k < 6; ++k) out.products[k] += more[k];
    }
    return out;
}

// A box with these products of inertia per mass, in its own centre: turned to the principal axes, where half its edges are
// √(3 ∫xx).
std::vector<char> box_like(const std::array<double, 6>& P, const Pose<double>& placement) {
    const std::array<mjtNum, 9> full{P[0], P[3], P[4], P[3], P[1], P[5], P[4], P[5], P[2]};
    std::array<mjtNum, 3> along{};
    std::array<mjtNum, 9> axes{};
    std::array<mjtNum, 4> quaternion{};
    mju_eig3(along.data(), axes.data(), quaternion.data(), full.data());
    std::array<double, 3> half{};
    // A flat one needs a thickness, which adds less than rounding.
    const double thinnest = 1e-5 * std::sqrt(3 * std::max({along[0], along[1], along[2], 0.0}));
    for (std::size_t k = 0; k < 3; ++k)
        half[k] = std::max(thinnest, std::sqrt(3 * std::max(along[k], 0.0)));
    const std::array<mjtNum, 3> origin{};
    const Pose<double> turned = placement * pose(origin.data(), quaternion.data());
    std::vector<float> vertices;
    for (int k = 0; k < 8; ++k) {
        const Vec3<double> corner = turned * Vec3<double>{(k & 1) != 0 ? half[0] : -half[0],
                                                          (k & 2) != 0 ? half[1] : -half[1],
                                                          (k & 4) != 0 ? half[2] : -half[2]};
        for (const double x : {corner.x, corner.y, corner.z})
            vertices.push_back(static_cast<float>(x));
    }
    return to_msh(vertices, {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                             2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5});
}

std::optional<MeshWeight> weigh_one(const mjModel& m, int geom, MeshRule rule) {
    const int mesh = m.geom_dataid[geom];
    const std::vector<int> faces = faces_of(m, mesh, rule == MeshRule::kConvex);
    if (rule == MeshRule::kExact && has_an_edge_twice(faces)) return std::nullopt;
    const float* vertices = m.mesh_vert + 3 * m.mesh_vertadr[mesh];
    std::vector<Corners> triangles;
    for (std::size_t f = 0; f < faces.size(); f += 3) {
        Corners t;
        for (std::size_t k = 0; k < 3; ++k) {
            const float* v = vertices + 3 * faces[f + k];
            t[k] = {v[0], v[1], v[2]};
        }
        triangles.push_back(t);
    }
    // The tips are where the surface has its centre, and then the centre of mass.
    const Sums surface = add_up(triangles, {}, MeshRule::kShell);
    if (surface.amount < kLeastVolume) return std::nullopt;
    const Sums first = add_up(triangles, (1 / surface.amount) * surface.moment, rule);
    if (!(std::abs(first.amount) >= kLeastVolume && std::isfinite(surface.amount)))
        return std::nullopt;
    const Vec3<double> centre = (1 / first.amount) * first.moment;
    const Sums sums = add_up(triangles, centre, rule);
    std::array<double, 6> products = sums.products;
    for (double& p : products) p /= sums.amount;
    // MuJoCo has moved the corners to the solid's centre and axes; the geom says from where.
    const Pose<double> placement = pose(m.geom_pos + 3 * geom, m.geom_quat + 4 * geom);
    return MeshWeight{std::abs(sums.amount),
                      box_like(products, {placement.rotation, placement * centre})};
}

}  // namespace

std::optional<MeshRule> mesh_rule(const std::string& word) {
    if (word.empty() || word == "legacy") return MeshRule::kLegacy;
    if (word == "convex") return MeshRule::kConvex;
    if (word == "exact") return MeshRule::kExact;
    if (word == "shell") return MeshRule::kShell;
    return std::nullopt;
}

std::map<std::string, MeshWeight> weigh(const TracedXml& document, const MjcfMeshes& meshes,
                                        const std::set<std::string>& names) {
    std::set<std::string> known;
    for (const std::string& name : names) {
        const MeshAsset* mesh = meshes.find(name);
        if (mesh == nullptr || (!mesh->file.empty() && mesh->found.path.empty())) continue;
        if (mesh_rule(mesh->inertia)) known.insert(name);
    }
    std::map<std::string, MeshWeight> out;
    if (known.empty()) return out;
    const Compiled compiled = compile(document_with(document, meshes, known), kStandInSize);
    if (!compiled.model) return out;  // then the document itself fails, too, which says why
    for (const std::string& name : known) {
        const int geom = mj_name2id(compiled.model.get(), mjOBJ_GEOM, name.c_str());
        if (geom < 0) continue;
        const MeshRule rule = *mesh_rule(meshes.find(name)->inertia);
        if (auto weight = weigh_one(*compiled.model, geom, rule)) out[name] = std::move(*weight);
    }
    return out;
}

}  // namespace plucker::io
