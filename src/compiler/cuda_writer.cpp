#include <algorithm>
#include <cmath>
#include <limits>

#include "function_writer.hpp"
#include "parts.hpp"
#include "plucker/compiler/cuda.hpp"
#include "plucker/compiler/slices.hpp"
#include "transpose_text.hpp"

namespace plucker::compiler {
namespace {

constexpr const char* kPrelude = R"(
template <int part, int threads>
__device__ __forceinline__ void plucker_keep_step() {
#ifdef __CUDA_ARCH__
    asm volatile("bar.sync %0, %1;" : : "n"(part + 1), "n"(threads) : "memory");
#endif
}
template <class Number>
__device__ __forceinline__ Number& plucker_at(Number* const plane, const unsigned bytes, const unsigned k) {
    return *(Number*)((char*)plane + (unsigned long long)bytes * k);
}
)";

// Sines and cosines as the library has them: quarter turns are taken off, and the rest is a polynomial. Angles beyond those
// that this is good for are brought near zero first, by a function that is seldom called.
constexpr const char* kPreludeF32 = R"(
__device__ __noinline__ float plucker_near_zero(const float x) { return atan2f(sinf(x), cosf(x)); }
__device__ __forceinline__ void plucker_sin_cos(float x, float* const sine, float* const cosine) {
    if (!(fabsf(x) <= 1.0e5f)) x = plucker_near_zero(x);
    const float shifted = fmaf(x, 0.636619772f, 12582912.0f);
    const int turns = __float_as_int(shifted);
    const float k = shifted - 12582912.0f;
    float r = fmaf(k, -1.57079637e+0f, x);
    r = fmaf(k, 4.37113883e-8f, r);
    const float r2 = r * r;
    const float s = fmaf(r * r2, fmaf(r2, fmaf(r2, -1.9515295891e-4f, 8.3321608736e-3f), -1.6666654611e-1f), r);
    const float c = fmaf(r2 * r2, fmaf(r2, fmaf(r2, 2.443315711809948e-5f, -1.388731625493765e-3f), 4.166664568298827e-2f),
                         fmaf(r2, -0.5f, 1.0f));
    const int odd = turns & 1;
    *sine = __int_as_float(__float_as_int(odd ? c : s) ^ ((turns & 2) << 30));
    *cosine = __int_as_float(__float_as_int(odd ? s : c) ^ (((turns + 1) & 2) << 30));
}
__device__ __forceinline__ float plucker_quotient(const float a, const float b) {
#ifdef __CUDA_ARCH__
    float q; /* to two units of the last place, for all numbers, without a branch */
    asm("div.full.f32 %0, %1, %2;" : "=f"(q) : "f"(a), "f"(b));
    return q;
#else
    return a / b;
#endif
}
)";
constexpr const char* kPreludeF64 = R"(
__device__ __noinline__ double plucker_near_zero(const double x) { return atan2(sin(x), cos(x)); }
__device__ __forceinline__ void plucker_sin_cos(double x, double* const sine, double* const cosine) {
    if (!(fabs(x) <= 1.0e6)) x = plucker_near_zero(x);
    const double shifted = fma(x, 0.63661977236758134308, 6755399441055744.0);
    const int turns = __double2loint(shifted);
    const double k = shifted - 6755399441055744.0;
    double r = fma(k, -1.5707963267948966, x);
    r = fma(k, -6.123233995736766e-17, r);
    const double r2 = r * r;
    const double s = fma(r * r2, fma(r2, fma(r2, fma(r2, fma(r2, fma(r2, 1.58969099521155010221e-10,
                     -2.50507602534068634195e-08), 2.75573137070700676789e-06), -1.98412698298579493134e-04),
                     8.33333333332248946124e-03), -1.66666666666666324348e-01), r);
    const double c = fma(r2 * r2, fma(r2, fma(r2, fma(r2, fma(r2, fma(r2, -1.13596475577881948265e-11,
                     2.08757232129817482790e-09), -2.75573143513906633035e-07), 2.48015872894767294178e-05),
                     -1.38888888888741095749e-03), 4.16666666666666019037e-02), fma(r2, -0.5, 1.0));
    const int odd = turns & 1;
    const double s_turned = odd ? c : s;
    const double c_turned = odd ? s : c;
    *sine = (turns & 2) ? -s_turned : s_turned;
    *cosine = ((turns + 1) & 2) ? -c_turned : c_turned;
}
__device__ __forceinline__ double plucker_quotient(const double a, const double b) {
#ifdef __CUDA_ARCH__
    double y; /* 1 / b by Newton's method, then what is left of a */
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(b));
    double e = fma(-b, y, 1.0);
    y = fma(y, fma(e, e, e), y);
    e = fma(-b, y, 1.0);
    y = fma(y, e, y);
    const double q = a * y;
    return fma(fma(-b, q, a), y, q);
#else
    return a / b;
#endif
}
)";

class KernelWriter : public ExpressionWriter {
public:
    KernelWriter(const Program& program, const std::string& name, const KernelOptions& options)
        : ExpressionWriter(program, options.precision),
          name_(name),
          options_(options),
          parts_(divide(program, options.shape.parts)) {
        for (std::size_t g = 0; g < program.input_groups.size(); ++g) {
            const Group& group = program.input_groups[g];
            arrays_.push_back(
                {group, array_of(options.inputs, g), "in_" + identifier_from(group.name)});
            for (int k = 0; k < group.size(); ++k) place_.push_back({g, k});
        }
        for (std::size_t g = 0; g < program.output_groups.size(); ++g) {
            const Group& group = program.output_groups[g];
            arrays_.push_back(
                {group, array_of(options.outputs, g), "out_" + identifier_from(group.name)});
        }
        find_inputs();
        find_outputs();
    }

    KernelText run() {
        write_head();
        for (int part = 0; part < parts_.count; ++part) write_part(part);
        write_end();
        KernelText out;
        out.name = name_;
        out.text = body_ + "}\n";
        out.parts = parts_.count;
        out.phases = parts_.num_phases;
        out.threads = threads();
        out.states = states();
        if (in_parts()) {
            const std::size_t number_size = is_narrow() ? 4 : 8;
            out.shared_memory = static_cast<std::size_t>(states()) *
                                (number_size * static_cast<std::size_t>(parts_.num_slots) +
                                 sizeof(int) * static_cast<std::size_t>(parts_.count));
        }
        return out;
    }

private:
    struct Array {
        Group group;
        KernelArray how;
        std::string name;
    };

    const std::string& name_;
    const KernelOptions& options_;
    Parts parts_;
    std::vector<Array> arrays_;
    // Of each input: its array and its place there, and its node; -1: none.
    std::vector<std::pair<std::size_t, int>> place_;
    std::vector<Value> node_of_input_;
    // Of each node: where it is given; and of each angle its sine and cosine.
    std::vector<std::vector<std::size_t>> outputs_of_;
    std::vector<std::pair<Value, Value>> sine_and_cosine_;
    // In the part that is being written: what is there already.
    int part_ = 0;
    std::vector<bool> written_, loaded_;
    std::string body_;

    static std::size_t index(Value x) { return static_cast<std::size_t>(x); }
    static KernelArray array_of(const std::vector<KernelArray>& arrays, std::size_t k) {
        return k < arrays.size() ? arrays[k] : KernelArray{};
    }
    const Node& node(Value x) const { return program_.nodes[index(x)]; }
    bool is_computed(Value x) const { return x != kNotGiven && num_operands(node(x).op) > 0; }
    bool in_parts() const { return parts_.count > 1; }
    int states() const { return options_.shape.threads; }
    int threads() const { return states() * parts_.count; }
    bool is_slice() const { return options_.slice.count > 1; }
    bool is_last_slice() const { return options_.slice.number + 1 == options_.slice.count; }
    // What slices hand on is the last array that is read, and the last that is written.
    bool is_kept(std::size_t array) const {
        return options_.slice.keeps &&
               (array + 1 == program_.input_groups.size() || array + 1 == arrays_.size());
    }
    // Then none may leave early.
    bool waits() const { return in_parts() || options_.shape.stride > 0; }
    void line(const std::string& text) { body_ += "    " + text + "\n"; }

    void find_inputs() {
        node_of_input_.assign(place_.size(), -1);
        sine_and_cosine_.assign(program_.nodes.size(), {-1, -1});
        for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
            const Node& x = program_.nodes[k];
            const auto value = static_cast<Value>(k);
            if (x.op == Op::kInput) node_of_input_[static_cast<std::size_t>(x.constant)] = value;
            if (x.op == Op::kSin) sine_and_cosine_[index(x.operands[0])].first = value;
            if (x.op == Op::kCos) sine_and_cosine_[index(x.operands[0])].second = value;
        }
    }
    void find_outputs() {
        outputs_of_.resize(program_.nodes.size());
        for (std::size_t k = 0; k < program_.outputs.size(); ++k) {
            if (program_.outputs[k] != kNotGiven)
                outputs_of_[index(program_.outputs[k])].push_back(k);
        }
    }
    bool is_checked(std::size_t input) const {
        return input < options_.checks.finite.size() && options_.checks.finite[input];
    }

    // --- The order of operations ---

    // The nodes of a part, phase by phase as the program has them; or, of those that need inputs and constants alone, each
    // where it is needed first.
    std::vector<Value> order_of(int part) const {
        const std::size_t n = program_.nodes.size();
        std::vector<bool> is_light(n), done(n);
        std::vector<Value> out;
        const auto place = [&](Value x) {
            if (done[index(x)]) return;
            done[index(x)] = true;
            out.push_back(x);
        };
        for (std::size_t k = 0; k < n; ++k) {
            const Node& x = program_.nodes[k];
            bool light = options_.shape.late && parts_.slot[k] < 0;
            for (int i = 0; i < num_operands(x.op); ++i)
                light = light && !is_computed(x.operands[static_cast<std::size_t>(i)]);
            is_light[k] = light;
        }
        for (int phase = 0; phase < parts_.num_phases; ++phase) {
            for (std::size_t k = 0; k < n; ++k) {
                const Node& x = program_.nodes[k];
                if (num_operands(x.op) == 0 || parts_.part[k] != part || parts_.phase[k] != phase ||
                    is_light[k])
                    continue;
                for (int i = 0; i < num_operands(x.op); ++i) {
                    const Value operand = x.operands[static_cast<std::size_t>(i)];
                    if (is_computed(operand) && is_light[index(operand)]) place(operand);
                }
                place(static_cast<Value>(k));
            }
            if (phase + 1 < parts_.num_phases) out.push_back(-1);  // all parts meet
        }
        const auto is_here = [&](Value x) {
            return is_computed(x) && parts_.part[index(x)] == part;
        };
        for (const Value x : program_.outputs) {
            if (is_here(x)) place(x);
        }
        if (program_.singular >= 0 && is_here(program_.singular)) place(program_.singular);
        return out;
    }

    // --- Arrays ---

    void write_head() {
        body_ += "extern \"C\" __global__ void __launch_bounds__(" + std::to_string(threads()) +
                 (options_.shape.blocks > 0 ? ", " + std::to_string(options_.shape.blocks) : "") +
                 ")\n" + name_ + "(const unsigned count";
        for (std::size_t k = 0; k < arrays_.size(); ++k) {
            const Array& array = arrays_[k];
            // Loads of what was kept may pass stores: a slice never writes what it reads.
            body_ += std::string(", ") + (is_input(k) ? "const " : "") + number() + "* " +
                     (is_kept(k) && is_input(k) ? "__restrict__ " : "") + "const " + array.name;
            if (array.how.layout == ArrayLayout::kPlanes)
                body_ += ", const unsigned " + array.name + "_plane";
            if (array.how.layout == ArrayLayout::kAnything) {
                for (const char* stride : {"_state", "_row", "_column"})
                    body_ += ", const long long " + array.name + stride;
            }
        }
        body_ +=
            std::string(",\n    unsigned char* const status, unsigned long long* const flagged") +
            (is_slice() ? ", unsigned char* const so_far) {\n" : ") {\n");
        const std::string states_text = std::to_string(states());
        if (in_parts()) {
            body_ += "#ifdef __CUDA_ARCH__\n    extern __shared__ " + number() +
                     " slots[];\n#else\n    static " + number() + " slots[" +
                     std::to_string(states() * (parts_.num_slots + 2 * parts_.count)) +
                     "];\n#endif\n";
            line("int* const marks = (int*)(slots + " +
                 std::to_string(states() * parts_.num_slots) + ");");
            line("const unsigned lane = threadIdx.x % " + states_text + ", part = threadIdx.x / " +
                 states_text + ";");
        } else {
            line("const unsigned lane = threadIdx.x;");
        }
        const std::string place = "blockIdx.x * " + states_text + " + lane";
        if (waits()) {
            // Those beyond the last state compute it once more, and give nothing.
            line("const int is_here = " + place + " < count;");
            line("const unsigned n = is_here ? " + place + " : count - 1;");
        } else {
            line("const unsigned n = " + place + ";");
            line("if (n >= count) return;");
        }
        // Where a state begins, in arrays that hold one state after another.
        for (std::size_t k = 0; k < arrays_.size(); ++k) {
            const Array& array = arrays_[k];
            const std::string stride = array.how.layout == ArrayLayout::kPlanes ? "1"
                                       : array.how.layout == ArrayLayout::kRows
                                           ? std::to_string(array.group.size())
                                           : array.name + "_state";
            line(std::string(is_input(k) ? "const " : "") + number() + "* const " + array.name +
                 "_n = " + array.name + " + (long long)n * " + stride + ";");
            if (!is_slice()) continue;
            // It may be another's.
            line("(void)" + array.name + "_n;");
            if (array.how.layout == ArrayLayout::kPlanes) line("(void)" + array.name + "_plane;");
        }
        if (is_slice() && !is_last_slice()) line("(void)status, (void)flagged;");
        line("int mark = 0;");
    }
    bool is_input(std::size_t array) const { return array < program_.input_groups.size(); }
    // Entry e of an array, column by column, in memory.
    std::string entry(const Array& array, int e) const {
        const int rows = array.group.rows, columns = array.group.columns;
        const int r = e % rows, c = e / rows;
        const int at = array.how.order == EntryOrder::kByColumns ? e : r * columns + c;
        switch (array.how.layout) {
            case ArrayLayout::kPlanes:
                return "plucker_at(" + array.name + "_n, " + array.name + "_plane, " +
                       std::to_string(at) + ")";
            case ArrayLayout::kRows:
                return array.name + "_n[" + std::to_string(at) + "]";
            default:
                return array.name + "_n[" + std::to_string(r) + " * " + array.name + "_row" +
                       (columns > 1 ? " + " + std::to_string(c) + " * " + array.name + "_column"
                                    : "") +
                       "]";
        }
    }
    std::string input_name(std::size_t k) const { return "i" + std::to_string(k); }
    void load(std::size_t k) {
        if (loaded_[k]) return;
        loaded_[k] = true;
        const auto [a, e] = place_[k];
        line("const " + number() + " " + input_name(k) + " = " + entry(arrays_[a], e) + ";");
    }

    // --- A part ---

    void write_part(int part) {
        part_ = part;
        written_.assign(program_.nodes.size(), false);
        loaded_.assign(place_.size(), false);
        const std::vector<Value> order = order_of(part);
        line(!in_parts()                ? "{"
             : part == 0                ? "if (part == 0) {"
             : part + 1 == parts_.count ? "else {"
                                        : "else if (part == " + std::to_string(part) + ") {");
        write_inputs(order);
        line(number() + " result_check = 0;");
        // Outputs that are not computed are given in between: memory has nothing else to do then.
        std::vector<std::size_t> plain;
        for (std::size_t k = 0; k < program_.outputs.size() && part == 0; ++k) {
            const Value x = program_.outputs[k];
            if (x != kNotGiven && !is_computed(x)) plain.push_back(k);
        }
        std::size_t written = 0, stored = 0;
        for (const Value x : order) {
            if (x < 0) {
                line("plucker_meet();");
                continue;
            }
            write(x);
            ++written;
            while (stored * order.size() < plain.size() * written) store_plain(plain[stored++]);
            if (options_.shape.stride > 0 &&
                written % static_cast<std::size_t>(options_.shape.stride) == 0)
                line("plucker_keep_step<" + std::to_string(part) + ", " + std::to_string(states()) +
                     ">();");
        }
        while (stored < plain.size()) store_plain(plain[stored++]);
        line("if (!(result_check == 0)) mark |= 4;");
        if (program_.singular >= 0 &&
            (is_computed(program_.singular) ? parts_.part[index(program_.singular)] : 0) == part)
            line("if (" + mask(program_.singular) + ") mark |= 8;");
        line("}");
    }
    bool is_kept_input(Value x) const {
        return node(x).op == Op::kInput &&
               is_kept(place_[static_cast<std::size_t>(node(x).constant)].first);
    }
    // All that the part reads is read first, so that many loads are under way together, and looked at. Of what was kept there
    // is too much for the registers: it is read where it is needed.
    void write_inputs(const std::vector<Value>& order) {
        std::vector<bool> is_read(place_.size());
        const auto note = [&](Value x) {
            if (x != kNotGiven && node(x).op == Op::kInput && !is_kept_input(x))
                is_read[static_cast<std::size_t>(node(x).constant)] = true;
        };
        for (const Value x : order) {
            if (x < 0) continue;
            for (int i = 0; i < num_operands(node(x).op); ++i)
                note(node(x).operands[static_cast<std::size_t>(i)]);
        }
        if (part_ == 0) {
            for (const Value x : program_.outputs) note(x);
        }
        const auto looks_at = [&](std::size_t k) {
            return !in_parts() || parts_.part_of_input[k] == part_;
        };
        for (std::size_t k = 0; k < place_.size(); ++k) {
            if (is_read[k] || (is_checked(k) && looks_at(k))) load(k);
        }
        line(number() + " input_check = 0;");
        for (std::size_t k = 0; k < place_.size(); ++k) {
            if (is_checked(k) && looks_at(k)) line("input_check += " + input_name(k) + " * 0;");
        }
        line("if (!(input_check == 0)) mark |= 1;");
        for (const int q : options_.checks.quaternions) {
            if (looks_at(static_cast<std::size_t>(q)))
                check_quaternion(static_cast<std::size_t>(q));
        }
    }
    void check_quaternion(std::size_t q) {
        std::string sum;
        for (std::size_t i = q; i < q + 4; ++i) {
            load(i);
            sum += (i == q ? "" : " + ") + input_name(i) + " * " + input_name(i);
        }
        const auto limits = [&](auto least, auto most) {
            const std::string length = "length" + std::to_string(q);
            line("const " + number() + " " + length + " = " + sum + ";");
            line("if (!(" + length +
                 " >= " + literal(4 * static_cast<double>(least), options_.precision) + " && " +
                 length + " <= " + literal(static_cast<double>(most) / 4, options_.precision) +
                 ")) mark |= 2;");
        };
        if (is_narrow()) {
            limits(std::numeric_limits<float>::min(), std::numeric_limits<float>::max());
        } else {
            limits(std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
        }
    }

    // --- Operations ---

    std::string input(int k) const override { return input_name(static_cast<std::size_t>(k)); }
    // NVRTC knows no <math.h>.
    std::string constant(double x) const override {
        const double written = is_narrow() ? static_cast<double>(static_cast<float>(x)) : x;
        if (std::isfinite(written)) return literal(x, precision_);
        if (std::isnan(written)) return not_a_number();
        return std::string(written < 0 ? "-" : "") +
               (is_narrow() ? "__int_as_float(0x7f800000)"
                            : "__longlong_as_double(0x7ff0000000000000ll)");
    }
    std::string not_a_number() const {
        return is_narrow() ? "__int_as_float(0x7fc00000)"
                           : "__longlong_as_double(0x7ff8000000000000ll)";
    }
    std::string quotient(const std::string& a, const std::string& b) const override {
        return "plucker_quotient(" + a + ", " + b + ")";
    }
    std::string equality(const std::string& a, const std::string& b) const override {
        return a + " == " + b;
    }
    std::string finiteness(const std::string& a) const override { return a + " - " + a + " == 0"; }
    std::string slot(Value x) const {
        return "slots[" + std::to_string(states() * parts_.slot[index(x)]) + " + lane]";
    }
    std::string type_of(Value x) const { return is_mask(node(x).op) ? "int" : number(); }
    // What another part has handed over.
    void fetch(Value x) {
        if (!is_computed(x) || written_[index(x)] || parts_.part[index(x)] == part_) return;
        written_[index(x)] = true;
        line("const " + type_of(x) + " x" + std::to_string(x) + " = " + slot(x) +
             (is_mask(node(x).op) ? " != 0;" : ";"));
    }
    void write(Value x) {
        if (written_[index(x)]) return;
        written_[index(x)] = true;
        const Node& n = node(x);
        for (int i = 0; i < num_operands(n.op); ++i) {
            const Value operand = n.operands[static_cast<std::size_t>(i)];
            fetch(operand);
            if (is_kept_input(operand)) load(static_cast<std::size_t>(node(operand).constant));
        }
        if (n.op == Op::kSin || n.op == Op::kCos) {
            write_sine_and_cosine(n.operands[0]);
            return;
        }
        line("const " + type_of(x) + " x" + std::to_string(x) + " = " + expression(n) + ";");
        hand_over(x);
    }
    void write_sine_and_cosine(Value angle) {
        const auto [sine, cosine] = sine_and_cosine_[index(angle)];
        const std::string unused = "unused" + std::to_string(angle);
        const std::string s = sine >= 0 ? "x" + std::to_string(sine) : unused;
        const std::string c = cosine >= 0 ? "x" + std::to_string(cosine) : unused;
        line(number() + " " + s + ", " + c + ";");
        line("plucker_sin_cos(" + operand(angle) + ", &" + s + ", &" + c + ");");
        for (const Value x : {sine, cosine}) {
            if (x < 0) continue;
            written_[index(x)] = true;
            hand_over(x);
        }
    }
    void hand_over(Value x) {
        if (parts_.slot[index(x)] >= 0) line(slot(x) + " = " + operand(x) + ";");
        store(x);
    }
    // To all outputs that it is.
    void store(Value x) {
        bool is_result = false;
        for (const std::size_t k : outputs_of_[index(x)]) is_result = store_to(k, x) || is_result;
        if (is_result) line("result_check += " + operand(x) + " * 0;");
    }
    void store_plain(std::size_t k) {
        const Value x = program_.outputs[k];
        if (store_to(k, x) && node(x).op != Op::kConstant)
            line("result_check += " + operand(x) + " * 0;");
    }
    // Whether it is a result.
    bool store_to(std::size_t output, Value x) {
        std::size_t g = program_.input_groups.size();
        int e = static_cast<int>(output);
        while (e >= arrays_[g].group.size()) e -= arrays_[g++].group.size();
        line((waits() ? "if (is_here) " : "") + entry(arrays_[g], e) + " = " + operand(x) + ";");
        return !is_kept(g);
    }

    // --- What becomes of the state ---

    void write_end() {
        if (in_parts()) {
            const std::string each = std::to_string(states());
            line("marks[part * " + each + " + lane] = mark;");
            line("plucker_meet();");
            line("if (part != 0) return;");
            line("for (int k = 1; k < " + std::to_string(parts_.count) +
                 "; ++k) mark |= marks[k * " + each + " + lane];");
        }
        if (waits()) line("if (!is_here) return;");
        if (options_.slice.number > 0) line("mark |= so_far[n];");
        if (is_slice() && !is_last_slice()) {
            line("so_far[n] = (unsigned char)mark;");
            return;
        }
        line("const int state = mark & 1 ? 1 : mark & 2 ? 4 : mark & 8 ? 2 : mark & 4 ? 3 : 0;");
        line("if (status != 0) status[n] = (unsigned char)state;");
        line("if (state == 0) return;");
        line("if (flagged != 0) atomicAdd(flagged, 1ull);");
        line("const " + number() + " nan = " + not_a_number() + ";");
        for (std::size_t g = program_.input_groups.size(); g < arrays_.size(); ++g) {
            if (is_kept(g)) continue;
            const Array& array = arrays_[g];
            const std::string size = std::to_string(array.group.size());
            switch (array.how.layout) {
                case ArrayLayout::kPlanes:
                    line("for (unsigned e = 0; e < " + size + "; ++e) plucker_at(" + array.name +
                         "_n, " + array.name + "_plane, e) = nan;");
                    break;
                case ArrayLayout::kRows:
                    line("for (int e = 0; e < " + size + "; ++e) " + array.name + "_n[e] = nan;");
                    break;
                default:
                    line("for (int r = 0; r < " + std::to_string(array.group.rows) + "; ++r) {");
                    line("    for (int c = 0; c < " + std::to_string(array.group.columns) +
                         "; ++c) " + array.name + "_n[r * " + array.name + "_row + c * " +
                         array.name + "_column] = nan;");
                    line("}");
            }
        }
    }
};

}  // namespace

std::string kernel_prelude(GeneratedPrecision precision) {
    return kMeetText + std::string(kPrelude) +
           std::string(precision == GeneratedPrecision::kF32 ? kPreludeF32 : kPreludeF64);
}

namespace {

KernelShape shape_for_slice(const Program& program, GeneratedPrecision precision) {
    KernelShape shape;
    shape.late = false;
    const int width = precision == GeneratedPrecision::kF32 ? 1 : 2;
    const int numbers = width * pressure(program, divide(program, 1));
    if (numbers > 150 && numbers <= 210) shape.blocks = 3;
    return shape;
}

// Of matrices, and in double: a program of vectors in float does better in parts.
void choose_slices(const Program& program, int width, bool spills, KernelShape& shape) {
    constexpr int kReading = 30;    // as many operations as a number that is read
    constexpr double kTwice = 1.4;  // what may be computed more than once, of all
    constexpr int kManyNumbers = 400;
    const bool has_matrix =
        std::any_of(program.output_groups.begin(), program.output_groups.end(),
                    [](const Group& group) { return group.rows > 1 && group.columns > 1; });
    const int operations = program.num_operations();
    if (!spills || operations < (has_matrix ? 3000 : 5000) || (width == 1 && !has_matrix)) return;
    // Slices of a very long program, for which a compiler would take many minutes, may be longer where short ones have too
    // little of their own.
    constexpr int kVeryLong = 20000, kLongest = 16000;
    int most = width == 1 ? 4000 : has_matrix && operations > 5000 ? 3000 : 2000;
    for (; most <= kLongest; most *= 2) {
        const Slices alone = slice(program, {most, 0});
        const Slices through_memory = slice(program, {most, kReading});
        int numbers = 0;
        for (const Program& part : alone.programs)
            numbers = std::max(numbers, width * pressure(part, divide(part, 1)));
        const bool is_cheap = alone.num_operations() <= kTwice * through_memory.num_operations() &&
                              numbers <= kManyNumbers;
        const Slices& best = is_cheap ? alone : through_memory;
        if (best.programs.size() < 2) return;
        if (best.num_operations() <= 2 * operations) {
            shape.slice = most;
            shape.reading = is_cheap ? 0 : kReading;
            return;
        }
        if (operations < kVeryLong) return;
    }
}

}  // namespace

// A thread has 255 registers of 32 bits, of which some twenty hold addresses, and a multiprocessor has 65536. What these do not
// hold goes to memory, which is far. Code beyond what the instruction cache holds is fetched again and again, unless many
// threads run through it together. The figures below are where one way overtook another on an H200.
KernelShape shape_for(const Program& program, GeneratedPrecision precision) {
    const int width = precision == GeneratedPrecision::kF32 ? 1 : 2;
    constexpr int kLongProgram = 5000;  // operations
    constexpr int kStride = 300;
    const bool is_long = program.num_operations() > kLongProgram;
    KernelShape shape;
    shape.late = false;
    const int alone = width * pressure(program, divide(program, 1));
    constexpr int kEnough = 256;
    if (alone <= kEnough) {
        // Of a large matrix nothing is computed before it is needed.
        shape.late = program.outputs.size() > 1000;
        // Three blocks of threads, where a few numbers in memory buy one more.
        if (alone > 150 && alone <= 210) shape.blocks = 3;
    } else {
        for (const int parts : {2, 4}) {
            const Parts divided = divide(program, parts);
            if (divided.count < 2) break;
            const int each = width * pressure(program, divided);
            if (parts == 2 && (width == 2 || each > 420)) continue;
            const int threads = each <= 220 ? 512 : 256;
            const int states = threads / parts;
            constexpr int kSharedMemory = 200 << 10;
            if (4 * width * divided.num_slots * states > kSharedMemory) continue;
            shape.parts = parts;
            shape.threads = states;
            shape.blocks = 1;
            shape.late = true;
            break;
        }
    }
    if (is_long) {
        shape.stride = kStride;
        shape.blocks = 1;
        if (shape.parts == 1) shape.threads = 256;
    }
    choose_slices(program, width, alone > kEnough, shape);
    return shape;
}

KernelText kernel_text(const Program& program, const std::string& name,
                       const KernelOptions& options) {
    return KernelWriter(program, name, options).run();
}

KernelTexts kernel_texts(const Program& program, const std::string& name,
                         const KernelOptions& options) {
    if (options.shape.slice == 0) return {{kernel_text(program, name, options)}, 0};
    const Slices slices = slice(program, {options.shape.slice, options.shape.reading});
    KernelTexts out{{}, slices.num_kept};
    for (const Program& part : slices.programs) {
        KernelOptions how = options;
        const int number = static_cast<int>(out.kernels.size());
        how.slice = {number, static_cast<int>(slices.programs.size()), slices.num_kept > 0};
        how.shape = shape_for_slice(part, options.precision);
        if (number > 0) how.checks = {};
        out.kernels.push_back(kernel_text(part, name + "_" + std::to_string(number), how));
    }
    return out;
}

}  // namespace plucker::compiler
