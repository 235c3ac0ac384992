// The suite of laws, for one scalar: every joint type, every built-in robot.
#pragma once

#include <gtest/gtest.h>

#include "plucker/laws/laws.hpp"
#include "plucker/robots/robots.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {

// A number that carries, where S can, also a derivative: the laws must hold for both parts.
template <class S>
S seeded(double value, double) {
    return S(value);
}
template <>
inline Dual<double> seeded(double value, double derivative) {
    return {value, derivative};
}
template <>
inline ComplexStep<double> seeded(double value, double derivative) {
    return {value, ComplexStep<double>::kStep * derivative};
}

template <class S>
laws::State<S> seeded_state(const Model& model, std::mt19937& generator) {
    const laws::State<double> value = laws::random_state(model, generator);
    const laws::State<double> rate = laws::random_state(model, generator);
    const auto seed = [](const VectorX<double>& x, const VectorX<double>& dx) {
        VectorX<S> out(x.size());
        for (long k = 0; k < x.size(); ++k) out[k] = seeded<S>(x[k], dx[k]);
        return out;
    };
    // A configuration's derivative is a tangent: seed it through integrate.
    VectorX<S> q = integrate(model, seed(value.q, VectorX<double>::Zero(model.nq())),
                             seed(VectorX<double>::Zero(model.nv()), rate.v));
    return {std::move(q), seed(value.v, rate.a), seed(value.a, rate.tau), seed(value.tau, rate.v)};
}

template <class S>
void expect_all_laws(const Model& model, unsigned random_seed, int samples) {
    SCOPED_TRACE("seed " + std::to_string(random_seed));
    std::mt19937 generator(random_seed);
    laws::Report<S> report(model.nv());
    for (int k = 0; k < samples; ++k) {
        laws::check_all(model, seeded_state<S>(model, generator), report);
    }
    const auto residuals = std::move(report).take();
    EXPECT_GE(residuals.size(), 46U);
    for (const laws::Residual& r : residuals) {
        EXPECT_TRUE(r.holds()) << r.law << ": residual " << r.value << ", tolerance "
                               << r.tolerance;
    }
}

inline std::string test_name(const std::string& robot) {
    std::string out;
    for (const char c : robot) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return out;
}

// Defines the whole suite for one scalar.
#define PLUCKER_LAW_SUITE(Suite, Scalar)                                                           \
    class Suite##Joints : public testing::TestWithParam<std::string> {};                           \
    TEST_P(Suite##Joints, ObeyTheLaws) { expect_all_laws<Scalar>(joint_model(GetParam()), 7, 3); } \
    INSTANTIATE_TEST_SUITE_P(Every, Suite##Joints, testing::ValuesIn(joint_model_names()),         \
                             [](const auto& test) { return test_name(test.param); });              \
    class Suite##Robots : public testing::TestWithParam<std::string> {};                           \
    TEST_P(Suite##Robots, ObeyTheLaws) {                                                           \
        expect_all_laws<Scalar>(robots::by_name(GetParam()), 3, 2);                                \
    }                                                                                              \
    INSTANTIATE_TEST_SUITE_P(Every, Suite##Robots, testing::ValuesIn(robot_names()),               \
                             [](const auto& test) { return test_name(test.param); })

inline std::vector<std::string> robot_names() {
    return {"particle", "pendulum",  "double_pendulum", "cart_pole", "lamp",       "exoskeleton",
            "arm",      "quadruped", "humanoid",        "chain(12)", "tree(20,1)", "tree(20,2)"};
}

}  // namespace plucker::test
