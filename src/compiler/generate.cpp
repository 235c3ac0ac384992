#include "plucker/compiler/generate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "cuda_files.hpp"
#include "function_writer.hpp"
#include "identifiers.hpp"
#include "plucker/algorithms/arranged.hpp"
#include "plucker/algorithms/configuration.hpp"
#include "plucker/algorithms/sentence.hpp"
#include "plucker/compiler/parameters.hpp"
#include "plucker/model/conventions.hpp"
#include "plucker/version.hpp"
#include "selected_functions.hpp"

namespace plucker {
namespace {

using compiler::FunctionWriter;
using compiler::Group;
using compiler::identifiers;
using compiler::in_comment;
using compiler::literal;
using compiler::ParameterKind;
using compiler::Program;
using compiler::ProgramParameter;
using compiler::upper;

// --- A robot ---------------------------------------------------------------------------------------------

struct RobotFunction {
    const Algorithm* row;
    std::string frame;  // that it asks; empty: none
    std::string name;   // as an identifier, without the robot's
    Program program;
    // For the self-test, where there are parameters: without them, of the robot and of one that has others.
    Program plain, other;
};

// What a parameter is, and its numbers.
std::string in_words(const ProgramParameter& parameter) {
    const std::string of =
        "'" + in_comment(parameter.name.substr(parameter.name.find(':') + 1)) + "'";
    const std::string mass =
        "mass, centre of mass x, y, z, inertia about it xx, xy, xz, yy, yz, zz";
    switch (parameter.kind) {
        case ParameterKind::kGravity:
            return "Gravity in the world: x, y, z";
        case ParameterKind::kMass:
            return "The link " + of + ": " + mass;
        case ParameterKind::kPayload:
            return "A load at the frame " + of + ", in its coordinates: " + mass;
        default:
            return "Where the frame " + of +
                   " is on what carries it: x, y, z, roll, pitch, yaw (fixed axes)";
    }
}
std::string in_words(ReferenceFrame reference) {
    switch (reference) {
        case ReferenceFrame::kWorld:
            return "in the world's axes, at the world's origin";
        case ReferenceFrame::kWorldAligned:
            return "in the world's axes, at the frame's origin";
        default:
            return "in the frame's own axes, at its origin";
    }
}

class RobotWriter {
public:
    RobotWriter(const Model& model, const GenerateOptions& options)
        : model_(model),
          options_(options),
          name_(identifier_from(model.name())),
          parameters_(compiler::parameters_named(model, options.parameters)),
          parameter_names_(identifiers(options.parameters)),
          other_numbers_(as_given(compiler::other_numbers(parameters_))) {
        add_functions();
    }

    std::vector<GeneratedFile> files() const {
        if (is_cpp()) {
            return {{name_ + ".hpp", cpp_header()},
                    {name_ + "_test.cpp", self_test()},
                    {"CMakeLists.txt", cmake_file()}};
        }
        return {{name_ + ".h", c_header()},
                {name_ + ".c", c_source()},
                {name_ + "_test.c", self_test()},
                {"CMakeLists.txt", cmake_file()}};
    }

private:
    const Model& model_;
    const GenerateOptions& options_;
    std::string name_;
    std::vector<ProgramParameter> parameters_;
    std::vector<std::string> parameter_names_;  // as identifiers
    compiler::ParameterNumbers<double> other_numbers_;
    std::vector<RobotFunction> functions_;

    bool is_cpp() const { return options_.language == GeneratedLanguage::kCpp; }
    std::string number() const {
        return options_.precision == GeneratedPrecision::kF32 ? "float" : "double";
    }

    // What the generated code is given is what the library is given.
    std::vector<double> as_given(std::vector<double> numbers) const {
        if (options_.precision == GeneratedPrecision::kF32) {
            for (double& x : numbers) x = static_cast<double>(static_cast<float>(x));
        }
        return numbers;
    }
    compiler::ParameterNumbers<double> as_given(compiler::ParameterNumbers<double> numbers) const {
        for (std::vector<double>& x : numbers) x = as_given(x);
        return numbers;
    }

    void add_functions() {
        const auto selected = compiler::selected_functions(model_, options_);
        const Model other =
            parameters_.empty() ? model_ : with_parameters(model_, parameters_, other_numbers_);
        for (const compiler::SelectedFunction& f : selected) {
            RobotFunction out{&f.algorithm(), f.frame, f.name, {}, {}, {}};
            const auto program_of = [&](const Model& model, const auto& parameters) {
                return compiler::record(model, f, options_, parameters).program;
            };
            out.program = program_of(model_, options_.parameters);
            // Parameters are arguments, whose names are identifiers.
            auto& groups = out.program.input_groups;
            for (std::size_t n = parameters_.size(), i = 0; i < n; ++i)
                groups[groups.size() - n + i].name = parameter_names_[i];
            if (!parameters_.empty()) {
                const std::vector<std::string> none;
                out.plain = program_of(model_, none);
                out.other = program_of(other, none);
            }
            functions_.push_back(std::move(out));
        }
    }

    // The name of a function: in C with the robot's before it, because C has no namespaces.
    std::string name_of(const RobotFunction& f) const {
        return is_cpp() ? f.name : name_ + "_" + f.name;
    }

    std::string introduction(const std::string& what) const {
        return "/* " + what + " of the robot '" + in_comment(model_.name()) +
               "'.\n * Generated by Plucker " + kVersion +
               ": no loops, no branches, no allocation, no other library. */\n";
    }
    std::string enumeration(const std::string& of, const std::vector<std::string>& names) const {
        std::string out = "enum " + (is_cpp() ? of : name_ + "_" + of) + " {\n";
        const std::vector<std::string> ids = identifiers(names);
        for (std::size_t k = 0; k < ids.size(); ++k) {
            out += "    " + constant(of + "_" + ids[k]) + " = " + std::to_string(k) +
                   (k + 1 < ids.size() ? ",\n" : "\n");
        }
        return out + "};\n";
    }
    std::string constant(const std::string& id) const {
        return upper(is_cpp() ? id : name_ + "_" + id);
    }
    // Sizes, and where each coordinate stands.
    std::string layout() const {
        const Coordinates coordinates(model_, Convention::kPlucker);
        std::string out =
            "/* How many numbers describe a configuration and a velocity. */\nenum {\n    " +
            constant("nq") + " = " + std::to_string(model_.nq()) + ",\n    " + constant("nv") +
            " = " + std::to_string(model_.nv()) + "\n};\n";
        if (model_.nq() > 0) {
            out +=
                "\n/* Where each coordinate stands in q. Quaternions are x, y, z, w and of unit "
                "length;"
                " metres, radians. */\n" +
                enumeration("q", coordinates.q_names());
        }
        if (model_.nv() > 0) {
            out +=
                "\n/* Where each stands in velocities, accelerations and torques. Spatial vectors "
                "are"
                " angular first. */\n" +
                enumeration("v", coordinates.v_names());
        }
        return out;
    }
    // The parameters as the model has them: in C declared in the header and defined in the source.
    std::string default_name(std::size_t k) const {
        return constant("default_" + parameter_names_[k]) + "[" +
               std::to_string(parameters_[k].size()) + "]";
    }
    std::string default_values(std::size_t k) const {
        return "const " + number() + " " + default_name(k) + " = {" +
               list(parameters_[k].defaults, "    ") + "\n};\n";
    }
    std::string parameters() const {
        if (parameters_.empty()) return "";
        std::string out =
            "\n/* Constants of the robot that every function takes as arguments, as the model has "
            "them. */\n";
        for (std::size_t k = 0; k < parameters_.size(); ++k) {
            std::string values;
            for (const double x : parameters_[k].defaults)
                values += (values.empty() ? "" : ", ") + literal(x, options_.precision);
            out += "/* " + in_words(parameters_[k]) + ".\n * In the model: " + values + ". */\n" +
                   (is_cpp() ? default_values(k)
                             : "extern const " + number() + " " + default_name(k) + ";\n");
        }
        return out;
    }
    std::string forces_in_words() const {
        std::string out;
        for (const std::string& frame : options_.forces)
            out += (out.empty() ? " * forces: moment and force on the frame '" : ", on '") +
                   in_comment(frame) + "'";
        return out.empty() ? out : out + ", " + in_words(options_.reference) + ".\n";
    }
    std::string comment(const RobotFunction& f) const {
        const FunctionWriter writer(f.program, options_.precision);
        std::string out = "/* " + in_comment(sentence_of(f.row->says)) +
                          ".\n * Source: " + in_comment(f.row->source) + ".\n";
        if (!f.frame.empty()) {
            out += " * Of the frame '" + in_comment(f.frame) + "'";
            if (f.row->inputs.has(Kind::kReference)) out += ", " + in_words(options_.reference);
            out += ".\n";
        }
        if (f.row->inputs.has(Kind::kForces)) out += forces_in_words();
        for (const Group& group : f.program.output_groups) {
            if (group.columns > 1) {
                out += " * " + writer.output_name(group) + ": " + std::to_string(group.rows) +
                       " x " + std::to_string(group.columns) + ", column by column.\n";
            }
        }
        if (f.program.singular >= 0)
            out += " * Returns 1 where the mass matrix is singular, and 0 elsewhere.\n";
        return out + " * " + std::to_string(f.program.num_operations()) + " operations, at most " +
               std::to_string(writer.stack_bytes()) +
               " bytes of stack beside those of functions in <math.h>. An output may be an input. "
               "*/\n";
    }

    std::string c_header() const {
        const std::string guard = upper(name_) + "_H";
        std::string out = introduction("Dynamics") + "#ifndef " + guard + "\n#define " + guard +
                          "\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" + layout() +
                          parameters();
        for (const RobotFunction& f : functions_) {
            out += "\n" + comment(f) +
                   FunctionWriter(f.program, options_.precision).head(name_of(f)) + ";\n";
        }
        return out + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    }
    std::string c_source() const {
        std::string out =
            introduction("Dynamics") + "#include \"" + name_ + ".h\"\n\n#include <math.h>\n";
        for (std::size_t k = 0; k < parameters_.size(); ++k) out += "\n" + default_values(k);
        for (const RobotFunction& f : functions_) {
            const FunctionWriter writer(f.program, options_.precision);
            out += "\n" + writer.head(name_of(f)) + " " + writer.body();
        }
        return out;
    }
    std::string cpp_header() const {
        std::string out = introduction("Dynamics") +
                          "#pragma once\n\n#include <math.h>\n\nnamespace " + name_ + " {\n\n" +
                          layout() + parameters();
        for (const RobotFunction& f : functions_) {
            const FunctionWriter writer(f.program, options_.precision);
            out += "\n" + comment(f) + "inline " + writer.head(name_of(f)) + " " + writer.body();
        }
        return out + "\n}  // namespace " + name_ + "\n";
    }

    // --- The self-test ---

    // Four numbers a line.
    std::string list(const std::vector<double>& numbers, const std::string& indent) const {
        std::string out;
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            if (k % 4 == 0) out += "\n" + indent;
            out += literal(numbers[k], options_.precision) + (k + 1 < numbers.size() ? ", " : "");
        }
        return out;
    }
    std::string array(const std::string& name, const std::vector<double>& numbers) const {
        return "    static const " + number() + " " + name + "[] = {" + list(numbers, "        ") +
               "\n    };\n";
    }
    // States at random, and what the program gives there in double, which tests compare with the kernels. The first is
    // with the model's parameters, the others with those of another robot.
    std::string self_test() const {
        std::string out =
            introduction("Self-test") + "#include \"" + name_ + (is_cpp() ? ".hpp" : ".h") +
            "\"\n\n#include <math.h>\n#include <stdio.h>\n\n" + R"(static int failures = 0;

static void compare(const char* name, const )" +
            number() + R"(* got, const )" + number() + R"(* expected, int n, )" + number() +
            R"( tolerance) {
    int k;
    for (k = 0; k < n; ++k) {
        if (fabs((double)(got[k] - expected[k])) <= (double)tolerance) continue;
        printf("%s: output %d is %.17g, expected %.17g\n", name, k, (double)got[k], (double)expected[k]);
        ++failures;
        return;
    }
}
)";
        std::mt19937 generator(1);
        std::uniform_real_distribution<double> unit(-1, 1);
        std::string calls;
        for (const RobotFunction& f : functions_) {
            for (int state = 0; state < 3; ++state) {
                out += one_test(f, state, generator, unit);
                calls += "    test_" + f.name + "_" + std::to_string(state) + "();\n";
            }
        }
        return out + "\nint main(void) {\n" + calls +
               "    printf(failures == 0 ? \"ok\\n\" : \"FAILED\\n\");\n    return failures == 0 "
               "? 0 : 1;\n}\n";
    }
    std::string one_test(const RobotFunction& f, int state, std::mt19937& generator,
                         std::uniform_real_distribution<double>& unit) const {
        const FunctionWriter writer(f.program, options_.precision);
        const std::string name = f.name + "_" + std::to_string(state);
        std::string out = "\nstatic void test_" + name + "(void) {\n", arguments;
        std::vector<double> inputs;
        const std::size_t num_states = f.program.input_groups.size() - parameters_.size();
        for (std::size_t g = 0; g < num_states; ++g) {
            const Group& group = f.program.input_groups[g];
            std::vector<double> numbers;
            if (is_configuration(f, group)) {
                const VectorX<double> q = random_configuration(model_, generator);
                numbers.assign(q.begin(), q.end());
            } else {
                for (int k = 0; k < group.size(); ++k) numbers.push_back(unit(generator));
            }
            numbers = as_given(numbers);
            inputs.insert(inputs.end(), numbers.begin(), numbers.end());
            out += array(group.name, numbers);
            arguments += ", " + group.name;
        }
        const bool has_others = state > 0;
        std::vector<double> all_inputs = inputs;
        for (std::size_t k = 0; k < parameters_.size(); ++k) {
            if (has_others) out += array(parameter_names_[k], other_numbers_[k]);
            arguments += ", " + (has_others ? parameter_names_[k]
                                            : (is_cpp() ? name_ + "::" : "") +
                                                  constant("default_" + parameter_names_[k]));
            const auto& numbers = has_others ? other_numbers_[k] : parameters_[k].defaults;
            all_inputs.insert(all_inputs.end(), numbers.begin(), numbers.end());
        }
        const Program& reference = has_others ? f.other : f.plain;
        const compiler::Evaluation expected =
            compiler::evaluate(parameters_.empty() ? f.program : reference, inputs);
        const double tolerance = tolerance_of(f.program, all_inputs);
        std::string checks;
        std::size_t at = 0;
        for (const Group& group : f.program.output_groups) {
            const std::string result = writer.output_name(group) + "_result";
            out += "    " + number() + " " + result + "[" + std::to_string(group.size()) + "];\n";
            arguments += ", " + result;
            if (expected.singular) continue;  // that it says so is all that there is to see
            out += array(group.name + "_expected",
                         {expected.outputs.begin() + static_cast<long>(at),
                          expected.outputs.begin() + static_cast<long>(at) + group.size()});
            at += static_cast<std::size_t>(group.size());
            checks += "    compare(\"" + f.name + "\", " + result + ", " + group.name +
                      "_expected, " + std::to_string(group.size()) + ", " +
                      literal(tolerance, options_.precision) + ");\n";
        }
        const std::string call =
            (is_cpp() ? name_ + "::" : "") + name_of(f) + "(" + arguments.substr(2) + ")";
        out += f.program.singular >= 0
                   ? "    if (" + call + (expected.singular ? " != 1" : " != 0") + ") ++failures;\n"
                   : "    " + call + ";\n";
        return out + checks + "}\n";
    }
    // Rounding, which a badly conditioned mass matrix enlarges. In float it is seen by how far the program goes astray;
    // another compiler may round at other places.
    double tolerance_of(const Program& program, const std::vector<double>& inputs) const {
        const std::vector<double> exact = compiler::evaluate(program, inputs).outputs;
        const std::vector<double> narrow = compiler::evaluate_in_float(program, inputs).outputs;
        double scale = 1e-3, error = 0;
        for (std::size_t k = 0; k < exact.size(); ++k) {
            scale = std::max(scale, std::abs(exact[k]));
            error = std::max(error, std::abs(exact[k] - narrow[k]));
        }
        if (options_.precision == GeneratedPrecision::kF64) return 1e-9 * scale;
        return 32 * (error + std::numeric_limits<float>::epsilon() * scale);
    }
    bool is_configuration(const RobotFunction& f, const Group& group) const {
        if (group.name == "q") return true;
        for (const Arguments* list : {&f.row->inputs, &f.row->outputs}) {
            for (const Argument& x : *list) {
                if (group.name == x.name) return x.kind == Kind::kConfiguration;
            }
        }
        return false;
    }

    std::string cmake_file() const {
        const std::string language = is_cpp() ? "CXX" : "C";
        std::string out = "# Builds the dynamics of '" + in_comment(model_.name()) +
                          "' and their self-test: cmake -B build && cmake --build build && ctest "
                          "--test-dir build\n"
                          "cmake_minimum_required(VERSION 3.10)\nproject(" +
                          name_ + " " + language + ")\n\n";
        if (is_cpp()) {
            out += "add_library(" + name_ + " INTERFACE)\ntarget_include_directories(" + name_ +
                   " INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})\n";
        } else {
            out += "set(CMAKE_C_STANDARD 99)\nadd_library(" + name_ + " STATIC " + name_ +
                   ".c)\ntarget_include_directories(" + name_ +
                   " PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})\nif(UNIX)\n  target_link_libraries(" +
                   name_ + " PUBLIC m)\nendif()\n";
        }
        return out + "\nenable_testing()\nadd_executable(" + name_ + "_test " + name_ + "_test." +
               (is_cpp() ? "cpp" : "c") + ")\ntarget_link_libraries(" + name_ + "_test PRIVATE " +
               name_ + ")\nadd_test(NAME " + name_ + " COMMAND " + name_ + "_test)\n";
    }
};

}  // namespace

std::vector<GeneratedFile> generate(const Model& model, const GenerateOptions& options) {
    // Arrays of no numbers are no C.
    if (model.nv() == 0) {
        throw Error::because("generate: robot '", model.name(),
                             "' has no joint that moves, so there is nothing to compute");
    }
    if (options.language == GeneratedLanguage::kCuda)
        return compiler::generate_cuda(model, options);
    return RobotWriter(model, options).files();
}

}  // namespace plucker
