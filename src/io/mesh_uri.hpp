// Where a mesh or a model named in a robot file lies, without letting the file name any other.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace plucker::io {

class MeshFinder {
public:
    // `file`: the robot file. Meshes are found in its package (the nearest folder above with a package.xml,
    // otherwise its own folder), in packages and models beside it, in `package_paths`, and in the packages and
    // models below the folders that ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, GZ_SIM_RESOURCE_PATH,
    // GAZEBO_MODEL_PATH and SDF_PATH name.
    MeshFinder(const std::string& file, const std::vector<std::string>& package_paths);

    struct Found {
        std::string path;  // empty if there is none
        std::string why;   // then: why not
    };
    // package://NAME/…, model://NAME/…, file:///… or a path relative to the robot file. Percent codes are
    // decoded, symbolic links followed, and only then it is decided whether the place is allowed.
    //
    // A mesh is also found if its package was unpacked under another name. A model is not: it would be another one.
    Found find(const std::string& uri) const { return find(uri, true); }
    Found find_model(const std::string& uri) const { return find(uri, false); }
    // The address of the file at that path, relative to the robot file; whether it may lie there, find() says.
    std::string uri_of(const std::string& path) const;

private:
    Found find(const std::string& uri, bool under_any_name) const;

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
