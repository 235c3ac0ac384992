// A kernel that copies arrays of matrices from any strides to any others; NUMBER stands for float or double.
//
// Tiles of 32 states by 32 entries go through shared memory: each array is read and written along its own neighbours, whichever
// these are. Entries are counted row by row; whoever has them column by column swaps rows and columns.
#pragma once

namespace plucker::compiler {

// Where all threads of a block wait for each other. Parts of a program do so each at its own place in the text.
inline constexpr const char* kMeetText = R"(
__device__ __forceinline__ void plucker_meet() {
#ifdef __CUDA_ARCH__
    asm volatile("bar.sync 0;" ::: "memory");
#else
    __syncthreads();
#endif
}
)";

// After kMeetText.
inline constexpr const char* kTransposeText = R"(
extern "C" __global__ void __launch_bounds__(256)
plucker_transpose(const unsigned count, const unsigned size, const unsigned columns,
    const NUMBER* const from, const long long from_state, const long long from_row, const long long from_column,
    NUMBER* const to, const long long to_state, const long long to_row, const long long to_column) {
    __shared__ NUMBER tile[32][33];
    const unsigned tiles = (size + 31) / 32;
    const unsigned first_state = blockIdx.x / tiles * 32, first_entry = blockIdx.x % tiles * 32;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (unsigned k = warp; k < 32; k += warps) {
        const unsigned n = from_state == 1 ? lane : k, e = from_state == 1 ? k : lane;
        if (first_state + n < count && first_entry + e < size) {
            const unsigned r = (first_entry + e) / columns, c = (first_entry + e) % columns;
            tile[n][e] = from[(first_state + n) * from_state + r * from_row + c * from_column];
        }
    }
    plucker_meet();
    for (unsigned k = warp; k < 32; k += warps) {
        const unsigned n = to_state == 1 ? lane : k, e = to_state == 1 ? k : lane;
        if (first_state + n < count && first_entry + e < size) {
            const unsigned r = (first_entry + e) / columns, c = (first_entry + e) % columns;
            to[(first_state + n) * to_state + r * to_row + c * to_column] = tile[n][e];
        }
    }
}
)";

}  // namespace plucker::compiler
