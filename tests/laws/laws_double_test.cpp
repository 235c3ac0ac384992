#include <set>

#include "laws/law_suite.hpp"

namespace plucker::test {
namespace {

PLUCKER_LAW_SUITE(Double, double);

// All that can be asked of a robot is asked: what each part of the laws reports, all of them together report.
TEST(AllLaws, AreAskedFor) {
    using Check = void (*)(const Model&, const laws::State<double>&, laws::Report<double>&);
    constexpr Check kChecks[] = {laws::check_mass_matrix,
                                 laws::check_forward_dynamics,
                                 laws::check_hybrid_dynamics,
                                 laws::check_coriolis,
                                 laws::check_frames,
                                 laws::check_all_jacobians,
                                 laws::check_operational_inertia,
                                 laws::check_center_of_mass,
                                 laws::check_momentum,
                                 laws::check_energy,
                                 laws::check_free_motion,
                                 laws::check_constraint_forces,
                                 laws::check_dynamics_derivatives,
                                 laws::check_frame_derivatives,
                                 laws::check_centroidal_derivatives,
                                 laws::check_regressors,
                                 laws::check_steps};
    for (const char* name : {"arm", "quadruped"}) {
        const Model model = robots::by_name(name);
        std::mt19937 generator(3);
        const auto state = laws::random_state(model, generator);
        std::set<std::string> expected;
        for (const Check check : kChecks) {
            laws::Report<double> report(model.nv());
            check(model, state, report);
            const std::size_t before = expected.size();
            for (const laws::Residual& r : std::move(report).take()) expected.insert(r.law);
            EXPECT_GT(expected.size(), before) << "a part has laws of its own";
        }
        laws::Report<double> report(model.nv());
        laws::check_all(model, state, report);
        std::set<std::string> found;
        for (const laws::Residual& r : std::move(report).take()) found.insert(r.law);
        EXPECT_EQ(found, expected) << name;
    }
}

}  // namespace
}  // namespace plucker::test
