// Equalities as mimic joints and constraints.
#include <algorithm>

#include "mjcf/converter.hpp"
#include "plucker/spatial/quaternion.hpp"

namespace plucker::io {

// joint1 = polynomial of joint2, both measured from their reference. A linear one is a joint that mimics another, which
// costs nothing; what cannot be one is a constraint.
void MjcfConverter::convert_equality(int e) {
    if (m_.eq_active[e] == 0) return;
    const auto ignore = [&](const char* why) {
        const std::string named = name(mjOBJ_EQUALITY, e);
        summary_.add(Severity::kWarning, document_.section("equality"),
                     named.empty() ? "an equality without a name" : "equality '" + named + "'",
                     "is ignored: ", why);
    };
    if (m_.eq_type[e] != mjEQ_JOINT) return ignore("it is not between two joints");
    const int follower = m_.eq_obj1id[e], leader = m_.eq_obj2id[e];
    const mjtNum* c = m_.eq_data + mjNEQDATA * e;
    const auto index_of = [&](int joint) { return joint_index_[static_cast<std::size_t>(joint)]; };
    const std::size_t f = index_of(follower), l = leader < 0 ? f : index_of(leader);
    if (f == kNoJoint || l == kNoJoint) return ignore("one of its joints is not in the tree");
    const bool is_linear = leader >= 0 && c[2] == 0 && c[3] == 0 && c[4] == 0;
    if (is_linear && !out_.joints[f].mimic) {
        out_.joints[f].mimic = Mimic{out_.joints[l].name, c[1], c[0]};
        return;
    }
    ConstraintDescription coupling =
        gear(constraint_name(name(mjOBJ_EQUALITY, e)), out_.joints[f].name,
             leader < 0 ? "" : out_.joints[l].name, 0);
    std::copy_n(c, 5, coupling.polynomial.begin());
    if (leader < 0) coupling.polynomial = {c[0], 0, 0, 0, 0};
    coupling.source = source(document_.section("equality"));
    out_.constraints.push_back(std::move(coupling));
}

std::string MjcfConverter::constraint_name(const std::string& given) {
    return constraint_names_.make(given.empty() ? "equality" : given);
}

// Where a body stands in the world in the pose that the file describes.
Pose<double> MjcfConverter::initial_pose(int b) const {
    Pose<double> out;
    for (; b > 0; b = m_.body_parentid[b])
        out = pose(m_.body_pos + 3 * b, m_.body_quat + 4 * b) * out;
    return out;
}

// A point of the first body, or a site of it, is a point or a site of the second; of a weld, the frames there coincide.
void MjcfConverter::convert_tie(const MjcfTie& tie) {
    const auto id = [&](const std::string& named) {
        return mj_name2id(&m_, tie.of_sites ? mjOBJ_SITE : mjOBJ_BODY, named.c_str());
    };
    const int first = id(tie.first), second = id(tie.second);
    if (first < 0 || second < 0) {
        report(findings_, Severity::kError, tie.at, tie.is_weld ? "<weld>" : "<connect>",
               "there is no ", tie.of_sites ? "site '" : "body '",
               first < 0 ? tie.first : tie.second, "'");
        return;
    }
    ConstraintDescription out = weld(constraint_name(tie.name), "", "");
    if (!tie.is_weld) out.axes = {false, false, false, true, true, true};
    out.source = source(tie.at);
    const auto link = [&](int b) { return b == 0 ? "world" : link_of(b); };
    if (tie.of_sites) {
        out.frame_a = link(m_.site_bodyid[first]);
        out.frame_b = link(m_.site_bodyid[second]);
        out.placement_a = pose(m_.site_pos + 3 * first, m_.site_quat + 4 * first);
        out.placement_b = pose(m_.site_pos + 3 * second, m_.site_quat + 4 * second);
    } else {
        out.frame_a = link(first);
        out.frame_b = link(second);
        Pose<double> second_in_first = inverse(initial_pose(first)) * initial_pose(second);
        const Pose<double> at = Pose<double>::translation(tie.anchor.x, tie.anchor.y, tie.anchor.z);
        if (tie.is_weld) {
            // A quaternion of zeros asks for the pose that the file describes.
            const auto& p = tie.relpose;
            if (p && ((*p)[3] != 0 || (*p)[4] != 0 || (*p)[5] != 0 || (*p)[6] != 0))
                second_in_first = pose(p->data(), p->data() + 3);
            out.placement_a = second_in_first * at;
            out.placement_b = at;
        } else {
            out.placement_a = at;
            out.placement_b.position = inverse(second_in_first) * tie.anchor;
        }
    }
    out_.constraints.push_back(std::move(out));
}

void MjcfConverter::keep_apart(const std::pair<std::string, std::string>& bodies) {
    const auto is_link = [&](const std::string& name) {
        return std::any_of(out_.links.begin(), out_.links.end(),
                           [&](const LinkDescription& link) { return link.name == name; });
    };
    // A body that is the floating base's world is no link.
    if (is_link(bodies.first) && is_link(bodies.second)) out_.never_touching.push_back(bodies);
}

}  // namespace plucker::io
