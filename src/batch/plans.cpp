#include "plans.hpp"

#include <algorithm>
#include <numeric>

#include "plucker/compiler/machine_code.hpp"
#include "plucker/compiler/recorder.hpp"

namespace plucker::batch {
namespace {

// Plans of one algorithm with different options, such as frames. Beyond, the oldest is forgotten.
constexpr std::size_t kMostKept = 64;

template <class T>
bool is_for(const compiler::RecordOptions& made, const Algorithm& row, const BatchOperands<T>& x) {
    if (row.inputs.has(Kind::kFrame) && !(made.frame == x.frame)) return false;
    if (row.inputs.has(Kind::kReference) && made.reference != x.reference) return false;
    if (row.inputs.has(Kind::kRoot) && made.root != x.root) return false;
    if (row.inputs.has(Kind::kGiven) &&
        !std::equal(made.given.begin(), made.given.end(), x.given.begin(), x.given.end())) {
        return false;
    }
    const auto same = [](const ForcePlace& a, const ForcePlace& b) {
        return a.frame == b.frame && a.expressed_in == b.expressed_in;
    };
    if (x.external == nullptr) return made.forces.empty();
    return std::equal(made.forces.begin(), made.forces.end(), x.external->places.begin(),
                      x.external->places.end(), same);
}

// The rows and columns of an output in scratch memory. What comes in blocks comes one after another from a kernel.
Extent extent_in_scratch(Kind kind, const Model& model, bool by_kernel) {
    Extent extent = extent_of(kind, model);
    if (extent.columns == kAnyColumns) extent.columns = 1;
    if (comes_in_blocks(kind) && by_kernel) extent.columns = extent.rows;
    return extent;
}

// Fills plan.places, where `place` tells the pack of each entry of each output, in the order in which an algorithm gives
// them.
void find_places(const Algorithm& row, const Model& model, const std::vector<int>& place,
                 Plan& plan, std::vector<int>& index) {
    index.reserve(2 * place.size());
    std::size_t first = 0;
    for (int k = 0; k < row.outputs.size(); ++k) {
        const Kind kind = row.outputs[k].kind;
        const Extent extent = extent_in_scratch(kind, model, plan.entry == nullptr);
        const bool by_rows = stands_row_by_row(kind);
        const long n = by_rows ? extent.columns : extent.rows;
        const long m = by_rows ? extent.rows : extent.columns;
        const auto at = [&](long e) { return place[first + static_cast<std::size_t>(e)]; };
        const int* straight = index.data() + index.size();
        for (long e = 0; e < n * m; ++e) index.push_back(at(e));
        const int* across = index.data() + index.size();
        for (long r = 0; r < n; ++r) {
            for (long c = 0; c < m; ++c) index.push_back(at(r + c * n));
        }
        plan.places[static_cast<std::size_t>(k)] =
            by_rows ? Places{straight, across} : Places{across, straight};
        first += static_cast<std::size_t>(n * m);
    }
}

}  // namespace

template <class T>
Plans<T>::Plans(const Model& model, Isa isa, bool compile)
    : model_(model), isa_(isa), compile_(compile), made_(algorithms().size()) {}

template <class T>
const Plan& Plans<T>::find(int row, const BatchOperands<T>& x) {
    const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
    auto& known = made_[static_cast<std::size_t>(row)];
    auto found = std::find_if(known.begin(), known.end(), [&](const auto& made) {
        return is_for(made->options, algorithm, x);
    });
    if (found == known.end()) {
        if (known.size() == kMostKept) known.erase(known.begin());
        known.push_back(make(row, x));
        found = known.end() - 1;
    }
    return (*found)->plan;
}

template <class T>
auto Plans<T>::make(int row, const BatchOperands<T>& x) const -> std::unique_ptr<Made> {
    auto made = std::make_unique<Made>();
    made->options.frame = x.frame;
    made->options.reference = x.reference;
    made->options.root = x.root;
    made->options.given.assign(x.given.begin(), x.given.end());
    if (x.external != nullptr) made->options.forces = x.external->places;
    made->options.most_nodes = compiler::kMostNodesOfBatch;
    if (compile_ && add_code(row, *made)) return made;

    // The kernel's results stand one after another.
    const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
    for (const Argument& output : algorithm.outputs) {
        const Extent extent = extent_in_scratch(output.kind, model_, true);
        made->plan.num_results += extent.rows * extent.columns;
    }
    std::vector<int> place(static_cast<std::size_t>(made->plan.num_results));
    std::iota(place.begin(), place.end(), 0);
    find_places(algorithm, model_, place, made->plan, made->index);
    return made;
}

namespace {

template <class T>
constexpr auto kLanesOf =
    std::is_same_v<T, double> ? compiler::Lanes::kManyF64 : compiler::Lanes::kManyF32;

// With fewer coordinates, and for M⁻¹ alone, a program for all of it is as quick.
bool is_worth_products(const Algorithm& row, const Model& model) {
    constexpr int kFewestCoordinates = 32;
    return row.outputs.size() > 1 && model.nv() >= kFewestCoordinates;
}

// Bytes that a pack of states has of each result, where that is worth asking for beforehand.
template <class T>
std::vector<int> bytes_of_results(const Algorithm& row, const Model& model, int lanes) {
    constexpr long kLeast = 1 << 10, kMost = 1 << 20;
    std::vector<int> out;
    for (const Argument& argument : row.outputs) {
        const Extent extent = extent_of(argument.kind, model);
        const long bytes = extent.rows * extent.columns * lanes * static_cast<long>(sizeof(T));
        out.push_back(bytes >= kLeast && bytes <= kMost ? static_cast<int>(bytes) : 0);
    }
    return out;
}

}  // namespace

template <class T>
bool Plans<T>::add_code_of_products(int row, Made& made) const {
    const compiler::LaneFactors factors = compiler::record_lane_factors(model_, row, made.options);
    const compiler::CodeInLanes code = compiler::assemble(factors, isa_, kLanesOf<T>);
    if (code.program == nullptr) return false;
    made.owned = {code.program, code.products};
    made.plan.entry = code.program->entry();
    made.plan.num_results = static_cast<long>(factors.program.outputs.size());
    for (std::size_t k = 0; k < factors.by_rows.size(); ++k) {
        made.plan.products.by_rows[k] = code.products->by_rows(k);
        made.plan.products.by_columns[k] = code.products->by_columns(k);
    }
    return true;
}

template <class T>
bool Plans<T>::add_code(int row, Made& made) const try {
    if (is_worth_products(algorithms()[static_cast<std::size_t>(row)], model_) &&
        compiler::ends_in_products(model_, row))
        return add_code_of_products(row, made);
    std::vector<int> place;
    const compiler::Program program = compiler::with_distinct_outputs(
        compiler::record_shortest(model_, row, made.options).program, place);
    const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
    const auto code = compiler::assemble(program, isa_, kLanesOf<T>,
                                         bytes_of_results<T>(algorithm, model_, lanes_of<T>(isa_)));
    if (code == nullptr) return false;
    made.owned = {code};
    made.plan.entry = code->entry();
    made.plan.num_results = static_cast<long>(program.outputs.size());
    find_places(algorithm, model_, place, made.plan, made.index);
    return true;
} catch (const compiler::ProgramTooLong&) {  // the kernel has loops
    return false;
}

template class Plans<double>;
template class Plans<float>;

}  // namespace plucker::batch
