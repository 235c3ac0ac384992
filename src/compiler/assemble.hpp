// Machine code that does more than a program.
#pragma once

#include <memory>
#include <vector>

#include "factored.hpp"
#include "lane_products.hpp"
#include "plucker/compiler/machine_code.hpp"

namespace plucker::compiler {

// Of a single state: the program, and the loops with which it ends. Outputs are those of the row, column by column.
std::shared_ptr<const MachineCode> assemble(const Factored& factored, Isa isa);

// Of many states, whose results are brought from lanes to rows afterwards. So many bytes of each will be written then, where the
// table of outputs points to from its third entry on: the code asks for that memory while it computes. Whatever these entries
// point to is neither read nor written.
std::shared_ptr<const MachineCode> assemble(const Program& program, Isa isa, Lanes lanes,
                                            const std::vector<int>& written_later);

// Multiplies factors that a program left.
class ProductCode {
public:
    // From packs to a result of as many states as there are lanes: where that of the first state begins, and by how many bytes
    // states and lines are apart. `sum`, a pack, becomes the sum of each state's numbers, which is not finite where one of
    // them is not.
    using Entry = void (*)(const void* packs, void* to, long state_stride, long line_stride,
                           void* sum);

    virtual ~ProductCode() = default;
    virtual Entry by_rows(std::size_t result) const = 0;
    virtual Entry by_columns(std::size_t result) const = 0;
};
// Of many states, in two parts. Both or none are null.
struct CodeInLanes {
    std::shared_ptr<const MachineCode> program;
    std::shared_ptr<const ProductCode> products;
};
CodeInLanes assemble(const LaneFactors& factors, Isa isa, Lanes lanes);

}  // namespace plucker::compiler
