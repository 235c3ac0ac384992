// The edge between users' arguments and the kernels: everything is checked here, once (docs/contract.md).
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>

#include "plucker/algorithms/operands.hpp"
#include "plucker/spatial/quaternion.hpp"

namespace plucker::detail {

// --- What is wrong with a call, in words (src/algorithms/door.cpp) ---

Error not_finite(const char* function, const char* argument, const Model& model, long index,
                 double value, bool is_configuration);
Error no_attitude(const char* function, const char* argument, const Model& model, int body);
Error shared_output(const char* function, const char* first, const char* second);
Error foreign_forces(const char* function, const Model& model, const Model& other);
Error foreign_frame(const char* function, const Model& model, FrameId frame);
Error no_such_body(const char* function, const Model& model, int root);
Error no_mass(const char* function, const Model& model, int root);
Error fixed_base(const char* function, const Model& model);
Error singular_mass_matrix(const char* function, const Model& model, int joint);  // 0: not known
Error missing_kinematics(const char* function, Kinematics level);
Error wrong_operand(const char* function, const Argument& argument, const Model& model, long rows,
                    long columns);
Error wrong_given(const char* function, const Model& model, long size);
Error given_mimic(const char* function, const Model& model, int joint);
// The first joint in the list that cannot have a given acceleration: one that mimics another; 0: none.
int first_given_mimic(const Model& model, std::span<const Given> given);

// What options must be, where a mistake throws: in batches, and in programs that are recorded. Single calls may report.
void require_floating_base(const Algorithm& row, const Model& model);
void require_frame(const Algorithm& row, const Model& model, FrameId frame);
void require_subtree(const Algorithm& row, const Model& model, int root);
void require_given(const Algorithm& row, const Model& model, std::span<const Given> given);

// The memory of an argument: `columns` runs of `run` bytes, `stride` bytes apart.
struct Region {
    const char* begin = nullptr;
    long run = 0;
    long columns = 0;
    long stride = 0;

    template <class S>
    static Region of(const Operand<S>& x) {
        constexpr auto kSize = static_cast<long>(sizeof(S));
        return {reinterpret_cast<const char*>(x.data), x.rows * kSize, x.columns, x.stride * kSize};
    }
    bool is_empty() const { return run == 0 || columns == 0; }
    const char* end() const { return begin + (columns - 1) * stride + run; }
};
bool columns_overlap(const Region& a, const Region& b);
inline bool share_memory(const Region& a, const Region& b) {
    if (a.is_empty() || b.is_empty() || a.end() <= b.begin || b.end() <= a.begin) return false;
    return columns_overlap(a, b);
}

// Whether numbers are finite, in each state that they hold: 0 x is zero for these alone. However many vectors it looks at,
// there is one answer.
template <class S>
class FinitenessTest {
public:
    void look_at(const S* x, long n) {
        for (long k = 0; k < n; ++k) sum_ += x[k] * S(0);
    }
    bool is_passed() const { return all(sum_ == S(0)); }

private:
    S sum_ = S(0);
};
// Four numbers at a time, in sums that do not wait for each other; the last four, some of them again. Processors have no
// vectors of long double.
template <std::floating_point S>
requires(sizeof(S) <= sizeof(double)) class FinitenessTest<S> {
public:
    void look_at(const S* x, long n) {
        if (n < 4) {
            for (long k = 0; k < n; ++k) even_[0] += x[k] * S(0);
            return;
        }
        long k = 0;
        for (; k + 8 <= n; k += 8) {
            add(x + k, even_);
            add(x + k + 4, odd_);
        }
        if (k + 4 <= n) add(x + k, even_);
        add(x + n - 4, odd_);
    }
    bool is_passed() const {
        const Four sums = even_ + odd_;
        return (sums[0] + sums[1]) + (sums[2] + sums[3]) == S(0);
    }

private:
    using Four [[gnu::vector_size(4 * sizeof(S))]] = S;
    Four even_ = {}, odd_ = {};

    static void add(const S* x, Four& sum) {
        Four four;
        std::memcpy(&four, x, sizeof four);
        sum += four * S(0);
    }
};
template <class S>
bool all_finite(const S* x, long n) {
    FinitenessTest<S> test;
    test.look_at(x, n);
    return test.is_passed();
}

// Whether a quaternion has a direction: its squared length is neither zero nor beyond what can be divided by.
template <class S>
MaskOf<S> has_direction(const S* q) {
    using Limits = std::numeric_limits<ParameterOf<S>>;
    const S length2 = squared_norm(Quaternion<S>{q[0], q[1], q[2], q[3]});
    const MaskOf<S> long_enough = length2 >= S(4 * Limits::min());
    const MaskOf<S> short_enough = length2 <= S(Limits::max() / 4);
    return long_enough & short_enough;
}

// Every argument passes through the door of its function once, outputs first: an input that shares memory with one is
// copied. What is wrong is thrown as an Error or, if the workspace asks for that, told by the status.
template <class S>
class Door {
public:
    Door(const char* function, Workspace<S>& ws) : function_(function), ws_(ws) {
        ws_.status_ = Status::kOk;
    }

    // Whether a call is as it should be, seen with little effort: arguments of these sizes, each in memory of its own,
    // numbers finite, quaternions with a direction. If not, the door has to look closer.
    static bool is_plain(const RobotCode::Single& code, Workspace<S>& ws, const Operands<S>& x) {
        for (int o = 0; o < code.num_outputs; ++o) {
            const Operand<S>& out = x.outputs[o];
            if (out.rows != code.outputs[o][0] || out.columns != code.outputs[o][1] ||
                (out.columns > 1 && out.stride != out.rows)) {
                return false;
            }
        }
        FinitenessTest<S> finite;
        for (int k = 0; k < code.num_inputs; ++k) {
            const Operand<const S>& in = x.inputs[k];
            if (in.rows != code.inputs[k] || in.columns != 1) return false;
            finite.look_at(in.data, in.rows);
            for (int o = 0; o < code.num_outputs; ++o) {
                if (may_share(in, x.outputs[o])) return false;
            }
        }
        for (int o = 1; o < code.num_outputs; ++o) {
            for (int other = 0; other < o; ++other) {
                if (may_share(x.outputs[other], x.outputs[o])) return false;
            }
        }
        for (const int i : ws.model().bodies_with_quaternion()) {  // q is the first
            const auto& body = ws.body(i);
            if (!all(has_direction(x.inputs[0].data + body.q_index + body.nq - 4))) return false;
        }
        if (!finite.is_passed()) return false;
        ws.status_ = Status::kOk;
        return true;
    }

    void output(const Argument& argument, const Operand<S>& x) {
        expect_shape(argument, x.rows, x.columns);
        add_output(argument.name, x);
    }
    // A vector that no kind of the table's describes.
    void output(const char* name, const Operand<S>& x, long size, const char* meaning) {
        require(x.rows == size, [&] { return wrong_size(function_, name, x.rows, size, meaning); });
        add_output(name, x);
    }
    // A result that the call returns stands in memory of its own, which is as large as it has to be.
    void result(const Argument& argument, const Operand<S>& x) {
        outputs_[num_outputs_++] = {argument.name, x};
    }
    void input(const Argument& argument, Operand<const S>& x) {
        if (!expect_shape(argument, x.rows, x.columns)) return;
        read(argument, x.data, 0, x.rows);
        for (int k = 0; k < num_outputs_; ++k) {
            if (!share_memory(Region::of(outputs_[k].operand), Region::of(x))) continue;
            auto& copy = ws_.staged_[static_cast<std::size_t>(num_staged_++)];
            std::copy_n(x.data, x.rows, copy.data());
            x.data = copy.data();
            return;
        }
    }
    // A matrix that is read as it is: it must be apart from the outputs.
    void separate(const Argument& argument, const Operand<const S>& x) {
        expect_shape(argument, x.rows, x.columns);
        for (int k = 0; k < num_outputs_; ++k) {
            if (share_memory(Region::of(outputs_[k].operand), Region::of(x))) {
                fail(Status::kMisuse,
                     [&] { return shared_output(function_, argument.name, outputs_[k].name); });
            }
        }
    }
    // Of a vector that a function reads: entries [first, first + count).
    void read(const Argument& argument, const S* x, long first, long count) {
        const bool is_configuration = argument.kind == Kind::kConfiguration;
        if (!all_finite(x + first, count)) {
            // If none before it, the last.
            const S* bad = std::find_if_not(x + first, x + first + count - 1,
                                            [](const S& number) { return all_finite(&number, 1); });
            fail(Status::kNonFiniteInput, [&] {
                return not_finite(function_, argument.name, model(), bad - x,
                                  static_cast<double>(value_of(*bad)), is_configuration);
            });
            return;
        }
        if (is_configuration) attitudes(argument, x);
    }
    void forces(MaybeForces<S> external) {
        if (external == nullptr) return;
        if (!external->model().is_copy_of(model())) {
            fail(Status::kMisuse,
                 [&] { return foreign_forces(function_, model(), external->model()); });
        }
        for (const auto& entry : external->entries()) {
            const S six[] = {entry.force.angular.x, entry.force.angular.y, entry.force.angular.z,
                             entry.force.linear.x,  entry.force.linear.y,  entry.force.linear.z};
            read({"an external force", Kind::kForce}, six, 0, 6);
        }
    }
    void frame(FrameId id) {
        if (model().owns(id)) return;
        fail(Status::kMisuse, [&] { return foreign_frame(function_, model(), id); });
    }
    // The root of a subtree; 0: of the whole robot. It must have a mass.
    void subtree(int root) {
        if (root < 0 || root > model().num_bodies()) {
            fail(Status::kMisuse, [&] { return no_such_body(function_, model(), root); });
        } else if (!(ws_.body(root).subtree_mass > 0)) {
            fail(Status::kMisuse, [&] { return no_mass(function_, model(), root); });
        }
    }
    void given(std::span<const Given> list) {
        const auto size = static_cast<long>(list.size());
        if (size != model().num_bodies() + 1) {
            fail(Status::kMisuse, [&] { return wrong_given(function_, model(), size); });
        } else if (const int joint = first_given_mimic(model(), list); joint != 0) {
            fail(Status::kMisuse, [&] { return given_mimic(function_, model(), joint); });
        }
    }
    // ... and of an output that is also read, what is.
    void read_given(const Argument& argument, const S* x, std::span<const Given> list) {
        const Given here =
            argument.kind == Kind::kAcceleration ? Given::kAcceleration : Given::kTorque;
        for (int i = 1; i <= model().num_bodies(); ++i) {
            const auto& body = ws_.body(i);
            if (body.mimic || list[static_cast<std::size_t>(i)] != here) continue;
            read(argument, x, body.v_index, body.nv);
        }
    }

    // --- Conditions ---
    // Of the function's own; `message` makes the Error.
    template <class Message>
    void require(bool holds, const Message& message) {
        if (!holds) fail(Status::kMisuse, message);
    }
    void needs(Kinematics level) {
        if (ws_.kinematics.level >= level) return;
        fail(Status::kMisuse, [&] { return missing_kinematics(function_, level); });
    }
    void needs_floating_base() {
        if (model().has_floating_base()) return;
        fail(Status::kMisuse, [&] { return fixed_base(function_, model()); });
    }
    // After the kernel: whether the mass matrix was regular.
    Status regular() {
        if (ws_.coordinates.pivots.is_singular()) {
            erase_outputs();
            fail(Status::kSingularMassMatrix, [&] {
                return singular_mass_matrix(function_, model(),
                                            ws_.coordinates.pivots.singular_joint);
            });
        }
        return status();
    }

    // Whether to go on. Where not, the outputs are NaN.
    bool opens() {
        if (ws_.status_ == Status::kOk) [[likely]]
            return true;
        erase_outputs();
        return false;
    }
    Status status() const { return ws_.status_; }

private:
    struct Output {
        const char* name;
        Operand<S> operand;
    };

    const char* function_;
    Workspace<S>& ws_;
    std::array<Output, kMostOutputs> outputs_;
    int num_outputs_ = 0;
    int num_staged_ = 0;

    const Model& model() const { return ws_.model(); }

    template <class A, class B>
    static bool may_share(const Operand<A>& a, const Operand<B>& b) {
        return a.data < b.data + b.rows * b.columns && b.data < a.data + a.rows * a.columns;
    }
    template <class Message>
    void fail(Status status, const Message& message) {
        if (ws_.on_failure() == OnFailure::kThrow) throw message();
        if (ws_.status_ == Status::kOk) ws_.status_ = status;
    }
    void add_output(const char* name, const Operand<S>& x) {
        for (int k = 0; k < num_outputs_; ++k) {
            if (share_memory(Region::of(outputs_[k].operand), Region::of(x))) {
                fail(Status::kMisuse,
                     [&] { return shared_output(function_, outputs_[k].name, name); });
            }
        }
        outputs_[num_outputs_++] = {name, x};
    }
    bool expect_shape(const Argument& argument, long rows, long columns) {
        const Extent extent = extent_of(argument.kind, model());
        if (rows == extent.rows && (columns == extent.columns || extent.columns == kAnyColumns))
            return true;
        fail(Status::kMisuse,
             [&] { return wrong_operand(function_, argument, model(), rows, columns); });
        return false;
    }
    void attitudes(const Argument& argument, const S* q) {
        for (const int i : model().bodies_with_quaternion()) {
            const auto& body = ws_.body(i);
            if (!all(has_direction(q + body.q_index + body.nq - 4))) {
                fail(Status::kNoAttitude,
                     [&] { return no_attitude(function_, argument.name, model(), i); });
            }
        }
    }
    void erase_outputs() {
        const auto nan = S(std::numeric_limits<double>::quiet_NaN());
        for (int k = 0; k < num_outputs_; ++k) {
            const Operand<S>& x = outputs_[k].operand;
            for (long c = 0; c < x.columns; ++c) std::fill_n(x.data + c * x.stride, x.rows, nan);
        }
    }
};

// A call of any algorithm, from its arguments to its results.
template <class S, class AnyKernel>
Status perform(const Algorithm& row, const AnyKernel& kernel, Workspace<S>& ws, Operands<S>& x) {
    if (row.fills_kinematics) ws.kinematics.level = Kinematics::kNone;
    Door<S> door(row.name, ws);
    if (row.needs_floating_base) door.needs_floating_base();
    if (!x.from_states) door.needs(row.kinematics);
    if (row.returns()) {
        door.result(row.outputs[0], x.outputs[0]);
    } else {
        for (int k = 0; k < row.outputs.size(); ++k) door.output(row.outputs[k], x.outputs[k]);
    }
    int vectors = 0;
    while (x.from_states && vectors < row.num_states()) {
        door.input(table::kStates[static_cast<std::size_t>(vectors)], x.inputs[vectors]);
        ++vectors;
    }
    for (const Argument& argument : row.inputs) {
        switch (argument.kind) {
            case Kind::kForces:
                door.forces(x.external);
                break;
            case Kind::kFrame:
                door.frame(x.frame);
                break;
            case Kind::kGiven:
                door.given(x.given);
                break;
            case Kind::kReference:
            case Kind::kRoot:
                break;
            default:
                door.input(argument, x.inputs[vectors++]);
        }
    }
    if (row.needs_mass) door.subtree(x.root);
    if (!door.opens()) return door.status();
    // Shapes are right: what is read of the outputs can be looked at.
    for (int k = 0; k < row.outputs.size() && !row.returns(); ++k) {
        const Argument& argument = row.outputs[k];
        if (argument.reads == Reads::kNothing) continue;
        const Operand<S>& out = x.outputs[k];
        if (argument.reads == Reads::kGiven) {
            door.read_given(argument, out.data, x.given);
            continue;
        }
        const long first = argument.reads == Reads::kJoints ? 6 : 0;
        for (long c = 0; c < out.columns; ++c) {
            door.read(argument, out.data + c * out.stride, first, out.rows - first);
        }
    }
    if (!door.opens()) return door.status();
    kernel(ws, x);
    return row.needs_regular_mass_matrix ? door.regular() : door.status();
}

}  // namespace plucker::detail
