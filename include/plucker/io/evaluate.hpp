// Everything that the library computes, from a state in JSON to an answer in JSON.
//
// A state is an object with q, and as far as they are needed v, a, tau and external_forces:
//
//     {"q": {"base": {"position": [0, 0, 1], "quaternion_xyzw": [0, 0, 0, 1]}, "joints": {"knee": 0.3, …}},
//      "v": {"base": {"angular": [0, 0, 0], "linear": [1, 0, 0]}, "joints": {"knee": 0.1, …}},
//      "a": [0, 0, …],
//      "external_forces": [{"frame": "foot", "in": "world_aligned", "angular": [0,0,0], "linear": [0,0,9]}]}
//
// v, a and tau are given by name or as an array in the answer's "velocity_order": the base first, then the
// joints in the order of the file. Rows and columns of the answer are in that order too. A joint with several
// coordinates is given as an array.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/model.hpp"

namespace plucker {

struct EvaluateOptions {
    std::vector<std::string> quantities = {
        "all"};                            // "all": those for which the state gives what they need
    std::vector<std::string> frames = {};  // frames to report; all, if none is named
};

// The names of all quantities.
std::vector<std::string> quantity_names();

// Takes one state, an array of states, an object with "samples" (an array of states), or several of these one
// after the other (JSON lines). Gives one answer a document: an object, with "samples" where there were several
// states. `source` names the input in messages. Throws Error with the place and the remedy.
std::string evaluate_json(const Model& model, const std::string& states, const std::string& source,
                          const EvaluateOptions& options = {});

}  // namespace plucker
