#include "bench_measure.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace plucker::cli {
namespace {

using Clock = std::chrono::steady_clock;

double nanoseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

// Fewer repetitions tell little; but what is slow must not take forever.
constexpr std::size_t kRepetitions = 30;
constexpr double kMostBudgets = 10;
// One repetition takes at least this long, so that reading the clock does not count.
constexpr double kShortestRepetition = 20e3;

// All threads busy at once: operations a nanosecond of all together.
template <class T>
double busy_rate(Isa isa, long rounds, int threads) {
    std::vector<double> operations(static_cast<std::size_t>(threads));
    std::vector<std::jthread> others;  // which wait for their end, whatever is thrown
    const auto begin = Clock::now();
    for (std::size_t k = 1; k < operations.size(); ++k) {
        others.emplace_back(
            [&operations, isa, rounds, k] { operations[k] = keep_busy<T>(isa, rounds); });
    }
    operations[0] = keep_busy<T>(isa, rounds);
    others.clear();
    const double time = nanoseconds_since(begin);
    double sum = 0;
    for (const double n : operations) sum += n;
    return sum / time;
}

}  // namespace

Times measure(double seconds, const std::function<long()>& once) {
    // Warm up: caches, branch predictors, the pages of the results.
    double about = 0;
    for (int k = 0; k < 2 && about < kShortestRepetition; ++k) {
        const auto start = Clock::now();
        once();
        about = std::max(nanoseconds_since(start), 1.0);
    }
    const auto runs = static_cast<int>(std::max(kShortestRepetition / about, 1.0));

    std::vector<double> samples;
    const double budget = seconds * 1e9;
    const auto begin = Clock::now();
    for (double elapsed = 0;
         elapsed < budget || (samples.size() < kRepetitions && elapsed < kMostBudgets * budget);
         elapsed = nanoseconds_since(begin)) {
        long states = 0;
        const auto start = Clock::now();
        for (int k = 0; k < runs; ++k) states += once();
        samples.push_back(nanoseconds_since(start) / static_cast<double>(states));
    }
    std::sort(samples.begin(), samples.end());
    return {samples.front(), samples[samples.size() / 2]};
}

PeakRate measure_peak(Isa isa, int threads, double seconds) {
    // Long enough that starting the threads does not count: some milliseconds.
    constexpr long kRounds = 200000;
    PeakRate best;
    const auto begin = Clock::now();
    do {  // in turn, so that both see the same clock rate
        best.f64 = std::max(best.f64, busy_rate<double>(isa, kRounds, threads));
        best.f32 = std::max(best.f32, busy_rate<float>(isa, kRounds, threads));
    } while (nanoseconds_since(begin) < 2e9 * seconds);
    return best;
}

}  // namespace plucker::cli
