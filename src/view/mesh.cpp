#include "mesh.hpp"

#include "plucker/error.hpp"

#ifdef PLUCKER_WITH_ASSIMP
#include "assimp_scene.hpp"
#endif

namespace plucker::view {

#ifdef PLUCKER_WITH_ASSIMP

namespace {

std::optional<std::array<double, 4>> colour_of(const aiScene& scene, const aiMesh& mesh) {
    // A format without colours, such as STL, gets a material of the library's own making.
    aiString name;
    aiColor4D c;
    const aiMaterial& material = *scene.mMaterials[mesh.mMaterialIndex];
    if (material.Get(AI_MATKEY_NAME, name) == AI_SUCCESS &&
        std::string(name.C_Str()) == AI_DEFAULT_MATERIAL_NAME)
        return {};
    if (material.Get(AI_MATKEY_COLOR_DIFFUSE, c) != AI_SUCCESS) return {};
    return std::array<double, 4>{c.r, c.g, c.b, c.a};
}

MeshPart part_of(const aiScene& scene, const aiMesh& mesh) {
    MeshPart out;
    const auto put = [](std::vector<float>& to, const aiVector3D& x) {
        to.insert(to.end(), {x.x, x.y, x.z});
    };
    for (unsigned k = 0; k < mesh.mNumVertices; ++k) {
        put(out.positions, mesh.mVertices[k]);
        if (mesh.HasNormals()) put(out.normals, mesh.mNormals[k]);
    }
    for (unsigned k = 0; k < mesh.mNumFaces; ++k) {
        const aiFace& face = mesh.mFaces[k];
        if (face.mNumIndices != 3) continue;  // points and lines
        out.indices.insert(out.indices.end(), face.mIndices, face.mIndices + 3);
    }
    out.rgba = colour_of(scene, mesh);
    return out;
}

}  // namespace

std::vector<MeshPart> read_mesh(const std::string& path) {
    Assimp::Importer importer;
    const aiScene* scene = io::read_scene(importer, path,
                                          aiProcess_Triangulate | aiProcess_JoinIdenticalVertices |
                                              aiProcess_SortByPType | aiProcess_GenSmoothNormals |
                                              aiProcess_PreTransformVertices |
                                              aiProcess_OptimizeMeshes | aiProcess_FindInvalidData);
    if (scene == nullptr)
        throw Error::because(path, ": the mesh cannot be read: ", importer.GetErrorString());
    std::vector<MeshPart> out;
    for (unsigned k = 0; k < scene->mNumMeshes; ++k) {
        MeshPart part = part_of(*scene, *scene->mMeshes[k]);
        if (!part.indices.empty()) out.push_back(std::move(part));
    }
    if (out.empty()) throw Error::because(path, ": there is no triangle in the mesh");
    return out;
}

#else

std::vector<MeshPart> read_mesh(const std::string& path) {
    throw Error::because(path, ": meshes are not drawn: this build has no assimp (libassimp-dev)");
}

#endif

}  // namespace plucker::view
