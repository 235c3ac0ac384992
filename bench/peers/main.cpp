// plucker_bench_peers: the same robots and states on Plucker and on other libraries.
#include <dlfcn.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "measure.hpp"
#include "plucker/io/load.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker_peer.hpp"

namespace plucker::peers {
namespace {

struct Options {
    std::vector<std::string> robots = {"builtin:arm", "builtin:quadruped", "builtin:humanoid"};
    std::vector<std::string> peers, algorithms;
    bool floating = false;
    bool json = false;
    int states = 256;
    int core = 0;
    Settings settings;
};

struct Library {
    std::string name, version;
    std::string missing;  // why it cannot take part, if it cannot
};

// Behind a library's name: its calls, and the results of all states kept, which is what a batch does.
constexpr const char* kKept = " kept";

// Plucker's own columns: single calls, batches in double and in float.
constexpr std::size_t kOurs = 3;

struct Comparison {
    std::string robot;
    int num_bodies = 0, nv = 0;
    std::vector<Library> libraries;  // Plucker's kOurs first
    std::vector<std::pair<std::string, std::vector<std::optional<Measurement>>>> rows;
};

// Without rotors and friction, which not every library has.
Model load_robot(const std::string& name, bool floating) {
    constexpr std::string_view kBuiltin = "builtin:";
    Description description =
        name.starts_with(kBuiltin)
            ? robots::by_name(name.substr(kBuiltin.size())).description()
            : load(name, {.base = floating ? Base::kFloating : Base::kFixed}).description();
    for (JointDescription& joint : description.joints) {
        joint.armature = joint.damping = joint.friction = 0;
    }
    return Model(std::move(description));
}

// "…/peer_NAME.so", built beside this program.
std::string name_of_module(const std::string& path) {
    const std::size_t begin = path.find("peer_", path.rfind('/')) + 5;
    return path.substr(begin, path.rfind('.') - begin);
}

std::vector<std::string> modules() {
    std::vector<std::string> paths;
    std::istringstream list(PLUCKER_PEER_MODULES);
    for (std::string path; std::getline(list, path, ',');) paths.push_back(path);
    return paths;
}

MakePeer open_module(const std::string& path) {
    // Never closed: its code is in use until the end.
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) throw Error::because("cannot load ", path, ": ", dlerror());
    void* symbol = dlsym(module, kMakePeer);
    if (symbol == nullptr) throw Error::because(path, " has no function ", kMakePeer);
    return reinterpret_cast<MakePeer>(symbol);
}

Comparison compare(const std::string& name, const Options& options) {
    const Model model = load_robot(name, options.floating);
    const Robot robot = to_robot(model);
    const std::vector<State> states = random_states(model, options.states);
    Comparison out{model.name(), model.num_bodies(), model.nv(), {}, {}};

    std::vector<std::unique_ptr<Peer>> peers;
    std::vector<std::vector<Function>> functions;
    const auto add = [&](std::unique_ptr<Peer> peer) {
        std::vector<Function> last, all;
        for (Function& f : peer->functions()) (f.keeps_all ? all : last).push_back(std::move(f));
        const auto add_functions = [&](const std::string& called, std::vector<Function>& of) {
            if (of.empty()) return;
            out.libraries.push_back({called, peer->version(), ""});
            functions.push_back(std::move(of));
        };
        add_functions(peer->name(), last);
        add_functions(peer->name() + kKept, all);
        peers.push_back(std::move(peer));
    };
    add(make_plucker(model, states));
    add(make_double_batch(model, states));
    add(make_float_batch(model, states));
    for (const std::string& path : modules()) {
        const std::string peer = name_of_module(path);
        const bool wanted = options.peers.empty() ||
                            std::count(options.peers.begin(), options.peers.end(), peer) > 0;
        if (!wanted) continue;
        const MakePeer make = open_module(path);
        try {
            add(std::unique_ptr<Peer>(make(robot, states)));
        } catch (const std::runtime_error& error) {
            out.libraries.push_back({peer, "", error.what()});
            functions.emplace_back();
        }
    }
    for (const std::string& algorithm :
         options.algorithms.empty() ? kAlgorithms : options.algorithms) {
        out.rows.emplace_back(algorithm,
                              measure(algorithm, functions, options.states, options.settings));
    }
    return out;
}

// --- What is printed -----------------------------------------------------------------------------

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "unknown processor";
}

// How many times longer theirs takes, by the minima: neighbours on the machine disturb those least.
// Nothing is claimed about results that differ.
std::string ratio_text(const std::optional<Measurement>& ours, const Measurement& theirs) {
    if (!ours) return "-";
    if (!ours->agrees || !theirs.agrees) return "differs";
    return fmt::format("{:.2f}x", theirs.minimum / ours->minimum);
}

void print_table(const Comparison& comparison) {
    fmt::print("{}: {} bodies, nv = {}; batches with {}\n", comparison.robot, comparison.num_bodies,
               comparison.nv, comparison.libraries[1].version);
    fmt::print("{:<20}{:>10}{:>10}{:>10}", "", "plucker", "f64", "f32");
    for (std::size_t i = kOurs; i < comparison.libraries.size(); ++i) {
        const Library& library = comparison.libraries[i];
        if (library.missing.empty()) fmt::print("{:>37}", library.name + " " + library.version);
    }
    fmt::print("\n");
    for (const auto& [algorithm, entries] : comparison.rows) {
        if (!entries.front()) continue;
        fmt::print("{:<20}", algorithm);
        for (std::size_t i = 0; i < kOurs; ++i) {
            fmt::print("{:>10}", entries[i] ? fmt::format("{:.1f}", entries[i]->minimum) : "-");
        }
        for (std::size_t i = kOurs; i < entries.size(); ++i) {
            if (!comparison.libraries[i].missing.empty()) continue;
            fmt::print("{:>10}", entries[i] ? fmt::format("{:.0f}", entries[i]->minimum) : "-");
            for (std::size_t ours = 0; ours < kOurs; ++ours) {
                fmt::print("{:>9}", entries[i] ? ratio_text(entries[ours], *entries[i]) : "");
            }
        }
        fmt::print("\n");
    }
    for (std::size_t i = kOurs; i < comparison.libraries.size(); ++i) {
        const Library& library = comparison.libraries[i];
        if (!library.missing.empty()) {
            fmt::print("{}: left out: {}\n", library.name, library.missing);
            continue;
        }
        std::string names;
        for (const auto& [algorithm, entries] : comparison.rows) {
            if (entries[i]) names += (names.empty() ? "" : "; ") + entries[i]->function;
        }
        if (!names.empty()) fmt::print("{}: {}\n", library.name, names);
    }
    fmt::print("\n");
}

nlohmann::json to_json(const Comparison& comparison) {
    nlohmann::json out = {{"robot", comparison.robot},
                          {"bodies", comparison.num_bodies},
                          {"nv", comparison.nv},
                          {"algorithms", nlohmann::json::object()}};
    for (const auto& [algorithm, entries] : comparison.rows) {
        nlohmann::json& row = out["algorithms"][algorithm];
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (!entries[i]) continue;
            const Measurement& m = *entries[i];
            nlohmann::json& cell = row[comparison.libraries[i].name];
            cell = {{"function", m.function}, {"median_ns", m.median}, {"minimum_ns", m.minimum}};
            if (i == 0) continue;
            cell["difference"] = m.difference;
            if (i < kOurs || !m.agrees) continue;
            constexpr const char* kRatio[kOurs] = {"ratio", "ratio_to_f64", "ratio_to_f32"};
            for (std::size_t ours = 0; ours < kOurs; ++ours) {
                if (!entries[ours] || !entries[ours]->agrees) continue;
                cell[kRatio[ours]] = m.minimum / entries[ours]->minimum;
            }
        }
    }
    for (const Library& library : comparison.libraries) {
        nlohmann::json& entry = out["libraries"][library.name];
        if (library.missing.empty()) {
            entry["version"] = library.version;
        } else {
            entry["left_out"] = library.missing;
        }
    }
    return out;
}

int run(int argc, char** argv) {
    Options options;
    CLI::App app{"Times Plucker and other libraries on the same robots and states.",
                 "plucker_bench_peers"};
    app.add_option("MODEL", options.robots, "robot files, or builtin:NAME")->capture_default_str();
    std::vector<std::string> known;
    for (const std::string& path : modules()) known.push_back(name_of_module(path));
    app.add_option("--peer", options.peers, "only this library; may be repeated")
        ->check(CLI::IsMember(known))
        ->allow_extra_args(false);
    app.add_option("--algorithm", options.algorithms, "only this algorithm; may be repeated")
        ->check(CLI::IsMember(kAlgorithms))
        ->allow_extra_args(false);
    app.add_flag("--floating", options.floating, "robots from files have a floating base");
    app.add_option("--states", options.states, "states that calls go through in turn")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--seconds", options.settings.seconds, "time for each function")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--core", options.core, "core to stay on")->capture_default_str();
    app.add_flag("--json", options.json, "machine-readable output");
    CLI11_PARSE(app, argc, argv);

    pin_to_core(options.core);
    nlohmann::json all = {{"processor", processor()},
                          {"states", options.states},
                          {"unit", "ns per call"},
                          {"robots", nlohmann::json::array()}};
    if (!options.json) {
        fmt::print(
            "{}, core {}. Nanoseconds a call, or a state of a batch: the minimum; and how many "
            "times\n"
            "Plucker's single call, its batch in double and its batch in float that is.\n\n",
            processor(), options.core);
    }
    for (const std::string& name : options.robots) {
        const Comparison comparison = compare(name, options);
        if (options.json) {
            all["robots"].push_back(to_json(comparison));
        } else {
            print_table(comparison);
        }
    }
    if (options.json) fmt::print("{}\n", all.dump(2));
    return 0;
}

}  // namespace
}  // namespace plucker::peers

int main(int argc, char** argv) {
    try {
        return plucker::peers::run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "plucker_bench_peers: {}\n", error.what());
        return 2;
    }
}
