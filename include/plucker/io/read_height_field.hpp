// Terrain from a table of heights.
//
//     World world;
//     world.fields.push_back(read_height_field("hill.csv", 0.1));
#pragma once

#include <string>

#include "plucker/collide/world.hpp"

namespace plucker {

// Heights in metres: a line for each y, from the lowest on, and a number for each x, separated by commas, semicolons, tabs
// or spaces. Empty lines and those that begin with # are passed over. Neighbours are `spacing` metres apart, and the middle
// of the table is at the origin. Throws Error with the line and what is wrong.
HeightField read_height_field(const std::string& path, double spacing);

}  // namespace plucker
