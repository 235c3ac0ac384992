#include "simulation.hpp"

#include <cmath>

namespace plucker::python {

VectorX<double> gains_from(const char* function, const char* argument, const py::object& object,
                           long n) {
    const Owned array = number_array(function, argument, object.ptr());
    if (PyArray_NDIM(array.array()) != 0)
        return coordinates_from(function, argument, object, n, "or one number for all");
    return VectorX<double>::Constant(n, py::cast<double>(py::float_(object)));
}

VectorX<double> vector_or_zero(const char* function, const char* argument, const py::object& object,
                               long n, const char* meaning) {
    if (object.is_none()) return VectorX<double>::Zero(n);
    return coordinates_from(function, argument, object, n, meaning);
}

double positive(const char* function, const char* argument, double value, const char* such_as) {
    if (value > 0 && std::isfinite(value)) return value;
    throw Error::because(function, ": ", argument, " is ", value, "; it must be positive, such as ",
                         such_as);
}

FrameId pushed_frame(const char* function, const Robot& robot, const py::object& link) {
    const FrameId frame = robot.frame(function, link.ptr());
    if (robot.model().frame(frame).body != 0) return frame;
    throw Error::because(function, ": '", py::cast<std::string>(link), "' cannot move");
}

Push push_from(const char* function, const Robot& robot, const py::object& link,
               const py::object& force) {
    const FrameId frame = pushed_frame(function, robot, link);
    const Owned given = number_array(function, "force", force.ptr());
    const bool has_moment = PyArray_NDIM(given.array()) == 1 && PyArray_DIM(given.array(), 0) == 6;
    VectorX<double> f = VectorX<double>::Zero(6);
    f.tail(has_moment ? 6 : 3) =
        coordinates_from(function, "force", force, has_moment ? 6 : 3, "or 6, the moment first");
    if (!f.allFinite()) throw Error::because(function, ": the force is not finite");
    return {py::cast<std::string>(link), frame, {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}}};
}

std::vector<RecordedContact> recorded_contacts(std::span<const Contact> contacts,
                                               std::span<const CollisionShape> shapes) {
    const auto link = [&](int shape) {
        const auto k = static_cast<std::size_t>(shape);
        return k < shapes.size() ? shapes[k].link : std::string();
    };
    std::vector<RecordedContact> out;
    out.reserve(contacts.size());
    for (const Contact& contact : contacts) {
        RecordedContact& c = out.emplace_back();
        c.link = link(contact.point.shape_a);
        c.other = link(contact.point.shape_b);
        c.position = contact.point.position;
        c.normal = contact.point.normal;
        c.force = contact.force;
        c.mode = contact.mode;
        c.friction = contact.point.surface.friction;
    }
    return out;
}

}  // namespace plucker::python
