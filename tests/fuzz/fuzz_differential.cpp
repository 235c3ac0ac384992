// Robots at random beside MuJoCo and DART, until the time or the number is reached or one disagrees.
//
//     plucker_fuzz_differential --seed 1 --seconds 600
//     plucker_fuzz_differential --seed 4711 --count 1        one robot again
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>

#include "oracles/differential.hpp"
#include "support/random_robot.hpp"

namespace {

using namespace plucker;

// What goes wrong with the robot; empty if nothing does.
std::string trouble_with(const Description& robot, unsigned seed) {
    try {
        return test::disagreement(robot, seed);
    } catch (const std::exception& error) {
        return std::string("throws: ") + error.what();
    }
}

void report(unsigned seed, const std::string& what) {
    // In the same way, by the first word of the trouble: a smaller robot may have others.
    const std::string kind = what.substr(0, what.find(' '));
    const auto fails = [&](const Description& robot) {
        return trouble_with(robot, seed).starts_with(kind);
    };
    const Description robot = test::shrunken(test::random_robot(seed), fails);
    std::printf("FOUND with --seed %u: %s\n\nshrunken: %s\n%s", seed, what.c_str(),
                trouble_with(robot, seed).c_str(), test::to_text(robot).c_str());
}

}  // namespace

int main(int argc, char** argv) {
    unsigned seed = 1;
    unsigned long count = std::numeric_limits<unsigned long>::max();
    double seconds = std::numeric_limits<double>::infinity();
    for (int k = 1; k + 1 < argc; k += 2) {
        const std::string option = argv[k];
        if (option == "--seed")
            seed = static_cast<unsigned>(std::strtoul(argv[k + 1], nullptr, 10));
        if (option == "--count") count = std::strtoul(argv[k + 1], nullptr, 10);
        if (option == "--seconds") seconds = std::strtod(argv[k + 1], nullptr);
    }
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    unsigned long done = 0;
    for (; done < count && elapsed() < seconds; ++done, ++seed) {
        const std::string what = trouble_with(test::random_robot(seed), seed);
        if (what.empty()) continue;
        report(seed, what);
        return 1;
    }
    std::printf("%lu robots agree, %.0f a second\n", done, static_cast<double>(done) / elapsed());
    return 0;
}
