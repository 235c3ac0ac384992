// Programs and machine code of every algorithm, for robots with every type of joint, beside the kernels that they were
// recorded from.
#include <gtest/gtest.h>

#include "plucker/compiler/machine_code.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/robots/robots.hpp"
#include "support/batch_functions.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

using compiler::Lanes;
using compiler::Program;

Model model_called(const std::string& name) {
    return name.starts_with("joint_") ? joint_model(name.substr(6)) : robots::by_name(name);
}

compiler::RecordOptions options_of(const BatchFunction& f, const Model& model) {
    compiler::RecordOptions out;
    out.frame = f.frame;
    out.reference = f.reference;
    out.root = f.root;
    if (f.row->inputs.has(Kind::kGiven)) out.given = every_other_acceleration(model);
    if (f.forces) {
        for (const auto& place : force_places<double>(model))
            out.forces.push_back({place.frame, place.expressed_in});
    }
    return out;
}

// A state, and the inputs of a program at it.
struct Case {
    SingleArguments x;
    VectorX<double> forces;
    ExternalForces<double> external;

    Case(const Model& model, std::mt19937& generator) : external(model) {
        const auto s = laws::random_state(model, generator);
        std::uniform_real_distribution<double> unit(-1, 1);
        x = {s.q,
             s.v,
             s.a,
             s.tau,
             laws::random_state(model, generator).q,
             nullptr,
             every_other_acceleration(model)};
        forces = VectorX<double>::NullaryExpr(18, [&] { return unit(generator); });
        long k = 0;
        for (const auto& place : force_places<double>(model)) {
            external.add(place.frame, to_force(forces.segment<6>(k)), place.expressed_in);
            k += 6;
        }
    }
    std::vector<double> inputs(const BatchFunction& f) {
        std::vector<double> out;
        const auto append = [&](const VectorX<double>& v) {
            out.insert(out.end(), v.begin(), v.end());
        };
        for (const char letter : f.inputs) append(x.of(letter));
        for (const char letter : f.initially) {
            if (letter != 0) append(x.of(letter));
        }
        if (f.forces) append(forces);
        return out;
    }
};

// Results in the order of memory, as programs give them.
std::vector<double> flattened(const BatchFunction& f, const std::vector<MatrixX<double>>& results) {
    std::vector<double> out;
    for (std::size_t k = 0; k < results.size(); ++k) {
        const Kind kind = f.row->outputs[static_cast<int>(k)].kind;
        MatrixX<double> m = results[k];
        if (stands_row_by_row(kind)) m = results[k].transpose();
        out.insert(out.end(), m.data(), m.data() + m.size());
    }
    return out;
}

double largest(const std::vector<double>& x) {
    double out = 1e-3;
    for (const double entry : x) out = std::max(out, std::abs(entry));
    return out;
}

// Rounding, enlarged by M⁻¹ where that was used.
double tolerance_of(const BatchFunction& f, const Model& model, const VectorX<double>& q) {
    double condition = 1;
    if (f.errors != BatchFunction::Errors::kOfSums) {
        condition = laws::max_magnitude(mass_matrix(model, q)) *
                    laws::max_magnitude(inverse_mass_matrix(model, q));
    }
    return 64.0 * (model.nv() + 8) * std::numeric_limits<double>::epsilon() * condition;
}

template <class T>
std::vector<double> run_code(const compiler::MachineCode& code, const Program& program,
                             const std::vector<std::vector<double>>& lanes, std::size_t lane) {
    const std::size_t n = lanes.size();
    std::vector<T> in, out(program.outputs.size() * n + n, T(-7));
    for (std::size_t k = 0; k < lanes[0].size(); ++k) {
        for (const std::vector<double>& one : lanes) in.push_back(static_cast<T>(one[k]));
    }
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
    std::size_t at = 0;
    for (const compiler::Group& group : program.input_groups) {
        inputs.push_back(in.data() + at * n);
        at += static_cast<std::size_t>(group.size());
    }
    at = 0;
    for (const compiler::Group& group : program.output_groups) {
        outputs.push_back(out.data() + at * n);
        at += static_cast<std::size_t>(group.size());
    }
    outputs.push_back(out.data() + at * n);
    code.run(inputs.data(), outputs.data());
    std::vector<double> picked;
    for (std::size_t k = 0; k < program.outputs.size(); ++k)
        picked.push_back(static_cast<double>(out[k * n + lane]));
    return picked;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected,
                 double tolerance) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        if (std::abs(got[k] - expected[k]) <= tolerance) continue;
        ADD_FAILURE() << "output " << k << ": " << got[k] << ", expected " << expected[k] << " ± "
                      << tolerance;
        return;
    }
}

class Programs : public testing::TestWithParam<std::string> {};

TEST_P(Programs, SayWhatTheKernelsSay) {
    const Model model = model_called(GetParam());
    std::mt19937 generator(5);
    Workspace<double> ws(model);
    for (const BatchFunction& f : batch_functions(model)) {
        SCOPED_TRACE(f.name);
        const compiler::Recorded recorded =
            compiler::record(model, f.row->name, options_of(f, model));
        const Program& program = recorded.program;
        EXPECT_LE(program.num_operations(), recorded.num_asked);
        EXPECT_EQ(program.singular >= 0, f.row->needs_regular_mass_matrix);
        std::vector<Case> cases;
        std::vector<std::vector<double>> lanes, expected;
        for (int k = 0; k < 16; ++k) cases.emplace_back(model, generator);
        double scale = 0, tolerance = 0;
        for (Case& c : cases) {
            c.x.external = f.forces ? &c.external : nullptr;
            lanes.push_back(c.inputs(f));
            expected.push_back(flattened(f, f.single(ws, c.x)));
            scale = std::max(scale, largest(expected.back()));
            tolerance = std::max(tolerance, tolerance_of(f, model, c.x.q));
        }
        for (std::size_t k = 0; k < cases.size(); ++k) {
            const compiler::Evaluation meaning = compiler::evaluate(program, lanes[k]);
            expect_near(meaning.outputs, expected[k], tolerance * scale);
            EXPECT_FALSE(meaning.singular);
        }
        for (const Isa isa : available_isas()) {
            if (!compiler::can_assemble(isa)) continue;
            SCOPED_TRACE(name_of(isa));
            const auto one = compiler::assemble(program, isa, Lanes::kOneF64);
            const auto many = compiler::assemble(program, isa, Lanes::kManyF64);
            const auto floats = compiler::assemble(program, isa, Lanes::kManyF32);
            ASSERT_EQ(one == nullptr, many == nullptr);
            if (one == nullptr) continue;
            const auto n = static_cast<std::size_t>(lanes_of<double>(isa));
            const auto n_float = static_cast<std::size_t>(lanes_of<float>(isa));
            const auto first = [&](std::size_t count) {
                return std::vector(lanes.begin(), lanes.begin() + static_cast<long>(count));
            };
            for (std::size_t k = 0; k < n; ++k) {
                expect_near(run_code<double>(*one, program, {lanes[k]}, 0), expected[k],
                            tolerance * scale);
                expect_near(run_code<double>(*many, program, first(n), k), expected[k],
                            tolerance * scale);
                const double coarser =
                    std::numeric_limits<float>::epsilon() / std::numeric_limits<double>::epsilon();
                expect_near(run_code<float>(*floats, program, first(n_float), k), expected[k],
                            tolerance * coarser * scale);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Robots, Programs,
                         testing::Values("arm", "quadruped", "exoskeleton", "tree(12,1)",
                                         "tree(20,1)", "joint_mimic", "joint_floating_mimic",
                                         "joint_dissipative", "joint_universal"),
                         [](const auto& test) {
                             std::string name = test.param;
                             for (char& c : name)
                                 c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                             return name;
                         });

}  // namespace
}  // namespace plucker::test
