#include "state_json.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "plucker/algorithms/configuration.hpp"
#include "plucker/joints/joint.hpp"

namespace plucker::io {
namespace {

using nlohmann::json;

// Where the first JSON value of the text ends, or npos if it does not. Knows strings and brackets; what it
// finds is parsed in full afterwards.
std::size_t end_of_value(const std::string& text, std::size_t at) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t k = at; k < text.size(); ++k) {
        const char c = text[k];
        if (in_string) {
            if (c == '\\') ++k;
            if (c == '"') in_string = false;
            continue;
        }
        if (c == '"') in_string = true;
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') {
            if (--depth == 0) return k + 1;
        }
        if (depth == 0 && c == '\n') return k;
    }
    return text.size();
}

json parse_strictly(const std::string& text, const std::string& where) {
    std::vector<std::set<std::string>> keys;
    std::string repeated;
    const auto watch = [&](int, json::parse_event_t event, json& value) {
        if (event == json::parse_event_t::object_start) keys.emplace_back();
        if (event == json::parse_event_t::object_end) keys.pop_back();
        if (event == json::parse_event_t::key &&
            !keys.back().insert(value.get<std::string>()).second) {
            repeated = value.get<std::string>();
        }
        return true;
    };
    try {
        json value = json::parse(text, watch);
        if (!repeated.empty())
            throw Error::because(where, ": key \"", repeated, "\" is given twice");
        return value;
    } catch (const json::exception& failure) {
        // "[json.exception.parse_error.101] parse error at line 1, column 5: …"
        std::string why = failure.what();
        if (const auto close = why.find("] "); close != std::string::npos)
            why = why.substr(close + 2);
        throw Error::because(where, ": not valid JSON: ", why);
    }
}

class StateReader {
public:
    StateReader(const Model& model, std::string where, const std::vector<std::string>& ignored)
        : model_(model), where_(std::move(where)), ignored_(ignored) {}

    JsonState read(const json& state) {
        if (!state.is_object()) fail("a state must be an object with \"q\"");
        static const std::vector<std::string> kInputs{"q", "v", "a", "tau", "external_forces"};
        const auto contains = [](const std::vector<std::string>& list, const std::string& key) {
            return std::find(list.begin(), list.end(), key) != list.end();
        };
        for (const auto& [key, value] : state.items()) {
            if (!contains(kInputs, key) && !contains(ignored_, key)) {
                fail(unknown_name("input", key, kInputs).what());
            }
        }
        JsonState out;
        if (state.contains("q")) {
            out.q = configuration(state.at("q"));
            out.given |= 1U;
        }
        const std::pair<const char*, std::pair<VectorX<double>*, unsigned>> vectors[] = {
            {"v", {&out.v, 2U}}, {"a", {&out.a, 4U}}, {"tau", {&out.tau, 8U}}};
        for (const auto& [key, target] : vectors) {
            if (!state.contains(key)) continue;
            *target.first = velocity_like(state.at(key), key);
            out.given |= target.second;
        }
        if (state.contains("external_forces")) read_forces(state.at("external_forces"), out);
        return out;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error::because(where_, ": ", what);
    }

    double finite(const json& value, const std::string& key) const {
        if (!value.is_number()) fail(key + " must be a number, not " + value.type_name());
        const auto x = value.get<double>();
        if (!std::isfinite(x)) fail(key + " is not finite");
        return x;
    }
    std::vector<double> numbers(const json& value, const std::string& key,
                                std::size_t count) const {
        if (!value.is_array() || value.size() != count) {
            fail(key + " must be an array of " + std::to_string(count) + " numbers" +
                 (value.is_array() ? ", not " + std::to_string(value.size()) : ""));
        }
        std::vector<double> out;
        for (const json& item : value) out.push_back(finite(item, key));
        return out;
    }
    // A joint's coordinates: a number where it has one, an array where it has several.
    std::vector<double> coordinates(const json& value, const std::string& key, int count) const {
        if (count == 1 && value.is_number()) return {finite(value, key)};
        return numbers(value, key, static_cast<std::size_t>(count));
    }

    // Calls f(body, value) for each joint of the object, and checks that every joint that has coordinates is
    // there, and no other.
    template <class F>
    void each_joint(const json& joints, const std::string& key, F&& f) const {
        if (!joints.is_object())
            fail(key + ".joints must be an object from joint names to numbers");
        std::set<std::string> expected;
        for (int i = 1; i <= model_.num_bodies(); ++i) {
            const bool is_base = model_.has_floating_base() && i == 1;
            if (model_.body(i).nv > 0 && !model_.body(i).mimic && !is_base)
                expected.insert(model_.joint(i).name);
        }
        for (const auto& [name, value] : joints.items()) {
            if (expected.erase(name) == 0) {
                for (const JointDescription& joint : model_.description().joints) {
                    if (joint.name != name) continue;
                    fail(joint.mimic
                             ? "joint '" + name + "' in " + key + " mimics '" + joint.mimic->joint +
                                   "'; leave it out"
                             : "joint '" + name + "' in " + key + " is fixed; leave it out");
                }
                fail(key + ": " +
                     unknown_name("joint", name, {expected.begin(), expected.end()}).what());
            }
            f(model_.body(model_.joint_index(name)), value, key + ".joints." + name);
        }
        if (!expected.empty()) fail(key + " lacks joint '" + *expected.begin() + "'");
    }

    const json& member(const json& object, const std::string& key, const char* name) const {
        if (!object.is_object() || !object.contains(name)) fail(key + " lacks \"" + name + "\"");
        return object.at(name);
    }

    VectorX<double> configuration(const json& q) const {
        if (!q.is_object())
            fail("q must be an object with \"joints\", and \"base\" for a floating base");
        VectorX<double> out = neutral_configuration(model_);
        if (model_.has_floating_base()) {
            const json& base = member(q, "q", "base");
            const auto position = numbers(member(base, "q.base", "position"), "q.base.position", 3);
            const auto quaternion =
                numbers(member(base, "q.base", "quaternion_xyzw"), "q.base.quaternion_xyzw", 4);
            std::copy(position.begin(), position.end(), out.data());
            std::copy(quaternion.begin(), quaternion.end(), out.data() + 3);
        } else if (q.contains("base")) {
            fail(
                "q.base is given, but the base is fixed; leave it out, or load the robot with a "
                "floating base");
        }
        static const json kNone = json::object();
        each_joint(q.contains("joints") ? q.at("joints") : kNone, "q",
                   [&](const Body<double>& body, const json& value, const std::string& key) {
                       const auto x = coordinates(value, key, body.nq);
                       std::copy(x.begin(), x.end(), out.data() + body.q_index);
                   });
        check_quaternions(out);
        return out;
    }

    void check_quaternions(VectorX<double>& q) const {
        for (int i = 1; i <= model_.num_bodies(); ++i) {
            const Body<double>& body = model_.body(i);
            if (!has_quaternion(body.joint)) continue;
            const double length = q.segment(body.q_index + body.nq - 4, 4).norm();
            // Printed quaternions are rounded; one that is far from unit length is something else.
            if (!(std::abs(length - 1) < 1e-3)) {
                fail("the quaternion of joint '" + model_.joint(i).name + "' has length " +
                     Error::because(length).what() + "; it must be 1");
            }
        }
        q = normalized_configuration(model_, q);
    }

    VectorX<double> velocity_like(const json& value, const std::string& key) const {
        VectorX<double> out(model_.nv());
        if (value.is_array()) {
            const auto x = numbers(value, key, static_cast<std::size_t>(model_.nv()));
            const auto& order = model_.declared_velocity_order();
            for (std::size_t k = 0; k < x.size(); ++k) out[order[k]] = x[k];
            return out;
        }
        if (!value.is_object())
            fail(key + " must be an array in velocity_order or an object by name");
        if (model_.has_floating_base()) {
            const json& base = member(value, key, "base");
            const auto angular =
                numbers(member(base, key + ".base", "angular"), key + ".base.angular", 3);
            const auto linear =
                numbers(member(base, key + ".base", "linear"), key + ".base.linear", 3);
            std::copy(angular.begin(), angular.end(), out.data());
            std::copy(linear.begin(), linear.end(), out.data() + 3);
        } else if (value.contains("base")) {
            fail(key + ".base is given, but the base is fixed");
        }
        static const json kNone = json::object();
        each_joint(value.contains("joints") ? value.at("joints") : kNone, key,
                   [&](const Body<double>& body, const json& entry, const std::string& at) {
                       const auto x = coordinates(entry, at, body.nv);
                       std::copy(x.begin(), x.end(), out.data() + body.v_index);
                   });
        return out;
    }

    void read_forces(const json& list, JsonState& out) const {
        if (!list.is_array()) fail("external_forces must be an array of objects");
        out.external = std::make_shared<ExternalForces<double>>(model_);
        for (std::size_t k = 0; k < list.size(); ++k) {
            const json& entry = list[k];
            const std::string key = "external_forces[" + std::to_string(k) + "]";
            const json& frame = member(entry, key, "frame");
            const json& in = member(entry, key, "in");
            if (!frame.is_string() || !in.is_string())
                fail(key + ": \"frame\" and \"in\" must be names");
            static const std::vector<std::pair<std::string, ReferenceFrame>> kReferences{
                {"body", ReferenceFrame::kBody},
                {"world", ReferenceFrame::kWorld},
                {"world_aligned", ReferenceFrame::kWorldAligned}};
            const auto found =
                std::find_if(kReferences.begin(), kReferences.end(),
                             [&](const auto& r) { return r.first == in.get<std::string>(); });
            if (found == kReferences.end()) {
                fail(key + ": " +
                     unknown_name("coordinates", in.get<std::string>(),
                                  {"body", "world", "world_aligned"})
                         .what());
            }
            const auto n = numbers(member(entry, key, "angular"), key + ".angular", 3);
            const auto f = numbers(member(entry, key, "linear"), key + ".linear", 3);
            try {
                out.external->add(frame.get<std::string>(),
                                  {{n[0], n[1], n[2]}, {f[0], f[1], f[2]}}, found->second);
            } catch (const Error& error) {
                fail(key + ": " + error.what());
            }
        }
    }

    const Model& model_;
    std::string where_;
    const std::vector<std::string>& ignored_;
};

}  // namespace

std::vector<JsonDocument> parse_documents(const std::string& text, const std::string& source) {
    std::vector<JsonDocument> out;
    std::size_t at = 0;
    int line = 1;
    while (true) {
        while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) {
            if (text[at++] == '\n') ++line;
        }
        if (at == text.size()) break;
        const std::size_t end = end_of_value(text, at);
        const std::string where = source + ":" + std::to_string(line);
        out.push_back({parse_strictly(text.substr(at, end - at), where), where});
        line += static_cast<int>(std::count(text.begin() + static_cast<long>(at),
                                            text.begin() + static_cast<long>(end), '\n'));
        at = end;
    }
    if (out.empty()) throw Error::because(source, ": there is no state in it");
    return out;
}

std::string JsonState::missing(unsigned needs) const {
    static const char* kNames[] = {"q", "v", "a", "tau"};
    std::string out;
    for (unsigned bit = 0; bit < 4; ++bit) {
        if ((needs & ~given & (1U << bit)) == 0) continue;
        out += (out.empty() ? "\"" : " and \"") + std::string(kNames[bit]) + "\"";
    }
    return out;
}

JsonState parse_state(const Model& model, const json& state, const std::string& where,
                      const std::vector<std::string>& ignored) {
    return StateReader(model, where, ignored).read(state);
}

}  // namespace plucker::io
