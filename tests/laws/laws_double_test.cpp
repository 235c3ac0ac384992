#include "laws/law_suite.hpp"

namespace plucker::test {
namespace {

PLUCKER_LAW_SUITE(Double, double);

}  // namespace
}  // namespace plucker::test
