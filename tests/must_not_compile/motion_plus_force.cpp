// must not compile: motions and forces live in dual spaces, so their sum has no meaning
#include <plucker/spatial/force.hpp>
#include <plucker/spatial/motion.hpp>

using namespace plucker;

auto sum(const Motion<double>& motion, [[maybe_unused]] const Force<double>& force) {
#ifdef PLUCKER_CONTROL
    return motion + motion;
#else
    return motion + force;
#endif
}
