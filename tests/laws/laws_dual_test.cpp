#include "laws/law_suite.hpp"

namespace plucker::test {
namespace {

PLUCKER_LAW_SUITE(Dual, Dual<double>);

}  // namespace
}  // namespace plucker::test
