// What a robot stands on: --ground.
#pragma once

#include <string>

#include "plucker/collide/world.hpp"

namespace plucker::cli {

struct Ground {
    World world;
    double height = 0;  // about the origin, where the robot begins
};

// What --ground says. Throws Error for anything else.
Ground ground_of(const std::string& text);

}  // namespace plucker::cli
