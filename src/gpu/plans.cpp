#include "plans.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "compositions.hpp"
#include "plucker/compiler/recorder.hpp"
#include "plucker/version.hpp"

namespace plucker::gpu {
namespace {

using compiler::ArrayLayout;
using compiler::EntryOrder;
using compiler::KernelArray;

// Kernels of one algorithm with different options, or arrays. Beyond, the oldest is forgotten.
constexpr std::size_t kMostKept = 64;

template <class T>
compiler::RecordOptions options_of(const Algorithm& row, const BatchOperands<T>& x) {
    compiler::RecordOptions out;
    if (row.inputs.has(Kind::kFrame)) out.frame = x.frame;
    if (row.inputs.has(Kind::kReference)) out.reference = x.reference;
    if (row.inputs.has(Kind::kRoot)) out.root = x.root;
    if (row.inputs.has(Kind::kGiven)) out.given.assign(x.given.begin(), x.given.end());
    if (row.inputs.has(Kind::kForces) && x.external != nullptr) out.forces = x.external->places;
    return out;
}
bool are_equal(const compiler::RecordOptions& a, const compiler::RecordOptions& b) {
    const auto same = [](const ForcePlace& one, const ForcePlace& other) {
        return one.frame == other.frame && one.expressed_in == other.expressed_in;
    };
    return a.frame == b.frame && a.reference == b.reference && a.root == b.root &&
           a.given == b.given &&
           std::equal(a.forces.begin(), a.forces.end(), b.forces.begin(), b.forces.end(), same);
}

// Shapes were measured on a GPU whose blocks can have much shared memory. With less they have fewer states, or are in one part.
compiler::KernelTexts texts_that_fit(const compiler::Program& program, const std::string& name,
                                     compiler::KernelOptions& how, std::size_t shared_memory) {
    constexpr int kWarp = 32;
    while (true) {
        compiler::KernelTexts texts = compiler::kernel_texts(program, name, how);
        if (texts.kernels[0].shared_memory <= shared_memory) return texts;
        if (how.shape.threads > kWarp) {
            how.shape.threads /= 2;
        } else {
            how.shape.parts = 1;
        }
    }
}

// Whether an output is an input.
template <class T>
bool shares_memory(const BatchOperands<T>& x) {
    for (int o = 0; o < x.num_outputs; ++o) {
        for (int i = 0; i < x.num_inputs; ++i) {
            if (x.outputs[static_cast<std::size_t>(o)].data ==
                x.inputs[static_cast<std::size_t>(i)].data)
                return true;
        }
    }
    return false;
}

}  // namespace

// Numbers of a plane, whose bytes a kernel counts in 32 bits.
constexpr long kMostOfPlane = (1L << 32) / 8;

KernelArray layout_of(long rows, long columns, long state_stride, long row_stride,
                      long column_stride) {
    const bool one_column = columns == 1, one_row = rows == 1;
    const long size = rows * columns;
    // Of dense matrices, and of planes of them, either order.
    for (const EntryOrder order : {EntryOrder::kByColumns, EntryOrder::kByRows}) {
        const bool by_columns = order == EntryOrder::kByColumns;
        const long inner = by_columns ? row_stride : column_stride;
        const long outer = by_columns ? column_stride : row_stride;
        const long inner_size = by_columns ? rows : columns;
        const bool no_outer = by_columns ? one_column : one_row;
        const bool no_inner = by_columns ? one_row : one_column;
        const bool in_step = no_outer || no_inner || outer == inner_size * inner;
        if (!in_step) continue;
        const long step = no_inner ? outer : inner;
        if (state_stride == 1 && size > 1 && step >= 0 && step < kMostOfPlane)
            return {ArrayLayout::kPlanes, order};
        if (state_stride == size && (step == 1 || size == 1)) return {ArrayLayout::kRows, order};
    }
    return {ArrayLayout::kAnything, EntryOrder::kByColumns};
}

namespace {

// As the kernel finds it.
template <class T>
KernelArray seen_by_kernel(const batch::Matrices<T>& x) {
    if (goes_through_planes(x)) return {ArrayLayout::kPlanes, EntryOrder::kByRows};
    return layout_of(x.rows, x.columns, x.state_stride, x.row_stride, x.column_stride);
}

}  // namespace

template <class T>
ArrayLayouts layouts_of(const Algorithm& row, const BatchOperands<T>& x) {
    ArrayLayouts out;
    const CallArrays<T> arrays(row, x);
    for (const auto& array : arrays.inputs) out.inputs.push_back(seen_by_kernel(array));
    for (const auto& array : arrays.outputs) out.outputs.push_back(seen_by_kernel(array));
    return out;
}

template <class T>
Plans<T>::Plans(const Model& model, Device& device, const Options& options)
    : model_(model),
      device_(device),
      cache_(options.cache_folder),
      shape_(options.shape),
      most_nodes_(options.most_nodes),
      made_(algorithms().size()) {}

template <class T>
Plan& Plans<T>::find(int row, const BatchOperands<T>& x) {
    const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
    const compiler::RecordOptions options = options_of(algorithm, x);
    ArrayLayouts layouts = layouts_of(algorithm, x);
    const bool in_place = shares_memory(x);
    auto& known = made_[static_cast<std::size_t>(row)];
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& plan) {
        return plan->layouts == layouts && plan->in_place == in_place &&
               are_equal(plan->options, options);
    });
    if (found != known.end()) return **found;
    known.push_back(make(row, x, std::move(layouts)));
    if (known.size() > kMostKept) {
        forgotten_.push_back(std::move(known.front()));
        known.erase(known.begin());
    }
    return *known.back();
}

template <class T>
std::unique_ptr<Plan> Plans<T>::make(int row, const BatchOperands<T>& x,
                                     ArrayLayouts layouts) const {
    const auto begin = std::chrono::steady_clock::now();
    const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
    auto plan = std::make_unique<Plan>();
    plan->options = options_of(algorithm, x);
    plan->layouts = std::move(layouts);
    plan->in_place = shares_memory(x);
    const bool reads_outputs =
        std::any_of(algorithm.outputs.begin(), algorithm.outputs.end(),
                    [](const Argument& output) { return output.reads != Reads::kNothing; });
    plan->options.most_nodes = most_nodes_of<T>(algorithm, most_nodes_);
    KernelReport& report = plan->report;
    report.name = algorithm.name;
    compiler::Program program;
    try {
        program = compiler::record(model_, row, plan->options).program;
    } catch (const compiler::ProgramTooLong&) {
        if (!can_be_composed(algorithm)) throw too_long(algorithm, model_);
        report.is_composed = true;
        report.from_cache = true;  // parts may say otherwise
        report.kernels = 0;
        for (int k = 0; k < x.num_inputs; ++k)
            report.bytes_read +=
                static_cast<long>(sizeof(T)) * x.inputs[static_cast<std::size_t>(k)].size;
        for (int k = 0; k < x.num_outputs; ++k) {
            const auto& to = x.outputs[static_cast<std::size_t>(k)];
            report.bytes_written += static_cast<long>(sizeof(T)) * to.rows * to.columns;
        }
        return plan;
    }
    for (int k = 0; k < algorithm.outputs.size(); ++k) {
        compiler::Group& group = program.output_groups[static_cast<std::size_t>(k)];
        if (stands_row_by_row(algorithm.outputs[k].kind)) std::swap(group.rows, group.columns);
    }

    compiler::KernelOptions how;
    how.precision = sizeof(T) == 4 ? GeneratedPrecision::kF32 : GeneratedPrecision::kF64;
    how.inputs = plan->layouts.inputs;
    how.outputs = plan->layouts.outputs;
    how.checks = compiler::checks_of(algorithm, model_, plan->options);
    how.shape = shape_ ? *shape_ : compiler::shape_for(program, how.precision);
    if (plan->in_place || reads_outputs) how.shape.parts = 1, how.shape.slice = 0;
    const std::string name = std::string("plucker_") + algorithm.name;
    const compiler::KernelTexts texts =
        texts_that_fit(program, name, how, device_.info().shared_memory);
    plan->num_kept = texts.num_kept;
    plan->kernels.resize(texts.kernels.size());
    const auto make_kernel = [&](std::size_t k) {
        const compiler::KernelText& kernel = texts.kernels[k];
        bool from_cache = false;
        plan->kernels[k] = {kernel.threads, kernel.states, kernel.shared_memory,
                            kernel_from(compiler::kernel_prelude(how.precision) + kernel.text,
                                        kernel.name, from_cache)};
        return from_cache;
    };
    // A compiler takes one core, and seconds.
    std::atomic<std::size_t> next = 0;
    const auto make_some = [&] {
        bool all_from_cache = true;
        for (std::size_t k; (k = next++) < texts.kernels.size();)
            all_from_cache = make_kernel(k) && all_from_cache;
        return all_from_cache;
    };
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::future<bool>> others;
    for (std::size_t k = 1; k < std::min(cores, texts.kernels.size()); ++k)
        others.push_back(std::async(std::launch::async, make_some));
    report.from_cache = make_some();
    for (auto& other : others) report.from_cache = other.get() && report.from_cache;
    report.kernels = static_cast<int>(texts.kernels.size());
    report.bytes_kept = static_cast<long>(sizeof(T)) * texts.num_kept;
    report.operations = program.num_operations();
    report.bytes_read = static_cast<long>(sizeof(T)) * program.num_inputs();
    report.bytes_written = static_cast<long>(sizeof(T) * program.outputs.size());
    for (const PlannedKernel& made : plan->kernels) {
        report.registers = std::max(report.registers, made.kernel->registers);
        report.local_memory = std::max(report.local_memory, made.kernel->local_memory);
    }
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return plan;
}

template <class T>
std::unique_ptr<Kernel> Plans<T>::kernel_from(const std::string& text, const std::string& name,
                                              bool& from_cache) const {
    const DeviceInfo& info = device_.info();
    const std::string key = std::string("plucker ") + kVersion + "\n" + info.architecture + "\n" +
                            info.toolchain + "\n" + text;
    from_cache = false;
    if (const auto kept = cache_.find(key)) {
        try {
            auto kernel = device_.load(*kept, name);
            from_cache = true;
            return kernel;
        } catch (const Error&) {  // whatever it is, it is no kernel for this device
        }
    }
    const std::string binary = device_.compile(text);
    auto kernel = device_.load(binary, name);
    cache_.keep(key, binary);
    return kernel;
}

template <class T>
Kernel& Plans<T>::plain(const PlainKernel& kernel) {
    std::unique_ptr<Kernel>& made = plain_[kernel.name];
    bool from_cache = false;
    if (made == nullptr)
        made = kernel_from(text_of(kernel, sizeof(T) == 4), kernel.name, from_cache);
    return *made;
}

template class Plans<double>;
template class Plans<float>;
template ArrayLayouts layouts_of(const Algorithm&, const BatchOperands<double>&);
template ArrayLayouts layouts_of(const Algorithm&, const BatchOperands<float>&);

}  // namespace plucker::gpu
