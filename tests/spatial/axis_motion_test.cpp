// Motions along one coordinate do what the same motions in six coordinates do.
#include "plucker/spatial/axis_motion.hpp"

#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

template <class S>
class AxisMotion : public testing::Test {};
TYPED_TEST_SUITE(AxisMotion, Scalars, ScalarNames);

TYPED_TEST(AxisMotion, OfATurnIsTheGeneralMotion) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Motion<S> v = random.motion();
        const S w = random.scalar();
        const Motion<S> general{{S(0), S(0), w}, {}};
        EXPECT_TRUE(close(v + AngularZ<S>{w}, v + general, 0));
        EXPECT_TRUE(close(cross(v, AngularZ<S>{w}), cross(v, general)));
    });
}

TYPED_TEST(AxisMotion, OfASlideIsTheGeneralMotion) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Motion<S> v = random.motion();
        const S d = random.scalar();
        const Motion<S> general{{}, {S(0), S(0), d}};
        EXPECT_TRUE(close(v + LinearZ<S>{d}, v + general, 0));
        EXPECT_TRUE(close(cross(v, LinearZ<S>{d}), cross(v, general)));
    });
}

}  // namespace
}  // namespace plucker::test
