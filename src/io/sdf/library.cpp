#include "sdf/library.hpp"

#include <algorithm>
#include <sdf/Console.hh>
#include <sdf/Error.hh>
#include <sdf/Exception.hh>
#include <sdf/parser.hh>
#include <sstream>

#include "neutral_locale.hpp"
#include "plucker/spatial/quaternion.hpp"

namespace plucker::io {
namespace {

// Keeps what sdformat would print.
class QuietConsole {
public:
    QuietConsole()
        : stream_(sdf::Console::Instance()->GetMsgStream()), before_(stream_.GetStream()) {
        stream_.SetStream(&kept_);
    }
    ~QuietConsole() { stream_.SetStream(before_); }
    QuietConsole(const QuietConsole&) = delete;
    QuietConsole& operator=(const QuietConsole&) = delete;

    // The first error printed, without colours and the place in sdformat's source.
    std::string first_error() const {
        const std::string all = kept_.str();
        const std::size_t start = all.find("Error [");
        if (start == std::string::npos) return "";
        std::size_t from = all.find("\033[0m", start);
        from = from == std::string::npos ? start : from + 4;
        while (from < all.size() && all[from] == ' ') ++from;
        return all.substr(from, all.find('\n', from) - from);
    }

private:
    sdf::Console::ConsoleStream& stream_;
    std::ostream* before_;
    std::ostringstream kept_;
};

// Whether an error only says that there was another, up the tree or in the graph of frames.
bool follows(const sdf::Error& e) {
    const std::string message = e.Message();
    if (message.find("cycle detected") != std::string::npos) return false;
    for (const char* start :
         {"Error reading element", "Failed to load a world", "Unable to", "Errors were found",
          "PoseRelativeToGraph", "FrameAttachedToGraph", "Graph has"}) {
        if (message.starts_with(start)) return true;
    }
    return false;
}

}  // namespace

Vec3<double> vec3(const ignition::math::Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }

Pose<double> pose(const ignition::math::Pose3d& p) {
    const Quaternion<double> q{p.Rot().X(), p.Rot().Y(), p.Rot().Z(), p.Rot().W()};
    return {transpose(coordinate_rotation(q)), vec3(p.Pos())};
}

sdf::Errors call_sdformat(const std::function<sdf::Errors()>& f) {
    const NeutralLocale neutral;
    const QuietConsole console;
    sdf::Errors errors;
    try {
        errors = f();
    } catch (const sdf::Exception& e) {
        errors.emplace_back(sdf::ErrorCode::ELEMENT_INVALID, e.GetErrorStr());
    } catch (const std::exception& e) {
        errors.emplace_back(sdf::ErrorCode::ELEMENT_INVALID, e.what());
    }
    if (!errors.empty() && std::all_of(errors.begin(), errors.end(), follows)) {
        // The first is the deepest in the tree; what it follows from was printed.
        const sdf::Error& first = errors.front();
        sdf::Error full(first.Code(), first.Message() + " " + console.first_error());
        if (first.FilePath()) full.SetFilePath(*first.FilePath());
        if (first.LineNumber()) full.SetLineNumber(*first.LineNumber());
        return {full};
    }
    std::erase_if(errors, [](const sdf::Error& e) {
        // Masses and inertias are judged with the description, and with a better message.
        return follows(e) || e.Code() == sdf::ErrorCode::LINK_INERTIA_INVALID;
    });
    return errors;
}

bool parse_sdf(const std::string& text, const sdf::ParserConfig& config, const sdf::SDFPtr& out,
               sdf::Errors& errors) {
    sdf::init(out);
    if (sdf::readString(text, config, out->Root(), errors)) return true;
    if (errors.empty()) errors.emplace_back(sdf::ErrorCode::ELEMENT_INVALID, "Unable to read");
    return false;
}

}  // namespace plucker::io
