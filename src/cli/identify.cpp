#include "plucker/identify/identify.hpp"

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "input.hpp"
#include "model_argument.hpp"
#include "plucker/io/read_log.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "plucker/io/write_text.hpp"
#include "plucker/model/dynamic_parameters.hpp"
#include "terminal.hpp"
#include "torque_plot.hpp"

namespace plucker::cli {
namespace {

using nlohmann::ordered_json;

struct IdentifyArguments {
    std::shared_ptr<ModelArgument> model;
    IdentifyOptions options;
    std::string log, validation, output, plot;
    std::string order = "file";
    bool ignore_other_columns = false, keep_friction = false, as_json = false;
};

MotionLog log_from(const std::string& path, const Model& model,
                   const IdentifyArguments& arguments) {
    const std::string text = read_input(path), name = name_of_input(path);
    if (text.starts_with("{") || text.starts_with("["))
        throw Error(name +
                    ": is JSON; a log is CSV: plucker simulate writes one with --output "
                    "FILE.csv");
    return read_log(model, text, name, convention_named(arguments.order),
                    arguments.ignore_other_columns);
}

// The torques of a second log, which had no part in the first.
struct Validation {
    std::vector<IdentifiedJoint> joints;
    MotionLog log;
    MatrixX<double> before, after;
};
Validation validated(const Model& model, const Identified& found, const MotionLog& log,
                     const IdentifyOptions& options) {
    Validation out;
    out.log = prepare_log(model, log, cutoff_for(log, options.cutoff));
    out.before = predict_torques(model, out.log);
    out.after = predict_torques(found.model, out.log);
    const VectorX<double> torque = root_mean_squares(out.log.tau);
    const VectorX<double> before = root_mean_squares(out.log.tau - out.before);
    const VectorX<double> after = root_mean_squares(out.log.tau - out.after);
    for (int k = 0; k < model.nv(); ++k)
        out.joints.push_back(
            {model.velocity_names()[static_cast<std::size_t>(k)], torque[k], before[k], after[k]});
    return out;
}

// --- For people ---

void print_torques(const char* title, const std::vector<IdentifiedJoint>& joints) {
    print_heading(title);
    std::size_t width = 5;
    for (const IdentifiedJoint& joint : joints) width = std::max(width, display_width(joint.name));
    print("{}  {:>10}  {:>10}  {:>10}\n", padded("joint", width), "measured", "before", "after");
    for (const IdentifiedJoint& joint : joints) {
        print("{}  {:>10.4g}  {:>10.4g}  {:>10.4g}\n", padded(joint.name, width), joint.torque,
              joint.before, joint.after);
    }
}

// A combination may have dozens of terms: the first ones. --json has all.
std::string shortened(const std::string& name) {
    constexpr std::size_t kWidest = 50;
    if (name.size() <= kWidest) return name;
    std::size_t end = 0;  // before the last sign that fits
    for (const char* sign : {" + ", " - "}) {
        const std::size_t found = name.rfind(sign, kWidest);
        if (found != std::string::npos) end = std::max(end, found);
    }
    return name.substr(0, end == 0 ? kWidest : end) + " …";
}

void print_parameters(const char* title, const std::vector<IdentifiedParameter>& parameters) {
    if (parameters.empty()) return;
    print_heading(title);
    std::size_t width = 9;
    for (const IdentifiedParameter& x : parameters)
        width = std::max(width, display_width(shortened(x.name)));
    print("{}  {:>10}  {:>10}  {:>10}\n", padded("parameter", width), "before", "found", "±");
    for (const IdentifiedParameter& x : parameters) {
        print("{}  {:>10.4g}  {:>10.4g}  {:>10.2g}{}\n", padded(shortened(x.name), width), x.before,
              x.value, x.deviation, x.is_told_by_data() ? "" : "  as the file says");
    }
}

void print_report(const IdentifyArguments& arguments, const Model& model, const Identified& found) {
    print("{}: {} samples in {:.4g} s, used at {:.4g} Hz\n", model.name(), found.log.size(),
          found.log.time[found.log.size() - 1] - found.log.time[0], found.log.rate());
    std::size_t sought = 0;
    for (const IdentifiedParameter& x : found.combinations) sought += x.prior > 0 ? 1 : 0;
    print("the data determine {} of {} of parameters; condition number {:.3g}\n", found.num_told,
          counted(sought, "combination"), found.condition_number);
    for (const std::string& remark : found.remarks) print("remark: {}\n", remark);
    print_torques("Torques, root mean square: measured, and what the models leave unexplained",
                  found.joints);
    std::vector<IdentifiedParameter> masses, constants, told;
    for (std::size_t k = 0; k < found.parameters.size(); ++k) {
        const IdentifiedParameter& x = found.parameters[k];
        if (x.prior == 0) continue;
        if (static_cast<int>(k) >= num_inertial_parameters(model)) constants.push_back(x);
        if (static_cast<int>(k) < num_inertial_parameters(model) && k % kLinkParameters == 0)
            masses.push_back(x);
    }
    for (const IdentifiedParameter& x : found.combinations) {
        if (x.prior > 0) told.push_back(x);
    }
    print_parameters("Masses, from the file where the data do not determine them", masses);
    print_parameters("Joints", constants);
    print_parameters("Combinations that torques depend on", told);
    if (!arguments.output.empty()) print("\n{}: the identified robot\n", arguments.output);
    if (!arguments.plot.empty()) print("{}: its torques\n", arguments.plot);
}

// --- For programs ---

ordered_json as_json(const std::vector<IdentifiedParameter>& parameters) {
    ordered_json out = ordered_json::array();
    for (const IdentifiedParameter& x : parameters) {
        out.push_back({{"name", x.name},
                       {"before", x.before},
                       {"value", x.value},
                       {"deviation", x.deviation},
                       {"prior_deviation", x.prior},
                       {"told_by_data", x.is_told_by_data()}});
    }
    return out;
}
ordered_json as_json(const std::vector<IdentifiedJoint>& joints) {
    ordered_json out = ordered_json::array();
    for (const IdentifiedJoint& joint : joints) {
        out.push_back({{"name", joint.name},
                       {"torque", joint.torque},
                       {"before", joint.before},
                       {"after", joint.after}});
    }
    return out;
}

void run_identify(IdentifyArguments& arguments) {
    check_is_file("--output", arguments.output);
    check_is_file("--plot", arguments.plot);
    const Model model = arguments.model->load();
    of_option("--links", [&] { require_links_that_move(model, arguments.options.links); });
    arguments.options.friction = !arguments.keep_friction;
    const Identified found =
        identify(model, log_from(arguments.log, model, arguments), arguments.options);
    Validation second;
    if (!arguments.validation.empty())
        second = validated(model, found, log_from(arguments.validation, model, arguments),
                           arguments.options);
    // All is computed before anything is written.
    if (!arguments.output.empty()) {
        std::vector<Diagnostic> lost;
        write_urdf_file(found.model.description(), arguments.output, &lost,
                        arguments.model->package_paths);
        for (const Diagnostic& d : lost)
            complain("{}: warning: {}\n", arguments.output, to_string(d));
    }
    if (!arguments.plot.empty()) {
        const bool of_second = second.log.size() > 0;
        io::write_text_file(
            arguments.plot,
            of_second ? torque_plot(model, second.log, second.before, second.after)
                      : torque_plot(model, found.log, found.torques_before, found.torques_after));
    }
    if (arguments.as_json) {
        ordered_json out{{"robot", model.name()},
                         {"samples", found.log.size()},
                         {"condition_number", nullptr},
                         {"told_by_data", found.num_told},
                         {"remarks", found.remarks},
                         {"joints", as_json(found.joints)},
                         {"parameters", as_json(found.parameters)},
                         {"combinations", as_json(found.combinations)}};
        if (std::isfinite(found.condition_number)) out["condition_number"] = found.condition_number;
        if (!second.joints.empty()) out["validation"] = as_json(second.joints);
        print_json(out);
        return;
    }
    print_report(arguments, model, found);
    if (!second.joints.empty()) print_torques("The same on the second log", second.joints);
}

}  // namespace

void add_identify(CLI::App& app) {
    auto* command = app.add_subcommand(
        "identify", "Find a robot's masses and friction from a log of its motion");
    command->footer(
        "The log is CSV with the columns time, q.NAME and tau.NAME of every joint, at equal steps; "
        "v.NAME and\n"
        "a.NAME if they were measured; otherwise they are computed from q with a zero-phase "
        "filter.\n"
        "The identified links are always physically possible; where the data are not informative, "
        "the\n"
        "file's values remain.\n"
        "\n"
        "Examples:\n"
        "  plucker excite arm.urdf --duration 20 > motion.csv\n"
        "  plucker identify arm.urdf --log measured.csv --output identified.urdf\n"
        "  plucker identify arm.urdf --log measured.csv --validate second.csv --plot torques.svg\n"
        "  plucker identify loaded.urdf --log measured.csv --links payload --keep-friction --prior "
        "1");
    auto arguments = std::make_shared<IdentifyArguments>();
    arguments->model = add_model_argument(*command);
    command->add_option("--log", arguments->log, "The log, or - for standard input")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("--validate", arguments->validation,
                     "A second log, not used to identify: shows how well both models predict it")
        ->type_name("FILE");
    command
        ->add_option("--output", arguments->output, "Where to write the identified robot as URDF")
        ->type_name("FILE");
    command
        ->add_option("--plot", arguments->plot,
                     "Where to draw measured and computed torques, as SVG; of the second log if "
                     "there is one")
        ->type_name("FILE");
    command
        ->add_option(
            "--cutoff", arguments->options.cutoff,
            "Cutoff of the low-pass filter, Hz; 0: 10, or a quarter of the rate if less, if v "
            "or a is computed from q, no filter otherwise")
        ->capture_default_str();
    command
        ->add_option("--prior", arguments->options.prior,
                     "How far the file's masses may be off: 0.3 for 30 %")
        ->capture_default_str();
    command
        ->add_option("--links", arguments->options.links,
                     "The links to identify, separated by commas; default all")
        ->option_text("NAME,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    command->add_flag(
        "--rotors", arguments->options.rotors,
        "Identify rotor inertias of all joints, not only of those that have one in the file");
    command->add_flag("--keep-friction", arguments->keep_friction, "Keep the file's friction");
    command
        ->add_option("--order", arguments->order,
                     "Coordinates of the log's columns with a floating base: file, plucker, "
                     "pinocchio or mujoco")
        ->check(CLI::IsMember(convention_names()))
        ->capture_default_str();
    command->add_flag("--ignore-other-columns", arguments->ignore_other_columns,
                      "Ignore columns that name no coordinate");
    command->add_flag("--json", arguments->as_json, "Machine-readable output");
    command->callback([arguments] { run_identify(*arguments); });
}

}  // namespace plucker::cli
