// must not compile: a motion cannot be taken away from a force, not even in place
#include <plucker/spatial/force.hpp>
#include <plucker/spatial/motion.hpp>

using namespace plucker;

void subtract(Force<double>& force, [[maybe_unused]] const Motion<double>& motion) {
#ifdef PLUCKER_CONTROL
    force -= force;
#else
    force -= motion;
#endif
}
