#include "plucker/io/read_mesh.hpp"

#include "plucker/error.hpp"

#ifdef PLUCKER_WITH_ASSIMP
#include "assimp_scene.hpp"
#endif

namespace plucker {

#ifdef PLUCKER_WITH_ASSIMP
namespace {

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

}  // namespace
#endif

std::vector<Vec3<double>> read_mesh(const Mesh& mesh) {
    if (mesh.path.empty()) throw Error::because("mesh '", mesh.uri, "': its file was not found");
#ifdef PLUCKER_WITH_ASSIMP
    Assimp::Importer importer;
    const aiScene* scene = io::read_scene(importer, mesh.path, aiProcess_JoinIdenticalVertices);
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

}  // namespace plucker
