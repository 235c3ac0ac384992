// Derivatives of forward dynamics of a robot that is too large for one program: its parts are compiled, and must give what the
// kernel gives.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "plucker/compiler/compile.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"

namespace plucker {
namespace {

struct Matrices {
    explicit Matrices(long n) : dq(n, n), dv(n, n), dtau(n, n) {}
    MatrixX<double> dq, dv, dtau;
};

double apart(const MatrixX<double>& a, const MatrixX<double>& b) {
    return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

class ByParts : public testing::Test {
protected:
    Model model_ = robots::humanoid();
    std::vector<CompiledFunction> report_;
    Model compiled_ = compile(model_, {}, report_);
    laws::State<double> s_ = [this] {
        std::mt19937 generator(5);
        return laws::random_state(model_, generator);
    }();

    Status derive(Workspace<double>& ws, Matrices& out) const {
        return forward_dynamics_derivatives(ws, s_.q, s_.v, s_.tau, out.dq, out.dv, out.dtau);
    }
    void expect_same(const Matrices& actual, const Matrices& expected) const {
        // What solving with M of this condition leaves of sixteen digits.
        const MatrixX<double> M = mass_matrix(model_, s_.q);
        const double tolerance =
            1e-15 * M.cwiseAbs().maxCoeff() * expected.dtau.cwiseAbs().maxCoeff() * model_.nv();
        EXPECT_LE(apart(actual.dq, expected.dq), tolerance);
        EXPECT_LE(apart(actual.dv, expected.dv), tolerance);
        EXPECT_LE(apart(actual.dtau, expected.dtau), tolerance);
    }
};

TEST_F(ByParts, TheWholeIsTooLargeAndThePartsAreNot) {
    if (!can_compile()) GTEST_SKIP() << "nothing is compiled here";
    std::map<std::string, bool> compiled;
    for (const CompiledFunction& f : report_) compiled[f.name] = f.compiled;
    EXPECT_FALSE(compiled.at("forward_dynamics_derivatives"));
    EXPECT_TRUE(compiled.at("forward_dynamics"));
    EXPECT_TRUE(compiled.at("inverse_dynamics_derivatives"));
    EXPECT_TRUE(compiled.at("inverse_mass_matrix"));
}

TEST_F(ByParts, GiveWhatTheKernelGives) {
    Matrices expected(model_.nv()), actual(model_.nv());
    Workspace<double> ws(model_), ws_compiled(compiled_);
    derive(ws, expected);
    derive(ws_compiled, actual);
    expect_same(actual, expected);
}

TEST_F(ByParts, IntoAPartOfALargerMatrix) {
    const long n = model_.nv();
    Matrices expected(n);
    Workspace<double> ws(model_), ws_compiled(compiled_);
    derive(ws, expected);
    MatrixX<double> wide(n + 3, 3 * n);
    forward_dynamics_derivatives(ws_compiled, s_.q, s_.v, s_.tau, wide.block(2, 0, n, n),
                                 wide.block(2, n, n, n), wide.block(2, 2 * n, n, n));
    Matrices actual(n);
    actual.dq = wide.block(2, 0, n, n);
    actual.dv = wide.block(2, n, n, n);
    actual.dtau = wide.block(2, 2 * n, n, n);
    expect_same(actual, expected);
}

TEST_F(ByParts, KnowOfAPayload) {
    Matrices expected(model_.nv()), actual(model_.nv()), without(model_.nv());
    Workspace<double> ws(model_), ws_compiled(compiled_);
    derive(ws, without);
    const MassProperties load = MassProperties::sphere(5, 0.1);
    const FrameId hand = model_.body_frame(model_.num_bodies());
    ws.set_payload(hand, load);
    ws_compiled.set_payload(hand, load);
    derive(ws, expected);
    derive(ws_compiled, actual);
    expect_same(actual, expected);
    EXPECT_GT(apart(actual.dq, without.dq), 1e-3);
}

TEST_F(ByParts, RefuseWhatTheKernelRefuses) {
    Matrices out(model_.nv());
    Workspace<double> ws(compiled_, OnFailure::kReport);
    s_.v[3] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(derive(ws, out), Status::kNonFiniteInput);
}

}  // namespace
}  // namespace plucker
