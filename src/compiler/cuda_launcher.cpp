#include "cuda_launcher.hpp"

#include <algorithm>

#include "function_writer.hpp"
#include "transpose_text.hpp"

namespace plucker::compiler {
namespace {

// As the evaluator has it: small matrices are written as they are.
bool goes_through_planes(const Group& group, long number_size) {
    constexpr long kFewBytes = 64;
    return group.rows > 1 && group.columns > 1 && group.size() * number_size > kFewBytes;
}

}  // namespace

CudaLauncher::CudaLauncher(const Algorithm& row, const Program& program, const KernelChecks& checks,
                           const std::string& name, GeneratedPrecision precision, StatesIn states)
    : program_(program), name_(name), precision_(precision), states_(states) {
    KernelOptions how;
    how.precision = precision;
    how.shape = shape_for(program, precision);
    // What is read and written over is the same array.
    if (std::any_of(row.outputs.begin(), row.outputs.end(),
                    [](const Argument& output) { return output.reads != Reads::kNothing; }))
        how.shape.parts = 1, how.shape.slice = 0;
    how.checks = checks;

    const bool rows = states == StatesIn::kRows;
    const FunctionWriter writer(program, precision);
    const auto as_it_is = [&](bool is_moved) {
        return KernelArray{rows && !is_moved ? ArrayLayout::kRows : ArrayLayout::kPlanes,
                           EntryOrder::kByColumns};
    };
    for (const Group& group : program.input_groups) {
        inputs_.push_back({"const " + number() + "* ", group.name, group.size(), false});
        how.inputs.push_back(as_it_is(false));
    }
    for (const Group& group : program.output_groups) {
        const bool is_moved = rows && goes_through_planes(group, number_size());
        outputs_.push_back({number() + "* ", writer.output_name(group), group.size(), is_moved});
        how.outputs.push_back(as_it_is(is_moved));
        if (is_moved) numbers_between_ += group.size();
    }
    texts_ = kernel_texts(program, name + (rows ? "_rows" : "") + "_kernel", how);
    may_be_in_place_ = !is_sliced() && texts_.kernels[0].parts == 1;
    numbers_between_ += texts_.num_kept;
    if (numbers_between_ > 0 || is_sliced()) bytes_between_ = number_size() * numbers_between_ + 1;
}

long CudaLauncher::states_at_once() const {
    constexpr long kMostBytes = 1L << 30, kMostStates = 1L << 20, kMostOfLaunch = 1L << 30;
    if (bytes_between_ == 0) return kMostOfLaunch;
    return std::clamp(kMostBytes / bytes_between_ / 32 * 32, 32L, kMostStates);
}
// The bytes of a plane are counted in 32 bits.
long CudaLauncher::most_states() const { return ((1L << 32) - 1) / number_size(); }

bool CudaLauncher::needs_transpose() const {
    return std::any_of(outputs_.begin(), outputs_.end(),
                       [](const Array& array) { return array.is_moved; });
}

std::string CudaLauncher::kernels() const {
    std::string out;
    for (const KernelText& kernel : texts_.kernels) out += "\n" + kernel.text;
    return out;
}

std::string CudaLauncher::head() const {
    std::string out = "int " + name_ + (states_ == StatesIn::kRows ? "_rows" : "") + "(long count";
    for (const auto* arrays : {&inputs_, &outputs_}) {
        for (const Array& array : *arrays) out += ", " + array.type + array.name;
    }
    return out + ", unsigned char* status, void* stream)";
}

std::string CudaLauncher::checks() const {
    std::string out = "    if (count <= 0) return 0;\n";
    if (states_ == StatesIn::kPlanes)
        out += "    if (count > " + std::to_string(most_states()) +
               ") return (int)cudaErrorInvalidValue;\n";
    if (may_be_in_place_) return out;
    std::string same;
    for (const Array& input : inputs_) {
        for (const Array& output : outputs_)
            same += (same.empty() ? "" : " || ") + input.name + " == " + output.name;
    }
    return same.empty() ? out : out + "    if (" + same + ") return (int)cudaErrorInvalidValue;\n";
}

// States [first, first + n).
std::string CudaLauncher::piece() const {
    const bool rows = states_ == StatesIn::kRows;
    std::string declared =
        "        unsigned n = (unsigned)plucker_least(count - first, most);\n"
        "        unsigned char* status_n = status != 0 ? status + first : 0;\n"
        "        unsigned long long* flagged = 0;\n";
    std::string arguments = "&n";
    if (!rows)
        declared +=
            "        unsigned plane = (unsigned)(count * " + std::to_string(number_size()) + ");\n";
    if (numbers_between_ > 0)
        declared += "        unsigned plane_between = (unsigned)(most * " +
                    std::to_string(number_size()) + ");\n        " + number() + "* between = (" +
                    number() + "*)memory;\n";
    const auto add = [&](const Array& array, const std::string& place) {
        declared += "        " + array.type + array.name + "_n = " + place + ";\n";
        arguments += ", &" + array.name + "_n";
        if (array.is_moved || !rows) arguments += array.is_moved ? ", &plane_between" : ", &plane";
    };
    const auto add_kept = [&] {
        if (texts_.num_kept > 0) arguments += ", &between, &plane_between";
    };
    const auto in_place = [&](const Array& array) {
        return array.name + " + first" + (rows ? " * " + std::to_string(array.size) : "");
    };
    for (const Array& array : inputs_) add(array, in_place(array));
    add_kept();
    long moved = texts_.num_kept;
    std::string transposes;
    for (const Array& array : outputs_) {
        if (!array.is_moved) {
            add(array, in_place(array));
            continue;
        }
        add(array, "between + " + std::to_string(moved) + " * most");
        moved += array.size;
        transposes += "        if (error == cudaSuccess) error = plucker_to_rows(n, " +
                      std::to_string(array.size) + ", " + array.name + "_n, most, " +
                      in_place(array) + ", (cudaStream_t)stream);\n";
    }
    add_kept();
    arguments += ", &status_n, &flagged";
    if (is_sliced()) {
        declared += "        unsigned char* so_far = (unsigned char*)memory + " +
                    std::to_string(number_size() * numbers_between_) + " * most;\n";
        arguments += ", &so_far";
    }
    std::string launches;
    for (const KernelText& kernel : texts_.kernels)
        launches += "        if (error == cudaSuccess) error = plucker_launch(" + kernel.name +
                    ", n, " + std::to_string(kernel.states) + ", " +
                    std::to_string(kernel.threads) + ", " + std::to_string(kernel.shared_memory) +
                    ", arguments, (cudaStream_t)stream);\n";
    return declared + "        void* arguments[] = {" + arguments + "};\n" + launches + transposes;
}

std::string CudaLauncher::launcher() const {
    const std::string most = std::to_string(states_at_once());
    std::string out = "extern \"C\" " + head() + " {\n" + checks() +
                      "    const long most = plucker_least(count, PLUCKER_STATES_AT_ONCE(" + most +
                      "));\n    cudaError_t error = cudaSuccess;\n";
    if (bytes_between_ > 0)
        out +=
            "    char* memory = 0;\n    error = cudaMallocAsync((void**)&memory, (size_t)most * " +
            std::to_string(bytes_between_) +
            ", (cudaStream_t)stream);\n    if (error != cudaSuccess) return (int)error;\n";
    out += "    for (long first = 0; first < count && error == cudaSuccess; first += most) {\n" +
           piece() + "    }\n";
    if (bytes_between_ > 0)
        out +=
            "    const cudaError_t released = cudaFreeAsync(memory, (cudaStream_t)stream);\n"
            "    if (error == cudaSuccess) error = released;\n";
    return out + "    return (int)error;\n}\n";
}

std::string transpose_text(GeneratedPrecision precision) {
    std::string text = kTransposeText;
    const std::string word = "NUMBER";
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;)
        text.replace(at, word.size(), precision == GeneratedPrecision::kF32 ? "float" : "double");
    return text;
}

std::string launch_helpers(GeneratedPrecision precision, bool transposes) {
    const std::string number = precision == GeneratedPrecision::kF32 ? "float" : "double";
    std::string out = R"(/* How many states share the memory in between. */
#ifndef PLUCKER_STATES_AT_ONCE
#define PLUCKER_STATES_AT_ONCE(usual) (usual)
#endif
static long plucker_least(long a, long b) { return a < b ? a : b; }

/* Blocks of so many states each. Beyond 48 kB of shared memory a kernel must be allowed it. */
template <class Kernel>
static cudaError_t plucker_launch(Kernel* kernel, unsigned count, unsigned states, unsigned threads, size_t shared,
                                  void** arguments, cudaStream_t stream) {
    if (shared > 48 * 1024) {
        const cudaError_t error =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
        if (error != cudaSuccess) return error;
    }
    return cudaLaunchKernel((const void*)kernel, dim3((count + states - 1) / states), dim3(threads), arguments,
                            shared, stream);
}
)";
    if (!transposes) return out + "\n";
    out += "static cudaError_t plucker_to_rows(unsigned count, unsigned size, const " + number +
           "* from, long long plane, " + number + R"(* to, cudaStream_t stream) {
    unsigned columns = size;
    long long none = 0, one = 1, row = size;
    void* arguments[] = {&count, &size, &columns, &from, &one, &none, &plane, &to, &row, &none, &one};
    return plucker_launch(plucker_transpose, (count + 31) / 32 * ((size + 31) / 32), 1, 256, 0, arguments, stream);
}
)";
    return out + "\n";
}

}  // namespace plucker::compiler
