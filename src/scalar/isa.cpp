#include "plucker/scalar/isa.hpp"

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "isa_code.hpp"
#include "plucker/error.hpp"

namespace plucker {
namespace {

const detail::VectorCode& code_for(Isa isa) {
    switch (isa) {
#ifdef PLUCKER_WITH_GENERIC
        case Isa::kGeneric:
            return detail::kGenericCode;
#endif
#ifdef PLUCKER_WITH_AVX2
        case Isa::kAvx2:
            return detail::kAvx2Code;
#endif
#ifdef PLUCKER_WITH_AVX512
        case Isa::kAvx512:
            return detail::kAvx512Code;
#endif
        default:
            throw detail::not_built(isa);
    }
}

bool was_built(Isa isa) {
    switch (isa) {
#ifdef PLUCKER_WITH_GENERIC
        case Isa::kGeneric:
#endif
#ifdef PLUCKER_WITH_AVX2
        case Isa::kAvx2:
#endif
#ifdef PLUCKER_WITH_AVX512
        case Isa::kAvx512:
#endif
            return true;
        default:
            return false;
    }
}

bool processor_has(Isa isa) {
#ifdef __x86_64__
    __builtin_cpu_init();
    switch (isa) {
        case Isa::kAvx2:
            return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
        case Isa::kAvx512:
            return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512vl") && processor_has(Isa::kAvx2);
        case Isa::kGeneric:
            break;
    }
#endif
    return isa == Isa::kGeneric;
}

constexpr Isa kFromLeastToBest[] = {Isa::kGeneric, Isa::kAvx2, Isa::kAvx512};

bool can_run(Isa isa) { return was_built(isa) && processor_has(isa); }

[[noreturn]] void refuse(const char* forced) {
    std::string names;
    for (const Isa isa : available_isas())
        names += std::string(names.empty() ? "" : ", ") + name_of(isa);
    if (names.empty()) {
        throw Error(
            "this library was built for one machine (PLUCKER_ISAS=native), and this processor "
            "lacks its instructions; build it here, or with PLUCKER_ISAS=all");
    }
    throw Error::because("PLUCKER_ISA is '", forced, "': this machine can run ", names,
                         "; unset it to take the last of these");
}

// Within the first call of all, which allocates nothing either.
Isa choose() {
    const char* forced = std::getenv("PLUCKER_ISA");
    const bool is_free = forced == nullptr || *forced == '\0';
    std::optional<Isa> chosen;
    for (const Isa isa : kFromLeastToBest) {
        if (can_run(isa) && (is_free || std::string_view(forced) == name_of(isa))) chosen = isa;
    }
    if (!chosen) refuse(forced);
    return *chosen;
}

}  // namespace

const char* name_of(Isa isa) {
    switch (isa) {
        case Isa::kAvx2:
            return "avx2";
        case Isa::kAvx512:
            return "avx512";
        case Isa::kGeneric:
            break;
    }
    return "generic";
}

Error detail::not_built(Isa isa) {
    return Error::because("this library was built without code for ", name_of(isa));
}

std::vector<Isa> available_isas() {
    std::vector<Isa> out;
    for (const Isa isa : kFromLeastToBest) {
        if (can_run(isa)) out.push_back(isa);
    }
    return out;
}

Isa active_isa() {
    static const Isa chosen = choose();
    return chosen;
}

void sin_cos_of_all(const double* angles, int n, SinCos<double>* out) {
    static const auto compute = code_for(active_isa()).sin_cos;
    compute(angles, n, out);
}

template <>
int lanes_of<double>(Isa isa) {
    return code_for(isa).lanes_double;
}
template <>
int lanes_of<float>(Isa isa) {
    return code_for(isa).lanes_float;
}

SinCosOfAngles sin_cos_of_angles(Isa isa) { return code_for(isa).sin_cos; }

template <>
SinCosOfPacks<double> sin_cos_of_packs<double>(Isa isa) {
    return code_for(isa).sin_cos_packs_double;
}
template <>
SinCosOfPacks<float> sin_cos_of_packs<float>(Isa isa) {
    return code_for(isa).sin_cos_packs_float;
}

detail::MultiplyFactors detail::multiply_factors(Isa isa) { return code_for(isa).multiply; }

template <>
double keep_busy<double>(Isa isa, long rounds) {
    return code_for(isa).busy_double(rounds);
}
template <>
double keep_busy<float>(Isa isa, long rounds) {
    return code_for(isa).busy_float(rounds);
}

}  // namespace plucker
