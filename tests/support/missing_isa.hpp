// Where ctest repeats a suite on an instruction set, through PLUCKER_ISA: what this machine cannot run, or this build does not
// have, is skipped, not failed. A name that nothing has still fails. For one file of the suite.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "plucker/scalar/isa.hpp"

namespace plucker::test {

class SkipsMissingIsa : public testing::Environment {
    void SetUp() override {
        const char* forced = std::getenv("PLUCKER_ISA");
        if (forced == nullptr) return;
        for (const Isa isa : {Isa::kGeneric, Isa::kAvx2, Isa::kAvx512}) {
            const auto available = available_isas();
            if (std::string(forced) == name_of(isa) &&
                std::find(available.begin(), available.end(), isa) == available.end()) {
                GTEST_SKIP() << "this machine does not have " << forced;
            }
        }
    }
};
[[maybe_unused]] const auto* const kSkipsMissingIsa =
    testing::AddGlobalTestEnvironment(new SkipsMissingIsa);

}  // namespace plucker::test
