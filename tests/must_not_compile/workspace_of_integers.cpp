// must not compile: integers are no scalars: they have no square root, and a quotient of them is none
#include <plucker/algorithms/table.hpp>

using namespace plucker;

#ifdef PLUCKER_CONTROL
using Number = float;
#else
using Number = int;
#endif

int bodies(const Workspace<Number>& workspace) { return workspace.num_bodies(); }
