// MuJoCo's compiler, called so that it neither ends the process nor prints.
#pragma once

#include <mujoco/mujoco.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace plucker::io {

struct DeleteModel {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
};
using ModelPointer = std::unique_ptr<mjModel, DeleteModel>;

// A tetrahedron in memory that a document may name in place of a mesh file: the corner 0 0 0 and, its size
// along each axis, the three others.
constexpr const char* kStandInFile = "plucker_stand_in.msh";
constexpr float kStandInSize = 1;

struct Compiled {
    ModelPointer model;  // null if it failed
    std::string error;   // then: why
    std::set<std::string> warnings;
};
using MeshesInMemory = std::map<std::string, std::vector<char>>;  // by the names of their files
Compiled compile(const std::string& text, float stand_in_size, const MeshesInMemory& meshes = {});

}  // namespace plucker::io
