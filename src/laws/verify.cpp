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
    if (samples < 1)
        throw Error::because("verify: samples is ", samples, "; it must be at least 1");
    std::mt19937 generator(seed);
    Report<double> report(model.nv());
    for (int k = 0; k < samples; ++k) {
        State<double> s = random_state(model, generator);
        s.tau.array() *= Sizes(model, s.q).torques(magnitudes(s.v), magnitudes(s.a)).array();
        check_all(model, s, report);
        if (progress) progress(k + 1);
    }
    return std::move(report).take();
}

}  // namespace plucker::laws
