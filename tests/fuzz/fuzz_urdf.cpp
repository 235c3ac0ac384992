#include "check_robot.hpp"
#include "mutation.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "support/random_robot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    plucker::fuzz::check_robot(data, size, plucker::Format::kUrdf);
    return 0;
}

namespace {

// Now and then a new tree that is valid, so that the changed ones do not drift away from what is.
std::string edit(const std::string& text, plucker::fuzz::Dice& dice) {
    if (!dice.one_in(32)) return plucker::fuzz::edit_xml(text, dice);
    const auto seed = static_cast<unsigned>(dice.below(1U << 30U));
    const plucker::Description robot =
        plucker::test::random_robot(seed, {.most_links = 6, .only_urdf_joints = true});
    return plucker::write_urdf(robot);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t capacity, unsigned seed) {
    return plucker::fuzz::mutate(data, size, capacity, seed, edit);
}
