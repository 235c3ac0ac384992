// What every reader's fuzzer does with a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "plucker/io/load.hpp"

namespace plucker::fuzz {

// Says what does not hold, and ends the process: that is how a fuzzer reports.
void require(bool holds, const std::string& what);

// Counts, and says at the end, how many texts were accepted: a fuzzer that is always refused finds little.
void tally(bool accepted);

// Reads the text. One that is refused must be told why; of one that is accepted, a model is made, which is written and
// read again, and computes. The text's length decides with which options it is read.
void check_robot(const std::uint8_t* data, std::size_t size, Format format);

// Where two robots from URDF differ, in words; empty if they do not. Sources and what URDF cannot say are left out.
std::string difference(const Description& a, const Description& b);

}  // namespace plucker::fuzz
