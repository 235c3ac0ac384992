// Instruction sets: the library holds its hot code compiled for several and picks one when it starts.
//
// The environment variable PLUCKER_ISA forces one by name. Results of different instruction sets differ in
// the last digits (only some have a fused multiply-add); those of one are the same bits on any machine.
#pragma once

#include <vector>

#include "plucker/error.hpp"
#include "plucker/scalar/scalar.hpp"

namespace plucker {

enum class Isa {
    kGeneric,  // what every processor of this kind has: SSE2 on x86-64, NEON on ARM
    kAvx2,     // AVX2 and FMA: 4 doubles or 8 floats at once
    kAvx512,   // AVX-512 F, DQ, VL: 8 doubles or 16 floats at once
};

const char* name_of(Isa isa);

namespace detail {
// Asked for code that CMake's PLUCKER_ISAS left out.
Error not_built(Isa isa);
}  // namespace detail

// Those that this library was built with and this processor can run, in ascending order.
std::vector<Isa> available_isas();

// The one in use: the last of those, or the one that PLUCKER_ISA names. Throws Error where that is none.
Isa active_isa();

// How many states a batch computes at once.
template <class T>
int lanes_of(Isa isa);
template <>
int lanes_of<double>(Isa isa);
template <>
int lanes_of<float>(Isa isa);

// Sines and cosines of n packs of lanes_of<T>(isa) angles each: of each pack its sines, then its cosines.
template <class T>
using SinCosOfPacks = void (*)(const T* angles, int n, T* out);
template <class T>
SinCosOfPacks<T> sin_cos_of_packs(Isa isa);
template <>
SinCosOfPacks<double> sin_cos_of_packs<double>(Isa isa);
template <>
SinCosOfPacks<float> sin_cos_of_packs<float>(Isa isa);

// What sin_cos_of_all (scalar.hpp) calls there.
using SinCosOfAngles = void (*)(const double* angles, int n, SinCos<double>* out);
SinCosOfAngles sin_cos_of_angles(Isa isa);

// Runs `rounds` of multiply-adds that wait for nothing, in registers: what a processor reaches at best. Returns how many
// floating-point operations that was.
template <class T>
double keep_busy(Isa isa, long rounds);
template <>
double keep_busy<double>(Isa isa, long rounds);
template <>
double keep_busy<float>(Isa isa, long rounds);

}  // namespace plucker
