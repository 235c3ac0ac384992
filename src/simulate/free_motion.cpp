#include "plucker/simulate/free_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "open_loops.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"
#include "tangent_steps.hpp"

namespace plucker {

namespace {

constexpr std::array<const char*, 4> kIntegratorNames{"euler", "rk4", "adaptive", "symplectic"};

// Dormand and Prince's tableau: nodes, stages, and the difference of the two results.
constexpr std::array<double, 7> kNodes{0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr std::array<std::array<double, 6>, 7> kStages{{
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
}};
constexpr std::array<double, 7> kErrors{71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                        -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// Of the interpolation, beyond what the ends and their rates give.
constexpr std::array<double, 7> kDense{
    -12715105075.0 / 11282082432.0,  0,
    87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0};

// Where nothing moves any step is exact, and would grow beyond the range of numbers.
constexpr double kLongestStep = 1e6;

// Controllers and events see the library's vectors, which the caller's code would read as its own flags align them.
void check_alignment(const char* function, int of_caller) {
    if (of_caller == EIGEN_MAX_ALIGN_BYTES) return;
    throw Error::because(function, ": this program aligns Eigen's vectors to ", of_caller,
                         " bytes and the library to ", EIGEN_MAX_ALIGN_BYTES,
                         ": compile both with the same flags for the processor (-march)");
}

}  // namespace

const char* name_of(Integrator integrator) {
    return kIntegratorNames[static_cast<std::size_t>(integrator)];
}
std::optional<Integrator> integrator_named(const std::string& name) {
    for (std::size_t k = 0; k < kIntegratorNames.size(); ++k) {
        if (name == kIntegratorNames[k]) return static_cast<Integrator>(k);
    }
    return std::nullopt;
}

struct FreeMotion::State {
    State(const Model& m, const Options& o)
        : options(o),
          ws(m),
          forces(m),
          n(m.nv()),
          q(neutral_configuration(m)),
          v(VectorX<double>::Zero(n)),
          tau(v),
          a(v),
          lambda(VectorX<double>::Zero(m.num_constraint_rows())),
          stage_q(q),
          stage_v(v),
          y(VectorX<double>::Zero(2 * n)),
          stage(y),
          result(y),
          old_q(q),
          next_h(o.step) {
        for (VectorX<double>& rate : k) rate = y;
        for (VectorX<double>& part : dense) part = y;
        if (o.integrator == Integrator::kSymplectic) {
            for (MatrixX<double>* matrix :
                 {&M, &C, &inverse_begin, &inverse_end, &half_begin, &half_end, &unused}) {
                *matrix = MatrixX<double>::Zero(n, n);
            }
            for (VectorX<double>* x : {&momentum, &P, &Q, &G, &residual, &step, &trial}) {
                *x = VectorX<double>::Zero(n);
            }
            middle = end = q;
        }
    }

    Options options;
    Workspace<double> ws;
    ExternalForces<double> forces;
    Controller controller;
    Eigen::Index n;
    double time = 0;
    int steps = 0, rejected = 0;
    bool has_begun = false;  // where the caller said, or where it was made
    VectorX<double> q, v, tau, a, lambda;
    VectorX<double> stage_q, stage_v;
    // y = (ξ, v) on the tangent at q: its rates at the stages.
    std::array<VectorX<double>, 7> k;
    VectorX<double> y, stage, result;

    // The last step of kAdaptive: where it began, how long it was, and its interpolation.
    VectorX<double> old_q;
    double old_time = 0, old_h = 0;
    std::array<VectorX<double>, 5> dense;
    double next_h;

    // kSymplectic.
    bool has_momentum = false;
    MatrixX<double> M, C, inverse_begin, inverse_end, half_begin, half_end, unused;
    VectorX<double> momentum, P, Q, G, residual, step, trial, middle, end;

    void begin() {
        if (!has_begun) simulate::refuse_open_loops(ws.model(), q, v);
        has_begun = true;
    }
    void rate(double t, const VectorX<double>& at, VectorX<double>& out);
    void accept(const VectorX<double>& at, double h);
    void runge_kutta(double h);
    void dormand_prince(double longest);
    void interpolate(double t, VectorX<double>& q_out, VectorX<double>& v_out) const;
    void variational(double h);
    void discrete_forces(double t, double h);
    // x ← M⁻¹ x; M is left as its factors.
    void solve_with_mass_matrix(VectorX<double>& x) {
        const detail::MatrixView<double> view{M.data(), static_cast<int>(n)};
        kernel::factor_mass_matrix(ws, view);
        kernel::solve_with_factor<double>(ws, view, x.data());
    }
    void refuse(const char* why) const;
};

FreeMotion::FreeMotion(const Model& model, const Options& options) {
    if (options.integrator == Integrator::kEuler) {
        throw Error("FreeMotion: semi-implicit Euler is what Simulator does");
    }
    if (!(options.step > 0) || !std::isfinite(options.step)) {
        throw Error::because("FreeMotion: a step of ", options.step,
                             " s: it must be positive, such as 0.001");
    }
    if (!(options.tolerance > 0) || !std::isfinite(options.tolerance)) {
        throw Error::because("FreeMotion: a tolerance of ", options.tolerance,
                             ": it must be positive, such as 1e-9");
    }
    if (options.integrator == Integrator::kSymplectic && model.has_mimic_joints()) {
        throw Error(
            "FreeMotion: the symplectic integrator cannot take robots whose joints mimic others; "
            "use rk4");
    }
    if (options.integrator == Integrator::kSymplectic && !model.constraints().empty()) {
        throw Error(
            "FreeMotion: the symplectic integrator cannot take constraints beyond the tree; use "
            "rk4");
    }
    const auto dry = model.friction();
    if (options.integrator == Integrator::kSymplectic &&
        std::any_of(dry.begin(), dry.end(), [](double x) { return x > 0; })) {
        throw Error(
            "FreeMotion: the symplectic integrator cannot take dry friction, which has no slope "
            "where a joint comes to rest; use rk4, or leave it out: with_friction(model, false), "
            "--no-friction");
    }
    state_ = std::make_unique<State>(model, options);
}
FreeMotion::~FreeMotion() = default;
FreeMotion::FreeMotion(FreeMotion&&) noexcept = default;
FreeMotion& FreeMotion::operator=(FreeMotion&&) noexcept = default;

const Model& FreeMotion::model() const { return state_->ws.model(); }
double FreeMotion::time() const { return state_->time; }
VectorView<double> FreeMotion::q() const { return view_of(state_->q); }
VectorView<double> FreeMotion::v() const { return view_of(state_->v); }
ExternalForces<double>& FreeMotion::forces() { return state_->forces; }
int FreeMotion::num_steps() const { return state_->steps; }
int FreeMotion::num_rejected() const { return state_->rejected; }
void FreeMotion::control(Controller controller, int alignment) {
    check_alignment("control", alignment);
    state_->controller = std::move(controller);
}

void FreeMotion::set_state(const VectorX<double>& q, const VectorX<double>& v, double time) {
    State& s = *state_;
    check_size("set_state", "q", q.size(), model().nq(), "nq");
    check_size("set_state", "v", v.size(), model().nv(), "nv");
    if (!q.allFinite() || !v.allFinite()) throw Error("set_state: a number is not finite");
    if (!std::isfinite(time)) throw Error::because("set_state: the time is ", time);
    VectorX<double> unit = q;
    normalize_configuration(s.ws, unit);
    simulate::refuse_open_loops(model(), unit, v);
    s.has_begun = true;
    s.q = unit;
    s.v = v;
    s.time = time;
    s.old_h = 0;
    s.has_momentum = false;
}

double FreeMotion::kinetic_energy() {
    return plucker::kinetic_energy(state_->ws, state_->q, state_->v);
}
double FreeMotion::potential_energy() {
    forward_kinematics(state_->ws, state_->q);
    return plucker::potential_energy(state_->ws);
}

void FreeMotion::State::refuse(const char* why) const {
    throw Error::because("step: ", why, " at ", time, " s");
}

// ẏ at y = (ξ, v). None where y is none: what the integrator does then is its own business.
void FreeMotion::State::rate(double t, const VectorX<double>& at, VectorX<double>& out) {
    const Model& model = ws.model();
    kernel::integrate(model, q.data(), at.data(), stage_q.data());
    stage_v = at.tail(n);
    if (!stage_q.allFinite() || !stage_v.allFinite()) {
        out.setConstant(std::numeric_limits<double>::quiet_NaN());
        return;
    }
    tau.setZero();
    if (controller) controller(t, stage_q, stage_v, tau);
    if (ws.model().constraints().empty()) {
        forward_dynamics(ws, stage_q, stage_v, tau, &forces, a);
    } else {
        constrained_forward_dynamics(ws, stage_q, stage_v, tau, &forces, a, lambda);
    }
    simulate::tangent_rate(model, q.data(), stage_q.data(), stage_v.data(), out.data());
    out.tail(n) = a;
}

// The step ends at y, on the tangent at where it began.
void FreeMotion::State::accept(const VectorX<double>& at, double h) {
    if (!at.allFinite()) refuse("the motion left the range of numbers; a smaller step may help");
    kernel::integrate(ws.model(), q.data(), at.data(), stage_q.data());
    old_q = q;
    old_time = time;
    old_h = h;
    q.swap(stage_q);
    v = at.tail(n);
    // What the error of a step has opened is closed.
    if (!ws.model().constraints().empty()) {
        project_configuration(ws, q);
        project_velocity(ws, q, v);
    }
    time += h;
    ++steps;
}

void FreeMotion::State::runge_kutta(double h) {
    y.head(n).setZero();
    y.tail(n) = v;
    rate(time, y, k[0]);
    stage = y + 0.5 * h * k[0];
    rate(time + 0.5 * h, stage, k[1]);
    stage = y + 0.5 * h * k[1];
    rate(time + 0.5 * h, stage, k[2]);
    stage = y + h * k[2];
    rate(time + h, stage, k[3]);
    result = y + (h / 6) * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
    accept(result, h);
}

void FreeMotion::State::dormand_prince(double longest) {
    double h = std::min({next_h, longest, kLongestStep});
    y.head(n).setZero();
    y.tail(n) = v;
    rate(time, y, k[0]);
    while (true) {
        if (!(h > 1e-14 * std::max(1.0, std::abs(time)))) {
            refuse("no step is small enough for the tolerance; a looser one may help");
        }
        for (std::size_t i = 1; i < 7; ++i) {
            stage = y;
            for (std::size_t j = 0; j < i; ++j) stage += (h * kStages[i][j]) * k[j];
            rate(time + kNodes[i] * h, stage, k[i]);
        }
        result = stage;  // the last stage is the result
        double sum = 0;
        for (Eigen::Index i = 0; i < 2 * n; ++i) {
            double error = 0;
            for (std::size_t j = 0; j < 7; ++j) error += kErrors[j] * k[j][i];
            const double scale =
                options.tolerance * (1 + std::max(std::abs(y[i]), std::abs(result[i])));
            sum += (h * error / scale) * (h * error / scale);
        }
        const double worst = n == 0 ? 0 : std::sqrt(sum / static_cast<double>(2 * n));
        if (!std::isfinite(worst)) {
            h *= 0.1;
            ++rejected;
            continue;
        }
        const double change = std::clamp(0.9 * std::pow(std::max(worst, 1e-10), -0.2), 0.2, 5.0);
        if (worst > 1) {
            h *= change;
            ++rejected;
            continue;
        }
        // A step that was cut short says little about the next.
        if (h == next_h || change < 1 || h * change > next_h) next_h = h * change;
        dense[0] = y;
        dense[1] = result - y;
        dense[2] = h * k[0] - dense[1];
        dense[3] = dense[1] - h * k[6] - dense[2];
        dense[4].setZero();
        for (std::size_t j = 0; j < 7; ++j) dense[4] += (h * kDense[j]) * k[j];
        accept(result, h);
        return;
    }
}

void FreeMotion::State::interpolate(double t, VectorX<double>& q_out,
                                    VectorX<double>& v_out) const {
    const double s = (t - old_time) / old_h, r = 1 - s;
    const VectorX<double> at =
        dense[0] + s * (dense[1] + r * (dense[2] + s * (dense[3] + r * dense[4])));
    q_out.resize(q.size());
    kernel::integrate(ws.model(), old_q.data(), at.data(), q_out.data());
    v_out = at.tail(n);
}

FreeMotion::Instant FreeMotion::state_at(double t) const {
    const State& s = *state_;
    if (s.options.integrator != Integrator::kAdaptive || s.old_h == 0) {
        throw Error("state_at: there is no step of the adaptive integrator to look into");
    }
    const double slack = 1e-12 * std::max(1.0, std::abs(s.time));
    // An event may have ended it before its length.
    if (!(t >= s.old_time - slack && t <= s.time + slack)) {
        throw Error::because("state_at: ", t, " s is not within the last step, from ", s.old_time,
                             " to ", s.time, " s");
    }
    VectorX<double> q, v;
    s.interpolate(t, q, v);
    return {q, v};
}

// P = ∂L/∂v and Q = ∂L/∂q at the middle of a step with the velocity `trial`. With Ṁ = C + Cᵀ, d(Mv)/dt = Cᵀ v - G + τ; of
// that, joints that turn their own axes have ad*_v P by themselves.
void FreeMotion::State::discrete_forces(double t, double h) {
    const Model& model = ws.model();
    residual = 0.5 * h * trial;
    kernel::integrate(model, q.data(), residual.data(), middle.data());
    residual = h * trial;
    kernel::integrate(model, q.data(), residual.data(), end.data());
    mass_matrix(ws, middle, M);
    coriolis_matrix(ws, middle, trial, C);
    tau.setZero();
    if (controller) controller(t + 0.5 * h, middle, trial, tau);
    // c of a robot at rest: gravity and external forces.
    step.setZero();
    inverse_dynamics(ws, middle, step, step, &forces, G);
    P.noalias() = M * trial;
    Q.noalias() = C.transpose() * trial;
    Q += tau - G;
    for (Eigen::Index i = 0; i < n; ++i) Q[i] -= model.damping()[i] * trial[i];
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        const double *p = P.data() + body.v_index, *w = trial.data() + body.v_index;
        double* out = Q.data() + body.v_index;
        const auto subtract_cross = [](const double* x, const double* z, double* to) {
            to[0] -= x[1] * z[2] - x[2] * z[1];
            to[1] -= x[2] * z[0] - x[0] * z[2];
            to[2] -= x[0] * z[1] - x[1] * z[0];
        };
        if (body.joint == JointType::kSpherical) {
            subtract_cross(p, w, out);
        } else if (body.joint == JointType::kFloating) {
            subtract_cross(p, w, out);
            subtract_cross(p + 3, w + 3, out);
            subtract_cross(p + 3, w, out + 3);
        } else if (body.joint == JointType::kPlanar) {
            out[0] -= p[1] * w[2] - p[2] * w[1];
            out[1] -= p[2] * w[0];
            out[2] += p[1] * w[0];
        }
    }
    // Where the two ends of the step stand, on the tangent at each other, and where its middle does.
    difference_derivatives(ws, q, end, inverse_begin, inverse_end);
    inverse_begin = -inverse_begin;
    residual = 0.5 * h * trial;
    integrate_derivatives(ws, q, residual, unused, half_end);
    residual = -0.5 * h * trial;
    integrate_derivatives(ws, q, residual, unused, half_begin);
}

// p₀ = J(-Δ)⁻ᵀ [P - h/2 J(-Δ/2)ᵀ Q] is solved for the velocity Δ/h of the step; then p₁ = J(Δ)⁻ᵀ [P + h/2 J(Δ/2)ᵀ Q].
void FreeMotion::State::variational(double h) try {
    if (!has_momentum) {
        mass_matrix(ws, q, M);
        momentum.noalias() = M * v;
        trial = v;
        has_momentum = true;
    }
    double last = INFINITY;
    for (int iteration = 0;; ++iteration) {
        discrete_forces(time, h);
        step.noalias() = half_begin.transpose() * Q;
        step = P - 0.5 * h * step;
        residual.noalias() = inverse_begin.transpose() * step;
        residual -= momentum;
        step = residual;
        solve_with_mass_matrix(step);
        trial -= step;
        const double change = step.lpNorm<Eigen::Infinity>();
        if (!std::isfinite(change))
            refuse("the motion left the range of numbers; a smaller step may help");
        if (change <= 1e-15 * (1 + trial.lpNorm<Eigen::Infinity>())) break;
        // Rounding is all that is left once steps do not shrink any more.
        if (iteration > 2 && change >= 0.5 * last &&
            change <= 1e-12 * (1 + trial.lpNorm<Eigen::Infinity>()))
            break;
        if (iteration > 60) refuse("the implicit step does not converge; a smaller step may help");
        last = change;
    }
    discrete_forces(time, h);
    step.noalias() = half_end.transpose() * Q;
    step = P + 0.5 * h * step;
    momentum.noalias() = inverse_end.transpose() * step;
    old_q = q;
    old_time = time;
    old_h = h;
    q = end;
    mass_matrix(ws, q, M);
    v = momentum;
    solve_with_mass_matrix(v);
    time += h;
    ++steps;
} catch (...) {
    trial = v;  // what has led nowhere is nothing to begin with
    throw;
}

void FreeMotion::step() {
    State& s = *state_;
    s.begin();
    switch (s.options.integrator) {
        case Integrator::kAdaptive:
            s.dormand_prince(INFINITY);
            break;
        case Integrator::kSymplectic:
            s.variational(s.options.step);
            break;
        default:
            s.runge_kutta(s.options.step);
    }
}

namespace {

// What is left of rounding at a time is not worth a step.
double rounding_at(double time) { return 1e-12 * std::max(1.0, std::abs(time)); }

void check_time(double time, double now) {
    if (!std::isfinite(time)) throw Error::because("advance_to: the time is ", time);
    if (time >= now - rounding_at(now)) return;
    throw Error::because("advance_to: ", time, " s is before the motion's time, ", now,
                         " s; set_state says where and when it begins anew");
}

}  // namespace

void FreeMotion::advance_to(double time) {
    State& s = *state_;
    check_time(time, s.time);
    s.begin();
    while (s.time < time) {
        const double left = time - s.time;
        if (left < rounding_at(time)) {
            s.time = time;
            return;
        }
        switch (s.options.integrator) {
            case Integrator::kAdaptive:
                s.dormand_prince(left);
                break;
            case Integrator::kSymplectic:
                s.variational(std::min(s.options.step, left));
                break;
            default:
                s.runge_kutta(std::min(s.options.step, left));
        }
    }
}

bool FreeMotion::advance_to(double time, const Event& event, int alignment) {
    check_alignment("advance_to", alignment);
    State& s = *state_;
    if (s.options.integrator != Integrator::kAdaptive) {
        throw Error("advance_to: events are located by the adaptive integrator");
    }
    check_time(time, s.time);
    s.begin();
    double before = event(s.time, s.q, s.v);
    while (s.time < time) {
        const double left = time - s.time;
        if (left < rounding_at(time)) {
            s.time = time;
            return false;
        }
        s.dormand_prince(left);
        const double after = event(s.time, s.q, s.v);
        const auto has_happened = [&](double x) { return x == 0 || (x < 0) != (before < 0); };
        if (before == 0 || !has_happened(after)) {
            before = after;
            continue;
        }
        // Between the ends of the step by bisection, until neighbouring numbers are left.
        double low = s.old_time, high = s.time;
        VectorX<double> q, v;
        for (int k = 0; k < 200; ++k) {
            const double t = 0.5 * (low + high);
            if (!(t > low && t < high)) break;
            s.interpolate(t, q, v);
            (has_happened(event(t, q, v)) ? high : low) = t;
        }
        s.interpolate(high, q, v);
        s.q = q;
        s.v = v;
        s.time = high;
        return true;
    }
    return false;
}

}  // namespace plucker
