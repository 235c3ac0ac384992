// Machine code that does more than a program.
#pragma once

#include <memory>
#include <vector>

#include "factored.hpp"
#include "plucker/compiler/machine_code.hpp"

namespace plucker::compiler {

// Of a single state: the program, and the loops with which it ends. Outputs are those of the row, column by column.
std::shared_ptr<const MachineCode> assemble(const Factored& factored, Isa isa);

// Of many states, whose results are brought from lanes to rows afterwards. So many bytes of each will be written then, where the
// table of outputs points to from its third entry on: the code asks for that memory while it computes. Whatever these entries
// point to is neither read nor written.
std::shared_ptr<const MachineCode> assemble(const Program& program, Isa isa, Lanes lanes,
                                            const std::vector<int>& written_later);

}  // namespace plucker::compiler
