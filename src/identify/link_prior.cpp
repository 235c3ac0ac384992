#include "link_prior.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "plucker/scalar/decompositions.hpp"
#include "rounded.hpp"

namespace plucker {
namespace {

using Matrix = MatrixX<double>;

// Radii of gyration below this part of the link's size are as good as none. No file has the centre of a wire to a part of the
// wire's thickness, and placeholders for an inertia are small numbers.
constexpr double kThin = 0.1;
// What is left of no extent, for there to be a body.
constexpr double kLeast = 1e-4;
// The size of links of a robot that has no lengths at all, m.
constexpr double kAnySize = 0.1;

// About the centre of mass: Σ - h hᵀ / m.
Matrix about_center(const Matrix4& P) {
    Matrix out(3, 3);
    for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) out(r, c) = P(r, c) - P(r, 3) * P(c, 3) / P(3, 3);
    }
    return out;
}

// Of each link, how far the joints that it carries are from its frame.
std::unordered_map<std::string, double> reaches(const Description& d) {
    std::unordered_map<std::string, double> out;
    for (const JointDescription& joint : d.joints) {
        double& reach = out[joint.parent];
        reach = std::max(reach, norm(joint.placement.position));
    }
    return out;
}

// As long as from its frame to its centre of mass or to a joint that it carries, or as its own inertia says. What has no
// length, such as a point on its own axis, is taken for as long as the others are.
std::vector<double> sizes(const Model& model, const std::vector<Matrix4>& links) {
    const auto reach = reaches(model.description());
    std::vector<double> out;
    double sum = 0;
    int count = 0;
    for (std::size_t k = 0; k < links.size(); ++k) {
        const Matrix4& P = links[k];
        out.push_back(0);
        if (!(P(3, 3) > 0)) continue;
        const auto carried = reach.find(model.frame(model.moving_links()[k]).name);
        const Vec3<double> center{P(0, 3) / P(3, 3), P(1, 3) / P(3, 3), P(2, 3) / P(3, 3)};
        const double length = std::max(norm(center), carried == reach.end() ? 0 : carried->second);
        const double widest = plain::eigenvalues_of(about_center(P))[2] / P(3, 3);
        out.back() = std::sqrt(std::max(length * length / 12, widest));
        sum += out.back();
        count += out.back() > 0 ? 1 : 0;
    }
    const double usual = count > 0 ? sum / count : kAnySize;
    for (double& size : out) {
        if (size < usual / 10) size = usual;
    }
    return out;
}

LinkPrior link_prior(const Matrix4& link, double size) {
    LinkPrior out{link, Matrix4::Zero(), size};
    const double m = link(3, 3);
    const plain::Eigensystem along = plain::eigensystem_of(about_center(link));
    for (int k = 0; k < 3; ++k) {
        const double radius = std::sqrt(std::max(along.values[k] / m, 0.0));
        const bool is_flat = radius < kThin * size;
        const double kept = std::max(radius, kLeast * size), open = is_flat ? size : kept;
        out.flat += is_flat ? 1 : 0;
        if (is_flat) out.thickest = std::max(out.thickest, radius);
        const double to_P0 = radius < kLeast * size ? m * kept * kept - along.values[k] : 0;
        for (int c = 0; c < 3; ++c) {
            for (int r = 0; r < 3; ++r) {
                const double direction = along.vectors(r, k) * along.vectors(c, k);
                out.P0(r, c) += to_P0 * direction;
                out.S(r, c) += m * (open * open - kept * kept) * direction;
            }
        }
    }
    return out;
}

}  // namespace

std::vector<LinkPrior> link_priors(const Model& model) {
    const auto& described = model.description().links;
    std::vector<Matrix4> links;
    for (const FrameId link : model.moving_links()) {
        const auto x =
            link_parameters(described[static_cast<std::size_t>(link.index())].mass.inertia());
        links.push_back(pseudo_inertia(Eigen::Map<const Vector10>(x.data())));
    }
    const std::vector<double> size = sizes(model, links);
    std::vector<LinkPrior> out;
    for (std::size_t k = 0; k < links.size(); ++k)
        out.push_back(links[k](3, 3) > 0 ? link_prior(links[k], size[k]) : LinkPrior{});
    return out;
}

std::string remark_on_extent(const std::string& link, const LinkPrior& prior) {
    if (prior.flat == 0) return "";
    constexpr const char* kShapes[] = {"a plate without thickness", "a rod without thickness",
                                       "a point mass"};
    constexpr const char* kWhere[] = {" across", " across", ""};
    const auto shape = static_cast<std::size_t>(prior.flat - 1);
    const bool is_exact = prior.thickest < 1e-3 * prior.size;
    return Error::because("link '", link, is_exact ? "' is " : "' is nearly ", kShapes[shape],
                          " in the file; how far it extends", kWhere[shape],
                          " was left open, up to a radius of gyration of ", rounded(prior.size),
                          " m; its inertia in the file would say more")
        .what();
}

}  // namespace plucker
