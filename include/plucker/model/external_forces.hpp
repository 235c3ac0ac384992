// External forces on a robot's bodies: contacts, wind, a hand.
//
// A list that you fill for every call. clear() keeps its memory, so a list that has reached its largest
// size does not allocate again; it starts with room for one force per frame.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/workspace.hpp"

namespace plucker {

// Where a force acts, and in which coordinates it is expressed.
struct ForcePlace {
    FrameId frame;
    ReferenceFrame expressed_in;
};

template <class S>
class ExternalForces {
public:
    struct Entry {
        FrameId frame;
        int body;
        ReferenceFrame expressed_in;
        Force<S> force;
    };

    explicit ExternalForces(const Model& model) : model_(model) {
        entries_.reserve(model.frames().size());
    }

    const Model& model() const { return model_; }
    void clear() { entries_.clear(); }
    void reserve(std::size_t forces) { entries_.reserve(forces); }
    // A force on the body that carries `frame`, expressed in the frame itself, in the world (moment
    // about the world's origin), or along the world's axes at the frame's origin.
    void add(FrameId frame, const Force<S>& force, ReferenceFrame expressed_in) {
        entries_.push_back({frame, model_.frame(frame).body, expressed_in, force});
    }
    void add(const std::string& frame, const Force<S>& force, ReferenceFrame expressed_in) {
        add(model_.frame_id(frame), force, expressed_in);
    }

    const std::vector<Entry>& entries() const { return entries_; }
    bool need_poses() const {
        for (const Entry& entry : entries_) {
            if (entry.expressed_in != ReferenceFrame::kBody) return true;
        }
        return false;
    }

private:
    Model model_;
    std::vector<Entry> entries_;
};

// An optional argument: null for none. It takes no part in deducing S.
template <class S>
using MaybeForces = const ExternalForces<std::type_identity_t<S>>*;

}  // namespace plucker
