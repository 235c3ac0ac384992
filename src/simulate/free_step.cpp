#include "free_step.hpp"

#include "plucker/compiler/compile.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/compiler/trace.hpp"
#include "smooth_step.hpp"
#include "steps.hpp"

namespace plucker::simulate {
namespace {

using compiler::Trace;

// As long as a program of a single call may be (compile.cpp).
constexpr std::size_t kMostNodesOfStep = 90000;

std::vector<Trace> take(compiler::Program& program, const char* name, std::size_t size) {
    const int first = program.num_inputs();
    std::vector<Trace> out;
    for (std::size_t k = 0; k < size; ++k) out.push_back(Trace::input(first + static_cast<int>(k)));
    program.limb_of_input.resize(static_cast<std::size_t>(first) + size, -1);
    program.input_groups.push_back({name, static_cast<int>(size)});
    return out;
}
void give(compiler::Program& program, const char* name, const std::vector<Trace>& numbers) {
    for (const Trace& x : numbers) program.outputs.push_back(x.id);
    program.limb_of_output.resize(program.outputs.size(), -1);
    program.output_groups.push_back({name, static_cast<int>(numbers.size())});
}

compiler::Program record_free_step(const Model& model, double h, const double* damping) {
    compiler::Recorder recorder(kMostNodesOfStep);
    const compiler::Recording here(recorder);
    compiler::Program program;
    program.name = "free_step";
    const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
    const std::size_t trees = flying_trees(model).size();
    const std::vector<Trace> q = take(program, "q", nq);
    std::vector<Trace> v = take(program, "v", nv);
    const std::vector<Trace> tau = take(program, "tau", nv);
    const std::vector<Trace> before = take(program, "momenta", 6 * trees);
    const std::vector<Trace> known = take(program, "known", 1);
    std::vector<MomentumOfTree<Trace>> momenta(trees);
    for (std::size_t t = 0; t < trees; ++t) {
        const Trace* x = before.data() + 6 * t;
        momenta[t] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    }
    SmoothStep<Trace> smooth(model, h, damping);
    smooth.begin(q.data(), v.data(), tau.data(), Gains{}, nullptr, nullptr, momenta.data(),
                 known[0] > Trace(0), nullptr);
    std::vector<Trace> next_v(nv), next_q(q);
    smooth.space.to_velocity(smooth.push.data(), next_v.data());
    for (std::size_t k = 0; k < nv; ++k) next_v[k] += v[k];
    smooth.momentum.end(smooth.space, h, nullptr, tau.data(), nullptr, momenta.data());
    advance(model, q.data(), next_v.data(), h, next_q.data());
    turn_along(model, q.data(), next_q.data(), next_v.data());
    give(program, "next_q", next_q);
    give(program, "next_v", next_v);
    std::vector<Trace> after;
    for (const MomentumOfTree<Trace>& m : momenta) {
        for (const Vec3<Trace>& x : {m.linear, m.angular})
            after.insert(after.end(), {x.x, x.y, x.z});
    }
    give(program, "next_momenta", after);
    program.nodes = recorder.take_nodes();
    return compiler::without_dead_code(program);
}

}  // namespace

std::shared_ptr<const compiler::MachineCode> free_step_code(const Model& model, double h,
                                                            const double* damping,
                                                            compiler::Lanes lanes) try {
    if (!can_compile() || model.has_mimic_joints() || !model.constraints().empty() ||
        flying_trees(model).empty())
        return nullptr;
    return compiler::assemble(record_free_step(model, h, damping), active_isa(), lanes);
} catch (const compiler::ProgramTooLong&) {  // the templates have loops
    return nullptr;
}

}  // namespace plucker::simulate
