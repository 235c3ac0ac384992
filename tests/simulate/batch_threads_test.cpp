// How many threads a simulator of many robots takes.
#include <gtest/gtest.h>

#include <string>

#include "plucker/error.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/simulate/batch_simulator.hpp"

namespace {

using plucker::batch::Simulator;

std::string complaint_about(int threads) {
    try {
        const Simulator robots(plucker::robots::pendulum(), {}, 3, {}, threads);
    } catch (const plucker::Error& error) {
        return error.what();
    }
    return "";
}

TEST(ThreadsOfBatchSimulator, AreRefusedAsThoseOfAnEvaluator) {
    EXPECT_EQ(complaint_about(-1),
              "batch::Simulator: threads is -1; it must be positive, or 0 for as many as there are "
              "cores");
    EXPECT_EQ(complaint_about(1025),
              "batch::Simulator: threads is 1025; at most 1024 are started, and 0 starts as many "
              "as there are cores");
}

TEST(ThreadsOfBatchSimulator, AreNoMoreThanTheRobotsNeed) {
    EXPECT_EQ(Simulator(plucker::robots::pendulum(), {}, 3, {}, 5).threads(), 1);
    EXPECT_EQ(Simulator(plucker::robots::pendulum(), {}, 17, {}, 5).threads(), 3);
}

}  // namespace
