// Where a mesh named in a robot file lies, without letting the file name any other.
#pragma once

#include <filesystem>
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
    std::filesystem::path folder_;                 // of the robot file
    std::vector<std::filesystem::path> roots_;     // meshes must lie below one of these
    std::vector<std::filesystem::path> packages_;  // folders that may hold packages
};

}  // namespace plucker::io
