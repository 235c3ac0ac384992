// From the arguments of a batch function to a job, with every check on the way.
#pragma once

#include "job.hpp"
#include "overlap.hpp"

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
        out_names_[static_cast<std::size_t>(job_.num_outputs)] = name;
        job_.out[static_cast<std::size_t>(job_.num_outputs++)] = m;
        return *this;
    }
    Call& floating_base() {
        if (!model_.has_floating_base()) throw plucker::detail::fixed_base(function_, model_);
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
        if (root < 0 || root > model_.num_bodies()) {
            throw plucker::detail::no_such_body(function_, model_, root);
        }
        if (!(model_.body(root).subtree_mass > 0)) {
            throw plucker::detail::no_mass(function_, model_, root);
        }
        job_.parameters.root = root;
        return *this;
    }
    Call& given(std::span<const Given> given) {
        check_size(function_, "given", static_cast<long>(given.size()), model_.num_bodies() + 1,
                   "one entry a body, and entry 0");
        if (const int joint = plucker::detail::first_given_mimic(model_, given); joint != 0) {
            throw plucker::detail::given_mimic(function_, model_, joint);
        }
        job_.parameters.given = given.data();
        return *this;
    }
    Job<T> with(std::span<Status> status) {
        check_memory();
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
    std::array<const char*, kMaxInputs> in_names_{};
    std::array<const char*, kMaxOutputs> out_names_{};
    const char* counted_ = nullptr;  // the argument that fixed the number of states

    Call& input(const char* name, const States<const T>& x, long size, const char* symbol) {
        count(name, x.count);
        check_size(function_, name, x.size, size, symbol);
        in_names_[static_cast<std::size_t>(job_.num_inputs)] = name;
        job_.in[static_cast<std::size_t>(job_.num_inputs++)] = x;
        return *this;
    }
    // An output may be an input, number for number; any other sharing would be read after it was written.
    void check_memory() const {
        constexpr auto kSize = static_cast<long>(sizeof(T));
        for (std::size_t o = 0; o < static_cast<std::size_t>(job_.num_outputs); ++o) {
            const Lattice out(job_.out[o]);
            for (std::size_t i = 0; i < static_cast<std::size_t>(job_.num_inputs); ++i) {
                const Lattice in(job_.in[i]);
                if (!are_the_same(in, out) && share_memory(in, out, kSize)) {
                    throw Error::because(function_, ": the output ", out_names_[o],
                                         " shares memory with the input ", in_names_[i],
                                         "; give it its own, or the very same array");
                }
            }
            if (job_.external != nullptr &&
                share_memory(Lattice(job_.external->forces), out, kSize)) {
                throw Error::because(function_, ": the output ", out_names_[o],
                                     " shares memory with the external forces; give it its own");
            }
            for (std::size_t other = 0; other < o; ++other) {
                if (share_memory(Lattice(job_.out[other]), out, kSize)) {
                    throw plucker::detail::shared_output(function_, out_names_[other],
                                                         out_names_[o]);
                }
            }
        }
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
        if (!model_.owns(frame)) throw plucker::detail::foreign_frame(function_, model_, frame);
    }
};

}  // namespace plucker::batch
