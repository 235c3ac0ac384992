#include "measure.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include "plucker/algorithms/table.hpp"

namespace plucker::peers {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Seconds that this thread has run: while another program has the core, it stands still.
double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double difference(const std::vector<double>& ours, const std::vector<double>& theirs) {
    if (ours.size() != theirs.size()) return std::numeric_limits<double>::infinity();
    double scale = 1, largest = 0;
    for (std::size_t k = 0; k < ours.size(); ++k) {
        const double d = std::abs(ours[k] - theirs[k]);
        if (!std::isfinite(d)) return std::numeric_limits<double>::infinity();
        largest = std::max(largest, d);
        scale = std::max(scale, std::abs(ours[k]));
    }
    return largest / scale;
}

double difference(const Function& ours, const Function& theirs, int num_states) {
    double largest = 0;
    for (int k = 0; k < num_states; ++k) {
        ours.run(k, k + 1);
        theirs.run(k, k + 1);
        largest = std::max(largest, difference(ours.result(k), theirs.result(k)));
    }
    return largest;
}

// One function being timed.
struct Candidate {
    std::size_t library;
    const Function* function;
    std::vector<double> samples = {};  // ns per call
};

// One pass after another, the candidates in turn: what disturbs the machine disturbs all of them.
void time(std::vector<Candidate>& candidates, int num_states, double seconds) {
    for (Candidate& c : candidates) c.function->run(0, num_states);  // warm up
    const auto begin = Clock::now();
    constexpr int kFewestSamples = 21;
    for (int pass = 0; pass < kFewestSamples ||
                       seconds_since(begin) < seconds * static_cast<double>(candidates.size());
         ++pass) {
        for (Candidate& c : candidates) {
            // The first states load this function's code and data; they are not counted.
            c.function->run(0, std::min(num_states, 16));
            const double start = cpu_seconds();
            c.function->run(0, num_states);
            c.samples.push_back((cpu_seconds() - start) * 1e9 / num_states);
        }
    }
}

}  // namespace

std::vector<std::optional<Measurement>> measure(const std::string& algorithm,
                                                const std::vector<std::vector<Function>>& libraries,
                                                int num_states, const Settings& settings) {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < libraries.size(); ++i) {
        for (const Function& f : libraries[i]) {
            if (f.algorithm == algorithm) candidates.push_back({i, &f});
        }
    }
    std::vector<std::optional<Measurement>> best(libraries.size());
    if (candidates.empty() || candidates.front().library != 0) return best;
    time(candidates, num_states, settings.seconds);

    const Function& ours = *candidates.front().function;
    for (Candidate& c : candidates) {
        std::sort(c.samples.begin(), c.samples.end());
        Measurement m;
        m.function = c.function->name;
        m.difference = difference(ours, *c.function, std::min(num_states, settings.checked_states));
        m.agrees = m.difference <= c.function->tolerance;
        m.minimum = c.samples.front();
        m.median = c.samples[c.samples.size() / 2];
        auto& entry = best[c.library];
        // A wrong result is no alternative to a right one, however fast.
        const bool better = !entry || (m.agrees && !entry->agrees) ||
                            (m.agrees == entry->agrees && m.minimum < entry->minimum);
        if (better) entry = m;
    }
    return best;
}

std::vector<State> random_states(const Model& model, int count) {
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> random(-1, 1);
    const auto vector = [&](double scale) {
        std::vector<double> x(static_cast<std::size_t>(model.nv()));
        for (double& x_k : x) x_k = scale * random(generator);
        return x;
    };
    std::vector<State> states(static_cast<std::size_t>(count));
    for (State& state : states) {
        const VectorX<double> q = random_configuration(model, generator);
        state.q.assign(q.data(), q.data() + q.size());
        state.v = vector(2);
        state.a = vector(5);
        state.tau = vector(5);
    }
    return states;
}

void pin_to_core(int core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<std::size_t>(core), &cores);
    if (sched_setaffinity(0, sizeof cores, &cores) != 0) {
        throw Error::because("cannot stay on core ", core, "; is there such a core?");
    }
}

}  // namespace plucker::peers
