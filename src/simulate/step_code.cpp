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

// What SmoothStep::begin does, by the algorithms whose programs are short: each body in its own coordinates, and masses
// regrouped at hinges. Of a flying tree M has the inertia, and with v the momentum.
template <class Mask>
void begin(SmoothStep<Trace>& smooth, double h, const double* damping, const Trace* q, Trace* v,
           const Trace* torque, const Trace* resistance, const MomentumOfTree<Trace>* momenta,
           const Mask& known) {
    JointSpace<Trace>& space = smooth.space;
    const Model& model = space.model();
    const long n = model.nv();
    RobotConstants<Trace> constants(model);
    constants.regroup_at_hinges();
    Workspace<Trace> ws(model, constants);
    ws.set_friction(false);
    std::vector<Trace> entries(static_cast<std::size_t>(n * n));
    const detail::MatrixView<Trace> M{entries.data(), n};
    kernel::mass_matrix(ws, q, M);
    space.place(q);
    for (std::size_t t = 0; t < smooth.momentum.num_trees(); ++t) {
        const int root = smooth.momentum.root(t), first = model.body(root).v_index;
        const Transform<Trace>& X = space.kinematics().X[root];
        const auto at = [&](int i, int k) { return M(first + i, first + k); };
        const Inertia<Trace> inertia{at(3, 3),
                                     {at(2, 4), at(0, 5), at(1, 3)},
                                     {at(0, 0), at(0, 1), at(0, 2), at(1, 1), at(1, 2), at(2, 2)}};
        Trace p[6];
        for (int i = 0; i < 6; ++i) {
            p[i] = Trace(0);
            for (int k = first; k <= space.paths.last_beyond(first); ++k)
                p[i] += M(first + i, k) * v[k];
        }
        smooth.momentum.correct(
            t, apply_inverse(X, inertia),
            apply_inverse(X, Force<Trace>{{p[0], p[1], p[2]}, {p[3], p[4], p[5]}}), momenta, known,
            X, v + first);
    }
    space.move(v);
    std::vector<Trace> rates(static_cast<std::size_t>(n), Trace(0));
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (!JointSpace<Trace>::is_straightened(body.joint)) continue;
        const Vec3<Trace> a = JointSpace<Trace>::straightening_rates(body.joint, v + body.v_index);
        const Trace parts[] = {a.x, a.y, a.z};
        const int first = body.joint == JointType::kFloating ? 3 : 1;
        for (int k = first; k < body.nv; ++k)
            rates[static_cast<std::size_t>(body.v_index + k)] = parts[k - first];
    }
    kernel::inverse_dynamics_with_forces<Trace>(ws, q, v, rates.data(), nullptr, space.c.data());
    for (int k = 0; k < static_cast<int>(n); ++k) {
        smooth.push[static_cast<std::size_t>(k)] =
            Trace(h) *
            (torque[k] - space.c[static_cast<std::size_t>(k)] - Trace(damping[k]) * v[k]);
        const auto path = space.paths.path(k);
        Trace* row = space.L.data() + space.paths.row(k);
        for (std::size_t j = 0; j < path.size(); ++j) row[j] = M(path[j], k);
    }
    space.factor([&](int k) { return resistance[k] + Trace(h) * Trace(damping[k]); });
    space.to_push(smooth.push.data());
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
    for (int k = 0; k < 3; ++k)
        note_limbs(static_cast<int>(nq + static_cast<std::size_t>(k) * nv), false);
    const std::vector<Trace> q = take(program, "q", nq);
    std::vector<Trace> v = take(program, "v", nv);
    const std::vector<Trace> pulled = take(program, "torque_and_resistance", 2 * nv);
    const std::vector<MomentumOfTree<Trace>> momenta =
        momenta_of(take(program, "momenta", 6 * flying_trees(model).size()));
    const std::vector<Trace> known = take(program, "known", 1);
    SmoothStep<Trace> smooth(model, h, damping);
    begin(smooth, h, damping, q.data(), v.data(), pulled.data(), pulled.data() + nv, momenta.data(),
          known[0] > Trace(0));
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
