// What meshes weigh by the rules of MuJoCo 3, which version 2.2 does not know.
//
// Version 2.2 takes, in place of a mesh's volume, that of the box with the same inertia (until 3.1), and puts what is spread
// over a surface in the wrong place (until 2.3.2). So a mesh with mass on its surface, or whose rule came later, is replaced
// by a box that weighs the same, and the mass of the others is written out.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mjcf/compiler.hpp"
#include "mjcf/meshes.hpp"

namespace plucker::io {

enum class MeshRule { kLegacy, kConvex, kExact, kShell };
// By the word of the file; nothing for an unknown one.
std::optional<MeshRule> mesh_rule(const std::string& word);

struct MeshWeight {
    double amount = 0;  // m³; of a shell m²: the mass is this times the density
    std::vector<char>
        box;  // in MuJoCo's format: one that is as heavy, and as inert about the same centre
};

// Of these meshes of the document, by the names of the meshes. One that cannot be weighed, because its file does not exist or
// it has no volume, or is to be exact and is not closed, is missing.
std::map<std::string, MeshWeight> weigh(const TracedXml& document, const MjcfMeshes& meshes,
                                        const std::set<std::string>& names);

}  // namespace plucker::io
