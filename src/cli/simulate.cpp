#include "plucker/simulate/simulator.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <memory>

#include "commands.hpp"
#include "input.hpp"
#include "model_argument.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/close_loops.hpp"
#include "plucker/io/read_height_field.hpp"
#include "plucker/io/read_mesh.hpp"
#include "plucker/io/read_states.hpp"
#include "plucker/io/recording.hpp"
#include "plucker/simulate/free_motion.hpp"
#include "plucker/simulate/start.hpp"
#include "plucker/view/page.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

constexpr const char* kSimulateHelp =
    R"(Each line of the output is an instant: time, q and v as eval reads them, energy, frames, contacts with
their forces and modes (stick, slide, open), and residual: how exactly the laws of contact and friction
are met, in m/s. The first line says of which robot and how. CSV has no frames and contacts.

A robot with a floating base and no --state stands on the ground as it is at zero.
Terrain is a table of heights in metres, a line for each y from the lowest and a number for each x, with
its middle at the origin. Recordings show no terrain and no stairs.
--hold pulls the joints to where they begin, implicitly, so that any gains are stable; without
gains, each joint is a critically damped spring of 5 Hz against what it moves there.

Examples:
  plucker simulate builtin:quadruped --ground mu=0.8 --hold kp=40,kd=1 --duration 5 --output stand.jsonl
  plucker simulate builtin:quadruped --ground mu=0.8,heights=hill.csv,spacing=0.2 --hold --duration 5
  plucker simulate arm.urdf --duration 10 --integrator rk4 --output swing.csv
  plucker simulate builtin:humanoid --ground --duration 3 --output fall.html --every 10
  plucker simulate dog.urdf --floating --ground --hold --push trunk,80,0,0,1,0.1 --duration 3)";

// "mu=0.8,e=0.2": numbers by name, and texts by theirs.
class Numbers {
public:
    Numbers(const std::string& option, const std::string& text,
            const std::vector<std::string>& known, const std::string& known_text = "")
        : option_(option) {
        std::size_t at = 0;
        while (at < text.size()) {
            const std::size_t end = std::min(text.find(',', at), text.size());
            const std::string item = text.substr(at, end - at);
            const std::size_t equals = item.find('=');
            const std::string name = item.substr(0, equals);
            if (equals == std::string::npos) {
                throw Error(option + " takes NAME=NUMBER, separated by commas, not '" + item + "'");
            }
            at = end + 1;
            if (name == known_text) {
                text_ = item.substr(equals + 1);
                continue;
            }
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                throw unknown_name("value of " + option, name, known);
            }
            values_[name] = number(item.substr(equals + 1));
        }
    }
    const std::string& text() const { return text_; }
    bool has(const std::string& name) const { return values_.contains(name); }
    // The value, which must be zero or positive.
    double get(const std::string& name, double otherwise) const {
        const auto found = values_.find(name);
        return found == values_.end() ? otherwise : found->second;
    }

private:
    double number(const std::string& text) const {
        std::size_t used = 0;
        double value = NAN;
        try {
            value = std::stod(text, &used);
        } catch (const std::exception&) {
        }
        if (used != text.size() || !(value >= 0) || !std::isfinite(value)) {
            throw Error(option_ + ": '" + text + "' is not a number from zero on");
        }
        return value;
    }
    std::string option_, text_;
    std::map<std::string, double> values_;
};

struct Push {
    FrameId link;
    std::string name;
    Vec3<double> force;
    double start, duration;
    bool acts_at(double time) const { return time >= start && time < start + duration; }
};

struct SimulateOptions {
    double duration = 1, step = 1e-3, tolerance = 1e-9;
    std::string integrator = "euler", state, ground, hold, torque, output = "-";
    bool has_ground = false, has_hold = false;
    std::vector<std::string> pushes, frames;
    long every = 1;
};

Push parse_push(const Model& model, const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    if (parts.size() != 6) {
        throw Error("--push takes LINK,FX,FY,FZ,START,DURATION, not '" + text + "'");
    }
    std::array<double, 5> x{};
    for (std::size_t k = 0; k < 5; ++k) {
        std::size_t used = 0;
        try {
            x[k] = std::stod(parts[k + 1], &used);
        } catch (const std::exception&) {
        }
        if (used == 0 || used != parts[k + 1].size() || !std::isfinite(x[k])) {
            throw Error("--push " + text + ": '" + parts[k + 1] + "' is not a number");
        }
    }
    if (x[4] < 0) throw Error("--push " + text + ": the duration is negative");
    const FrameId link = model.frame_id(parts[0]);
    if (model.frame(link).body == 0) {
        throw Error("--push " + text + ": link '" + parts[0] + "' cannot move");
    }
    return {link, parts[0], {x[0], x[1], x[2]}, x[3], x[4]};
}

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
        throw Error("--hold and --torque both say what the motors do: choose one");
    }
    if (o.has_ground && o.integrator != "euler") {
        throw Error("--ground needs --integrator euler: the others are for motion without contact");
    }
}

struct Motors {
    bool hold = false;
    VectorX<double> kp, kd, q;
    std::vector<GivenState> torques;  // in the order of their times
    mutable std::size_t at = 0;

    void set(double time, VectorX<double>& tau) const {
        if (torques.empty()) return;
        while (at + 1 < torques.size() && *torques[at + 1].time <= time) ++at;
        if (*torques[at].time <= time) tau = torques[at].tau;
    }
};

Motors motors_of(const Model& model, const SimulateOptions& o, const VectorX<double>& q) {
    Motors out;
    const int n = model.nv();
    if (o.has_hold) {
        const Numbers gains("--hold", o.hold == "5Hz" ? "" : o.hold, {"kp", "kd"});
        HoldingGains springs =
            gains.has("kp")
                ? critically_damped(model, q, VectorX<double>::Constant(n, gains.get("kp", 0)))
                : holding_gains(model, q);
        if (gains.has("kd")) springs.kd.setConstant(gains.get("kd", 0));
        out.hold = true;
        out.q = q;
        out.kp = springs.kp;
        out.kd = springs.kd;
        if (model.has_floating_base()) out.kp.head(6).setZero(), out.kd.head(6).setZero();
    }
    if (!o.torque.empty()) {
        const TextFormat format = o.torque.ends_with(".csv") ? TextFormat::kCsv : TextFormat::kJson;
        out.torques = read_states(model, read_input(o.torque), o.torque, format);
        double last = -INFINITY;
        for (const GivenState& state : out.torques) {
            if (!state.time)
                throw Error(o.torque + ": a torque needs its time, in a column or key \"time\"");
            if (state.tau.size() == 0)
                throw Error(o.torque + ": has no torques, tau.NAME or \"tau\"");
            if (!(*state.time > last)) {
                throw Error(fmt::format("{}: time {} follows {}: times must grow", o.torque,
                                        *state.time, last));
            }
            last = *state.time;
        }
    }
    return out;
}

// Stairs up along x, two metres wide, that begin half a metre from the origin.
void add_stairs(double height, double tread, World& world) {
    constexpr int kSteps = 10;
    for (int k = 0; k < kSteps; ++k) {
        // Each step reaches to the end of the stairs, so that no gap opens between two.
        const double length = tread * (kSteps - k), top = height * (k + 1);
        Shape& step = world.shapes.emplace_back();
        step.name = fmt::format("step {}", k + 1);
        step.geometry = Box{{length, 2, height}};
        step.placement.position = {0.5 + tread * kSteps - length / 2, 0, top - height / 2};
    }
}

// What --ground says; `highest`: how high it is about the origin, where the robot begins.
World ground_of(const std::string& text, double& highest, bool& is_plane) {
    const Numbers values("--ground", text, {"mu", "e", "spin", "spacing", "steps", "tread"},
                         "heights");
    World world;
    highest = 0;
    is_plane = values.text().empty() && !values.has("steps");
    if (values.text().empty()) {
        world.shapes = World::flat().shapes;
    } else {
        world.fields.push_back(read_height_field(values.text(), values.get("spacing", 0.1)));
        const HeightField& field = world.fields.back();
        highest = *std::max_element(field.heights.begin(), field.heights.end());
        // Terrain that is high elsewhere need not be fallen from.
        double near = -INFINITY;
        for (int j = 0; j < field.points_y; ++j) {
            for (int i = 0; i < field.points_x; ++i) {
                const Vec3<double> point = field.point(i, j);
                if (std::hypot(point.x, point.y) < 1 + field.spacing_x)
                    near = std::max(near, point.z);
            }
        }
        if (std::isfinite(near)) highest = near;
    }
    if (values.has("spacing") && values.text().empty())
        throw Error("--ground: spacing is that of heights=FILE, which is missing");
    if (values.has("tread") && !values.has("steps"))
        throw Error("--ground: tread is the depth of steps=HEIGHT, which is missing");
    if (values.has("steps")) {
        const double height = values.get("steps", 0), tread = values.get("tread", 0.3);
        if (height == 0 || tread == 0)
            throw Error("--ground: steps need a height and a tread above zero");
        add_stairs(height, tread, world);
    }
    world.surface = {values.get("mu", 1), values.get("spin", 0), values.get("e", 0)};
    if (world.surface.restitution > 1)
        throw Error("--ground: e is above 1, which would add energy");
    return world;
}

bool can_touch(const Model& model) {
    for (const LinkDescription& link : model.description().links) {
        if (!link.collisions.empty()) return true;
    }
    return false;
}

class Progress {
public:
    explicit Progress(double duration) : duration_(duration) {}
    void show(double time) {
        if (!shown_) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        const int done = static_cast<int>(30 * time / duration_);
        std::string bar(static_cast<std::size_t>(done), '#');
        bar.resize(30, '.');
        complain("\r[{}] {:.2f} of {:.2f} s", bar, time, duration_);
    }
    void clear() const {
        if (shown_) complain("\r\033[K");
    }

private:
    double duration_;
    bool shown_ = isatty(STDERR_FILENO) == 1;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Writes what it is shown, every so many steps.
class Recorder {
public:
    Recorder(const Model& model, const SimulateOptions& o, const RecordingHeader& header)
        : model_(model), ws_(model) {
        if (o.output == "-") {
            write_output(recording_header_text(model, header, TextFormat::kJson) + "\n");
        } else if (o.output.ends_with(".html")) {
            std::string why;
            if (!has_viewer(&why)) throw Error(why);
            page_ = o.output;
            recording_.header = header;
        } else {
            writer_ = std::make_unique<RecordingWriter>(model, o.output, header);
        }
        for (const std::string& name : o.frames) frames_.emplace_back(name, model.frame_id(name));
    }
    void add(double time, const VectorX<double>& q, const VectorX<double>& v,
             std::span<const Contact> contacts, std::span<const CollisionShape> shapes,
             const std::vector<Push>& pushes, std::optional<double> residual) {
        RecordedInstant instant;
        instant.time = time;
        instant.q = q;
        instant.v = v;
        forward_kinematics(ws_, q);
        instant.energy = {kinetic_energy(ws_, q, v), potential_energy(ws_)};
        for (const auto& [name, id] : frames_) {
            instant.frames.push_back({name, frame_pose(ws_, id)});
        }
        for (const Contact& contact : contacts) {
            RecordedContact& c = instant.contacts.emplace_back();
            c.link = shapes[static_cast<std::size_t>(contact.point.shape_a)].link;
            c.other = shapes[static_cast<std::size_t>(contact.point.shape_b)].link;
            c.position = contact.point.position;
            c.normal = contact.point.normal;
            c.force = contact.force;
            c.mode = contact.mode;
            c.friction = contact.point.surface.friction;
        }
        for (const Push& push : pushes) {
            if (!push.acts_at(time)) continue;
            instant.pushes.push_back({push.name, frame_pose(ws_, push.link).position, push.force});
        }
        instant.residual = residual;
        if (writer_) {
            writer_->add(instant);
        } else if (!page_.empty()) {
            recording_.instants.push_back(std::move(instant));
        } else {
            write_output(recorded_instant_text(model_, instant, TextFormat::kJson) + "\n");
        }
    }
    // What was recorded is kept, even if what came after went wrong.
    void finish() {
        if (writer_) writer_->finish();
        if (page_.empty()) return;
        write_page(model_, {{"simulation", &recording_}}, page_);
        tell_of_page(page_);
    }

private:
    const Model& model_;
    Workspace<double> ws_;
    std::unique_ptr<RecordingWriter> writer_;
    std::string page_;  // to write in the end; empty: none
    Recording recording_;
    std::vector<std::pair<std::string, FrameId>> frames_;
};

void apply_pushes(const std::vector<Push>& pushes, double time, ExternalForces<double>& forces) {
    forces.clear();
    for (const Push& push : pushes) {
        if (push.acts_at(time)) {
            forces.add(push.link, {{}, push.force}, ReferenceFrame::kWorldAligned);
        }
    }
}

struct Summary {
    long steps = 0, unconverged = 0;
    double worst = 0, deepest = 0;
    double first_unconverged = 0;
};

void simulate_with_contact(const Model& model, const SimulateOptions& o, const World& world,
                           const VectorX<double>& q, const VectorX<double>& v, const Motors& motors,
                           const std::vector<Push>& pushes, Recorder& recorder, Summary& summary) {
    SimulatorOptions options;
    options.step = o.step;
    options.ignore_overlaps = true;
    Simulator simulator(model, world, options);
    simulator.set_state(q, v);
    for (const auto& [a, b] : simulator.overlaps()) {
        complain(
            "note: links '{}' and '{}' overlap where the robot begins: they are let through each "
            "other\n",
            a, b);
    }
    if (motors.hold) simulator.hold(motors.q, motors.kp, motors.kd);
    VectorX<double> tau = VectorX<double>::Zero(model.nv());
    const auto record = [&](std::optional<double> residual) {
        recorder.add(simulator.time(), simulator.q(), simulator.v(), simulator.contacts(),
                     simulator.shapes(), pushes, residual);
    };
    record({});
    Progress progress(o.duration);
    const long steps = std::lround(std::ceil(o.duration / o.step - 1e-9));
    for (long k = 1; k <= steps; ++k) {
        const double time = simulator.time();
        apply_pushes(pushes, time, simulator.forces());
        motors.set(time, tau);
        const StepReport report = simulator.step(tau);
        ++summary.steps;
        summary.worst = std::max(summary.worst, report.solver.certificate.worst());
        summary.deepest = std::max(summary.deepest, report.deepest);
        if (!report.solver.converged && summary.unconverged++ == 0)
            summary.first_unconverged = time;
        if (k % o.every == 0 || k == steps) record(report.solver.certificate.worst());
        progress.show(simulator.time());
    }
    progress.clear();
}

void simulate_freely(const Model& model, const SimulateOptions& o, const VectorX<double>& q,
                     const VectorX<double>& v, const Motors& motors,
                     const std::vector<Push>& pushes, Recorder& recorder, Summary& summary) {
    FreeMotion motion(model, {*integrator_named(o.integrator), o.step, o.tolerance});
    motion.set_state(q, v);
    VectorX<double> error(model.nv());
    motion.control([&](double time, const VectorX<double>& q_now, const VectorX<double>& v_now,
                       VectorX<double>& tau) {
        motors.set(time, tau);
        if (!motors.hold) return;
        kernel::difference(model, motors.q.data(), q_now.data(), error.data());
        tau = -motors.kp.cwiseProduct(error) - motors.kd.cwiseProduct(v_now);
    });
    const auto record = [&] {
        recorder.add(motion.time(), motion.q(), motion.v(), {}, {}, pushes, {});
    };
    record();
    Progress progress(o.duration);
    const long steps = std::lround(std::ceil(o.duration / o.step - 1e-9));
    for (long k = 1; k <= steps; ++k) {
        apply_pushes(pushes, motion.time(), motion.forces());
        motion.advance_to(std::min(o.duration, static_cast<double>(k) * o.step));
        if (k % o.every == 0 || k == steps) record();
        progress.show(motion.time());
    }
    summary.steps = motion.num_steps();
    progress.clear();
}

void summarize(const SimulateOptions& o, const Summary& summary, double seconds) {
    complain("{} s in {} steps", o.duration, summary.steps);
    if (isatty(STDERR_FILENO) == 1) {
        complain(", {:.0f} times as fast as time", o.duration / seconds);
    }
    if (o.has_ground) {
        complain("; laws of contact met to {:.1e} m/s, nothing deeper than {:.1e} m", summary.worst,
                 summary.deepest);
    }
    complain("\n");
}

void run_simulation(const ModelArgument& argument, const SimulateOptions& o) {
    check_all(o);
    const Model model = argument.load();
    if (model.nv() == 0)
        throw Error("nothing of this robot can move; --floating lets its base move");
    VectorX<double> q = neutral_configuration(model), v = VectorX<double>::Zero(model.nv());
    World world;
    world.read_mesh = read_mesh;
    double height_of_ground = 0;
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
    if (o.has_ground) {
        bool is_plane = true;
        world = ground_of(o.ground, height_of_ground, is_plane);
        world.read_mesh = read_mesh;
        if (is_plane) header.ground = world.surface;
        if (!can_touch(model)) {
            throw Error(
                "the robot has no collision shapes, and would fall through the ground: add "
                "<collision> to its links");
        }
    }
    if (o.state.empty()) {
        if (o.has_ground && model.has_floating_base()) {
            World level = World::flat();  // as high as what is there
            level.read_mesh = read_mesh;
            level.shapes[0].placement.position.z = height_of_ground;
            put_on_ground(model, level, {0, 0, 1}, q);
        }
    } else {
        const TextFormat format = o.state.ends_with(".csv") ? TextFormat::kCsv : TextFormat::kJson;
        const std::vector<GivenState> states =
            read_states(model, read_input(o.state), o.state, format);
        if (states.empty() || states.front().q.size() == 0)
            throw Error(o.state + ": has no state with q");
        q = states.front().q;
        if (states.front().v.size() != 0) v = states.front().v;
    }
    if (!model.constraints().empty()) {
        const ClosedLoops loops = close_loops(model, q);
        if (!loops.closed && loops.residual > 1e-6) throw Error(loops.message);
        q = loops.q;
    }
    const Motors motors = motors_of(model, o, q);
    std::vector<Push> pushes;
    for (const std::string& text : o.pushes) pushes.push_back(parse_push(model, text));

    Recorder recorder(model, o, header);
    Summary summary;
    const auto begin = std::chrono::steady_clock::now();
    try {
        if (o.integrator == "euler") {
            simulate_with_contact(model, o, world, q, v, motors, pushes, recorder, summary);
        } else {
            simulate_freely(model, o, q, v, motors, pushes, recorder, summary);
        }
    } catch (const Error&) {
        recorder.finish();
        throw;
    }
    recorder.finish();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (o.output != "-") summarize(o, summary, seconds);
    if (summary.unconverged > 0) {
        complain(
            "warning: {} of {} steps did not meet the tolerance, the first at {} s: their forces "
            "are the best that were found\n",
            summary.unconverged, summary.steps, summary.first_unconverged);
    }
}

}  // namespace

void add_simulate(CLI::App& app) {
    auto options = std::make_shared<SimulateOptions>();
    auto* command =
        app.add_subcommand("simulate", "Let a robot move, stand, fall or be held, and record it");
    command->footer(kSimulateHelp);
    auto argument = add_model_argument(*command);
    command->add_option("--duration", options->duration, "s")->capture_default_str();
    command->add_option("--step", options->step, "s")->capture_default_str();
    command
        ->add_option("--integrator", options->integrator,
                     "euler (with contact), rk4, adaptive, symplectic")
        ->check(CLI::IsMember({"euler", "rk4", "adaptive", "symplectic"}))
        ->capture_default_str();
    command->add_option("--tolerance", options->tolerance, "Of the adaptive integrator")
        ->capture_default_str();
    command
        ->add_option("--state", options->state,
                     "Where it begins: a state in JSON or CSV, - for standard input")
        ->type_name("FILE");
    auto* ground =
        command->add_flag("--ground{mu=1}", options->ground,
                          "A plane at z = 0, with friction mu (1), restitution e (0), "
                          "torsional friction spin (0 m): --ground mu=0.8,e=0.1; or "
                          "terrain, heights=FILE.csv at spacing (0.1 m); or with stairs, "
                          "steps=HEIGHT of depth tread (0.3 m)");
    auto* hold =
        command->add_flag("--hold{5Hz}", options->hold, "Springs at the joints: --hold kp=40,kd=1");
    command
        ->add_option(
            "--torque", options->torque,
            "Torques of the joints over time: CSV with columns time and tau.NAME, or JSON lines")
        ->type_name("FILE");
    command
        ->add_option("--push", options->pushes,
                     "A force on a link, N in the world's axes, for a while (repeatable)")
        ->option_text("LINK,FX,FY,FZ,START,DURATION")
        ->allow_extra_args(false);
    command->add_option("--frame", options->frames, "Frames to record (repeatable)")
        ->option_text("NAME")
        ->allow_extra_args(false);
    command->add_option("--every", options->every, "Record each so many steps")
        ->capture_default_str();
    command
        ->add_option("--output", options->output,
                     "The recording: FILE.jsonl, FILE.csv, FILE.html to look at, or - for JSON "
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
