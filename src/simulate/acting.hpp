// What may act on a robot within a step beside forces: loops, prescribed motions, dry friction, joint limits, contacts. It
// is found at the beginning of the step, with what each law asks for; rows of matrices are others' business.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "plucker/collide/collision_shapes.hpp"
#include "plucker/constraints/rows.hpp"
#include "plucker/simulate/simulator.hpp"
#include "robot_state.hpp"
#include "rows.hpp"

namespace plucker::simulate {

// How the bodies of a robot move, the world first.
struct BodiesNow {
    const Motion<double>* velocities;  // about the anchor
    Vec3<double> anchor;

    Vec3<double> velocity_at(int body, const Vec3<double>& point) const {
        return point_velocity(velocities[body], point - anchor);
    }
};

// Numbers that stand so far apart: those of a robot in a lane.
struct Strided {
    const double* first;
    int stride = 1;
    double operator[](int k) const { return first[static_cast<std::ptrdiff_t>(k) * stride]; }
};

struct Acting {
    enum class On : std::uint8_t { kTie, kCoordinate, kPoint };
    struct Block {
        Law law;
        On on;
        int which;  // of the ties, coordinates or points
        int row;    // its first
        double coefficient;
        double side;  // of a coordinate: which way it is pushed
    };
    std::vector<Block> blocks;
    std::vector<double> offset;  // by row, as ImpulseProblem has it
    std::vector<ConstraintRow<double>> ties;
    std::vector<ContactPoint> points;
    std::vector<ContactFrame> frames;  // of points
    std::vector<double> ways_left;     // of limits, in their order; negative: beyond

    void clear();
    int num_rows() const { return static_cast<int>(offset.size()); }
    void add(Law law, On on, int which, double coefficient, double asks, double side = 1);

    double deepest() const;
    double beyond_limits() const;
    // Impulses of the step before, where it had the same contacts, stops and ties.
    void guess(const RobotState& robot, double* lambda) const;
    // What the step has led to, for the next one and for whoever asks.
    void remember(RobotState& robot, const double* lambda, const double* sigma, double h) const;
};

// Depth that is taken back by a movement under the same laws: friction holds what it lifts.
struct Correction {
    std::vector<double> offset, lambda;  // instead of the step's; a first guess
    double most = 0;                     // of what is asked for, m/s

    // A movement that is this part of `most` off is as good: the next step goes on with what is left.
    static constexpr double kPart = 0.1;
    double target() const { return kPart * kPart * most; }

    // After a step that left σ with the impulses λ.
    void ask(const Acting& acting, const double* lambda, const double* sigma, double h,
             bool contacts_give_way);
};

// Finds it, for robots of one model in one world.
class ActingFinder {
public:
    ActingFinder(const Model& model, const World& world, const SimulatorOptions& options);

    CollisionShapes& collisions() { return collisions_; }
    const CollisionShapes& collisions() const { return collisions_; }
    bool has_shapes() const { return !collisions_.shapes().empty(); }
    // Whether there can never be anything: no contact, no limit, no dry friction.
    bool finds_nothing() const;

    // Adds what there is of the robot's coordinates, then its contacts.
    void add_coordinates(const RobotState& robot, Strided q, Strided v, Acting& out) const;
    // Of the points that were found in it, all that may act.
    void add_contacts(const RobotState& robot, const BodiesNow& bodies, Acting& out) const;
    // How near shapes must be to be looked at: all that the fastest point of a shape could reach within a step or two.
    double margin(double fastest) const;

    struct Stop {  // a joint limit
        int q_index, coordinate;
        double lower, upper;
    };
    const std::vector<Stop>& stops() const { return stops_; }

    // Springs are deep by themselves.
    bool contacts_give_way() const { return options_.compliance > 0; }
    double softness() const { return options_.compliance / (options_.step * options_.step); }
    // Whether depth is to be taken back. One that could not be is left alone for a while.
    bool asks_for_correction(const Acting& acting, RobotState& robot) const;

private:
    SimulatorOptions options_;
    CollisionShapes collisions_;
    std::vector<Stop> stops_;
    std::vector<std::pair<int, double>>
        dry_;         // coordinates, and the most impulse of their friction
    double falling_;  // the speed that gravity gives in a step
};

}  // namespace plucker::simulate
