// Kernels on disk, so that a robot is compiled once and not at every start.
//
// An entry is a file whose name is the hash of everything that made it: the text, and the versions of what compiled it. It
// holds a checksum of these and of itself, and one that is not as it should be counts as missing. Files are written beside
// their place and renamed: nobody reads half of one.
#pragma once

#include <optional>
#include <string>

namespace plucker::gpu {

class KernelCache {
public:
    // Empty: plucker in $XDG_CACHE_HOME or ~/.cache. "none", or where there is no such folder: it keeps nothing.
    explicit KernelCache(const std::string& folder);

    std::optional<std::string> find(const std::string& key) const;
    // What cannot be written is not kept; that is no error.
    void keep(const std::string& key, const std::string& binary) const;
    // Where an entry is, or would be; empty: nowhere.
    std::string path_of(const std::string& key) const;

private:
    std::string folder_;
};

}  // namespace plucker::gpu
