// JSON as text: documents one after the other, arrays taken apart without building them, strict parsing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace plucker::io {

// A value somewhere in a text.
struct JsonPiece {
    std::string_view text;
    int line = 1;  // where it begins
    int column = 1;
    int state = -1;  // which one of several; -1: the only one

    // "states.json:3" or "states.json:7: state 2", for messages.
    std::string where(const std::string& source) const;
};

// One state, or many: the elements of an array, or of "samples" in an object.
struct JsonDocument {
    bool many = false;
    std::vector<JsonPiece> states;
    nlohmann::json around = nullptr;  // of many in an object: the object, with none of them
};

// Finds the values; what they hold is looked at when each is parsed. Linear in the text, and the pieces point into it.
// Throws Error where there is none, or where the text around the states is wrong.
std::vector<JsonDocument> split_documents(const std::string& text, const std::string& source);

// Throws Error with the line and column of what is wrong; a key that is given twice is wrong too.
nlohmann::json parse_strictly(const JsonPiece& piece, const std::string& source);
// The same for a state of a document, with the "order" that the document says for all of them.
nlohmann::json parse_state(const JsonDocument& document, const JsonPiece& piece,
                           const std::string& source);

}  // namespace plucker::io
