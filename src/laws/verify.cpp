#include "plucker/laws/laws.hpp"

namespace plucker::laws {

std::vector<Residual> verify(const Model& model, std::span<const State<double>> states,
                             const std::function<void(int)>& progress) {
    Report<double> report(model.nv());
    int done = 0;
    for (const State<double>& state : states) {
        check_all(model, state, report);
        if (progress) progress(++done);
    }
    return std::move(report).take();
}

std::vector<Residual> verify(const Model& model, int samples, std::uint32_t seed,
                             const std::function<void(int)>& progress) {
    std::mt19937 generator(seed);
    std::vector<State<double>> states;
    for (int k = 0; k < samples; ++k) {
        State<double>& s = states.emplace_back(random_state(model, generator));
        s.tau.array() *= Sizes(model, s.q).torques(magnitudes(s.v), magnitudes(s.a)).array();
    }
    return verify(model, states, progress);
}

}  // namespace plucker::laws
