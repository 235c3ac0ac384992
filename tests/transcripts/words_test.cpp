// What the comparison of transcripts passes, and what it does not.
#include "support/words.hpp"

#include <gtest/gtest.h>

namespace plucker::test {
namespace {

TEST(WordsOfTranscripts, MayBeNumbersUpToRounding) {
    for (const auto& [got, expected] : std::initializer_list<std::pair<const char*, const char*>>{
             {"x 1.00000000001 m", "x 1 m"},
             {"[0.1,-2e-13]", "[0.1,0]"},
             {"|  1.25 |", "| 1.2500000001 |"},
             {"-0", "0"}}) {
        EXPECT_EQ(difference_in_words(got, expected), "");
        EXPECT_EQ(difference_in_words(expected, got), "");
    }
}

TEST(WordsOfTranscripts, MayNotDifferOtherwise) {
    for (const auto& [got, expected] :
         std::initializer_list<std::pair<const char*, const char*>>{{"x 1.0000001 m", "x 1 m"},
                                                                    {"1 m", "1 s"},
                                                                    {"a  b", "a b"},
                                                                    {"|  1.25 |", "| 1.25 |"},
                                                                    {"joint1", "joint2"},
                                                                    {"f32", "f64"},
                                                                    {"1.5.2", "1.5.3"},
                                                                    {"1e-3", "1e-4"},
                                                                    {"two\nlines\n", "two\nlines"},
                                                                    {"nan", "0"},
                                                                    {"-1", "1"},
                                                                    {"", "x"}}) {
        EXPECT_NE(difference_in_words(got, expected), "") << got << " and " << expected;
        EXPECT_NE(difference_in_words(expected, got), "") << got << " and " << expected;
    }
    EXPECT_EQ(difference_in_words("one\n2 m\n", "one\n3 m\n"),
              "line 2 is\n2 m\nand was recorded as\n3 m");
}

}  // namespace
}  // namespace plucker::test
