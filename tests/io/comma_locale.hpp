// A program that writes 1,5 for one and a half: in C's locale, and in C++'s.
#pragma once

#include <array>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <locale>
#include <string>

#include "scratch_folder.hpp"

namespace plucker::test {

// The machine may lack every locale with a decimal comma, so this one is made: glibc looks for locales in
// LOCPATH, and a category is a short file.
class CommaLocale {
public:
    CommaLocale() : c_before_(std::setlocale(LC_ALL, nullptr)) {
        std::filesystem::create_directories(folder_.path() / "comma");
        // Magic number, number of items, and where each starts: decimal point, thousands separator,
        // grouping, the first two again as wide characters, name of the encoding.
        const std::array<std::uint32_t, 8> header{
            0x20031115U ^ LC_NUMERIC, 6, 32, 34, 36, 40, 44, 48};
        std::ofstream file(folder_.path() / "comma/LC_NUMERIC", std::ios::binary);
        file.write(reinterpret_cast<const char*>(header.data()), sizeof(header));
        file << std::string(",\0.\0\3\3\0\0,\0\0\0.\0\0\0UTF-8\0", 22);
        file.close();
        setenv("LOCPATH", folder_.path().c_str(), 1);
        std::setlocale(LC_NUMERIC, "comma");
        cxx_before_ = std::locale::global(std::locale(std::locale(), new Punctuation));
        std::setlocale(LC_NUMERIC, "comma");  // setting the C++ locale may have undone it
    }
    ~CommaLocale() {
        std::locale::global(cxx_before_);
        std::setlocale(LC_ALL, c_before_.c_str());
        unsetenv("LOCPATH");
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

    // Whether numbers are read with a comma, in C and in C++.
    static bool is_in_force() {
        std::istringstream stream("1,5");
        double x = 0;
        stream >> x;
        return std::strtod("1,5", nullptr) == 1.5 && x == 1.5;
    }

private:
    struct Punctuation : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };

    ScratchFolder folder_{"comma_locale"};
    std::string c_before_;
    std::locale cxx_before_;
};

}  // namespace plucker::test
