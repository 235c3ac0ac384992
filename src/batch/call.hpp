// From the arguments of a batch function to a job, with every check on the way.
#pragma once

#include "job.hpp"

namespace plucker::batch {

// Puts a call together, checking every argument on the way.
template <class T>
class Call {
public:
    Call(const char* function, const Model& model, Algorithm algorithm)
        : function_(function), model_(model) {
        job_.algorithm = algorithm;
    }

    Call& q(const char* name, const States<const T>& x) {
        return input(name, x, model_.nq(), "nq");
    }
    Call& v(const char* name, const States<const T>& x) {
        return input(name, x, model_.nv(), "nv");
    }
    Call& out(const char* name, const Matrices<T>& m, long rows, long columns = 1) {
        count(name, m.count);
        check_shape(function_, name, m.rows, m.columns, rows, columns);
        job_.out[static_cast<std::size_t>(job_.num_outputs++)] = m;
        return *this;
    }
    Call& forces(const ExternalForces<T>& external) {
        if (external.places.empty()) return *this;
        count("forces", external.forces.count);
        check_size(function_, "forces", external.forces.size,
                   6 * static_cast<long>(external.places.size()), "6 for each place");
        for (const auto& place : external.places) check_frame(place.frame);
        job_.external = &external;
        return *this;
    }
    Call& frame(FrameId frame, ReferenceFrame reference = ReferenceFrame::kBody) {
        check_frame(frame);
        job_.parameters.frame = frame;
        job_.parameters.reference = reference;
        return *this;
    }
    Call& root(int root) {
        plucker::detail::check_body(function_, model_, root);
        job_.parameters.root = root;
        return *this;
    }
    Call& given(std::span<const Given> given) {
        check_size(function_, "given", static_cast<long>(given.size()), model_.num_bodies() + 1,
                   "one entry a body, and entry 0");
        job_.parameters.given = given.data();
        return *this;
    }
    Job<T> with(std::span<Status> status) {
        if (!status.empty()) {
            count("status", static_cast<long>(status.size()));
            job_.status = status.data();
        }
        return job_;
    }

private:
    const char* function_;
    const Model& model_;
    Job<T> job_{};
    const char* counted_ = nullptr;  // the argument that fixed the number of states

    Call& input(const char* name, const States<const T>& x, long size, const char* symbol) {
        count(name, x.count);
        check_size(function_, name, x.size, size, symbol);
        job_.in[static_cast<std::size_t>(job_.num_inputs++)] = x;
        return *this;
    }
    void count(const char* name, long n) {
        if (counted_ == nullptr) {
            job_.count = n;
            counted_ = name;
        } else if (n != job_.count) {
            throw Error::because(function_, ": ", name, " has ", n, " states, but ", counted_,
                                 " has ", job_.count);
        }
    }
    void check_frame(FrameId frame) {
        const auto n = static_cast<int>(model_.frames().size());
        if (static_cast<int>(frame) < 0 || static_cast<int>(frame) >= n) {
            throw Error::because(function_, ": there is no frame ", static_cast<int>(frame),
                                 "; the model has ", n, " frames, see Model::frame_id");
        }
    }
};

}  // namespace plucker::batch
