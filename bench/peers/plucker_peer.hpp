// Plucker's side of the comparison.
#pragma once

#include <memory>

#include "peer.hpp"
#include "plucker/model/model.hpp"

namespace plucker::peers {

// The robot as the other libraries are told of it. Throws if it has a joint that most of them lack.
Robot to_robot(const Model& model);

// Single calls, and batches in double and in float.
std::unique_ptr<Peer> make_plucker(const Model& model, const std::vector<State>& states);
std::unique_ptr<Peer> make_double_batch(const Model& model, const std::vector<State>& states);
std::unique_ptr<Peer> make_float_batch(const Model& model, const std::vector<State>& states);

}  // namespace plucker::peers
