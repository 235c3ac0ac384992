#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "plucker/io/recording.hpp"
#include "plucker/model/conventions.hpp"
#include "state/csv.hpp"
#include "state/json.hpp"
#include "state/json_text.hpp"
#include "state/recorded_world.hpp"
#include "state/recording_lines.hpp"

namespace plucker {
namespace {

using io::needed;
using io::recorded_number;
using io::recorded_pose;
using io::recorded_text;
using io::recorded_vector;
using nlohmann::json;

const std::vector<std::string>& mode_names() {
    static const std::vector<std::string> kNames{"open", "stick", "slide"};
    return kNames;
}

bool recorded_truth(const json& value, const std::string& key) {
    if (!value.is_boolean()) throw Error(key + " must be true or false, not " + value.type_name());
    return value.get<bool>();
}

RecordingHeader header_of(const json& line) {
    RecordingHeader out;
    out.model = recorded_text(needed(line, "the first line", "model"), "model");
    const auto with = [&](const char* key, auto&& read) {
        if (const auto found = line.find(key); found != line.end()) read(*found, key);
    };
    with("floating", [&](auto& x, auto key) { out.floating = recorded_truth(x, key); });
    with("no_friction", [&](auto& x, auto key) { out.no_friction = recorded_truth(x, key); });
    with("gravity", [&](auto& x, auto key) { out.gravity = recorded_vector(x, key); });
    with("folder", [&](auto& x, auto key) { out.folder = recorded_text(x, key); });
    with("which", [&](auto& x, auto key) { out.which = recorded_text(x, key); });
    with("step", [&](auto& x, auto key) { out.step = recorded_number(x, key); });
    with("integrator", [&](auto& x, auto key) { out.integrator = recorded_text(x, key); });
    with("package_paths", [&](auto& x, auto key) {
        if (!x.is_array()) throw Error(std::string(key) + " must be an array of folders");
        for (const json& path : x) out.package_paths.push_back(recorded_text(path, key));
    });
    with("ground", [&](auto& x, auto key) {
        out.ground = Surface{recorded_number(needed(x, key, "friction"), "ground.friction"),
                             recorded_number(needed(x, key, "torsional"), "ground.torsional"),
                             recorded_number(needed(x, key, "restitution"), "ground.restitution")};
    });
    with("world", [&](auto& x, auto) { io::read_world(x, out); });
    return out;
}

// Where an object says what acts on a link: "contacts[2]".
template <class Read>
void each_recorded(const json& line, const char* key, Read&& read) {
    const auto found = line.find(key);
    if (found == line.end()) return;
    if (!found->is_array()) throw Error(std::string(key) + " must be an array of objects");
    for (std::size_t k = 0; k < found->size(); ++k)
        read((*found)[k], key + ("[" + std::to_string(k) + "]"));
}

class InstantReader {
public:
    explicit InstantReader(const Model& model)
        : coordinates_(model, Convention::kFile, MimicJoints::kLeftOut),
          states_(model, coordinates_, io::recording_keys()) {
        for (const Frame& frame : model.frames()) names_.push_back(frame.name);
        std::sort(names_.begin(), names_.end());
    }

    const Coordinates& coordinates() const { return coordinates_; }

    RecordedInstant read(const json& line, const std::string& where) const {
        const io::State state = states_.read(line, where);
        try {
            RecordedInstant out = instant_of(state);
            read_beside(line, out);
            return out;
        } catch (const Error& error) {
            throw Error::because(where, ": ", error.what());
        }
    }

    // What JSON and CSV both have.
    static RecordedInstant instant_of(const io::State& state) {
        if (!state.time) throw Error("the instant lacks \"time\"");
        if (!state.has(io::kQ)) throw Error("the instant lacks \"q\"");
        RecordedInstant out;
        out.time = *state.time;
        out.q = state.q;
        if (state.has(io::kV)) out.v = state.v;
        if (state.has(io::kTau)) out.tau = state.tau;
        return out;
    }

private:
    void read_beside(const json& line, RecordedInstant& out) const {
        if (const auto found = line.find("energy"); found != line.end()) {
            out.energy = {
                recorded_number(needed(*found, "energy", "kinetic"), "energy.kinetic"),
                recorded_number(needed(*found, "energy", "potential"), "energy.potential")};
        }
        if (const auto found = line.find("residual"); found != line.end())
            out.residual = recorded_number(*found, "residual");
        if (const auto found = line.find("frames"); found != line.end()) read_frames(*found, out);
        each_recorded(line, "contacts", [&](const json& entry, const std::string& key) {
            RecordedContact contact;
            contact.link = link(entry, key, "link");
            if (entry.contains("other")) contact.other = link(entry, key, "other");
            contact.position = vector(entry, key, "position");
            contact.normal = vector(entry, key, "normal");
            contact.force = vector(entry, key, "force");
            contact.mode =
                contact_mode_named(recorded_text(needed(entry, key, "mode"), key + ".mode"));
            if (entry.contains("friction"))
                contact.friction = recorded_number(entry.at("friction"), key + ".friction");
            out.contacts.push_back(std::move(contact));
        });
        each_recorded(line, "pushes", [&](const json& entry, const std::string& key) {
            out.pushes.push_back({link(entry, key, "link"), vector(entry, key, "position"),
                                  vector(entry, key, "force")});
        });
    }

    static void read_frames(const json& frames, RecordedInstant& out) {
        if (!frames.is_object()) throw Error("frames must be an object from names to poses");
        for (const auto& [name, value] : frames.items()) {
            out.frames.push_back({name, recorded_pose(value, "frames." + name)});
        }
    }

    static Vec3<double> vector(const json& entry, const std::string& key, const char* name) {
        return recorded_vector(needed(entry, key, name), key + "." + name);
    }
    std::string link(const json& entry, const std::string& key, const char* name) const {
        std::string out = recorded_text(needed(entry, key, name), key + "." + name);
        if (!std::binary_search(names_.begin(), names_.end(), out))
            throw Error(key + ": " + unknown_name("link", out, names_).what());
        return out;
    }

    Coordinates coordinates_;
    io::StateReader states_;
    std::vector<std::string> names_;
};

std::ifstream opened(const std::string& path) {
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure))
        throw Error::because(path, ": is a folder; name the recording in it");
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error::because(path, ": cannot be opened: ", std::strerror(errno));
    return in;
}

// The header if the line is one. `where` begins its messages.
std::optional<RecordingHeader> header_in(std::string_view line, int number,
                                         const std::string& source) {
    const bool in_csv = line.starts_with(io::kRecordingMark);
    if (in_csv) line.remove_prefix(io::kRecordingMark.size());
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] != '{') return {};
    const io::JsonPiece piece{line, number,
                              in_csv ? static_cast<int>(io::kRecordingMark.size()) + 1 : 1};
    const json value = io::parse_strictly(piece, source);
    if (!io::begins_recording(value)) return {};
    try {
        return header_of(value);
    } catch (const Error& error) {
        throw Error::because(piece.where(source), ": ", error.what());
    }
}

bool is_blank(const std::string& line) {
    return line.find_first_not_of(" \t\r") == std::string::npos;
}

void read_json_lines(const Model& model, std::istream& in, const std::string& path,
                     Recording& out) {
    const InstantReader reader(model);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        if (is_blank(line)) continue;
        const bool is_whole = !in.eof();
        const io::JsonPiece piece{line, number, 1};
        json value;
        try {
            value = io::parse_strictly(piece, path);
        } catch (const Error&) {
            if (is_whole || out.instants.empty()) throw;
            out.cut_off = true;
            return;
        }
        if (io::begins_recording(value)) {
            if (!out.instants.empty() || !out.header.model.empty()) {
                throw Error::because(piece.where(path),
                                     ": another recording begins; a file holds one");
            }
            try {
                out.header = header_of(value);
            } catch (const Error& error) {
                throw Error::because(piece.where(path), ": ", error.what());
            }
            continue;
        }
        out.instants.push_back(reader.read(value, piece.where(path)));
    }
}

void read_csv_rows(const Model& model, std::istream& in, const std::string& path, Recording& out) {
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (const auto header = header_in(std::string_view(text).substr(0, text.find('\n')), 1, path))
        out.header = *header;
    // A row without its end may lack digits, too, and nobody would see it.
    if (!text.empty() && text.back() != '\n') {
        const std::size_t end = text.rfind('\n');
        text.resize(end == std::string::npos ? 0 : end + 1);
        out.cut_off = true;
    }
    const Coordinates coordinates(model, Convention::kFile, MimicJoints::kLeftOut);
    const io::CsvColumns columns{
        io::recording_keys(), false, {"energy.kinetic", "energy.potential", "residual"}};
    io::read_csv_states(model, coordinates, text, path, columns,
                        [&](const io::State& state, const std::string& where) {
                            try {
                                RecordedInstant instant = InstantReader::instant_of(state);
                                const auto& beside = state.beside;
                                if (beside[0] && beside[1])
                                    instant.energy = {*beside[0], *beside[1]};
                                instant.residual = beside[2];
                                out.instants.push_back(std::move(instant));
                            } catch (const Error& error) {
                                throw Error::because(where, ": ", error.what());
                            }
                        });
}

void check_times(const Recording& recording, const std::string& path) {
    const auto& instants = recording.instants;
    for (std::size_t k = 1; k < instants.size(); ++k) {
        if (instants[k].time >= instants[k - 1].time) continue;
        throw Error::because(path, ": instant ", k, " is at time ", instants[k].time,
                             ", before the one that precedes it (", instants[k - 1].time,
                             "); times must not fall");
    }
}

// As much of a text as says whether it is a recording.
constexpr std::size_t kBeginning = 64;

std::string beginning_of(std::istream& in) {
    std::string begin(kBeginning, '\0');
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(in.gcount()));
    return begin;
}

}  // namespace

ContactMode contact_mode_named(const std::string& name) {
    const auto& names = mode_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw unknown_name("mode of a contact", name, names);
    return static_cast<ContactMode>(found - names.begin());
}

bool is_recording_text(std::string_view text) {
    std::string begin(text.substr(0, kBeginning));
    if (begin.starts_with(io::kRecordingMark)) return true;
    std::erase_if(begin, [](char c) { return c == ' ' || c == '\t'; });
    return begin.starts_with("{\"plucker\":\"recording\"");
}

bool is_recording(const std::string& path) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) return false;
    std::ifstream in(path, std::ios::binary);
    return is_recording_text(beginning_of(in));
}

RecordingHeader read_recording_header_text(const std::string& text, const std::string& source) {
    if (const auto header = header_in(std::string_view(text).substr(0, text.find('\n')), 1, source))
        return *header;
    throw Error::because(source,
                         ":1: is not the first line of a recording; it must be {\"plucker\": "
                         "\"recording\", \"model\": …}");
}

RecordingHeader read_recording_header(const std::string& path) {
    std::ifstream in = opened(path);
    std::string line;
    std::getline(in, line);
    return read_recording_header_text(line, path);
}

bool find_files(const std::string& recording, RecordingHeader& header) {
    namespace fs = std::filesystem;
    const fs::path beside = fs::path(recording).parent_path();
    // Whether the name is now that of something.
    const auto find = [&](std::string& name) {
        std::error_code ignored;
        const fs::path as_recorded = beside / header.folder / name;
        for (const fs::path& at : {header.folder.empty() ? fs::path(name) : as_recorded,
                                   fs::path(name), beside / name}) {
            if (!fs::exists(at, ignored)) continue;
            if (at != name) name = fs::proximate(at, ignored).string();
            return true;
        }
        return false;
    };
    for (std::string& path : header.package_paths) find(path);
    return header.model.starts_with("builtin:") || find(header.model);
}

namespace {

Recording read_all(const Model& model, std::istream& in, const std::string& source, bool is_csv) {
    Recording out;
    if (is_csv) {
        read_csv_rows(model, in, source, out);
    } else {
        read_json_lines(model, in, source, out);
    }
    if (out.instants.empty()) throw Error::because(source, ": there is no instant in it");
    check_times(out, source);
    return out;
}

}  // namespace

Recording read_recording(const Model& model, const std::string& path) {
    std::ifstream in = opened(path);
    return read_all(model, in, path, text_format_of(path) == TextFormat::kCsv);
}

Recording read_recording_text(const Model& model, const std::string& text,
                              const std::string& source) {
    std::istringstream in(text);
    return read_all(model, in, source, text.starts_with(io::kRecordingMark));
}

}  // namespace plucker
