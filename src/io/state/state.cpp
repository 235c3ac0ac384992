#include "state/state.hpp"

#include <algorithm>
#include <cmath>

#include "plucker/algorithms/table.hpp"

namespace plucker::io {

std::string State::missing(unsigned needs) const {
    static const char* kNames[] = {"q", "v", "a", "tau"};
    std::string out;
    for (unsigned bit = 0; bit < 4; ++bit) {
        if ((needs & ~given & (1U << bit)) == 0) continue;
        out += (out.empty() ? "\"" : " and \"") + std::string(kNames[bit]) + "\"";
    }
    return out;
}

const std::vector<std::string>& reference_names() {
    static const std::vector<std::string> kNames{"body", "world", "world_aligned"};
    return kNames;
}

ReferenceFrame reference_named(const std::string& name) {
    const auto& names = reference_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw unknown_name("coordinates", name, names);
    return static_cast<ReferenceFrame>(found - names.begin());
}

std::string base_key(const Model& model) {
    const std::string& name = model.description().base_joint;
    return model.has_floating_base() && name != "joints" ? name : kBaseJoint;
}

Error another_order(const std::string& what, Convention its, Convention asked) {
    const auto& names = convention_names();
    const std::string& order = names[static_cast<std::size_t>(its)];
    return Error::because(what, " is in the order ", order, ", but is read in the order ",
                          names[static_cast<std::size_t>(asked)], "; read it with --order ", order);
}

void check_and_normalize(const Model& model, VectorX<double>& q) {
    bool has_any = false;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (!has_quaternion(body.joint)) continue;
        has_any = true;
        const double length = q.segment(body.q_index + body.nq - 4, 4).norm();
        if (std::abs(length - 1) < 1e-3) continue;
        throw Error::because("the quaternion of joint '", model.joint(i).name, "' has length ",
                             length, "; it must be 1");
    }
    if (has_any) q = normalize_configuration(model, q);
}

}  // namespace plucker::io
