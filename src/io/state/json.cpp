#include "state/json.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "plucker/algorithms/table.hpp"
#include "plucker/joints/joint.hpp"

namespace plucker::io {
namespace {

using nlohmann::json;

constexpr std::array kVectors{"q", "v", "a", "tau"};

bool contains(const std::vector<std::string>& list, const std::string& key) {
    return std::find(list.begin(), list.end(), key) != list.end();
}

double finite(const json& value, const std::string& key) {
    if (!value.is_number()) throw Error(key + " must be a number, not " + value.type_name());
    const auto x = value.get<double>();
    if (!std::isfinite(x)) throw Error(key + " is not finite");
    return x;
}

VectorX<double> numbers(const json& value, const std::string& key, int count,
                        const std::string& order = "") {
    if (!value.is_array() || value.size() != static_cast<std::size_t>(count)) {
        throw Error(key + " must be an array of " + std::to_string(count) +
                    (count == 1 ? " number" : " numbers") +
                    (value.is_array() ? ", not " + std::to_string(value.size()) : "") + order);
    }
    VectorX<double> out(count);
    for (int k = 0; k < count; ++k)
        out[k] = finite(value[static_cast<std::size_t>(k)], key + "[" + std::to_string(k) + "]");
    return out;
}

// A joint's coordinates: a number where it has one, an array where it has several.
VectorX<double> joint_numbers(const json& value, const std::string& key, int count) {
    if (count == 1 && !value.is_array()) return VectorX<double>::Constant(1, finite(value, key));
    return numbers(value, key, count);
}

// "; they are: knee, ankle, …": what an array of coordinates must hold.
std::string listed(const std::vector<std::string>& names) {
    std::string out = ": ";
    for (const std::string& name : names) {
        if (&name != &names.front()) out += ", ";
        out += name;
        if (out.size() > 200) return out + ", …";
    }
    return out;
}

// An object that has just these keys.
const json& member(const json& object, const std::string& key, const std::string& name) {
    if (!object.is_object() || !object.contains(name)) throw Error(key + " lacks \"" + name + "\"");
    return object.at(name);
}
void check_members(const json& object, const std::string& key,
                   const std::vector<std::string>& expected) {
    if (!object.is_object()) throw Error(key + " must be an object");
    for (const auto& [name, value] : object.items()) {
        if (!contains(expected, name))
            throw Error(key + ": " + unknown_name("key", name, expected).what());
    }
    for (const std::string& name : expected) member(object, key, name);
}

}  // namespace

StateReader::StateReader(const Model& model, const Coordinates& coordinates,
                         std::vector<std::string> ignored)
    : model_(model),
      coordinates_(coordinates),
      ignored_(std::move(ignored)),
      base_(base_key(model)) {
    for (int i = model.has_floating_base() ? 2 : 1; i <= model.num_bodies(); ++i) {
        if (model.body(i).nv > 0 && !model.body(i).mimic) joints_[model.joint(i).name] = i;
    }
}

// What is given by name is the same in every order.
void StateReader::check_order(const json& state) const {
    if (!state.contains("order")) return;
    const json& order = state.at("order");
    if (!order.is_string()) throw Error("order must be a name");
    const Convention given = convention_named(order.get<std::string>());
    const bool has_arrays = std::any_of(kVectors.begin(), kVectors.end(), [&](const char* key) {
        return state.contains(key) && state.at(key).is_array();
    });
    if (has_arrays && given != coordinates_.convention())
        throw another_order("the state", given, coordinates_.convention());
}

State StateReader::read(const json& state, const std::string& where) const try {
    if (!state.is_object()) throw Error("a state must be an object with \"q\"");
    static const std::vector<std::string> kInputs{"q",    "v",    "a", "tau", "external_forces",
                                                  "time", "order"};
    for (const auto& [key, value] : state.items()) {
        if (key == "samples") throw Error("\"samples\" must be an array of states");
        if (!contains(kInputs, key) && !contains(ignored_, key))
            throw unknown_name("input", key, kInputs);
    }
    check_order(state);
    State out;
    if (state.contains("time")) out.time = finite(state.at("time"), "time");
    if (state.contains("q")) {
        out.q = configuration(state.at("q"));
        out.given |= kQ;
    }
    const auto given = [&](const char* key, unsigned bit) {
        if (!state.contains(key)) return false;
        out.given |= bit;
        return true;
    };
    // In a turned order, v needs q, and a needs v too.
    const auto needs = [&](const json& value, const std::string& key, unsigned bits) {
        if (!value.is_array() || coordinates_.only_permutes() || out.has(bits)) return;
        throw Error(key + " as an array in this order needs " + out.missing(bits));
    };
    if (given("v", kV)) {
        const json& v = state.at("v");
        needs(v, "v", kQ);
        out.v = velocity_like(v, "v");
        if (v.is_array()) out.v = coordinates_.import_v(out.q, out.v);
    }
    if (given("a", kA)) {
        const json& a = state.at("a");
        needs(a, "a", kQ | kV);
        out.a = velocity_like(a, "a");
        if (a.is_array()) out.a = coordinates_.import_a(out.q, out.v, out.a);
    }
    if (given("tau", kTau)) {
        const json& tau = state.at("tau");
        needs(tau, "tau", kQ);
        out.tau = velocity_like(tau, "tau");
        if (tau.is_array()) out.tau = coordinates_.import_tau(out.q, out.tau);
    }
    if (state.contains("external_forces")) read_forces(state.at("external_forces"), out);
    return out;
} catch (const Error& error) {
    throw Error::because(where, ": ", error.what());
}

// Calls f(body, value, key) for each joint of the object, and checks that every joint that has coordinates is there,
// and no other.
template <class F>
void StateReader::each_joint(const json& joints, const std::string& key, F&& f) const {
    if (!joints.is_object())
        throw Error(key + ".joints must be an object from joint names to numbers");
    for (const auto& [name, value] : joints.items()) {
        const auto found = joints_.find(name);
        if (found != joints_.end()) {
            f(model_.body(found->second), value, key + ".joints." + name);
            continue;
        }
        for (const JointDescription& joint : model_.description().joints) {
            if (joint.name != name) continue;
            throw Error(joint.mimic ? "joint '" + name + "' in " + key + " mimics '" +
                                          joint.mimic->joint + "'; leave it out"
                                    : "joint '" + name + "' in " + key + " is fixed; leave it out");
        }
        std::vector<std::string> names;
        for (const auto& [known, body] : joints_) names.push_back(known);
        throw Error(key + ": " + unknown_name("joint", name, names).what());
    }
    if (joints.size() == joints_.size()) return;
    for (int i = 1; i <= model_.num_bodies(); ++i) {
        const std::string& name = model_.joint(i).name;
        if (joints_.contains(name) && !joints.contains(name))
            throw Error(key + " lacks joint '" + name + "'");
    }
}

// q, v, a and tau by name hold "joints", and the base where it floats; nothing else.
void StateReader::check_keys(const json& object, const std::string& key) const {
    if (!object.is_object()) {
        throw Error(key + " must be an object with \"joints\"" +
                    (model_.has_floating_base() ? " and \"" + base_ + "\"" : "") +
                    ", or an array of numbers in the answer's " +
                    (key == "q" ? "configuration_order" : "velocity_order"));
    }
    for (const auto& [name, value] : object.items()) {
        if (name == "joints") continue;
        if (name == base_ || name == kBaseJoint) {
            if (model_.has_floating_base()) continue;
            throw Error(
                key +
                ".base is given, but the base is fixed; leave it out, or load the robot with a "
                "floating base");
        }
        if (joints_.contains(name)) {
            throw Error(key + ": joint '" + name +
                        "' stands outside of \"joints\"; write {\"joints\": {\"" + name +
                        "\": …}}");
        }
        std::vector<std::string> known{"joints", base_};
        for (const auto& [joint, body] : joints_) known.push_back(joint);
        throw Error(key + ": " + unknown_name("key", name, known).what());
    }
}

// The floating base of an object, with just these keys, and its place in words.
std::pair<const json&, std::string> StateReader::base_in(
    const json& object, const std::string& key, const std::vector<std::string>& expected) const {
    const bool has_own = object.contains(base_), has_common = object.contains(kBaseJoint);
    if (has_own && has_common && base_ != kBaseJoint) {
        throw Error(key + " gives the floating base twice, as \"" + base_ + "\" and as \"" +
                    kBaseJoint + "\"; leave one out");
    }
    const std::string name = has_common ? kBaseJoint : base_;
    const json& base = member(object, key, name);
    check_members(base, key + "." + name, expected);
    return {base, key + "." + name};
}

VectorX<double> StateReader::configuration(const json& q) const {
    VectorX<double> out;
    if (q.is_array()) {
        out = coordinates_.import_q(
            numbers(q, "q", coordinates_.nq(), listed(coordinates_.q_names())));
        check_and_normalize(model_, out);
        return out;
    }
    check_keys(q, "q");
    out = neutral_configuration(model_);
    if (model_.has_floating_base()) {
        const auto [base, at] = base_in(q, "q", {"position", "quaternion_xyzw"});
        out.head(3) = numbers(base.at("position"), at + ".position", 3);
        out.segment(3, 4) = numbers(base.at("quaternion_xyzw"), at + ".quaternion_xyzw", 4);
    }
    static const json kNone = json::object();
    each_joint(q.contains("joints") ? q.at("joints") : kNone, "q",
               [&](const Body<double>& body, const json& value, const std::string& key) {
                   out.segment(body.q_index, body.nq) = joint_numbers(value, key, body.nq);
               });
    check_and_normalize(model_, out);
    return out;
}

// By name, in the model's coordinates; as an array, as it was given.
VectorX<double> StateReader::velocity_like(const json& value, const std::string& key) const {
    if (value.is_array())
        return numbers(value, key, coordinates_.nv(), listed(coordinates_.v_names()));
    check_keys(value, key);
    VectorX<double> out(model_.nv());
    if (model_.has_floating_base()) {
        const auto [base, at] = base_in(value, key, {"angular", "linear"});
        out.head(3) = numbers(base.at("angular"), at + ".angular", 3);
        out.segment(3, 3) = numbers(base.at("linear"), at + ".linear", 3);
    }
    static const json kNone = json::object();
    each_joint(value.contains("joints") ? value.at("joints") : kNone, key,
               [&](const Body<double>& body, const json& entry, const std::string& at) {
                   out.segment(body.v_index, body.nv) = joint_numbers(entry, at, body.nv);
               });
    return out;
}

void StateReader::read_forces(const json& list, State& out) const {
    if (!list.is_array()) throw Error("external_forces must be an array of objects");
    for (std::size_t k = 0; k < list.size(); ++k) {
        const json& entry = list[k];
        const std::string key = "external_forces[" + std::to_string(k) + "]";
        check_members(entry, key, {"frame", "in", "angular", "linear"});
        const json& frame = entry.at("frame");
        const json& in = entry.at("in");
        if (!frame.is_string() || !in.is_string())
            throw Error(key + ": \"frame\" and \"in\" must be names");
        const VectorX<double> n = numbers(entry.at("angular"), key + ".angular", 3);
        const VectorX<double> f = numbers(entry.at("linear"), key + ".linear", 3);
        try {
            out.external.push_back({model_.frame_id(frame.get<std::string>()),
                                    reference_named(in.get<std::string>()),
                                    {{n[0], n[1], n[2]}, {f[0], f[1], f[2]}}});
        } catch (const Error& error) {
            throw Error(key + ": " + error.what());
        }
    }
}

}  // namespace plucker::io
