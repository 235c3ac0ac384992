// The exception for mistakes of a caller, with a message that says how to correct them. Every layer may throw it.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace plucker {

class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;

    // Joins the parts into one message: Error::because("mass is ", m, " kg").
    template <class... Parts>
    static Error because(const Parts&... parts) {
        std::ostringstream out;
        out.precision(9);
        (out << ... << parts);
        return Error(out.str());
    }
};

}  // namespace plucker
