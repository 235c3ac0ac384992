// A robot's state in JSON.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plucker/model/external_forces.hpp"
#include "plucker/scalar/eigen.hpp"

namespace plucker::io {

struct JsonDocument {
    nlohmann::json value;
    std::string where;  // "states.json" or "states.jsonl:3"
};

// One or more JSON values, one after the other. Throws Error with the line of what is wrong; a key that is
// given twice is wrong too.
std::vector<JsonDocument> parse_documents(const std::string& text, const std::string& source);

struct JsonState {
    VectorX<double> q, v, a, tau;
    unsigned given = 0;  // bits: 1 q, 2 v, 4 a, 8 tau
    std::shared_ptr<ExternalForces<double>> external;

    bool has(unsigned needs) const { return (given & needs) == needs; }
    std::string missing(unsigned needs) const;
    const ExternalForces<double>* forces() const { return external.get(); }
};

// Reads a state for the model. `where` begins its messages. Keys in `ignored` may stand beside the inputs, as
// they do in files that hold states with their answers; any other key is taken for a misspelt input.
JsonState parse_state(const Model& model, const nlohmann::json& state, const std::string& where,
                      const std::vector<std::string>& ignored);

}  // namespace plucker::io
