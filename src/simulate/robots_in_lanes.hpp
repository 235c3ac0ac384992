// Steps of a few robots at once, in lanes: what moves them smoothly, their rows and their impulses together, and contacts
// robot by robot in between. A robot whose impulses Newton's method does not find in whole steps from those of the step
// before, or that has more to solve than pays in a lane, has them found by itself, with all that the engine has; what cannot be
// in a lane at all is stepped by the engine.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "step_lanes.hpp"

namespace plucker::simulate {

class RobotsInLanes {
public:
    // Robots like those that this engine steps.
    RobotsInLanes(const StepEngine& engine, bool share_a_world, const StepCode& code);
    int lanes() const { return lanes_->lanes(); }

    struct Member {
        RobotState* robot;
        StepEngine* engine;  // of its world
        const double* tau;
        StepReport* report;
    };
    // So many steps of at most lanes() robots, or as many as a robot can make.
    void step(std::span<const Member> members, const Springs& springs, int steps);

private:
    struct Lane {
        Acting acting;
        Vec3<double> anchor;
        Correction correction;
        std::vector<double> lambda, sigma;  // of acting
        std::vector<std::uint64_t> keys;    // of its blocks, ascending
        std::vector<int> rows;              // of its blocks, among those of the pack
        std::size_t next = 0;               // of its blocks, while they are put together
        StepReport report;
        bool goes_on = false;    // its robot has not failed
        bool in_step = false;    // and makes this step in its lane
        bool is_forced = false;  // from outside
        bool is_solved = false;  // has nothing to solve, or has been solved
        bool is_alone = false;   // its rows are solved by themselves
        bool is_begun = false;   // from what its lane has come to
    };

    void step_once(std::span<const Member> members, std::array<bool, kMostLanes>& done);
    void find_acting(std::span<const Member> members);
    void find_points(int lane, double margin, CollisionShapes& shapes,
                     std::vector<ContactPoint>& out);
    void look_at(int lane, int body);
    // Blocks of robots that are not solved yet, of as many as go together. False where none is left.
    bool put_together();
    void add_block(std::uint64_t key);
    int number_of(int body);
    std::span<const int> coordinates_of(int end_a, int end_b);
    void solve(std::span<const Member> members);
    void correct(std::span<const Member> members);
    void solve_alone(int number, const Member& member);
    void scatter(int number, const std::vector<double>& offset, const std::vector<double>& lambda);
    void gather(int number, const std::vector<std::array<double, kMostLanes>>& from,
                std::vector<double>& to) const;
    template <class F>
    void for_each_together(const F& f) {
        for (int number = 0; number < lanes(); ++number) {
            const auto k = static_cast<std::size_t>(number);
            if (together_[k]) f(number, in_[k]);
        }
    }

    Model model_;
    SimulatorOptions options_;
    CoordinatePaths paths_;
    collide::Outlines outlines_;
    std::unique_ptr<StepLanes> lanes_;
    bool can_act_;             // anything but forces
    StepCode code_;            // for lanes
    bool is_held_ = false;     // by springs
    bool looks_at_all_pairs_;  // in lanes
    std::vector<NearInLanes> near_;
    int num_near_ = 0;
    const double* where_ = nullptr;  // the bodies are, as lanes_ has it
    std::array<Lane, kMostLanes> in_;
    std::vector<LaneForce> forces_;
    // Of those that go together.
    std::array<bool, kMostLanes> together_{};
    std::vector<std::uint64_t> keys_, merged_;
    std::vector<LaneBody> bodies_;
    std::vector<LaneBlock> blocks_;
    LaneProblem problem_{};
    std::vector<std::array<double, kMostLanes>> lambda_, sigma_;
    std::map<std::pair<int, int>, std::vector<int>> coordinates_;  // of two paths
    // Of one robot.
    StepEngine::Solution solution_;
    std::vector<int> pairs_;
    std::vector<Pose<double>> poses_;
    std::vector<Motion<double>> velocities_;
};

}  // namespace plucker::simulate
