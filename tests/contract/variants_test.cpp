// A row of the table that is another way for a second one gives the same results, on every kind of robot.
#include <gtest/gtest.h>

#include <algorithm>

#include "plucker/laws/report.hpp"
#include "support/in_place_functions.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

using laws::max_magnitude;

const InPlaceFunction& named(const std::vector<InPlaceFunction>& functions,
                             const std::string& name) {
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const InPlaceFunction& f) { return f.name == name; });
    EXPECT_NE(found, functions.end()) << name;
    return *found;
}

// By how much solving with M enlarges errors.
double condition(const Model& model, const VectorX<double>& q) {
    return max_magnitude(mass_matrix(model, q)) * max_magnitude(inverse_mass_matrix(model, q));
}

class Variants : public testing::TestWithParam<std::string> {};

TEST_P(Variants, GiveWhatTheFunctionGivesThatIsToBePreferred) {
    const Model model = joint_model(GetParam());
    ExternalForces<double> forces(model);
    forces.add(model.body_frame(model.num_bodies()), {{1, 2, 3}, {4, 5, 6}},
               ReferenceFrame::kWorld);
    const std::vector<InPlaceFunction> functions = in_place_functions(model);
    int compared = 0;
    for (const Algorithm& row : algorithms()) {
        if (row.another_way_for == nullptr) continue;
        SCOPED_TRACE(row.name);
        const InPlaceFunction& variant = named(functions, row.name);
        const InPlaceFunction& main = named(functions, row.another_way_for);
        Workspace<double> ws(model);
        // The arguments of one are the first of the other's, with the same numbers.
        ArrangedCall x = arrange(model, variant, 3), y = arrange(model, main, 3);
        for (std::size_t k = 0; k < std::min(x.inputs.size(), y.inputs.size()); ++k)
            std::copy_n(x.inputs[k].data(), x.inputs[k].size(), y.call.inputs[k]);
        x.call.external = y.call.external = &forces;
        ASSERT_EQ(variant.call(ws, x.call), Status::kOk);
        ASSERT_EQ(main.call(ws, y.call), Status::kOk);
        const double tolerance = 64 * (model.nv() + 8) * std::numeric_limits<double>::epsilon() *
                                 (main.needs_regular ? condition(model, x.inputs[0]) : 1);
        for (std::size_t k = 0; k < main.outputs.size(); ++k) {
            for (std::size_t other = 0; other < variant.outputs.size(); ++other) {
                if (main.outputs[k].name != variant.outputs[other].name) continue;
                EXPECT_LE(max_magnitude((y.outputs[k] - x.outputs[other]).eval()),
                          tolerance * max_magnitude(y.outputs[k]))
                    << main.outputs[k].name;
                ++compared;
            }
        }
    }
    EXPECT_GE(compared, 3);
}

INSTANTIATE_TEST_SUITE_P(EveryJoint, Variants, testing::ValuesIn(joint_model_names()));

}  // namespace
}  // namespace plucker::test
