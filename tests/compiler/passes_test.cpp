// What each pass promises, and that it changes no value but by rounding.
#include <gtest/gtest.h>

#include <random>

#include "plucker/compiler/record.hpp"
#include "plucker/compiler/recorder.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::compiler {
namespace {

Program program_of(Recorder& recorder, std::vector<Value> outputs, int inputs) {
    Program program;
    program.outputs = std::move(outputs);
    program.input_groups = {{"x", inputs}};
    program.output_groups = {{"y", static_cast<int>(program.outputs.size())}};
    program.nodes = recorder.take_nodes();
    return without_dead_code(program);
}

// Operations in a row on the longest way to an output; a product that one sum alone needs is taken with it.
int longest_way(const Program& program) {
    std::vector<int> uses(program.nodes.size()), way(program.nodes.size());
    for (const Node& node : program.nodes) {
        for (int k = 0; k < num_operands(node.op); ++k)
            ++uses[static_cast<std::size_t>(node.operands[static_cast<std::size_t>(k)])];
    }
    int longest = 0;
    for (std::size_t k = 0; k < program.nodes.size(); ++k) {
        const Node& node = program.nodes[k];
        const bool is_sum = node.op == Op::kAdd || node.op == Op::kSubtract;
        bool fused = false;
        int before = 0;
        for (int i = num_operands(node.op); i-- > 0;) {
            const auto x = static_cast<std::size_t>(node.operands[static_cast<std::size_t>(i)]);
            const bool part =
                is_sum && !fused && program.nodes[x].op == Op::kMultiply && uses[x] == 1;
            fused = fused || part;
            before = std::max(before, way[x] - (part ? 1 : 0));
        }
        way[k] = before + (num_operands(node.op) > 0 ? 1 : 0);
        longest = std::max(longest, way[k]);
    }
    return longest;
}

TEST(ShortSums, AddLastWhatComesLast) {
    Recorder r;
    const Value f = r.input(0), c = r.input(1), s = r.input(2);
    const Value x = r.sqrt(r.sqrt(r.input(3))), y = r.sqrt(r.sqrt(r.input(4)));
    // (c x - s y) + f: x and y come late, and three operations follow.
    const Value sum = r.add(r.subtract(r.multiply(c, x), r.multiply(s, y)), f);
    const Program program = program_of(r, {sum}, 5);
    const Program quick = with_short_sums(program);
    EXPECT_EQ(longest_way(program), 5);
    EXPECT_EQ(longest_way(quick), 4);  // (f + c x) - s y
    EXPECT_EQ(quick.num_operations(), program.num_operations());
    const std::vector<double> inputs{0.3, 0.5, -0.7, 2, 3};
    EXPECT_NEAR(evaluate(quick, inputs).outputs[0], evaluate(program, inputs).outputs[0], 1e-15);
}

TEST(ShortSums, AddPairsRatherThanOneAfterAnother) {
    Recorder r;
    Value sum = r.input(0);
    for (int k = 1; k < 16; ++k) sum = r.subtract(sum, r.input(k));
    const Program program = program_of(r, {sum}, 16);
    EXPECT_EQ(longest_way(program), 15);
    EXPECT_EQ(longest_way(with_short_sums(program)), 4);
    std::vector<double> inputs;
    for (int k = 0; k < 16; ++k) inputs.push_back(1 << k);
    EXPECT_EQ(evaluate(with_short_sums(program), inputs).outputs[0], 1 - (65535 - 1));
}

// A sum that is needed twice, or given away, stays one.
TEST(ShortSums, KeepWhatOthersNeed) {
    Recorder r;
    const Value ab = r.add(r.input(0), r.input(1));
    const Value abc = r.add(ab, r.input(2));
    const Program program = program_of(r, {abc, ab, r.multiply(abc, ab)}, 3);
    EXPECT_EQ(with_short_sums(program).num_operations(), 3);
    const std::vector<double> expected{7, 3, 21};
    EXPECT_EQ(evaluate(with_short_sums(program), std::vector<double>{1, 2, 4}).outputs, expected);
}

TEST(ShortSums, SayTheSameForWholeAlgorithms) {
    std::mt19937 generator(4);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (const char* name : {"arm", "quadruped", "tree(12,1)"}) {
        const Model model = robots::by_name(name);
        for (const char* function : {"inverse_dynamics", "forward_dynamics", "mass_matrix"}) {
            const Program program = record(model, function).program;
            const Program quick = with_short_sums(program);
            EXPECT_LE(quick.num_operations(), program.num_operations());
            EXPECT_LE(longest_way(quick), longest_way(program)) << name << " " << function;
            std::vector<double> x;
            for (int k = 0; k < program.num_inputs(); ++k) x.push_back(uniform(generator));
            const auto before = evaluate(program, x).outputs, after = evaluate(quick, x).outputs;
            double largest = 1;
            for (const double y : before) largest = std::max(largest, std::abs(y));
            // Of forward dynamics the error grows with the condition of M, some thousands here.
            for (std::size_t k = 0; k < before.size(); ++k)
                EXPECT_NEAR(after[k], before[k], 1e-10 * largest) << name << " " << function;
        }
    }
}

// Two limbs, each of which is gone through outward and back: y = x + √x.
TEST(LateNodes, ComeWhenAnOutputNeedsThem) {
    Recorder r;
    const Value left = r.sqrt(r.input(0)), right = r.sqrt(r.input(1));
    const Value of_right = r.add(right, r.input(1)), of_left = r.add(left, r.input(0));
    const Program program = program_of(r, {of_left, of_right}, 2);
    const Program late = with_late_nodes(program);
    std::vector<Op> order;
    for (const Node& node : late.nodes) {
        if (num_operands(node.op) > 0) order.push_back(node.op);
    }
    EXPECT_EQ(order, (std::vector{Op::kSqrt, Op::kAdd, Op::kSqrt, Op::kAdd}));
    EXPECT_EQ(evaluate(late, std::vector<double>{4, 9}).outputs, (std::vector<double>{6, 12}));
}

TEST(LateNodes, SayTheSameForWholeAlgorithms) {
    std::mt19937 generator(7);
    for (const char* robot : {"quadruped", "exoskeleton"}) {
        const Model model = robots::by_name(robot);
        for (const char* name : {"inverse_dynamics_derivatives", "forward_dynamics",
                                 "forward_dynamics_derivatives", "inverse_mass_matrix"}) {
            SCOPED_TRACE(std::string(robot) + " " + name);
            const Program program = record(model, name).program;
            const Program late = with_late_nodes(program);
            EXPECT_EQ(late.nodes.size(), program.nodes.size());
            const auto s = laws::random_state(model, generator);
            std::vector<double> inputs(s.q.begin(), s.q.end());
            inputs.insert(inputs.end(), s.v.begin(), s.v.end());
            inputs.insert(inputs.end(), s.tau.begin(), s.tau.end());
            inputs.resize(static_cast<std::size_t>(program.num_inputs()));
            const Evaluation expected = evaluate(program, inputs), got = evaluate(late, inputs);
            EXPECT_EQ(got.outputs, expected.outputs);  // the same operations, to the bit
            EXPECT_EQ(got.singular, expected.singular);
        }
    }
}

TEST(DistinctOutputs, AreGivenOnceEach) {
    Recorder r;
    const Value x = r.input(0), y = r.add(x, r.input(1)), zero = r.constant(0);
    Program program = program_of(r, {y, zero, y, x, zero}, 2);
    program.output_groups = {{"a", 3}, {"b", 2}};
    std::vector<int> place;
    const Program once = with_distinct_outputs(program, place);
    EXPECT_EQ(once.outputs.size(), 3U);
    EXPECT_EQ(place, (std::vector<int>{0, 1, 0, 2, 1}));
    ASSERT_EQ(once.output_groups.size(), 1U);
    EXPECT_EQ(once.output_groups[0].size(), 3);
    const auto all = evaluate(program, std::vector<double>{3, 4}).outputs;
    const auto few = evaluate(once, std::vector<double>{3, 4}).outputs;
    for (std::size_t k = 0; k < all.size(); ++k)
        EXPECT_EQ(few[static_cast<std::size_t>(place[k])], all[k]);
}

TEST(Recording, StopsWhereAProgramBecomesTooLong) {
    RecordOptions options;
    options.most_nodes = 100;
    EXPECT_THROW((void)record(robots::arm(), "inverse_dynamics", options), ProgramTooLong);
    options.most_nodes = 2000;
    EXPECT_NO_THROW((void)record(robots::arm(), "inverse_dynamics", options));
}

// What is regrouped moves as before: on every robot, and with joints of every type between the hinges.
TEST(Regrouping, ChangesNoTorque) {
    std::mt19937 generator(6);
    for (const char* name : {"arm", "quadruped", "humanoid", "tree(20,3)", "chain(4)"}) {
        const Model model = robots::by_name(name);
        RobotConstants<double> constants(model);
        constants.regroup_at_hinges();
        Workspace<double> plain(model), regrouped(model, constants);
        int moved = 0;
        for (int i = 1; i <= model.num_bodies(); ++i)
            moved += regrouped.body(i).inertia.mass == 0 && plain.body(i).inertia.mass > 0 ? 1 : 0;
        EXPECT_GT(moved, 0) << name;
        for (int sample = 0; sample < 5; ++sample) {
            const laws::State<double> s = laws::random_state(model, generator);
            VectorX<double> tau(model.nv()), other(model.nv());
            inverse_dynamics(plain, s.q, s.v, s.a, tau);
            inverse_dynamics(regrouped, s.q, s.v, s.a, other);
            const double scale = tau.cwiseAbs().maxCoeff();
            EXPECT_LE((tau - other).cwiseAbs().maxCoeff(), 1e-13 * scale) << name;
            gravity_torque(plain, s.q, tau);
            gravity_torque(regrouped, s.q, other);
            EXPECT_LE((tau - other).cwiseAbs().maxCoeff(), 1e-13 * scale) << name;
        }
    }
}

}  // namespace
}  // namespace plucker::compiler
