// must not compile: an inertia takes motions to forces; it cannot be applied to a force
#include <plucker/spatial/force.hpp>
#include <plucker/spatial/inertia.hpp>
#include <plucker/spatial/motion.hpp>

using namespace plucker;

auto momentum(const Inertia<double>& inertia, [[maybe_unused]] const Motion<double>& velocity,
              [[maybe_unused]] const Force<double>& force) {
#ifdef PLUCKER_CONTROL
    return inertia * velocity;
#else
    return inertia * force;
#endif
}
