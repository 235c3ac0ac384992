// Products of matrices in lanes (../lane_products.hpp) as machine code.
#pragma once

#include "../assemble.hpp"
#include "vector_unit.hpp"

namespace plucker::compiler {

// Called by with_memory_for_code.
std::shared_ptr<const ProductCode> make_product_code(const LaneFactors& factors,
                                                     const VectorUnit& unit);

}  // namespace plucker::compiler
