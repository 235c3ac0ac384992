#include "plucker/view/page.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "buffers.hpp"
#include "built_page.hpp"
#include "motion_data.hpp"
#include "plucker/io/write_text.hpp"
#include "robot_data.hpp"

namespace plucker {
namespace {

using nlohmann::ordered_json;

// Where the built page has room for a robot.
constexpr std::string_view kPlaceForData = "<!--plucker:data-->";

// A page that was built elsewhere, where it is installed.
std::string installed_page() {
    std::vector<std::filesystem::path> folders;
    if (const char* named = std::getenv("PLUCKER_SHARE"); named != nullptr)
        folders.emplace_back(named);
    folders.emplace_back(PLUCKER_SHARE_DIR);
    for (const std::filesystem::path& folder : folders) {
        std::ifstream in(folder / "viewer.html", std::ios::binary);
        if (in) return {std::istreambuf_iterator<char>(in), {}};
    }
    return "";
}

// The page without a robot; empty if there is none.
const std::string& empty_page() {
    static const std::string kPage =
        view::built_page().empty() ? installed_page() : std::string(view::built_page());
    return kPage;
}

std::string missing_viewer() {
    const std::string reason(view::why_no_page());
    return "the viewer's page is not in this build" + (reason.empty() ? "" : ": " + reason) +
           "; install node and npm and build again, or put viewer.html of another build into " +
           std::string(PLUCKER_SHARE_DIR) + " or the folder that PLUCKER_SHARE names";
}

// As the text of a script element: there a browser looks for "<" alone, to find its end. In JSON "<" stands within texts
// only, where it may be written by its number.
std::string as_script_text(const ordered_json& value) {
    const bool in_ascii = true;
    const std::string text = value.dump(-1, ' ', in_ascii, ordered_json::error_handler_t::replace);
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '<') {
            out += "\\u003c";
        } else {
            out += c;
        }
    }
    return out;
}

// Pieces, because browsers dislike a single text of hundreds of megabytes. Each is whole in itself: its length is a
// multiple of four.
std::string numbers_as_scripts(const std::string& base64) {
    constexpr std::size_t kPiece = std::size_t{4} << 20U;
    std::string out;
    out.reserve(base64.size() + 64 * (base64.size() / kPiece + 1));
    for (std::size_t at = 0; at < base64.size(); at += kPiece) {
        out += "<script type=\"text/plain\" class=\"numbers\">";
        out.append(base64, at, kPiece);
        out += "</script>\n";
    }
    return out;
}

std::string data_script(const Model& model, const std::vector<ShownMotion>& motions,
                        const PageOptions& options, view::Buffers& buffers,
                        std::vector<Diagnostic>* diagnostics) {
    ordered_json data{{"title", options.title.empty() ? model.name() : options.title}};
    data["robot"] = view::robot_data(model, buffers, diagnostics);
    ordered_json list = ordered_json::array();
    if (motions.empty())
        list.push_back(view::motion_data(model, "joints", view::demonstration(model), buffers));
    data["demonstration"] = motions.empty();
    for (const ShownMotion& motion : motions) {
        if (motion.recording->instants.empty())
            throw Error::because("recording '", motion.name, "' has no instant to show");
        list.push_back(view::motion_data(model, motion.name, *motion.recording, buffers));
        ordered_json world = view::world_data(motion.recording->header, buffers, diagnostics);
        if (!world.is_null()) list.back()["world"] = std::move(world);
    }
    data["motions"] = std::move(list);
    return "<script type=\"application/json\" id=\"robot\">" + as_script_text(data) + "</script>\n";
}

// The page with these elements at their place.
std::string filled(const std::string& page, const std::string& elements) {
    const std::size_t place = page.find(kPlaceForData);
    if (place == std::string::npos)
        throw Error::because("the viewer's page has no place for a robot: ", kPlaceForData);
    return page.substr(0, place) + elements + page.substr(place + kPlaceForData.size());
}

}  // namespace

bool has_viewer(std::string* why) {
    if (!empty_page().empty()) return true;
    if (why != nullptr) *why = missing_viewer();
    return false;
}

std::string html_page(const Model& model, const std::vector<ShownMotion>& motions,
                      const PageOptions& options, std::vector<Diagnostic>* diagnostics) {
    const std::string& page = empty_page();
    if (page.empty()) throw Error(missing_viewer());
    view::Buffers buffers;
    const std::string robot = data_script(model, motions, options, buffers, diagnostics);
    return filled(page, robot + numbers_as_scripts(buffers.base64()));
}

bool has_play() { return !view::built_play_page().empty(); }

std::string html_play_page(const Model& model, const PlaySource& source,
                           std::vector<Diagnostic>* diagnostics) {
    if (!has_play()) {
        throw Error(
            "the library for browsers is not in this build; in the source tree, ./run play and "
            "./run "
            "learn compile it, or scripts/wasm build/wasm, with emscripten, and then build again");
    }
    constexpr std::array kBegins{"robot", "gallery", "lesson"};
    ordered_json from{{"floating", source.floating},
                      {"no_friction", source.no_friction},
                      {"begin", kBegins.at(static_cast<std::size_t>(source.begin))}};
    if (source.gravity) from["gravity"] = {source.gravity->x, source.gravity->y, source.gravity->z};
    if (source.builtin.empty()) {
        from["text"] = source.urdf;
        from["file"] = source.file;
    } else {
        from["builtin"] = source.builtin;
    }
    view::Buffers buffers;
    const std::string robot = data_script(model, {}, {}, buffers, diagnostics);
    return filled(std::string(view::built_play_page()),
                  robot + "<script type=\"application/json\" id=\"source\">" +
                      as_script_text(from) + "</script>\n" + numbers_as_scripts(buffers.base64()));
}

void write_page(const Model& model, const std::vector<ShownMotion>& motions,
                const std::string& path, const PageOptions& options,
                std::vector<Diagnostic>* diagnostics) {
    io::write_text_file(path, html_page(model, motions, options, diagnostics));
}

}  // namespace plucker
