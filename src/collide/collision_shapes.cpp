#include "plucker/collide/collision_shapes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "detector.hpp"
#include "hull.hpp"
#include "near_pairs.hpp"
#include "plucker/joints/joint.hpp"
#include "touch.hpp"

namespace plucker {
namespace {

using collide::Convex;
using collide::Kind;
using collide::Placed;

// Two shapes' numbers and a feature's are one number of 64 bits.
constexpr std::size_t kMostShapes = 1U << 16U;
// Pairs of which a direction is remembered.
constexpr std::size_t kMostApart = 4096;

std::string title(const Shape& shape, const std::string& link, std::size_t number) {
    const std::string name = shape.name.empty() ? "collision shape " + std::to_string(number)
                                                : "shape '" + shape.name + "'";
    return name + (link.empty() ? " of the world" : " of link '" + link + "'");
}

// Checks sizes, which may be zero: a box without height is a plate.
struct SizeCheck {
    const std::string& title;
    void operator()(const char* what, double value) const {
        if (value >= 0 && std::isfinite(value)) return;
        throw Error::because(title, ": ", what, " is ", value,
                             " m; it must be finite and not negative");
    }
};

struct Prepared {
    Convex convex;
    Pose<double> placement;
    std::shared_ptr<const collide::Hull> hull;
};

// A frame whose z is along the normal.
Mat3<double> frame_of(const Vec3<double>& normal) {
    const auto [u, v] = collide::tangents_of(normal);
    return transpose(Mat3<double>{u, v, normal});
}

Prepared prepare_mesh(const Mesh& mesh, const std::string& title, const World& world) {
    if (!world.read_mesh) {
        throw Error::because(title, ": the mesh '", mesh.uri,
                             "' is not read, because the world has no reader of meshes; set "
                             "World::read_mesh, to plucker::read_mesh for example");
    }
    std::vector<Vec3<double>> points;
    try {
        points = world.read_mesh(mesh);
    } catch (const Error& error) {
        throw Error::because(title, ": ", error.what());
    }
    if (points.empty()) throw Error::because(title, ": the mesh '", mesh.uri, "' has no points");
    for (Vec3<double>& p : points) {
        p = {mesh.scale.x * p.x, mesh.scale.y * p.y, mesh.scale.z * p.z};
        if (!std::isfinite(squared_norm(p)))
            throw Error::because(title, ": the mesh '", mesh.uri, "' has a point (", p.x, ", ", p.y,
                                 ", ", p.z, ") m; it must be finite");
    }
    Prepared out;
    out.hull = collide::convex_hull(std::move(points));
    out.convex.kind = Kind::kHull;
    out.convex.hull = out.hull.get();
    out.convex.half = out.hull->half;
    out.placement.position = out.hull->center;
    return out;
}

struct Preparation {
    const std::string& title;
    const World& world;

    Prepared operator()(const Box& b) const {
        for (const double size : {b.size.x, b.size.y, b.size.z}) SizeCheck{title}("a size", size);
        return {{.kind = Kind::kBox, .half = 0.5 * b.size}, {}, {}};
    }
    Prepared operator()(const Cylinder& c) const {
        check_round(c.radius, c.length);
        return {{.kind = Kind::kCylinder, .half = {c.radius, c.radius, c.length / 2}}, {}, {}};
    }
    Prepared operator()(const Capsule& c) const {
        check_round(c.radius, c.length);
        return {{.kind = Kind::kSegment, .radius = c.radius, .half = {0, 0, c.length / 2}}, {}, {}};
    }
    Prepared operator()(const Sphere& s) const {
        SizeCheck{title}("the radius", s.radius);
        return {{.kind = Kind::kPoint, .radius = s.radius}, {}, {}};
    }
    Prepared operator()(const Ellipsoid& e) const {
        for (const double radius : {e.radii.x, e.radii.y, e.radii.z})
            SizeCheck{title}("a radius", radius);
        return {{.kind = Kind::kEllipsoid, .half = e.radii}, {}, {}};
    }
    Prepared operator()(const Plane& p) const {
        const double length = norm(p.normal);
        if (!(length > 0 && std::isfinite(length)))
            throw Error::because(title, ": the plane's normal is (", p.normal.x, ", ", p.normal.y,
                                 ", ", p.normal.z, "); it must have a direction");
        return {{.kind = Kind::kPlane}, {frame_of((1 / length) * p.normal), {}}, {}};
    }
    Prepared operator()(const Mesh& m) const { return prepare_mesh(m, title, world); }

private:
    void check_round(double radius, double length) const {
        SizeCheck{title}("the radius", radius);
        SizeCheck{title}("the length", length);
    }
};

Surface checked(const Surface& surface, const std::string& title) {
    const auto expect = [&](bool holds, const char* what, double value, const char* otherwise) {
        if (!holds)
            throw Error::because(title, ": its ", what, " is ", value, "; it must be ", otherwise);
    };
    const auto& [friction, torsional, restitution] = surface;
    expect(friction >= 0 && std::isfinite(friction), "friction", friction, "zero or positive");
    expect(torsional >= 0 && std::isfinite(torsional), "torsional friction", torsional,
           "zero or positive");
    expect(restitution >= 0 && restitution <= 1, "restitution", restitution, "from 0 to 1");
    return surface;
}

bool is_bounded(const Convex& convex) {
    return convex.kind != Kind::kPlane && convex.kind != Kind::kField;
}

}  // namespace

CollisionShapes::Detector::Detector(const Model& model, const World& world)
    : num_bodies_(static_cast<std::size_t>(model.num_bodies()) + 1), reach_(num_bodies_, 0.0) {
    // By bodies, those of a fixed base after all that move, and the world's last: of two shapes the first one moves.
    const std::vector<LinkDescription>& links = model.description().links;
    std::vector<std::pair<int, int>> order;  // body, link
    for (int k = 0; k < static_cast<int>(links.size()); ++k) {
        const int body = model.frame(model.frame_id(links[static_cast<std::size_t>(k)].name)).body;
        order.emplace_back(body == 0 ? model.num_bodies() + 1 : body, k);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [rank, k] : order) {
        const LinkDescription& link = links[static_cast<std::size_t>(k)];
        const Frame& frame = model.frame(model.frame_id(link.name));
        const Pose<double> on_body = to_pose(frame.X_frame_body);
        for (const Shape& shape : link.collisions)
            add(shape, link.name, k, frame.body, on_body, world);
    }
    for (const Shape& shape : world.shapes) add(shape, "", -1, 0, {}, world);
    for (const HeightField& field : world.fields) add(field, world);
    if (shapes_.size() > kMostShapes)
        throw Error::because("the robot and its world have ", shapes_.size(),
                             " collision shapes; there may be at most ", kMostShapes);
    for (std::size_t k = 0; k < items_.size(); ++k) {
        placed_.push_back({items_[k].convex, items_[k].placement});
        if (!is_bounded(items_[k].convex)) continue;
        keys_.push_back({0, static_cast<int>(bounded_.size())});
        bounded_.push_back(static_cast<int>(k));
    }
    bounds_.resize(bounded_.size());
    apart_.resize(std::bit_ceil(std::clamp(16 * bounded_.size(), std::size_t{1}, kMostApart)));
    exclude(model);
}

void CollisionShapes::Detector::add(const Shape& shape, const std::string& link, int link_number,
                                    int body, const Pose<double>& placement, const World& world) {
    const std::string name = title(shape, link, shapes_.size());
    Prepared prepared = std::visit(Preparation{name, world}, shape.geometry);
    const Pose<double> on_body = placement * shape.placement;
    Item item;
    item.convex = prepared.convex;
    item.hull = std::move(prepared.hull);
    item.placement = on_body * prepared.placement;
    item.body = body;
    item.link = link_number;
    item.bound = collide::core_bound(item.convex) + item.convex.radius;
    item.is = shape.is;
    item.meets = shape.meets;
    if (!std::isfinite(squared_norm(item.placement.position)))
        throw Error::because(name, ": its position is not finite");
    if (is_bounded(item.convex)) {
        double& reach = reach_[static_cast<std::size_t>(body)];
        reach = std::max(reach, norm(item.placement.position) + item.bound);
    }
    const bool is_plane = item.convex.kind == Kind::kPlane;
    items_.push_back(std::move(item));
    shapes_.push_back({shape.name, link, body, on_body,
                       checked(shape.surface.value_or(world.surface), name), is_plane});
}

void CollisionShapes::Detector::add(const HeightField& field, const World& world) {
    Item item;
    item.convex.kind = Kind::kField;
    item.terrain = std::make_shared<const collide::Terrain>(field);
    item.is = field.is;
    item.meets = field.meets;
    items_.push_back(std::move(item));
    shapes_.push_back(
        {field.name,
         "",
         0,
         {},
         checked(field.surface.value_or(world.surface), "height field '" + field.name + "'")});
}

// Bodies on fixed joints, which a model may keep, belong to the body that carries them.
void CollisionShapes::Detector::exclude(const Model& model) {
    std::vector<int> group(num_bodies_, 0), parent(num_bodies_, -1);
    for (int b = 1; b < static_cast<int>(num_bodies_); ++b) {
        const auto k = static_cast<std::size_t>(b);
        const auto above = static_cast<std::size_t>(model.body(b).parent);
        if (model.body(b).joint == JointType::kFixed) {
            group[k] = group[above];
            parent[k] = parent[above];
        } else {
            group[k] = b;
            // What floats is free of the world.
            const bool is_free = model.body(b).joint == JointType::kFloating && group[above] == 0;
            parent[k] = is_free ? -1 : group[above];
        }
    }
    for (Item& item : items_) {
        item.group = group[static_cast<std::size_t>(item.body)];
        item.parent_group = parent[static_cast<std::size_t>(item.body)];
    }
    std::map<std::string, int> number;
    std::vector<std::string> names;
    for (const LinkDescription& link : model.description().links) {
        number.emplace(link.name, static_cast<int>(names.size()));
        names.push_back(link.name);
    }
    for (const auto& [a, b] : model.description().never_touching) {
        for (const std::string& name : {a, b}) {
            if (!number.contains(name)) throw unknown_name("link", name, names);
        }
        never_touching_.emplace_back(std::minmax(number.at(a), number.at(b)));
    }
    std::sort(never_touching_.begin(), never_touching_.end());

    for (std::size_t k = 0; k < items_.size(); ++k) {
        if (is_bounded(items_[k].convex)) continue;
        for (const int other : bounded_) {
            if (can_touch(k, static_cast<std::size_t>(other)))
                on_ground_.emplace_back(static_cast<int>(k), other);
        }
    }
    constexpr std::size_t kMostOfTable = 4096;  // 2 MB
    if (bounded_.size() > kMostOfTable) return;
    allowed_.reserve(bounded_.size() * bounded_.size());
    for (const int a : bounded_) {
        for (const int b : bounded_)
            allowed_.push_back(can_touch(static_cast<std::size_t>(a), static_cast<std::size_t>(b)));
    }
}

// Of bounded shapes, by their numbers among these.
bool CollisionShapes::Detector::allows(std::size_t a, std::size_t b) const {
    if (!allowed_.empty()) return allowed_[a * bounded_.size() + b];
    return can_touch(static_cast<std::size_t>(bounded_[a]), static_cast<std::size_t>(bounded_[b]));
}

bool CollisionShapes::Detector::can_touch(std::size_t i, std::size_t j) const {
    const Item &a = items_[i], &b = items_[j];
    if (!is_bounded(a.convex) && !is_bounded(b.convex)) return false;
    if (a.group == b.group) return false;
    if ((a.is & b.meets) == 0 && (b.is & a.meets) == 0) return false;
    // The world's own shapes are no part of the robot, and a plane is ground, whichever link has it.
    const bool is_ground =
        a.link < 0 || b.link < 0 || a.convex.kind == Kind::kPlane || b.convex.kind == Kind::kPlane;
    if (!is_ground && (a.parent_group == b.group || b.parent_group == a.group)) return false;
    return !std::binary_search(never_touching_.begin(), never_touching_.end(),
                               std::pair<int, int>(std::minmax(a.link, b.link)));
}

namespace {

std::uint64_t pair_of(int a, int b) {
    const auto [first, second] = std::minmax(a, b);
    return static_cast<std::uint64_t>(first) << 16U | static_cast<std::uint64_t>(second);
}

}  // namespace

void CollisionShapes::Detector::find_near_planes(double margin) {
    for (const auto& [ground, other] : on_ground_) {
        const auto g = static_cast<std::size_t>(ground), o = static_cast<std::size_t>(other);
        if (items_[g].convex.kind == Kind::kPlane) {
            const Vec3<double> d = placed_[o].pose.position - placed_[g].pose.position;
            if (!(dot(d, placed_[g].axis(2)) - items_[o].bound <= margin)) continue;
        }
        near_.push_back(pair_of(ground, other));
    }
}

// Along the axis on which the shapes are spread most. They are almost in order, as the last call has left them.
void CollisionShapes::Detector::sort_by_spread(double margin) {
    Vec3<double> sum{}, squares{};
    for (std::size_t k = 0; k < bounded_.size(); ++k) {
        const Placed& placed = placed_[static_cast<std::size_t>(bounded_[k])];
        const Vec3<double>& c = placed.pose.position;
        const Vec3<double> half = collide::half_extents(placed.shape, placed.pose.rotation) +
                                  0.5 * margin * Vec3<double>{1, 1, 1};
        bounds_[k] = {c - half, c + half};
        sum += c;
        squares += Vec3<double>{c.x * c.x, c.y * c.y, c.z * c.z};
    }
    const auto n = static_cast<double>(bounded_.size());
    const Vec3<double> spread{n * squares.x - sum.x * sum.x, n * squares.y - sum.y * sum.y,
                              n * squares.z - sum.z * sum.z};
    axis_ = spread.x >= spread.y && spread.x >= spread.z ? &Vec3<double>::x
            : spread.y >= spread.z                       ? &Vec3<double>::y
                                                         : &Vec3<double>::z;
    for (Key& key : keys_) key.low = bounds_[static_cast<std::size_t>(key.number)].low.*axis_;
    for (std::size_t k = 1; k < keys_.size(); ++k) {
        const Key key = keys_[k];
        std::size_t at = k;
        for (; at > 0 && key.low < keys_[at - 1].low; --at) keys_[at] = keys_[at - 1];
        keys_[at] = key;
    }
}

void CollisionShapes::Detector::sweep() {
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        const auto i = static_cast<std::size_t>(keys_[k].number);
        const Bounds p = bounds_[i];
        const double high = p.high.*axis_;
        for (std::size_t m = k + 1; m < keys_.size() && keys_[m].low <= high; ++m) {
            const auto j = static_cast<std::size_t>(keys_[m].number);
            const Bounds& q = bounds_[j];
            if (q.low.x <= p.high.x && p.low.x <= q.high.x && q.low.y <= p.high.y &&
                p.low.y <= q.high.y && q.low.z <= p.high.z && p.low.z <= q.high.z && allows(i, j))
                near_.push_back(pair_of(bounded_[i], bounded_[j]));
        }
    }
}

Vec3<double>& CollisionShapes::Detector::apart(std::size_t a, std::size_t b) {
    Apart& known = apart_[(a * 61 + b) & (apart_.size() - 1)];
    const std::uint64_t pair = pair_of(static_cast<int>(a), static_cast<int>(b));
    if (known.pair != pair) known = {pair, {}};
    return known.direction;
}

void CollisionShapes::Detector::touch(std::size_t a, std::size_t b, double margin,
                                      std::vector<ContactPoint>& out) {
    const std::size_t first = out.size();
    collide::Points points{out};
    if (is_bounded(items_[a].convex) && is_bounded(items_[b].convex)) {
        collide::touch_convex(placed_[a], placed_[b], margin, points, apart(a, b));
    } else {
        points.swapped = !is_bounded(items_[a].convex);
        const std::size_t ground = points.swapped ? a : b, other = points.swapped ? b : a;
        if (items_[ground].terrain) {
            items_[ground].terrain->touch(placed_[other], margin, points);
        } else {
            const Vec3<double> normal = placed_[ground].axis(2);
            collide::touch_plane(placed_[other], normal, dot(normal, placed_[ground].pose.position),
                                 margin, points);
        }
    }
    if (out.size() == first) return;
    const std::uint64_t id = static_cast<std::uint64_t>(a) << 48U | static_cast<std::uint64_t>(b)
                                                                        << 32U;
    const Surface surface = combined(shapes_[a].surface, shapes_[b].surface);
    for (std::size_t k = first; k < out.size(); ++k) {
        ContactPoint& point = out[k];
        point.shape_a = static_cast<int>(a);
        point.shape_b = static_cast<int>(b);
        point.body_a = items_[a].body;
        point.body_b = items_[b].body;
        point.id |= id;
        point.surface = surface;
    }
}

void CollisionShapes::Detector::place(std::size_t k, std::span<const Pose<double>> bodies) {
    const Item& item = items_[k];
    if (item.body > 0)
        placed_[k].pose = bodies[static_cast<std::size_t>(item.body)] * item.placement;
}

void CollisionShapes::Detector::find(std::span<const Pose<double>> bodies, double margin,
                                     std::vector<ContactPoint>& out) {
    check_size("CollisionShapes::find", "bodies", static_cast<long>(bodies.size()),
               static_cast<long>(num_bodies_), "num_bodies + 1, the world's first");
    if (!(margin >= 0 && std::isfinite(margin)))
        throw Error::because("CollisionShapes::find: margin is ", margin,
                             " m; it must be finite and not negative");
    out.clear();
    for (std::size_t k = 0; k < items_.size(); ++k) place(k, bodies);
    near_.clear();
    find_near_planes(margin);
    sort_by_spread(margin);
    sweep();
    std::sort(near_.begin(), near_.end());
    for (const std::uint64_t pair : near_) touch(pair >> 16U, pair & 0xffffU, margin, out);
}

collide::Outlines::Outlines(const CollisionShapes& all) {
    const CollisionShapes::Detector& detector = *all.detector_;
    for (const auto& item : detector.items_) {
        shapes.push_back({item.convex, item.placement, item.body});
    }
    const int n = static_cast<int>(shapes.size());
    for (int a = 0; a < n && pairs.size() <= kMostPairs; ++a) {
        for (int b = a + 1; b < n && pairs.size() <= kMostPairs; ++b) {
            if (all.can_touch(a, b)) pairs.push_back({a, b});
        }
    }
}

void collide::Outlines::find_among(std::span<const int> near, std::span<const Pose<double>> bodies,
                                   double margin, CollisionShapes& all,
                                   std::vector<ContactPoint>& out) const {
    CollisionShapes::Detector& detector = *all.detector_;
    out.clear();
    for (const int k : near) {
        const Pair& pair = pairs[static_cast<std::size_t>(k)];
        const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
        detector.place(a, bodies);
        detector.place(b, bodies);
        detector.touch(a, b, margin, out);
    }
}

CollisionShapes::CollisionShapes(const Model& model, const World& world)
    : detector_(std::make_unique<Detector>(model, world)) {}
CollisionShapes::CollisionShapes(const CollisionShapes& other)
    : detector_(std::make_unique<Detector>(*other.detector_)) {}
CollisionShapes::CollisionShapes(CollisionShapes&&) noexcept = default;
CollisionShapes& CollisionShapes::operator=(CollisionShapes other) noexcept {
    detector_ = std::move(other.detector_);
    return *this;
}
CollisionShapes::~CollisionShapes() = default;

void CollisionShapes::find(std::span<const Pose<double>> bodies, double margin,
                           std::vector<ContactPoint>& out) {
    detector_->find(bodies, margin, out);
}
std::span<const CollisionShape> CollisionShapes::shapes() const { return detector_->shapes(); }
std::span<const double> CollisionShapes::reach() const { return detector_->reach(); }
bool CollisionShapes::can_touch(int a, int b) const {
    const auto count = static_cast<int>(shapes().size());
    for (const int k : {a, b}) {
        if (k < 0 || k >= count)
            throw Error::because("CollisionShapes::can_touch: there is no shape ", k,
                                 "; they are numbered from 0 to ", count - 1);
    }
    return detector_->can_touch(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
}

}  // namespace plucker
