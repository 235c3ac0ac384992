// A robot as KDL sees it: a tree of segments on revolute and prismatic joints.
#pragma once

#ifdef PLUCKER_HAVE_KDL

#include <kdl/jntarray.hpp>
#include <kdl/tree.hpp>
#include <string>
#include <vector>

#include "oracles/agreement.hpp"

namespace plucker::test {

// Which of our coordinates each joint of a KDL tree or chain is.
struct KdlCoordinates {
    std::vector<int> ours;

    KDL::JntArray to_kdl(const VectorX<double>& x) const;
    // Entries (or columns) of joints that KDL's chain has not are zero.
    VectorX<double> to_ours(const Model& model, const KDL::JntArray& x) const;
    MatrixX<double> to_ours(const Model& model, const MatrixX<double>& columns) const;
};

class KdlModel {
public:
    // The fixed base and all joints must be of a kind that KDL has.
    explicit KdlModel(const Model& model);
    static bool has_all_joints_of(const Model& model);

    const KDL::Tree& tree() const { return tree_; }
    const KdlCoordinates& coordinates() const { return coordinates_; }

    // From the root to a link.
    KDL::Chain chain_to(const std::string& link) const;
    KdlCoordinates coordinates_of(const KDL::Chain& chain) const;

private:
    Model model_;
    KDL::Tree tree_;
    KdlCoordinates coordinates_;
};

inline KDL::Vector to_kdl(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
// KDL puts the linear part first.
inline MatrixX<double> angular_first(const MatrixX<double>& linear_first) {
    MatrixX<double> out(6, linear_first.cols());
    out << linear_first.bottomRows(3), linear_first.topRows(3);
    return out;
}
inline KDL::Wrench to_kdl(const Force<double>& f) { return {to_kdl(f.linear), to_kdl(f.angular)}; }

}  // namespace plucker::test

#endif
