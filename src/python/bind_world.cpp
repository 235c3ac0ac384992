#include <pybind11/stl.h>

#include <cmath>

#include "archive.hpp"
#include "bind.hpp"
#include "plucker/io/read_mesh.hpp"
#include "simulation.hpp"

namespace plucker::python {

World world_from(const char* function, const py::object& object) {
    if (py::isinstance<World>(object)) return py::cast<World>(object);
    if (!object.is_none())
        throw wrong_type(function, "world", object.ptr(), "plucker.World, or None");
    World empty;
    empty.read_mesh = read_mesh;
    return empty;
}

namespace {

Surface surface_from(double friction, double torsional, double restitution) {
    const auto check = [](const char* what, double value) {
        if (value >= 0 && std::isfinite(value)) return;
        throw Error::because("Surface: ", what, " is ", value, "; it must be zero or positive");
    };
    check("friction", friction);
    check("torsional", torsional);
    check("restitution", restitution);
    if (restitution > 1) {
        throw Error::because("Surface: restitution is ", restitution,
                             "; above 1 an impact would add energy");
    }
    return {friction, torsional, restitution};
}

std::string surface_text(const Surface& s) {
    const auto text = [](double x) { return py::cast<std::string>(py::repr(py::float_(x))); };
    return "Surface(friction=" + text(s.friction) + ", torsional=" + text(s.torsional) +
           ", restitution=" + text(s.restitution) + ")";
}

void bind_surface(py::module_& module) {
    const Surface usual;
    py::class_<Surface>(module, "Surface",
                        "What a surface does to what touches it. Of two that touch, the larger "
                        "coefficient holds.\n\n"
                        ">>> plucker.Surface(friction=0.5).friction\n0.5\n")
        .def(py::init(&surface_from), py::arg("friction") = usual.friction,
             py::arg("torsional") = usual.torsional, py::arg("restitution") = usual.restitution,
             "friction: Coulomb's coefficient. torsional: against spinning on the spot, in metres. "
             "restitution: 0, what falls stays; 1, it loses no energy.")
        .def_readonly("friction", &Surface::friction, "Coulomb's coefficient.")
        .def_readonly("torsional", &Surface::torsional,
                      "The largest torque about the normal for a newton on it, in metres.")
        .def_readonly("restitution", &Surface::restitution,
                      "Which part of an impact's velocity returns.")
        .def(
            "__eq__", [](const Surface& a, const Surface& b) { return a == b; }, py::is_operator())
        .def("__repr__", &surface_text)
        .def(py::pickle(
            [](const Surface& s) { return py::make_tuple(s.friction, s.torsional, s.restitution); },
            [](const py::tuple& t) {
                return surface_from(t[0].cast<double>(), t[1].cast<double>(), t[2].cast<double>());
            }));
}

struct ShapeKind {
    const char* operator()(const Box&) const { return "box"; }
    const char* operator()(const Cylinder&) const { return "cylinder"; }
    const char* operator()(const Capsule&) const { return "capsule"; }
    const char* operator()(const Sphere&) const { return "sphere"; }
    const char* operator()(const Ellipsoid&) const { return "ellipsoid"; }
    const char* operator()(const Plane&) const { return "plane"; }
    const char* operator()(const Mesh&) const { return "mesh"; }
};
const char* kind_of_shape(const Shape& shape) { return std::visit(ShapeKind{}, shape.geometry); }

void bind_shape(py::module_& module) {
    using Skin = std::optional<Surface>;
    const auto made_of = [](const Geometry& geometry, const py::object& placement,
                            const Skin& surface, const std::string& name) {
        Shape shape;
        shape.name = name;
        shape.placement = pose_from("Shape: placement", placement);
        shape.geometry = geometry;
        shape.surface = surface;
        return shape;
    };
    const auto length = [](const char* what, double value) {
        return positive("Shape", what, value, "0.1");
    };
    const auto sizes = [](const char* what, const py::object& object) {
        const Vec3<double> v = vec3_from(what, object);
        for (const double x : {v.x, v.y, v.z}) positive("Shape", what, x, "0.1");
        return v;
    };
    const auto origin = py::make_tuple(0.0, 0.0, 0.0);
    const py::arg_v at("placement", origin), skin("surface", py::none()), called("name", "");
    py::class_<Shape>(
        module, "Shape",
        "What touches in a simulation, in a World or on a link: Shape.box and its "
        "like. Placements are (3,) or [R p]; without a surface, the world's holds.\n\n"
        ">>> plucker.Shape.sphere(0.1, (0, 0, 1)).kind\n'sphere'\n")
        .def(pickled<Shape>())
        .def_static(
            "box",
            [=](const py::object& size, const py::object& placement, const Skin& surface,
                const std::string& name) {
                return made_of(Box{sizes("size", size)}, placement, surface, name);
            },
            py::arg("size"), at, skin, called,
            "By its edges along x, y, z.\n\n"
            ">>> plucker.Shape.box((1, 1, 0.1), (2, 0, 0.05)).kind\n"
            "'box'\n")
        .def_static(
            "sphere",
            [=](double radius, const py::object& placement, const Skin& surface,
                const std::string& name) {
                return made_of(Sphere{length("radius", radius)}, placement, surface, name);
            },
            py::arg("radius"), at, skin, called,
            "A ball.\n\n"
            ">>> plucker.Shape.sphere(0.1).kind\n"
            "'sphere'\n")
        .def_static(
            "cylinder",
            [=](double radius, double l, const py::object& placement, const Skin& surface,
                const std::string& name) {
                return made_of(Cylinder{length("radius", radius), length("length", l)}, placement,
                               surface, name);
            },
            py::arg("radius"), py::arg("length"), at, skin, called,
            "A cylinder along z.\n\n"
            ">>> plucker.Shape.cylinder(0.1, 0.5).kind\n"
            "'cylinder'\n")
        .def_static(
            "capsule",
            [=](double radius, double l, const py::object& placement, const Skin& surface,
                const std::string& name) {
                return made_of(Capsule{length("radius", radius), length("length", l)}, placement,
                               surface, name);
            },
            py::arg("radius"), py::arg("length"), at, skin, called,
            "A capsule along z; the length is that of its cylindrical part.\n\n"
            ">>> plucker.Shape.capsule(0.1, 0.5).kind\n"
            "'capsule'\n")
        .def_static(
            "ellipsoid",
            [=](const py::object& radii, const py::object& placement, const Skin& surface,
                const std::string& name) {
                return made_of(Ellipsoid{sizes("radii", radii)}, placement, surface, name);
            },
            py::arg("radii"), at, skin, called,
            "By its radii along x, y, z.\n\n"
            ">>> plucker.Shape.ellipsoid((0.1, 0.2, 0.3)).kind\n"
            "'ellipsoid'\n")
        .def_static(
            "plane",
            [=](const py::object& normal, const py::object& placement, const Skin& surface,
                const std::string& name) {
                return made_of(Plane{vec3_from("Shape: normal", normal)}, placement, surface, name);
            },
            py::arg("normal") = py::make_tuple(0.0, 0.0, 1.0), at, skin, called,
            "The half-space behind a plane.\n\n"
            ">>> plucker.Shape.plane().kind\n"
            "'plane'\n")
        .def_readonly("name", &Shape::name, "Its name.")
        .def_property_readonly("kind", &kind_of_shape, "'box', 'sphere', …")
        .def_property_readonly(
            "placement", [](const Shape& s) { return to_array(s.placement); },
            "In the link, or in the world: (3, 4), [R p].")
        .def_readonly("surface", &Shape::surface, "Its Surface; None: as the world says.")
        .def("__repr__", [](const Shape& s) {
            return "<plucker.Shape '" + s.name + "': " + kind_of_shape(s) + ">";
        });
}

HeightField field_from(const py::object& heights, const py::object& spacing,
                       const py::object& origin, const std::optional<Surface>& surface,
                       const std::string& name) {
    const char* function = "World.height_field";
    const Owned numbers =
        as_numbers(number_array(function, "heights", heights.ptr()).array(), NPY_DOUBLE);
    if (PyArray_NDIM(numbers.array()) != 2) {
        throw Error::because(function, ": heights has shape ", shape_text(numbers.array()),
                             ", expected (points along x, points along y)");
    }
    // heights[i, j] is that of the point at i along x; the library's order has x fastest.
    const Owned flat = made(PyArray_Ravel(numbers.array(), NPY_FORTRANORDER));
    const auto* at = static_cast<const double*>(PyArray_DATA(flat.array()));
    HeightField field;
    field.name = name;
    field.origin = vec3_from("World.height_field: origin", origin);
    field.points_x = static_cast<int>(PyArray_DIM(numbers.array(), 0));
    field.points_y = static_cast<int>(PyArray_DIM(numbers.array(), 1));
    const VectorX<double> between = gains_from(function, "spacing", spacing, 2);
    field.spacing_x = positive(function, "spacing", between[0], "0.1");
    field.spacing_y = positive(function, "spacing", between[1], "0.1");
    field.heights.assign(at, at + PyArray_SIZE(flat.array()));
    field.surface = surface;
    check_height_field(field);
    return field;
}

}  // namespace

void bind_world(py::module_& module) {
    bind_surface(module);
    bind_shape(module);
    const auto here = py::return_value_policy::reference_internal;
    const Surface usual;
    py::class_<World>(
        module, "World",
        "What a robot stands on and runs into: planes, terrain, and shapes that do not move.\n\n"
        ">>> world = plucker.World.flat(friction=0.8)\n"
        ">>> len(world.add(plucker.Shape.box((1, 1, 0.2), (2, 0, 0.1))).shapes)\n2\n")
        .def(py::init([](const Surface& surface) {
                 World world = world_from("World", py::none());
                 world.surface = surface;
                 return world;
             }),
             py::arg("surface") = Surface{},
             "Empty. The surface is that of every shape that does not say it, the robot's too.")
        .def_static(
            "flat",
            [](double friction, double restitution, double torsional, const py::object& up) {
                World world = world_from("World", py::none());
                world.shapes = World::flat(vec3_from("World.flat: up", up)).shapes;
                world.surface = surface_from(friction, torsional, restitution);
                return world;
            },
            py::arg("friction") = usual.friction, py::arg("restitution") = usual.restitution,
            py::arg("torsional") = usual.torsional, py::arg("up") = py::make_tuple(0.0, 0.0, 1.0),
            "Flat ground through the origin, level to up.\n\n"
            ">>> plucker.World.flat(friction=0.8).surface.friction\n"
            "0.8\n")
        .def(
            "add",
            [](World& world, const Shape& shape) -> World& {
                world.shapes.push_back(shape);
                return world;
            },
            here, py::arg("shape"),
            "A shape that does not move, placed in the world.\n\n"
            ">>> len(plucker.World.flat().add(plucker.Shape.box((1, 1, 0.1))).shapes)\n"
            "2\n")
        .def(
            "height_field",
            [](World& world, const py::object& heights, const py::object& spacing,
               const py::object& origin, const std::optional<Surface>& surface,
               const std::string& name) -> World& {
                world.fields.push_back(field_from(heights, spacing, origin, surface, name));
                return world;
            },
            here, py::arg("heights"), py::arg("spacing") = 1.0,
            py::arg("origin") = py::make_tuple(0.0, 0.0, 0.0), py::arg("surface") = py::none(),
            py::arg("name") = "terrain",
            "Terrain, solid below: heights[i, j] above the point i · spacing along x and j · "
            "spacing along y from the origin. Spacing is a number, or (x, y).\n\n"
            ">>> plucker.World().height_field(np.zeros((4, 5)), spacing=0.1).num_height_fields\n"
            "1\n")
        .def_readonly("shapes", &World::shapes, "A copy of its shapes: a list of Shape.")
        .def_property_readonly(
            "num_height_fields", [](const World& world) { return world.fields.size(); },
            "How many height fields it has.")
        .def_readwrite("surface", &World::surface,
                       "Of every shape that does not say it, the robot's too.")
        .def("__repr__", [](const World& world) {
            return "<plucker.World: " + std::to_string(world.shapes.size()) + " shapes, " +
                   std::to_string(world.fields.size()) + " height fields, " +
                   surface_text(world.surface) + ">";
        });
}

}  // namespace plucker::python
