#include <cstddef>
#include <cstdint>
#include <string>

#include "plucker/io/evaluate.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/robots/robots.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const plucker::Model model =
        plucker::with_base(plucker::robots::double_pendulum(), plucker::Base::kFloating);
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const auto format : {plucker::TextFormat::kJson, plucker::TextFormat::kCsv}) {
        plucker::EvaluateOptions options;
        options.input = options.output = format;
        options.order = size % 2 == 0 ? plucker::Convention::kFile : plucker::Convention::kMujoco;
        try {
            (void)plucker::evaluate(model, text, "fuzz", options);
        } catch (const plucker::Error&) {
            // Refused with a reason: as it should be.
        }
    }
    return 0;
}
