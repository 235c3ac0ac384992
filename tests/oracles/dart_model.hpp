// A robot as DART sees it.
#pragma once

#ifdef PLUCKER_HAVE_DART

// Not <dart/dynamics/dynamics.hpp>: it needs a header that is not always installed.
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <string>
#include <vector>

#include "oracles/agreement.hpp"

namespace plucker::test {

// One body node a link, and one more where a joint is composed of two. DART's joints have our velocity
// coordinates, except the planar joint.
class DartModel {
public:
    explicit DartModel(const Model& model);

    void set_state(const VectorX<double>& q, const VectorX<double>& v);
    void set_forces(const std::vector<LinkForce>& forces);
    // For DART's forward dynamics: which joints' accelerations are given and not their torques.
    void set_given(const std::vector<Given>& given);
    // At the state that was set.
    const VelocityMap& map() const { return map_; }
    // τ, in our coordinates, for the acceleration that the skeleton has been given.
    VectorX<double> inverse_dynamics() const;

    dart::dynamics::Skeleton& skeleton() const { return *skeleton_; }
    dart::dynamics::BodyNode* node(const std::string& link) const {
        return skeleton_->getBodyNode(link);
    }

private:
    struct Joint {
        int number;  // in our Model
        dart::dynamics::Joint* first;
        dart::dynamics::Joint* second;  // of a cylindrical joint, otherwise null
    };
    Joint add_joint(const LinkAndJoint& at);
    void set_joint(const Joint& joint, const VectorX<double>& q, const VectorX<double>& v);

    Model model_;
    dart::dynamics::SkeletonPtr skeleton_;
    std::vector<Joint> joints_;
    VelocityMap map_;
};

}  // namespace plucker::test

#endif
