#include "plucker/model/status.hpp"

namespace plucker {

const char* name_of(Status status) {
    switch (status) {
        case Status::kNonFiniteInput:
            return "non-finite input";
        case Status::kSingularMassMatrix:
            return "singular mass matrix";
        case Status::kNonFiniteResult:
            return "non-finite result";
        case Status::kNoAttitude:
            return "no attitude";
        case Status::kMisuse:
            return "misuse";
        case Status::kOk:
            break;
    }
    return "ok";
}

}  // namespace plucker
