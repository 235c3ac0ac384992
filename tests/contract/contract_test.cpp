// The contract (docs/contract.md), kept by every in-place function on every kind of robot.
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "plucker/compiler/compile.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"
#include "support/count_allocations.hpp"
#include "support/error_message.hpp"
#include "support/in_place_functions.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Equal to the last bit, NaN included.
bool same_bits(const VectorX<double>& a, const VectorX<double>& b) {
    if (a.size() != b.size()) return false;
    for (long k = 0; k < a.size(); ++k) {
        if (std::bit_cast<std::uint64_t>(a[k]) != std::bit_cast<std::uint64_t>(b[k])) return false;
    }
    return true;
}

// Less can be said of these two: the first begins with other calls on the same arguments, the second returns its result.
bool is_chained(const InPlaceFunction& f) {
    return f.name == "solve_with_factor" || f.name == "constraint_force";
}

bool starts_with_name(const std::string& message, const InPlaceFunction& f) {
    if (message.starts_with(f.name + ": ")) return true;
    return f.name == "solve_with_factor" && message.starts_with("mass_matrix: ");
}

// Two legs with a foot between them, and a gear.
Model linkage() {
    const MassProperties mass = MassProperties::box(1, {0.1, 0.2, 0.3}, {0.02, -0.03, -0.2});
    return Builder("linkage")
        .base(Base::kFloating)
        .link("hip", mass)
        .body("hip", revolute("left", {0, 1, 0}).at(0.1, 0, 0), "left_leg", mass)
        .body("hip", revolute("right", {0, 1, 0.2}).at(-0.1, 0, 0), "right_leg", mass)
        .body("right_leg", spherical("ankle").at(0, 0, -0.5), "foot", mass)
        .frame("toe", "foot", Pose<double>::translation(0.2, 0, 0))
        .constraint(connect("sole", "left_leg", "toe"))
        .constraint(gear("mesh", "left", "right", -2))
        .build();
}

// "compiled arm" is the arm as machine code, which has a short way through the door.
Model model_called(const std::string& name) {
    constexpr std::string_view kCompiled = "compiled ", kJoint = "joint_";
    if (name.starts_with(kCompiled)) return compile(model_called(name.substr(kCompiled.size())));
    if (name == "linkage") return linkage();
    return name.starts_with(kJoint) ? joint_model(name.substr(kJoint.size()))
                                    : robots::by_name(name);
}

class Contract : public testing::TestWithParam<std::string> {
protected:
    Model model_ = model_called(GetParam());
    ExternalForces<double> forces_ = make_forces();
    std::vector<InPlaceFunction> functions_ = in_place_functions(model_);

    ExternalForces<double> make_forces() const {
        ExternalForces<double> forces(model_);
        const FrameId last = model_.body_frame(model_.num_bodies());
        forces.add(last, {{1, 2, 3}, {4, 5, 6}}, ReferenceFrame::kWorld);
        forces.add(last, {{3, 1, 2}, {6, 4, 5}}, ReferenceFrame::kWorldAligned);
        return forces;
    }

    // A workspace with what the function reads.
    Workspace<double> workspace(OnFailure on_failure = OnFailure::kThrow, unsigned seed = 7) const {
        Workspace<double> ws(model_, on_failure);
        fill_kinematics(ws, seed);
        return ws;
    }
    void fill_kinematics(Workspace<double>& ws, unsigned seed) const {
        std::mt19937 generator(seed);
        const VectorX<double> q = random_configuration(model_, generator);
        const VectorX<double> v = VectorX<double>::LinSpaced(model_.nv(), -1, 2);
        const VectorX<double> a = VectorX<double>::LinSpaced(model_.nv(), 3, -1);
        forward_kinematics(ws, q, v, a);
    }
    ArrangedCall arranged(const InPlaceFunction& f, unsigned seed) const {
        ArrangedCall x = arrange(model_, f, seed);
        if (f.takes_forces) x.call.external = &forces_;
        return x;
    }
    // What the function gives with memory of its own.
    std::vector<VectorX<double>> results(const InPlaceFunction& f, unsigned seed) const {
        Workspace<double> ws = workspace();
        ArrangedCall x = arranged(f, seed);
        EXPECT_EQ(f.call(ws, x.call), Status::kOk);
        return x.outputs;
    }

    // Calls `spoil` on one call after another of which something is wrong, each on a fresh call: it spoils the call and
    // says what is to be reported. In the form that throws, the message names the function and `names`, and outputs stay
    // as they were; in the form that reports, outputs are NaN and nothing is allocated.
    void expect_failure(const InPlaceFunction& f, Status status, const std::string& names,
                        const std::function<void(ArrangedCall&)>& spoil) const {
        SCOPED_TRACE(names);
        Workspace<double> throwing = workspace();
        ArrangedCall x = arranged(f, 3);
        spoil(x);
        const std::vector<VectorX<double>> before = x.outputs;
        const std::string text = message([&] { (void)f.call(throwing, x.call); });
        EXPECT_TRUE(starts_with_name(text, f)) << text;
        EXPECT_NE(text.find(names), std::string::npos) << text;
        const bool untouched = !is_chained(f) && status != Status::kSingularMassMatrix;
        for (std::size_t k = 0; k < before.size() && untouched; ++k) {
            EXPECT_TRUE(same_bits(before[k], x.outputs[k])) << "output " << k;
        }

        Workspace<double> reporting = workspace(OnFailure::kReport);
        x = arranged(f, 3);
        spoil(x);
        const long count = allocations;
        const Status told = f.call(reporting, x.call);
        if (PLUCKER_CAN_COUNT && !f.returns_by_value) {
            EXPECT_EQ(allocations - count, 0);
        }
        EXPECT_EQ(told, status) << name_of(told);
        EXPECT_EQ(reporting.status(), status);
        for (std::size_t k = 0; k < x.outputs.size(); ++k) {
            const OperandShape& given = x.call.output_shapes[k];
            if (!is_chained(f) && x.call.outputs[k] == x.outputs[k].data() &&
                given.rows == f.outputs[k].rows && given.columns == f.outputs[k].columns) {
                EXPECT_TRUE(x.outputs[k].array().isNaN().all()) << "output " << k;
            }
        }
        // The workspace is as good as before.
        fill_kinematics(reporting, 7);
        x = arranged(f, 5);
        EXPECT_EQ(f.call(reporting, x.call), Status::kOk);
        const auto good = results(f, 5);
        for (std::size_t k = 0; k < good.size(); ++k) EXPECT_TRUE(same_bits(good[k], x.outputs[k]));
    }
};

TEST_P(Contract, ArgumentsOfWrongSizeAreNamed) {
    for (const InPlaceFunction& f : functions_) {
        SCOPED_TRACE(f.name);
        for (std::size_t k = 0; k < f.inputs.size(); ++k) {
            expect_failure(f, Status::kMisuse,
                           f.inputs[k].name + " has size " + std::to_string(f.inputs[k].rows - 1),
                           [&](ArrangedCall& x) { --x.call.input_shapes[k].rows; });
        }
        if (f.returns_by_value || is_chained(f)) continue;
        for (std::size_t k = 0; k < f.outputs.size(); ++k) {
            expect_failure(f, Status::kMisuse, f.outputs[k].name,
                           [&](ArrangedCall& x) { x.call.output_shapes[k].rows -= 1; });
            if (f.outputs[k].columns == 1 || stands_row_by_row(f.outputs[k].kind)) continue;
            expect_failure(f, Status::kMisuse, f.outputs[k].name,
                           [&](ArrangedCall& x) { --x.call.output_shapes[k].columns; });
        }
    }
}

TEST_P(Contract, NumbersThatAreNotFiniteAreNamed) {
    for (const InPlaceFunction& f : functions_) {
        SCOPED_TRACE(f.name);
        for (std::size_t k = 0; k < f.inputs.size(); ++k) {
            for (const double bad : {kNaN, kInfinity, -kInfinity}) {
                for (const int at : {0, f.inputs[k].rows - 1}) {
                    expect_failure(f, Status::kNonFiniteInput,
                                   f.inputs[k].name + "[" + std::to_string(at) + "] (joint '",
                                   [&](ArrangedCall& x) { x.inputs[k][at] = bad; });
                }
            }
        }
        // Outputs that are also read. Hybrid dynamics reads only what is given.
        for (std::size_t k = 0; k < f.outputs.size(); ++k) {
            if (!f.outputs[k].is_read || f.name == "hybrid_dynamics") continue;
            // Of a symmetric matrix what is below the diagonal is not looked at.
            const int at = f.outputs[k].kind == Kind::kSymmetricMatrix ? 0 : f.outputs[k].rows - 1;
            expect_failure(f, Status::kNonFiniteInput, f.outputs[k].name + "[",
                           [&](ArrangedCall& x) { x.outputs[k][at] = kNaN; });
        }
        if (!f.takes_forces) continue;
        ExternalForces<double> broken = make_forces();
        broken.add(model_.body_frame(1), {{0, 0, kNaN}, {}}, ReferenceFrame::kBody);
        expect_failure(f, Status::kNonFiniteInput, "an external force holds nan",
                       [&](ArrangedCall& x) { x.call.external = &broken; });
    }
}

TEST_P(Contract, QuaternionsWithoutDirectionAreRefused) {
    for (const int body : model_.bodies_with_quaternion()) {
        const int at = model_.body(body).q_index + model_.body(body).nq - 4;
        for (const InPlaceFunction& f : functions_) {
            SCOPED_TRACE(f.name);
            // The squares of two of these are numbers, though few digits of them are left.
            for (const double length : {0.0, 1e-200, 1e-155, 0.9e154, 1e200}) {
                const auto spoil = [&](VectorX<double>& q) {
                    q.segment(at, 4) = length * q.segment(at, 4).eval();
                };
                for (std::size_t k = 0; k < f.inputs.size(); ++k) {
                    if (!f.inputs[k].is_configuration()) continue;
                    expect_failure(f, Status::kNoAttitude,
                                   "the quaternion of joint '" + model_.joint(body).name + "'",
                                   [&](ArrangedCall& x) { spoil(x.inputs[k]); });
                }
                if (f.name == "normalize_configuration" || f.name == "project_configuration") {
                    expect_failure(f, Status::kNoAttitude, model_.joint(body).name,
                                   [&](ArrangedCall& x) { spoil(x.outputs[0]); });
                }
            }
        }
    }
}

// Quaternions may have any other length: the result is that of the unit quaternion, but for rounding.
TEST_P(Contract, TheLengthOfAQuaternionDoesNotMatter) {
    for (const InPlaceFunction& f : functions_) {
        SCOPED_TRACE(f.name);
        const auto expected = results(f, 11);
        Workspace<double> ws = workspace();
        ArrangedCall x = arranged(f, 11);
        for (const int body : model_.bodies_with_quaternion()) {
            const int at = model_.body(body).q_index + model_.body(body).nq - 4;
            for (std::size_t k = 0; k < f.inputs.size(); ++k) {
                if (f.inputs[k].is_configuration()) x.inputs[k].segment(at, 4) *= 1.7;
            }
        }
        ASSERT_EQ(f.call(ws, x.call), Status::kOk);
        for (std::size_t k = 0; k < expected.size(); ++k) {
            EXPECT_LE((x.outputs[k] - expected[k]).cwiseAbs().maxCoeff(),
                      1e-11 * (1e-3 + expected[k].cwiseAbs().maxCoeff()));
        }
    }
}

TEST_P(Contract, AnInputMayBeAnOutput) {
    for (const InPlaceFunction& f : functions_) {
        if (f.returns_by_value) continue;
        for (std::size_t i = 0; i < f.inputs.size(); ++i) {
            for (std::size_t o = 0; o < f.outputs.size(); ++o) {
                const int room = f.outputs[o].rows * f.outputs[o].columns - f.inputs[i].rows;
                if (f.outputs[o].is_read || room < 0) continue;
                SCOPED_TRACE(f.name + ": " + f.inputs[i].name + " in " + f.outputs[o].name);
                const auto expected = results(f, 13);
                for (const int offset : {0, room / 2, room}) {
                    Workspace<double> ws = workspace();
                    ArrangedCall x = arranged(f, 13);
                    std::copy_n(x.inputs[i].data(), f.inputs[i].rows, x.outputs[o].data() + offset);
                    x.call.inputs[i] = x.outputs[o].data() + offset;
                    ASSERT_EQ(f.call(ws, x.call), Status::kOk);
                    for (std::size_t k = 0; k < expected.size(); ++k) {
                        EXPECT_TRUE(same_bits(expected[k], x.outputs[k]))
                            << "output " << k << ", offset " << offset;
                    }
                }
            }
        }
    }
}

// Whatever the distance of its columns, an output is what it is by itself, and what lies between them stays. Code that was made
// for the robot leaves such outputs to the kernels, which round in other places.
TEST_P(Contract, OutputsMayBePartsOfLargerMatrices) {
    for (const InPlaceFunction& f : functions_) {
        const bool has_spans =
            std::any_of(f.outputs.begin(), f.outputs.end(),
                        [](const auto& output) { return output.kind == Kind::kJointForces; });
        if (f.returns_by_value || has_spans) continue;
        SCOPED_TRACE(f.name);
        const auto expected = results(f, 13);
        for (const long beside : {1L, 5L, 30L}) {
            constexpr double kOthers = 5;
            Workspace<double> ws = workspace();
            ArrangedCall x = arranged(f, 13);
            std::vector<MatrixX<double>> larger;
            for (std::size_t k = 0; k < f.outputs.size(); ++k) {
                const long rows = f.outputs[k].rows, columns = f.outputs[k].columns;
                larger.emplace_back(MatrixX<double>::Constant(rows + beside, columns, kOthers));
                larger[k].topRows(rows) = x.outputs[k].reshaped(rows, columns);
            }
            for (std::size_t k = 0; k < larger.size(); ++k) x.call.outputs[k] = larger[k].data();
            x.call.beside = beside;
            ASSERT_EQ(f.call(ws, x.call), Status::kOk);
            for (std::size_t k = 0; k < larger.size(); ++k) {
                const MatrixX<double> found = larger[k].topRows(f.outputs[k].rows);
                EXPECT_LE((found.reshaped() - expected[k]).cwiseAbs().maxCoeff(),
                          1e-11 * (1e-3 + expected[k].cwiseAbs().maxCoeff()))
                    << f.outputs[k].name << ", " << beside << " beside";
                EXPECT_TRUE((larger[k].bottomRows(beside).array() == kOthers).all())
                    << f.outputs[k].name << ", " << beside << " beside";
            }
        }
    }
}

TEST_P(Contract, TwoOutputsMustNotShareMemory) {
    for (const InPlaceFunction& f : functions_) {
        SCOPED_TRACE(f.name);
        for (std::size_t first = 0; first < f.outputs.size(); ++first) {
            for (std::size_t second = first + 1; second < f.outputs.size(); ++second) {
                if (is_chained(f)) continue;  // for solve_with_factor, see below
                expect_failure(f, Status::kMisuse, "share memory", [&](ArrangedCall& x) {
                    const bool larger = x.outputs[first].size() > x.outputs[second].size();
                    x.call.outputs[larger ? second : first] =
                        x.call.outputs[larger ? first : second];
                });
            }
        }
    }
    Workspace<double> ws(model_);
    MatrixX<double> LD = MatrixX<double>::Identity(model_.nv(), model_.nv());
    EXPECT_NE(message([&] { solve_with_factor(ws, LD, LD.col(0)); }).find("share memory"),
              std::string::npos);
}

TEST_P(Contract, ResultsOfForwardKinematicsAreLeftAlone) {
    const auto queries = [&](Workspace<double>& ws) {
        std::vector<VectorX<double>> out;
        for (const InPlaceFunction& query : functions_) {
            if (query.reads == Kinematics::kNone) continue;
            ArrangedCall x = arranged(query, 17);
            EXPECT_EQ(query.call(ws, x.call), Status::kOk);
            out.insert(out.end(), x.outputs.begin(), x.outputs.end());
        }
        return out;
    };
    Workspace<double> ws = workspace();
    const auto before = queries(ws);
    for (const InPlaceFunction& f : functions_) {
        if (f.fills_kinematics) continue;
        SCOPED_TRACE(f.name);
        ArrangedCall x = arranged(f, 19);
        ASSERT_EQ(f.call(ws, x.call), Status::kOk);
        const auto after = queries(ws);
        for (std::size_t k = 0; k < before.size(); ++k) EXPECT_TRUE(same_bits(before[k], after[k]));
    }
}

// A result depends on the arguments alone, not on what the workspace was used for before.
TEST_P(Contract, NoCallLeavesTracesInAnother) {
    std::vector<std::vector<VectorX<double>>> expected;
    for (const InPlaceFunction& f : functions_) expected.push_back(results(f, 23));
    for (const InPlaceFunction& before : functions_) {
        Workspace<double> ws = workspace();
        for (std::size_t k = 0; k < functions_.size(); ++k) {
            ArrangedCall other = arranged(before, 29);
            ASSERT_EQ(before.call(ws, other.call), Status::kOk);
            if (before.fills_kinematics) fill_kinematics(ws, 7);
            ArrangedCall x = arranged(functions_[k], 23);
            ASSERT_EQ(functions_[k].call(ws, x.call), Status::kOk);
            if (functions_[k].fills_kinematics) fill_kinematics(ws, 7);
            for (std::size_t o = 0; o < x.outputs.size(); ++o) {
                EXPECT_TRUE(same_bits(expected[k][o], x.outputs[o]))
                    << functions_[k].name << " after " << before.name;
            }
        }
    }
}

TEST_P(Contract, NoCallAllocates) {
    if (!PLUCKER_CAN_COUNT) GTEST_SKIP() << "a sanitizer counts instead";
    Workspace<double> ws = workspace();
    for (const InPlaceFunction& f : functions_) {
        ArrangedCall x = arranged(f, 31);
        const long before = allocations;
        (void)f.call(ws, x.call);
        // A result by value is put into an Eigen matrix by the table, once.
        EXPECT_EQ(allocations - before, f.returns_by_value ? 1 : 0) << f.name;
    }
}

TEST_P(Contract, QueriesSayWhichCallIsMissing) {
    const char* const needed[] = {"", "(workspace, q) first", "(workspace, q, v) first",
                                  "(workspace, q, v, a) first"};
    for (const InPlaceFunction& f : functions_) {
        if (f.reads == Kinematics::kNone) continue;
        SCOPED_TRACE(f.name);
        ArrangedCall x = arranged(f, 37);
        std::mt19937 generator(1);
        const VectorX<double> q = random_configuration(model_, generator);
        const VectorX<double> zero = VectorX<double>::Zero(model_.nv());
        Workspace<double> ws(model_);
        for (const Kinematics level :
             {Kinematics::kNone, Kinematics::kPosition, Kinematics::kVelocity}) {
            if (level == Kinematics::kPosition) forward_kinematics(ws, q);
            if (level == Kinematics::kVelocity) forward_kinematics(ws, q, zero);
            const std::string text = message([&] { (void)f.call(ws, x.call); });
            if (f.reads > level) {
                EXPECT_NE(text.find(needed[static_cast<int>(f.reads)]), std::string::npos) << text;
            } else {
                EXPECT_EQ(text, "no error");
            }
        }
        // What failed, or was computed with other constants, is no longer there.
        VectorX<double> nan = zero;
        if (nan.size() > 0) nan[0] = kNaN;
        EXPECT_THROW(forward_kinematics(ws, q, nan), Error);
        EXPECT_THROW((void)f.call(ws, x.call), Error);
        fill_kinematics(ws, 7);
        ws.set_gravity({0, 0, -1});
        EXPECT_THROW((void)f.call(ws, x.call), Error);
    }
}

TEST_P(Contract, AnotherModelsFramesAndForcesAreRefused) {
    const Model twin(model_.description());
    ExternalForces<double> of_twin(twin);
    of_twin.add(twin.body_frame(1), {{}, {1, 0, 0}}, ReferenceFrame::kBody);
    const Model copy = model_;
    ExternalForces<double> of_copy(copy);
    of_copy.add(copy.body_frame(1), {{}, {1, 0, 0}}, ReferenceFrame::kBody);
    for (const InPlaceFunction& f : functions_) {
        SCOPED_TRACE(f.name);
        Workspace<double> ws = workspace();
        if (f.takes_forces) {
            expect_failure(f, Status::kMisuse, "made for another model",
                           [&](ArrangedCall& x) { x.call.external = &of_twin; });
            ArrangedCall x = arranged(f, 41);
            x.call.external = &of_copy;
            EXPECT_EQ(f.call(ws, x.call), Status::kOk);
        }
        if (f.takes_frame) {
            expect_failure(f, Status::kMisuse, "belongs to another model",
                           [&](ArrangedCall& x) { x.call.frame = twin.body_frame(1); });
            expect_failure(f, Status::kMisuse, "names no frame",
                           [&](ArrangedCall& x) { x.call.frame = FrameId{}; });
            ArrangedCall x = arranged(f, 41);
            x.call.frame = copy.body_frame(copy.num_bodies());
            EXPECT_EQ(f.call(ws, x.call), Status::kOk);
        }
        if (f.takes_root) {
            for (const int root : {-1, model_.num_bodies() + 1, 1 << 30}) {
                expect_failure(f, Status::kMisuse, "there is no body " + std::to_string(root),
                               [&](ArrangedCall& x) { x.call.root = root; });
            }
        }
    }
    for (const int i : {-1, model_.num_bodies() + 1}) {
        EXPECT_THROW((void)model_.body(i), Error);
        EXPECT_THROW((void)model_.joint(i), Error);
        EXPECT_THROW((void)model_.body_name(i), Error);
        EXPECT_THROW((void)model_.body_frame(i), Error);
    }
    EXPECT_THROW((void)model_.frame_id(-1), Error);
    EXPECT_THROW((void)model_.frame_id(static_cast<int>(model_.frames().size())), Error);
    EXPECT_THROW((void)model_.frame(twin.frame_id(0)), Error);
}

INSTANTIATE_TEST_SUITE_P(Robots, Contract,
                         testing::Values("arm", "exoskeleton", "joint_mimic",
                                         "joint_floating_mimic", "joint_spherical",
                                         "joint_universal", "joint_planar",
                                         "joint_floating_dissipative", "joint_kept_fixed",
                                         "compiled arm", "compiled exoskeleton",
                                         "compiled joint_floating_mimic",
                                         "compiled joint_spherical", "linkage", "compiled linkage"),
                         [](const auto& test) {
                             std::string name = test.param;
                             for (char& c : name)
                                 c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                             return name;
                         });

// A massless leaf: everything exists but what needs a regular mass matrix or the leaf's own centre of mass.
TEST(SingularRobot, HasAllThatExistsAndIsToldWhatDoesNot) {
    const Model model = Builder("massless")
                            .link("ground")
                            .base(Base::kFloating)
                            .body("ground", revolute("hinge", {0, 1, 0}), "rod",
                                  MassProperties::box(1, {0.1, 0.2, 0.3}, {0, 0, 1}))
                            .body("rod", revolute("tip", {0, 1, 0}), "needle")
                            .build();
    Description d = model.description();
    d.links[0].mass = MassProperties::sphere(1, 0.1);
    const Model robot(d);
    for (const InPlaceFunction& f : in_place_functions(robot)) {
        SCOPED_TRACE(f.name);
        // The composite of the whole robot is regular though a joint is not; so is what is told to move.
        const bool regular = !f.needs_regular || f.name == "floating_base_inverse_dynamics";
        for (const OnFailure on_failure : {OnFailure::kThrow, OnFailure::kReport}) {
            Workspace<double> ws(robot, on_failure);
            ArrangedCall x = arrange(robot, f, 3);
            std::fill(x.call.given.begin(), x.call.given.end(), Given::kTorque);
            const VectorX<double> zero = VectorX<double>::Zero(robot.nv());
            forward_kinematics(ws, neutral_configuration(robot), zero, zero);
            const std::string text = message([&] { (void)f.call(ws, x.call); });
            if (on_failure == OnFailure::kReport) {
                EXPECT_EQ(text, "no error");
                EXPECT_EQ(ws.status(), f.takes_root ? Status::kMisuse
                                       : regular    ? Status::kOk
                                                    : Status::kSingularMassMatrix);
            } else if (f.takes_root) {
                EXPECT_NE(text.find("subtree 'needle' has no mass"), std::string::npos) << text;
            } else if (regular) {
                EXPECT_EQ(text, "no error");
            } else {
                EXPECT_NE(text.find("singular at joint 'tip'"), std::string::npos) << text;
            }
            if (regular && !f.takes_root) {
                for (const auto& out : x.outputs) EXPECT_TRUE(out.allFinite());
            }
        }
    }
}

// What was singular is so no more once there is mass: each call tells of its own. Of what solves for the base alone, the base
// is a point.
TEST(SingularRobot, IsForgottenOnceItIsMended) {
    const Model needle = Builder("massless")
                             .base(Base::kFloating)
                             .link("ground", MassProperties::box(1, {0.3, 0.2, 0.1}))
                             .body("ground", revolute("hinge", {0, 1, 0}), "rod",
                                   MassProperties::box(1, {0.1, 0.2, 0.3}, {0, 0, 1}))
                             .body("rod", revolute("tip", {1, 0, 0}), "needle")
                             .build();
    const Model bead =
        Builder("bead").base(Base::kFloating).link("bead", MassProperties::point(1)).build();
    const MassProperties load = MassProperties::box(0.5, {0.2, 0.1, 0.3}, {0.1, -0.2, 0.3});
    int mended = 0;
    for (const auto& [robot, tip] : {std::pair(needle, "needle"), {bead, "bead"}}) {
        const Model& model = robot;
        const Model loaded = with_payload(model, tip, load, "load");
        for (const InPlaceFunction& f : in_place_functions(model)) {
            const bool is_of_base = f.name == "floating_base_inverse_dynamics";
            if (!f.needs_regular || f.takes_root || (is_of_base && model.nv() > 6)) continue;
            SCOPED_TRACE(f.name);
            const auto call = [&](Workspace<double>& ws, const Model& of_matrices) {
                ArrangedCall x = arrange(of_matrices, f, 3);
                x.call.frame = model.body_frame(model.num_bodies());
                std::fill(x.call.given.begin(), x.call.given.end(), Given::kTorque);
                const Status status = f.call(ws, x.call);
                return std::pair(status, x.outputs);
            };
            Workspace<double> ws(model, OnFailure::kReport), fresh(model);
            EXPECT_EQ(call(ws, model).first, Status::kSingularMassMatrix);
            ws.set_payload(model.frame_id(tip), load);
            fresh.set_payload(model.frame_id(tip), load);
            const auto [status, outputs] = call(ws, loaded);
            EXPECT_EQ(status, Status::kOk) << name_of(status);
            const auto expected = call(fresh, loaded).second;
            for (std::size_t k = 0; k < expected.size(); ++k)
                EXPECT_TRUE(same_bits(expected[k], outputs[k])) << "output " << k;
            ++mended;
        }
    }
    EXPECT_GE(mended, 17);
}

// A point mass on a hinge's own axis, with the rounding of turned frames: M is singular to whoever factors it, by kernels or by
// code that was made for the robot, after whatever was computed before, and wherever M comes from.
TEST(SingularMassMatrix, IsTheSameWhateverWasComputedBefore) {
    int robots = 0;
    for (const double mass : {1e-6, 1.0, 1e6}) {
        for (const double length : {1e-3, 1.0, 1e3}) {
            for (const int extra : {0, 1, 3}) {
                const Vec3<double> axis = (1 / std::sqrt(3.0)) * Vec3<double>{1, 1, 1};
                Builder builder("needle");
                builder.link("ground");
                std::string parent = "ground";
                for (int k = 0; k < extra; ++k) {
                    const std::string name = "link" + std::to_string(k);
                    builder.body(parent, revolute("joint" + std::to_string(k), {0.3, 1, 0.1}), name,
                                 MassProperties::box(mass, {length, length, length},
                                                     {0.1 * length, 0, length}));
                    parent = name;
                }
                JointDescription hinge = revolute("hinge", axis).at(0.1 * length, 0, length);
                builder.body(parent, hinge, "point", MassProperties::point(mass, length * axis))
                    .physics(Physics::kLenient);
                const Model plain = builder.build();
                for (const Model& model : {plain, compile(plain)}) {
                    std::mt19937 generator(5);
                    const VectorX<double> q = random_configuration(model, generator);
                    const MatrixX<double> M = mass_matrix(plain, q);
                    for (const InPlaceFunction& before : in_place_functions(model)) {
                        if (before.reads != Kinematics::kNone) continue;
                        Workspace<double> ws(model, OnFailure::kReport);
                        ArrangedCall x = arrange(model, before, 3);
                        (void)before.call(ws, x.call);
                        MatrixX<double> factors = M;
                        EXPECT_EQ(factor_mass_matrix(ws, factors), Status::kSingularMassMatrix)
                            << "after " << before.name << ", mass " << mass << ", length " << length
                            << ", " << extra << " links before it";
                        if (mass_matrix(ws, q, factors) != Status::kOk) ADD_FAILURE();
                        EXPECT_EQ(factor_mass_matrix(ws, factors), Status::kSingularMassMatrix);
                        ++robots;
                    }
                }
            }
        }
    }
    EXPECT_GT(robots, 100);
}
// Nor is what is small beside somebody's matrix that was factored before.
TEST(SingularMassMatrix, IsNotSoughtBesideAnother) {
    for (const Model& model : {robots::arm(), robots::quadruped()}) {
        for (const InPlaceFunction& f : in_place_functions(model)) {
            if (!f.needs_regular || f.reads != Kinematics::kNone) continue;
            Workspace<double> ws(model, OnFailure::kReport);
            ArrangedCall x = arrange(model, f, 3);
            MatrixX<double> large = 1e30 * mass_matrix(model, neutral_configuration(model));
            ASSERT_EQ(factor_mass_matrix(ws, large), Status::kOk);
            EXPECT_EQ(f.call(ws, x.call), Status::kOk) << f.name << " of " << model.name();
        }
    }
}
// And a needle that turns about itself is not, however thin, nor is anything of a long chain, folded or not.
TEST(SingularMassMatrix, IsNotThatOfThinThingsAndLongChains) {
    const Model needle = Builder("needle")
                             .link("ground")
                             .body("ground", revolute("hinge", {0, 0, 1}), "needle",
                                   MassProperties::box(1, {1e-5, 1e-5, 1}, {0, 0, 0.5}))
                             .build();
    for (const Model& model : {needle, robots::by_name("chain(300)"), robots::humanoid()}) {
        Workspace<double> ws(model);
        std::mt19937 generator(5);
        for (const VectorX<double>& q : {VectorX<double>(neutral_configuration(model)),
                                         random_configuration(model, generator)}) {
            MatrixX<double> M = mass_matrix(model, q);
            EXPECT_EQ(factor_mass_matrix(ws, M), Status::kOk) << model.name();
        }
    }
}

// Those that return results of their own size, in memory of their own.
struct ResultOfConstraints {
    std::string name;
    std::function<MatrixX<double>(Workspace<double>&, const VectorX<double>& q)> call;
};
std::vector<ResultOfConstraints> results_of_constraints() {
    return {{"constraint_errors",
             [](auto& ws, const auto& q) -> MatrixX<double> { return constraint_errors(ws, q); }},
            {"constraint_jacobian",
             [](auto& ws, const auto& q) -> MatrixX<double> { return constraint_jacobian(ws, q); }},
            {"constraint_bias",
             [](auto& ws, const auto& q) -> MatrixX<double> {
                 return constraint_bias(ws, q, VectorX<double>::LinSpaced(ws.model().nv(), -1, 2));
             }},
            {"delassus_matrix",
             [](auto& ws, const auto& q) -> MatrixX<double> { return delassus_matrix(ws, q); }},
            {"inverse_inertia_of_frames", [](auto& ws, const auto& q) -> MatrixX<double> {
                 const std::vector<FrameId> frames{ws.model().frame_id("toe"),
                                                   ws.model().body_frame(2)};
                 return inverse_inertia_of_frames(ws, q, frames);
             }}};
}

TEST(ResultsOfConstraints, AreNumbersOrRefusedAndLeaveNoTraces) {
    const Model model = linkage();
    std::mt19937 generator(5);
    const VectorX<double> q = random_configuration(model, generator),
                          there = random_configuration(model, generator);
    VectorX<double> with_nan = q, no_attitude = q, longer(q.size() + 1);
    with_nan[model.nq() - 1] = kNaN;
    no_attitude.segment<4>(3).setZero();
    longer << q, 0;
    for (const ResultOfConstraints& f : results_of_constraints()) {
        SCOPED_TRACE(f.name);
        Workspace<double> ws(model, OnFailure::kReport), fresh(model);
        ASSERT_EQ(forward_kinematics(ws, there), Status::kOk);
        const double before = potential_energy(ws);
        const MatrixX<double> result = f.call(ws, q), again = f.call(fresh, q);
        EXPECT_EQ(ws.status(), Status::kOk);
        EXPECT_TRUE(result.allFinite());
        EXPECT_GT(result.size(), 0);
        EXPECT_TRUE(result == again) << "it depends on what was called before";
        EXPECT_EQ(potential_energy(ws), before);
        for (const auto& [wrong, status] : {std::pair(with_nan, Status::kNonFiniteInput),
                                            {no_attitude, Status::kNoAttitude},
                                            {longer, Status::kMisuse}}) {
            const std::string text = message([&, &wrong = wrong] { f.call(fresh, wrong); });
            EXPECT_TRUE(text.starts_with(f.name + ": q")) << text;
            const MatrixX<double> none = f.call(ws, wrong);
            EXPECT_EQ(ws.status(), status);
            EXPECT_EQ(none.rows(), result.rows());
            EXPECT_TRUE(none.array().isNaN().all()) << none;
        }
    }
}

// By hand: regular expressions of the standard library take stack for each letter, more than there is under a sanitizer.
std::string without_inner_namespaces(std::string text) {
    for (const std::string name : {"kernel", "detail", "plucker::kernel", "plucker::detail"}) {
        const std::string head = "namespace " + name + " {", end = "}  // namespace " + name;
        std::size_t from = text.find(head);
        for (; from != std::string::npos; from = text.find(head)) {
            const std::size_t to = text.find(end, from);
            if (to == std::string::npos) throw std::runtime_error(head + " has no end");
            text.erase(from, to + end.size() - from);
        }
    }
    return text;
}

// Every public function that takes a workspace is looked at here: those that stand for a row of the table, and those that
// are written by hand.
TEST(ContractTable, HasEveryFunction) {
    std::set<std::string> looked_at, declared;
    for (const Model& model : {robots::exoskeleton(), linkage()}) {
        for (const InPlaceFunction& f : in_place_functions(model)) looked_at.insert(f.name);
    }
    for (const ResultOfConstraints& f : results_of_constraints()) looked_at.insert(f.name);
    const std::regex of_a_row(
        R"(\ninline constexpr (?:Function<table::\w+>|ForwardKinematics)\s+(\w+);)");
    const std::regex by_hand(
        R"(\n(?:Status|S|ConstraintReport|\w+<(?:S|double)>) (\w+)\((?:const )?Workspace<(?:S|double)>& ws)");
    for (const char* folder : {"algorithms", "constraints"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 std::filesystem::path(PLUCKER_INCLUDE_DIR) / folder)) {
            if (!entry.is_regular_file()) continue;
            std::ifstream in(entry.path());
            std::stringstream text;
            text << in.rdbuf();
            const std::string outer = without_inner_namespaces(text.str());
            for (const std::regex* head : {&of_a_row, &by_hand}) {
                for (std::sregex_iterator at(outer.begin(), outer.end(), *head), end; at != end;
                     ++at)
                    declared.insert((*at)[1]);
            }
        }
    }
    EXPECT_EQ(declared, looked_at);
}

// A workspace takes memory in proportion to the robot: what is quadratic is the Hessians' and is not touched before.
TEST(Memory, OfALongChainIsProportionalToItsLength) {
    if (!PLUCKER_CAN_COUNT) GTEST_SKIP() << "a sanitizer keeps books of its own";
    const auto resident = [] {
        long all = 0, pages = 0;
        std::ifstream("/proc/self/statm") >> all >> pages;
        return pages * sysconf(_SC_PAGESIZE);
    };
    const Model chain = robots::by_name("chain(10000)");
    const VectorX<double> q = neutral_configuration(chain), v = VectorX<double>::Ones(chain.nv());
    VectorX<double> a(chain.nv());
    const long before = resident();
    Workspace<double> ws(chain);
    forward_kinematics(ws, q, v);
    EXPECT_TRUE(std::isfinite(potential_energy(ws)));
    forward_dynamics(ws, q, v, v, a);
    const double bytes_a_body = static_cast<double>(resident() - before) / 10000;
    EXPECT_LE(bytes_a_body, 8000);
    EXPECT_GE(bytes_a_body, 1000) << "less than it needs: this counts nothing";
}

TEST(Model, ThatWasMovedFromIsStillWhole) {
    Model first = robots::arm();
    const Model second = std::move(first);
    EXPECT_EQ(first.name(), "arm");  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(first.is_copy_of(second));
    EXPECT_EQ(first.nv(), 7);
}

// What has no mass has no centre of mass and no acceleration under a force: whoever is asked for one refuses, and whoever
// answers has an answer, in single calls and in batches alike.
TEST(ARobotWithoutMass, IsAnsweredByNumbersOrRefused) {
    for (const Base base : {Base::kFixed, Base::kFloating}) {
        Builder builder("ghost");
        builder.base(base).link("hip", MassProperties{});
        builder.body("hip", revolute("knee", {0, 1, 0}), "shank", MassProperties{});
        builder.body("shank", spherical("ankle").at(0, 0, -1), "foot", MassProperties{});
        const Model model = builder.physics(Physics::kLenient).build();
        const VectorX<double> q = neutral_configuration(model),
                              v = VectorX<double>::LinSpaced(model.nv(), -1, 2);
        int answered = 0, refused = 0;
        for (const InPlaceFunction& f : in_place_functions(model)) {
            Workspace<double> ws(model, OnFailure::kReport);
            ASSERT_EQ(forward_kinematics(ws, q, v, v), Status::kOk);
            ArrangedCall x = arrange(model, f, 3);
            const Status status = f.call(ws, x.call);
            ++(status == Status::kOk ? answered : refused);
            EXPECT_FALSE(status == Status::kOk && (f.needs_mass || f.needs_regular)) << f.name;
            if (status != Status::kOk) continue;
            for (const VectorX<double>& output : x.outputs)
                EXPECT_TRUE(output.allFinite()) << f.name;
        }
        EXPECT_GT(answered, 20);
        EXPECT_GT(refused, 10);
    }
}

// What Eigen does before a call is the caller's: an expression is computed into memory of its own.
TEST(HiddenCopies, AreMadeOfExpressionsOnly) {
    if (!PLUCKER_CAN_COUNT) GTEST_SKIP() << "a sanitizer counts instead";
    const Model arm = robots::arm();
    Workspace<double> ws(arm);
    MatrixX<double> all = MatrixX<double>::Constant(7, 4, 0.1);
    const auto count = [&](auto&& call) {
        const long before = allocations;
        call();
        return allocations - before;
    };
    EXPECT_EQ(count([&] { inverse_dynamics(ws, all.col(0), all.col(1), all.col(2), all.col(3)); }),
              0);
    EXPECT_EQ(count([&] {
                  inverse_dynamics(ws, all.col(0).head(7), all.col(1), all.col(2), all.col(3));
              }),
              0);
    EXPECT_GT(
        count([&] { inverse_dynamics(ws, 2 * all.col(0), all.col(1), all.col(2), all.col(3)); }),
        0);
}

}  // namespace
}  // namespace plucker::test
