// Many robots at once, in lanes, beside each of them alone: robots, grounds and starts by generation.
#include <gtest/gtest.h>

#include <random>

#include "plucker/plucker.hpp"
#include "plucker/simulate/batch_simulator.hpp"
#include "plucker/simulate/start.hpp"
#include "scenes.hpp"
#include "support/missing_isa.hpp"

namespace plucker::test {
namespace {

using RobotRows = batch::Simulator::Rows;

// A robot and where it begins: above the ground, turned and moving at random.
struct Kind {
    std::string name;
    Model model;
    double height = 0;  // of its lowest part; it falls from a little higher
    double turned = 0;  // by at most so much
    double stiffness = 0;
};

// Bodies of several forms, one above the other.
Model heap() {
    std::vector<Thing> all{box("box", {0.2, 0.15, 0.1}, 1, 0.5), ball("ball", 0.08, 0.5, 0.7, 0.3)};
    const MassProperties mass = MassProperties::box(0.7, {0.1, 0.1, 0.2});
    all.push_back({"capsule", Capsule{0.04, 0.15}, mass, {0.4, 0, 0}});
    all.push_back({"cylinder", Cylinder{0.06, 0.12}, mass, {0.6, 0, 0}});
    return things(all);
}

// Hinges that rub, between stops.
Model rubbing_chain() {
    Description d = robots::chain(4).description();
    for (JointDescription& joint : d.joints) {
        joint.limits.lower = -0.4;
        joint.limits.upper = 0.3;
        joint.friction = 0.02;
        joint.damping = 0.01;
    }
    for (LinkDescription& link : d.links) link.collisions.clear();
    return Model(d);
}

std::vector<Kind> kinds() {
    return {{"quadruped", robots::quadruped(), 0, 0.1, 40},
            {"humanoid", robots::humanoid(), 0, 0.05, 0},
            {"heap", heap(), 0.3, 3, 0},
            {"chain", rubbing_chain(), 0, 0, 0}};
}

struct Ground {
    std::string name;
    World world;
    SimulatorOptions options;
};

std::vector<Ground> grounds() {
    World flat = World::flat();
    flat.surface.friction = 0.8;
    World slope = World::flat({0.15, 0.05, 1});
    slope.surface.friction = 0.1;
    World stairs = flat;
    for (int k = 1; k < 4; ++k) {
        stairs.shapes.push_back({.name = "step",
                                 .placement = Pose<double>::translation(0.25 * k, 0, 0.01 * k),
                                 .geometry = Box{{0.25, 4, 0.02 * k}}});
    }
    World hills;
    hills.surface = {0.6, 0, 0.2};
    HeightField field{.name = "hills", .origin = {-2, -2, 0}, .spacing_x = 0.3, .spacing_y = 0.3};
    field.points_x = field.points_y = 14;
    for (int k = 0; k < 14 * 14; ++k) field.heights.push_back(0.02 * std::sin(1.7 * k));
    hills.fields.push_back(field);
    const SimulatorOptions coarse{.step = 5e-3};
    SimulatorOptions soft{.step = 2e-3};
    soft.compliance = 1e-5;
    return {{"flat", flat, coarse},
            {"slope", slope, coarse},
            {"stairs", stairs, coarse},
            {"hills", hills, {.step = 2e-3}},
            {"soft", flat, soft}};
}

// N robots of a kind, each with a state, torques and pushes of its own.
struct Crowd {
    Crowd(const Kind& kind, const Ground& ground, int robots, unsigned seed,
          std::span<const World> worlds = {})
        : model(kind.model), ground(ground), stiffness(kind.stiffness) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> number(-1, 1);
        q.resize(robots, model.nq());
        v.resize(robots, model.nv());
        tau.resize(robots, model.nv());
        for (int i = 0; i < robots; ++i) {
            VectorX<double> start = neutral_configuration(model);
            VectorX<double> turn = VectorX<double>::Zero(model.nv());
            int floating = 0;
            for (int b = 1; b <= model.num_bodies(); ++b) {
                const Body<double>& body = model.body(b);
                const std::string& name = model.joint(b).name;
                if (body.joint == JointType::kFloating) {
                    start[body.q_index + 2] = kind.height + 0.25 * floating++ + 0.02 * i;
                    for (int k = 0; k < 3; ++k)
                        turn[body.v_index + k] = kind.turned * number(random);
                } else if (kind.name == "chain") {
                    start[body.q_index] = 0.25 * number(random);
                }
                if (name.ends_with("hip_flexion")) start[body.q_index] = 0.8;
                if (name.ends_with("knee") && kind.name == "quadruped") start[body.q_index] = -1.6;
            }
            start = integrate(model, start, turn);
            if (kind.height == 0) {
                const auto n = static_cast<std::size_t>(i);
                const World& own = worlds.empty() ? ground.world : worlds[n];
                put_on_ground(model, own, {0, 0, 1}, start);
                lift(model, {0, 0, 1}, 0.04 + 0.002 * (i % 4), start);
            }
            q.row(i) = start.transpose();
            for (int k = 0; k < model.nv(); ++k) {
                v(i, k) = 0.5 * number(random);
                tau(i, k) = k < 6 ? 0 : 0.1 * number(random);
            }
        }
    }
    int size() const { return static_cast<int>(q.rows()); }
    // Some are pushed, one of them twice.
    void push(int i, ExternalForces<double>& forces) const {
        if (i % 3 == 1) return;
        const FrameId last = model.frame_id(model.body_name(model.num_bodies()));
        forces.add(last, {{0.01 * i, 0, 0}, {0, 0.3 * i, 0.1}}, ReferenceFrame::kWorldAligned);
        if (i % 3 == 0) forces.add(last, {{}, {0.2, 0, 0}}, ReferenceFrame::kBody);
    }
    std::unique_ptr<batch::Simulator> together(std::span<const int> chosen, int threads) const {
        const int n = static_cast<int>(chosen.size());
        auto out =
            std::make_unique<batch::Simulator>(model, ground.world, n, ground.options, threads);
        begin(chosen, *out);
        return out;
    }
    void begin(std::span<const int> chosen, batch::Simulator& all) const {
        all.set_states(rows_of(q, chosen), rows_of(v, chosen));
        if (stiffness > 0) all.hold(constant(stiffness), constant(1));
        for (int i = 0; i < all.size(); ++i)
            push(chosen[static_cast<std::size_t>(i)], all.forces(i));
    }
    Simulator alone(int i, const World& world) const {
        Simulator out(model, world, ground.options);
        out.set_state(q.row(i), v.row(i));
        if (stiffness > 0) out.hold(out.q(), constant(stiffness), constant(1));
        push(i, out.forces());
        return out;
    }
    VectorX<double> constant(double x) const { return VectorX<double>::Constant(model.nv(), x); }
    static RobotRows rows_of(const RobotRows& all, std::span<const int> chosen) {
        RobotRows out(static_cast<long>(chosen.size()), all.cols());
        for (std::size_t k = 0; k < chosen.size(); ++k)
            out.row(static_cast<long>(k)) = all.row(chosen[k]);
        return out;
    }

    Model model;
    Ground ground;
    double stiffness;
    RobotRows q, v, tau;
};

std::vector<int> range(int first, int count) {
    std::vector<int> out;
    for (int k = 0; k < count; ++k) out.push_back(first + k);
    return out;
}

double apart(const batch::Simulator& all, int i, const Simulator& alone) {
    const VectorX<double> q = all.q().row(i), v = all.v().row(i);
    return std::max((q - alone.q()).lpNorm<Eigen::Infinity>(),
                    (v - alone.v()).lpNorm<Eigen::Infinity>());
}

// A robot in a lane and the same alone, step by step, for as long as both are at the same place: what solutions within the
// solver's target differ by, impacts make larger.
struct Pair {
    Simulator alone;
    bool is_same = true;
    int steps = 0;

    void step(const batch::Simulator& all, int i, const VectorX<double>& tau,
              const std::string& where) {
        if (!is_same) return;
        ++steps;
        const StepReport report = alone.step(tau);
        const StepReport& own = all.reports()[static_cast<std::size_t>(i)];
        const double size = 1 + alone.v().lpNorm<Eigen::Infinity>();
        // Coulomb's law may have several solutions. Newton's method leads both to the same; where one of them had to be looked
        // for elsewhere, rounding may decide which is found.
        const bool is_hard = std::max(report.solver.by, own.solver.by) > SolvedBy::kNewton;
        if (!is_hard) EXPECT_LT(apart(all, i, alone), 1e-6 * size) << where;
        EXPECT_DOUBLE_EQ(all.time(i), alone.time()) << where;
        EXPECT_EQ(own.status, report.status) << where;
        EXPECT_EQ(own.solver.converged, report.solver.converged) << where;
        EXPECT_EQ(own.solver.by == SolvedBy::kNothing, report.solver.by == SolvedBy::kNothing)
            << where;
        EXPECT_NEAR(own.deepest, report.deepest, 1e-8) << where;
        ASSERT_EQ(all.contacts(i).size(), alone.contacts().size()) << where;
        for (std::size_t k = 0; k < alone.contacts().size(); ++k) {
            EXPECT_EQ(all.contacts(i)[k].point.id, alone.contacts()[k].point.id) << where;
        }
        is_same = apart(all, i, alone) < 1e-9 * size;
    }
};

void run_beside(const Crowd& crowd, batch::Simulator& all, std::vector<Pair>& each, int steps,
                const std::string& where) {
    int compared = 0;
    for (int k = 0; k < steps; ++k) {
        all.step(crowd.tau);
        for (int i = 0; i < all.size(); ++i) {
            each[static_cast<std::size_t>(i)].step(
                all, i, crowd.tau.row(i),
                where + ", robot " + std::to_string(i) + ", step " + std::to_string(k));
        }
    }
    for (const Pair& pair : each) compared += pair.steps;
    EXPECT_GT(compared, steps * all.size() / 3) << where;
}

TEST(Lanes, MoveAsEachAlone) {
    for (const Kind& kind : kinds()) {
        for (const Ground& ground : grounds()) {
            const Crowd crowd(kind, ground, 11, 7);
            const auto all = crowd.together(range(0, 11), 1);
            std::vector<Pair> each;
            for (int i = 0; i < 11; ++i) each.push_back({crowd.alone(i, ground.world)});
            run_beside(crowd, *all, each, 60, kind.name + " on " + ground.name);
        }
    }
}

// To the last bit, whoever is beside a robot, wherever it stands among them, on however many threads, in however many calls.
TEST(Lanes, DoNotSeeEachOther) {
    for (const Kind& kind : kinds()) {
        for (const Ground& ground : grounds()) {
            const Crowd crowd(kind, ground, 19, 3);
            const auto all = crowd.together(range(0, 19), 2);
            std::vector<int> chosen{17, 4, 11, 5, 16};
            const auto few = crowd.together(chosen, 1);
            const RobotRows tau = Crowd::rows_of(crowd.tau, chosen);
            all->step(crowd.tau, 80);
            for (int k = 0; k < 80; ++k) few->step(tau);
            for (int i = 0; i < 5; ++i) {
                const int other = chosen[static_cast<std::size_t>(i)];
                const std::string where = kind.name + " on " + ground.name;
                EXPECT_EQ(VectorX<double>(few->q().row(i)), VectorX<double>(all->q().row(other)))
                    << where;
                EXPECT_EQ(VectorX<double>(few->v().row(i)), VectorX<double>(all->v().row(other)))
                    << where;
                EXPECT_EQ(few->reports()[static_cast<std::size_t>(i)].solver.iterations,
                          all->reports()[static_cast<std::size_t>(other)].solver.iterations)
                    << where;
            }
        }
    }
}

TEST(Lanes, HaveTheirOwnGround) {
    for (const Kind& kind : kinds()) {
        const std::vector<Ground> all_grounds = grounds();
        std::vector<World> worlds;
        for (int i = 0; i < 6; ++i)
            worlds.push_back(all_grounds[static_cast<std::size_t>(i % 4)].world);
        const Crowd crowd(kind, all_grounds[0], 6, 5, worlds);
        batch::Simulator all(crowd.model, worlds, crowd.ground.options, 2);
        crowd.begin(range(0, 6), all);
        std::vector<Pair> each;
        for (int i = 0; i < 6; ++i) {
            each.push_back({crowd.alone(i, worlds[static_cast<std::size_t>(i)])});
        }
        run_beside(crowd, all, each, 40, kind.name);
    }
}

// A robot that is put back moves as it did the first time.
TEST(Lanes, BeginAnewByMask) {
    for (const Kind& kind : kinds()) {
        const Crowd crowd(kind, grounds()[0], 10, 2);
        const auto all = crowd.together(range(0, 10), 1);
        all->step(crowd.tau, 50);
        const RobotRows q = all->q(), v = all->v();
        std::vector<std::uint8_t> mask(10, 0);
        mask[3] = mask[8] = 1;
        all->step(crowd.tau, 20);
        all->reset(mask, crowd.q, crowd.v);
        all->step(crowd.tau, 50);
        for (const int i : {3, 8}) {
            if (crowd.stiffness > 0) continue;  // springs pull to where they did
            EXPECT_EQ(VectorX<double>(all->q().row(i)), VectorX<double>(q.row(i))) << kind.name;
            EXPECT_EQ(VectorX<double>(all->v().row(i)), VectorX<double>(v.row(i))) << kind.name;
        }
    }
}

// What lanes cannot solve goes to the engine, and the report says how it was solved.
TEST(Lanes, LeaveHardStepsToTheEngine) {
    const Crowd crowd(kinds()[1], grounds()[0], 8, 1);
    const auto all = crowd.together(range(0, 8), 1);
    int by_newton = 0, by_others = 0, open = 0;
    for (int k = 0; k < 300; ++k) {
        EXPECT_EQ(all->step(), 0);
        for (const StepReport& report : all->reports()) {
            by_newton += report.solver.by == SolvedBy::kNewton ? 1 : 0;
            by_others += report.solver.by > SolvedBy::kNewton ? 1 : 0;
            open += report.solver.converged ? 0 : 1;
            EXPECT_EQ(report.solver.converged, report.solver.certificate.worst() < 1.01e-6);
        }
    }
    EXPECT_GT(by_newton, 1000);
    EXPECT_GT(by_others, 0);
    EXPECT_LT(open, 24);
}

}  // namespace
}  // namespace plucker::test
