// The numbers that the algorithms need about one moving body and the joint that carries it.
//
// Joints are canonical: the body's frame is chosen so that a revolute, prismatic, helical, cylindrical
// or planar joint has z as its axis, and a universal joint turns about x, then y. The frame that the
// user knows is a named frame, a constant rotation away (see model/model.hpp).
#pragma once

#include <cstdint>

#include "plucker/spatial/inertia.hpp"

namespace plucker {

// In the order of JointTypes, the list of their classes in joint.hpp.
enum class JointType : std::uint8_t {
    kFixed,
    kRevolute,
    kPrismatic,
    kHelical,
    kCylindrical,
    kUniversal,
    kSpherical,
    kPlanar,
    kTranslation,
    kFloating,
};

template <class T>
struct Body {
    JointType joint = JointType::kFixed;
    bool mimic = false;   // its coordinate is multiplier · (another joint's) + offset
    int parent = 0;       // body number; 0 is the world, and every parent is smaller than its child
    int level = 0;        // how many bodies from the world, which has level 0
    int subtree_end = 0;  // bodies [i, subtree_end) are body i and all that hang on it
    int q_index = 0;      // first configuration coordinate
    int nq = 0;
    int v_index = 0;  // first velocity coordinate; for a mimic joint, that of the joint it follows
    int nv = 0;
    int dof_index = 0;    // first column in the list of all bodies' motion subspaces
    int angle_index = 0;  // first entry in the list of sines and cosines
    T multiplier = T(1);
    T offset = T(0);
    T pitch = T(0);         // helical joint: metres per radian
    Transform<T> X_tree{};  // joint frame ← parent frame, at zero joint position
    Inertia<T> inertia{};   // of the body, about its frame's origin
    T subtree_mass = T(0);  // of the body and all that hang on it
};

template <class To, class From>
Body<To> cast(const Body<From>& b) {
    return {b.joint,
            b.mimic,
            b.parent,
            b.level,
            b.subtree_end,
            b.q_index,
            b.nq,
            b.v_index,
            b.nv,
            b.dof_index,
            b.angle_index,
            static_cast<To>(b.multiplier),
            static_cast<To>(b.offset),
            static_cast<To>(b.pitch),
            cast<To>(b.X_tree),
            cast<To>(b.inertia),
            static_cast<To>(b.subtree_mass)};
}

}  // namespace plucker
