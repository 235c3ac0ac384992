#include "mesh_uri.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <system_error>

namespace plucker::io {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> percent_decoded(const std::string& text) {
    const auto digit = [](char c) {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
    };
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text[k] != '%') {
            out += text[k];
            continue;
        }
        if (k + 2 >= text.size() || digit(text[k + 1]) < 0 || digit(text[k + 2]) < 0)
            return std::nullopt;
        out += static_cast<char>(16 * digit(text[k + 1]) + digit(text[k + 2]));
        k += 2;
    }
    if (out.find('\0') != std::string::npos) return std::nullopt;
    return out;
}

// Absolute, with links and dots resolved as far as the path exists. Empty if it cannot be.
fs::path resolved(const fs::path& path) {
    std::error_code failure;
    fs::path out = fs::weakly_canonical(fs::absolute(path, failure), failure);
    return failure ? fs::path() : out;
}

bool is_below(const fs::path& path, const fs::path& root) {
    if (root.empty()) return false;  // a folder that could not be resolved: nothing is in it
    const auto [in_root, in_path] =
        std::mismatch(root.begin(), root.end(), path.begin(), path.end());
    // A root may end in an empty element, after a slash.
    return in_root == root.end() || (in_root->empty() && std::next(in_root) == root.end());
}

// The nearest folder, from this one upwards, that holds such a file; this one if there is none.
fs::path nearest_with(const char* file, const fs::path& folder) {
    std::error_code ignored;
    for (fs::path at = folder; !at.empty(); at = at.parent_path()) {
        if (fs::exists(at / file, ignored)) return at;
        if (at == at.parent_path()) break;
    }
    return folder;
}

// The folders in an environment variable, separated by colons.
std::vector<fs::path> folders_in(const char* variable) {
    std::vector<fs::path> out;
    const char* value = std::getenv(variable);
    std::istringstream text(value == nullptr ? "" : value);
    for (std::string folder; std::getline(text, folder, ':');) {
        if (const fs::path path = resolved(folder); !folder.empty() && !path.empty())
            out.push_back(path);
    }
    return out;
}

// What the environment says about where packages and models are.
void add_environment(std::vector<fs::path>& packages) {
    for (const char* variable :
         {"ROS_PACKAGE_PATH", "GZ_SIM_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "SDF_PATH"}) {
        for (const fs::path& folder : folders_in(variable)) {
            packages.push_back(folder);
            // Some name the package itself.
            std::error_code ignored;
            if (fs::exists(folder / "package.xml", ignored))
                packages.push_back(folder.parent_path());
        }
    }
    for (const fs::path& folder : folders_in("AMENT_PREFIX_PATH"))
        packages.push_back(folder / "share");
}

}  // namespace

MeshFinder::MeshFinder(const std::string& file, const std::vector<std::string>& package_paths)
    : file_(file), package_paths_(package_paths) {}

const MeshFinder::Places& MeshFinder::places() const {
    if (places_) return *places_;
    const fs::path parent = fs::path(file_).parent_path();
    const fs::path folder = resolved(parent.empty() ? fs::path(".") : parent);
    const fs::path package = nearest_with("package.xml", folder);
    places_ = {folder,
               {package},
               {package.parent_path(), nearest_with("model.config", folder).parent_path()}};
    for (const std::string& path : package_paths_) {
        places_->roots.push_back(resolved(path));
        places_->packages.push_back(resolved(path));
    }
    add_environment(places_->packages);
    return *places_;
}

MeshFinder::Found MeshFinder::find(const std::string& uri, bool under_any_name) const {
    const std::optional<std::string> decoded = percent_decoded(uri);
    if (!decoded) return {"", "its address has a percent sign that encodes nothing"};
    const auto& [folder, roots, packages] = places();
    std::vector<fs::path> candidates;
    const std::string& text = *decoded;
    const auto after = [&](const char* scheme) { return text.substr(std::string(scheme).size()); };
    if (text.starts_with("package://") || text.starts_with("model://")) {
        const std::string rest =
            text.starts_with("package://") ? after("package://") : after("model://");
        for (const fs::path& beside : packages)
            candidates.push_back(beside / fs::path(rest).relative_path());
        // The package's own folder may be given, under whatever name it was unpacked.
        const std::size_t slash = rest.find('/');
        if (slash != std::string::npos && under_any_name) {
            for (const fs::path& root : roots) {
                candidates.push_back(root / fs::path(rest.substr(slash + 1)).relative_path());
            }
        }
    } else if (text.starts_with("file://")) {
        candidates.emplace_back(after("file://"));
    } else if (text.find("://") != std::string::npos) {
        return {"", "its address has a scheme other than package, model or file"};
    } else {
        candidates.push_back(folder / text);  // an absolute text replaces the folder
    }
    std::string why = "it does not exist";
    for (const fs::path& candidate : candidates) {
        const fs::path path = resolved(candidate);
        if (path.empty()) continue;
        const bool allowed = std::any_of(
            roots.begin(), roots.end(), [&](const fs::path& root) { return is_below(path, root); });
        // A package found beside this one is as good as this one, but only below that package.
        const bool sibling =
            (text.starts_with("package://") || text.starts_with("model://")) &&
            std::any_of(packages.begin(), packages.end(), [&](const fs::path& beside) {
                const std::string name =
                    text.substr(text.find("://") + 3,
                                text.find('/', text.find("://") + 3) - text.find("://") - 3);
                return !name.empty() && name != "." && name != ".." &&
                       is_below(path, beside / name);
            });
        if (!allowed && !sibling) {
            why =
                "it lies outside the robot's folder; name its folder as a package path to allow it";
            continue;
        }
        std::error_code ignored;
        if (fs::is_regular_file(path, ignored)) return {path.string(), ""};
        if (fs::exists(path, ignored)) why = "it is a folder or a device, not a file";
    }
    return {"", why};
}

std::string MeshFinder::uri_of(const std::string& path) const {
    const fs::path relative = fs::path(path).lexically_relative(places().folder);
    std::string out;
    for (const char c : relative.empty() ? path : relative.string()) {
        out += c;
        if (c == '%') out += "25";  // find() decodes it
    }
    return out;
}

}  // namespace plucker::io
