#include "mjcf/compiler.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "mjcf/triangles.hpp"
#include "neutral_locale.hpp"
#include "plucker/model/error.hpp"

namespace plucker::io {
namespace {

constexpr const char* kModelFile = "plucker_robot.xml";

// Files that MuJoCo finds in memory.
class VirtualFiles {
public:
    VirtualFiles() { mj_defaultVFS(files_.get()); }
    ~VirtualFiles() { mj_deleteVFS(files_.get()); }
    VirtualFiles(const VirtualFiles&) = delete;
    VirtualFiles& operator=(const VirtualFiles&) = delete;

    void add(const char* name, const void* data, std::size_t size) {
        if (mj_makeEmptyFileVFS(files_.get(), name, static_cast<int>(size)) == 0) {
            std::memcpy(files_->filedata[files_->nfile - 1], data, size);
        }
    }
    const mjVFS* get() const { return files_.get(); }

private:
    std::unique_ptr<mjVFS> files_ = std::make_unique<mjVFS>();  // two megabytes: not for the stack
};

// --- MuJoCo's errors ------------------------------------------------------------------------------

// MuJoCo ends the process on an error outside its compiler, and prints warnings. Its handlers are global:
// what they were before, and the warnings of the thread that is within the scope below.
using Handler = void (*)(const char*);
Handler error_handler_before = nullptr;
Handler warning_handler_before = nullptr;
thread_local std::set<std::string>* warnings_of_thread = nullptr;

// On another thread, do what would have been done without the scope.
void throw_error(const char* message) {
    if (warnings_of_thread != nullptr) throw Error(message);
    if (error_handler_before != nullptr) return error_handler_before(message);
    std::fprintf(stderr, "MuJoCo: %s\n", message);
    std::exit(1);
}
void keep_warning(const char* message) {
    if (warnings_of_thread != nullptr) {
        warnings_of_thread->insert(message);
    } else if (warning_handler_before != nullptr) {
        warning_handler_before(message);
    }
}

// Within this scope this thread's errors are thrown and its warnings kept. One scope at a time, which
// NeutralLocale sees to.
class CatchMujocoErrors {
public:
    explicit CatchMujocoErrors(std::set<std::string>& warnings) {
        error_handler_before = mju_user_error;
        warning_handler_before = mju_user_warning;
        warnings_of_thread = &warnings;
        mju_user_error = &throw_error;
        mju_user_warning = &keep_warning;
    }
    ~CatchMujocoErrors() {
        mju_user_error = error_handler_before;
        mju_user_warning = warning_handler_before;
        warnings_of_thread = nullptr;
    }
    CatchMujocoErrors(const CatchMujocoErrors&) = delete;
    CatchMujocoErrors& operator=(const CatchMujocoErrors&) = delete;
};

std::vector<char> tetrahedron(float size) {
    return to_msh({0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size},
                  {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3});
}

}  // namespace

Compiled compile(const std::string& text, float stand_in_size, const MeshesInMemory& meshes) {
    Compiled out;
    const NeutralLocale neutral;
    const CatchMujocoErrors scope(out.warnings);
    std::array<char, 1000> message{};
    try {
        const std::vector<char> stand_in = tetrahedron(stand_in_size);
        VirtualFiles files;
        files.add(kModelFile, text.data(), text.size());
        files.add(kStandInFile, stand_in.data(), stand_in.size());
        for (const auto& [name, mesh] : meshes) files.add(name.c_str(), mesh.data(), mesh.size());
        out.model.reset(mj_loadXML(kModelFile, files.get(), message.data(), message.size()));
        mj_freeLastXML();
    } catch (const std::exception& e) {
        out.error = e.what();
        return out;
    }
    if (!out.model) {
        out.error = message.data();
    } else if (message[0] != '\0') {
        out.warnings.insert(message.data());
    }
    return out;
}

}  // namespace plucker::io
