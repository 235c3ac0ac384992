#include "rows.hpp"

#include <deque>

#include "arrays.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"

namespace plucker::python {
namespace {

// Whether a call by value returns all outputs, or the last one alone: as in C++.
template <class Row>
constexpr bool kReturnsAll = requires {
    typename Row::template Result<double>;
};
template <class... Rows>
std::vector<bool> returns_all(table::List<Rows...>) {
    return {kReturnsAll<Rows>...};
}

std::string joined(const std::vector<std::string>& words, const char* separator = ", ") {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : separator) + word;
    return out;
}

// "hybrid_dynamics" → "HybridDynamics".
std::string type_name(const std::string& name) {
    std::string out;
    bool begins = true;
    for (const char c : name) {
        if (c != '_') out += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        begins = c == '_';
    }
    return out;
}

std::vector<Parameter> parameters_of(const Algorithm& row) {
    std::vector<Parameter> out, options;
    int vectors = 0;
    constexpr Argument kStates[] = {table::q, table::v, table::a};
    for (int k = 0; k < row.num_states(); ++k)
        out.push_back({kStates[k].name, kStates[k].kind, vectors++});
    for (const Argument& x : row.inputs) {
        if (may_be_left_out(x.kind)) {
            options.push_back({x.name, x.kind});
        } else {
            out.push_back({x.name, x.kind, is_option(x.kind) ? -1 : vectors++});
        }
    }
    for (int k = 0; k < row.outputs.size(); ++k) {
        const Argument& x = row.outputs[k];
        if (x.reads != Reads::kNothing) out.push_back({x.name, x.kind, -1, k});
    }
    out.insert(out.end(), options.begin(), options.end());
    for (Parameter& x : out) x.key = PyUnicode_InternFromString(x.name);
    return out;
}

// --- Documentation ---------------------------------------------------------------------------------

const char* default_of(Kind kind) { return kind == Kind::kReference ? "'body'" : "None"; }

std::string signature_of(const PythonRow& r) {
    std::vector<std::string> out{"$self", "/"};
    for (const Parameter& x : r.parameters) {
        out.push_back(x.is_optional() ? std::string(x.name) + "=" + default_of(x.kind) : x.name);
    }
    for (const char* common : {"*", "out=None", "threads=0", "status=None"})
        out.emplace_back(common);
    return std::string(r.row->name) + "(" + joined(out) + ")\n--\n\n";
}

std::string shape_of(Kind kind) {
    const std::string core = core_in_words(kind);
    return core.empty() ? "(...)" : "(..., " + core + ")";
}

std::string parameter_in_words(const PythonRow& r, const Parameter& x) {
    const std::string name = std::string(x.name) + ": ";
    switch (x.kind) {
        case Kind::kForces:
            return name + "ExternalForces, or None";
        case Kind::kFrame:
            return name + "the name of a frame";
        case Kind::kReference:
            return name + "'body', 'world' or 'world_aligned': whose axes";
        case Kind::kRoot:
            return name +
                   "the name or number of the body at the root of the subtree; None: the whole "
                   "robot";
        case Kind::kGiven:
            return name +
                   "names of the joints whose acceleration is given; for the others, the torque is "
                   "given";
        default:
            break;
    }
    std::string shape = name + shape_of(x.kind);
    if (x.output < 0) return shape;
    switch (r.row->outputs[x.output].reads) {
        case Reads::kJoints:
            return shape + "; all entries but the first six are read";
        case Reads::kGiven:
            return shape + "; only the given entries are read";
        default:
            return shape;
    }
}

std::string needs_in_words(const Algorithm& row) {
    std::vector<std::string> out;
    if (row.needs_floating_base) out.emplace_back("a floating base");
    if (row.needs_free_frame) out.emplace_back("a frame that can move in all six directions");
    if (row.needs_regular_mass_matrix) out.emplace_back("a regular mass matrix");
    if (row.needs_mass) out.emplace_back("a subtree that has mass");
    return joined(out);
}

// An argument of the example, by a name that the tests give a meaning.
std::string example_of(const Parameter& x) {
    switch (x.kind) {
        case Kind::kConfiguration:
            return "q";
        case Kind::kVelocity:
        case Kind::kColumns:
            return "v";
        case Kind::kAcceleration:
            return "a";
        case Kind::kFrame:
            return "frame";
        case Kind::kGiven:
            return "joints";
        default:
            return "tau";
    }
}
std::string shape_in_example(Kind kind) {
    std::string out = core_in_words(kind);
    for (const char* word : {"nq", "nv", "num_bodies", "num_parameters"}) {
        for (std::size_t at = 0; (at = out.find(word, at)) != std::string::npos; at += 8)
            out.insert(at, "robot.");
    }
    const bool is_vector = !out.empty() && out.find(',') == std::string::npos;
    return "(" + out + (is_vector ? ",)" : ")");
}
std::string example_of(const PythonRow& r) {
    std::vector<std::string> arguments;
    for (const Parameter& x : r.parameters) {
        if (!x.is_optional()) arguments.push_back(example_of(x));
    }
    const std::string call = std::string("robot.") + r.row->name + "(" + joined(arguments) + ")";
    std::vector<std::string> shapes;
    for (int k = r.first_result; k < r.row->outputs.size(); ++k)
        shapes.push_back(shape_in_example(r.row->outputs[k].kind));
    if (r.num_results() == 1) return ">>> " + call + ".shape == " + shapes[0] + "\nTrue\n";
    return ">>> [x.shape for x in " + call + "] == [" + joined(shapes) + "]\nTrue\n";
}

std::string documentation_of(const PythonRow& r) {
    const Algorithm& row = *r.row;
    std::string out = signature_of(r) + row.says + ".\n\n";
    for (const Parameter& x : r.parameters) out += parameter_in_words(r, x) + "\n";
    std::vector<std::string> results;
    for (int k = r.first_result; k < row.outputs.size(); ++k)
        results.push_back(std::string(row.outputs[k].name) + " " + shape_of(row.outputs[k].kind));
    out += "Returns " + joined(results) + (r.num_results() > 1 ? ", as a named tuple" : "") + ".\n";
    const std::string needs = needs_in_words(row);
    if (!needs.empty()) out += "Needs " + needs + ".\n";
    if (leaves_out_constraints(row)) out += "Without the robot's constraints.\n";
    if (row.another_way_for != nullptr)
        out += std::string("Another way to what ") + row.another_way_for +
               " gives, which is to be preferred.\n";
    return out + "\nSource: " + row.source + ".\n\n" + example_of(r);
}

std::vector<PythonRow> make_rows() {
    const std::vector<bool> all = returns_all(table::All{});
    std::vector<PythonRow> out;
    for (std::size_t k = 0; k < algorithms().size(); ++k) {
        const Algorithm& row = algorithms()[k];
        if (row.fills_kinematics) continue;
        PythonRow& r = out.emplace_back();
        r.index = static_cast<int>(k);
        r.row = &row;
        r.parameters = parameters_of(row);
        for (const Parameter& x : r.parameters) r.num_required += x.is_optional() ? 0 : 1;
        r.first_result = all[k] ? 0 : row.outputs.size() - 1;
        if (r.num_results() > 1) r.result_name = type_name(row.name);
        r.documentation = documentation_of(r);
    }
    return out;
}

std::vector<PythonRow>& rows() {
    static std::vector<PythonRow> rows = make_rows();
    return rows;
}

}  // namespace

const std::vector<PythonRow>& python_rows() { return rows(); }

py::list describe_rows() {
    py::list out;
    for (const PythonRow& r : rows()) {
        py::list parameters, results;
        for (const Parameter& x : r.parameters) {
            parameters.append(
                py::dict(py::arg("name") = x.name, py::arg("optional") = x.is_optional(),
                         py::arg("option") = is_option(x.kind),
                         py::arg("shape") =
                             is_option(x.kind) ? extent_in_words(x.kind) : core_in_words(x.kind),
                         py::arg("is_read_output") = x.output >= 0));
        }
        for (int k = r.first_result; k < r.row->outputs.size(); ++k) {
            const Argument& x = r.row->outputs[k];
            results.append(
                py::dict(py::arg("name") = x.name, py::arg("shape") = core_in_words(x.kind)));
        }
        out.append(py::dict(py::arg("name") = r.row->name, py::arg("says") = r.row->says,
                            py::arg("source") = r.row->source, py::arg("parameters") = parameters,
                            py::arg("results") = results, py::arg("result_type") = r.result_name,
                            py::arg("needs_floating_base") = r.row->needs_floating_base,
                            py::arg("needs_free_frame") = r.row->needs_free_frame,
                            py::arg("needs_regular_mass_matrix") = r.row->needs_regular_mass_matrix,
                            py::arg("needs_mass") = r.row->needs_mass,
                            py::arg("leaves_out_constraints") = leaves_out_constraints(*r.row)));
    }
    return out;
}

void add_result_types(py::module_& module) {
    static std::deque<std::string> words;  // which Python keeps pointers to
    const auto kept = [](std::string word) { return words.emplace_back(std::move(word)).c_str(); };
    for (PythonRow& r : rows()) {
        if (r.result_name.empty()) continue;
        std::vector<PyStructSequence_Field> fields;
        for (int k = r.first_result; k < r.row->outputs.size(); ++k)
            fields.push_back({r.row->outputs[k].name, kept(core_in_words(r.row->outputs[k].kind))});
        fields.push_back({nullptr, nullptr});
        PyStructSequence_Desc description{kept("plucker." + r.result_name), r.row->says,
                                          fields.data(), r.num_results()};
        r.result = PyStructSequence_NewType(&description);
        if (r.result == nullptr) throw py::error_already_set();
        module.attr(r.result_name.c_str()) =
            py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(r.result));
    }
}

}  // namespace plucker::python
