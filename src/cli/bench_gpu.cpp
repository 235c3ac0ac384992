#include "bench_gpu.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "bench_algorithms.hpp"
#include "plucker/gpu/gpu.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

// What the GPU reaches at best: bytes copied within its memory, and multiply-adds that wait for nothing.
constexpr const char* kCeilings = R"(
extern "C" __global__ void plucker_copy(const unsigned count, const float4* const from, float4* const to) {
    const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count) to[n] = from[n];
}
template <class T>
__device__ __forceinline__ void busy(T* const out) {
    T x[8];
    for (int k = 0; k < 8; ++k) x[k] = (T)(threadIdx.x + k);
    for (int i = 0; i < 4096; ++i) {
        for (int k = 0; k < 8; ++k) x[k] = x[k] * (T)0.999 + (T)1e-3;
    }
    T sum = 0;
    for (int k = 0; k < 8; ++k) sum += x[k];
    if (sum == (T)-1) *out = sum;
}
extern "C" __global__ void plucker_busy_f32(float* const out) { busy(out); }
extern "C" __global__ void plucker_busy_f64(double* const out) { busy(out); }
)";

struct Ceilings {
    double bytes = 0;  // a second, read and written
    double flops32 = 0, flops64 = 0;
};

// The median of some times that the device takes, in seconds.
double seconds_of(gpu::Device& device, int repeats, const std::function<void()>& work) {
    struct Work {
        const std::function<void()>& once;
        int repeats;
    } all{work, repeats};
    work();
    device.synchronize(nullptr);
    std::vector<double> times;
    for (int k = 0; k < 5; ++k) {
        times.push_back(device.seconds_of(
                            nullptr,
                            [](void* context) {
                                const Work& w = *static_cast<Work*>(context);
                                for (int i = 0; i < w.repeats; ++i) w.once();
                            },
                            &all) /
                        repeats);
    }
    std::nth_element(times.begin(), times.begin() + 2, times.end());
    return times[2];
}

Ceilings measure_ceilings(gpu::Device& device) {
    const std::string binary = device.compile(kCeilings);
    Ceilings out;
    constexpr std::size_t kBytes = std::size_t{1} << 30U;
    void* from = device.allocate(kBytes);
    void* to = device.allocate(kBytes);
    device.clear(from, kBytes, nullptr);
    const auto copy = device.load(binary, "plucker_copy");
    unsigned count = kBytes / 16;
    void* arguments[] = {&count, &from, &to};
    out.bytes = 2.0 * kBytes / seconds_of(device, 10, [&] {
                    device.launch(*copy, {count / 256, 256, 0}, arguments, nullptr);
                });
    const auto busy = [&](const char* name) {
        const auto kernel = device.load(binary, name);
        void* one[] = {&to};
        const unsigned blocks = 32 * static_cast<unsigned>(device.info().multiprocessors);
        const double operations = 2.0 * 8 * 4096 * 256 * blocks;
        return operations / seconds_of(device, 3, [&] {
                   device.launch(*kernel, {blocks, 256, 0}, one, nullptr);
               });
    };
    out.flops32 = busy("plucker_busy_f32");
    out.flops64 = busy("plucker_busy_f64");
    device.release(from);
    device.release(to);
    return out;
}

struct GpuRow {
    std::string robot, function, precision;
    gpu::KernelReport kernel;
    double planes = 0, rows = 0, copied = 0;  // states a second
};

// Arrays of a call: samples, again and again.
template <class T>
class GpuBench {
public:
    GpuBench(const Model& model, const std::shared_ptr<gpu::Device>& device, long states)
        : model_(model),
          device_(device),
          count_(states),
          evaluator_(model, {.wait = false, .on = device}),
          copying_(model, {.on = device}),
          samples_(bench_samples(model, 64)),
          given_(every_other_acceleration(model)) {}

    GpuRow run(int row) {
        const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
        GpuRow out{model_.name(), algorithm.name, sizeof(T) == 4 ? "f32" : "f64", {}, 0, 0, 0};
        for (const bool planes : {true, false}) {
            Arrays arrays = make(algorithm, planes, true);
            const double seconds =
                seconds_of(*device_, 10, [&] { evaluator_.perform(row, arrays.x); });
            (planes ? out.planes : out.rows) = static_cast<double>(count_) / seconds;
            if (planes) out.kernel = evaluator_.kernel();
            release(arrays);
        }
        evaluator_.synchronize();
        // Of large results fewer states: the host's memory is smaller, and much slower.
        constexpr long kMostBytesOnDevice = 1L << 30;
        const long bytes = out.kernel.bytes_read + out.kernel.bytes_written;
        const long all = std::exchange(count_, std::clamp(kMostBytesOnDevice / bytes, 1L, count_));
        Arrays arrays = make(algorithm, false, false);
        copying_.perform(row, arrays.x);
        const auto begin = std::chrono::steady_clock::now();
        copying_.perform(row, arrays.x);
        out.copied =
            static_cast<double>(count_) /
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        count_ = all;
        return out;
    }

private:
    struct Arrays {
        gpu::BatchOperands<T> x;
        std::vector<void*> there;
        std::vector<std::vector<T>> here;
        std::vector<Status> status;
    };

    const Model& model_;
    std::shared_ptr<gpu::Device> device_;
    long count_;
    gpu::Evaluator<T> evaluator_;
    gpu::HostEvaluator<T> copying_;
    std::vector<Sample<double>> samples_;
    std::vector<Given> given_;

    const VectorX<double>& vector(const Sample<double>& s, Kind kind, bool is_first) const {
        if (kind == Kind::kConfiguration) return is_first ? s.q : s.other_q;
        if (kind == Kind::kVelocity) return s.v;
        return kind == Kind::kAcceleration ? s.a : s.tau;
    }
    T* memory(Arrays& arrays, std::vector<T> numbers, bool on_device) {
        if (!on_device) {
            arrays.here.push_back(std::move(numbers));
            return arrays.here.back().data();
        }
        const std::size_t bytes = numbers.size() * sizeof(T);
        void* out = device_->allocate(bytes);
        arrays.there.push_back(out);
        device_->copy_in(out, numbers.data(), bytes, nullptr);
        device_->synchronize(nullptr);
        return static_cast<T*>(out);
    }
    std::vector<T> repeated(Kind kind, bool is_first, bool planes) const {
        const long size = extent_of(kind, model_).rows;
        std::vector<T> out(static_cast<std::size_t>(count_ * size));
        for (long n = 0; n < count_; ++n) {
            const VectorX<double>& from =
                vector(samples_[static_cast<std::size_t>(n) % samples_.size()], kind, is_first);
            for (long k = 0; k < size; ++k)
                out[static_cast<std::size_t>(planes ? k * count_ + n : n * size + k)] =
                    static_cast<T>(from[k]);
        }
        return out;
    }
    Arrays make(const Algorithm& row, bool planes, bool on_device) {
        Arrays out;
        const auto take = [&](Kind kind) {
            const bool is_first = out.x.num_inputs == 0;
            const long size = extent_of(kind, model_).rows;
            const T* data = memory(out, repeated(kind, is_first, planes), on_device);
            out.x.take(planes ? batch::States<const T>(data, count_, size, 1, count_)
                              : batch::States<const T>(data, count_, size));
        };
        for (int k = 0; k < row.num_states(); ++k)
            take(table::kStates[static_cast<std::size_t>(k)].kind);
        for (const Argument& argument : row.inputs) {
            if (!is_option(argument.kind)) take(argument.kind);
        }
        for (const Argument& argument : row.outputs) {
            Extent extent = extent_of(argument.kind, model_);
            if (extent.columns == kAnyColumns) extent.columns = 1;
            const auto size = static_cast<std::size_t>(count_ * extent.rows * extent.columns);
            // What is not read need not be sent.
            const bool is_read = argument.reads != Reads::kNothing;
            T* data = nullptr;
            if (on_device && !is_read) {
                out.there.push_back(device_->allocate(size * sizeof(T)));
                data = static_cast<T*>(out.there.back());
            } else {
                data = memory(
                    out, is_read ? repeated(argument.kind, true, planes) : std::vector<T>(size),
                    on_device);
            }
            out.x.give(planes ? batch::Matrices<T>(data, count_, extent.rows, extent.columns, 1,
                                                   extent.columns * count_, count_)
                              : batch::Matrices<T>(data, count_, extent.rows, extent.columns));
        }
        out.x.frame = model_.body_frame(model_.num_bodies());
        out.x.given = given_;
        if (on_device) {
            void* status = device_->allocate(static_cast<std::size_t>(count_));
            out.there.push_back(status);
            out.x.status = {static_cast<Status*>(status), static_cast<std::size_t>(count_)};
        } else {
            out.status.resize(static_cast<std::size_t>(count_));
            out.x.status = out.status;
        }
        return out;
    }
    void release(Arrays& arrays) {
        device_->synchronize(nullptr);
        for (void* memory : arrays.there) device_->release(memory);
    }
};

template <class T>
void run_all(const Model& model, const std::shared_ptr<gpu::Device>& device,
             const GpuBenchOptions& options, std::vector<GpuRow>& out) {
    GpuBench<T> bench(model, device, options.states);
    for (const std::string& name : options.functions) {
        const auto any = [](const Algorithm& row) { return row.outputs.size() > 0; };
        out.push_back(bench.run(row_named(name, "function to time", any)));
    }
}

nlohmann::ordered_json to_json(const GpuRow& row, long states) {
    return {
        {"robot", row.robot},
        {"function", row.function},
        {"precision", row.precision},
        {"states", states},
        {"states_a_second", {{"planes", row.planes}, {"rows", row.rows}, {"copied", row.copied}}},
        {"operations", row.kernel.operations},
        {"bytes", row.kernel.bytes_read + row.kernel.bytes_written},
        {"kernels", row.kernel.kernels},
        {"composed", row.kernel.is_composed},
        {"bytes_kept", row.kernel.bytes_kept},
        {"registers", row.kernel.registers},
        {"local_memory", row.kernel.local_memory},
        {"seconds_to_make", row.kernel.seconds},
        {"from_cache", row.kernel.from_cache}};
}

}  // namespace

void bench_gpu(const std::vector<Model>& models, const GpuBenchOptions& options) {
    const auto device = gpu::open_device(options.device);
    const Ceilings ceilings = measure_ceilings(*device);
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    if (!options.as_json) {
        print("{}, {}, {}; {}\n", device->info().name,
              counted(device->info().multiprocessors, "multiprocessor"), device->info().toolchain,
              counted(options.states, "state"));
        print(
            "memory {:.2f} TB/s, multiply-adds {:.1f} TFLOP/s f32, {:.1f} TFLOP/s f64, measured\n",
            ceilings.bytes / 1e12, ceilings.flops32 / 1e12, ceilings.flops64 / 1e12);
        print("{:<12} {:<30} {:<4} {:>28} {:>14} {:>20} {:>11} {:>6} {:>7}\n", "", "", "",
              "billions of states a second", "a state", "of what is measured", "registers", "local",
              "made");
        print("{:<12} {:<30} {:<4} {:>8} {:>9} {:>9} {:>7} {:>6} {:>9} {:>10} {:>11} {:>6} {:>7}\n",
              "robot", "function", "", "planes", "rows", "copied", "flops", "bytes", "memory",
              "arithmetic", "", "bytes", "s");
    }
    for (const Model& model : models) {
        std::vector<GpuRow> rows;
        run_all<float>(model, device, options, rows);
        run_all<double>(model, device, options, rows);
        for (const GpuRow& row : rows) {
            if (options.as_json) {
                results.push_back(to_json(row, options.states));
                continue;
            }
            const auto bytes =
                static_cast<double>(row.kernel.bytes_read + row.kernel.bytes_written);
            const double flops = row.precision == "f32" ? ceilings.flops32 : ceilings.flops64;
            print(
                "{:<12} {:<30} {:<4} {:>8.3f} {:>9.3f} {:>9.4f} {:>7} {:>6} {:>7.0f} % {:>8.0f} % "
                "{:>11} {:>6} {:>7.1f}\n",
                row.robot, row.function, row.precision, row.planes / 1e9, row.rows / 1e9,
                row.copied / 1e9, row.kernel.operations, bytes,
                100 * row.planes * bytes / ceilings.bytes,
                100 * row.planes * row.kernel.operations / flops, row.kernel.registers,
                row.kernel.local_memory, row.kernel.seconds);
        }
    }
    if (!options.as_json) return;
    print_json({{"device", device->info().name},
                {"toolchain", device->info().toolchain},
                {"bytes_a_second", ceilings.bytes},
                {"flops_a_second", {{"f32", ceilings.flops32}, {"f64", ceilings.flops64}}},
                {"results", results}});
}

}  // namespace plucker::cli
