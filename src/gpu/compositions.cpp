#include "compositions.hpp"

#include <algorithm>
#include <limits>

namespace plucker::gpu {
namespace {

// One piece of a call that is composed of others.
template <class T>
class Composition {
public:
    using Vector = batch::States<const T>;
    using Matrix = batch::Matrices<T>;

    // `plane` numbers of each entry that stands in `memory`.
    Composition(Calls<T>& calls, const BatchOperands<T>& x, long count, long plane, void* memory)
        : calls_(calls), x_(x), count_(count), plane_(plane), next_(static_cast<T*>(memory)) {}
    // A loop over matrices reads them fastest in planes.
    static bool goes_through_memory(const Matrix& x) { return x.state_stride != 1; }

    long nv() const { return calls_.model().nv(); }
    const Vector& in(int k) const { return x_.inputs[static_cast<std::size_t>(k)]; }
    // A square matrix, where it is computed; asked for once.
    Matrix out(int k) {
        const Matrix& theirs = x_.outputs[static_cast<std::size_t>(k)];
        if (!goes_through_memory(theirs)) return theirs;
        moved_.emplace_back(square(), theirs);
        return moved_.back().first;
    }
    // Memory in between.
    Matrix vector() { return planes(nv(), 1); }
    Matrix square() { return planes(nv(), nv()); }
    // Behind all these, a byte a state: what was found of it, and what a part has found.
    void begin() {
        found_ = reinterpret_cast<unsigned char*>(next_);
        part_ = found_ + plane_;
        calls_.device().clear(found_, static_cast<std::size_t>(count_), calls_.stream());
    }

    // Another function, under the same forces from outside.
    void part(const char* name, std::initializer_list<Vector> inputs,
              std::initializer_list<Matrix> outputs) {
        BatchOperands<T> there;
        for (const Vector& input : inputs) there.take(input);
        for (const Matrix& output : outputs) there.give(output);
        const auto any = [](const Algorithm&) { return true; };
        const int row = row_named(name, "part", any);
        if (algorithms()[static_cast<std::size_t>(row)].inputs.has(Kind::kForces))
            there.external = x_.external;
        there.status = {reinterpret_cast<Status*>(part_), static_cast<std::size_t>(count_)};
        calls_.run_part(row, there, count_);
        LaunchArguments arguments(count_);
        arguments.add_pointer(part_);
        arguments.add_pointer(found_);
        launch_by_states(kNote, arguments);
    }
    // to = times · A B + plus · C.
    void product(const Matrix& to, T times, const Matrix& A, const Matrix& B, T plus,
                 const Matrix& C) {
        multiply(nv(), to, times, A, B, plus, C);
    }
    void product(const Matrix& to, T times, const Matrix& A, const Matrix& B) {
        multiply(nv(), to, times, A, B, T(0), to);
    }
    void negate(const Matrix& x) { multiply(0, x, T(0), x, x, T(-1), x); }
    void copy(const Vector& from, const Matrix& to) {
        calls_.move(batch::Matrices<const T>(from), to);
    }
    static Matrix transposed(Matrix x) {
        std::swap(x.row_stride, x.column_stride);
        return x;
    }
    static Vector as_vector(const Matrix& x) {
        return {x.data, x.count, x.rows, x.state_stride, x.row_stride};
    }
    // The part is asked once for each unit vector, which is the last of its inputs, and gives a matrix of each output.
    void blocks(const char* name, int num_inputs) {
        const long n = nv();
        for (long k = 0; k < n; ++k) {
            BatchOperands<T> block = x_;
            for (int o = 0; o < x_.num_outputs; ++o) {
                Matrix& to = block.outputs[static_cast<std::size_t>(o)];
                to.data += k * n * to.column_stride;
                to.columns = n;
            }
            const Vector unit{calls_.unit_vector(k), count_, n, 0, 1};
            const auto& [one, two, three, four] = block.outputs;
            if (num_inputs == 1) part(name, {in(0), unit}, {one});
            if (num_inputs == 3) part(name, {in(0), in(1), in(2), unit}, {one, two, three, four});
        }
    }

    // ... once for each unit vector, which stands in a column of the only output, and makes another column of it.
    void columns(const char* name) {
        for (long k = 0; k < nv(); ++k) {
            Matrix column = x_.outputs[0];
            column.data += k * column.column_stride;
            column.columns = 1;
            column.column_stride = 1;
            copy({calls_.unit_vector(k), count_, nv(), 0, 1}, column);
            part(name, {in(0)}, {column});
        }
    }

    // Hands the results over.
    void finish(unsigned long long* flagged) {
        for (const auto& [ours, theirs] : moved_) calls_.move(ours, theirs);
        for (int k = 0; k < x_.num_outputs; ++k) {
            const Matrix& theirs = x_.outputs[static_cast<std::size_t>(k)];
            LaunchArguments arguments(count_);
            arguments.add_pointer(found_);
            arguments.add(theirs.rows);
            arguments.add(theirs.columns);
            arguments.add_strides(theirs);
            launch_by_states(kWithdraw, arguments);
        }
        LaunchArguments arguments(count_);
        arguments.add_pointer(found_);
        arguments.add_pointer(x_.status.empty() ? nullptr : x_.status.data());
        arguments.add_pointer(flagged);
        launch_by_states(kTell, arguments);
    }

private:
    Calls<T>& calls_;
    const BatchOperands<T>& x_;
    long count_, plane_;
    T* next_;
    std::vector<std::pair<Matrix, Matrix>> moved_;
    unsigned char* found_ = nullptr;
    unsigned char* part_ = nullptr;

    Matrix planes(long rows, long columns) {
        const Matrix out(next_, count_, rows, columns, 1, columns * plane_, plane_);
        next_ += rows * columns * plane_;
        return out;
    }
    void launch_by_states(const PlainKernel& kernel, LaunchArguments& arguments) {
        const long threads = kernel.threads;
        calls_.launch(kernel, (count_ + threads - 1) / threads, arguments);
    }
    void multiply(long inner, const Matrix& to, T times, const Matrix& A, const Matrix& B, T plus,
                  const Matrix& C) {
        LaunchArguments arguments(count_);
        arguments.add(nv());
        arguments.add(inner);
        arguments.add_number(times);
        arguments.add_strides(A);
        arguments.add_strides(B);
        arguments.add_number(plus);
        arguments.add_strides(C);
        arguments.add_strides(to);
        arguments.add_pointer(found_);
        const long threads = kProduct.threads;
        const long tiles = (nv() + kProductTile - 1) / kProductTile;
        calls_.launch(kProduct, (count_ + threads - 1) / threads * tiles * tiles, arguments);
    }
};

// ∂a/∂q = -M⁻¹ ∂τ/∂q, and so by v (dynamics_derivatives.hpp).
template <class T>
void forward_dynamics_derivatives(Composition<T>& c) {
    const auto q = c.in(0), v = c.in(1), tau = c.in(2);
    const auto dq = c.out(0), dv = c.out(1), Minv = c.out(2);
    const auto a = c.vector(), dtau_dq = c.square(), dtau_dv = c.square();
    c.begin();
    c.part("forward_dynamics", {q, v, tau}, {a});
    // Its third is M, which nobody needs.
    c.part("inverse_dynamics_derivatives", {q, v, c.as_vector(a)}, {dtau_dq, dtau_dv, Minv});
    c.part("inverse_mass_matrix", {q}, {Minv});
    c.product(dq, T(-1), Minv, dtau_dq);
    c.product(dv, T(-1), Minv, dtau_dv);
}

// With λ = M⁻¹ μ and H those of inverse dynamics (second_derivatives.hpp). -H_qa M⁻¹ comes first: H_qa a_x is its product with
// ∂τ/∂x.
template <class T>
void forward_dynamics_hessians(Composition<T>& c) {
    const auto q = c.in(0), v = c.in(1), tau = c.in(2), mu = c.in(3);
    const auto qq = c.out(0), qv = c.out(1), vv = c.out(2), qtau = c.out(3);
    const auto a = c.vector(), lambda = c.vector();
    const auto dtau_dq = c.square(), dtau_dv = c.square(), Minv = c.square(), qa = c.square();
    c.begin();
    c.part("forward_dynamics", {q, v, tau}, {a});
    c.part("inverse_dynamics_derivatives", {q, v, c.as_vector(a)}, {dtau_dq, dtau_dv, Minv});
    c.part("inverse_mass_matrix", {q}, {Minv});
    c.copy(mu, lambda);
    c.part("inverse_mass_matrix_times", {q}, {lambda});
    c.part("inverse_dynamics_hessians", {q, v, c.as_vector(a), c.as_vector(lambda)},
           {qq, qv, vv, qa});
    c.product(qtau, T(-1), qa, Minv);
    c.product(qq, T(-1), qtau, dtau_dq, T(-1), qq);
    c.product(qq, T(-1), c.transposed(dtau_dq), c.transposed(qtau), T(1), qq);
    c.product(qv, T(-1), qtau, dtau_dv, T(-1), qv);
    c.negate(vv);
}

// The tensors, a torque at a time: λ is a unit vector.
template <class T>
void inverse_dynamics_second_derivatives(Composition<T>& c) {
    c.begin();
    c.blocks("inverse_dynamics_hessians", 3);
}

// C(q, e_k) for each coordinate.
template <class T>
void christoffel_symbols(Composition<T>& c) {
    c.begin();
    c.blocks("coriolis_matrix", 1);
}

template <class T>
void inverse_mass_matrix(Composition<T>& c) {
    c.begin();
    c.columns("inverse_mass_matrix_times");
}

// What a function is composed of, and the vectors and square matrices that it keeps in between; its results, too, where they
// are to stand in rows. And how many nodes a program may have instead: a long one for the derivatives of forward dynamics in
// double is slower than the composition, since registers do not hold its numbers; others are faster, as long as a compiler can
// be waited for (docs/gpu.md).
constexpr std::size_t kHeldInRegisters = 4000, kCompiledInSeconds = 15000,
                      kAny = std::numeric_limits<std::size_t>::max();
template <class T>
struct Recipe {
    const char* name;
    std::size_t most_nodes;
    long vectors, squares;
    bool asks_for_results;
    void (*run)(Composition<T>&);
};
template <class T>
constexpr Recipe<T> kRecipes[] = {
    {"forward_dynamics_derivatives", sizeof(T) == 8 ? kHeldInRegisters : 2 * kCompiledInSeconds, 1,
     2, true, forward_dynamics_derivatives<T>},
    {"forward_dynamics_hessians", kCompiledInSeconds, 2, 4, true, forward_dynamics_hessians<T>},
    {"inverse_dynamics_second_derivatives", kCompiledInSeconds, 0, 0, false,
     inverse_dynamics_second_derivatives<T>},
    {"inverse_mass_matrix", kAny, 0, 0, false, inverse_mass_matrix<T>},
    {"inverse_mass_matrix_by_articulated_bodies", kAny, 0, 0, false, inverse_mass_matrix<T>},
    {"christoffel_symbols", kAny, 0, 0, false, christoffel_symbols<T>},
};
template <class T>
const Recipe<T>* recipe_for(const Algorithm& row) {
    for (const Recipe<T>& recipe : kRecipes<T>) {
        if (std::string(recipe.name) == row.name) return &recipe;
    }
    return nullptr;
}

}  // namespace

bool can_be_composed(const Algorithm& row) { return recipe_for<double>(row) != nullptr; }

template <class T>
std::size_t most_nodes_of(const Algorithm& row, std::size_t allowed) {
    const Recipe<T>* const recipe = recipe_for<T>(row);
    return recipe == nullptr ? allowed : std::min(allowed, recipe->most_nodes);
}
template std::size_t most_nodes_of<double>(const Algorithm&, std::size_t);
template std::size_t most_nodes_of<float>(const Algorithm&, std::size_t);

Error too_long(const Algorithm& row, const Model& model) {
    return Error::because("gpu: ", row.name, " of robot '", model.name(), "' (nv = ", model.nv(),
                          ") is a program too long to be compiled in a few minutes; compute it in "
                          "batches on the CPU, or allow more with Options::most_nodes");
}

template <class T>
void compose(Calls<T>& calls, int row, const BatchOperands<T>& x, long count,
             unsigned long long* flagged) {
    const Recipe<T>& recipe = *recipe_for<T>(algorithms()[static_cast<std::size_t>(row)]);
    const long n = calls.model().nv();
    long squares = recipe.squares;
    for (int k = 0; recipe.asks_for_results && k < x.num_outputs; ++k) {
        if (Composition<T>::goes_through_memory(x.outputs[static_cast<std::size_t>(k)])) ++squares;
    }
    constexpr long kBytesOfFindings = 2;
    const long numbers = recipe.vectors * n + squares * n * n;
    const long bytes = numbers * static_cast<long>(sizeof(T)) + kBytesOfFindings;
    const long plane =
        std::min({calls.states_at_once(bytes), (count + kTile - 1) / kTile * kTile, 1L << 20});
    void* const memory = calls.reserve(static_cast<std::size_t>(bytes * plane));
    KernelReport report;
    for (long first = 0; first < count; first += plane) {
        const long size = std::min(plane, count - first);
        batch::ExternalForces<T> forces;
        const BatchOperands<T> piece = part_of(x, first, size, forces);
        Composition<T> composition(calls, piece, size, plane, memory);
        recipe.run(composition);
        composition.finish(flagged);
        if (first == 0) report = calls.report();
    }
    if (count > 0) calls.set_report(report);  // a state's, whatever the pieces
}

template void compose(Calls<double>&, int, const BatchOperands<double>&, long, unsigned long long*);
template void compose(Calls<float>&, int, const BatchOperands<float>&, long, unsigned long long*);

}  // namespace plucker::gpu
