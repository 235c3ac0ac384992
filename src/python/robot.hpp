// What stands behind a Python Robot: an immutable model, and memory for calls.
#pragma once

#include <sys/types.h>

#include <optional>

#include "lock.hpp"
#include "numpy.hpp"
#include "plucker/batch/batch.hpp"
#include "plucker/compiler/compile.hpp"
#include "plucker/compiler/parameters.hpp"
#include "plucker/io/recording.hpp"
#include "plucker/model/diagnostic.hpp"
#include "pool.hpp"

namespace plucker::python {

// An evaluator, and the number of threads that it was asked for, which may be more than there are.
template <class T>
struct Crew {
    int asked;
    batch::Evaluator<T> evaluator;
};

// How a robot was compiled, and what its parameters are.
struct Compilation {
    Model model;  // with the code; its parameters are those of the robot that was compiled
    CompileOptions options;
    compiler::ParameterNumbers<double> numbers = {};  // of each of the options' parameters
    std::vector<CompiledFunction> functions = {};     // what became of each
};

class Robot {
public:
    explicit Robot(const Model& model, std::vector<Diagnostic> findings = {});
    // With these numbers for its parameters. Throws Error where no robot has them.
    Robot(Compilation compilation, std::vector<Diagnostic> findings);
    ~Robot();
    Robot(const Robot&) = delete;
    Robot& operator=(const Robot&) = delete;

    const Model& model() const { return model_; }
    // What was found in a file, or looks odd about a robot from elsewhere.
    const std::vector<Diagnostic>& findings() const { return findings_; }
    bool is_compiled() const { return model_.code() != nullptr || has_parameters(); }
    const std::optional<Compilation>& compilation() const { return compilation_; }
    bool has_parameters() const {
        return compilation_ && !compilation_->options.parameters.empty();
    }

    // Where it was loaded from, as a recording says it; `model` is empty where it was made otherwise.
    const RecordingHeader& origin() const { return origin_; }
    void set_origin(RecordingHeader origin) { origin_ = std::move(origin); }

    // By name; throws Error, with the closest ones, or TypeError where it is no name.
    FrameId frame(const char* function, PyObject* name) const;

    // For one call. Taken, and given back, with the interpreter's lock.
    Lease<Workspace<double>> workspace() {
        const auto any = [](const Workspace<double>&) { return true; };
        const auto make = [&] { return std::make_unique<Workspace<double>>(model_); };
        return {workspaces_, workspaces_.take(any, make)};
    }
    // Of a robot with parameters: of the model that has the code, in which they are set.
    Lease<Workspace<double>> code_workspace() {
        const auto any = [](const Workspace<double>&) { return true; };
        return {code_workspaces_, code_workspaces_.take(any, [&] { return new_code_workspace(); })};
    }
    template <class T>
    Lease<Crew<T>> crew(int threads);

    // Of the states of the last batch: an array, or None.
    py::object last_status = py::none();

private:
    template <class T>
    Pool<Crew<T>>& crews();
    bool is_forked() const;
    std::unique_ptr<Workspace<double>> new_code_workspace() const;

    Model model_;  // as it is, with its parameters
    std::optional<Compilation> compilation_;
    std::vector<Diagnostic> findings_;
    py::dict frames_;  // from a name to its number
    Pool<Workspace<double>> workspaces_, code_workspaces_;
    Pool<Crew<double>> double_crews_;
    Pool<Crew<float>> float_crews_;
    pid_t process_;  // in which the crews' threads run
    RecordingHeader origin_;
};

}  // namespace plucker::python
