// Values of an option by their names: --ground mu=0.8,e=0.2.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace plucker::cli {

class NamedNumbers {
public:
    // Numbers of these names, zero or positive, and one text. Throws Error for anything else.
    NamedNumbers(const std::string& option, const std::string& text,
                 const std::vector<std::string>& known, const std::string& known_text = "");

    const std::string& text() const { return text_; }
    bool has(const std::string& name) const { return values_.contains(name); }
    double get(const std::string& name, double otherwise) const;

private:
    std::string text_;
    std::map<std::string, double> values_;
};

}  // namespace plucker::cli
