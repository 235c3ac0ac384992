// Where a mesh named in a robot file lies, without letting the file name any other.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace plucker::io {

class MeshFinder {
public:
    // `file`: the robot file. Meshes are found in its package (the nearest folder above with a package.xml,
    // otherwise its own folder) and in `package_paths`.
    MeshFinder(const std::string& file, const std::vector<std::string>& package_paths);

    struct Found {
        std::string path;  // empty if there is none
        std::string why;   // then: why not
    };
    // package://NAME/…, model://NAME/…, file:///… or a path relative to the robot file. Percent codes are
    // decoded, symbolic links followed, and only then it is decided whether the place is allowed.
    Found find(const std::string& uri) const;

private:
    struct Places {
        std::filesystem::path folder;                 // of the robot file
        std::vector<std::filesystem::path> roots;     // meshes must lie below one of these
        std::vector<std::filesystem::path> packages;  // folders that may hold packages
    };
    const Places& places() const;

    std::string file_;
    std::vector<std::string> package_paths_;
    mutable std::optional<Places>
        places_;  // looked up for the first mesh: reading a robot without any touches no disk
};

}  // namespace plucker::io
