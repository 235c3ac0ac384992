// Rotors on every joint: a joint with a rotor transmits inertia about its own axis too.
#include <gtest/gtest.h>

#include "plucker/laws/laws.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::test {
namespace {

class RotorInertia : public testing::TestWithParam<const char*> {};

TEST_P(RotorInertia, ObeysTheLaws) {
    Description description = robots::by_name(GetParam()).description();
    for (JointDescription& joint : description.joints) {
        joint.armature = 0.3;
        joint.damping = 0.2;
        joint.friction = 0.1;
    }
    for (const laws::Residual& r : laws::verify(Model(std::move(description)), 5, 1)) {
        EXPECT_TRUE(r.holds()) << r.law << ": residual " << r.value << ", tolerance "
                               << r.tolerance;
    }
}

INSTANTIATE_TEST_SUITE_P(Robots, RotorInertia,
                         testing::Values("arm", "quadruped", "chain(12)", "tree(20,1)"));

}  // namespace
}  // namespace plucker::test
