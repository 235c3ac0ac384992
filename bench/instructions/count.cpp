// Calls every algorithm of the table once, for callgrind to count the instructions.
//
// Run by scripts/count_instructions under valgrind: each call becomes a dump named "robot call". Alone the program
// just makes the calls.
#include <valgrind/callgrind.h>

#include <random>
#include <string>

#include "plucker/algorithms/arranged.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"

namespace plucker {
namespace {

class Counter {
public:
    explicit Counter(std::string robot) : robot_(std::move(robot)) {}

    template <class Call>
    void count(const std::string& name, const Call& call) const {
        call();  // not counted: the first call binds symbols
        const std::string title = robot_ + " " + name;
        CALLGRIND_ZERO_STATS;
        CALLGRIND_TOGGLE_COLLECT;
        call();
        CALLGRIND_TOGGLE_COLLECT;
        CALLGRIND_DUMP_STATS_AT(title.c_str());
    }

private:
    std::string robot_;
};

void count_all(const Counter& counter, const Model& model) {
    std::mt19937 generator(1);
    const auto state = laws::random_state(model, generator);
    const Sample<double> sample{state.q, state.v, state.a, state.tau, state.q};
    Workspace<double> ws(model);
    forward_kinematics(ws, state.q, state.v, state.a);
    table::All::for_each([&]<class Row>(Row) {
        constexpr const Algorithm& kRow = Row::kAlgorithm;
        if (!applies_to(kRow, model)) return;
        Arranged<double> arranged(kRow, model);
        arranged.refill(sample);
        Operands<double> x = arranged.at(sample);
        std::string name = kRow.name;
        if (kRow.fills_kinematics)
            name += "(q" + std::string(",v,a", 0, 2 * kRow.inputs.size() - 2) + ")";
        counter.count(name, [&] { table::perform_row(Row{}, ws, x); });
        if (kRow.fills_kinematics) forward_kinematics(ws, state.q, state.v, state.a);
    });
}

}  // namespace
}  // namespace plucker

int main() {
    for (const char* robot : {"arm", "quadruped", "humanoid"}) {
        plucker::count_all(plucker::Counter(robot), plucker::robots::by_name(robot));
    }
}
