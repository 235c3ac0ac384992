#include "plucker/laws/laws.hpp"

namespace plucker::laws {

std::vector<Residual> verify(const Model& model, int samples, std::uint32_t seed,
                             const std::function<void(int)>& progress) {
    std::mt19937 generator(seed);
    Report<double> report(model.nv());
    for (int k = 0; k < samples; ++k) {
        check_all(model, random_state(model, generator), report);
        if (progress) progress(k + 1);
    }
    return std::move(report).take();
}

}  // namespace plucker::laws
