// Mesh files through Assimp, for contact and for pictures alike.
#pragma once

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <string>

namespace plucker::io {

// What is in the file, after these steps of Assimp's (aiProcess_…); it lives as long as the importer. Null where it cannot
// be read, and then the importer says why. A Collada file says which way is up; robot files mean its numbers as they stand.
inline const aiScene* read_scene(Assimp::Importer& importer, const std::string& path,
                                 unsigned steps) {
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
    return importer.ReadFile(path, steps);
}

}  // namespace plucker::io
