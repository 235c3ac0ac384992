// Plucker's batches: all states in one call, on one core.
#include <type_traits>

#include "plucker/batch/batch.hpp"
#include "plucker_peer.hpp"

namespace plucker::peers {
namespace {

template <class T>
class BatchPeer : public Peer {
public:
    BatchPeer(const Model& model, const std::vector<State>& states)
        : evaluator_(model, {.threads = 1}),
          nv_(model.nv()),
          bodies_(model.num_bodies()),
          q_(rows(states, &State::q)),
          v_(rows(states, &State::v)),
          a_(rows(states, &State::a)),
          tau_(rows(states, &State::tau)) {
        const std::size_t n = states.size();
        const auto nv = static_cast<std::size_t>(nv_);
        out_.resize(n * std::max(nv * nv, 6 * nv));
        poses_.resize(n * 12 * static_cast<std::size_t>(bodies_));
        axes_.resize(n * 6 * nv);
        by_v_.resize(n * nv * nv);
        by_a_.resize(n * nv * nv);
    }

    std::string name() const override { return kIsDouble ? "batch f64" : "batch f32"; }
    std::string version() const override { return name_of(evaluator_.isa()); }

    std::vector<Function> functions() override {
        using Run = std::function<void(int, int)>;
        const auto function = [this](const char* name, int rows, int columns, double tolerance,
                                     Run run) {
            return Function{name, name, std::move(run),
                            [=, this](int k) { return result(k, rows, columns); }, tolerance};
        };
        // In float, accelerations and M⁻¹ lose what the condition number of M takes.
        const double direct = kIsDouble ? 1e-10 : 1e-4;
        const double inverted = kIsDouble ? 1e-10 : 1e-2;
        return {
            function("inverse_dynamics", nv_, 1, direct,
                     [this](int i, int j) {
                         inverse_dynamics(evaluator_, q_(i, j), v_(i, j), a_(i, j),
                                          vectors(i, j, nv_));
                     }),
            function("forward_dynamics", nv_, 1, inverted,
                     [this](int i, int j) {
                         forward_dynamics(evaluator_, q_(i, j), v_(i, j), tau_(i, j),
                                          vectors(i, j, nv_));
                     }),
            function("mass_matrix", nv_, nv_, direct,
                     [this](int i, int j) {
                         mass_matrix(evaluator_, q_(i, j), matrices(i, j, nv_, nv_));
                     }),
            function("inverse_mass_matrix", nv_, nv_, inverted,
                     [this](int i, int j) {
                         inverse_mass_matrix(evaluator_, q_(i, j), matrices(i, j, nv_, nv_));
                     }),
            function("coriolis_matrix", nv_, nv_, direct,
                     [this](int i, int j) {
                         coriolis_matrix(evaluator_, q_(i, j), v_(i, j), matrices(i, j, nv_, nv_));
                     }),
            function("jacobians", 6, nv_, direct,
                     [this](int i, int j) {
                         jacobians(evaluator_, q_(i, j), poses(i, j), matrices(i, j, 6, nv_));
                     }),
            function("jacobians_dot", 6, nv_, direct,
                     [this](int i, int j) {
                         jacobians_dot(evaluator_, q_(i, j), v_(i, j), poses(i, j), axes(i, j),
                                       matrices(i, j, 6, nv_));
                     }),
            function("com_jacobian", 3, nv_, direct,
                     [this](int i, int j) {
                         com_jacobian(evaluator_, q_(i, j), matrices(i, j, 3, nv_));
                     }),
            function("centroidal_map", 6, nv_, direct,
                     [this](int i, int j) {
                         centroidal_momentum_matrix(evaluator_, q_(i, j), matrices(i, j, 6, nv_));
                     }),
            function("kinetic_energy", 1, 1, direct,
                     [this](int i, int j) {
                         kinetic_energy(evaluator_, q_(i, j), v_(i, j), vectors(i, j, 1));
                     }),
            function("inverse_dynamics_derivatives", nv_, nv_, direct,
                     [this](int i, int j) {
                         inverse_dynamics_derivatives(evaluator_, q_(i, j), v_(i, j), a_(i, j),
                                                      matrices(i, j, nv_, nv_),
                                                      squares(by_v_, i, j), squares(by_a_, i, j));
                     }),
            function("forward_dynamics_derivatives", nv_, nv_, inverted,
                     [this](int i, int j) {
                         forward_dynamics_derivatives(evaluator_, q_(i, j), v_(i, j), tau_(i, j),
                                                      matrices(i, j, nv_, nv_),
                                                      squares(by_v_, i, j), squares(by_a_, i, j));
                     }),
        };
    }

private:
    static constexpr bool kIsDouble = std::is_same_v<T, double>;

    // One row per state.
    struct Rows {
        std::vector<T> numbers;
        long size;
        batch::States<const T> operator()(int first, int last) const {
            return {numbers.data() + first * size, last - first, size};
        }
    };
    static Rows rows(const std::vector<State>& states, std::vector<double> State::*member) {
        Rows out{{}, static_cast<long>((states.front().*member).size())};
        for (const State& s : states) {
            for (const double x : s.*member) out.numbers.push_back(static_cast<T>(x));
        }
        return out;
    }

    batch::States<T> vectors(int first, int last, long size) {
        return {out_.data() + first * size, last - first, size};
    }
    batch::Matrices<T> matrices(int first, int last, long r, long c) {
        return {out_.data() + first * r * c, last - first, r, c};
    }
    batch::Matrices<T> poses(int first, int last) {
        return {poses_.data() + first * bodies_ * 12L, last - first, bodies_, 12};
    }
    batch::Matrices<T> axes(int first, int last) {
        return {axes_.data() + first * 6L * nv_, last - first, 6, nv_};
    }

    batch::Matrices<T> squares(std::vector<T>& to, int first, int last) {
        return {to.data() + first * static_cast<long>(nv_) * nv_, last - first, nv_, nv_};
    }

    // By columns, as results are compared; they were stored by rows.
    std::vector<double> result(int k, int r, int c) const {
        const T* from = out_.data() + static_cast<long>(k) * r * c;
        std::vector<double> out;
        for (int column = 0; column < c; ++column) {
            for (int row = 0; row < r; ++row) out.push_back(from[row * c + column]);
        }
        return out;
    }

    batch::Evaluator<T> evaluator_;
    int nv_, bodies_;
    Rows q_, v_, a_, tau_;
    std::vector<T> out_, poses_, axes_, by_v_, by_a_;
};

}  // namespace

std::unique_ptr<Peer> make_double_batch(const Model& model, const std::vector<State>& states) {
    return std::make_unique<BatchPeer<double>>(model, states);
}
std::unique_ptr<Peer> make_float_batch(const Model& model, const std::vector<State>& states) {
    return std::make_unique<BatchPeer<float>>(model, states);
}

}  // namespace plucker::peers
