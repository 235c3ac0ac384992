// Time steps of several robots of one kind at once: one robot per lane.
//
// A lane never sees another, so that a robot's numbers do not depend on which others are with it; they differ from those of
// a robot that is stepped alone by rounding. Contacts are found robot by robot, by the caller, between the parts of a step.
#pragma once

#include <memory>
#include <span>

#include "../collide/near_pairs.hpp"
#include "plucker/model/external_forces.hpp"
#include "plucker/simulate/impulses.hpp"
#include "plucker/simulate/joint_space.hpp"
#include "smooth_step.hpp"

namespace plucker::simulate {

constexpr int kMostLanes = 8;

// Whether lanes can serve robots like this: no mimic joints, no constraints.
bool can_be_in_lanes(const Model& model);

// Numbers of a pack, a lane after the other.
using LaneNumbers = double[kMostLanes];

// A force on a frame, zero in lanes whose robot does not have it.
struct LaneForce {
    FrameId frame;
    ReferenceFrame expressed_in;
    LaneNumbers force[6];  // angular, linear
};

// Forces of a robot, in its order: those on the same frame, in the same axes, go together with those of other lanes.
void add_forces(const ExternalForces<double>& forces, int lane, std::vector<LaneForce>& out);

// What acts on robots of a pack, by blocks. A block that a robot lacks has zeros for its side or its axes, and an offset
// that keeps it open.
struct LaneBody {
    int body;
    std::span<const int> path;  // coordinates from the root
};
struct LaneBlock {
    Law law;
    int row;                           // its first
    int coordinate;                    // of a limit or dry friction
    int a, b;                          // of a contact: which of the bodies; -1: the world
    int shared;                        // coordinates that their paths have in common
    std::span<const int> coordinates;  // those of a's path, then those that only b's has

    LaneNumbers coefficient, side;
    LaneNumbers position[3], normal[3], tangent[3], second_tangent[3];
    LaneNumbers offset;
};
struct LaneProblem {
    std::span<const LaneBody> bodies;
    std::span<const LaneBlock> blocks;
    int num_rows;
    double softness;  // of contacts
};
// By row: a guess, then the result.
struct LaneSolution {
    double *lambda, *sigma;  // kMostLanes for each row
    LaneNumbers primal, dual, complementarity, iterations;
    LaneNumbers largest;  // velocity without impulses
};

// What a step has led to before impulses, of one lane: where to write it.
struct SmoothPart {
    JointSpace<double>::Parts space;
    double *push, *v;
};

// Two shapes that are near each other in some lanes, a bit each.
struct NearInLanes {
    int pair;  // of the Outlines
    unsigned lanes;
};

class StepLanes {
public:
    virtual ~StepLanes();
    virtual int lanes() const = 0;
    // What it begins steps with from now on: step_code.hpp's for these lanes.
    virtual void use(RobotCode::Entry smooth_step) = 0;
    // Of all robots, from now on.
    virtual void hold(const Gains& gains) = 0;
    // Robots into lanes and back; of one lane alone, its state.
    virtual void read(std::span<const RobotInLane> robots) = 0;
    virtual void write(std::span<const RobotInLane> robots) const = 0;
    virtual void read(int lane, const RobotInLane& robot) = 0;
    virtual void write(int lane, const RobotInLane& robot) const = 0;

    // The parts of a step. First its smooth part.
    virtual void begin(std::span<const LaneForce> forces) = 0;
    // Then where the bodies are, for who looks for contacts: of each body, the world first, twelve packs of its pose, rotation
    // row by row and position, and six of its velocity about the anchor; and after the last body the anchor.
    virtual const double* bodies() = 0;
    static constexpr int kNumbersOfBody = 18;
    // Its coordinates, and their velocities as the step has them.
    virtual const double* positions() const = 0;
    virtual const double* velocities() const = 0;
    // The largest speed of a point of a body's shapes, by lane; they reach so far from the body's origin.
    virtual void fastest(std::span<const double> reach, LaneNumbers& out) const = 0;
    // Pairs of shapes that may be within the margins, in order. `out` has room for all. Returns how many.
    virtual int find_near(const LaneNumbers& margin, NearInLanes* out) = 0;
    // Impulses by Newton's method, within so many steps, where `wanted`.
    virtual void solve(const LaneProblem& problem, const SolverOptions& options, const bool* wanted,
                       LaneSolution& solution) = 0;
    // The rows of the last call once more, with other offsets, and without dry friction: a movement beside the velocity.
    // `target` by lane: what is off by no more is not made better.
    virtual void correct(const LaneProblem& problem, const SolverOptions& options,
                         const bool* wanted, const LaneNumbers& target, LaneSolution& solution) = 0;
    // For who solves a robot's rows alone: what the step's smooth part has come to, and how impulses then change p, and what
    // moves it beside its velocity.
    virtual void read_smooth(int lane, const SmoothPart& out) const = 0;
    virtual void push(int lane, const double* impulse, const double* moved) = 0;
    // Robots of lanes that are `wanted` and finite have made the step, and `done` says so; all others are as they were.
    virtual void end(const bool* wanted, bool* done) = 0;
    // All of a step at once, by step_code.hpp's code for these lanes, where nothing acts and nothing is held.
    virtual void step_free(RobotCode::Entry code, const bool* wanted, bool* done) = 0;
};

struct LanesCode {
    StepLanes* (*make)(const Model& model, double h, const double* damping,
                       const collide::Outlines& outlines);

    static const LanesCode kGenericCode, kAvx2Code, kAvx512Code;
};

// In the instruction set in use. For a model without mimic joints and constraints. The outlines must stay.
std::unique_ptr<StepLanes> step_lanes(const Model& model, double h, const double* damping,
                                      const collide::Outlines& outlines);

}  // namespace plucker::simulate
