// A batch computes what the single call computes, for every function, on robots with every type of joint.
//
// The two do not give the same bits: a batch has its own sine and cosine, and fused multiply-adds where the
// processor has them. They differ by rounding, which the tolerance of the laws bounds: 64 (nv + 8) times the
// precision, relative to the size of the terms behind the result. In float, what the batch is compared with is
// computed in double, from the same inputs.
#include "batch/runs.hpp"
#include "plucker/plucker.hpp"

namespace plucker::test {
namespace {

using laws::max_magnitude;

// How far results may be off: the sizes behind them at one state.
struct Sizes {
    MatrixX<double> M;
    double inverse;  // of M⁻¹
    double torques;  // of what M a is solved for
};

Sizes sizes_at(Workspace<double>& ws, const SingleArguments& x, const laws::State<double>& s) {
    const int nv = ws.model().nv();
    Sizes out{MatrixX<double>(nv, nv), 0, 0};
    MatrixX<double> Minv(nv, nv);
    VectorX<double> bias(nv);
    mass_matrix(ws, x.q, out.M);
    inverse_mass_matrix(ws, x.q, Minv);
    inverse_dynamics(ws, x.q, x.v, VectorX<double>::Zero(nv), x.external, bias);
    out.inverse = max_magnitude(Minv);
    // The torques, the bias, and what given accelerations ask for.
    out.torques = max_magnitude(s.tau) + max_magnitude(bias) + max_magnitude((out.M * s.a).eval());
    return out;
}

template <class T>
void expect_near(const std::vector<T>& results, long n, const MatrixX<double>& expected,
                 double bound) {
    const T* at = results.data() + n * expected.size();
    const double* right = expected.data();
    const long rows = expected.rows(), columns = expected.cols();
    for (long c = 0; c < columns; ++c) {
        for (long r = 0; r < rows; ++r, ++right) {
            const double got = static_cast<double>(at[r * columns + c]);
            const double off = got - *right;
            if (-bound <= off && off <= bound) continue;
            ADD_FAILURE() << "state " << n << ", entry (" << r << ", " << c << "): " << got
                          << ", expected " << *right << " ± " << bound;
            return;
        }
    }
}

// Without a call an entry: these are many, and tests are not optimised.
double largest_entry(const MatrixX<double>& m) {
    double largest = 0;
    const double* const end = m.data() + m.size();
    for (const double* x = m.data(); x != end; ++x) {
        if (*x > largest) largest = *x;
        if (-*x > largest) largest = -*x;
    }
    return largest;
}

template <class T>
MatrixX<double> result(const Outcome<T>& run, std::size_t k, long n, BatchFunction::Shape shape) {
    const long size = long{shape.rows} * shape.columns;
    return Eigen::Map<const Rows<T>>(run.out[k].data() + n * size, shape.rows, shape.columns)
        .template cast<double>();
}

template <class T>
class Comparison {
public:
    static constexpr long kStates = 37;

    explicit Comparison(const Model& model)
        : model_(model),
          ws_(model),
          external_(model),
          evaluator_(model, {.threads = 2}),
          states_(random_states<T>(model, kStates)),
          tolerance_(64.0 * (model.nv() + 8) *
                     static_cast<double>(std::numeric_limits<T>::epsilon())) {}

    void expect_agreement() {
        for (const BatchFunction& function : batch_functions(model_)) {
            SCOPED_TRACE(function.name);
            const Outcome<T> run = test::run(evaluator_, function, states_);
            EXPECT_EQ(run.flagged, 0);
            compare(function, run);
            // Fewer states, with all kinds of tails: the same bits.
            for (const long count : {1, 7, 8, 9}) {
                const Outcome<T> fewer = test::run(evaluator_, function, states_.part(0, count));
                for (long n = 0; n < count; ++n) {
                    EXPECT_TRUE(fewer.same_bits(n, run, n)) << "state " << n << " of " << count;
                }
            }
        }
    }

private:
    Model model_;
    Workspace<double> ws_;
    ExternalForces<double> external_;
    batch::Evaluator<T> evaluator_;
    StateRows<T> states_;
    double tolerance_;

    void compare(const BatchFunction& function, const Outcome<T>& run) {
        std::vector<std::vector<MatrixX<double>>> expected;
        std::vector<double> scale(function.outputs.size(), 1.0);
        for (long n = 0; n < kStates; ++n) {
            expected.push_back(function.single(ws_, arguments(function, n)));
            ASSERT_EQ(expected.back().size(), scale.size());
            // In one state the terms may cancel; in all of them they do not.
            for (std::size_t k = 0; k < scale.size(); ++k)
                scale[k] = std::max(scale[k], largest_entry(expected.back()[k]));
        }
        for (long n = 0; n < kStates; ++n) {
            const auto& right = expected[static_cast<std::size_t>(n)];
            switch (function.errors) {
                case BatchFunction::Errors::kOfSums:
                    for (std::size_t k = 0; k < scale.size(); ++k)
                        expect_near(run.out[k], n, right[k], tolerance_ * scale[k]);
                    break;
                case BatchFunction::Errors::kOfCondition:
                    for (std::size_t k = 0; k < scale.size(); ++k) {
                        expect_near(run.out[k], n, right[k],
                                    tolerance_ * condition(function, n) * scale[k]);
                    }
                    break;
                case BatchFunction::Errors::kOfSolving:
                    compare_solution(function, run, n, right, scale);
                    break;
                case BatchFunction::Errors::kOfInverse:
                    compare_inverse(function, run, n);
                    break;
            }
        }
    }

    // An error in a torque becomes one in an acceleration, enlarged by M⁻¹: in float that may leave few
    // digits. Put back into the equation of motion the acceleration has to give the torque again, with an
    // error that knows nothing of M⁻¹.
    void compare_solution(const BatchFunction& function, const Outcome<T>& run, long n,
                          const std::vector<MatrixX<double>>& right,
                          const std::vector<double>& scale) {
        const SingleArguments x = arguments(function, n);
        const Sizes sizes = sizes_at(ws_, x, {x.q, x.v, row(states_.a, n), row(states_.tau, n)});
        const double bound = tolerance_ * sizes.inverse * sizes.torques;
        VectorX<double> a, torque = x.tau;
        bool is_product = false;
        for (std::size_t k = 0; k < right.size(); ++k) {
            const Kind kind = function.row->outputs[static_cast<int>(k)].kind;
            const bool solves = kind == Kind::kAcceleration || kind == Kind::kColumns;
            const bool follows = kind == Kind::kTorque;  // from the accelerations
            is_product = is_product || kind == Kind::kColumns;
            expect_near(run.out[k], n, right[k],
                        solves    ? bound
                        : follows ? max_magnitude(sizes.M) * bound
                                  : tolerance_ * scale[k]);
            if (solves) a = result(run, k, n, function.outputs[k]);
            if (follows) torque = result(run, k, n, function.outputs[k]);
        }
        VectorX<double> left(model_.nv());
        if (is_product) {
            left = sizes.M * a;
        } else {
            inverse_dynamics(ws_, x.q, x.v, a, x.external, left);
        }
        EXPECT_LE(max_magnitude((left - torque).eval()),
                  tolerance_ * (max_magnitude(sizes.M) * max_magnitude(a) + sizes.torques))
            << "state " << n;
    }

    void compare_inverse(const BatchFunction& function, const Outcome<T>& run, long n) {
        const SingleArguments x = arguments(function, n);
        const Sizes sizes = sizes_at(ws_, x, {x.q, x.v, x.a, x.tau});
        const MatrixX<double> Minv = result(run, 0, n, function.outputs[0]);
        const MatrixX<double> one = MatrixX<double>::Identity(model_.nv(), model_.nv());
        EXPECT_LE(max_magnitude((sizes.M * Minv - one).eval()),
                  tolerance_ * max_magnitude(sizes.M) * sizes.inverse)
            << "state " << n;
    }

    double condition(const BatchFunction& function, long n) {
        const SingleArguments x = arguments(function, n);
        const Sizes sizes = sizes_at(ws_, x, {x.q, x.v, x.a, x.tau});
        return max_magnitude(sizes.M) * sizes.inverse;
    }

    static VectorX<double> row(const Rows<T>& rows, long n) {
        return rows.row(n).template cast<double>().transpose();
    }
    SingleArguments arguments(const BatchFunction& function, long n) {
        SingleArguments x{row(states_.q, n),
                          row(states_.v, n),
                          row(states_.a, n),
                          row(states_.tau, n),
                          row(states_.other_q, n),
                          nullptr,
                          every_other_acceleration(model_)};
        for (std::size_t k = 0; k < function.initially.size(); ++k) {
            if (function.initially[k] != 0)
                forget_unread(function, model_, k, x.of(function.initially[k]));
        }
        if (function.forces) {
            external_.clear();
            const VectorX<double> f = row(states_.forces, n);
            long k = 0;
            for (const auto& place : force_places<T>(model_)) {
                external_.add(place.frame, to_force(f.segment<6>(k)), place.expressed_in);
                k += 6;
            }
            x.external = &external_;
        }
        return x;
    }
};

class BatchAgreement : public testing::TestWithParam<std::string> {};

TEST_P(BatchAgreement, WithSingleCallsInDouble) {
    Comparison<double>(model_named(GetParam())).expect_agreement();
}
TEST_P(BatchAgreement, WithSingleCallsInFloat) {
    Comparison<float>(model_named(GetParam())).expect_agreement();
}

INSTANTIATE_TEST_SUITE_P(Every, BatchAgreement,
                         testing::Values("arm", "quadruped", "exoskeleton", "tree(20,1)",
                                         "joint_mimic", "joint_floating_mimic",
                                         "joint_dissipative"),
                         [](const auto& test) { return name_for_test(test.param); });

}  // namespace
}  // namespace plucker::test
