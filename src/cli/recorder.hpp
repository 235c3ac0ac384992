// Writes a simulation as it goes on: to a file, to standard output, or to a page in the end.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plucker/io/recording.hpp"
#include "plucker/model/workspace.hpp"
#include "plucker/simulate/simulator.hpp"
#include "pushes.hpp"
#include "simulate_options.hpp"

namespace plucker::cli {

class Recorder {
public:
    // Throws Error for frames that the robot does not have.
    Recorder(const Model& model, const SimulateOptions& o, const RecordingHeader& header);

    // The first one makes the output new: a simulation that cannot begin costs no earlier recording. Throws Error for one that
    // cannot be written.
    void add(double time, const VectorX<double>& q, const VectorX<double>& v,
             const VectorX<double>& tau, std::span<const Contact> contacts,
             std::span<const CollisionShape> shapes, const std::vector<Push>& pushes,
             std::optional<double> residual);
    // What was recorded is kept, even if what came after went wrong.
    void finish();

private:
    void begin();

    const Model& model_;
    Workspace<double> ws_;
    std::string output_;
    bool has_begun_ = false;
    std::unique_ptr<RecordingWriter> writer_;
    std::string page_;  // to write in the end; empty: none
    Recording recording_;
    std::vector<std::pair<std::string, FrameId>> frames_;
};

}  // namespace plucker::cli
