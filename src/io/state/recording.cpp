#include "plucker/io/recording.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "plucker/model/conventions.hpp"
#include "state/csv.hpp"
#include "state/json.hpp"
#include "state/json_text.hpp"
#include "state/recording_lines.hpp"

namespace plucker {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

const std::vector<std::string>& mode_names() {
    static const std::vector<std::string> kNames{"open", "stick", "slide"};
    return kNames;
}

// A comment, in CSV, with the header after it.
constexpr std::string_view kCsvMark = "# plucker recording ";

// --- Writing -------------------------------------------------------------------------------------

ordered_json array_of(const Vec3<double>& x) { return {x.x, x.y, x.z}; }

std::string dumped(const ordered_json& value) {
    // A name may hold bytes that are no UTF-8: they are shown as such, and do not stop a recording.
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

ordered_json header_json(const RecordingHeader& header) {
    ordered_json out{{"plucker", "recording"}, {"model", header.model}};
    if (header.floating) out["floating"] = true;
    if (header.no_friction) out["no_friction"] = true;
    if (header.gravity) out["gravity"] = array_of(*header.gravity);
    if (!header.package_paths.empty()) out["package_paths"] = header.package_paths;
    if (!header.which.empty()) out["which"] = header.which;
    if (header.step) out["step"] = *header.step;
    if (!header.integrator.empty()) out["integrator"] = header.integrator;
    if (header.ground) {
        out["ground"] = {{"friction", header.ground->friction},
                         {"torsional", header.ground->torsional},
                         {"restitution", header.ground->restitution}};
    }
    return out;
}

// Throws if the instant cannot be written: JSON has no word for what is not finite.
void check_instant(const Model& model, const RecordedInstant& instant) {
    const auto refuse = [&](const std::string& what, const std::string& why) {
        throw Error::because("recording: ", what, " ", why, " at time ", instant.time);
    };
    if (!std::isfinite(instant.time)) throw Error("recording: the time is not finite");
    const auto check = [&](const std::string& what, const VectorX<double>& x, int size) {
        if (x.size() != size) {
            refuse(what,
                   "has size " + std::to_string(x.size()) + ", expected " + std::to_string(size));
        }
        for (long k = 0; k < x.size(); ++k) {
            if (!std::isfinite(x[k])) refuse(what + "[" + std::to_string(k) + "]", "is not finite");
        }
    };
    check("q", instant.q, model.nq());
    if (instant.v.size() > 0) check("v", instant.v, model.nv());
    if (instant.tau.size() > 0) check("tau", instant.tau, model.nv());
    const auto check_number = [&](const std::string& what, double x) {
        if (!std::isfinite(x)) refuse(what, "is not finite");
    };
    const auto check_vector = [&](const std::string& what, const Vec3<double>& x) {
        check_number(what, x.x + x.y + x.z);
    };
    if (instant.energy) {
        check_number("the kinetic energy", instant.energy->kinetic);
        check_number("the potential energy", instant.energy->potential);
    }
    if (instant.residual) check_number("the residual", *instant.residual);
    for (const RecordedContact& contact : instant.contacts) {
        check_vector("the position of a contact of '" + contact.link + "'", contact.position);
        check_vector("the normal of a contact of '" + contact.link + "'", contact.normal);
        check_vector("the force of a contact of '" + contact.link + "'", contact.force);
    }
    for (const RecordedPush& push : instant.pushes) {
        check_vector("the position of a push on '" + push.link + "'", push.position);
        check_vector("the force of a push on '" + push.link + "'", push.force);
    }
}

ordered_json array_of(const VectorX<double>& x) {
    return std::vector<double>(x.data(), x.data() + x.size());
}

ordered_json contact_json(const RecordedContact& contact) {
    ordered_json out{{"link", contact.link}};
    if (!contact.other.empty()) out["other"] = contact.other;
    out["position"] = array_of(contact.position);
    out["normal"] = array_of(contact.normal);
    out["force"] = array_of(contact.force);
    out["mode"] = name_of(contact.mode);
    if (contact.friction) out["friction"] = *contact.friction;
    return out;
}

ordered_json instant_json(const Coordinates& coordinates, const RecordedInstant& instant) {
    ordered_json out{{"time", instant.time}, {"q", array_of(coordinates.export_q(instant.q))}};
    if (instant.v.size() > 0) out["v"] = array_of(coordinates.export_v(instant.q, instant.v));
    if (instant.tau.size() > 0)
        out["tau"] = array_of(coordinates.export_tau(instant.q, instant.tau));
    if (instant.energy) {
        out["energy"] = {{"kinetic", instant.energy->kinetic},
                         {"potential", instant.energy->potential}};
    }
    if (!instant.frames.empty()) {
        ordered_json& frames = out["frames"] = ordered_json::object();
        for (const auto& [name, pose] : instant.frames) {
            const Mat3<double>& R = pose.rotation;
            frames[name] = {{"position", array_of(pose.position)},
                            {"rotation", {array_of(R.x), array_of(R.y), array_of(R.z)}}};
        }
    }
    if (!instant.contacts.empty()) {
        ordered_json& contacts = out["contacts"] = ordered_json::array();
        for (const RecordedContact& c : instant.contacts) contacts.push_back(contact_json(c));
    }
    if (!instant.pushes.empty()) {
        ordered_json& pushes = out["pushes"] = ordered_json::array();
        for (const RecordedPush& push : instant.pushes) {
            pushes.push_back({{"link", push.link},
                              {"position", array_of(push.position)},
                              {"force", array_of(push.force)}});
        }
    }
    if (instant.residual) out["residual"] = *instant.residual;
    return out;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",;\t\"\r\n #") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

std::string csv_names(const Coordinates& coordinates) {
    std::string out = "time";
    for (const std::string& name : coordinates.q_names()) out += "," + csv_field("q." + name);
    for (const char* vector : {"v.", "tau."}) {
        for (const std::string& name : coordinates.v_names()) out += "," + csv_field(vector + name);
    }
    return out + ",energy.kinetic,energy.potential,residual";
}

// What an instant does not say is an empty field.
std::string csv_row(const Coordinates& coordinates, const RecordedInstant& instant) {
    std::string out = json(instant.time).dump();
    const auto put = [&](const VectorX<double>& x) {
        for (const double number : x) out += "," + json(number).dump();
    };
    const std::string unknown(static_cast<std::size_t>(coordinates.nv()), ',');
    put(coordinates.export_q(instant.q));
    if (instant.v.size() > 0) {
        put(coordinates.export_v(instant.q, instant.v));
    } else {
        out += unknown;
    }
    if (instant.tau.size() > 0) {
        put(coordinates.export_tau(instant.q, instant.tau));
    } else {
        out += unknown;
    }
    const auto put_one = [&](bool is_there, double x) {
        out += "," + (is_there ? json(x).dump() : "");
    };
    const RecordedEnergy energy = instant.energy.value_or(RecordedEnergy{});
    put_one(instant.energy.has_value(), energy.kinetic);
    put_one(instant.energy.has_value(), energy.potential);
    put_one(instant.residual.has_value(), instant.residual.value_or(0));
    return out;
}

std::string header_text(const Coordinates& coordinates, const RecordingHeader& header,
                        TextFormat format) {
    const std::string first = dumped(header_json(header));
    if (format == TextFormat::kJson) return first;
    return std::string(kCsvMark) + first + "\n" + csv_names(coordinates);
}

std::string instant_text(const Model& model, const Coordinates& coordinates,
                         const RecordedInstant& instant, TextFormat format) {
    check_instant(model, instant);
    return format == TextFormat::kCsv ? csv_row(coordinates, instant)
                                      : dumped(instant_json(coordinates, instant));
}

// --- Reading -------------------------------------------------------------------------------------

double recorded_number(const json& value, const std::string& key) {
    if (!value.is_number()) throw Error(key + " must be a number, not " + value.type_name());
    const auto x = value.get<double>();
    if (!std::isfinite(x)) throw Error(key + " is not finite");
    return x;
}
Vec3<double> recorded_vector(const json& value, const std::string& key) {
    if (!value.is_array() || value.size() != 3) throw Error(key + " must be an array of 3 numbers");
    return {recorded_number(value[0], key), recorded_number(value[1], key),
            recorded_number(value[2], key)};
}
std::string recorded_text(const json& value, const std::string& key) {
    if (!value.is_string()) throw Error(key + " must be a text, not " + value.type_name());
    return value.get<std::string>();
}
bool recorded_truth(const json& value, const std::string& key) {
    if (!value.is_boolean()) throw Error(key + " must be true or false, not " + value.type_name());
    return value.get<bool>();
}

// A member that must be there.
const json& needed(const json& object, const std::string& key, const char* name) {
    if (!object.is_object()) throw Error(key + " must be an object, not " + object.type_name());
    const auto found = object.find(name);
    if (found == object.end()) throw Error(key + " lacks \"" + name + "\"");
    return *found;
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
            const std::string key = "frames." + name;
            Pose<double> pose;
            pose.position = vector(value, key, "position");
            const json& R = needed(value, key, "rotation");
            if (!R.is_array() || R.size() != 3) throw Error(key + ".rotation must have 3 rows");
            pose.rotation = {recorded_vector(R[0], key + ".rotation"),
                             recorded_vector(R[1], key + ".rotation"),
                             recorded_vector(R[2], key + ".rotation")};
            out.frames.push_back({name, pose});
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
    const bool in_csv = line.starts_with(kCsvMark);
    if (in_csv) line.remove_prefix(kCsvMark.size());
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] != '{') return {};
    const io::JsonPiece piece{line, number, in_csv ? static_cast<int>(kCsvMark.size()) + 1 : 1};
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

}  // namespace

ContactMode contact_mode_named(const std::string& name) {
    const auto& names = mode_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw unknown_name("mode of a contact", name, names);
    return static_cast<ContactMode>(found - names.begin());
}

std::string recording_header_text(const Model& model, const RecordingHeader& header,
                                  TextFormat format) {
    return header_text({model, Convention::kFile, MimicJoints::kLeftOut}, header, format);
}

std::string recorded_instant_text(const Model& model, const RecordedInstant& instant,
                                  TextFormat format) {
    return instant_text(model, {model, Convention::kFile, MimicJoints::kLeftOut}, instant, format);
}

struct RecordingWriter::File {
    Model model;
    Coordinates coordinates;
    std::string path;
    TextFormat format;
    std::FILE* stream;

    File(const Model& m, const std::string& p)
        : model(m),
          coordinates(m, Convention::kFile, MimicJoints::kLeftOut),
          path(p),
          format(p.ends_with(".csv") ? TextFormat::kCsv : TextFormat::kJson),
          stream(std::fopen(p.c_str(), "wb")) {
        if (stream == nullptr)
            throw Error::because(path, ": cannot be written: ", std::strerror(errno));
    }
    ~File() {
        if (stream != nullptr) std::fclose(stream);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    // Whole lines, given to the system at once: a program that is stopped loses none.
    void write(std::string line) {
        line += '\n';
        if (std::fwrite(line.data(), 1, line.size(), stream) != line.size() ||
            std::fflush(stream) != 0)
            throw Error::because(path, ": cannot be written: ", std::strerror(errno));
    }
};

RecordingWriter::RecordingWriter(const Model& model, const std::string& path,
                                 const RecordingHeader& header)
    : file_(std::make_unique<File>(model, path)) {
    file_->write(header_text(file_->coordinates, header, file_->format));
}

RecordingWriter::~RecordingWriter() = default;

void RecordingWriter::add(const RecordedInstant& instant) {
    file_->write(instant_text(file_->model, file_->coordinates, instant, file_->format));
}

void RecordingWriter::finish() {
    if (file_->stream == nullptr) return;
    const int closed = std::fclose(file_->stream);
    file_->stream = nullptr;
    if (closed != 0)
        throw Error::because(file_->path, ": cannot be written: ", std::strerror(errno));
}

bool is_recording(const std::string& path) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) return false;
    std::ifstream in(path, std::ios::binary);
    std::string begin(64, '\0');
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(in.gcount()));
    if (begin.starts_with(kCsvMark)) return true;
    std::erase_if(begin, [](char c) { return c == ' ' || c == '\t'; });
    return begin.starts_with("{\"plucker\":\"recording\"");
}

RecordingHeader read_recording_header(const std::string& path) {
    std::ifstream in = opened(path);
    std::string line;
    std::getline(in, line);
    if (const auto header = header_in(line, 1, path)) return *header;
    throw Error::because(path,
                         ":1: is not the first line of a recording; it must be {\"plucker\": "
                         "\"recording\", \"model\": …}");
}

Recording read_recording(const Model& model, const std::string& path) {
    std::ifstream in = opened(path);
    Recording out;
    if (path.ends_with(".csv")) {
        read_csv_rows(model, in, path, out);
    } else {
        read_json_lines(model, in, path, out);
    }
    if (out.instants.empty()) throw Error::because(path, ": there is no instant in it");
    check_times(out, path);
    return out;
}

}  // namespace plucker
