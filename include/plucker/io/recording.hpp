// A recording of a simulation: a robot's states one after the other, with the forces on it.
//
// In JSON lines, the first line names the robot, and each other line is an instant:
//
//     {"plucker": "recording", "model": "builtin:quadruped", "floating": true, "step": 0.005, …}
//     {"time": 0, "q": […], "v": […], "energy": {"kinetic": 0, "potential": 41.2},
//      "contacts": [{"link": "foot", "position": […], "normal": […], "force": […], "mode": "stick"}], "residual": 1e-12}
//
// q, v and tau are arrays in the order of the file, or by name, as evaluate reads them; everything but time and q may be
// left out. In CSV a row is an instant, with columns time, q.NAME, v.NAME, tau.NAME, energy.kinetic, energy.potential and
// residual below a comment that holds the first line; what is left out is an empty field, and contacts, pushes and frames
// have no place there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plucker/collide/world.hpp"
#include "plucker/io/evaluate.hpp"
#include "plucker/model/geometry.hpp"
#include "plucker/model/model.hpp"
#include "plucker/scalar/eigen.hpp"
#include "plucker/simulate/impulses.hpp"

namespace plucker {

// By "open", "stick", "slide"; an unknown name throws.
ContactMode contact_mode_named(const std::string& name);

// Vectors are in the world's axes.
struct RecordedContact {
    std::string link;
    std::string other = {};  // the link that it touches; empty: the ground
    Vec3<double> position{};
    Vec3<double> normal{0, 0, 1};  // out of the other, towards the link
    Vec3<double> force{};          // on the link
    ContactMode mode = ContactMode::kStick;
    std::optional<double> friction = {};  // Coulomb's coefficient between the two
};
struct RecordedPush {
    std::string link;
    Vec3<double> position{};  // where it acts
    Vec3<double> force{};     // on the link
};
struct RecordedFrame {
    std::string name;
    Pose<double> pose;  // in the world
};
struct RecordedEnergy {
    double kinetic = 0, potential = 0;
};

struct RecordedInstant {
    double time = 0;
    // In the model's own coordinates; v and tau may be empty. tau: what the motors did, springs included.
    ResultVector<double> q, v, tau;
    std::optional<RecordedEnergy> energy = {};
    std::vector<RecordedFrame> frames = {};
    std::vector<RecordedContact> contacts = {};
    std::vector<RecordedPush> pushes = {};
    std::optional<double> residual = {};  // of the step's certificate, in m/s
};

// What the first line says: the robot, with the options that it was loaded with, and how it was simulated.
struct RecordingHeader {
    std::string model;  // a robot file, as it was named, or builtin:NAME
    bool floating = false;
    bool no_friction = false;
    std::optional<Vec3<double>> gravity = {};
    std::vector<std::string> package_paths = {};
    // Where relative names of files start, seen from the folder of the recording; empty: nobody knows. RecordingWriter finds it.
    std::string folder = {};
    std::string which = {};           // of several models in an SDF file
    std::optional<double> step = {};  // in seconds
    std::string integrator = {};      // as the tool calls it
    std::optional<Surface> ground =
        {};  // a plane at z = 0, and what it does; absent: there is none
    // What else there was to run into, to be shown: neither its friction nor what may touch it is kept.
    std::vector<Shape> shapes = {};
    std::vector<HeightField> terrain = {};
};
// Adds what stands in the world: as `ground` the level plane through the origin, and all else as shapes and terrain.
void describe_world(const World& world, RecordingHeader& header);

struct Recording {
    RecordingHeader header;
    std::vector<RecordedInstant> instants;
    bool cut_off = false;  // the last line was not whole, and is left out: the writer was stopped
};

// Writes a recording as it is made. Each instant is on its way to the file when add returns, and what was added before
// something went wrong can be read again.
class RecordingWriter {
public:
    // Makes the file new: CSV if its name ends in .csv, JSON lines if in .jsonl, .json, .ndjson or nothing, in upper or lower
    // case. Throws Error for any other ending, and if the file cannot be opened.
    RecordingWriter(const Model& model, const std::string& path, const RecordingHeader& header);
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter&) = delete;
    RecordingWriter& operator=(const RecordingWriter&) = delete;

    // Throws Error, and writes nothing of it, if a number is not finite, a size is wrong, or the disk is full.
    void add(const RecordedInstant& instant);
    // Waits until the file is written. Throws Error if that fails; the destructor would be silent about it.
    void finish();

private:
    struct File;
    std::unique_ptr<File> file_;
};

// The texts that the writer writes: the line that begins a recording, and that of one instant, without line ends. In
// CSV the first are two lines.
std::string recording_header_text(const Model& model, const RecordingHeader& header,
                                  TextFormat format);
std::string recorded_instant_text(const Model& model, const RecordedInstant& instant,
                                  TextFormat format);

// Whether the file begins as recordings do. False if it cannot be read.
bool is_recording(const std::string& path);
bool is_recording_text(std::string_view text);
// The first line alone, to load the robot. Throws Error with the file and what is wrong.
RecordingHeader read_recording_header(const std::string& path);
RecordingHeader read_recording_header_text(const std::string& text, const std::string& source);
// Replaces the names of files in the header of a recording by such as can be opened from here: where the header says that they
// are, else as they stand there, else beside the recording. False if the robot's file is at none of these places.
bool find_files(const std::string& recording, RecordingHeader& header);
// The whole. A file without the first line may be read too: then the header is empty. Throws Error with file and line.
Recording read_recording(const Model& model, const std::string& path);
// The same of text that is no file, such as what comes through a pipe; `source` names it in messages.
Recording read_recording_text(const Model& model, const std::string& text,
                              const std::string& source);

}  // namespace plucker
