#include "named_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "plucker/model/error.hpp"

namespace plucker::cli {
namespace {

double number_from_zero_on(const std::string& option, const std::string& text) {
    std::size_t used = 0;
    double value = NAN;
    try {
        value = std::stod(text, &used);
    } catch (const std::exception&) {
    }
    if (used != text.size() || !(value >= 0) || !std::isfinite(value)) {
        throw Error(option + ": '" + text + "' is not a number from zero on");
    }
    return value;
}

}  // namespace

NamedNumbers::NamedNumbers(const std::string& option, const std::string& text,
                           const std::vector<std::string>& known, const std::string& known_text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string item = text.substr(at, end - at);
        const std::size_t equals = item.find('=');
        const std::string name = item.substr(0, equals);
        if (equals == std::string::npos) {
            throw Error(option + " takes NAME=NUMBER, separated by commas, not '" + item + "'");
        }
        at = end + 1;
        if (name == known_text) {
            text_ = item.substr(equals + 1);
            continue;
        }
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw unknown_name("value of " + option, name, known);
        }
        if (values_.contains(name)) throw Error(option + ": " + name + " is given twice");
        values_[name] = number_from_zero_on(option, item.substr(equals + 1));
    }
}

double NamedNumbers::get(const std::string& name, double otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
}

}  // namespace plucker::cli
