#include "check_robot.hpp"
#include "mutation.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "support/random_robot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    plucker::fuzz::check_robot(data, size, plucker::Format::kUrdf);
    return 0;
}

namespace {

// Often of a new tree that is valid: of what was found before, most is not.
std::string edit(const std::string& text, plucker::fuzz::Dice& dice) {
    if (!dice.one_in(3)) return plucker::fuzz::edit_xml(text, dice);
    const auto seed = static_cast<unsigned>(dice.below(1U << 30U));
    const plucker::Description robot =
        plucker::test::random_robot(seed, {.most_links = 4, .only_urdf_joints = true});
    const std::string written = plucker::write_urdf(robot);
    return dice.one_in(2) ? written : plucker::fuzz::edit_xml(written, dice);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t capacity, unsigned seed) {
    return plucker::fuzz::mutate(data, size, capacity, seed, edit);
}
