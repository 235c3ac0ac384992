// From a description to the numbers that the algorithms read.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <unordered_map>

#include "plucker/model/model.hpp"

namespace plucker {
class Compiler {
public:
    static std::shared_ptr<const Model::Data> compile(Description description) {
        Compiler compiler(std::move(description));
        compiler.place_root();
        compiler.place_tree();
        compiler.close_subtrees();
        compiler.number_coordinates();
        compiler.follow_mimics();
        compiler.narrow_limits();
        compiler.reflect_joint_constants();
        compiler.find_coordinate_parents();
        compiler.list_frames();
        compiler.resolve_constraints();
        static std::atomic<std::uint32_t> models_so_far = 0;
        compiler.out_.id = ++models_so_far;
        compiler.list_moving_links();
        return std::make_shared<const Model::Data>(std::move(compiler.out_));
    }

private:
    // Where a link went: the body that carries it, and its frame's constant place there.
    struct Place {
        int body = 0;
        Transform<double> X_link_body;
    };

    explicit Compiler(Description description) {
        for (const Diagnostic& found : find_errors(description)) {
            if (found.severity == Severity::kError) throw Error(to_string(found));
        }
        out_.description = std::move(description);
        const auto& d = out_.description;
        places_.resize(d.links.size());
        joints_from_.resize(d.links.size());
        for (std::size_t i = 0; i < d.links.size(); ++i) link_index_[d.links[i].name] = i;
        for (std::size_t j = 0; j < d.joints.size(); ++j) {
            joints_from_[link_index_.at(d.joints[j].parent)].push_back(j);
        }
        std::vector<bool> is_child(d.links.size(), false);
        for (const JointDescription& joint : d.joints) is_child[link_index_.at(joint.child)] = true;
        root_ = static_cast<std::size_t>(std::find(is_child.begin(), is_child.end(), false) -
                                         is_child.begin());
    }

    void add_body(const JointDescription& joint, int parent,
                  const Transform<double>& X_joint_parent, std::size_t link) {
        const Mat3<double> canonical =
            visit_joint(joint.type, [&](auto type) { return type.canonical_rotation(joint); });
        Body<double> body;
        body.joint = joint.type;
        body.mimic = joint.mimic.has_value();
        body.parent = parent;
        body.level = out_.bodies[static_cast<std::size_t>(parent)].level + 1;
        body.pitch = joint.pitch;
        body.X_tree = Transform<double>::rotation(transpose(canonical)) * X_joint_parent;
        out_.bodies.push_back(body);
        out_.body_names.push_back(out_.description.links[link].name);
        out_.joints.push_back(joint);
        out_.body_frames.push_back(static_cast<int>(link));
        place_link(link, static_cast<int>(out_.bodies.size()) - 1,
                   Transform<double>::rotation(canonical));
    }

    void place_link(std::size_t link, int body, const Transform<double>& X_link_body) {
        places_[link] = {body, X_link_body};
        if (body == 0) return;  // the world's mass does not move
        out_.bodies[static_cast<std::size_t>(body)].inertia +=
            apply_inverse(X_link_body, out_.description.links[link].mass.inertia());
    }

    void place_root() {
        out_.bodies.emplace_back();  // body 0, the world
        out_.body_names.emplace_back("world");
        out_.joints.emplace_back();
        out_.body_frames.push_back(static_cast<int>(root_));
        if (out_.description.base == Base::kFloating) {
            add_body(floating(out_.description.base_joint), 0, {}, root_);
        } else {
            place_link(root_, 0, {});
        }
    }

    // Depth first, children in the order of their declaration. A stack, not recursion: chains are long.
    void place_tree() {
        const auto& d = out_.description;
        std::vector<std::size_t> stack;
        const auto push_joints_from = [&](std::size_t link) {
            stack.insert(stack.end(), joints_from_[link].rbegin(), joints_from_[link].rend());
        };
        push_joints_from(root_);
        while (!stack.empty()) {
            const JointDescription& joint = d.joints[stack.back()];
            stack.pop_back();
            const std::size_t child = link_index_.at(joint.child);
            const Place parent = places_[link_index_.at(joint.parent)];
            const Pose<double> placement{detail::orthonormalized(joint.placement.rotation),
                                         joint.placement.position};
            const Transform<double> X_joint_parent = to_transform(placement) * parent.X_link_body;
            if (joint.type == JointType::kFixed && d.fixed_joints == FixedJoints::kMerge) {
                place_link(child, parent.body, X_joint_parent);
            } else {
                add_body(joint, parent.body, X_joint_parent, child);
            }
            push_joints_from(child);
        }
    }

    void close_subtrees() {
        auto& bodies = out_.bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            bodies[i].subtree_end = static_cast<int>(i) + 1;
            if (i > 0)
                bodies[i].subtree_mass = bodies[i].inertia.mass;  // what is fixed hangs on nothing
        }
        for (std::size_t i = bodies.size() - 1; i > 0; --i) {
            auto& parent = bodies[static_cast<std::size_t>(bodies[i].parent)];
            parent.subtree_end = std::max(parent.subtree_end, bodies[i].subtree_end);
            parent.subtree_mass += bodies[i].subtree_mass;
        }
    }

    void number_coordinates() {
        for (std::size_t i = 1; i < out_.bodies.size(); ++i) {
            Body<double>& body = out_.bodies[i];
            visit_joint(body.joint, [&](auto joint) {
                body.nq = joint.kNq;
                body.nv = joint.kNv;
            });
            body.dof_index = out_.num_dofs;
            out_.num_dofs += body.nv;
            out_.has_varying_subspaces |= !has_constant_subspace(body.joint);
            if (body.mimic) continue;
            body.q_index = out_.nq;
            body.v_index = out_.nv;
            out_.nq += body.nq;
            out_.nv += body.nv;
            if (has_quaternion(body.joint))
                out_.bodies_with_quaternion.push_back(static_cast<int>(i));
            for (const char* suffix : velocity_suffixes(body.joint)) {
                out_.velocity_names.push_back(out_.joints[i].name + suffix);
                out_.coordinate_joint.push_back(static_cast<int>(i));
            }
        }
        std::unordered_map<std::string, const Body<double>*> body_of;
        for (std::size_t i = 1; i < out_.bodies.size(); ++i)
            body_of[out_.joints[i].name] = &out_.bodies[i];
        const auto declare = [&](const Body<double>& body) {
            for (int k = 0; k < body.nv && !body.mimic; ++k) {
                out_.declared_velocity_order.push_back(body.v_index + k);
            }
        };
        if (out_.description.base == Base::kFloating) declare(out_.bodies[1]);
        for (const JointDescription& joint : out_.description.joints) {
            if (const auto found = body_of.find(joint.name); found != body_of.end())
                declare(*found->second);
        }
    }

    // Resolves a mimic of a mimic of … to the joint that moves, and lists the angles.
    void follow_mimics() {
        std::unordered_map<std::string, std::size_t> index;
        for (std::size_t i = 1; i < out_.joints.size(); ++i) index[out_.joints[i].name] = i;
        for (std::size_t i = 1; i < out_.bodies.size(); ++i) {
            Body<double>& body = out_.bodies[i];
            std::size_t at = i;
            while (out_.joints[at].mimic) {
                const Mimic& mimic = *out_.joints[at].mimic;
                body.offset += body.multiplier * mimic.offset;
                body.multiplier *= mimic.multiplier;
                at = index.at(mimic.joint);
            }
            body.q_index = out_.bodies[at].q_index;
            body.v_index = out_.bodies[at].v_index;
            body.angle_index = static_cast<int>(out_.angles.size());
            visit_joint(body.joint, [&](auto joint) {
                if constexpr (joint.kAngles > 0) {
                    for (int k = 0; k < joint.kAngles; ++k) {
                        out_.angles.push_back(
                            {body.q_index + joint.kFirstAngle + k, body.multiplier, body.offset});
                    }
                }
            });
        }
    }

    // By the limits of the joints that mimic others, those of these.
    void narrow_limits() {
        for (const JointDescription& joint : out_.joints) out_.limits.push_back(joint.limits);
        std::vector<JointLimits> narrow = out_.limits;
        for (std::size_t i = 1; i < out_.bodies.size(); ++i) {
            if (!out_.bodies[i].mimic) continue;
            const auto leader = static_cast<std::size_t>(
                out_.coordinate_joint[static_cast<std::size_t>(out_.bodies[i].v_index)]);
            narrow[leader] = narrowed(narrow[leader], out_.joints[i].limits,
                                      out_.bodies[i].multiplier, out_.bodies[i].offset);
        }
        for (std::size_t i = 1; i < narrow.size(); ++i) {
            const bool leaves_any = narrow[i].lower <= narrow[i].upper;
            if (leaves_any) out_.limits[i] = narrow[i];
            out_.limits[i].velocity = narrow[i].velocity;
        }
    }

    void reflect_joint_constants() {
        const auto nv = static_cast<std::size_t>(out_.nv);
        out_.armature.assign(nv, 0.0);
        out_.damping.assign(nv, 0.0);
        out_.friction.assign(nv, 0.0);
        for (std::size_t i = 1; i < out_.bodies.size(); ++i) {
            const Body<double>& body = out_.bodies[i];
            const JointDescription& joint = out_.joints[i];
            for (int k = 0; k < body.nv; ++k) {
                const auto c = static_cast<std::size_t>(body.v_index + k);
                out_.armature[c] += body.multiplier * body.multiplier * joint.armature;
                out_.damping[c] += body.multiplier * body.multiplier * joint.damping;
                out_.friction[c] += std::abs(body.multiplier) * joint.friction;
            }
        }
    }

    void find_coordinate_parents() {
        out_.coordinate_parent.resize(static_cast<std::size_t>(out_.nv));
        const bool chain = out_.num_dofs != out_.nv;
        for (std::size_t i = 1; i < out_.bodies.size(); ++i) {
            const Body<double>& body = out_.bodies[i];
            if (body.mimic) continue;
            int above = body.parent;  // the nearest ancestor that has a coordinate
            while (above != 0 && out_.bodies[static_cast<std::size_t>(above)].nv == 0) {
                above = out_.bodies[static_cast<std::size_t>(above)].parent;
            }
            const Body<double>& ancestor = out_.bodies[static_cast<std::size_t>(above)];
            for (int k = 0; k < body.nv; ++k) {
                const int c = body.v_index + k;
                const bool first = k == 0 && !chain;
                out_.coordinate_parent[static_cast<std::size_t>(c)] =
                    !first ? c - 1 : (above == 0 ? -1 : ancestor.v_index + ancestor.nv - 1);
            }
        }
        judge_depth(chain);
    }

    // Multiplications that M⁻¹ takes: by factors, d²/2 to eliminate a coordinate that hangs on d others and nv/2 · d
    // for its row; by articulated bodies, about 450 a coordinate and 25 an entry.
    void judge_depth(bool has_mimic_joints) {
        const double n = out_.nv;
        std::vector<double> depth(static_cast<std::size_t>(out_.nv));
        double by_factors = 0;
        for (std::size_t c = 0; c < depth.size(); ++c) {
            const int parent = out_.coordinate_parent[c];
            depth[c] = parent < 0 ? 0 : depth[static_cast<std::size_t>(parent)] + 1;
            by_factors += depth[c] * (depth[c] + n) / 2;
        }
        out_.is_deep = !has_mimic_joints && by_factors > 450 * n + 25 * n * n;
    }

    void list_frames() {
        const auto& d = out_.description;
        for (std::size_t i = 0; i < d.links.size(); ++i) {
            out_.frames.push_back({d.links[i].name, places_[i].body, places_[i].X_link_body});
        }
        for (const FrameDescription& frame : d.frames) {
            const Place& place = places_[link_index_.at(frame.link)];
            const Pose<double> placement{detail::orthonormalized(frame.placement.rotation),
                                         frame.placement.position};
            out_.frames.push_back(
                {frame.name, place.body, to_transform(placement) * place.X_link_body});
        }
    }

    void resolve_constraints() {
        for (const ConstraintDescription& described : out_.description.constraints) {
            Constraint c;
            c.name = described.name;
            c.kind = described.kind;
            c.first_row = out_.num_constraint_rows;
            if (c.kind == ConstraintKind::kCoupling) {
                c.num_rows = 1;
                c.a = coordinate_of(described.joint_a);
                c.has_b = !described.joint_b.empty();
                if (c.has_b) c.b = coordinate_of(described.joint_b);
                c.polynomial = described.polynomial;
            } else {
                const Frame a = constraint_frame(described.frame_a, described.placement_a);
                const Frame b = constraint_frame(described.frame_b, described.placement_b);
                c.body_a = a.body;
                c.body_b = b.body;
                c.X_a_body = a.X_frame_body;
                c.X_b_body = b.X_frame_body;
                c.axes = described.axes;
                c.distance = described.distance;
                c.num_rows = c.kind == ConstraintKind::kDistance
                                 ? 1
                                 : static_cast<int>(std::count(c.axes.begin(), c.axes.end(), true));
            }
            out_.num_constraint_rows += c.num_rows;
            out_.constraints.push_back(std::move(c));
        }
    }

    // A place on a link or on a frame; the world is body 0.
    Frame constraint_frame(const std::string& name, const Pose<double>& described) const {
        const Pose<double> placement{detail::orthonormalized(described.rotation),
                                     described.position};
        const auto found = std::find_if(out_.frames.begin(), out_.frames.end(),
                                        [&](const Frame& frame) { return frame.name == name; });
        if (found == out_.frames.end()) return {name, 0, to_transform(placement)};
        return {name, found->body, to_transform(placement) * found->X_frame_body};
    }

    JointCoordinate coordinate_of(const std::string& joint) const {
        std::size_t i = 1;
        while (out_.joints[i].name != joint) ++i;
        const Body<double>& body = out_.bodies[i];
        return {body.q_index, body.v_index, body.multiplier, body.offset};
    }

    void list_moving_links() {
        auto& moving = out_.moving_links;
        const auto body_of = [&](const FrameId& link) {
            return places_[static_cast<std::size_t>(link.index())].body;
        };
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (places_[i].body != 0) moving.push_back(FrameId(static_cast<int>(i), out_.id));
        }
        std::stable_sort(moving.begin(), moving.end(), [&](const FrameId& a, const FrameId& b) {
            return body_of(a) < body_of(b);
        });
    }

    std::size_t root_ = 0;  // the link that is nobody's child
    Model::Data out_;
    std::vector<Place> places_;  // of each link
    std::vector<std::vector<std::size_t>> joints_from_;
    std::unordered_map<std::string, std::size_t> link_index_;
};

Model::Model(Description description) : data_(Compiler::compile(std::move(description))) {}

}  // namespace plucker
