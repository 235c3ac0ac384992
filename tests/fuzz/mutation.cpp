#include "mutation.hpp"

#include <algorithm>
#include <array>
#include <cstring>

// libFuzzer's own mutation, for whoever writes another.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t capacity);

namespace plucker::fuzz {

namespace {

// In memory of its own: libFuzzer looks for leaks wherever an execution allocates more than it frees.
struct Remembered {
    std::array<char, 4096> text;
    std::size_t size = 0;
};
std::array<Remembered, 64> remembered;
std::size_t times_remembered = 0;

}  // namespace

void remember(const std::uint8_t* data, std::size_t size) {
    Remembered& slot = remembered[times_remembered % remembered.size()];
    if (size > slot.text.size()) return;
    std::memcpy(slot.text.data(), data, size);
    slot.size = size;
    ++times_remembered;
}

std::string any_number(Dice& dice) {
    static constexpr std::array kNumbers = {"0",
                                            "1",
                                            "-1",
                                            "0.5",
                                            "2",
                                            "10",
                                            "100",
                                            "-0",
                                            "1e-6",
                                            "1e-12",
                                            "1e-30",
                                            "1e-300",
                                            "1e-320",
                                            "1e6",
                                            "1e15",
                                            "1e30",
                                            "1e31",
                                            "1e150",
                                            "-1e300",
                                            "1e308",
                                            "1e400",
                                            "nan",
                                            "inf",
                                            "-inf",
                                            "0x1p3",
                                            "1,5",
                                            "+1",
                                            ".5",
                                            "5.",
                                            "1e",
                                            "",
                                            "1 2",
                                            "true",
                                            "1.5707963267948966",
                                            "3.141592653589793",
                                            "57.29577951308232",
                                            "12345678901234567890"};
    if (!dice.one_in(3)) return dice.one_of(kNumbers);
    return std::to_string(std::uniform_real_distribution<double>(-3, 3)(dice.generator()));
}

std::string changed(const std::string& text) {
    std::string out = text;
    out.resize(text.size() + 16);
    out.resize(
        LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(out.data()), text.size(), out.size()));
    return out;
}

std::string with_other_number(const std::string& numbers, Dice& dice) {
    const auto words =
        static_cast<std::size_t>(std::count(numbers.begin(), numbers.end(), ' ')) + 1;
    std::size_t start = 0;
    for (std::size_t k = dice.below(words); k > 0; --k) start = numbers.find(' ', start) + 1;
    const std::size_t end = std::min(numbers.find(' ', start), numbers.size());
    return numbers.substr(0, start) + any_number(dice) + numbers.substr(end);
}

std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t capacity, unsigned seed,
                   const std::function<std::string(const std::string&, Dice&)>& edit) {
    Dice dice(seed);
    if (dice.one_in(8)) return LLVMFuzzerMutate(data, size, capacity);
    std::string text(reinterpret_cast<const char*>(data), size);
    const std::size_t known = std::min(times_remembered, remembered.size());
    if (known > 0 && dice.one_in(2)) {
        const Remembered& other = remembered[dice.below(known)];
        text.assign(other.text.data(), other.size);
    }
    const std::string out = edit(text, dice);
    if (out.empty() || out.size() > capacity) return LLVMFuzzerMutate(data, size, capacity);
    std::memcpy(data, out.data(), out.size());
    return out.size();
}

}  // namespace plucker::fuzz
