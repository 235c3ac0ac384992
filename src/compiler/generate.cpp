#include "plucker/compiler/generate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <random>
#include <set>

#include "plucker/algorithms/arranged.hpp"
#include "plucker/algorithms/configuration.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/model/conventions.hpp"
#include "plucker/version.hpp"

namespace plucker {
namespace {

using compiler::Group;
using compiler::Node;
using compiler::Op;
using compiler::Program;
using compiler::Value;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Words that C, C++ and their mathematical functions have taken, as far as a robot or a joint may be called so.
bool is_taken(const std::string& word) {
    static const std::set<std::string> kTaken{
        "and",      "asm",     "auto",      "bool",      "break",    "case",     "catch",
        "char",     "class",   "const",     "continue",  "default",  "delete",   "do",
        "double",   "else",    "enum",      "explicit",  "export",   "extern",   "false",
        "float",    "for",     "friend",    "goto",      "if",       "inline",   "int",
        "long",     "main",    "mutable",   "namespace", "new",      "not",      "operator",
        "or",       "private", "protected", "public",    "register", "restrict", "return",
        "short",    "signed",  "sizeof",    "static",    "std",      "struct",   "switch",
        "template", "test",    "this",      "throw",     "true",     "try",      "typedef",
        "typename", "union",   "unsigned",  "using",     "virtual",  "void",     "volatile",
        "while",    "xor"};
    return kTaken.contains(word);
}

std::string upper(std::string text) {
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

// A number as C writes it, with all its digits and none more.
std::string literal(double x, GeneratedPrecision precision) {
    std::array<char, 64> text{};
    const bool narrow = precision == GeneratedPrecision::kF32;
    const auto end = narrow ? std::to_chars(text.data(), text.data() + 64, static_cast<float>(x))
                            : std::to_chars(text.data(), text.data() + 64, x);
    std::string out(text.data(), end.ptr);
    if (out.find_first_of(".e") == std::string::npos) out += ".0";
    return narrow ? out + "f" : out;
}

// A comment may not end early.
std::string in_comment(std::string text) {
    for (std::size_t at = 0; (at = text.find("*/", at)) != std::string::npos;)
        text.insert(at + 1, " ");
    for (char& c : text) c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    return text;
}

// --- One function -------------------------------------------------------------------------------------

class FunctionWriter {
public:
    FunctionWriter(const Program& program, const GenerateOptions& options)
        : program_(program), options_(options) {}

    // `name` with its arguments.
    std::string head(const std::string& name) const {
        std::string arguments;
        for (const Group& group : input_groups())
            arguments +=
                ", const " + number() + " " + group.name + "[" + std::to_string(group.size()) + "]";
        for (const Group& group : program_.output_groups) {
            arguments += ", " + number() + " " + output_name(group) + "[" +
                         std::to_string(group.size()) + "]";
        }
        return std::string(program_.singular >= 0 ? "int " : "void ") + name + "(" +
               arguments.substr(2) + ")";
    }
    std::string body() const {
        std::string out = "{\n";
        std::vector<bool> reads(input_groups().size());
        for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
            const Node& node = program_.nodes[k];
            if (node.op == Op::kConstant) continue;
            if (node.op == Op::kInput) {
                reads[place_of(static_cast<int>(node.constant)).first] = true;
                continue;
            }
            out += "    const " + (compiler::is_mask(node.op) ? "int" : number()) + " x" +
                   std::to_string(k) + " = " + expression(node) + ";\n";
        }
        for (std::size_t g = 0; g < reads.size(); ++g) {
            if (!reads[g]) out += "    (void)" + input_groups()[g].name + ";\n";
        }
        // Written last: an output may be an input.
        std::size_t at = 0;
        for (const Group& group : program_.output_groups) {
            for (int k = 0; k < group.size(); ++k) {
                out += "    " + output_name(group) + "[" + std::to_string(k) +
                       "] = " + operand(program_.outputs[at++]) + ";\n";
            }
        }
        if (program_.singular >= 0) out += "    return " + mask(program_.singular) + ";\n";
        return out + "}\n";
    }
    // Without optimisation each number that is computed has a place.
    std::size_t stack_bytes() const {
        const std::size_t each = options_.precision == GeneratedPrecision::kF32 ? 4 : 8;
        return each * static_cast<std::size_t>(program_.num_operations());
    }

    const std::vector<Group>& input_groups() const { return program_.input_groups; }
    // What is read and written over is two arguments here.
    std::string output_name(const Group& group) const {
        for (const Group& input : input_groups()) {
            if (input.name == group.name) return group.name + "_out";
        }
        return group.name;
    }

private:
    const Program& program_;
    const GenerateOptions& options_;

    bool narrow() const { return options_.precision == GeneratedPrecision::kF32; }
    std::string number() const { return narrow() ? "float" : "double"; }
    std::string call(const char* function, const std::string& arguments) const {
        return function + std::string(narrow() ? "f(" : "(") + arguments + ")";
    }
    std::pair<std::size_t, int> place_of(int input) const {
        std::size_t g = 0;
        while (input >= input_groups()[g].size()) input -= input_groups()[g++].size();
        return {g, input};
    }
    std::string operand(Value x) const {
        const Node& node = program_.nodes[static_cast<std::size_t>(x)];
        if (node.op == Op::kConstant) {
            const std::string text = literal(node.constant, options_.precision);
            return node.constant < 0 ? "(" + text + ")" : text;
        }
        if (node.op == Op::kInput) {
            const auto [g, k] = place_of(static_cast<int>(node.constant));
            return input_groups()[g].name + "[" + std::to_string(k) + "]";
        }
        return "x" + std::to_string(x);
    }
    std::string mask(Value x) const {
        const Node& node = program_.nodes[static_cast<std::size_t>(x)];
        if (node.op == Op::kConstant) return node.constant != 0 ? "1" : "0";
        return "x" + std::to_string(x);
    }
    std::string expression(const Node& node) const {
        const std::string a = operand(node.operands[0]);
        const auto b = [&] { return operand(node.operands[1]); };
        switch (node.op) {
            case Op::kAdd:
                return a + " + " + b();
            case Op::kSubtract:
                return a + " - " + b();
            case Op::kMultiply:
                return a + " * " + b();
            case Op::kDivide:
                return a + " / " + b();
            case Op::kNegate:
                return "-" + a;
            case Op::kAbs:
                return call("fabs", a);
            case Op::kSqrt:
                return call("sqrt", a);
            case Op::kSin:
                return call("sin", a);
            case Op::kCos:
                return call("cos", a);
            case Op::kAtan2:
                return call("atan2", a + ", " + b());
            case Op::kSelect:
                return mask(node.operands[0]) + " ? " + b() + " : " + operand(node.operands[2]);
            case Op::kLess:
                return a + " < " + b();
            case Op::kLessOrEqual:
                return a + " <= " + b();
            case Op::kEqual:
                return "!(" + a + " < " + b() + ") && !(" + a + " > " + b() + ")";
            case Op::kIsFinite:
                return "isfinite(" + a + ") != 0";
            case Op::kAnd:
                return mask(node.operands[0]) + " && " + mask(node.operands[1]);
            case Op::kOr:
                return mask(node.operands[0]) + " || " + mask(node.operands[1]);
            default:
                return "!" + mask(node.operands[0]);
        }
    }
};

// --- A robot ---------------------------------------------------------------------------------------------

// Identifiers of a list of names, all different.
std::vector<std::string> identifiers(const std::vector<std::string>& names) {
    std::vector<std::string> out;
    std::set<std::string> seen;
    for (const std::string& name : names) {
        const std::string plain = identifier_from(name);
        std::string unique = plain;
        for (int k = 2; !seen.insert(upper(unique)).second; ++k)
            unique = plain + "_" + std::to_string(k);
        out.push_back(unique);
    }
    return out;
}

// Whether a function needs no more than numbers: neither a frame nor a list of what is given.
bool can_be_written(const Algorithm& row) {
    return !row.fills_kinematics && !row.inputs.has(Kind::kFrame) && !row.inputs.has(Kind::kGiven);
}

struct RobotFunction {
    const Algorithm* row;
    Program program;
};

class RobotWriter {
public:
    RobotWriter(const Model& model, const GenerateOptions& options)
        : model_(model), options_(options), name_(identifier_from(model.name())) {
        for (const std::string& function : options.functions) add(function);
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
    std::vector<RobotFunction> functions_;

    bool is_cpp() const { return options_.language == GeneratedLanguage::kCpp; }
    std::string number() const {
        return options_.precision == GeneratedPrecision::kF32 ? "float" : "double";
    }

    void add(const std::string& name) {
        const int k = row_named(name, "function to generate", can_be_written);
        const Algorithm& row = algorithms()[static_cast<std::size_t>(k)];
        if (!applies_to(row, model_))
            throw Error::because("generate: robot '", model_.name(), "' has no ", name);
        functions_.push_back({&row, compiler::record(model_, k).program});
    }

    // The name of a function: in C with the robot's before it, because C has no namespaces.
    std::string name_of(const RobotFunction& f) const {
        return is_cpp() ? f.row->name : name_ + "_" + f.row->name;
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
    std::string comment(const RobotFunction& f) const {
        const FunctionWriter writer(f.program, options_);
        std::string out =
            "/* " + in_comment(f.row->says) + ".\n * Source: " + in_comment(f.row->source) + ".\n";
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
               " bytes of stack. An output may be an input. */\n";
    }

    std::string c_header() const {
        const std::string guard = upper(name_) + "_H";
        std::string out = introduction("Dynamics") + "#ifndef " + guard + "\n#define " + guard +
                          "\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" + layout();
        for (const RobotFunction& f : functions_) {
            out += "\n" + comment(f) + FunctionWriter(f.program, options_).head(name_of(f)) + ";\n";
        }
        return out + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    }
    std::string c_source() const {
        std::string out =
            introduction("Dynamics") + "#include \"" + name_ + ".h\"\n\n#include <math.h>\n";
        for (const RobotFunction& f : functions_) {
            const FunctionWriter writer(f.program, options_);
            out += "\n" + writer.head(name_of(f)) + " " + writer.body();
        }
        return out;
    }
    std::string cpp_header() const {
        std::string out = introduction("Dynamics") +
                          "#pragma once\n\n#include <math.h>\n\nnamespace " + name_ + " {\n\n" +
                          layout();
        for (const RobotFunction& f : functions_) {
            const FunctionWriter writer(f.program, options_);
            out += "\n" + comment(f) + "inline " + writer.head(name_of(f)) + " " + writer.body();
        }
        return out + "\n}  // namespace " + name_ + "\n";
    }

    // --- The self-test ---

    std::string array(const std::string& name, const std::vector<double>& numbers) const {
        std::string out = "    static const " + number() + " " + name + "[] = {";
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            if (k % 4 == 0) out += "\n        ";
            out += literal(numbers[k], options_.precision) + (k + 1 < numbers.size() ? ", " : "");
        }
        return out + "\n    };\n";
    }
    // States at random, and what the program gives there in double, which tests compare with the kernels.
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
                calls +=
                    "    test_" + std::string(f.row->name) + "_" + std::to_string(state) + "();\n";
            }
        }
        return out + "\nint main(void) {\n" + calls +
               "    printf(failures == 0 ? \"ok\\n\" : \"FAILED\\n\");\n    return failures == 0 "
               "? 0 : 1;\n}\n";
    }
    std::string one_test(const RobotFunction& f, int state, std::mt19937& generator,
                         std::uniform_real_distribution<double>& unit) const {
        const FunctionWriter writer(f.program, options_);
        const std::string name = std::string(f.row->name) + "_" + std::to_string(state);
        std::string out = "\nstatic void test_" + name + "(void) {\n", arguments;
        std::vector<double> inputs;
        for (const Group& group : f.program.input_groups) {
            std::vector<double> numbers;
            if (is_configuration(f, group)) {
                const VectorX<double> q = random_configuration(model_, generator);
                numbers.assign(q.begin(), q.end());
            } else {
                for (int k = 0; k < group.size(); ++k) numbers.push_back(unit(generator));
            }
            // What the generated code is given is what the library is given.
            if (options_.precision == GeneratedPrecision::kF32) {
                for (double& x : numbers) x = static_cast<double>(static_cast<float>(x));
            }
            inputs.insert(inputs.end(), numbers.begin(), numbers.end());
            out += array(group.name, numbers);
            arguments += ", " + group.name;
        }
        const compiler::Evaluation expected = compiler::evaluate(f.program, inputs);
        double scale = 1e-3;
        for (const double x : expected.outputs) scale = std::max(scale, std::abs(x));
        std::string checks;
        std::size_t at = 0;
        // Rounding, which a badly conditioned mass matrix enlarges.
        const double tolerance =
            (options_.precision == GeneratedPrecision::kF32 ? 2e-2 : 1e-9) * scale;
        for (const Group& group : f.program.output_groups) {
            const std::string result = writer.output_name(group) + "_result";
            out += "    " + number() + " " + result + "[" + std::to_string(group.size()) + "];\n";
            out += array(group.name + "_expected",
                         {expected.outputs.begin() + static_cast<long>(at),
                          expected.outputs.begin() + static_cast<long>(at) + group.size()});
            at += static_cast<std::size_t>(group.size());
            arguments += ", " + result;
            checks += "    compare(\"" + std::string(f.row->name) + "\", " + result + ", " +
                      group.name + "_expected, " + std::to_string(group.size()) + ", " +
                      literal(tolerance, options_.precision) + ");\n";
        }
        const std::string call =
            (is_cpp() ? name_ + "::" : "") + name_of(f) + "(" + arguments.substr(2) + ")";
        out += f.program.singular >= 0 ? "    if (" + call + " != 0) ++failures;\n"
                                       : "    " + call + ";\n";
        return out + checks + "}\n";
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

std::string identifier_from(const std::string& name) {
    std::string out;
    for (const char c : name) {
        if (is_letter(c) || is_digit(c)) {
            out += c;
        } else if (out.empty() || out.back() != '_') {
            out += '_';
        }
    }
    while (!out.empty() && out.back() == '_') out.pop_back();
    while (!out.empty() && out.front() == '_') out.erase(out.begin());
    if (out.empty() || is_digit(out.front())) out = "robot" + (out.empty() ? "" : "_" + out);
    return is_taken(out) ? out + "_" : out;
}

std::vector<GeneratedFile> generate(const Model& model, const GenerateOptions& options) {
    if (options.functions.empty()) throw Error("generate: no function is named");
    return RobotWriter(model, options).files();
}

}  // namespace plucker
