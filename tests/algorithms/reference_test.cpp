// Every quantity in the reference files, on four robots and on the same as machine code, against Pinocchio.
#include <gtest/gtest.h>

#include "plucker/compiler/compile.hpp"
#include "support/reference.hpp"

namespace plucker::test {
namespace {

// Both sides round differently; the largest robots have condition numbers of a few thousand.
constexpr double kRelative = 1e-10;

class ReferenceTest : public testing::TestWithParam<std::tuple<std::string, bool>> {
protected:
    Reference reference_ = load_reference(std::get<0>(GetParam()));

    ReferenceTest() {
        if (std::get<1>(GetParam())) reference_.model = compile(reference_.model);
    }

    // Calls f(sample, q, v) for each state of the file.
    template <class F>
    void for_each_state(F&& f) {
        for (std::size_t k = 0; k < reference_.samples.size(); ++k) {
            SCOPED_TRACE("sample " + std::to_string(k));
            const auto& sample = reference_.samples[k];
            f(sample, reference_.q(sample), reference_.vector(sample["v"]));
        }
    }
    static void expect_equal(const nlohmann::json& sample, const std::string& what,
                             const MatrixX<double>& ours) {
        const MatrixX<double> theirs = to_matrix(sample.at(what));
        ASSERT_EQ(ours.rows(), theirs.rows()) << what;
        ASSERT_EQ(ours.cols(), theirs.cols()) << what;
        // Values below 1e-3 of a natural scale of one are compared absolutely.
        const double scale = std::max(theirs.cwiseAbs().maxCoeff(), 1e-3);
        EXPECT_LE((ours - theirs).cwiseAbs().maxCoeff() / scale, kRelative) << what;
    }
};

TEST_P(ReferenceTest, DynamicsAgree) {
    const Model& model = reference_.model;
    for_each_state([&](const auto& sample, const auto& q, const auto& v) {
        const VectorX<double> a = reference_.vector(sample["a"]);
        const VectorX<double> tau = reference_.vector(sample["tau"]);
        const auto rows = [&](const MatrixX<double>& x) { return reference_.rows(x); };
        const auto square = [&](const MatrixX<double>& x) {
            return reference_.rows_and_columns(x);
        };
        expect_equal(sample, "inverse_dynamics", rows(inverse_dynamics(model, q, v, a)));
        expect_equal(sample, "forward_dynamics", rows(forward_dynamics(model, q, v, tau)));
        expect_equal(sample, "forward_dynamics",
                     rows(forward_dynamics_by_mass_matrix(model, q, v, tau)));
        expect_equal(sample, "gravity_torque", rows(gravity_torque(model, q)));
        expect_equal(sample, "bias_torque", rows(bias_torque(model, q, v)));
        expect_equal(sample, "mass_matrix", square(mass_matrix(model, q)));
        expect_equal(sample, "mass_matrix", square(mass_matrix_by_inverse_dynamics(model, q, v)));
        expect_equal(sample, "inverse_mass_matrix", square(inverse_mass_matrix(model, q)));
        const auto [C, G] = modified_newton_euler(model, q, v);
        expect_equal(sample, "coriolis_times_v", rows(C * v));
        expect_equal(sample, "gravity_torque", rows(G));
        const MatrixX<double> christoffel = coriolis_matrix(model, q, v);
        expect_equal(sample, "coriolis_times_v", rows(christoffel * v));
        expect_equal(sample, "coriolis_christoffel", square(christoffel));
    });
}

TEST_P(ReferenceTest, EnergiesAndMomentaAgree) {
    const Model& model = reference_.model;
    for_each_state([&](const auto& sample, const auto& q, const auto& v) {
        const auto scalar = [](double x) { return MatrixX<double>::Constant(1, 1, x); };
        const auto columns = [&](const MatrixX<double>& x) { return reference_.columns(x); };
        const auto as_array = [&](const char* what) {
            return nlohmann::json{{what, {sample[what]}}};
        };
        expect_equal(as_array("kinetic_energy"), "kinetic_energy",
                     scalar(kinetic_energy(model, q, v)));
        expect_equal(as_array("potential_energy"), "potential_energy",
                     scalar(potential_energy(model, q)));
        const VectorX<double> zero = VectorX<double>::Zero(model.nv());
        expect_equal(sample, "com", center_of_mass(model, q));
        expect_equal(sample, "com_velocity", com_velocity(model, q, v));
        expect_equal(sample, "com_bias_acceleration", com_acceleration(model, q, v, zero));
        expect_equal(sample, "com_jacobian", columns(com_jacobian(model, q)));
        expect_equal(sample, "centroidal_momentum", to_eigen(centroidal_momentum(model, q, v)));
        expect_equal(sample, "centroidal_momentum_matrix",
                     columns(centroidal_momentum_matrix(model, q)));
        expect_equal(sample, "centroidal_momentum_matrix_dot",
                     columns(centroidal_momentum_matrix_dot(model, q, v)));
    });
}

TEST_P(ReferenceTest, FramesAgree) {
    const Model& model = reference_.model;
    const std::pair<std::string, ReferenceFrame> references[] = {
        {"body", ReferenceFrame::kBody},
        {"world", ReferenceFrame::kWorld},
        {"world_aligned", ReferenceFrame::kWorldAligned}};
    for_each_state([&](const auto& sample, const auto& q, const auto& v) {
        for (const auto& [frame, values] : sample["frames"].items()) {
            SCOPED_TRACE(frame);
            const Pose<double> pose = frame_pose(model, q, frame);
            expect_equal(values, "rotation", to_eigen(pose.rotation));
            expect_equal(values, "position", to_eigen(pose.position));
            for (const auto& [name, reference] : references) {
                expect_equal(values, "jacobian_" + name,
                             reference_.columns(frame_jacobian(model, q, frame, reference)));
                expect_equal(values, "jacobian_dot_" + name,
                             reference_.columns(frame_jacobian_dot(model, q, v, frame, reference)));
            }
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Robots, ReferenceTest,
                         testing::Combine(testing::ValuesIn(reference_names()), testing::Bool()),
                         [](const auto& test) {
                             return std::get<0>(test.param) +
                                    (std::get<1>(test.param) ? "_compiled" : "");
                         });

}  // namespace
}  // namespace plucker::test
