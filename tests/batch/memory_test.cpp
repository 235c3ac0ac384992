// Memory of batches: nothing is read or written beyond the arrays, outputs may be inputs, and nothing else may overlap.
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <set>

#include "batch/runs.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

// `size` numbers between two pages that nobody may touch: against the one behind them, or the one before.
template <class T>
class Guarded {
public:
    enum class Against { kEnd, kBegin };

    Guarded(std::size_t size, Against against)
        : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
        const std::size_t inner = (size * sizeof(T) + page_ - 1) / page_ * page_;
        bytes_ = inner + 2 * page_;
        memory_ = static_cast<char*>(
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        if (memory_ == MAP_FAILED) throw std::bad_alloc();
        mprotect(memory_, page_, PROT_NONE);
        mprotect(memory_ + page_ + inner, page_, PROT_NONE);
        data_ = reinterpret_cast<T*>(against == Against::kBegin
                                         ? memory_ + page_
                                         : memory_ + page_ + inner - size * sizeof(T));
    }
    ~Guarded() { munmap(memory_, bytes_); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;
    T* data() const { return data_; }

private:
    std::size_t page_, bytes_ = 0;
    char* memory_ = nullptr;
    T* data_ = nullptr;
};

template <class T>
class BatchMemory : public testing::Test {};
TYPED_TEST_SUITE(BatchMemory, Numbers, NumberNames);

// A number beyond an array ends the test program. Every way of loading and storing is tried: fewer states than lanes,
// just as many, more; row by row and column by column.
TYPED_TEST(BatchMemory, BeyondTheArraysIsNeverTouched) {
    using T = TypeParam;
    using Against = typename Guarded<T>::Against;
    for (const char* name : {"arm", "exoskeleton", "joint_mimic", "double_pendulum"}) {
        const Model model = model_named(name);
        batch::Evaluator<T> evaluator(model, {.threads = 1});
        const long lanes = evaluator.lanes();
        for (const BatchFunction& function : batch_functions(model)) {
            for (const long count : {1L, lanes - 1, lanes, 2 * lanes + 1}) {
                const StateRows<T> states = random_states<T>(model, count);
                const Outcome<T> expected = run(evaluator, function, states);
                for (const Against against : {Against::kEnd, Against::kBegin}) {
                    for (const bool by_rows : {true, false}) {
                        Arguments<T> x(function, model, states);
                        std::vector<std::unique_ptr<Guarded<T>>> memory;
                        const auto move = [&](batch::States<const T>& view) {
                            auto& to = memory.emplace_back(std::make_unique<Guarded<T>>(
                                static_cast<std::size_t>(view.count * view.size), against));
                            batch::States<T> moved(to->data(), view.count, view.size);
                            if (!by_rows)
                                moved = {to->data(), view.count, view.size, 1, view.count};
                            for (long n = 0; n < view.count; ++n) {
                                for (long k = 0; k < view.size; ++k) {
                                    moved.data[n * moved.state_stride + k * moved.entry_stride] =
                                        view.data[n * view.state_stride + k * view.entry_stride];
                                }
                            }
                            view = moved;
                        };
                        for (const char letter : {'q', 'v', 'a', 't', 'o'})
                            move(x.views.of(letter));
                        if (function.forces) move(x.views.external.forces);
                        for (std::size_t k = 0; k < function.outputs.size(); ++k) {
                            batch::Matrices<T>& view = x.views.out[k];
                            auto& to = memory.emplace_back(std::make_unique<Guarded<T>>(
                                static_cast<std::size_t>(view.count * view.rows * view.columns),
                                against));
                            std::copy_n(view.data, view.count * view.rows * view.columns,
                                        to->data());
                            view = {to->data(), view.count, view.rows, view.columns};
                        }
                        function.call(evaluator, x.views);
                        for (std::size_t k = 0; k < function.outputs.size(); ++k) {
                            EXPECT_EQ(std::memcmp(x.views.out[k].data, expected.out[k].data(),
                                                  expected.out[k].size() * sizeof(T)),
                                      0)
                                << function.name << ", " << count << " states";
                        }
                    }
                }
            }
        }
    }
}

// Every input of the size of an output can be that output.
TYPED_TEST(BatchMemory, AnInputMayBeTheOutput) {
    using T = TypeParam;
    const Model model = robots::exoskeleton();
    batch::Evaluator<T> evaluator(model, {.threads = 2});
    const StateRows<T> states = random_states<T>(model, 150);
    int tried = 0;
    for (const BatchFunction& function : batch_functions(model)) {
        const Outcome<T> expected = run(evaluator, function, states);
        for (const char letter : function.inputs) {
            for (std::size_t k = 0; k < function.outputs.size(); ++k) {
                if (function.outputs[k].rows != states.of(letter).cols() ||
                    function.outputs[k].columns != 1 || function.initially[k] != 0)
                    continue;
                Arguments<T> x(function, model, states);
                batch::States<const T>& in = x.views.of(letter);
                std::copy_n(in.data, in.count * in.size, x.views.out[k].data);
                in.data = x.views.out[k].data;
                const Outcome<T> got = x.results(function.call(evaluator, x.views));
                for (long n = 0; n < states.count(); ++n) {
                    EXPECT_TRUE(got.same_bits(n, expected, n))
                        << function.name << " " << letter << " state " << n;
                }
                ++tried;
            }
        }
    }
    EXPECT_GT(tried, 10);
}

TEST(BatchOverlap, IsRefusedUnlessItIsTheSameArray) {
    const Model arm = robots::arm();
    batch::Evaluator<double> robot(arm, {.threads = 1});
    Rows<double> memory = Rows<double>::Zero(20, 40);
    using View = batch::States<double>;
    const auto at = [&](long offset) { return View(memory.data() + offset, 10, 7, 40, 1); };
    const auto complaint = [&](const View& q, const View& v, const View& a, const View& tau) {
        return message([&] { inverse_dynamics(robot, q, v, a, tau); });
    };
    // Blocks of one array, side by side; the same array twice.
    EXPECT_EQ(complaint(at(0), at(7), at(14), at(21)), "no error");
    EXPECT_EQ(complaint(at(0), at(7), at(14), at(14)), "no error");
    EXPECT_EQ(complaint(at(0), at(7), at(7), at(0)), "no error");
    // By one number; around the end of a row; by one state; with another stride.
    for (const View& tau :
         {at(8), at(20), at(36), at(7 + 40), View(memory.data() + 7, 10, 7, 20, 1)}) {
        EXPECT_EQ(complaint(at(0), at(7), at(14), tau).substr(0, 53),
                  "inverse_dynamics: the output tau shares memory with t");
    }
    // Column by column: rows of one array above one another.
    MatrixX<double> columns = MatrixX<double>::Zero(40, 7);
    const auto rows = [&](long first) { return View(columns.data() + first, 10, 7, 1, 40); };
    EXPECT_EQ(complaint(rows(0), rows(10), rows(20), rows(30)), "no error");
    EXPECT_NE(complaint(rows(0), rows(10), rows(20), rows(29)), "no error");
    // From the last state to the first, and from the last number: the memory is that below the beginning.
    const auto backwards = [&](long first) {
        return View(memory.data() + first + 9 * 40, 10, 7, -40, 1);
    };
    EXPECT_EQ(complaint(backwards(0), at(7), backwards(14), at(21)), "no error");
    EXPECT_EQ(complaint(backwards(0), at(7), at(14), backwards(0)), "no error");
    EXPECT_NE(complaint(backwards(0), at(7), at(14), at(0)), "no error");
    EXPECT_NE(complaint(at(0), at(7), at(14), backwards(14)), "no error");
    EXPECT_NE(complaint(at(0), at(7), at(14), View(memory.data() + 20, 10, 7, 40, -1)), "no error");
    EXPECT_EQ(complaint(at(0), at(7), at(14), View(memory.data() + 27, 10, 7, 40, -1)), "no error");
    // Two outputs; forces.
    Rows<double> q = Rows<double>::Zero(10, 7), M = Rows<double>::Zero(10, 49);
    EXPECT_NE(message([&] {
                  mass_matrix_by_inverse_dynamics(robot, q, q, View(M.data(), 10, 7, 49, 1),
                                                  batch::Matrices<double>(M.data(), 10, 7, 7));
              }).find("the outputs bias and M share memory"),
              std::string::npos);
    Rows<double> forces = Rows<double>::Zero(10, 6);
    const batch::ExternalForces<double> external{{{arm.frame_id(0), ReferenceFrame::kBody}},
                                                 forces};
    EXPECT_NE(message([&] {
                  inverse_dynamics(robot, q, q, q, external, View(forces.data(), 10, 7, 0, 1));
              }).find("shares memory with the external forces"),
              std::string::npos);
}

// Whatever the strides, and whichever way they lead: an output that has a number where an input has another one is refused.
TEST(BatchOverlap, IsNeverMissed) {
    const Model arm = robots::arm();
    batch::Evaluator<double> robot(arm, {.threads = 1});
    constexpr long kStates = 5, kNumbers = 7;
    std::vector<double> memory(400, 0.0);
    using View = batch::States<double>;
    std::mt19937 generator(3);
    const auto any = [&](long from, long to) {
        return std::uniform_int_distribution<long>(from, to)(generator);
    };
    const auto places = [&](const View& view) {
        std::set<long> out;
        for (long n = 0; n < kStates; ++n) {
            for (long k = 0; k < kNumbers; ++k)
                out.insert(view.data + n * view.state_stride + k * view.entry_stride -
                           memory.data());
        }
        return out;
    };
    const auto random_view = [&] {
        const long entry = any(1, 3) * (any(0, 1) == 0 ? 1 : -1);
        const long state = (3 * kNumbers + any(0, 10)) * (any(0, 1) == 0 ? 1 : -1);
        return View(memory.data() + 200 + any(-30, 30), kStates, kNumbers, state, entry);
    };
    int shared = 0, apart = 0;
    for (int repeat = 0; repeat < 2000; ++repeat) {
        const View q = random_view(), tau = random_view();
        const std::set<long> read = places(q), written = places(tau);
        const bool share = std::any_of(read.begin(), read.end(),
                                       [&](long place) { return written.contains(place); });
        const std::string said = message([&] { gravity_torque(robot, q, tau); });
        (share ? shared : apart) += 1;
        if (share && read == written && q.data == tau.data && q.state_stride == tau.state_stride)
            continue;
        if (share) {
            EXPECT_NE(said, "no error") << q.state_stride << " " << tau.state_stride;
        }
        if (*read.rbegin() < *written.begin() || *written.rbegin() < *read.begin()) {
            EXPECT_EQ(said, "no error") << q.state_stride << " " << tau.state_stride;
        }
    }
    EXPECT_GT(shared, 100);
    EXPECT_GT(apart, 100);
}

// By wrong strides an output could be written over by another state, or another thread. Inputs may be read so.
TEST(BatchOverlap, OfAnOutputWithItselfIsRefused) {
    const Model arm = robots::arm();
    batch::Evaluator<double> robot(arm, {.threads = 1});
    const Rows<double> q = random_states<double>(arm, 10).q;
    Rows<double> memory = Rows<double>::Zero(10, 100);
    using View = batch::States<double>;
    using Matrices = batch::Matrices<double>;
    const auto torques = [&](const View& tau) {
        return message([&] { gravity_torque(robot, q, tau); });
    };
    const std::string complaint =
        "gravity_torque: by its strides the output tau has two of its numbers in one place; give "
        "each its own";
    double* const x = memory.data();
    for (const View& tau : {View(x, 10, 7, 0, 1), View(x, 10, 7, 6, 1), View(x, 10, 7, -6, 1),
                            View(x, 10, 7, 1, 0), View(x, 10, 7, 1, 9), View(x, 10, 7, 2, -1)}) {
        EXPECT_EQ(torques(tau), complaint) << tau.state_stride << ", " << tau.entry_stride;
    }
    for (const View& tau : {View(x, 10, 7, 7, 1), View(x + 90, 10, 7, -7, 1), View(x, 10, 7, 1, 10),
                            View(x, 10, 7, 13, 2), View(x + 6, 10, 7, 7, -1)})
        EXPECT_EQ(torques(tau), "no error") << tau.state_stride << ", " << tau.entry_stride;
    // One state, whatever its stride.
    EXPECT_EQ(message([&] { gravity_torque(robot, q.topRows(1), View(x, 1, 7, 0, 1)); }),
              "no error");
    const auto matrices = [&](long state, long row, long column) {
        return message([&] { mass_matrix(robot, q, Matrices(x, 10, 7, 7, state, row, column)); });
    };
    EXPECT_EQ(matrices(49, 7, 1), "no error");
    EXPECT_EQ(matrices(7, 1, 70), "no error");
    EXPECT_NE(matrices(48, 7, 1).find("the output M has two of its numbers"), std::string::npos);
    EXPECT_NE(matrices(49, 6, 1).find("the output M has two of its numbers"), std::string::npos);
    // The same configuration for all.
    EXPECT_EQ(message([&] {
                  inverse_dynamics(robot, batch::States<const double>(q.data(), 10, 7, 0, 1), q, q,
                                   View(x, 10, 7, 10, 1));
              }),
              "no error");
}

// How many threads work is told, and is what was asked for where there is enough to do.
TEST(BatchThreads, AreUsed) {
    const Model model = robots::arm();
    const auto states = random_states<double>(model, 5000);
    Rows<double> tau(5000, 7);
    for (const int threads : {1, 2, 3}) {
        batch::Evaluator<double> robot(model, {.threads = threads});
        EXPECT_EQ(robot.threads(), threads);
        EXPECT_EQ(robot.threads_of_last_call(), 0) << "there was none";
        inverse_dynamics(robot, states.q, states.v, states.a, tau);
        EXPECT_EQ(robot.threads_of_last_call(), threads);
        inverse_dynamics(robot, states.q.topRows(1), states.v.topRows(1), states.a.topRows(1),
                         tau.topRows(1));
        EXPECT_EQ(robot.threads_of_last_call(), 1);
    }
}

// Where the system refuses more threads, those that it allows do the work. (A sanitizer needs the address space itself.)
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__has_feature)
TEST(BatchThreadsDeathTest, ThatCannotBeStartedAreDoneWithout) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            const Model model = robots::pendulum();
            rlimit limit{};
            getrlimit(RLIMIT_AS, &limit);
            limit.rlim_cur =
                1UL << 30;  // room for the program, and for some hundred stacks of 8 MiB
            setrlimit(RLIMIT_AS, &limit);
            batch::Evaluator<double> robot(model, {.threads = 1000});
            Rows<double> q = Rows<double>::Zero(100, 1), tau(100, 1);
            gravity_torque(robot, q, tau);
            std::exit(robot.threads() > 1 && robot.threads() < 1000 ? 3 : 4);
        },
        testing::ExitedWithCode(3), "");
}
#endif

}  // namespace
}  // namespace plucker::test
