#include "robots_in_lanes.hpp"

#include <algorithm>
#include <cmath>

#include "laws_of_impulses.hpp"

namespace plucker::simulate {
namespace {

// More rows are solved alone: a matrix of the robot's own fills the processor's vectors, and nobody waits for the slowest of a pack.
constexpr int kMostRows = 24;
// Robots go together as long as all that acts on any of them has no more rows than this.
constexpr int kMostRowsTogether = 200;
// An offset, in m/s, that keeps a block open which a robot does not have; too small to be seen among its own velocities.
constexpr double kAway = 1e-100;

// Blocks of the same key are those of the same limit, or of the same two shapes. In the order in which they are found.
std::uint64_t key_of(const Acting& acting, const Acting::Block& b) {
    const auto bits = [](int x, unsigned shift) { return static_cast<std::uint64_t>(x) << shift; };
    if (b.on == Acting::On::kCoordinate) {
        return bits(b.law == Law::kDry ? 0 : 1, 60) | bits(b.which, 36) |
               bits(b.side < 0 ? 1 : 0, 20);
    }
    const ContactPoint& point = acting.points[static_cast<std::size_t>(b.which)];
    return bits(2, 60) | bits(point.shape_a, 36) | bits(point.shape_b, 20);
}

int rows_of_key(std::uint64_t key) { return key >> 60U == 2 ? 3 : 1; }

void put(const Vec3<double>& x, int lane, LaneNumbers* out) {
    out[0][lane] = x.x;
    out[1][lane] = x.y;
    out[2][lane] = x.z;
}

}  // namespace

RobotsInLanes::RobotsInLanes(const StepEngine& engine, bool share_a_world, const StepCode& code)
    : model_(engine.model()),
      options_(engine.options()),
      paths_(model_),
      outlines_(engine.finder().collisions()),
      lanes_(step_lanes(model_, options_.step, engine.damping().data(), outlines_)),
      can_act_(!share_a_world || !engine.finder().finds_nothing()),
      code_(code),
      looks_at_all_pairs_(share_a_world && outlines_.pairs.size() <= collide::Outlines::kMostPairs),
      near_(outlines_.pairs.size()),
      poses_(static_cast<std::size_t>(model_.num_bodies()) + 1),
      velocities_(poses_.size()) {
    if (code_.smooth != nullptr) lanes_->use(code_.smooth->entry());
}

// Where a body of the robot in a lane is, and how it moves.
void RobotsInLanes::look_at(int lane, int body) {
    const int width = lanes();
    const double* x =
        where_ + static_cast<std::ptrdiff_t>(body) * StepLanes::kNumbersOfBody * width;
    const auto vector = [&](int k) {
        const double* first = x + 3 * k * width + lane;
        return Vec3<double>{first[0], first[width], first[2 * width]};
    };
    poses_[static_cast<std::size_t>(body)] = {{vector(0), vector(1), vector(2)}, vector(3)};
    velocities_[static_cast<std::size_t>(body)] = {vector(4), vector(5)};
}

void RobotsInLanes::find_points(int lane, double margin, CollisionShapes& shapes,
                                std::vector<ContactPoint>& out) {
    if (!looks_at_all_pairs_) {
        for (int i = 1; i <= model_.num_bodies(); ++i) look_at(lane, i);
        return shapes.find(poses_, margin, out);
    }
    pairs_.clear();
    for (const NearInLanes& near : std::span(near_).first(num_near_)) {
        if ((near.lanes >> static_cast<unsigned>(lane) & 1U) == 0) continue;
        pairs_.push_back(near.pair);
        const auto [a, b] = outlines_.pairs[static_cast<std::size_t>(near.pair)];
        for (const int shape : {a, b})
            look_at(lane, outlines_.shapes[static_cast<std::size_t>(shape)].body);
    }
    outlines_.find_among(pairs_, poses_, margin, shapes, out);
}

void RobotsInLanes::find_acting(std::span<const Member> members) {
    const int width = lanes();
    where_ = lanes_->bodies();
    LaneNumbers margin{};
    const ActingFinder& any = members[0].engine->finder();
    lanes_->fastest(any.collisions().reach(), margin);
    for (double& x : margin) x = any.margin(x);
    if (looks_at_all_pairs_) num_near_ = lanes_->find_near(margin, near_.data());
    for (int lane = 0; lane < static_cast<int>(members.size()); ++lane) {
        Lane& in = in_[static_cast<std::size_t>(lane)];
        if (!in.in_step) continue;
        const Member& member = members[static_cast<std::size_t>(lane)];
        ActingFinder& finder = member.engine->finder();
        Acting& acting = in.acting;
        acting.clear();
        finder.add_coordinates(*member.robot, {lanes_->positions() + lane, width},
                               {lanes_->velocities() + lane, width}, acting);
        const double* anchor = where_ + lane +
                               static_cast<std::ptrdiff_t>(model_.num_bodies() + 1) *
                                   StepLanes::kNumbersOfBody * width;
        in.anchor = {anchor[0], anchor[width], anchor[2 * width]};
        if (finder.has_shapes()) {
            find_points(lane, margin[lane], finder.collisions(), acting.points);
            finder.add_contacts(*member.robot, {velocities_.data(), in.anchor}, acting);
        }
        in.is_alone = acting.num_rows() > kMostRows;
        in.is_begun = false;
        in.keys.clear();
        std::uint64_t last = ~std::uint64_t{0}, occurrence = 0;
        for (const Acting::Block& b : acting.blocks) {
            if (b.law == Law::kSpin) in.is_alone = true;
            if (b.law == Law::kTied) in.in_step = false;
            const std::uint64_t key = key_of(acting, b);
            occurrence = key == last ? occurrence + 1 : 0;
            last = key;
            in.keys.push_back(key + occurrence);
        }
        in.is_solved = !in.in_step || in.is_alone || acting.blocks.empty();
    }
}

// Which of the bodies of the problem; a new one where it is not among them yet.
int RobotsInLanes::number_of(int body) {
    if (paths_.end_of(body) < 0) return -1;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        if (bodies_[k].body == body) return static_cast<int>(k);
    }
    bodies_.push_back({body, paths_.path_of_body(body)});
    return static_cast<int>(bodies_.size()) - 1;
}

// Those of a's path, then those that only b's has.
std::span<const int> RobotsInLanes::coordinates_of(int end_a, int end_b) {
    if (end_b < 0) return paths_.path(end_a);
    const auto [found, is_new] = coordinates_.try_emplace({end_a, end_b});
    if (is_new) {
        if (end_a >= 0) found->second.assign(paths_.path(end_a).begin(), paths_.path(end_a).end());
        const auto rest = paths_.path(end_b).subspan(paths_.shared(end_a, end_b));
        found->second.insert(found->second.end(), rest.begin(), rest.end());
    }
    return found->second;
}

// A block that all those have whose next one it is.
void RobotsInLanes::add_block(std::uint64_t key) {
    LaneBlock& out = blocks_.emplace_back();
    out.row = problem_.num_rows;
    std::fill_n(out.offset, kMostLanes, kAway);
    bool is_first = true;
    for (int number = 0; number < lanes(); ++number) {
        Lane& in = in_[static_cast<std::size_t>(number)];
        if (!together_[static_cast<std::size_t>(number)] || in.next == in.keys.size() ||
            in.keys[in.next] != key)
            continue;
        const Acting::Block& b = in.acting.blocks[in.next++];
        in.rows.push_back(out.row);
        out.coefficient[number] = b.coefficient;
        if (b.on == Acting::On::kCoordinate) {
            out.side[number] = b.side;
        } else {
            const ContactFrame& frame = in.acting.frames[static_cast<std::size_t>(b.which)];
            put(in.acting.points[static_cast<std::size_t>(b.which)].position - in.anchor, number,
                out.position);
            put(frame.normal, number, out.normal);
            put(frame.tangent, number, out.tangent);
            put(frame.second_tangent, number, out.second_tangent);
        }
        if (!is_first) continue;
        is_first = false;
        out.law = b.law;
        if (b.on == Acting::On::kCoordinate) {
            out.coordinate = b.which;
            out.coordinates = paths_.path(b.which);
        } else {
            const ContactPoint& point = in.acting.points[static_cast<std::size_t>(b.which)];
            const int end_a = paths_.end_of(point.body_a), end_b = paths_.end_of(point.body_b);
            out.a = number_of(point.body_a);
            out.b = number_of(point.body_b);
            out.shared = paths_.shared(end_a, end_b);
            out.coordinates = coordinates_of(end_a, end_b);
        }
    }
    problem_.num_rows += rows_of(out.law);
}

bool RobotsInLanes::put_together() {
    together_.fill(false);
    keys_.clear();
    int rows = 0;
    for (std::size_t number = 0; number < in_.size(); ++number) {
        Lane& in = in_[number];
        if (in.is_solved) continue;
        merged_.clear();
        std::set_union(keys_.begin(), keys_.end(), in.keys.begin(), in.keys.end(),
                       std::back_inserter(merged_));
        rows = 0;
        for (const std::uint64_t key : merged_) rows += rows_of_key(key);
        if (!keys_.empty() && rows > kMostRowsTogether) continue;
        keys_.swap(merged_);
        together_[number] = in.is_solved = true;
        in.next = 0;
        in.rows.clear();
    }
    bodies_.clear();
    blocks_.clear();
    problem_.num_rows = 0;
    for (const std::uint64_t key : keys_) add_block(key);
    problem_.bodies = bodies_;
    problem_.blocks = blocks_;
    problem_.softness = options_.compliance / (options_.step * options_.step);
    lambda_.resize(static_cast<std::size_t>(problem_.num_rows));
    sigma_.resize(lambda_.size());
    return !keys_.empty();
}

// What a lane asks for and begins with, in its place among all.
void RobotsInLanes::scatter(int number, const std::vector<double>& offset,
                            const std::vector<double>& lambda) {
    const Lane& in = in_[static_cast<std::size_t>(number)];
    std::size_t k = 0;  // of the pack's blocks
    for (std::size_t i = 0; i < in.rows.size(); ++i) {
        const Acting::Block& b = in.acting.blocks[i];
        while (blocks_[k].row != in.rows[i]) ++k;
        blocks_[k].offset[number] = offset[static_cast<std::size_t>(b.row)];
        for (int r = 0; r < rows_of(b.law); ++r) {
            lambda_[static_cast<std::size_t>(in.rows[i] + r)][number] =
                lambda[static_cast<std::size_t>(b.row + r)];
        }
    }
}
void RobotsInLanes::gather(int number, const std::vector<std::array<double, kMostLanes>>& from,
                           std::vector<double>& to) const {
    const Lane& in = in_[static_cast<std::size_t>(number)];
    to.resize(in.acting.offset.size());
    for (std::size_t i = 0; i < in.rows.size(); ++i) {
        const Acting::Block& b = in.acting.blocks[i];
        for (int r = 0; r < rows_of(b.law); ++r) {
            to[static_cast<std::size_t>(b.row + r)] =
                from[static_cast<std::size_t>(in.rows[i] + r)][number];
        }
    }
}

void RobotsInLanes::solve(std::span<const Member> members) {
    LaneSolution solution{};
    for (auto& row : lambda_) row.fill(0);
    for_each_together([&](int number, Lane& in) {
        in.lambda.resize(in.acting.offset.size());
        in.acting.guess(*members[static_cast<std::size_t>(number)].robot, in.lambda.data());
        scatter(number, in.acting.offset, in.lambda);
    });
    solution.lambda = lambda_.data()->data();
    solution.sigma = sigma_.data()->data();
    lanes_->solve(problem_, options_.solver, together_.data(), solution);
    for_each_together([&](int number, Lane& in) {
        SolverReport& report = in.report.solver;
        report.by = SolvedBy::kNewton;
        report.certificate = {solution.primal[number], solution.dual[number],
                              solution.complementarity[number]};
        report.iterations = static_cast<int>(solution.iterations[number]);
        const double rounding = impulses::rounding_of(solution.largest[number]);
        in.is_alone = !(report.certificate.worst() <= options_.solver.target + 10 * rounding);
        in.is_begun = true;
        gather(number, lambda_, in.lambda);
        gather(number, sigma_, in.sigma);
    });
}

// Depth is taken back, where there is any.
void RobotsInLanes::correct(std::span<const Member> members) {
    LaneSolution solution{};
    LaneNumbers target{};
    bool is_needed = false;
    for (auto& row : lambda_) row.fill(0);
    for_each_together([&](int number, Lane& in) {
        const Member& member = members[static_cast<std::size_t>(number)];
        const ActingFinder& finder = member.engine->finder();
        bool& wanted = together_[static_cast<std::size_t>(number)];
        wanted = !in.is_alone && finder.asks_for_correction(in.acting, *member.robot);
        if (!wanted) return;
        is_needed = true;
        in.correction.ask(in.acting, in.lambda.data(), in.sigma.data(), options_.step,
                          finder.contacts_give_way());
        scatter(number, in.correction.offset, in.correction.lambda);
        target[number] = std::max(in.correction.target(), options_.solver.target);
    });
    if (!is_needed) return;
    solution.lambda = lambda_.data()->data();
    solution.sigma = sigma_.data()->data();
    lanes_->correct(problem_, options_.solver, together_.data(), target, solution);
    for_each_together([&](int number, Lane& in) {
        const Certificate c{solution.primal[number], solution.dual[number],
                            solution.complementarity[number]};
        in.is_alone = !(c.worst() <= target[number]);
    });
}

void RobotsInLanes::solve_alone(int number, const Member& member) {
    Lane& in = in_[static_cast<std::size_t>(number)];
    lanes_->read_smooth(number, member.engine->smooth_part());
    solution_.lambda.swap(in.lambda);
    member.engine->solve(*member.robot, in.acting, solution_, in.is_begun);
    lanes_->push(number, solution_.impulse, solution_.moved);
    in.report.solver = solution_.report;
    in.lambda.swap(solution_.lambda);
    in.sigma.swap(solution_.sigma);
}

// Of all lanes in step; `done` tells which of them the lanes have led to its end.
void RobotsInLanes::step_once(std::span<const Member> members, std::array<bool, kMostLanes>& done) {
    std::array<bool, kMostLanes> wanted{}, rest{};
    // By code or not: that is each robot's own affair, too.
    const bool has_code = code_.free != nullptr && !is_held_;
    bool is_any_free = false, is_any_left = false;
    for (std::size_t i = 0; i < in_.size(); ++i) {
        wanted[i] = in_[i].in_step && has_code && !in_[i].is_forced;
        rest[i] = in_[i].in_step && !wanted[i];
        is_any_free = is_any_free || wanted[i];
        is_any_left = is_any_left || rest[i];
    }
    if (is_any_free) lanes_->step_free(code_.free->entry(), wanted.data(), done.data());
    if (!is_any_left) return;
    lanes_->begin(forces_);
    if (can_act_) {
        find_acting(members);
        while (put_together()) {
            solve(members);
            correct(members);
        }
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (in_[i].in_step && in_[i].is_alone) solve_alone(static_cast<int>(i), members[i]);
        }
        for (std::size_t i = 0; i < in_.size(); ++i) rest[i] = in_[i].in_step;
    }
    std::array<bool, kMostLanes> ended{};
    lanes_->end(rest.data(), ended.data());
    for (std::size_t i = 0; i < done.size(); ++i) done[i] = done[i] || ended[i];
}

void RobotsInLanes::step(std::span<const Member> members, const Springs& springs, int steps) {
    lanes_->hold(springs.gains());
    is_held_ = springs.gains().kp != nullptr;
    std::array<RobotInLane, kMostLanes> memory{};
    for (std::size_t i = 0; i < members.size(); ++i)
        memory[i] = members[i].robot->in_lane(members[i].tau);
    lanes_->read({memory.data(), members.size()});
    for (std::size_t i = 0; i < in_.size(); ++i) in_[i].goes_on = i < members.size();
    forces_.clear();
    for (std::size_t i = 0; i < members.size(); ++i) {
        add_forces(members[i].robot->forces, static_cast<int>(i), forces_);
        in_[i].is_forced = !members[i].robot->forces.entries().empty();
    }
    std::array<bool, kMostLanes> done{};
    for (int k = 0; k < steps; ++k) {
        bool is_any_in_step = false;
        for (std::size_t i = 0; i < in_.size(); ++i) {
            Lane& in = in_[i];
            in.in_step = in.goes_on;
            in.is_alone = false;
            is_any_in_step = is_any_in_step || in.in_step;
            in.is_solved = true;
            in.report = {};
        }
        done.fill(false);
        if (is_any_in_step) step_once(members, done);
        for (std::size_t i = 0; i < members.size(); ++i) {
            Lane& in = in_[i];
            if (!in.goes_on) continue;
            const Member& member = members[i];
            if (done[i]) {
                if (can_act_)
                    in.acting.remember(*member.robot, in.lambda.data(), in.sigma.data(),
                                       options_.step);
                in.report.deepest = in.acting.deepest();
                in.report.beyond_limits = in.acting.beyond_limits();
                *member.report = in.report;
                member.robot->momenta_known = true;
                member.robot->advance_time(1, options_.step);
                continue;
            }
            const int lane = static_cast<int>(i);
            lanes_->write(lane, memory[i]);
            *member.report = member.engine->step(*member.robot, springs, member.tau);
            in.goes_on = member.report->status == Status::kOk;
            memory[i] = member.robot->in_lane(member.tau);  // the engine may have put it elsewhere
            lanes_->read(lane, memory[i]);
        }
    }
    lanes_->write({memory.data(), members.size()});
}

}  // namespace plucker::simulate
