// plucker_bench_simulate: the same scenes on Plucker and on other simulators; how fast, and how exactly.
#include <dlfcn.h>
#include <fmt/core.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "integrators.hpp"
#include "plucker/error.hpp"
#include "scenes.hpp"

namespace plucker::bench {
namespace {

using nlohmann::json;
using Engines = std::vector<std::unique_ptr<Engine>>;

// Of this thread alone, so that others on the machine disturb less.
double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Simulators to compare with, by a part of their module's name; empty: all.
std::string beside;

Engines all_engines(const Setup& setup) {
    Engines out;
    out.push_back(make_plucker(setup));
    const std::string modules = PLUCKER_ENGINE_MODULES;
    for (std::size_t begin = 0; begin < modules.size();) {
        const std::size_t end = std::min(modules.find(',', begin), modules.size());
        const std::string path = modules.substr(begin, end - begin);
        begin = end + 1;
        if (path.substr(path.rfind('/') + 1).find(beside) == std::string::npos) continue;
        void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (module == nullptr) throw Error::because("bench: ", dlerror());
        const auto count = reinterpret_cast<CountEngines>(dlsym(module, kCountEngines));
        const auto make = reinterpret_cast<MakeEngine>(dlsym(module, kMakeEngine));
        for (int k = 0; k < count(); ++k) out.emplace_back(make(setup.scene, k));
    }
    return out;
}

double base_x(const Engine& engine) { return engine.configuration()[0]; }

struct Speed {
    std::string engine;
    double steps_a_second = 0, slowest = 0, deepest = 0, residual = -1;
};

// Each engine makes the same runs in each round. A run is cut into pieces, and of each the quickest round counts. A batch has
// many runs in it: it makes the first alone.
std::vector<Speed> measure_speed(const std::vector<Setup>& runs, int rounds) {
    constexpr int kPieces = 40;
    std::vector<Speed> out;
    std::vector<double> seconds, moved;
    for (const Setup& run : runs) {
        const bool is_first = &run == runs.data();
        Engines engines = all_engines(run);
        engines.insert(engines.begin() + 1, is_first ? make_plucker_batch(run) : nullptr);
        out.resize(engines.size());
        seconds.resize(engines.size());
        moved.resize(engines.size());
        const int steps = static_cast<int>(std::lround(run.duration / run.scene.step)) / kPieces;
        Judge judge(run);
        std::vector<std::vector<double>> best(engines.size(), std::vector<double>(kPieces, 1e300));
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t e = 0; e < engines.size(); ++e) {
                if (engines[e] == nullptr) continue;
                engines[e]->reset();
                for (std::size_t piece = 0; piece < kPieces; ++piece) {
                    const double begin = cpu_seconds();
                    for (int k = 0; k < steps; ++k) engines[e]->step();
                    best[e][piece] = std::min(best[e][piece], cpu_seconds() - begin);
                    if (round == 0)
                        out[e].deepest =
                            std::max(out[e].deepest, judge.deepest(engines[e]->configuration()));
                }
            }
        }
        for (std::size_t e = 0; e < engines.size(); ++e) {
            if (engines[e] == nullptr) continue;
            const double of_piece = steps * engines[e]->robots();
            for (const double x : best[e]) seconds[e] += x;
            moved[e] += kPieces * of_piece;
            const double slowest = of_piece / *std::max_element(best[e].begin(), best[e].end());
            out[e].engine = engines[e]->name();
            out[e].slowest = is_first ? slowest : std::min(out[e].slowest, slowest);
            out[e].residual = std::max(out[e].residual, engines[e]->worst_residual());
        }
    }
    for (std::size_t e = 0; e < out.size(); ++e) out[e].steps_a_second = moved[e] / seconds[e];
    return out;
}

// A fall is chaotic, and the next one of another difficulty.
std::vector<Setup> falls(double step) {
    constexpr int kFalls = 12;
    std::vector<Setup> out;
    for (int k = 0; k < kFalls; ++k) {
        out.push_back(falling_humanoid(step));
        out.back().scene.v[3] += 1e-3 * k;
    }
    return out;
}

json show_speed(const std::vector<Setup>& runs, int rounds) {
    const Setup& setup = runs.front();
    const std::vector<Speed> speeds = measure_speed(runs, rounds);
    const auto mujoco = std::find_if(speeds.begin(), speeds.end(),
                                     [](const Speed& s) { return s.engine == "MuJoCo"; });
    fmt::print("\n{} (step {} ms, {} s, {} times)\n", setup.scene.name, setup.scene.step * 1e3,
               setup.duration, runs.size());
    fmt::print("  {:<24}{:>12}{:>12}{:>12}{:>14}{:>16}\n", "", "steps/s", "x MuJoCo", "slowest/s",
               "deepest [mm]", "residual [m/s]");
    json out = json::array();
    for (const Speed& s : speeds) {
        const double ratio = mujoco == speeds.end() ? 0 : s.steps_a_second / mujoco->steps_a_second;
        fmt::print("  {:<24}{:>12.0f}{:>12.2f}{:>12.0f}{:>14.4f}{:>16}\n", s.engine,
                   s.steps_a_second, ratio, s.slowest, s.deepest * 1e3,
                   s.residual < 0 ? "not stated" : fmt::format("{:.1e}", s.residual));
        json entry = {{"engine", s.engine},
                      {"steps_a_second", s.steps_a_second},
                      {"slowest_piece", s.slowest},
                      {"ratio_to_mujoco", ratio},
                      {"deepest", s.deepest}};
        if (s.residual >= 0) entry["residual"] = s.residual;
        out.push_back(entry);
    }
    return {{"scene", setup.scene.name}, {"step", setup.scene.step}, {"engines", out}};
}

// How far the base wanders from where it was after `settling` seconds.
json show_creep(const std::string& title, const Setup& setup, double settling, double duration) {
    fmt::print("\n{}: moved within {} s, after {} s to settle\n", title, duration, settling);
    json out = json::array();
    for (const auto& engine : all_engines(setup)) {
        engine->reset();
        const double h = setup.scene.step;
        for (long k = std::lround(settling / h); k > 0; --k) engine->step();
        const std::vector<double> start = engine->configuration();
        std::vector<double> times, moved;
        const long steps = std::lround(duration / h), every = std::max(1L, steps / 120);
        for (long k = 0; k <= steps; ++k) {
            if (k % every == 0) {
                const std::vector<double> q = engine->configuration();
                times.push_back(static_cast<double>(k) * h);
                moved.push_back(std::hypot(q[0] - start[0], q[1] - start[1]));
            }
            engine->step();
        }
        fmt::print("  {:<24}{:>14.3e} mm\n", engine->name(), moved.back() * 1e3);
        out.push_back({{"engine", engine->name()}, {"time", times}, {"moved", moved}});
    }
    return {{"title", title}, {"engines", out}};
}

// A block that slides until it stops: where, and how far above the ground.
json show_slide(double friction, double speed, double step) {
    const Setup setup = block(friction, 0, speed, step);
    const double expected = speed * speed / (2 * friction * 9.81);
    fmt::print("\nblock sliding at {} m/s, mu = {}, step {} ms: stops after {:.4f} m\n", speed,
               friction, step * 1e3, expected);
    fmt::print("  {:<24}{:>18}{:>16}{:>18}\n", "", "distance off [mm]", "lift [mm]", "h mu v [mm]");
    json out = json::array();
    for (const auto& engine : all_engines(setup)) {
        engine->reset();
        double lift = 0;
        std::vector<double> times, positions, lifts;
        const long steps = std::lround(1.5 / step);
        for (long k = 0; k <= steps; ++k) {
            const std::vector<double> q = engine->configuration();
            times.push_back(static_cast<double>(k) * step);
            positions.push_back(q[0]);
            lifts.push_back(q[2] - 0.1);
            lift = std::max(lift, lifts.back());
            engine->step();
        }
        const double off = base_x(*engine) - expected;
        fmt::print("  {:<24}{:>18.3f}{:>16.4f}{:>18.3f}\n", engine->name(), off * 1e3, lift * 1e3,
                   step * friction * speed * 1e3);
        out.push_back({{"engine", engine->name()},
                       {"distance_error", off},
                       {"lift", lift},
                       {"time", times},
                       {"x", positions},
                       {"height", lifts}});
    }
    return {{"friction", friction},
            {"speed", speed},
            {"step", step},
            {"expected", expected},
            {"engines", out}};
}

int run(int argc, char** argv) {
    CLI::App app{
        "Simulators beside each other: speed, creep, sliding; and the integrators' errors"};
    int rounds = 5;
    std::string output, only;
    app.add_option("--rounds", rounds, "How often each run is timed")->check(CLI::Range(1, 1000));
    app.add_option("--only", only, "One part: speed, creep, slide or integrators")
        ->check(CLI::IsMember({"speed", "creep", "slide", "integrators"}));
    app.add_option("--beside", beside, "One simulator alone: mujoco, dart or bullet")
        ->check(CLI::IsMember({"mujoco", "dart", "bullet"}));
    app.add_option("--output", output,
                   "A file for the figures, as JSON; bench/simulate/plot.py draws them");
    CLI11_PARSE(app, argc, argv);
    const auto wanted = [&](const char* part) { return only.empty() || only == part; };
    json out;
    if (wanted("speed")) {
        for (const std::vector<Setup>& runs : {std::vector{standing_quadruped()}, falls(5e-3),
                                               falls(1e-3), std::vector{flying_arm()}})
            out["speed"].push_back(show_speed(runs, rounds));
    }
    if (wanted("creep")) {
        out["creep"].push_back(
            show_creep("quadruped standing under PD, 5 ms", standing_quadruped(), 10, 60));
        out["creep"].push_back(show_creep("block on a slope of 20 degrees, mu = 0.8, 5 ms",
                                          block(0.8, 20 * M_PI / 180, 0, 5e-3), 5, 60));
    }
    if (wanted("slide")) {
        for (const double step : {5e-3, 1e-3}) out["slide"].push_back(show_slide(0.5, 2, step));
    }
    if (wanted("integrators")) out["integrators"] = show_integrators();
    if (!output.empty()) std::ofstream(output) << out.dump(1) << "\n";
    return 0;
}

}  // namespace
}  // namespace plucker::bench

int main(int argc, char** argv) {
    try {
        return plucker::bench::run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return 1;
    }
}
