// What every reader's fuzzer does with a text: read it, and if it is accepted, compute with it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "plucker/algorithms/configuration.hpp"
#include "plucker/algorithms/instantiations.hpp"
#include "plucker/algorithms/inverse_dynamics.hpp"
#include "plucker/io/load.hpp"
#include "plucker/model/suspicions.hpp"

namespace plucker::fuzz {

// A text that is accepted must give a model that computes, and one that is refused must say why.
inline void read_and_compute(const std::string& text, Format format) {
    const ReadResult result = read_robot_text(text, "fuzz.xml");
    for (const Diagnostic& d : result.diagnostics) {
        if (to_string(d).empty()) std::abort();
    }
    if (has_errors(result.diagnostics)) return;
    if (result.format != format) return;
    (void)find_suspicions(result.description);
    const Model model(result.description);
    if (model.nv() > 200) return;  // large robots only cost time
    const VectorX<double> q = neutral_configuration(model);
    const VectorX<double> zero = VectorX<double>::Zero(model.nv());
    if (!inverse_dynamics(model, q, zero, zero).allFinite()) std::abort();
}

}  // namespace plucker::fuzz
