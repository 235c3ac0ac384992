// States in CSV: one per row, below a row that names the columns.
//
//     time,q.shoulder,q.elbow,v.shoulder,v.elbow
//     0.00,0.1,0.2,0,0
//
// A column is named by its vector and its coordinate: q.NAME, v.NAME, a.NAME, tau.NAME, or, for an external force,
// external.FRAME.IN.angular.x with IN one of body, world and world_aligned. A floating base has the name of its joint, or
// "base".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plucker/model/conventions.hpp"
#include "state/state.hpp"

namespace plucker::io {

// Of the numbers of a configuration, and of a velocity: their names, and behind @ the order where that has other numbers
// under the same names. So no table is read in an order that is not its own.
std::vector<std::string> csv_q_names(const Coordinates& coordinates);
std::vector<std::string> csv_v_names(const Coordinates& coordinates);

struct CsvColumns {
    std::vector<std::string> answers;  // columns of these names, and NAME.…, are passed over
    bool ignore_others = false;  // whether columns that nothing is known about are passed over too
    // Columns whose numbers are handed on as State::beside, in this order.
    std::vector<std::string> beside = {};
};

// Calls take(state, where) for each row. A vector of which all fields of a row are empty is not given there. Fields are separated by commas, semicolons or tabs, whichever the first row
// has; they may be quoted. Lines that begin with # and empty lines are passed over. Throws Error with line and column.
void read_csv_states(const Model& model, const Coordinates& coordinates, const std::string& text,
                     const std::string& source, const CsvColumns& columns,
                     const std::function<void(const State&, const std::string& where)>& take);

}  // namespace plucker::io
