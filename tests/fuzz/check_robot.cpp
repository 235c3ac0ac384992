#include "check_robot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "mutation.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "plucker/model/suspicions.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker::fuzz {
namespace {

LoadOptions options_for(std::size_t size) {
    LoadOptions options;
    if ((size & 1U) != 0) options.base = Base::kFloating;
    if ((size & 2U) != 0) options.fixed_joints = FixedJoints::kKeep;
    if ((size & 4U) != 0) options.physics = Physics::kLenient;
    return options;
}

// Calls f(number) for every number that a result may grow with.
template <class F>
void for_each_number(const Description& d, F&& f) {
    const auto vector = [&](const Vec3<double>& a) {
        for (const double x : {a.x, a.y, a.z}) f(x);
    };
    vector(d.gravity);
    for (const LinkDescription& link : d.links) {
        const SymMat3<double>& I = link.mass.about_center;
        for (const double x : {link.mass.mass, I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}) f(x);
        vector(link.mass.center);
    }
    for (const JointDescription& joint : d.joints) {
        vector(joint.placement.position);
        for (const double x : {joint.pitch, joint.armature, joint.damping, joint.friction}) f(x);
        if (joint.mimic) {
            f(joint.mimic->multiplier);
            f(joint.mimic->offset);
        }
    }
}

// Robots of a size at which nothing can overflow, however long the chain.
bool is_moderate(const Description& d) {
    double largest = 0;
    for_each_number(d, [&](double x) { largest = std::max(largest, std::abs(x)); });
    for (const JointDescription& joint : d.joints) {  // configurations are taken within the limits
        for (const double x : {joint.limits.lower, joint.limits.upper})
            if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    }
    return largest < 1e12;
}
// Robots that people build: no link that is light as dust beside others, nor one far away.
bool is_ordinary(const Description& d) {
    bool ordinary = d.physics == Physics::kStrict;
    for_each_number(d, [&](double x) { ordinary &= std::abs(x) < 100; });
    for (const LinkDescription& link : d.links) {
        const SymMat3<double>& I = link.mass.about_center;
        ordinary &= link.mass.mass > 0.01 && std::min({I.xx, I.yy, I.zz}) > 1e-4;
    }
    return ordinary;
}

void check_dynamics(const Model& model, unsigned seed) {
    if (model.nv() == 0 || model.nv() > 60) return;  // large robots only cost time
    std::minstd_rand generator(seed + 1);
    std::uniform_real_distribution<double> random(-1, 1);
    const auto vector = [&] {
        return VectorX<double>(
            VectorX<double>::NullaryExpr(model.nv(), [&] { return random(generator); }));
    };
    const bool moderate = is_moderate(model.description());
    const VectorX<double> zero = VectorX<double>::Zero(model.nv());
    const VectorX<double> at_rest =
        inverse_dynamics(model, neutral_configuration(model), zero, zero);
    require(!moderate || at_rest.allFinite(), "torque at rest is not finite");

    const VectorX<double> q = random_configuration(model, generator), v = vector(), tau = vector();
    require(!moderate || bias_torque(model, q, v).allFinite(), "bias torque is not finite");
    try {
        const VectorX<double> a = forward_dynamics(model, q, v, tau);
        if (!is_ordinary(model.description())) return;
        require(a.allFinite(), "acceleration is neither finite nor refused");
        // Backward error: how far the torque is off, beside the torques that were added up to get it.
        const double scale = mass_matrix(model, q).cwiseAbs().maxCoeff() * a.cwiseAbs().maxCoeff() +
                             bias_torque(model, q, v).cwiseAbs().maxCoeff() + 1;
        const double off = (inverse_dynamics(model, q, v, a) - tau).cwiseAbs().maxCoeff();
        require(off <= 1e-9 * scale, "inverse dynamics does not undo forward dynamics");
    } catch (const Error& error) {
        require(*error.what() != '\0', "an error without a message");
    }
}

void check_writer(const ReadResult& original, LoadOptions options) {
    // A file of another format may say itself whether the base floats; a URDF cannot, and leaves it to the caller.
    if (original.format != Format::kUrdf) options.base = Base::kFixed;
    std::string written;
    std::vector<Diagnostic> lost;
    try {
        written = write_urdf(original.description, &lost);
    } catch (const Error&) {
        require(original.format != Format::kUrdf, "a robot from URDF cannot be written");
        return;
    }
    const ReadResult again = read_robot_text(written, "fuzz.xml", options);
    for (const Diagnostic& d : again.diagnostics)
        require(d.severity != Severity::kError, "written, it reads: " + to_string(d));
    // Other formats have what URDF has not, and so has a limit of which one side could not be read: that is said.
    if (original.format != Format::kUrdf || !lost.empty()) return;
    const std::string what = difference(original.description, again.description);
    require(what.empty(), "written and read again, it differs: " + what);
}

}  // namespace

void require(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "FOUND: %s\n", what.c_str());
    std::abort();
}

void tally(bool accepted) {
    static struct Counts {
        double all = 0, accepted = 0;
        ~Counts() { std::fprintf(stderr, "%.0f %% accepted\n", 100 * accepted / all); }
    } counts;
    counts.all += 1;
    counts.accepted += accepted ? 1 : 0;
}

void check_robot(const std::uint8_t* data, std::size_t size, Format format) {
    const LoadOptions options = options_for(size);
    const ReadResult result = read_robot_text(
        std::string(reinterpret_cast<const char*>(data), size), "fuzz.xml", options);
    for (const Diagnostic& d : result.diagnostics)
        require(!d.message.empty() && !to_string(d).empty(), "a finding without a message");
    const bool accepted = !has_errors(result.diagnostics) && result.format == format;
    tally(accepted);
    if (!accepted) return;
    remember(data, size);
    for (const Diagnostic& d : find_suspicions(result.description))
        require(!d.message.empty(), "a suspicion without a message");
    const Model model(result.description);
    check_writer(result, options);
    check_dynamics(model, static_cast<unsigned>(size));
}

}  // namespace plucker::fuzz
