// Plucker's side of the comparison.
#pragma once

#include <memory>

#include "peer.hpp"
#include "plucker/model/model.hpp"

namespace plucker::peers {

// The robot as the other libraries are told of it. Throws if it has a joint that most of them lack.
Robot to_robot(const Model& model);

std::unique_ptr<Peer> make_plucker(const Model& model, const std::vector<State>& states);

}  // namespace plucker::peers
