// Equal limbs as lanes: what the pass promises, and that it changes no value but by rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "plucker/compiler/machine_code.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/compiler/recorder.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::compiler {
namespace {

using Numbers = std::vector<double>;

// A program on `limbs` numbers that correspond, the first inputs, and numbers of the trunk.
Program limb_program(Recorder& recorder, std::vector<Value> outputs, int limbs, int inputs) {
    Program program;
    program.outputs = std::move(outputs);
    program.input_groups = {{"x", inputs}};
    program.output_groups = {{"y", static_cast<int>(program.outputs.size())}};
    program.nodes = recorder.take_nodes();
    EqualInputs equal{0, {}};
    for (int k = 0; k < limbs; ++k) equal.inputs.push_back(k);
    program.equal_inputs = {equal};
    return without_dead_code(program);
}
int count(const Program& program, Op op, int lanes) {
    return static_cast<int>(
        std::count_if(program.nodes.begin(), program.nodes.end(),
                      [&](const Node& n) { return n.op == op && n.lanes == lanes; }));
}
Numbers run_code(const MachineCode& code, const Program& program, const Numbers& inputs) {
    std::vector<const void*> in;
    std::vector<void*> out;
    Numbers results(program.outputs.size() + 1);
    const double* from = inputs.data();
    double* to = results.data();
    for (const Group& group : program.input_groups) {
        in.push_back(from);
        from += group.size();
    }
    for (const Group& group : program.output_groups) {
        out.push_back(to);
        to += group.size();
    }
    out.push_back(to);
    code.run(in.data(), out.data());
    results.pop_back();
    return results;
}
// Each pass, and machine code, say what the program says.
void expect_same(const Program& program, const Numbers& inputs, double tolerance) {
    const Evaluation expected = evaluate(program, inputs);
    double scale = 1;
    for (const double x : expected.outputs) scale = std::max(scale, std::abs(x));
    const auto expect_near = [&](const Numbers& got, const char* who) {
        ASSERT_EQ(got.size(), expected.outputs.size());
        for (std::size_t k = 0; k < got.size(); ++k)
            ASSERT_NEAR(got[k], expected.outputs[k], tolerance * scale) << who << ", output " << k;
    };
    const Program woven = with_limbs_as_lanes(program);
    for (const auto& [who, other] :
         {std::pair("woven", woven), std::pair("with short sums", with_short_sums(woven)),
          std::pair("paired", with_paired_outputs(woven))}) {
        const Evaluation got = evaluate(other, inputs);
        expect_near(got.outputs, who);
        EXPECT_EQ(got.singular, expected.singular) << who;
    }
    for (const Isa isa : available_isas()) {
        if (!can_assemble(isa)) continue;
        const auto code = assemble(program, isa, Lanes::kOneF64);
        ASSERT_NE(code, nullptr);
        expect_near(run_code(*code, program, inputs), name_of(isa));
    }
}

TEST(LimbsAsLanes, DoOnceWhatEachLimbDoes) {
    for (const int limbs : {2, 4}) {
        Recorder r;
        std::vector<Value> outputs;
        const Value trunk = r.input(limbs);
        for (int k = 0; k < limbs; ++k)  // constants may differ
            outputs.push_back(r.add(r.multiply(r.constant(2 + k), r.input(k)), trunk));
        const Program program = limb_program(r, outputs, limbs, limbs + 1);
        const Program woven = with_limbs_as_lanes(program);
        EXPECT_EQ(count(woven, Op::kMultiply, limbs), 1);
        EXPECT_EQ(count(woven, Op::kAdd, limbs), 1);
        EXPECT_EQ(count(woven, Op::kSpread, limbs), 1);
        EXPECT_EQ(count(woven, Op::kMultiply, 1) + count(woven, Op::kAdd, 1), 0);
        Numbers inputs{0.5, -3, 0.25, 8, 7};
        inputs.resize(static_cast<std::size_t>(limbs) + 1);
        expect_same(program, inputs, 0);
    }
}

// (x + y) + z, with a number of its own for each limb: the limbs are added lane by lane first.
TEST(LimbsAsLanes, AddLimbsTogether) {
    Recorder r;
    Value sum = r.input(4);
    for (int k = 0; k < 4; ++k) sum = r.subtract(sum, r.multiply(r.constant(1.5 + k), r.input(k)));
    const Program program = limb_program(r, {sum}, 4, 5);
    const Program woven = with_limbs_as_lanes(program);
    EXPECT_EQ(count(woven, Op::kMultiply, 4), 1);
    EXPECT_EQ(count(woven, Op::kAdd, 2), 1);
    EXPECT_EQ(count(woven, Op::kAdd, 1) + count(woven, Op::kSubtract, 1), 2);
    expect_same(program, {1, 2, 3, 4, 100}, 0);
}

// What the trunk computes for each limb from constants of its own: where a hip is, and how fast.
TEST(LimbsAsLanes, TakeOverWhatTheTrunkDoesForThem) {
    Recorder r;
    std::vector<Value> outputs;
    for (int k = 0; k < 4; ++k) {
        const Value hip = r.add(r.multiply(r.constant(0.1 * (k + 1)), r.input(4)), r.input(5));
        outputs.push_back(r.multiply(hip, r.input(k)));
    }
    const Program program = limb_program(r, outputs, 4, 6);
    const Program woven = with_limbs_as_lanes(program);
    EXPECT_EQ(count(woven, Op::kMultiply, 1) + count(woven, Op::kAdd, 1), 0);
    EXPECT_EQ(count(woven, Op::kMultiply, 4), 2);
    expect_same(program, {1, 2, 3, 4, 5, 6}, 1e-15);
}

TEST(LimbsAsLanes, LeaveALimbThatIsNotLikeTheOthers) {
    Recorder r;
    std::vector<Value> outputs;
    for (int k = 0; k < 4; ++k) {
        const Value x = r.multiply(r.constant(2 + k), r.input(k));
        outputs.push_back(k == 2 ? r.divide(x, r.input(4)) : r.multiply(x, r.input(4)));
    }
    const Program program = limb_program(r, outputs, 4, 5);
    const Program woven = with_limbs_as_lanes(program);
    EXPECT_EQ(count(woven, Op::kMultiply, 4), 1);
    EXPECT_EQ(count(woven, Op::kMultiply, 1), 3);
    EXPECT_EQ(count(woven, Op::kDivide, 1), 1);
    expect_same(program, {1, 2, 3, 4, 5}, 1e-15);
}

// One limb after the other: the second waits for the trunk, which waits for the first. They are not put together.
TEST(LimbsAsLanes, DoNotWaitForEachOther) {
    Recorder r;
    const Value first = r.multiply(r.input(0), r.input(2));
    const Value trunk = r.add(first, r.input(1));  // of both limbs
    const Value second = r.multiply(r.input(1), trunk);
    const Value last = r.multiply(r.input(0), trunk);
    const Program program = limb_program(r, {first, second, last}, 2, 3);
    EXPECT_EQ(count(with_limbs_as_lanes(program), Op::kMultiply, 2), 1);  // the last two
    expect_same(program, {2, 3, 5}, 0);
}

TEST(LimbsAsLanes, CompareAndChoose) {
    Recorder r;
    std::vector<Value> outputs;
    for (int k = 0; k < 4; ++k) {
        const Value small = r.less(r.abs(r.input(k)), r.constant(0.5 + k));
        outputs.push_back(r.select(small, r.negate(r.input(k)), r.sqrt(r.input(4))));
    }
    const Program program = limb_program(r, outputs, 4, 5);
    EXPECT_EQ(count(with_limbs_as_lanes(program), Op::kSelect, 4), 1);
    expect_same(program, {0.25, -3, -0.5, 9, 7}, 0);
}

TEST(LimbsAsLanes, TellOfASingularMatrixInAnyLimb) {
    for (int limb = -1; limb < 4; ++limb) {
        Recorder r;
        Value any = r.mask(false);
        for (int k = 0; k < 4; ++k) any = r.either(any, r.less(r.input(k), r.constant(0.1)));
        Program program;
        program.input_groups = {{"x", 4}};
        program.output_groups = {{"y", 1}};
        program.outputs = {r.add(r.input(0), r.input(1))};
        program.singular = any;
        program.nodes = r.take_nodes();
        program.equal_inputs = {{0, {0, 1, 2, 3}}};
        Numbers inputs{1, 1, 1, 1};
        if (limb >= 0) inputs[static_cast<std::size_t>(limb)] = 0;
        EXPECT_EQ(evaluate(with_limbs_as_lanes(program), inputs).singular, limb >= 0);
        if (!can_assemble(active_isa())) continue;
        double y = 0, singular = -1;
        const void* in[] = {inputs.data()};
        void* out[] = {&y, &singular};
        assemble(program, active_isa(), Lanes::kOneF64)->run(in, out);
        EXPECT_EQ(singular, limb >= 0 ? 1 : 0);
    }
}

// --- Which limbs are equal ---

std::vector<std::size_t> sizes(const Program& program) {
    std::vector<std::size_t> out;
    for (const EqualInputs& equal : program.equal_inputs) out.push_back(equal.inputs.size());
    return out;
}

TEST(EqualLimbs, AreFoundByTheirJoints) {
    EXPECT_TRUE(record(robots::arm(), "mass_matrix").program.equal_inputs.empty());
    const Model quadruped = robots::quadruped();
    const Program legs = record(quadruped, "mass_matrix").program;
    EXPECT_EQ(sizes(legs), (std::vector<std::size_t>{4, 4, 4}));
    for (int joint = 0; joint < 3; ++joint) {
        for (int leg = 0; leg < 4; ++leg) {
            EXPECT_EQ(legs.equal_inputs[static_cast<std::size_t>(joint)]
                          .inputs[static_cast<std::size_t>(leg)],
                      7 + 3 * leg + joint);
        }
    }
    // Fingers that follow one another have no coordinates of their own that lanes could hold.
    Builder hand("hand");
    hand.link("palm");
    for (const char* side : {"left", "right"}) {
        const std::string name = side;
        hand.body("palm", revolute(name, {0, 0, 1}), name + "_a", MassProperties::sphere(1, 0.1));
        hand.body(name + "_a", revolute(name + "_tip", {0, 0, 1}).mimicking(name, 2), name + "_b",
                  MassProperties::sphere(1, 0.1));
    }
    EXPECT_TRUE(record(hand.build(), "mass_matrix").program.equal_inputs.empty());
    // Two legs and two arms of six joints each, told apart; angles and rates.
    const Program humanoid = record(robots::humanoid(), "kinetic_energy").program;
    EXPECT_EQ(sizes(humanoid), std::vector<std::size_t>(24, 2));
    EXPECT_EQ(humanoid.equal_inputs.front().limbs, 0);
    EXPECT_EQ(humanoid.equal_inputs.back().limbs, 1);
}

TEST(EqualLimbs, MayBeAnyNumber) {
    const auto star = [](int limbs, bool last_differs) {
        Builder builder("star");
        builder.base(Base::kFloating).link("hub", MassProperties::sphere(1, 0.1));
        for (int k = 0; k < limbs; ++k) {
            const std::string name = std::to_string(k);
            const bool differs = last_differs && k == limbs - 1;
            const Vec3<double> z{0, 0, 1};
            builder.body("hub", differs ? prismatic("j" + name, z) : revolute("j" + name, z),
                         "l" + name, MassProperties::sphere(1, 0.1, {0.1, 0, 0}));
        }
        return sizes(record(builder.build(), "mass_matrix").program);
    };
    using Sizes = std::vector<std::size_t>;
    EXPECT_EQ(star(1, false), Sizes{});
    EXPECT_EQ(star(2, false), (Sizes{2}));
    EXPECT_EQ(star(3, false), (Sizes{2}));
    EXPECT_EQ(star(7, false), (Sizes{4, 2}));
    EXPECT_EQ(star(3, true), (Sizes{2}));
    EXPECT_EQ(star(2, true), Sizes{});
}

// --- Whole algorithms ---

TEST(LimbsAsLanes, SayTheSameForWholeAlgorithms) {
    std::mt19937 generator(4);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (const char* name : {"quadruped", "humanoid", "tree(20,1)", "tree(40,2)"}) {
        const Model model = robots::by_name(name);
        for (const char* function : {"inverse_dynamics", "forward_dynamics", "mass_matrix",
                                     "inverse_mass_matrix", "kinetic_energy"}) {
            SCOPED_TRACE(std::string(name) + " " + function);
            const Program program = record(model, function).program;
            Numbers x;
            for (int k = 0; k < program.num_inputs(); ++k) x.push_back(uniform(generator));
            // The error grows with the condition of M, some thousands here.
            expect_same(program, x, 1e-10);
        }
    }
}

// What is left of a quadruped's operations when its four legs are one.
TEST(LimbsAsLanes, TakeFewerOperations) {
    const Model quadruped = robots::quadruped();
    for (const auto& [function, part] :
         {std::pair("inverse_dynamics", 0.45), std::pair("forward_dynamics", 0.45),
          std::pair("coriolis_matrix", 0.45), std::pair("mass_matrix", 0.65)}) {
        const Program program = record(quadruped, function).program;
        EXPECT_LT(with_limbs_as_lanes(program).num_operations(), part * program.num_operations())
            << function;
    }
}

TEST(LimbsAsLanes, AreTakenWhereTheyPay) {
    const Program id = record(robots::quadruped(), "inverse_dynamics").program;
    EXPECT_EQ(with_lanes_where_they_pay(id).num_operations(),
              with_limbs_as_lanes(id).num_operations());
    Recorder r;  // a sum of four numbers: to bring them into lanes takes as long
    Value sum = r.input(4);
    for (int k = 0; k < 4; ++k) sum = r.add(sum, r.input(k));
    const Program program = limb_program(r, {sum}, 4, 5);
    EXPECT_EQ(with_lanes_where_they_pay(program).nodes, program.nodes);
    EXPECT_NE(with_limbs_as_lanes(program).nodes, program.nodes);
}

// Limbs that do the same to their numbers, but for constants and a few steps, in any order; and sums over them.
TEST(LimbsAsLanes, SayTheSameForAnyProgram) {
    std::mt19937 generator(9);
    const auto below = [&](int n) {
        return static_cast<int>(generator() % static_cast<unsigned>(n));
    };
    for (int trial = 0; trial < 200; ++trial) {
        const int limbs = trial % 2 == 0 ? 4 : 2;
        Recorder r;
        std::vector<Value> trunk{r.input(limbs), r.input(limbs + 1), r.constant(0.5)};
        std::vector<std::vector<Value>> of_limb;
        for (int k = 0; k < limbs; ++k)
            of_limb.push_back({r.input(k), r.sin(r.input(k)), r.cos(r.input(k))});
        for (int step = 0; step < 30; ++step) {
            const int kind = below(8);
            const auto a = static_cast<std::size_t>(below(static_cast<int>(of_limb[0].size())));
            const auto b = static_cast<std::size_t>(below(static_cast<int>(of_limb[0].size())));
            const Value t = trunk[static_cast<std::size_t>(below(static_cast<int>(trunk.size())))];
            const int odd = below(6) == 0 ? below(limbs) : -1;  // a limb that does something else
            if (kind == 7) {
                Value sum = t;
                for (int k = 0; k < limbs; ++k) {
                    const Value x = of_limb[static_cast<std::size_t>(k)][a];
                    sum = k == odd ? r.add(sum, x) : r.subtract(sum, x);
                }
                trunk.push_back(r.multiply(r.constant(0.2), sum));
                continue;
            }
            for (int k = 0; k < limbs; ++k) {
                std::vector<Value>& mine = of_limb[static_cast<std::size_t>(k)];
                const Value c = r.constant(below(3) == 0 ? 1 : 0.1 * below(9) - 0.4);
                const Value x = mine[a], y = k == odd ? t : mine[b];
                mine.push_back(kind == 0   ? r.add(x, y)
                               : kind == 1 ? r.subtract(x, y)
                               : kind == 2 ? r.multiply(x, t)
                               : kind == 3 ? r.multiply(c, x)
                               : kind == 4 ? r.add(r.multiply(c, t), x)
                               : kind == 5 ? r.select(r.less(x, y), x, t)
                                           : r.multiply(x, y));
            }
        }
        std::vector<Value> outputs(trunk.end() - 2, trunk.end());
        for (const auto& mine : of_limb) outputs.insert(outputs.end(), mine.end() - 3, mine.end());
        const Program program = limb_program(r, outputs, limbs, limbs + 2);
        SCOPED_TRACE(trial);
        Numbers inputs;
        for (int k = 0; k < limbs + 2; ++k) inputs.push_back(0.01 * below(200) - 1);
        expect_same(program, inputs, 1e-9);
    }
}

// --- Outputs ---

TEST(PairedOutputs, StandSideBySideInOneValue) {
    Recorder r;
    const Value a = r.multiply(r.input(0), r.input(1)), b = r.add(r.input(0), r.input(1));
    const Value c = r.subtract(r.input(0), r.input(1));
    Program program;
    program.nodes = r.take_nodes();
    program.input_groups = {{"x", 2}};
    program.output_groups = {{"y", 4}, {"z", 2}};
    program.outputs = {a, b, c, 0, c, a};  // zero is not computed, and y and z are not side by side
    const Program paired = with_paired_outputs(program);
    EXPECT_EQ(count(paired, Op::kPair, 2), 2);
    const Numbers inputs{3, 5}, expected{15, 8, -2, 0, -2, 15};
    EXPECT_EQ(evaluate(paired, inputs).outputs, expected);
    if (!can_assemble(active_isa())) return;
    EXPECT_EQ(run_code(*assemble(program, active_isa(), Lanes::kOneF64), program, inputs),
              expected);
}

// Numbers of one value, in every order: the middle two of four lanes, though neighbours, are in no half.
TEST(PairedOutputs, OfFourLanesInEveryOrder) {
    Program program;
    const auto put = [&](Op op, Value a, Value b, double number, int lanes) {
        program.nodes.push_back({op, {a, b, 0}, number, lanes});
        return static_cast<Value>(program.nodes.size()) - 1;
    };
    put(Op::kConstant, 0, 0, 0, 1);
    std::array<Value, 4> x{}, y{};
    for (std::size_t k = 0; k < 4; ++k) x[k] = put(Op::kInput, 0, 0, static_cast<double>(k), 1);
    const Value low = put(Op::kPair, x[0], x[1], 0, 2), high = put(Op::kPair, x[2], x[3], 0, 2);
    const Value four = put(Op::kPair, low, high, 0, 4), twice = put(Op::kAdd, four, four, 0, 4);
    const Value halves[] = {put(Op::kLow, twice, 0, 0, 2), put(Op::kHigh, twice, 0, 0, 2)};
    for (std::size_t k = 0; k < 4; ++k)
        y[k] = put(k % 2 == 0 ? Op::kLow : Op::kHigh, halves[k / 2], 0, 0, 1);
    program.input_groups = {{"x", 4}};
    program.output_groups = {{"y", 4}};
    const Numbers inputs{3, 5, 7, 11};
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    do {
        program.outputs.clear();
        Numbers expected;
        for (const std::size_t k : order) {
            program.outputs.push_back(y[k]);
            expected.push_back(2 * inputs[k]);
        }
        EXPECT_EQ(evaluate(with_paired_outputs(program), inputs).outputs, expected);
    } while (std::next_permutation(order.begin(), order.end()));
}

// Runs of zeros of any length, and what is before and after them.
TEST(PairedOutputs, LeaveZerosWhereTheyAre) {
    if (!can_assemble(active_isa())) GTEST_SKIP() << "this machine has no assembler";
    for (int zeros = 0; zeros < 12; ++zeros) {
        Recorder r;
        const Value x = r.multiply(r.input(0), r.input(0));
        Program program;
        program.nodes = r.take_nodes();
        program.input_groups = {{"x", 1}};
        program.outputs.assign(static_cast<std::size_t>(zeros) + 2, 0);
        program.outputs.front() = program.outputs.back() = x;
        program.output_groups = {{"y", zeros + 2}};
        Numbers expected(static_cast<std::size_t>(zeros) + 2, 0);
        expected.front() = expected.back() = 9;
        EXPECT_EQ(run_code(*assemble(program, active_isa(), Lanes::kOneF64), program, {3}),
                  expected);
    }
}

}  // namespace
}  // namespace plucker::compiler
