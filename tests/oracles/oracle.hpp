// Another library as something to ask, in our coordinates.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "oracles/agreement.hpp"

namespace plucker::test {

class Oracle {
public:
    virtual ~Oracle() = default;
    virtual std::string name() const = 0;
    // Whether the library adds this joint's armature to the mass matrix.
    virtual bool has_armature(JointType type) const = 0;

    virtual void set_state(const VectorX<double>& q, const VectorX<double>& v,
                           const std::vector<LinkForce>& forces) = 0;
    // At the state that was set, along the world's axes.
    virtual Pose<double> pose(const std::string& link) const = 0;
    virtual Vector6<double> velocity(const std::string& link) const = 0;
    virtual MatrixX<double> jacobian(const std::string& link) const = 0;
    virtual MatrixX<double> mass_matrix() const = 0;
    // τ for the acceleration a, under the forces that were set.
    virtual VectorX<double> inverse_dynamics(const VectorX<double>& v,
                                             const VectorX<double>& a) = 0;
};

// Those that this build has. Left out, because they know it otherwise or not at all: Coulomb friction, which is a
// constraint to them; rotors where the coordinates turn with the body.
std::vector<std::unique_ptr<Oracle>> oracles_for(const Description& robot);

}  // namespace plucker::test
