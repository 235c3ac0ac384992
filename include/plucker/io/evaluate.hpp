// Everything that the library computes, from states in JSON or CSV to answers in JSON or CSV.
//
// A state is an object with q, and as far as they are needed v, a, tau and external_forces:
//
//     {"q": {"base": {"position": [0, 0, 1], "quaternion_xyzw": [0, 0, 0, 1]}, "joints": {"knee": 0.3, …}},
//      "v": {"base": {"angular": [0, 0, 0], "linear": [1, 0, 0]}, "joints": {"knee": 0.1, …}},
//      "a": [0, 0, …],
//      "external_forces": [{"frame": "foot", "in": "world_aligned", "angular": [0,0,0], "linear": [0,0,9]}]}
//
// Each of q, v, a and tau is given by name, in this library's coordinates, or as an array in the order of the options:
// that of the answer's "configuration_order" and "velocity_order". Rows and columns of the answer are in that order
// too. A joint with several coordinates is given as an array. A floating base stands under the name of its joint, or under
// "base". An answer says its "order"; a state with arrays that says another one is refused. In CSV a row is a state, and the
// first row names the columns: q.knee, v.knee, …; those of numbers that another order has otherwise, with the order:
// v.base.linear.x@mujoco (docs/files.md).
#pragma once

#include <string>
#include <vector>

#include "plucker/model/conventions.hpp"
#include "plucker/model/model.hpp"

namespace plucker {

enum class TextFormat { kJson, kCsv };
// What a file of this name holds: CSV if it ends in .csv or .tsv, upper or lower case, and JSON otherwise.
TextFormat text_format_of(const std::string& path);

struct EvaluateOptions {
    // "all": those for which the state gives what they need. What cannot be computed (a mass matrix that is singular
    // has no inverse) is then listed as "unavailable", with the reason; asked for by name it is an error.
    std::vector<std::string> quantities = {"all"};
    std::vector<std::string> frames = {};  // frames to report; all, if none is named
    Convention order = Convention::kFile;  // of vectors and matrices; mimic joints have no entries
    TextFormat input = TextFormat::kJson;
    TextFormat output = TextFormat::kJson;
    bool ignore_other_columns = false;  // of CSV: those that name no coordinate
};

// The names of all quantities.
std::vector<std::string> quantity_names();
// Of these, where "all" stands for all of the robot, those that are the tree's without its constraints
// (leaves_out_constraints).
std::vector<std::string> quantities_without_constraints(const Model& model,
                                                        const std::vector<std::string>& asked);

// In JSON, takes one state, an array of states, an object with "samples" (an array of states), or several of these one
// after the other (JSON lines), and gives one answer a document: an object, with "samples" where there were several
// states. In CSV, takes and gives one state per row; rows of the answer begin with the state. `source` names the input in
// messages. Throws Error with the place and the remedy; nothing is answered in part.
std::string evaluate(const Model& model, const std::string& states, const std::string& source,
                     const EvaluateOptions& options = {});

}  // namespace plucker
