// How each call is computed: made at the first call of an algorithm, and kept.
#pragma once

#include <memory>
#include <vector>

#include "../compiler/assemble.hpp"
#include "job.hpp"
#include "plucker/compiler/record.hpp"

namespace plucker::batch {

template <class T>
class Plans {
public:
    // Without machine code, where `compile` is false: every call is the kernels'.
    Plans(const Model& model, Isa isa, bool compile);

    // The plan depends on the robot, the algorithm and its options alone, so that the bits of a state do not depend on the
    // size of its batch. It is good until the next call.
    const Plan& find(int row, const BatchOperands<T>& x);

private:
    struct Made {
        compiler::RecordOptions options;
        Plan plan;
        std::vector<std::shared_ptr<const void>> owned;  // the code
        std::vector<int> index;                          // what plan.places point to
    };

    const Model& model_;
    Isa isa_;
    bool compile_;
    std::vector<std::vector<std::unique_ptr<Made>>> made_;  // by row

    std::unique_ptr<Made> make(int row, const BatchOperands<T>& x) const;
    // Whether machine code could be made.
    bool add_code(int row, Made& made) const;
    bool add_code_of_products(int row, Made& made) const;
};

}  // namespace plucker::batch
