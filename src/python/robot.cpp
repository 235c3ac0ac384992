#include "robot.hpp"

#include <unistd.h>

#include "arrays.hpp"

namespace plucker::python {

Robot::Robot(const Model& model, std::vector<Diagnostic> findings)
    : model_(model), findings_(std::move(findings)), process_(getpid()) {
    const auto frames = model_.frames();
    for (std::size_t k = 0; k < frames.size(); ++k) frames_[py::str(frames[k].name)] = py::int_(k);
}

// A forked process has the evaluators but not their threads: to wait for these would be to wait for ever.
bool Robot::is_forked() const { return getpid() != process_; }
Robot::~Robot() {
    if (!is_forked()) return;
    double_crews_.abandon();
    float_crews_.abandon();
}

FrameId Robot::frame(const char* function, PyObject* name) const {
    PyObject* number =
        PyUnicode_Check(name) ? PyDict_GetItemWithError(frames_.ptr(), name) : nullptr;
    if (number != nullptr) return model_.frame_id(static_cast<int>(PyLong_AsLong(number)));
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (!PyUnicode_Check(name)) throw wrong_type(function, "frame", name, "the name of a frame");
    try {
        return model_.frame_id(py::cast<std::string>(name));
    } catch (const Error& e) {
        throw Error::because(function, ": ", e.what());
    }
}

template <>
Pool<Crew<double>>& Robot::crews<double>() {
    return double_crews_;
}
template <>
Pool<Crew<float>>& Robot::crews<float>() {
    return float_crews_;
}

template <class T>
Lease<Crew<T>> Robot::crew(int threads) {
    if (is_forked()) {
        double_crews_.abandon();
        float_crews_.abandon();
        process_ = getpid();
    }
    Pool<Crew<T>>& pool = crews<T>();
    const auto fits = [&](const Crew<T>& crew) { return crew.asked == threads; };
    const auto make = [&] {
        return std::unique_ptr<Crew<T>>(
            new Crew<T>{threads, batch::Evaluator<T>(model_, {.threads = threads})});
    };
    return {pool, pool.take(fits, make)};
}

template Lease<Crew<double>> Robot::crew(int threads);
template Lease<Crew<float>> Robot::crew(int threads);

}  // namespace plucker::python
