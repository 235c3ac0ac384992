// How a call ended, for callers that check a status instead of catching exceptions: docs/contract.md.
#pragma once

#include <cstdint>

namespace plucker {

enum class Status : std::uint8_t {
    kOk,
    kNonFiniteInput,      // an argument is NaN or infinite
    kSingularMassMatrix,  // something that a joint moves has no inertia about it
    kNonFiniteResult,     // the numbers overflowed
    kNoAttitude,          // a quaternion is 0 0 0 0, or too short or too long to tell a direction
    kMisuse,  // wrong sizes, another robot's frame or forces, or a call that another must precede
};
const char* name_of(Status status);

// What a call does when it cannot give a result.
enum class OnFailure : std::uint8_t {
    kThrow,   // an Error, which says why
    kReport,  // it fills its results with NaN and returns a Status: neither exception nor allocation
};

}  // namespace plucker
