#include "laws/law_suite.hpp"

namespace plucker::test {
namespace {

PLUCKER_LAW_SUITE(Float, float);

}  // namespace
}  // namespace plucker::test
