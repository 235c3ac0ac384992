// What a call complains about.
#pragma once

#include <string>

#include "plucker/model/error.hpp"

namespace plucker::test {

template <class F>
std::string message(F&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace plucker::test
