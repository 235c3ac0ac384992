#include "robot.hpp"

#include <unistd.h>

#include "arrays.hpp"

namespace plucker::python {

namespace {

// The robot with its parameters. A copy of the compiled one, as far as it can be: their frames are then the same.
Model with_its_parameters(const Compilation& x) {
    const std::vector<compiler::ProgramParameter> parameters =
        compiler::parameters_named(x.model, x.options.parameters);
    compiler::ParameterNumbers<double> defaults;
    for (const compiler::ProgramParameter& parameter : parameters)
        defaults.push_back(parameter.defaults);
    if (x.numbers == defaults) return parameters.empty() ? x.model : x.model.with_code(nullptr);
    return compiler::with_parameters(x.model, parameters, x.numbers);
}

}  // namespace

Robot::Robot(Compilation compilation, std::vector<Diagnostic> findings)
    : Robot(with_its_parameters(compilation), std::move(findings)) {
    compilation_ = std::move(compilation);
    if (has_parameters()) code_workspaces_.give_back(new_code_workspace());
}

std::unique_ptr<Workspace<double>> Robot::new_code_workspace() const {
    const Model& model = compilation_->model;
    auto ws = std::make_unique<Workspace<double>>(model);
    const auto parameters = compiler::parameters_named(model, compilation_->options.parameters);
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const std::vector<double>& x = compilation_->numbers[k];
        if (parameters[k].kind == compiler::ParameterKind::kGravity) {
            ws->set_gravity({x[0], x[1], x[2]});
            continue;
        }
        const auto mass = MassProperties::from_numbers(
            std::span<const double, MassProperties::kNumbers>(x.data(), x.size()));
        const FrameId frame = model.frame_id(parameters[k].frame);
        if (parameters[k].kind == compiler::ParameterKind::kMass) ws->set_mass(frame, mass);
        if (parameters[k].kind == compiler::ParameterKind::kPayload) ws->set_payload(frame, mass);
    }
    return ws;
}

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
    const std::string text = text_from(function, "frame", name);
    try {
        return model_.frame_id(text);
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
