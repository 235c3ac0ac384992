#include "fuzz_robot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    plucker::fuzz::read_and_compute(std::string(reinterpret_cast<const char*>(data), size),
                                    plucker::Format::kMjcf);
    return 0;
}
