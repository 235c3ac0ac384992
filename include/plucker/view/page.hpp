// A robot and its recordings as one self-contained HTML file, which loads nothing from anywhere.
//
//     write_page(model, {}, "robot.html");
//     write_page(model, {{"run", &recording}}, "run.html");
//
// The page gets data: bodies and their poses at each instant, shapes, and curves to plot, all computed here. Names are
// text in that data, which no browser runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plucker/io/recording.hpp"
#include "plucker/model/model.hpp"

namespace plucker {

// A recording to show, and what to call it.
struct ShownMotion {
    std::string name;
    const Recording* recording;
};

struct PageOptions {
    std::string title = {};  // of the window; empty: the robot's name
};

// The page as text. Without a recording the robot moves its joints in turn through their limits. Of several recordings,
// all of this robot, the first is shown in full and the others beside it. What cannot be drawn (a mesh that is missing)
// goes to `diagnostics`, if given, and does not stop the rest. Throws Error if this build has no viewer.
std::string html_page(const Model& model, const std::vector<ShownMotion>& motions = {},
                      const PageOptions& options = {},
                      std::vector<Diagnostic>* diagnostics = nullptr);

// The same into a file, all of it or nothing.
void write_page(const Model& model, const std::vector<ShownMotion>& motions,
                const std::string& path, const PageOptions& options = {},
                std::vector<Diagnostic>* diagnostics = nullptr);

// Where the library in the page takes its robot from: a built-in one, or a file's text.
// What such a page begins with.
enum class PlayBegin : std::uint8_t { kRobot, kGallery, kLesson };

struct PlaySource {
    std::string builtin = {};
    std::string urdf = {}, file = {};  // the text, and what to call it
    // As the robot was loaded.
    bool floating = false;
    bool no_friction = false;
    std::optional<Vec3<double>> gravity = {};
    PlayBegin begin = PlayBegin::kRobot;
};
// A page in which the library runs: one moves the robot's joints, lets it fall, pulls it, and sees what the library computes;
// a gallery of the built-in robots; and a lesson, the recursion of Newton and Euler step by step. `source` must describe the model. Throws Error if this build
// has no library for browsers.
std::string html_play_page(const Model& model, const PlaySource& source,
                           std::vector<Diagnostic>* diagnostics = nullptr);

// Whether this build has that library.
bool has_play();

// Whether the viewer's page was built into this library, or lies where it is installed; if not, `why` says what to do.
bool has_viewer(std::string* why = nullptr);

}  // namespace plucker
