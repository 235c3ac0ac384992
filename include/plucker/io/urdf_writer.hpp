// Robots to files.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/description.hpp"

namespace plucker {

// The robot as URDF. Every number is written with all its digits, so that reading it back gives the same
// robot. Throws Error, naming the joint, if one has a type that URDF lacks (helical, cylindrical, universal,
// spherical, translation). What URDF cannot say (armature, gravity, a floating base, limits on one side only) is
// reported in `lost`, if given. Frames are written as massless links on fixed joints and are not lost.
std::string write_urdf(const Description& description, std::vector<Diagnostic>* lost = nullptr);

// The same for a file of that path: meshes that would not be found from there get addresses relative to its folder, unless
// they name a package. What is not found then either, with these package paths, is reported in `lost`, too.
std::string write_urdf_for(const Description& description, const std::string& path,
                           std::vector<Diagnostic>* lost = nullptr,
                           const std::vector<std::string>& package_paths = {});

// The same into that file. What the file held is replaced all at once, or stays; a symbolic link and the file's mode are
// kept. Throws Error with the path and the reason if it cannot be written.
void write_urdf_file(const Description& description, const std::string& path,
                     std::vector<Diagnostic>* lost = nullptr,
                     const std::vector<std::string>& package_paths = {});

}  // namespace plucker
