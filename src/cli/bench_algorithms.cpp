#include "bench_algorithms.hpp"

#include <algorithm>
#include <random>

#include "plucker/plucker.hpp"

namespace plucker::cli {
namespace {

// The largest array of Christoffel's symbols, in numbers.
constexpr long kMostSymbols = 1L << 23U;
// The largest array of any other result, in bytes.
constexpr double kMostBytes = 4e9;

std::vector<Given> every_other_acceleration(const Model& model) {
    std::vector<Given> given(static_cast<std::size_t>(model.num_bodies()) + 1, Given::kTorque);
    for (std::size_t i = 1; i < given.size(); i += 2) given[i] = Given::kAcceleration;
    return given;
}

long cube(long n) { return n * n * n; }

}  // namespace

std::vector<BenchState<double>> bench_states(const Model& model, long count) {
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto random = [&] {
        return VectorX<double>::NullaryExpr(model.nv(), [&] { return uniform(generator); }).eval();
    };
    std::vector<BenchState<double>> states(static_cast<std::size_t>(count));
    for (BenchState<double>& s : states) {
        s.q = random_configuration(model, generator);
        s.v = random();
        s.a = random();
        s.tau = random();
    }
    return states;
}

template <class S>
SingleBench<S>::SingleBench(const Model& model, std::span<const BenchState<double>> states_)
    : ws(model),
      given(every_other_acceleration(model)),
      frame(model.body_frame(model.num_bodies())),
      forces(static_cast<std::size_t>(model.num_bodies()) + 1) {
    for (const BenchState<double>& s : states_) {
        states.push_back({s.q.template cast<S>(), s.v.template cast<S>(), s.a.template cast<S>(),
                          s.tau.template cast<S>()});
    }
    const long n = model.nv();
    x.setZero(n);
    q_out.setZero(model.nq());
    a_out = states.front().a;
    tau_out = states.front().tau;
    square.setZero(n, n);
    six.setZero(6, n);
    three.setZero(3, n);
    if (cube(n) <= kMostSymbols) symbols.setZero(n, n * n);
}
template struct SingleBench<double>;
template struct SingleBench<Counting<double>>;

template <class T>
BatchBench<T>::BatchBench(const Model& model, std::span<const BenchState<double>> states,
                          long count_, int threads)
    : evaluator(model, {.threads = threads}),
      count(count_),
      count_of_symbols(std::clamp(kMostSymbols / std::max(1L, cube(model.nv())), long{1}, count_)),
      given(every_other_acceleration(model)),
      frame(model.body_frame(model.num_bodies())) {
    const long n = model.nv(), bodies = model.num_bodies();
    const long most = std::max({n * n, 12 * bodies, 6 * (bodies + 1), 6 * n, long{model.nq()}});
    const double bytes = static_cast<double>(count) * static_cast<double>(most) * sizeof(T);
    if (bytes > kMostBytes) {
        throw Error::because("bench: the matrices of ", count, " states of '", model.name(),
                             "' take ", static_cast<long>(bytes / 1e9),
                             " GB; up to 4 GB are used, so --batch may be ",
                             static_cast<long>(kMostBytes / (bytes / static_cast<double>(count))));
    }
    const auto append = [](std::vector<T>& to, const VectorX<double>& from) {
        for (const double x : from) to.push_back(static_cast<T>(x));
    };
    for (long k = 0; k < count; ++k) {
        const auto at = [&](long i) -> const BenchState<double>& {
            return states[static_cast<std::size_t>(i) % states.size()];
        };
        append(q_in, at(k).q);
        append(q1_in, at(k + 1).q);
        append(v_in, at(k).v);
        append(a_in, at(k).a);
        append(tau_in, at(k).tau);
    }
    a_io = a_in;
    tau_io = tau_in;
    large.resize(static_cast<std::size_t>(count * most));
    small.resize(static_cast<std::size_t>(count * 6 * std::max(n, long{1})));
    small2 = small;
    if (cube(n) <= kMostSymbols) {
        symbols.resize(static_cast<std::size_t>(count_of_symbols * cube(n)));
    }
}
template struct BatchBench<double>;
template struct BatchBench<float>;

namespace {

// --- The views of a batch ---

template <class T>
batch::States<const T> q(const BatchBench<T>& b) {
    return {b.q_in.data(), b.count, b.evaluator.model().nq()};
}
template <class T>
batch::States<const T> q1(const BatchBench<T>& b) {
    return {b.q1_in.data(), b.count, b.evaluator.model().nq()};
}
template <class T>
batch::States<const T> by_velocity(const BatchBench<T>& b, const std::vector<T>& x) {
    return {x.data(), b.count, b.evaluator.model().nv()};
}
template <class T>
batch::States<T> vectors(BatchBench<T>& b, std::vector<T>& out, long size) {
    return {out.data(), b.count, size};
}
template <class T>
batch::States<T> vectors(BatchBench<T>& b, std::vector<T>& out) {
    return vectors(b, out, b.evaluator.model().nv());
}
template <class T>
batch::Matrices<T> matrices(BatchBench<T>& b, std::vector<T>& out, long rows, long columns) {
    return {out.data(), b.count, rows, columns};
}
template <class T>
batch::Matrices<T> squares(BatchBench<T>& b) {
    return matrices(b, b.large, b.evaluator.model().nv(), b.evaluator.model().nv());
}
template <class T>
batch::Matrices<T> jacobians(BatchBench<T>& b, std::vector<T>& out, long rows = 6) {
    return matrices(b, out, rows, b.evaluator.model().nv());
}
template <class T>
batch::Matrices<T> poses(BatchBench<T>& b) {
    return matrices(b, b.large, b.evaluator.model().num_bodies(), 12);
}

// --- The table ---

bool always(const Model&) { return true; }

// `One` is called with a SingleBench and a state, `Many` with a BatchBench. Neither captures anything, so
// each is a type, and a loop over it has no call through a pointer inside.
template <class One, class Many>
BenchAlgorithm algorithm(const char* name, One, Many, bool (*applies)(const Model&) = always) {
    return {name,
            applies,
            [](SingleBench<double>& b) {
                for (const auto& s : b.states) One{}(b, s);
            },
            [](SingleBench<Counting<double>>& b) { One{}(b, b.states.front()); },
            [](BatchBench<double>& b) {
                Many{}(b);
                return b.count;
            },
            [](BatchBench<float>& b) {
                Many{}(b);
                return b.count;
            }};
}

constexpr auto kBody = ReferenceFrame::kBody;

std::vector<BenchAlgorithm> dynamics() {
    return {
        algorithm(
            "inverse_dynamics",
            [](auto& b, const auto& s) { inverse_dynamics(b.ws, s.q, s.v, s.a, b.x); },
            [](auto& b) {
                b.evaluator.inverse_dynamics(q(b), by_velocity(b, b.v_in), by_velocity(b, b.a_in),
                                             vectors(b, b.small));
            }),
        algorithm(
            "bias_torque", [](auto& b, const auto& s) { bias_torque(b.ws, s.q, s.v, b.x); },
            [](auto& b) {
                b.evaluator.bias_torque(q(b), by_velocity(b, b.v_in), vectors(b, b.small));
            }),
        algorithm(
            "gravity_torque", [](auto& b, const auto& s) { gravity_torque(b.ws, s.q, b.x); },
            [](auto& b) { b.evaluator.gravity_torque(q(b), vectors(b, b.small)); }),
        algorithm(
            "reaction_forces",
            [](auto& b, const auto& s) { reaction_forces(b.ws, s.q, s.v, s.a, nullptr, b.forces); },
            [](auto& b) {
                b.evaluator.reaction_forces(
                    q(b), by_velocity(b, b.v_in), by_velocity(b, b.a_in),
                    matrices(b, b.large, b.evaluator.model().num_bodies() + 1, 6));
            }),
        algorithm(
            "forward_dynamics",
            [](auto& b, const auto& s) { forward_dynamics(b.ws, s.q, s.v, s.tau, b.x); },
            [](auto& b) {
                b.evaluator.forward_dynamics(q(b), by_velocity(b, b.v_in), by_velocity(b, b.tau_in),
                                             vectors(b, b.small));
            }),
        algorithm(
            "forward_dynamics_by_mass_matrix",
            [](auto& b, const auto& s) {
                forward_dynamics_by_mass_matrix(b.ws, s.q, s.v, s.tau, nullptr, b.square, b.x);
            },
            [](auto& b) {
                b.evaluator.forward_dynamics_by_mass_matrix(
                    q(b), by_velocity(b, b.v_in), by_velocity(b, b.tau_in), vectors(b, b.small));
            }),
        algorithm(
            "hybrid_dynamics",
            [](auto& b, const auto& s) {
                hybrid_dynamics(b.ws, s.q, s.v, b.given, nullptr, b.a_out, b.tau_out);
            },
            [](auto& b) {
                b.evaluator.hybrid_dynamics(q(b), by_velocity(b, b.v_in), b.given,
                                            vectors(b, b.a_io), vectors(b, b.tau_io));
            }),
        algorithm(
            "floating_base_inverse_dynamics",
            [](auto& b, const auto& s) {
                floating_base_inverse_dynamics(b.ws, s.q, s.v, nullptr, b.a_out, b.x);
            },
            [](auto& b) {
                b.evaluator.floating_base_inverse_dynamics(q(b), by_velocity(b, b.v_in),
                                                           vectors(b, b.a_io), vectors(b, b.small));
            },
            [](const Model& model) { return model.has_floating_base(); }),
    };
}

std::vector<BenchAlgorithm> matrices_of_motion() {
    std::vector<BenchAlgorithm> out = {
        algorithm(
            "mass_matrix", [](auto& b, const auto& s) { mass_matrix(b.ws, s.q, b.square); },
            [](auto& b) { b.evaluator.mass_matrix(q(b), squares(b)); }),
        algorithm(
            "mass_matrix_by_inverse_dynamics",
            [](auto& b, const auto& s) {
                mass_matrix_by_inverse_dynamics(b.ws, s.q, s.v, b.x, b.square);
            },
            [](auto& b) {
                b.evaluator.mass_matrix_by_inverse_dynamics(q(b), by_velocity(b, b.v_in),
                                                            vectors(b, b.small), squares(b));
            }),
        algorithm(
            "inverse_mass_matrix",
            [](auto& b, const auto& s) { inverse_mass_matrix(b.ws, s.q, b.square); },
            [](auto& b) { b.evaluator.inverse_mass_matrix(q(b), squares(b)); }),
        algorithm(
            "inverse_mass_matrix_times",
            [](auto& b, const auto& s) {
                b.x = s.tau;
                inverse_mass_matrix_times(b.ws, s.q, b.x);
            },
            [](auto& b) {
                b.evaluator.inverse_mass_matrix_times(q(b), by_velocity(b, b.tau_in),
                                                      vectors(b, b.small));
            }),
        algorithm(
            "coriolis_matrix",
            [](auto& b, const auto& s) { coriolis_matrix(b.ws, s.q, s.v, b.square); },
            [](auto& b) { b.evaluator.coriolis_matrix(q(b), by_velocity(b, b.v_in), squares(b)); }),
        algorithm(
            "coriolis_transpose_times_velocity",
            [](auto& b, const auto& s) { coriolis_transpose_times_velocity(b.ws, s.q, s.v, b.x); },
            [](auto& b) {
                b.evaluator.coriolis_transpose_times_velocity(q(b), by_velocity(b, b.v_in),
                                                              vectors(b, b.small));
            }),
        algorithm(
            "modified_newton_euler",
            [](auto& b, const auto& s) { modified_newton_euler(b.ws, s.q, s.v, b.square, b.x); },
            [](auto& b) {
                b.evaluator.modified_newton_euler(q(b), by_velocity(b, b.v_in), squares(b),
                                                  vectors(b, b.small));
            }),
        algorithm(
            "christoffel_symbols",
            [](auto& b, const auto& s) { christoffel_symbols(b.ws, s.q, b.symbols); }, [](auto&) {},
            [](const Model& model) { return cube(model.nv()) <= kMostSymbols; }),
    };
    // The one whose batch is smaller than the others'.
    const auto symbols = [](auto& b) {
        const long n = b.evaluator.model().nv();
        auto q_few = q(b);
        q_few.count = b.count_of_symbols;
        b.evaluator.christoffel_symbols(q_few, {b.symbols.data(), q_few.count, n, n * n});
        return q_few.count;
    };
    out.back().batch_f64 = symbols;
    out.back().batch_f32 = symbols;
    return out;
}

std::vector<BenchAlgorithm> kinematics() {
    return {
        algorithm(
            "jacobians", [](auto& b, const auto& s) { forward_kinematics(b.ws, s.q); },
            [](auto& b) { b.evaluator.jacobians(q(b), poses(b), jacobians(b, b.small)); }),
        algorithm(
            "jacobians_dot", [](auto& b, const auto& s) { forward_kinematics(b.ws, s.q, s.v); },
            [](auto& b) {
                b.evaluator.jacobian_rates(q(b), by_velocity(b, b.v_in), poses(b),
                                           jacobians(b, b.small), jacobians(b, b.small2));
            }),
        algorithm(
            "frame_pose",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q);
                b.pose = frame_pose(b.ws, b.frame);
            },
            [](auto& b) { b.evaluator.frame_pose(q(b), b.frame, matrices(b, b.large, 3, 4)); }),
        algorithm(
            "frame_velocity",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q, s.v);
                b.motion = frame_velocity(b.ws, b.frame, kBody);
            },
            [](auto& b) {
                b.evaluator.frame_velocity(q(b), by_velocity(b, b.v_in), b.frame, kBody,
                                           vectors(b, b.small, 6));
            }),
        algorithm(
            "frame_acceleration",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q, s.v, s.a);
                b.motion = frame_acceleration(b.ws, b.frame, kBody);
            },
            [](auto& b) {
                b.evaluator.frame_acceleration(q(b), by_velocity(b, b.v_in), by_velocity(b, b.a_in),
                                               b.frame, kBody, vectors(b, b.small, 6));
            }),
        algorithm(
            "frame_jacobian",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q);
                frame_jacobian(b.ws, b.frame, kBody, b.six);
            },
            [](auto& b) {
                b.evaluator.frame_jacobian(q(b), b.frame, kBody, jacobians(b, b.small));
            }),
        algorithm(
            "frame_jacobian_rate",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q, s.v);
                frame_jacobian_rate(b.ws, b.frame, kBody, b.six);
            },
            [](auto& b) {
                b.evaluator.frame_jacobian_rate(q(b), by_velocity(b, b.v_in), b.frame, kBody,
                                                jacobians(b, b.small));
            }),
    };
}

std::vector<BenchAlgorithm> whole_robot() {
    return {
        algorithm(
            "center_of_mass",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q);
                b.point = center_of_mass(b.ws);
            },
            [](auto& b) { b.evaluator.center_of_mass(q(b), vectors(b, b.small, 3)); }),
        algorithm(
            "com_jacobian",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q);
                com_jacobian(b.ws, b.three);
            },
            [](auto& b) { b.evaluator.com_jacobian(q(b), jacobians(b, b.small, 3)); }),
        algorithm(
            "com_jacobian_rate",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q, s.v);
                com_jacobian_rate(b.ws, b.three);
            },
            [](auto& b) {
                b.evaluator.com_jacobian_rate(q(b), by_velocity(b, b.v_in),
                                              jacobians(b, b.small, 3));
            }),
        algorithm(
            "centroidal_momentum",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q, s.v);
                b.force = centroidal_momentum(b.ws);
            },
            [](auto& b) {
                b.evaluator.centroidal_momentum(q(b), by_velocity(b, b.v_in),
                                                vectors(b, b.small, 6));
            }),
        algorithm(
            "centroidal_momentum_matrix",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q);
                centroidal_momentum_matrix(b.ws, b.six);
            },
            [](auto& b) { b.evaluator.centroidal_momentum_matrix(q(b), jacobians(b, b.small)); }),
        algorithm(
            "centroidal_momentum_matrix_rate",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q, s.v);
                centroidal_momentum_matrix_rate(b.ws, b.six);
            },
            [](auto& b) {
                b.evaluator.centroidal_momentum_matrix_rate(q(b), by_velocity(b, b.v_in),
                                                            jacobians(b, b.small));
            }),
        algorithm(
            "kinetic_energy",
            [](auto& b, const auto& s) { b.energy = kinetic_energy(b.ws, s.q, s.v); },
            [](auto& b) {
                b.evaluator.kinetic_energy(q(b), by_velocity(b, b.v_in), vectors(b, b.small, 1));
            }),
        algorithm(
            "potential_energy",
            [](auto& b, const auto& s) {
                forward_kinematics(b.ws, s.q);
                b.energy = potential_energy(b.ws);
            },
            [](auto& b) { b.evaluator.potential_energy(q(b), vectors(b, b.small, 1)); }),
        algorithm(
            "integrate", [](auto& b, const auto& s) { integrate(b.ws, s.q, s.v, b.q_out); },
            [](auto& b) {
                b.evaluator.integrate(q(b), by_velocity(b, b.v_in),
                                      vectors(b, b.large, b.evaluator.model().nq()));
            }),
        algorithm(
            "difference",
            [](auto& b, const auto& s) { difference(b.ws, s.q, b.states.back().q, b.x); },
            [](auto& b) { b.evaluator.difference(q(b), q1(b), vectors(b, b.small)); }),
    };
}

}  // namespace

std::vector<BenchAlgorithm> bench_algorithms(const Model& model) {
    std::vector<BenchAlgorithm> out;
    for (const auto& group : {dynamics(), matrices_of_motion(), kinematics(), whole_robot()}) {
        for (const BenchAlgorithm& algorithm : group) {
            if (algorithm.applies(model)) out.push_back(algorithm);
        }
    }
    return out;
}

}  // namespace plucker::cli
