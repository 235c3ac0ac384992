// States that cannot be evaluated are flagged, singly, with the reason; the others do not notice.
#include "batch/runs.hpp"
#include "plucker/model/builder.hpp"

namespace plucker::test {
namespace {

using batch::Status;

template <class T>
class BatchStatus : public testing::Test {
protected:
    // Just the states in `which` are flagged as `status`, and their results are NaN.
    static void expect_flagged(const Outcome<T>& run, const std::vector<long>& which,
                               Status status) {
        EXPECT_EQ(run.flagged, static_cast<long>(which.size()));
        for (long n = 0; n < static_cast<long>(run.status.size()); ++n) {
            const bool flagged = std::find(which.begin(), which.end(), n) != which.end();
            EXPECT_EQ(name_of(run.status[static_cast<std::size_t>(n)]),
                      name_of(flagged ? status : Status::kOk))
                << "state " << n;
            EXPECT_EQ(run.all_nan(n), flagged) << "state " << n;
        }
    }
};
TYPED_TEST_SUITE(BatchStatus, Numbers, NumberNames);

TYPED_TEST(BatchStatus, TellsOfEveryArgumentThatIsNotFinite) {
    using T = TypeParam;
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    const Model model = robots::exoskeleton();
    batch::Evaluator<T> evaluator(model, {.threads = 1});
    const StateRows<T> states = random_states<T>(model, 19);
    for (const BatchFunction& function : batch_functions(model)) {
        const Outcome<T> good = run(evaluator, function, states);
        for (const char letter : function.read()) {
            const long last = states.of(letter).cols() - 1;
            const std::tuple<long, long, T> cases[] = {
                {0, last, std::numeric_limits<T>::quiet_NaN()},
                {11, last / 2, kInfinity},
                {18, 0, -kInfinity}};
            for (const auto& [state, entry, value] : cases) {
                SCOPED_TRACE(function.name + ": " + letter + "[" + std::to_string(entry) + "] is " +
                             std::to_string(value));
                StateRows<T> spoilt = states;
                spoilt.of(letter)(state, entry) = value;
                const Outcome<T> bad = run(evaluator, function, spoilt);
                this->expect_flagged(bad, {state}, Status::kNonFiniteInput);
                for (long n = 0; n < states.count(); ++n)
                    EXPECT_TRUE(n == state || bad.same_bits(n, good, n)) << "state " << n;
            }
        }
    }
}

// What is read in part counts; what is not, does not (see forget_unread).
TYPED_TEST(BatchStatus, TellsOfWhatIsReadInPart) {
    using T = TypeParam;
    const Model model = robots::exoskeleton();
    batch::Evaluator<T> evaluator(model, {.threads = 1});
    const StateRows<T> states = random_states<T>(model, 9);
    int read = 0;
    for (const BatchFunction& function : batch_functions(model)) {
        for (std::size_t k = 0; k < function.initially.size(); ++k) {
            if (function.initially[k] == 0) continue;
            SCOPED_TRACE(function.name);
            EXPECT_EQ(run(evaluator, function, states).flagged, 0);
            VectorX<double> mask = VectorX<double>::Zero(function.outputs[k].rows);
            forget_unread(function, model, k, mask);
            for (long entry = 0; entry < mask.size(); ++entry) {
                if (mask[entry] != 0) continue;
                StateRows<T> spoilt = states;
                spoilt.of(function.initially[k])(4, entry) = std::numeric_limits<T>::infinity();
                const Outcome<T> bad = run(evaluator, function, spoilt);
                EXPECT_EQ(bad.flagged, 1);
                EXPECT_EQ(bad.status[4], Status::kNonFiniteInput) << name_of(bad.status[4]);
                EXPECT_TRUE(bad.all_nan(4));
                ++read;
            }
        }
    }
    EXPECT_GE(read, 60);
}

TYPED_TEST(BatchStatus, IsCountedWithoutAList) {
    using T = TypeParam;
    const Model model = robots::arm();
    batch::Evaluator<T> evaluator(model, {.threads = 2});
    StateRows<T> states = random_states<T>(model, 300);
    for (const long n : {0, 1, 150, 299}) states.v(n, 3) = std::numeric_limits<T>::quiet_NaN();
    Rows<T> tau(300, 7);
    EXPECT_EQ(bias_torque(evaluator, states.q, states.v, tau), 4);
    EXPECT_EQ(tau.row(150).array().isNaN().count(), 7);
    EXPECT_EQ(tau.array().isNaN().count(), 4 * 7);
    EXPECT_EQ(gravity_torque(evaluator, states.q, tau), 0);
}

// A list from an earlier call is written anew, not added to.
TYPED_TEST(BatchStatus, ForgetsTheLastCall) {
    using T = TypeParam;
    const Model model = robots::arm();
    batch::Evaluator<T> evaluator(model, {.threads = 1});
    const StateRows<T> states = random_states<T>(model, 11);
    std::vector<Status> status(11, Status::kSingularMassMatrix);
    Rows<T> tau(11, 7);
    EXPECT_EQ(gravity_torque(evaluator, states.q, tau, status), 0);
    EXPECT_EQ(status, std::vector<Status>(11, Status::kOk));
}

TYPED_TEST(BatchStatus, TellsOfASingularMassMatrix) {
    using T = TypeParam;
    const Model model = Builder("massless")
                            .link("ground")
                            .body("ground", revolute("hinge", {0, 1, 0}), "rod",
                                  MassProperties::sphere(1, 0.1, {0, 0, 1}))
                            .body("rod", revolute("tip", {0, 1, 0}), "needle")
                            .build();
    batch::Evaluator<T> evaluator(model, {.threads = 1});
    const StateRows<T> states = random_states<T>(model, 9);
    for (const BatchFunction& function : batch_functions(model)) {
        if (function.name.find("subtree") != std::string::npos) continue;  // a massless one
        SCOPED_TRACE(function.name);
        const Outcome<T> all = run(evaluator, function, states);
        if (function.errors == BatchFunction::Errors::kOfSums) {
            EXPECT_EQ(all.flagged, 0);
        } else {
            EXPECT_EQ(all.flagged, 9);
            EXPECT_EQ(all.status, std::vector<Status>(9, Status::kSingularMassMatrix));
        }
    }
    // A point without mass has no centre.
    Rows<T> center(9, 3);
    EXPECT_THROW(center_of_mass(evaluator, states.q, 2, center), Error);
}

// A bead on a turning wire: on the axis, and only there, the wire has no inertia.
TYPED_TEST(BatchStatus, TellsWhichStatesAreSingular) {
    using T = TypeParam;
    const Model model =
        Builder("wire")
            .link("ground")
            .body("ground", revolute("turn", {0, 0, 1}), "wire")
            .body("wire", prismatic("slide", {1, 0, 0}), "bead", MassProperties::point(2))
            .build();
    batch::Evaluator<T> evaluator(model, {.threads = 1});
    StateRows<T> states = random_states<T>(model, 21);
    for (const long n : {3, 8, 20}) states.q(n, 1) = 0;
    for (const BatchFunction& function : batch_functions(model)) {
        SCOPED_TRACE(function.name);
        if (function.row->inputs.has(Kind::kGiven)) continue;  // "turn" moves as told
        const bool solves = function.errors != BatchFunction::Errors::kOfSums;
        this->expect_flagged(run(evaluator, function, states),
                             solves ? std::vector<long>{3, 8, 20} : std::vector<long>{},
                             Status::kSingularMassMatrix);
    }
}

// 0 0 0 0 is no attitude, nor is what is too short or too long to be squared. Every function tells which state has it.
TYPED_TEST(BatchStatus, TellsOfAQuaternionWithoutDirection) {
    using T = TypeParam;
    const Model model = robots::quadruped();
    batch::Evaluator<T> evaluator(model, {.threads = 1});
    const StateRows<T> good = random_states<T>(model, 9);
    const T tiny = std::sqrt(std::numeric_limits<T>::min()),
            huge = std::sqrt(std::numeric_limits<T>::max());
    for (const T length : {T(0), tiny, huge}) {
        StateRows<T> states = good;
        states.q.block(4, 3, 1, 4) *= length;
        for (const BatchFunction& function : batch_functions(model)) {
            SCOPED_TRACE(function.name);
            if (function.read().find('q') == std::string::npos) continue;  // friction needs no q
            this->expect_flagged(run(evaluator, function, states), {4}, Status::kNoAttitude);
        }
    }
    StateRows<T> states = good;
    states.other_q.block(7, 3, 1, 4).setZero();
    for (const BatchFunction& function : batch_functions(model)) {
        if (function.inputs.find('o') == std::string::npos) continue;
        SCOPED_TRACE(function.name);
        this->expect_flagged(run(evaluator, function, states), {7}, Status::kNoAttitude);
    }
}

TYPED_TEST(BatchStatus, TellsOfNumbersThatOverflow) {
    using T = TypeParam;
    const Model model = robots::arm();
    batch::Evaluator<T> evaluator(model, {.threads = 1});
    StateRows<T> states = random_states<T>(model, 9);
    states.v.row(6).setConstant(std::numeric_limits<T>::max() / 2);
    Rows<T> energy(9, 1);
    std::vector<Status> status(9);
    EXPECT_EQ(kinetic_energy(evaluator, states.q, states.v, energy, status), 1);
    EXPECT_EQ(status[6], Status::kNonFiniteResult);
    // However the results lie: state by state, number by number, and with gaps.
    Rows<T> rows(9, 7), wide(9, 14);
    MatrixX<T> columns(9, 7);
    const batch::States<T> layouts[] = {rows, columns, {wide.data(), 9, 7, 14, 2}};
    for (const batch::States<T>& tau : layouts) {
        EXPECT_EQ(bias_torque(evaluator, states.q, states.v, tau, status), 1);
        EXPECT_EQ(status[6], Status::kNonFiniteResult);
        for (long k = 0; k < 7; ++k)
            EXPECT_TRUE(std::isnan(tau.data[6 * tau.state_stride + k * tau.entry_stride]));
    }
}

TEST(BatchStatusNames, SayWhatIsWrong) {
    EXPECT_STREQ(name_of(Status::kOk), "ok");
    EXPECT_STREQ(name_of(Status::kNonFiniteInput), "non-finite input");
    EXPECT_STREQ(name_of(Status::kSingularMassMatrix), "singular mass matrix");
    EXPECT_STREQ(name_of(Status::kNonFiniteResult), "non-finite result");
    EXPECT_STREQ(name_of(Status::kNoAttitude), "no attitude");
    EXPECT_STREQ(name_of(Status::kMisuse), "misuse");
}

}  // namespace
}  // namespace plucker::test
