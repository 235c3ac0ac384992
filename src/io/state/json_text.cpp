#include "state/json_text.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "plucker/model/error.hpp"

namespace plucker::io {
namespace {

using nlohmann::json;

// Builds a value and refuses a key that an object has already. (The parser's own callback looks through all
// elements of an array at the end of each: an array of n objects would take n² steps.)
class StrictBuilder : public nlohmann::json_sax<json> {
public:
    StrictBuilder() noexcept(false) = default;
    StrictBuilder(const StrictBuilder&) = delete;
    StrictBuilder& operator=(const StrictBuilder&) = delete;

    json root;
    std::string complaint;     // empty: none
    std::size_t position = 0;  // of the complaint, in bytes from 1

    bool null() override { return put(nullptr); }
    bool boolean(bool x) override { return put(x); }
    bool number_integer(number_integer_t x) override { return put(x); }
    bool number_unsigned(number_unsigned_t x) override { return put(x); }
    bool number_float(number_float_t x, const string_t&) override { return put(x); }
    bool string(string_t& x) override { return put(std::move(x)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        if (open_.back()->contains(name)) {
            complaint = "key \"" + name + "\" is given twice";
            return false;
        }
        key_ = std::move(name);
        return true;
    }
    bool parse_error(std::size_t at, const std::string&,
                     const nlohmann::detail::exception& failure) override {
        // "[json.exception.parse_error.101] parse error at line 1, column 5: …"
        complaint = failure.what();
        if (const auto bracket = complaint.find("] "); bracket != std::string::npos)
            complaint.erase(0, bracket + 2);
        if (const auto colon = complaint.find(": ");
            complaint.starts_with("parse error at") && colon != std::string::npos)
            complaint.erase(0, colon + 2);
        complaint = "not valid JSON: " + complaint;
        position = at;
        return false;
    }

private:
    json* add(json value) {
        if (open_.empty()) return &(root = std::move(value));
        json& parent = *open_.back();
        if (parent.is_object()) return &(parent[key_] = std::move(value));
        parent.push_back(std::move(value));
        return &parent.back();
    }
    bool put(json value) {
        add(std::move(value));
        return true;
    }
    bool open(json value) {
        open_.push_back(add(std::move(value)));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    std::vector<json*> open_;
    std::string key_;
};

// A walk through a text that knows strings and brackets, no more.
class Walk {
public:
    Walk(std::string_view text, std::size_t at) : text_(text), at_(at) {}

    std::size_t at() const { return at_; }
    bool done() const { return at_ >= text_.size(); }
    int depth() const { return depth_; }
    bool in_string() const { return in_string_; }
    char character() const { return text_[at_]; }
    // Takes in the character here, and goes to the next.
    void step() {
        const char c = text_[at_++];
        if (in_string_) {
            if (c == '\\') ++at_;
            if (c == '"') in_string_ = false;
            return;
        }
        if (c == '"') in_string_ = true;
        if (c == '{' || c == '[') ++depth_;
        if (c == '}' || c == ']') --depth_;
    }

private:
    std::string_view text_;
    std::size_t at_;
    int depth_ = 0;
    bool in_string_ = false;
};

bool is_json_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::size_t skip_json_space(std::string_view text, std::size_t at) {
    while (at < text.size() && is_json_space(text[at])) ++at;
    return at;
}

// Where a document ends: at the bracket that closes it, or at the end of the line.
std::size_t end_of_document(std::string_view text, std::size_t at) {
    Walk walk(text, at);
    while (!walk.done()) {
        if (walk.depth() == 0 && !walk.in_string() && walk.character() == '\n') return walk.at();
        const int before = walk.depth();
        walk.step();
        if (before == 1 && walk.depth() == 0) return walk.at();
    }
    return text.size();
}

struct Range {
    std::size_t begin, end;
};

// The elements of an array, given with its brackets, without the space around them.
std::vector<Range> elements(std::string_view text, Range array) {
    std::vector<Range> out;
    const auto add = [&](std::size_t begin, std::size_t end) {
        begin = std::min(skip_json_space(text, begin), end);
        while (end > begin && is_json_space(text[end - 1])) --end;
        out.push_back({begin, end});
    };
    std::size_t begin = array.begin + 1;
    if (skip_json_space(text, begin) == array.end - 1) return out;
    Walk walk(text.substr(0, array.end - 1), begin);
    while (!walk.done()) {
        if (walk.depth() == 0 && !walk.in_string() && walk.character() == ',') {
            add(begin, walk.at());
            begin = walk.at() + 1;
        }
        walk.step();
    }
    add(begin, array.end - 1);
    return out;
}

// The array under "samples" in an object, with its brackets; empty if there is none.
Range find_samples(std::string_view text, Range object) {
    constexpr std::string_view kKey = "\"samples\"";
    Walk walk(text.substr(0, object.end), object.begin);
    while (!walk.done()) {
        if (walk.depth() == 1 && !walk.in_string() && text.substr(walk.at(), kKey.size()) == kKey) {
            std::size_t at = skip_json_space(text, walk.at() + kKey.size());
            if (at < object.end && text[at] == ':') {
                at = skip_json_space(text, at + 1);
                if (at < object.end && text[at] == '[') return {at, end_of_document(text, at)};
            }
        }
        walk.step();
    }
    return {0, 0};
}

// Keeps count of lines while it goes forward through a text.
class Lines {
public:
    explicit Lines(std::string_view text) : text_(text) {}

    JsonPiece piece(Range range, int state = -1) {
        for (; at_ < range.begin; ++at_) {
            if (text_[at_] != '\n') continue;
            ++line_;
            line_begin_ = at_ + 1;
        }
        return {text_.substr(range.begin, range.end - range.begin), line_,
                static_cast<int>(range.begin - line_begin_) + 1, state};
    }

private:
    std::string_view text_;
    std::size_t at_ = 0, line_begin_ = 0;
    int line_ = 1;
};

}  // namespace

std::string JsonPiece::where(const std::string& source) const {
    return source + ":" + std::to_string(line) +
           (state < 0 ? "" : ": state " + std::to_string(state));
}

json parse_strictly(const JsonPiece& piece, const std::string& source) {
    StrictBuilder builder;
    if (json::sax_parse(piece.text, &builder)) return std::move(builder.root);
    if (builder.position == 0) throw Error::because(piece.where(source), ": ", builder.complaint);
    const std::string_view before =
        piece.text.substr(0, std::min(builder.position, piece.text.size() + 1) - 1);
    const auto lines = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    const auto last = before.rfind('\n');
    const auto column = last == std::string_view::npos
                            ? piece.column + static_cast<int>(before.size())
                            : static_cast<int>(before.size() - last);
    throw Error::because(source, ":", piece.line + lines, ": column ", column, ": ",
                         builder.complaint);
}

json parse_state(const JsonDocument& document, const JsonPiece& piece, const std::string& source) {
    json out = parse_strictly(piece, source);
    if (out.is_object() && document.around.contains("order") && !out.contains("order"))
        out["order"] = document.around.at("order");
    return out;
}

std::vector<JsonDocument> split_documents(const std::string& text, const std::string& source) {
    std::vector<JsonDocument> out;
    Lines lines(text);
    std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    while ((at = skip_json_space(text, at)) < text.size()) {
        const Range whole{at, end_of_document(text, at)};
        at = whole.end;
        JsonDocument document;
        Range array{0, 0};
        if (text[whole.begin] == '[') array = whole;
        if (text[whole.begin] == '{') array = find_samples(text, whole);
        document.many = array.end > array.begin;
        const JsonPiece around = lines.piece(whole);
        if (!document.many) {
            document.states.push_back(around);
        } else if (text[array.end - 1] != ']' || array.end - array.begin < 2) {
            (void)parse_strictly(around, source);  // says where the brackets do not match
            throw Error::because(around.where(source), ": not valid JSON: an array is not closed");
        } else {
            const std::string shell = text.substr(whole.begin, array.begin - whole.begin) + "[]" +
                                      text.substr(array.end, whole.end - array.end);
            try {
                document.around = parse_strictly({shell, around.line, around.column}, source);
            } catch (const Error&) {
                (void)parse_strictly(around, source);  // says where, in the text itself
                throw;
            }
            for (const Range& element : elements(text, array)) {
                const auto number = static_cast<int>(document.states.size());
                document.states.push_back(lines.piece(element, number));
            }
        }
        out.push_back(std::move(document));
    }
    if (out.empty()) throw Error::because(source, ": there is no state in it");
    return out;
}

}  // namespace plucker::io
