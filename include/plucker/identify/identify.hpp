// Identification of a robot's dynamic parameters from a log of its motion; the links are always physically possible.
//
// The objective, over the links' pseudo-inertias P (those of possible bodies are positive definite) and the joints' constants ≥ 0,
// is convex:
//
//     ½ Σ (τ - Y π)² / σ²  +  Σ D(P + S ‖ P₀ + S) / (4 prior²)
//
// with σ the noise of each joint's torque, found from the residuals, and D the log-determinant divergence of each link from
// the file's (Lee, Wensing and Park, Geometric Robot Dynamic Identification, 2020). Where the data are not informative, the
// file's values remain; deviations are those of the posterior, so they show which is the case. S is zero but for links to which
// the file gives no extent, such as point masses: how far these extend is left open, up to their size.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plucker/identify/motion_log.hpp"

namespace plucker {

struct IdentifyOptions {
    // Low-pass filter, Hz; 0: 10 Hz, or a quarter of the rate if that is less, where velocities or accelerations have to be
    // found from positions, none otherwise.
    double cutoff = 0;
    // How far the file's masses may be off, relative to themselves, as a standard deviation.
    double prior = 0.3;
    bool friction = true;  // viscous and Coulomb friction of every joint
    bool rotors =
        false;  // rotor inertia of every joint; otherwise of those for which the file has one
    std::vector<std::string> links =
        {};  // whose masses are found; none: of all links that have a mass
    // Called between samples, and between steps towards the minimum; what it throws ends the search.
    std::function<void()> between = {};
};

// Of one parameter, or of a combination of them.
struct IdentifiedParameter {
    std::string name;
    double before = 0;     // the file's
    double value = 0;      // found
    double deviation = 0;  // standard deviation of `value`, with what the file told
    double prior = 0;  // ... of `before`: what it was before anything was measured; 0: it is kept
    // Whether the data have made it known at least twice as well as it was.
    bool is_told_by_data() const { return prior > 0 && deviation < prior / 2; }
};

struct IdentifiedJoint {
    std::string name;
    double torque = 0;  // root mean square of what was measured
    double before = 0;  // ... of what the file's model leaves unexplained
    double after = 0;   // ... of what the identified one does
};

struct Identified {
    Model model;
    std::vector<IdentifiedParameter> parameters;    // as dynamic_parameter_names
    std::vector<IdentifiedParameter> combinations;  // base parameters (base_parameters.hpp)
    std::vector<IdentifiedJoint> joints;            // as velocity_names
    double condition_number =
        0;             // of the weighted regressor of the base parameters, columns of length one
    int num_told = 0;  // combinations that the data tell
    // In sentences: what was kept, what hardly moved, which links have no extent in the file, which motion the filter takes away,
    // and what no robot like this explains.
    std::vector<std::string> remarks;
    MotionLog log;                                       // as it was used
    ResultMatrix<double> torques_before, torques_after;  // what the two models say to it
};

// Throws Error for logs that are no measurement, and for robots with constraints beyond the tree, whose forces nobody measures.
Identified identify(const Model& model, const MotionLog& log, const IdentifyOptions& options = {});

// Throws Error, with the closest names, for one that no link has that moves: what identify() asks of its options' links.
void require_links_that_move(const Model& model, const std::vector<std::string>& names);

// Inverse dynamics at each sample of a log that has velocities and accelerations.
ResultMatrix<double> predict_torques(const Model& model, const MotionLog& log);
// The root mean square of each column.
ResultVector<double> root_mean_squares(const MatrixX<double>& columns);

}  // namespace plucker
