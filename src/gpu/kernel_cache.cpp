#include "kernel_cache.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace plucker::gpu {
namespace {

constexpr char kMagic[] = "plucker kernel 1\n";

// FNV-1a, from two beginnings: 128 bits.
std::uint64_t hash(const std::string& text, std::uint64_t state) {
    for (const char c : text) {
        state ^= static_cast<unsigned char>(c);
        state *= 0x100000001b3U;
    }
    return state;
}
constexpr std::uint64_t kOneBeginning = 0xcbf29ce484222325U, kAnother = 0x9ae16a3b2f90404fU;

std::string in_hex(std::uint64_t x) {
    std::string out;
    for (int k = 60; k >= 0; k -= 4)
        out += "0123456789abcdef"[(x >> static_cast<unsigned>(k)) & 15U];
    return out;
}
std::string digest(const std::string& text) {
    return in_hex(hash(text, kOneBeginning)) + in_hex(hash(text, kAnother));
}

std::string folder_of_user() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/plucker/kernels";
    const char* home = std::getenv("HOME");
    if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache/plucker/kernels";
    return "";
}

}  // namespace

KernelCache::KernelCache(const std::string& folder)
    : folder_(folder.empty()     ? folder_of_user()
              : folder == "none" ? ""
                                 : folder) {}

std::string KernelCache::path_of(const std::string& key) const {
    return folder_.empty() ? "" : folder_ + "/" + digest(key) + ".kernel";
}

// What it is, whose it is, the checksum, the binary.
std::optional<std::string> KernelCache::find(const std::string& key) const {
    if (folder_.empty()) return std::nullopt;
    std::ifstream file(path_of(key), std::ios::binary);
    if (!file) return std::nullopt;
    const std::string all{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::string begin = std::string(kMagic) + digest(key) + "\n";
    constexpr std::size_t kDigest = 33;  // and a line's end
    if (all.size() < begin.size() + kDigest || !all.starts_with(begin)) return std::nullopt;
    std::string binary = all.substr(begin.size() + kDigest);
    if (all.substr(begin.size(), kDigest) != digest(key + binary) + "\n") return std::nullopt;
    return binary;
}

void KernelCache::keep(const std::string& key, const std::string& binary) const {
    if (folder_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    static std::atomic<int> number = 0;
    const std::string path = path_of(key);
    const std::string beside =
        path + "." + std::to_string(getpid()) + "." + std::to_string(number++);
    {
        std::ofstream file(beside, std::ios::binary);
        file << kMagic << digest(key) << "\n" << digest(key + binary) << "\n" << binary;
        file.close();
        if (!file) {
            std::filesystem::remove(beside, error);
            return;
        }
    }
    std::filesystem::rename(beside, path, error);
    if (error) std::filesystem::remove(beside, error);
}

}  // namespace plucker::gpu
