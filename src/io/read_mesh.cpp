#include "plucker/io/read_mesh.hpp"

#include "plucker/error.hpp"

#ifdef PLUCKER_WITH_ASSIMP
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

namespace plucker {

#ifdef PLUCKER_WITH_ASSIMP
namespace {

// Null where it cannot be read, and then the importer says why. A Collada file says which way is up; robot files mean its
// numbers as they stand.
const aiScene* read_scene(Assimp::Importer& importer, const std::string& path, unsigned steps) {
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
    return importer.ReadFile(path, steps);
}

// A part stands where its node puts it, and the same part may stand in many places.
void collect_points(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent,
                    std::vector<Vec3<double>>& out) {
    const aiMatrix4x4 here = parent * node.mTransformation;
    for (unsigned k = 0; k < node.mNumMeshes; ++k) {
        const aiMesh& part = *scene.mMeshes[node.mMeshes[k]];
        for (unsigned v = 0; v < part.mNumVertices; ++v) {
            const aiVector3D p = here * part.mVertices[v];
            out.push_back({p.x, p.y, p.z});
        }
    }
    for (unsigned k = 0; k < node.mNumChildren; ++k)
        collect_points(scene, *node.mChildren[k], here, out);
}

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
#endif

std::vector<Vec3<double>> read_mesh(const Mesh& mesh) {
    if (mesh.path.empty())
        throw Error::because("mesh '", mesh.uri,
                             "': its file was not found; name the folder with its package "
                             "(--package-path), or take the shape out of the robot's file");
#ifdef PLUCKER_WITH_ASSIMP
    Assimp::Importer importer;
    const aiScene* scene = read_scene(importer, mesh.path, aiProcess_JoinIdenticalVertices);
    if (scene == nullptr || scene->mRootNode == nullptr)
        throw Error::because("mesh '", mesh.uri, "': ", mesh.path,
                             " cannot be read: ", importer.GetErrorString());
    std::vector<Vec3<double>> points;
    collect_points(*scene, *scene->mRootNode, {}, points);
    if (points.empty())
        throw Error::because("mesh '", mesh.uri, "': ", mesh.path, " has no points");
    return points;
#else
    throw Error::because("mesh '", mesh.uri, "': ", mesh.path,
                         " is not read, because this build of plucker::io has no Assimp; install "
                         "libassimp-dev and build again, or give the link a simpler shape");
#endif
}

#ifdef PLUCKER_WITH_ASSIMP
std::vector<MeshPart> read_mesh_parts(const std::string& path) {
    Assimp::Importer importer;
    const aiScene* scene =
        read_scene(importer, path,
                   aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_SortByPType |
                       aiProcess_GenSmoothNormals | aiProcess_PreTransformVertices |
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
std::vector<MeshPart> read_mesh_parts(const std::string& path) {
    throw Error::because(path, ": meshes are not drawn: this build has no assimp (libassimp-dev)");
}
#endif

}  // namespace plucker
