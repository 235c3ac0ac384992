#include "plucker/laws/sizes.hpp"

namespace plucker::laws {
namespace {

MotionSize operator+(const MotionSize& a, const MotionSize& b) {
    return {a.angular + b.angular, a.linear + b.linear};
}
MotionSize operator*(double x, const MotionSize& m) { return {x * m.angular, x * m.linear}; }
ForceSize operator+(const ForceSize& a, const ForceSize& b) {
    return {a.angular + b.angular, a.linear + b.linear};
}
ForceSize operator*(double x, const ForceSize& f) { return {x * f.angular, x * f.linear}; }
ForceSize operator*(const InertiaSize& I, const MotionSize& m) {
    return {I.rotational * m.angular + I.first_moment * m.linear,
            I.first_moment * m.angular + I.mass * m.linear};
}
double dot(const MotionSize& m, const ForceSize& f) {
    return m.angular * f.angular + m.linear * f.linear;
}
// v × m and v ×* f.
MotionSize cross(const MotionSize& v, const MotionSize& m) {
    return {v.angular * m.angular, v.angular * m.linear + v.linear * m.angular};
}
ForceSize cross_force(const MotionSize& v, const ForceSize& f) {
    return {v.angular * f.angular + v.linear * f.linear, v.angular * f.linear};
}
// v ×* I and I v× together: the rate of a moving body's inertia.
InertiaSize rate(const MotionSize& v, const InertiaSize& I) {
    return {2 * (v.angular * I.rotational + v.linear * I.first_moment),
            2 * v.angular * I.first_moment + v.linear * I.mass, 2 * v.angular * I.mass};
}
// The same motion and force about a point at some distance.
MotionSize at(double distance, const MotionSize& m) {
    return {m.angular, m.linear + distance * m.angular};
}
ForceSize at(double distance, const ForceSize& f) {
    return {f.angular + distance * f.linear, f.linear};
}

template <class Size>
void add_column(MatrixX<double>& m, int column, const Size& size) {
    m.col(column).head(3).array() += size.angular;
    m.col(column).tail(3).array() += size.linear;
}

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

int Sizes::deeper(int a, int b) const {
    const auto hangs_on = [&](int i, int root) {
        return root == 0 || (i >= root && i < model_.body(root).subtree_end);
    };
    if (hangs_on(b, a)) return b;
    return hangs_on(a, b) ? a : -1;
}

double Sizes::distance(FrameId frame, ReferenceFrame reference) const {
    return reference == ReferenceFrame::kWorld
               ? anchor_
               : frame_distance_[static_cast<std::size_t>(frame.index())];
}

double Sizes::centroid(int root) const {
    const InertiaSize& I = composite_[index(root)];
    return I.first_moment / I.mass;
}

double Sizes::gyration() const {
    return composite_[0].mass > 0 ? std::sqrt(composite_[0].rotational / composite_[0].mass) : 0;
}

std::vector<MotionSize> Sizes::velocities(const VectorX<double>& v) const {
    std::vector<MotionSize> out(inertia_.size());
    for (int i = 1, f = 0; i <= model_.num_bodies(); ++i) {
        out[index(i)] = out[index(model_.body(i).parent)];
        for (; f < model_.num_dofs() && freedoms_[index(f)].body == i; ++f) {
            const Freedom& freedom = freedoms_[index(f)];
            out[index(i)] = out[index(i)] + v[freedom.coordinate] * freedom.axis;
        }
    }
    return out;
}

std::vector<MotionSize> Sizes::accelerations(const VectorX<double>& v, const VectorX<double>& a,
                                             const MotionSize& of_ground) const {
    const std::vector<MotionSize> velocity = velocities(v);
    std::vector<MotionSize> out(inertia_.size());
    out[0] = of_ground;
    for (int i = 1, f = 0; i <= model_.num_bodies(); ++i) {
        MotionSize& a_i = out[index(i)];
        a_i = out[index(model_.body(i).parent)];
        for (; f < model_.num_dofs() && freedoms_[index(f)].body == i; ++f) {
            const Freedom& freedom = freedoms_[index(f)];
            a_i = a_i + a[freedom.coordinate] * freedom.axis +
                  v[freedom.coordinate] * cross(velocity[index(i)], freedom.axis);
        }
    }
    return out;
}

std::vector<ForceSize> Sizes::forces(const VectorX<double>& v, const VectorX<double>& a) const {
    const std::vector<MotionSize> velocity = velocities(v);
    const std::vector<MotionSize> acceleration = accelerations(v, a, {0, length(model_.gravity())});
    std::vector<ForceSize> force(inertia_.size());
    for (int i = 1; i <= model_.num_bodies(); ++i) {
        const InertiaSize& I = inertia_[index(i)];
        force[index(i)] =
            I * acceleration[index(i)] + cross_force(velocity[index(i)], I * velocity[index(i)]);
    }
    for (int i = model_.num_bodies(); i >= 1; --i) {
        ForceSize& parent = force[index(model_.body(i).parent)];
        parent = parent + force[index(i)];
    }
    return force;
}

VectorX<double> Sizes::torques(const VectorX<double>& v, const VectorX<double>& a) const {
    const std::vector<ForceSize> force = forces(v, a);
    VectorX<double> out(model_.nv());
    for (int k = 0; k < model_.nv(); ++k) {
        out[k] = model_.armature()[index(k)] * a[k] + model_.damping()[index(k)] * v[k] +
                 model_.friction()[index(k)];
    }
    for (const Freedom& f : freedoms_) out[f.coordinate] += dot(f.axis, force[index(f.body)]);
    return out;
}

VectorX<double> Sizes::gravity_torques() const {
    const VectorX<double> still = VectorX<double>::Zero(model_.nv());
    VectorX<double> out = VectorX<double>::Zero(model_.nv());
    const std::vector<ForceSize> force = forces(still, still);
    for (const Freedom& f : freedoms_) out[f.coordinate] += dot(f.axis, force[index(f.body)]);
    return out;
}

VectorX<double> Sizes::torques_of(FrameId frame, const ForceSize& force,
                                  ReferenceFrame expressed_in) const {
    // A moment about the world's origin is first taken to the body.
    const double to_body = expressed_in == ReferenceFrame::kWorld
                               ? anchor_ + distance(frame, ReferenceFrame::kBody)
                               : 0.0;
    const ForceSize at_anchor = at(to_body + distance(frame, ReferenceFrame::kBody), force);
    VectorX<double> out = VectorX<double>::Zero(model_.nv());
    for (const Freedom& f : freedoms_) {
        const int body = model_.frame(frame).body;
        if (body != 0 && deeper(f.body, body) == body) out[f.coordinate] += dot(f.axis, at_anchor);
    }
    return out;
}

MatrixX<double> Sizes::jacobian(FrameId frame, ReferenceFrame reference) const {
    MatrixX<double> out = MatrixX<double>::Zero(6, model_.nv());
    const int body = model_.frame(frame).body;
    for (const Freedom& f : freedoms_) {
        if (body == 0 || deeper(f.body, body) != body) continue;
        add_column(out, f.coordinate, at(distance(frame, reference), f.axis));
    }
    return out;
}

MatrixX<double> Sizes::jacobian_rate(FrameId frame, ReferenceFrame reference,
                                     const VectorX<double>& v) const {
    MatrixX<double> out = MatrixX<double>::Zero(6, model_.nv());
    const int body = model_.frame(frame).body;
    const double r = distance(frame, reference);
    const MotionSize velocity = at(r, velocities(v)[index(body)]);
    for (const Freedom& f : freedoms_) {
        if (body == 0 || deeper(f.body, body) != body) continue;
        add_column(out, f.coordinate, cross(velocity, at(r, f.axis)));
    }
    return out;
}

std::vector<Sizes::Carried> Sizes::carried(const std::vector<MotionSize>& velocity,
                                           const std::vector<MotionSize>& acceleration) const {
    std::vector<Carried> out;
    for (const Freedom& f : freedoms_) {
        // A freedom may be carried by those of its own joint before it: all of them together are the body's own motion.
        const MotionSize& v = velocity[index(f.body)];
        const MotionSize dot = cross(v, f.axis);
        out.push_back({dot, cross(acceleration[index(f.body)], f.axis) + cross(v, dot), 2 * dot});
    }
    return out;
}

// Of each body with all that hangs on it.
std::vector<ForceSize> Sizes::momenta(const std::vector<MotionSize>& velocity) const {
    std::vector<ForceSize> out(inertia_.size());
    for (int i = model_.num_bodies(); i >= 1; --i) {
        ForceSize& h = out[index(i)];
        h = h + inertia_[index(i)] * velocity[index(i)];
        ForceSize& parent = out[index(model_.body(i).parent)];
        parent = parent + h;
    }
    return out;
}

// Of the columns of algorithms/dynamics_derivatives.hpp, by freedom.
struct Sizes::ForceSlopeSizes {
    Carried carried;
    ForceSize by_q, by_v, by_a;
    ForceSize back;
};

std::vector<Sizes::ForceSlopeSizes> Sizes::force_slope_sizes(const VectorX<double>& v,
                                                             const VectorX<double>& a) const {
    const std::vector<MotionSize> velocity = velocities(v);
    const std::vector<Carried> axes =
        carried(velocity, accelerations(v, a, {0, length(model_.gravity())}));
    const std::vector<InertiaSize> rates = composite_rates(v);
    const std::vector<ForceSize> force = forces(v, a);
    const std::vector<ForceSize> momentum = momenta(velocity);
    std::vector<ForceSlopeSizes> out;
    for (std::size_t k = 0; k < freedoms_.size(); ++k) {
        const MotionSize& axis = freedoms_[k].axis;
        const std::size_t i = index(freedoms_[k].body);
        const auto twice_B = [&](const MotionSize& m) {
            return rates[i] * m + 2 * cross_force(m, momentum[i]);
        };
        out.push_back(
            {axes[k],
             cross_force(axis, force[i]) + twice_B(axes[k].dot) + composite_[i] * axes[k].ddot,
             twice_B(axis) + composite_[i] * axes[k].rate, composite_[i] * axis, twice_B(axis)});
    }
    return out;
}

Sizes::Slopes Sizes::torque_slopes(const VectorX<double>& v, const VectorX<double>& a) const {
    const int n = model_.nv();
    Slopes out{MatrixX<double>::Zero(n, n), MatrixX<double>::Zero(n, n)};
    const std::vector<ForceSlopeSizes> slopes = force_slope_sizes(v, a);
    for (std::size_t m = 0; m < freedoms_.size(); ++m) {
        for (std::size_t k = 0; k < freedoms_.size(); ++k) {
            // A torque at m, a step along k.
            const Freedom& f = freedoms_[m];
            const Freedom& g = freedoms_[k];
            const int body = deeper(f.body, g.body);
            if (body < 0) continue;
            double& dq = out.dq(f.coordinate, g.coordinate);
            double& dv = out.dv(f.coordinate, g.coordinate);
            if (body == g.body) {
                dq += dot(f.axis, slopes[k].by_q);
                dv += dot(f.axis, slopes[k].by_v);
            } else {
                const Carried& step = slopes[k].carried;
                dq += dot(step.dot, slopes[m].back) + dot(step.ddot, slopes[m].by_a);
                dv += dot(g.axis, slopes[m].back) + dot(step.rate, slopes[m].by_a);
            }
        }
    }
    for (int k = 0; k < n; ++k) out.dv(k, k) += model_.damping()[index(k)];
    return out;
}

Sizes::Slopes Sizes::momentum_slopes(const VectorX<double>& v) const {
    Slopes out{MatrixX<double>::Zero(6, model_.nv()), momentum_matrix()};
    const std::vector<MotionSize> velocity = velocities(v);
    const std::vector<ForceSize> momentum = momenta(velocity);
    for (const Freedom& f : freedoms_) {
        const std::size_t i = index(f.body);
        add_column(out.dq, f.coordinate,
                   cross_force(f.axis, momentum[i]) + composite_[i] * cross(velocity[i], f.axis));
    }
    return out;
}

Sizes::Slopes Sizes::force_slopes(const VectorX<double>& v, const VectorX<double>& a) const {
    Slopes out{MatrixX<double>::Zero(6, model_.nv()), MatrixX<double>::Zero(6, model_.nv())};
    const std::vector<ForceSlopeSizes> slopes = force_slope_sizes(v, a);
    for (std::size_t k = 0; k < freedoms_.size(); ++k) {
        add_column(out.dq, freedoms_[k].coordinate, slopes[k].by_q);
        add_column(out.dv, freedoms_[k].coordinate, slopes[k].by_v);
    }
    return out;
}

MatrixX<double> Sizes::frame_velocity_slopes(FrameId frame, ReferenceFrame reference,
                                             const VectorX<double>& v) const {
    return 3 * jacobian_rate(frame, reference, v);
}

Sizes::Slopes Sizes::frame_acceleration_slopes(FrameId frame, ReferenceFrame reference,
                                               const VectorX<double>& v,
                                               const VectorX<double>& a) const {
    Slopes out{MatrixX<double>::Zero(6, model_.nv()), 4 * jacobian_rate(frame, reference, v)};
    const int body = model_.frame(frame).body;
    const double r = distance(frame, reference);
    const MotionSize velocity = at(r, velocities(v)[index(body)]);
    const MotionSize acceleration = at(r, accelerations(v, a, {})[index(body)]);
    for (const Freedom& f : freedoms_) {
        if (body == 0 || deeper(f.body, body) != body) continue;
        const MotionSize axis = at(r, f.axis);
        add_column(out.dq, f.coordinate,
                   3 * cross(acceleration, axis) + 3 * cross(velocity, cross(velocity, axis)));
    }
    return out;
}

std::vector<InertiaSize> Sizes::composite_rates(const VectorX<double>& v) const {
    const std::vector<MotionSize> velocity = velocities(v);
    std::vector<InertiaSize> out(inertia_.size());
    for (int i = model_.num_bodies(); i >= 1; --i) {
        const InertiaSize own = rate(velocity[index(i)], inertia_[index(i)]);
        InertiaSize& I = out[index(i)];
        I = {I.rotational + own.rotational, I.first_moment + own.first_moment, I.mass + own.mass};
        InertiaSize& parent = out[index(model_.body(i).parent)];
        parent = {parent.rotational + I.rotational, parent.first_moment + I.first_moment,
                  parent.mass + I.mass};
    }
    return out;
}

MatrixX<double> Sizes::between_freedoms(const std::vector<InertiaSize>& composite) const {
    MatrixX<double> out = MatrixX<double>::Zero(model_.nv(), model_.nv());
    for (const Freedom& f : freedoms_) {
        for (const Freedom& g : freedoms_) {
            const int body = deeper(f.body, g.body);
            if (body < 0) continue;
            out(f.coordinate, g.coordinate) += dot(f.axis, composite[index(body)] * g.axis);
        }
    }
    return out;
}

MatrixX<double> Sizes::mass_matrix() const {
    MatrixX<double> out = between_freedoms(composite_);
    for (int k = 0; k < model_.nv(); ++k) out(k, k) += model_.armature()[index(k)];
    return out;
}

MatrixX<double> Sizes::coriolis_matrix(const VectorX<double>& v) const {
    return between_freedoms(composite_rates(v));
}

MatrixX<double> Sizes::of_momentum(const std::vector<InertiaSize>& composite, int root) const {
    MatrixX<double> out = MatrixX<double>::Zero(6, model_.nv());
    for (const Freedom& f : freedoms_) {
        const int body = deeper(f.body, root);
        if (body >= 0) add_column(out, f.coordinate, composite[index(body)] * f.axis);
    }
    return out;
}

MatrixX<double> Sizes::momentum_matrix(int root) const { return of_momentum(composite_, root); }

MatrixX<double> Sizes::momentum_matrix_rate(const VectorX<double>& v, int root) const {
    return of_momentum(composite_rates(v), root);
}

}  // namespace plucker::laws
