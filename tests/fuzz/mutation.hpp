// How the fuzzers change texts: as bytes, which libFuzzer does, or as documents that stay well-formed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>

namespace plucker::fuzz {

// Cheap to seed, as it is for every execution.
class Dice {
public:
    explicit Dice(unsigned seed) : generator_(seed + 1) {}
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(generator_()) % n; }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <class Items>
    auto& one_of(Items&& items) {
        return items[below(std::size(items))];
    }
    std::minstd_rand& generator() { return generator_; }

private:
    std::minstd_rand generator_;
};

// A number as somebody might write it: usual ones, and those at which arithmetic breaks.
std::string any_number(Dice& dice);
// A word or a sentence changed by libFuzzer, which inserts words of the dictionary too.
std::string changed(const std::string& text);
// A list of numbers such as "0 0 1", one of them changed.
std::string with_other_number(const std::string& numbers, Dice& dice);

// Keeps a text that was accepted, as something to change: of all that a fuzzer keeps, most was refused.
void remember(const std::uint8_t* data, std::size_t size);

// Changes the bytes in place and returns how many there are then. One time in eight they are changed as bytes;
// otherwise they, or as often a text that was remembered, by `edit`, which returns a new text, or the empty one if it
// cannot make sense of the old.
std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t capacity, unsigned seed,
                   const std::function<std::string(const std::string&, Dice&)>& edit);

// An edit of XML: elements and attributes are removed, doubled, moved, renamed and changed.
std::string edit_xml(const std::string& text, Dice& dice);
// The same for JSON, and for several documents of it.
std::string edit_json(const std::string& text, Dice& dice);

}  // namespace plucker::fuzz
