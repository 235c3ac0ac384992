#include "file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "plucker/model/error.hpp"

namespace plucker::io {

std::string complaint_of_size(std::uintmax_t size) {
    // The largest public robot descriptions are a few megabytes.
    constexpr std::uintmax_t kLargest = 64U << 20U;
    if (size <= kLargest) return "";
    return "has " + std::to_string(size >> 20U) + " MiB; a robot description of more than " +
           std::to_string(kLargest >> 20U) + " MiB is refused";
}

namespace {

// To its end, or to where it is too large.
std::string read_pipe(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error::because(path, ": cannot be opened: ", std::strerror(errno));
    std::string text;
    std::array<char, 1U << 16U> piece{};
    do {
        in.read(piece.data(), piece.size());
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
        if (const std::string complaint = complaint_of_size(text.size()); !complaint.empty())
            throw Error::because(path, ": ", complaint);
    } while (in);
    return text;
}

}  // namespace

std::string read_given_text(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_fifo(path, ignored) ? read_pipe(path) : read_text_file(path);
}

std::string read_text_file(const std::string& path) {
    std::error_code failure;
    const auto status = std::filesystem::status(path, failure);
    if (status.type() == std::filesystem::file_type::not_found) {
        throw Error::because(path, ": no such file",
                             path.starts_with("builtin:")
                                 ? "; a built-in robot is a function, such as robots::arm(), in "
                                   "Python plucker.robots.arm()"
                                 : "");
    }
    if (failure) throw Error::because(path, ": ", failure.message());
    if (std::filesystem::is_directory(status)) {
        throw Error::because(path, ": is a folder; name the file in it");
    }
    if (!std::filesystem::is_regular_file(status)) {
        throw Error::because(path, ": is not a regular file");
    }
    const std::uintmax_t size = std::filesystem::file_size(path, failure);
    if (failure) throw Error::because(path, ": ", failure.message());
    if (const std::string complaint = complaint_of_size(size); !complaint.empty())
        throw Error::because(path, ": ", complaint);
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error::because(path, ": cannot be opened: ", std::strerror(errno));
    std::string text(size, '\0');
    in.read(text.data(), static_cast<std::streamsize>(size));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

}  // namespace plucker::io
