#include <cstddef>
#include <cstdint>
#include <string>

#include "plucker/io/evaluate.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/robots/robots.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const plucker::Model model =
        plucker::with_base(plucker::robots::double_pendulum(), plucker::Base::kFloating);
    try {
        (void)plucker::evaluate_json(model, std::string(reinterpret_cast<const char*>(data), size),
                                     "fuzz");
    } catch (const plucker::Error&) {
        // Refused with a reason: as it should be.
    }
    return 0;
}
