#include "check_robot.hpp"
#include "mutation.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    plucker::fuzz::check_robot(data, size, plucker::Format::kMjcf);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t capacity, unsigned seed) {
    return plucker::fuzz::mutate(data, size, capacity, seed, plucker::fuzz::edit_xml);
}
