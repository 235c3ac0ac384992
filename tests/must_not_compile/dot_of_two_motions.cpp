// must not compile: the scalar product pairs a motion with a force; two motions have none
#include <plucker/spatial/force.hpp>
#include <plucker/spatial/motion.hpp>

using namespace plucker;

auto product(const Motion<double>& motion, [[maybe_unused]] const Force<double>& force) {
#ifdef PLUCKER_CONTROL
    return dot(motion, force);
#else
    return dot(motion, motion);
#endif
}
