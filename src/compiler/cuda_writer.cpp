#include <algorithm>
#include <limits>

#include "function_writer.hpp"
#include "plucker/compiler/cuda.hpp"

namespace plucker::compiler {
namespace {

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

class KernelWriter {
public:
    KernelWriter(const Program& program, const std::string& name, const KernelOptions& options)
        : program_(program), name_(name), options_(options) {
        for (std::size_t g = 0; g < program.input_groups.size(); ++g) {
            const Group& group = program.input_groups[g];
            arrays_.push_back({group, array_of(options.inputs, g), "in_" + group.name});
            for (int k = 0; k < group.size(); ++k) place_.push_back({g, k});
        }
        for (std::size_t g = 0; g < program.output_groups.size(); ++g) {
            const Group& group = program.output_groups[g];
            arrays_.push_back({group, array_of(options.outputs, g), "out_" + group.name});
        }
        for (Array& array : arrays_) {
            for (char& c : array.name) {
                const bool is_plain =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
                if (!is_plain) c = '_';
            }
        }
    }

    std::string run() {
        order_nodes();
        find_loads();
        std::string out = head();
        write_rows();
        write_checked_inputs();
        place_outputs();
        for (const Value x : order_) write(x);
        for (std::size_t k = 0; k < program_.outputs.size(); ++k) store_if_left(k);
        write_end();
        return out + body_ + "}\n";
    }

private:
    struct Array {
        Group group;
        KernelArray how;
        std::string name;
    };

    const Program& program_;
    const std::string& name_;
    const KernelOptions& options_;
    std::vector<Array> arrays_;
    std::vector<std::pair<std::size_t, int>>
        place_;  // of each input: its array, and its place there
    std::vector<Value> order_;
    std::vector<bool> written_;
    std::vector<Value> node_of_input_;
    std::vector<bool> loaded_;
    std::vector<std::vector<std::size_t>> outputs_of_;  // of each node
    std::vector<bool> stored_;
    std::string body_;

    static std::size_t index(Value x) { return static_cast<std::size_t>(x); }
    static KernelArray array_of(const std::vector<KernelArray>& arrays, std::size_t k) {
        return k < arrays.size() ? arrays[k] : KernelArray{};
    }
    const Node& node(Value x) const { return program_.nodes[index(x)]; }
    bool is_narrow() const { return options_.precision == GeneratedPrecision::kF32; }
    std::string number() const { return is_narrow() ? "float" : "double"; }
    std::string call(const char* function, const std::string& arguments) const {
        return function + std::string(is_narrow() ? "f(" : "(") + arguments + ")";
    }
    void line(const std::string& text) { body_ += "    " + text + "\n"; }

    // --- The order of operations ---

    // As the program has them; or, of what needs nothing but inputs and constants and little work, each where it is needed
    // first.
    void order_nodes() {
        const std::size_t n = program_.nodes.size();
        std::vector<bool> is_light(n), done(n);
        for (std::size_t k = 0; k < n; ++k) {
            const Node& x = program_.nodes[k];
            bool light = options_.shape.late;
            for (int i = 0; i < num_operands(x.op); ++i) {
                const Op op = node(x.operands[static_cast<std::size_t>(i)]).op;
                light = light && (op == Op::kInput || op == Op::kConstant);
            }
            is_light[k] = light;
        }
        const auto place = [&](Value x) {
            if (done[index(x)]) return;
            done[index(x)] = true;
            order_.push_back(x);
        };
        for (std::size_t k = 0; k < n; ++k) {
            if (is_light[k]) continue;
            const Node& x = program_.nodes[k];
            for (int i = 0; i < num_operands(x.op); ++i) {
                const Value operand = x.operands[static_cast<std::size_t>(i)];
                if (is_light[index(operand)]) place(operand);
            }
            place(static_cast<Value>(k));
        }
        for (const Value x : program_.outputs) place(x);
        if (program_.singular >= 0) place(program_.singular);
        written_.assign(n, false);
    }

    // --- Arrays ---

    void find_loads() {
        node_of_input_.assign(place_.size(), -1);
        loaded_.assign(place_.size(), false);
        for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
            const Node& x = program_.nodes[k];
            if (x.op == Op::kInput)
                node_of_input_[static_cast<std::size_t>(x.constant)] = static_cast<Value>(k);
        }
    }

    std::string head() const {
        std::string out =
            "extern \"C\" __global__ void __launch_bounds__(" +
            std::to_string(options_.shape.threads) +
            (options_.shape.blocks > 0 ? ", " + std::to_string(options_.shape.blocks) : "") +
            ")\n" + name_ + "(const unsigned count";
        for (std::size_t k = 0; k < arrays_.size(); ++k) {
            const Array& array = arrays_[k];
            const bool is_input = k < program_.input_groups.size();
            out +=
                std::string(", ") + (is_input ? "const " : "") + number() + "* const " + array.name;
            if (array.how.layout == ArrayLayout::kPlanes)
                out += ", const long long " + array.name + "_plane";
            if (array.how.layout == ArrayLayout::kAnything) {
                for (const char* stride : {"_state", "_row", "_column"})
                    out += ", const long long " + array.name + stride;
            }
        }
        return out +
               ",\n    unsigned char* const status, unsigned long long* const flagged) {\n"
               "    const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    if (n >= count) return;\n";
    }
    // Where a state begins, in arrays that hold one state after another.
    void write_rows() {
        for (std::size_t k = 0; k < arrays_.size(); ++k) {
            const Array& array = arrays_[k];
            if (array.how.layout == ArrayLayout::kPlanes) continue;
            const bool is_input = k < program_.input_groups.size();
            const std::string stride = array.how.layout == ArrayLayout::kRows
                                           ? std::to_string(array.group.size())
                                           : array.name + "_state";
            line(std::string(is_input ? "const " : "") + number() + "* const " + array.name +
                 "_n = " + array.name + " + (long long)n * " + stride + ";");
        }
    }
    // Entry e of an array, column by column, in memory.
    std::string entry(const Array& array, int e) const {
        const int rows = array.group.rows, columns = array.group.columns;
        const int r = e % rows, c = e / rows;
        const int at = array.how.order == EntryOrder::kByColumns ? e : r * columns + c;
        switch (array.how.layout) {
            case ArrayLayout::kPlanes:
                return "(" + array.name + " + " + std::to_string(at) + " * " + array.name +
                       "_plane)[n]";
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

    // --- Checks ---

    void write_checked_inputs() {
        line(number() + " input_check = 0, result_check = 0;");
        for (std::size_t k = 0; k < place_.size(); ++k) {
            const bool is_checked = k < options_.checks.finite.size() && options_.checks.finite[k];
            // What is read is read at once: many loads are under way together.
            if (!is_checked && node_of_input_[k] < 0) continue;
            load(k);
        }
        for (std::size_t k = 0; k < place_.size(); ++k) {
            if (k < options_.checks.finite.size() && options_.checks.finite[k])
                line("input_check += " + input_name(k) + " * 0;");
        }
        line("int no_attitude = 0;");
        for (const int q : options_.checks.quaternions) {
            std::string sum;
            for (int i = 0; i < 4; ++i) {
                const std::string x = input_name(static_cast<std::size_t>(q + i));
                sum += (i == 0 ? "" : " + ") + x + " * " + x;
            }
            const double least = is_narrow()
                                     ? 4.0 * static_cast<double>(std::numeric_limits<float>::min())
                                     : 4.0 * std::numeric_limits<double>::min();
            const double most = is_narrow()
                                    ? static_cast<double>(std::numeric_limits<float>::max()) / 4
                                    : std::numeric_limits<double>::max() / 4;
            const std::string length = "length" + std::to_string(q);
            line("const " + number() + " " + length + " = " + sum + ";");
            line("no_attitude |= !(" + length + " >= " + literal(least, options_.precision) +
                 " && " + length + " <= " + literal(most, options_.precision) + ");");
        }
    }

    // --- Operations ---

    std::string operand(Value x) const {
        const Node& n = node(x);
        if (n.op == Op::kConstant) {
            const std::string text = literal(n.constant, options_.precision);
            return n.constant < 0 ? "(" + text + ")" : text;
        }
        if (n.op == Op::kInput) return input_name(static_cast<std::size_t>(n.constant));
        return "x" + std::to_string(x);
    }
    std::string mask(Value x) const {
        const Node& n = node(x);
        if (n.op == Op::kConstant) return n.constant != 0 ? "1" : "0";
        return "x" + std::to_string(x);
    }
    std::string expression(const Node& n) const {
        const std::string a = operand(n.operands[0]);
        const auto b = [&] { return operand(n.operands[1]); };
        switch (n.op) {
            case Op::kAdd:
                return a + " + " + b();
            case Op::kSubtract:
                return a + " - " + b();
            case Op::kMultiply:
                return a + " * " + b();
            case Op::kDivide:
                return "plucker_quotient(" + a + ", " + b() + ")";
            case Op::kNegate:
                return "-" + a;
            case Op::kAbs:
                return call("fabs", a);
            case Op::kSqrt:
                return call("sqrt", a);
            case Op::kAtan2:
                return call("atan2", a + ", " + b());
            case Op::kSelect:
                return mask(n.operands[0]) + " ? " + b() + " : " + operand(n.operands[2]);
            case Op::kLess:
                return a + " < " + b();
            case Op::kLessOrEqual:
                return a + " <= " + b();
            case Op::kEqual:
                return a + " == " + b();
            case Op::kIsFinite:
                return a + " - " + a + " == 0";
            case Op::kAnd:
                return mask(n.operands[0]) + " && " + mask(n.operands[1]);
            case Op::kOr:
                return mask(n.operands[0]) + " || " + mask(n.operands[1]);
            default:
                return "!" + mask(n.operands[0]);
        }
    }
    void write(Value x) {
        if (written_[index(x)]) return;
        written_[index(x)] = true;
        const Node& n = node(x);
        if (n.op == Op::kConstant) return;
        if (n.op == Op::kSin || n.op == Op::kCos) {
            write_sine_and_cosine(n.operands[0]);
        } else if (n.op != Op::kInput) {
            line("const " + (is_mask(n.op) ? "int" : number()) + " x" + std::to_string(x) + " = " +
                 expression(n) + ";");
        }
        for (const std::size_t k : outputs_of_[index(x)]) store(k);
    }
    void write_sine_and_cosine(Value angle) {
        Value sine = -1, cosine = -1;
        for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
            const Node& n = program_.nodes[k];
            if (n.op == Op::kSin && n.operands[0] == angle) sine = static_cast<Value>(k);
            if (n.op == Op::kCos && n.operands[0] == angle) cosine = static_cast<Value>(k);
        }
        const std::string unused = "unused" + std::to_string(angle);
        const std::string s = sine >= 0 ? "x" + std::to_string(sine) : unused;
        const std::string c = cosine >= 0 ? "x" + std::to_string(cosine) : unused;
        line(number() + " " + s + ", " + c + ";");
        line("plucker_sin_cos(" + operand(angle) + ", &" + s + ", &" + c + ");");
        for (const Value x : {sine, cosine}) {
            if (x < 0 || written_[index(x)]) continue;
            written_[index(x)] = true;
            for (const std::size_t k : outputs_of_[index(x)]) store(k);
        }
    }

    // --- Outputs ---

    void place_outputs() {
        outputs_of_.resize(program_.nodes.size());
        stored_.assign(program_.outputs.size(), false);
        for (std::size_t k = 0; k < program_.outputs.size(); ++k)
            outputs_of_[index(program_.outputs[k])].push_back(k);
    }
    void store(std::size_t k) {
        stored_[k] = true;
        std::size_t g = program_.input_groups.size();
        int e = static_cast<int>(k);
        while (e >= arrays_[g].group.size()) e -= arrays_[g++].group.size();
        const Value x = program_.outputs[k];
        line(entry(arrays_[g], e) + " = " + operand(x) + ";");
        if (node(x).op != Op::kConstant) line("result_check += " + operand(x) + " * 0;");
    }
    void store_if_left(std::size_t k) {
        if (!stored_[k]) store(k);
    }
    void write_end() {
        line("int state = result_check == 0 ? 0 : 3;");
        if (program_.singular >= 0) line("if (" + mask(program_.singular) + ") state = 2;");
        line("if (no_attitude) state = 4;");
        line("if (!(input_check == 0)) state = 1;");
        line("if (status != 0) status[n] = (unsigned char)state;");
        line("if (state == 0) return;");
        line("if (flagged != 0) atomicAdd(flagged, 1ull);");
        line("const " + number() + " nan = " +
             (is_narrow() ? "__int_as_float(0x7fc00000)"
                          : "__longlong_as_double(0x7ff8000000000000ll)") +
             ";");
        for (std::size_t g = program_.input_groups.size(); g < arrays_.size(); ++g) {
            const Array& array = arrays_[g];
            const std::string rows = std::to_string(array.group.rows),
                              columns = std::to_string(array.group.columns);
            const std::string size = std::to_string(array.group.size());
            switch (array.how.layout) {
                case ArrayLayout::kPlanes:
                    line("for (int e = 0; e < " + size + "; ++e) (" + array.name + " + e * " +
                         array.name + "_plane)[n] = nan;");
                    break;
                case ArrayLayout::kRows:
                    line("for (int e = 0; e < " + size + "; ++e) " + array.name + "_n[e] = nan;");
                    break;
                default:
                    line("for (int r = 0; r < " + rows + "; ++r) {");
                    line("    for (int c = 0; c < " + columns + "; ++c) " + array.name + "_n[r * " +
                         array.name + "_row + c * " + array.name + "_column] = nan;");
                    line("}");
            }
        }
    }
};

}  // namespace

std::string kernel_prelude(GeneratedPrecision precision) {
    return precision == GeneratedPrecision::kF32 ? kPreludeF32 : kPreludeF64;
}

KernelShape shape_for(const Program&, GeneratedPrecision) { return {}; }

std::string kernel_text(const Program& program, const std::string& name,
                        const KernelOptions& options) {
    return KernelWriter(program, name, options).run();
}

}  // namespace plucker::compiler
