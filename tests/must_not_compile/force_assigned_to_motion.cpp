// must not compile: a force is not a motion, although both are six numbers with the same names
#include <plucker/spatial/force.hpp>
#include <plucker/spatial/motion.hpp>

using namespace plucker;

void assign(Motion<double>& motion, [[maybe_unused]] const Motion<double>& other,
            [[maybe_unused]] const Force<double>& force) {
#ifdef PLUCKER_CONTROL
    motion = other;
#else
    motion = force;
#endif
}
