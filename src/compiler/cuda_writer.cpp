// The text of a kernel, part by part: what it reads, its operations in their order, what it gives, and what becomes of states
// that have no result.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cuda_arrays.hpp"
#include "cuda_order.hpp"
#include "cuda_shape.hpp"
#include "function_writer.hpp"
#include "parts.hpp"
#include "plucker/compiler/cuda.hpp"
#include "plucker/compiler/slices.hpp"

namespace plucker::compiler {
namespace {

class KernelWriter : public ExpressionWriter {
public:
    KernelWriter(const Program& program, const std::string& name, const KernelOptions& options)
        : ExpressionWriter(program, options.precision),
          name_(name),
          options_(options),
          parts_(divide(program, options.shape.parts)),
          arrays_(program, options, number()) {
        find_sines_and_cosines();
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
    const std::string& name_;
    const KernelOptions& options_;
    Parts parts_;
    KernelArrays arrays_;
    // Of each node: where it is given; and of each angle its sine and cosine.
    std::vector<std::vector<std::size_t>> outputs_of_;
    std::vector<std::pair<Value, Value>> sine_and_cosine_;
    // In the part that is being written: what is there already.
    int part_ = 0;
    std::vector<bool> written_, loaded_;
    std::string body_;

    static std::size_t index(Value x) { return static_cast<std::size_t>(x); }
    const Node& node(Value x) const { return program_.nodes[index(x)]; }
    bool is_computed(Value x) const { return compiler::is_computed(program_, x); }
    bool in_parts() const { return parts_.count > 1; }
    int states() const { return options_.shape.threads; }
    int threads() const { return states() * parts_.count; }
    bool is_slice() const { return options_.slice.count > 1; }
    bool is_last_slice() const { return options_.slice.number + 1 == options_.slice.count; }
    // Then none may leave early.
    bool waits() const { return in_parts() || options_.shape.stride > 0; }
    void line(const std::string& text) { body_ += "    " + text + "\n"; }

    void find_sines_and_cosines() {
        sine_and_cosine_.assign(program_.nodes.size(), {-1, -1});
        for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
            const Node& x = program_.nodes[k];
            const auto value = static_cast<Value>(k);
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

    // --- Arguments, and which state a thread has ---

    void write_head() {
        body_ += "extern \"C\" __global__ void __launch_bounds__(" + std::to_string(threads()) +
                 (options_.shape.blocks > 0 ? ", " + std::to_string(options_.shape.blocks) : "") +
                 ")\n" + name_ + "(const unsigned count" + arrays_.arguments();
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
        for (const std::string& beginning : arrays_.beginnings()) line(beginning);
        if (is_slice() && !is_last_slice()) line("(void)status, (void)flagged;");
        line("int mark = 0;");
    }
    std::string input_name(std::size_t k) const { return "i" + std::to_string(k); }
    void load(std::size_t k) {
        if (loaded_[k]) return;
        loaded_[k] = true;
        line("const " + number() + " " + input_name(k) + " = " + arrays_.input(k) + ";");
    }

    // --- A part ---

    void write_part(int part) {
        part_ = part;
        written_.assign(program_.nodes.size(), false);
        loaded_.assign(arrays_.num_inputs(), false);
        const std::vector<Value> order = order_of_part(program_, parts_, part, options_.shape.late);
        line(!in_parts()                ? "{"
             : part == 0                ? "if (part == 0) {"
             : part + 1 == parts_.count ? "else {"
                                        : "else if (part == " + std::to_string(part) + ") {");
        write_inputs(order);
        line(number() + " result_check = 0;");
        // Outputs that are not computed are given in between: memory has nothing else to do then.
        const std::vector<PlainRun> plain = part == 0 ? plain_runs() : std::vector<PlainRun>{};
        std::size_t written = 0, stored = 0;
        for (const Value x : order) {
            if (x == kMeet) {
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
    // Neighbours in memory that are the same number, or one that is not.
    struct PlainRun {
        std::size_t output;  // the first
        int count;
    };
    // Outputs that are not computed. Where there are very many, as in a regressor, neighbours are stored by a loop: one by one
    // they would keep the compiler busy for minutes, and fill the instruction cache.
    std::vector<PlainRun> plain_runs() const {
        constexpr std::size_t kMany = 1000;
        constexpr int kShortest = 8, kLongest = 64;
        struct Plain {
            std::size_t array;
            int at;
            std::size_t output;
        };
        std::vector<Plain> plain;
        for (std::size_t k = 0; k < program_.outputs.size(); ++k) {
            if (program_.outputs[k] == kNotGiven || is_computed(program_.outputs[k])) continue;
            const KernelArrays::Place place = arrays_.place_of_output(k);
            plain.push_back({place.array, place.at, k});
        }
        std::stable_sort(plain.begin(), plain.end(), [](const Plain& a, const Plain& b) {
            return std::pair(a.array, a.at) < std::pair(b.array, b.at);
        });
        const auto continues = [&](const Plain& a, const Plain& b) {
            const Value x = program_.outputs[a.output];
            return a.array == b.array && a.at >= 0 && b.at == a.at + 1 &&
                   x == program_.outputs[b.output] && node(x).op == Op::kConstant;
        };
        std::vector<PlainRun> out;
        for (std::size_t first = 0, next; first < plain.size(); first = next) {
            next = first + 1;
            while (next < plain.size() && next < first + kLongest &&
                   continues(plain[next - 1], plain[next]))
                ++next;
            if (next >= first + kShortest && plain.size() >= kMany) {
                out.push_back({plain[first].output, static_cast<int>(next - first)});
            } else {
                for (std::size_t k = first; k < next; ++k) out.push_back({plain[k].output, 1});
            }
        }
        return out;
    }
    bool is_kept_input(Value x) const {
        return node(x).op == Op::kInput &&
               arrays_.keeps_input(static_cast<std::size_t>(node(x).constant));
    }
    // All that the part reads is read first, so that many loads are under way together, and looked at. Of what was kept there
    // is too much for the registers: it is read where it is needed.
    void write_inputs(const std::vector<Value>& order) {
        std::vector<bool> is_read(arrays_.num_inputs());
        const auto note = [&](Value x) {
            if (x != kNotGiven && node(x).op == Op::kInput && !is_kept_input(x))
                is_read[static_cast<std::size_t>(node(x).constant)] = true;
        };
        for (const Value x : order) {
            if (x == kMeet) continue;
            for (int i = 0; i < num_operands(node(x).op); ++i)
                note(node(x).operands[static_cast<std::size_t>(i)]);
        }
        if (part_ == 0) {
            for (const Value x : program_.outputs) note(x);
        }
        const auto looks_at = [&](std::size_t k) {
            return !in_parts() || parts_.part_of_input[k] == part_;
        };
        for (std::size_t k = 0; k < arrays_.num_inputs(); ++k) {
            if (is_read[k] || (is_checked(k) && looks_at(k))) load(k);
        }
        line(number() + " input_check = 0;");
        for (std::size_t k = 0; k < arrays_.num_inputs(); ++k) {
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
    void store_plain(const PlainRun& run) {
        const Value x = program_.outputs[run.output];
        if (run.count > 1) {
            const auto [array, at] = arrays_.place_of_output(run.output);
            line("PLUCKER_KEEP_LOOP");
            line("for (unsigned e = " + std::to_string(at) + "; e < " +
                 std::to_string(at + run.count) + "; ++e) " + (waits() ? "if (is_here) " : "") +
                 arrays_.entry_at(array, "e") + " = " + operand(x) + ";");
        } else if (store_to(run.output, x) && node(x).op != Op::kConstant) {
            line("result_check += " + operand(x) + " * 0;");
        }
    }
    // Whether it is a result.
    bool store_to(std::size_t output, Value x) {
        line((waits() ? "if (is_here) " : "") + arrays_.output(output) + " = " + operand(x) + ";");
        return !arrays_.keeps_output(output);
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
        for (const std::string& text : arrays_.without_results()) line(text);
    }
};

}  // namespace

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
