#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "plucker/io/recording.hpp"
#include "plucker/model/conventions.hpp"
#include "state/file_names.hpp"
#include "state/recorded_world.hpp"
#include "state/recording_lines.hpp"

namespace plucker {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

using io::array_of;

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
    if (!header.folder.empty()) out["folder"] = header.folder;
    if (!header.which.empty()) out["which"] = header.which;
    if (header.step) out["step"] = *header.step;
    if (!header.integrator.empty()) out["integrator"] = header.integrator;
    if (header.ground) {
        out["ground"] = {{"friction", header.ground->friction},
                         {"torsional", header.ground->torsional},
                         {"restitution", header.ground->restitution}};
    }
    if (ordered_json world = io::world_json(header); !world.empty())
        out["world"] = std::move(world);
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
            io::write_pose(pose, frames[name]);
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

// Throws for a name that promises something else.
TextFormat format_of_recording(const std::string& path) {
    const std::string ending = io::ending_of(path);
    if (ending == ".csv") return TextFormat::kCsv;
    for (const char* known : {"", ".jsonl", ".json", ".ndjson"}) {
        if (ending == known) return TextFormat::kJson;
    }
    const char* of_pages = "";
    if (ending == ".html" || ending == ".htm")
        of_pages = "; a page is another file (plucker view, write_page), which ends in .html";
    throw Error::because(path,
                         ": a recording is JSON lines in a file that ends in .jsonl, .json or "
                         ".ndjson, or CSV in one that ends in .csv",
                         of_pages);
}

// Where relative names start, seen from the recording's folder; empty for a robot that has no such name.
std::string folder_of_names(const RecordingHeader& header, const std::string& recording) {
    namespace fs = std::filesystem;
    std::error_code failure;
    const fs::path model = header.model;
    if (header.model.starts_with("builtin:") || model.is_absolute() || !fs::exists(model, failure))
        return {};
    const fs::path to = fs::absolute(recording, failure).parent_path();
    const fs::path out = fs::relative(fs::current_path(failure), to, failure);
    return failure ? std::string() : out.generic_string();
}

std::string header_text(const Coordinates& coordinates, const RecordingHeader& header,
                        TextFormat format) {
    std::string first = dumped(header_json(header));
    if (format == TextFormat::kJson) return first;
    return std::string(io::kRecordingMark) + first + "\n" + csv_names(coordinates);
}

std::string instant_text(const Model& model, const Coordinates& coordinates,
                         const RecordedInstant& instant, TextFormat format) {
    check_instant(model, instant);
    return format == TextFormat::kCsv ? csv_row(coordinates, instant)
                                      : dumped(instant_json(coordinates, instant));
}

}  // namespace

void describe_world(const World& world, RecordingHeader& header) {
    for (const Shape& shape : world.shapes) {
        const auto* plane = std::get_if<Plane>(&shape.geometry);
        const Vec3<double> up =
            plane == nullptr ? Vec3<double>{} : shape.placement.rotation * plane->normal;
        const bool is_ground =
            up.x == 0 && up.y == 0 && up.z > 0 && shape.placement.position.z == 0;
        if (is_ground && !header.ground) {
            header.ground = shape.surface.value_or(world.surface);
        } else {
            header.shapes.push_back(shape);
        }
    }
    header.terrain.insert(header.terrain.end(), world.fields.begin(), world.fields.end());
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
          format(format_of_recording(p)),
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
    RecordingHeader first = header;
    first.folder = folder_of_names(header, path);
    file_->write(header_text(file_->coordinates, first, file_->format));
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

}  // namespace plucker
