#include "step_code.hpp"

#include "../compiler/limbs.hpp"
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

void give(compiler::Program& program, const char* name, const Motion<Trace>* first, int count) {
    std::vector<Trace> numbers;
    for (const Motion<Trace>* m = first; m != first + count; ++m) {
        for (const Vec3<Trace>& x : {m->angular, m->linear})
            numbers.insert(numbers.end(), {x.x, x.y, x.z});
    }
    give(program, name, numbers);
}

std::vector<MomentumOfTree<Trace>> momenta_of(const std::vector<Trace>& numbers) {
    std::vector<MomentumOfTree<Trace>> out(numbers.size() / 6);
    for (std::size_t t = 0; t < out.size(); ++t) {
        const Trace* x = numbers.data() + 6 * t;
        out[t] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    }
    return out;
}

compiler::Program record_smooth_step(const Model& model, double h, const double* damping) {
    compiler::Recorder recorder(kMostNodesOfStep);
    const compiler::Recording here(recorder);
    compiler::Program program;
    program.name = "smooth_step";
    const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
    const std::vector<compiler::EqualLimbs> limbs = compiler::equal_limbs(model);
    const auto note_limbs = [&](int first, bool is_configuration) {
        const auto equal = compiler::equal_inputs(model, limbs, first, is_configuration);
        program.equal_inputs.insert(program.equal_inputs.end(), equal.begin(), equal.end());
    };
    note_limbs(0, true);
    for (int k = 0; k < 3; ++k) note_limbs(static_cast<int>(nq + static_cast<std::size_t>(k) * nv), false);
    const std::vector<Trace> q = take(program, "q", nq);
    std::vector<Trace> v = take(program, "v", nv);
    const std::vector<Trace> pulled = take(program, "torque_and_resistance", 2 * nv);
    const std::vector<MomentumOfTree<Trace>> momenta =
        momenta_of(take(program, "momenta", 6 * flying_trees(model).size()));
    const std::vector<Trace> known = take(program, "known", 1);
    SmoothStep<Trace> smooth(model, h, damping);
    smooth.begin(q.data(), v.data(), pulled.data(), pulled.data() + nv, momenta.data(),
                 known[0] > Trace(0), nullptr);
    give(program, "L", smooth.space.L);
    std::vector<Trace> places, rest;
    const JointSpace<Trace>::Parts parts = smooth.space.parts();
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const auto& [E, r] = parts.X[i];
        for (const Vec3<Trace>& x : {E.x, E.y, E.z, r})
            places.insert(places.end(), {x.x, x.y, x.z});
    }
    give(program, "X", places);
    give(program, "J", parts.J, model.nv());
    smooth.visit_rest(v.data(), [&](const Trace& x) { rest.push_back(x); });
    give(program, "rest", rest);
    program.nodes = recorder.take_nodes();
    return compiler::without_dead_code(program);
}

compiler::Program record_free_step(const Model& model, double h, const double* damping) {
    compiler::Recorder recorder(kMostNodesOfStep);
    const compiler::Recording here(recorder);
    compiler::Program program;
    program.name = "free_step";
    const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
    const std::vector<Trace> q = take(program, "q", nq);
    std::vector<Trace> v = take(program, "v", nv);
    const std::vector<Trace> tau = take(program, "tau", nv);
    std::vector<MomentumOfTree<Trace>> momenta =
        momenta_of(take(program, "momenta", 6 * flying_trees(model).size()));
    const std::vector<Trace> known = take(program, "known", 1);
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

StepCode step_code(const Model& model, double h, const double* damping, compiler::Lanes lanes,
                   bool can_act) try {
    StepCode out;
    if (!can_compile() || model.has_mimic_joints() || !model.constraints().empty()) return out;
    const auto assembled = [&](const compiler::Program& program) {
        return compiler::assemble(program, active_isa(), lanes);
    };
    if (can_act) {
        out.smooth = assembled(record_smooth_step(model, h, damping));
    } else if (!flying_trees(model).empty()) {
        out.free = assembled(record_free_step(model, h, damping));
    }
    return out;
} catch (const compiler::ProgramTooLong&) {  // the templates have loops
    return {};
}

}  // namespace plucker::simulate
