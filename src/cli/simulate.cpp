#include <unistd.h>

#include <chrono>
#include <cmath>

#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/io/read_mesh.hpp"
#include "simulate_steps.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

constexpr const char* kSimulateHelp =
    R"(The first line of the output names the robot and the settings. Each further line is an instant: time, q
and v as eval reads them, energy, frames, contacts with their forces and modes (stick, slide, open), and
residual: how exactly the laws of contact and friction hold, in m/s. CSV has no frames and contacts.

Without --state, a robot with a floating base stands on the ground in its zero posture; free bodies beside
the robot begin where its file puts them, and joints that are beyond a limit at zero at that limit.
plucker info lists the postures of a file. A state that violates a constraint is a guess: the motion begins
nearby, where loops are closed, and says so. If the state has a time, that is where the clock begins which
the recording, --push and --torque go by.
Terrain is a table of heights in metres, one line per y from the lowest and one number per x, centred at
the origin.
--hold pulls the joints to their initial positions; without gains, each joint is a critically damped spring
of 5 Hz, or of as many as are given, for the inertia that it moves there. With euler the springs are
implicit, so any gains are stable; the other integrators apply them as torques, and stiff springs need
short steps.
With euler a joint with dry friction can rest; the other integrators take the friction's full torque against
any velocity, also one that is rounding, so that a joint at rest jitters: --no-friction leaves it out.
Only euler knows joint limits: with the others joints go beyond them, which is said at the end. euler takes
whole steps, the others end with the duration.
Torques from a file are zero before its first row; each row holds until the next one, the last to the end.
tau is the total torque of the motors at an instant: torques from the file plus springs.

Examples:
  plucker simulate builtin:quadruped --ground mu=0.8 --hold kp=40,kd=1 --duration 5 --output stand.jsonl
  plucker simulate builtin:quadruped --ground mu=0.8,heights=hill.csv,spacing=0.2 --hold --duration 5
  plucker simulate arm.urdf --duration 10 --integrator rk4 --output swing.csv
  plucker simulate builtin:humanoid --ground --duration 3 --output fall.html --every 10
  plucker simulate dog.urdf --floating --ground --hold --push trunk,80,0,0,1,0.1 --duration 3)";

void check_all(const SimulateOptions& o) {
    const auto positive = [](const char* option, double value, const char* such_as) {
        if (!(value > 0) || !std::isfinite(value)) {
            throw Error(
                fmt::format("{} is {}: it must be positive, such as {}", option, value, such_as));
        }
    };
    positive("--step", o.step, "0.001");
    positive("--duration", o.duration, "10");
    positive("--tolerance", o.tolerance, "1e-9");
    if (o.duration / o.step > 1e9) {
        throw Error(fmt::format("--duration {} in steps of {} takes more than a billion steps",
                                o.duration, o.step));
    }
    if (o.every < 1) throw Error(fmt::format("--every is {}: it must be 1 or more", o.every));
    if (o.has_hold && !o.torque.empty()) {
        throw Error("--hold and --torque both drive the motors: choose one");
    }
    if (o.has_ground && o.integrator != "euler") {
        throw Error("--ground needs --integrator euler: the others are for motion without contact");
    }
}

bool can_touch(const Model& model) {
    for (const LinkDescription& link : model.description().links) {
        if (!link.collisions.empty()) return true;
    }
    return false;
}

RecordingHeader header_of(const ModelArgument& argument, const SimulateOptions& o,
                          const Ground& ground) {
    RecordingHeader header;
    header.model = argument.name;
    header.floating = argument.floating;
    header.no_friction = argument.no_friction;
    if (argument.gravity.size() == 3) {
        header.gravity = {argument.gravity[0], argument.gravity[1], argument.gravity[2]};
    }
    header.package_paths = argument.package_paths;
    header.which = argument.model;
    header.step = o.step;
    header.integrator = o.integrator;
    describe_world(ground.world, header);
    return header;
}

void summarize(const SimulateOptions& o, const Summary& summary, double seconds) {
    complain("{:.10g} s in {}", summary.seconds, counted(summary.steps, "step"));
    if (isatty(STDERR_FILENO) == 1) {
        complain(", {:.0f} times real time", summary.seconds / seconds);
    }
    if (o.has_ground) {
        complain("; contact laws met to {:.1e} m/s, penetration at most {:.1e} m", summary.worst,
                 summary.deepest);
    }
    complain("\n");
}
void warn_of_steps(const Summary& summary) {
    if (summary.unconverged == 0) return;
    complain(
        "warning: {} of {} did not meet the tolerance, the first at {} s: their forces "
        "are the best found\n",
        summary.unconverged, counted(summary.steps, "step"), summary.first_unconverged);
}
void tell_of_the_end(const SimulateOptions& o, const Summary& summary) {
    if (summary.seconds > o.duration * (1 + 1e-9)) {
        complain(
            "note: {} s is not a whole number of steps of {} s, which euler takes: the motion goes "
            "on "
            "to the end of the last\n",
            o.duration, o.step);
    }
}
void tell_of_limits(const SimulateOptions& o, const Summary& summary) {
    if (summary.beyond_limits > 1e-6) {
        complain("note: joints were up to {:.2g} (m or rad) beyond their limits\n",
                 summary.beyond_limits);
    }
    for (const PassedLimit& passed : summary.passed) {
        complain(
            "note: {} knows no joint limits: '{}' went up to {:.3g} beyond its limit of {:.4g}, "
            "first at {:.4g} s\n",
            o.integrator, passed.joint, passed.most, passed.limit, passed.first_time);
    }
}

void run_simulation(const ModelArgument& argument, const SimulateOptions& o) {
    check_all(o);
    const Model model = argument.load();
    if (model.nv() == 0)
        throw Error("nothing of this robot can move; --floating lets its base move");
    Ground ground;
    ground.world.read_mesh = read_mesh;
    if (o.has_ground) {
        ground = ground_of(o.ground);
        if (!can_touch(model)) {
            throw Error(
                "the robot has no collision shapes, and would fall through the ground: add "
                "<collision> to its links");
        }
    }
    const Beginning start = beginning_of(model, o, ground);
    const Motors motors = motors_of(model, o, start.q);
    std::vector<Push> pushes;
    for (const std::string& text : o.pushes) pushes.push_back(parse_push(model, text));

    Recorder recorder(model, o, header_of(argument, o, ground));
    Summary summary;
    const auto begin = std::chrono::steady_clock::now();
    try {
        if (o.integrator == "euler") {
            simulate_with_contact(model, o, ground.world, start, motors, pushes, recorder, summary);
        } else {
            simulate_freely(model, o, start, motors, pushes, recorder, summary);
        }
    } catch (const Error&) {
        recorder.finish();
        throw;
    }
    recorder.finish();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (o.output != "-") summarize(o, summary, seconds);
    warn_of_steps(summary);
    tell_of_the_end(o, summary);
    tell_of_limits(o, summary);
}

}  // namespace

void add_simulate(CLI::App& app) {
    auto options = std::make_shared<SimulateOptions>();
    auto* command = app.add_subcommand(
        "simulate", "Simulate a robot, with contact or without, and record its motion");
    command->footer(kSimulateHelp);
    auto argument = add_model_argument(*command);
    command->add_option("--duration", options->duration, "Duration, s")->capture_default_str();
    command->add_option("--step", options->step, "Length of a step, s")->capture_default_str();
    command
        ->add_option("--integrator", options->integrator,
                     "euler (with contact and joint limits), or without both rk4, adaptive, "
                     "symplectic")
        ->check(CLI::IsMember({"euler", "rk4", "adaptive", "symplectic"}))
        ->capture_default_str();
    command->add_option("--tolerance", options->tolerance, "Tolerance of the adaptive integrator")
        ->capture_default_str();
    command
        ->add_option("--state", options->state,
                     "Initial state: a file in JSON, or in CSV if its name ends in .csv or .tsv, - "
                     "for standard input, or a posture of the robot's file")
        ->type_name("FILE|NAME");
    auto* ground =
        command->add_flag("--ground{mu=1}", options->ground,
                          "A plane at z = 0, with friction mu (1), restitution e (0), "
                          "torsional friction spin (0 m): --ground mu=0.8,e=0.1; or "
                          "terrain, heights=FILE.csv at spacing (0.1 m); or with stairs, "
                          "steps=HEIGHT of depth tread (0.3 m)");
    auto* hold =
        command->add_flag("--hold{5Hz}", options->hold,
                          "Springs at the joints, of so many hertz or of these gains: --hold 2Hz, "
                          "--hold kp=40,kd=1");
    command
        ->add_option(
            "--torque", options->torque,
            "Torques of the joints over time, each held until the next: CSV (.csv, .tsv) with "
            "columns time and tau.NAME, or JSON lines")
        ->type_name("FILE");
    command
        ->add_option("--push", options->pushes,
                     "A temporary force on a link, in N along the world's axes (repeatable)")
        ->option_text("LINK,FX,FY,FZ,START,DURATION")
        ->allow_extra_args(false);
    command->add_option("--frame", options->frames, "Frames to record (repeatable)")
        ->option_text("NAME")
        ->allow_extra_args(false);
    command->add_option("--every", options->every, "Record every N steps")->capture_default_str();
    command
        ->add_option("--output", options->output,
                     "The recording: FILE.jsonl, FILE.csv, FILE.html to view, or - for JSON "
                     "lines on standard output")
        ->type_name("FILE")
        ->capture_default_str();
    command->callback([argument, options, ground, hold] {
        options->has_ground = ground->count() > 0;
        options->has_hold = hold->count() > 0;
        run_simulation(*argument, *options);
    });
}

}  // namespace plucker::cli
