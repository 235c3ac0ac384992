#include "laws/law_suite.hpp"

namespace plucker::test {
namespace {

PLUCKER_LAW_SUITE(LongDouble, long double);

}  // namespace
}  // namespace plucker::test
