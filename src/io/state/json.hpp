// A robot's state in JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "plucker/model/conventions.hpp"
#include "state/state.hpp"

namespace plucker::io {

// Reads states for one model. Arrays are in the order of the coordinates; what is given by name is always in the
// model's own coordinates. Keys in `ignored` may stand beside the inputs, as they do in files that hold states with
// their answers; any other key is taken for a misspelt input.
class StateReader {
public:
    StateReader(const Model& model, const Coordinates& coordinates,
                std::vector<std::string> ignored);

    // `where` begins its messages.
    State read(const nlohmann::json& state, const std::string& where) const;

private:
    VectorX<double> configuration(const nlohmann::json& q) const;
    VectorX<double> velocity_like(const nlohmann::json& value, const std::string& key) const;
    void read_forces(const nlohmann::json& list, State& out) const;
    template <class F>
    void each_joint(const nlohmann::json& joints, const std::string& key, F&& f) const;
    void check_keys(const nlohmann::json& object, const std::string& key) const;
    void check_order(const nlohmann::json& state) const;
    std::pair<const nlohmann::json&, std::string> base_in(
        const nlohmann::json& object, const std::string& key,
        const std::vector<std::string>& expected) const;

    const Model& model_;
    const Coordinates& coordinates_;
    std::vector<std::string> ignored_;
    std::string base_;  // the key of a floating base; kBaseJoint means it too
    std::unordered_map<std::string, int> joints_;  // those that have coordinates of their own
};

}  // namespace plucker::io
