// must not compile: the dual cross product acts on forces; for two motions there is cross()
#include <plucker/spatial/force.hpp>
#include <plucker/spatial/motion.hpp>

using namespace plucker;

auto rate(const Motion<double>& velocity, [[maybe_unused]] const Force<double>& force) {
#ifdef PLUCKER_CONTROL
    return cross_force(velocity, force);
#else
    return cross_force(velocity, velocity);
#endif
}
