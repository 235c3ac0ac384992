#include "support/batch_functions.hpp"

#include "support/table_calls.hpp"

namespace plucker::test {
namespace {

using Errors = BatchFunction::Errors;

char letter_of(Kind kind, bool is_first_configuration = true) {
    if (kind == Kind::kConfiguration) return is_first_configuration ? 'q' : 'o';
    if (kind == Kind::kVelocity) return 'v';
    return kind == Kind::kAcceleration ? 'a' : 't';
}

// --- Calls, as a user writes them -----------------------------------------------------------------

// Which of the function's vectors input k is; q, v, a of the kinematics come first.
template <class Row>
constexpr std::size_t vector_number(std::size_t k) {
    return static_cast<std::size_t>(Row::kAlgorithm.num_states()) +
           vectors_before(Row::kAlgorithm, k);
}
template <class Row, std::size_t K, class T>
decltype(auto) batch_input(const BatchFunction& f, const BatchArguments<T>& x) {
    constexpr Kind kKind = Row::kAlgorithm.inputs[K].kind;
    if constexpr (kKind == Kind::kForces) {
        return (x.external);
    } else if constexpr (kKind == Kind::kFrame) {
        return (f.frame);
    } else if constexpr (kKind == Kind::kReference) {
        return (f.reference);
    } else if constexpr (kKind == Kind::kRoot) {
        return (f.root);
    } else if constexpr (kKind == Kind::kGiven) {
        return (x.given);
    } else {
        return x.of(f.inputs[vector_number<Row>(K)]);
    }
}
template <class Row, std::size_t K, class T>
auto batch_output(const BatchArguments<T>& x) {
    using View = detail::BatchOutputOf<T, Row::kAlgorithm.outputs[K].kind>;
    if constexpr (std::is_same_v<View, batch::States<T>>) {
        return x.vector(K);
    } else {
        return x.out[K];
    }
}
template <class Row, class T>
long call_batch(batch::Evaluator<T>& e, const BatchFunction& f, const BatchArguments<T>& x) {
    constexpr const Algorithm& kRow = Row::kAlgorithm;
    const auto call = [&]<std::size_t... Q, std::size_t... I, std::size_t... O>(
        std::index_sequence<Q...>, std::index_sequence<I...>, std::index_sequence<O...>) {
        return Function<Row>{}(e, x.of(f.inputs[Q])..., batch_input<Row, I>(f, x)...,
                               batch_output<Row, O>(x)..., x.status);
    };
    constexpr auto kStates =
        std::make_index_sequence<static_cast<std::size_t>(kRow.num_states())>{};
    constexpr auto kOutputs =
        std::make_index_sequence<static_cast<std::size_t>(kRow.outputs.size())>{};
    constexpr auto kAll = static_cast<std::size_t>(kRow.inputs.size());
    constexpr auto kFew = static_cast<std::size_t>(detail::without_last_option(kRow));
    // An option is left out where it says nothing.
    if constexpr (kFew < kAll) {
        if (!f.forces && f.root == 0 && f.reference == ReferenceFrame{})
            return call(kStates, std::make_index_sequence<kFew>{}, kOutputs);
    }
    return call(kStates, std::make_index_sequence<kAll>{}, kOutputs);
}

template <class Row>
std::vector<MatrixX<double>> call_single(Workspace<double>& ws, const BatchFunction& f,
                                         SingleArguments x) {
    constexpr const Algorithm& kRow = Row::kAlgorithm;
    if (kRow.kinematics == Kinematics::kPosition) forward_kinematics(ws, x.q);
    if (kRow.kinematics == Kinematics::kVelocity) forward_kinematics(ws, x.q, x.v);
    if (kRow.kinematics == Kinematics::kAcceleration) forward_kinematics(ws, x.q, x.v, x.a);
    TableCall call;
    for (std::size_t k = static_cast<std::size_t>(kRow.num_states()); k < f.inputs.size(); ++k) {
        VectorX<double>& input = x.of(f.inputs[k]);
        call.inputs.push_back(input.data());
        call.input_shapes.push_back({input.size()});
    }
    std::vector<std::vector<double>> memory;
    for (std::size_t k = 0; k < f.outputs.size(); ++k) {
        const BatchFunction::Shape& shape = f.outputs[k];
        memory.emplace_back(static_cast<std::size_t>(shape.rows * shape.columns));
        if (f.initially[k] != 0) {
            const VectorX<double>& from = x.of(f.initially[k]);
            memory.back().assign(from.begin(), from.end());
        }
        call.output_shapes.push_back({shape.rows, shape.columns});
    }
    for (std::vector<double>& output : memory) call.outputs.push_back(output.data());
    call.external = x.external;
    call.frame = f.frame;
    call.reference = f.reference;
    call.root = f.root;
    call.given = x.given;
    call_in_place<Row>(ws, call);
    std::vector<MatrixX<double>> out;
    for (std::size_t k = 0; k < memory.size(); ++k) {
        out.push_back(result_of(kRow.outputs[static_cast<int>(k)].kind, memory[k].data(),
                                call.output_shapes[k]));
    }
    return out;
}

// --- From a row to its function, and to one for each option ------------------------------------------

template <class Row>
BatchFunction function_of(const Model& model) {
    const Algorithm& row = Row::kAlgorithm;
    BatchFunction f;
    f.name = row.name;
    f.row = &row;
    f.inputs = std::string("qva").substr(0, static_cast<std::size_t>(row.num_states()));
    for (const Argument& input : row.inputs) {
        if (is_option(input.kind)) continue;
        f.inputs += letter_of(input.kind, f.inputs.empty() || row.num_states() > 0);
    }
    for (const Argument& output : row.outputs) {
        const Extent extent = extent_of(output.kind, model);
        f.outputs.push_back({static_cast<int>(extent.rows),
                             static_cast<int>(extent.columns == kAnyColumns ? 1 : extent.columns)});
        f.initially.push_back(output.reads == Reads::kNothing ? char{0} : letter_of(output.kind));
    }
    if (row.needs_regular_mass_matrix) {
        const Kind kind = row.outputs[0].kind;
        f.errors = kind == Kind::kSymmetricMatrix ? Errors::kOfInverse
                   : kind == Kind::kFrameInertia || kind == Kind::kAccelerationDerivative
                       ? Errors::kOfCondition
                       : Errors::kOfSolving;
    }
    f.call_double = call_batch<Row, double>;
    f.call_float = call_batch<Row, float>;
    f.call_single = call_single<Row>;
    return f;
}

// The functions, once with each of the values that `set` gives an option.
template <class Set>
std::vector<BatchFunction> varied(const std::vector<BatchFunction>& functions, int values,
                                  Set&& set) {
    std::vector<BatchFunction> out;
    for (const BatchFunction& f : functions) {
        for (int k = 0; k < values; ++k) {
            out.push_back(f);
            out.back().name += set(out.back(), k);
        }
    }
    return out;
}

std::vector<BatchFunction> with_options(const BatchFunction& f, const Model& model) {
    const plucker::Arguments& inputs = f.row->inputs;
    std::vector<BatchFunction> out{f};
    if (inputs.has(Kind::kFrame)) {
        for (BatchFunction& x : out)
            x.frame = model.frame_id(static_cast<int>(model.frames().size()) - 1);
    }
    if (inputs.has(Kind::kReference)) {
        out = varied(out, 3, [](BatchFunction& x, int k) {
            x.reference = static_cast<ReferenceFrame>(k);
            return k == 0 ? " in the body" : k == 1 ? " in the world" : " along the world";
        });
    }
    if (inputs.has(Kind::kRoot)) {
        out = varied(out, 2, [](BatchFunction& x, int k) {
            x.root = k == 0 ? 0 : 2;
            return k == 0 ? "" : " of a subtree";
        });
    }
    if (inputs.has(Kind::kForces)) {
        out = varied(out, 2, [](BatchFunction& x, int k) {
            x.forces = k == 1;
            return k == 0 ? "" : " with forces";
        });
    }
    return out;
}

}  // namespace

std::vector<BatchFunction> batch_functions(const Model& model) {
    std::vector<BatchFunction> out;
    table::All::for_each([&]<class Row>(Row) {
        if constexpr (!Row::kAlgorithm.fills_kinematics) {
            if (!applies_to(Row::kAlgorithm, model)) return;
            for (BatchFunction& f : with_options(function_of<Row>(model), model)) {
                out.push_back(std::move(f));
            }
        }
    });
    return out;
}

}  // namespace plucker::test
