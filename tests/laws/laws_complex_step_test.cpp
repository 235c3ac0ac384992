#include "laws/law_suite.hpp"

namespace plucker::test {
namespace {

PLUCKER_LAW_SUITE(ComplexStep, ComplexStep<double>);

}  // namespace
}  // namespace plucker::test
