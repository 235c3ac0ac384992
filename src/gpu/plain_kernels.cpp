#include "plain_kernels.hpp"

#include "../compiler/transpose_text.hpp"

namespace plucker::gpu {

std::string text_of(const PlainKernel& kernel, bool is_narrow) {
    std::string text = compiler::kMeetText + std::string(kernel.text);
    const std::string word = "NUMBER";
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;)
        text.replace(at, word.size(), is_narrow ? "float" : "double");
    return text;
}

const PlainKernel kTranspose{"plucker_transpose", compiler::kTransposeText, 256};

// A thread has 36 sums of one state in registers. Blocks of the same states follow each other, so that the matrices come from
// the GPU's cache. Beyond the last row and column the last is computed once more, and not given.
const PlainKernel kProduct{"plucker_product", R"(
extern "C" __global__ void __launch_bounds__(128)
plucker_product(const unsigned count, const unsigned size, const unsigned inner, const NUMBER times,
    const NUMBER* const a, const long long a_state, const long long a_row, const long long a_column,
    const NUMBER* const b, const long long b_state, const long long b_row, const long long b_column, const NUMBER plus,
    const NUMBER* const c, const long long c_state, const long long c_row, const long long c_column,
    NUMBER* const to, const long long to_state, const long long to_row, const long long to_column,
    unsigned char* const found) {
    const unsigned tiles = (size + 5) / 6;
    const unsigned n = blockIdx.x / (tiles * tiles) * 128 + threadIdx.x, tile = blockIdx.x % (tiles * tiles);
    if (n >= count) return;
    unsigned row[6], column[6];
    for (unsigned i = 0; i < 6; ++i) {
        row[i] = tile / tiles * 6 + i < size ? tile / tiles * 6 + i : size - 1;
        column[i] = tile % tiles * 6 + i < size ? tile % tiles * 6 + i : size - 1;
    }
    NUMBER sum[6][6] = {};
    for (unsigned k = 0; k < inner; ++k) {
        NUMBER x[6], y[6];
        for (unsigned i = 0; i < 6; ++i) x[i] = a[n * a_state + row[i] * a_row + k * a_column];
        for (unsigned i = 0; i < 6; ++i) y[i] = b[n * b_state + k * b_row + column[i] * b_column];
        for (unsigned i = 0; i < 6; ++i) {
            for (unsigned j = 0; j < 6; ++j) sum[i][j] += x[i] * y[j];
        }
    }
    NUMBER check = 0;
    for (unsigned i = 0; i < 6; ++i) {
        for (unsigned j = 0; j < 6; ++j) {
            if (tile / tiles * 6 + i >= size || tile % tiles * 6 + j >= size) continue;
            NUMBER value = times * sum[i][j];
            if (plus != 0) value += plus * c[n * c_state + row[i] * c_row + column[j] * c_column];
            to[n * to_state + row[i] * to_row + column[j] * to_column] = value;
            check += value * 0;
        }
    }
    if (!(check == 0) && found[n] == 0) found[n] = 3;
}
)",
                           128};

const PlainKernel kNote{"plucker_note", R"(
extern "C" __global__ void __launch_bounds__(256)
plucker_note(const unsigned count, const unsigned char* const part, unsigned char* const found) {
    const unsigned n = blockIdx.x * 256 + threadIdx.x;
    if (n < count && found[n] == 0) found[n] = part[n];
}
)",
                        256};

const PlainKernel kWithdraw{"plucker_withdraw", R"(
extern "C" __global__ void __launch_bounds__(256)
plucker_withdraw(const unsigned count, const unsigned char* const found, const unsigned rows, const unsigned columns,
    NUMBER* const x, const long long x_state, const long long x_row, const long long x_column) {
    const unsigned n = blockIdx.x * 256 + threadIdx.x;
    if (n >= count || found[n] == 0) return;
    const NUMBER zero = 0;
    for (unsigned r = 0; r < rows; ++r) {
        for (unsigned c = 0; c < columns; ++c) x[n * x_state + r * x_row + c * x_column] = zero / zero;
    }
}
)",
                            256};

const PlainKernel kTell{"plucker_tell", R"(
extern "C" __global__ void __launch_bounds__(256)
plucker_tell(const unsigned count, const unsigned char* const found, unsigned char* const status,
    unsigned long long* const flagged) {
    const unsigned n = blockIdx.x * 256 + threadIdx.x;
    if (n >= count) return;
    if (status != 0) status[n] = found[n];
    if (found[n] != 0 && flagged != 0) atomicAdd(flagged, 1ull);
}
)",
                        256};

// A state that has no acceleration stays.
const PlainKernel kAdvance{"plucker_advance", R"(
extern "C" __global__ void __launch_bounds__(256)
plucker_advance(const unsigned count, const unsigned size, const double step, const NUMBER* const a, NUMBER* const v,
    NUMBER* const far, const unsigned char* const status) {
    const unsigned n = blockIdx.x * 256 + threadIdx.x;
    if (n >= count) return;
    const NUMBER h = (NUMBER)step;
    const int moves = status[n] == 0;
    for (unsigned k = 0; k < size; ++k) {
        const unsigned long long at = (unsigned long long)k * count + n;
        const NUMBER next = moves ? v[at] + h * a[at] : v[at];
        v[at] = next;
        far[at] = moves ? h * next : 0;
    }
}
)",
                           256};

}  // namespace plucker::gpu
