#include "cuda_arrays.hpp"

namespace plucker::compiler {

KernelArrays::KernelArrays(const Program& program, const KernelOptions& options, std::string number)
    : number_(std::move(number)),
      is_slice_(options.slice.count > 1),
      keeps_(options.slice.keeps),
      num_read_(program.input_groups.size()) {
    add(program.input_groups, options.inputs, "in_", inputs_);
    add(program.output_groups, options.outputs, "out_", outputs_);
}

void KernelArrays::add(const std::vector<Group>& groups, const std::vector<KernelArray>& how,
                       const std::string& prefix, std::vector<Entry>& entries) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (int k = 0; k < groups[g].size(); ++k) entries.push_back({arrays_.size(), k});
        arrays_.push_back({groups[g], g < how.size() ? how[g] : KernelArray{},
                           prefix + identifier_from(groups[g].name)});
    }
}

std::string KernelArrays::arguments() const {
    std::string out;
    for (std::size_t k = 0; k < arrays_.size(); ++k) {
        const Array& array = arrays_[k];
        // Loads of what was kept may pass stores: a slice never writes what it reads.
        out += ", " + constness(k) + number_ + "* " +
               (is_kept(k) && is_input(k) ? "__restrict__ " : "") + "const " + array.name;
        if (array.how.layout == ArrayLayout::kPlanes)
            out += ", const unsigned " + array.name + "_plane";
        if (array.how.layout == ArrayLayout::kAnything) {
            for (const char* stride : {"_state", "_row", "_column"})
                out += ", const long long " + array.name + stride;
        }
    }
    return out;
}

std::vector<std::string> KernelArrays::beginnings() const {
    std::vector<std::string> out;
    for (std::size_t k = 0; k < arrays_.size(); ++k) {
        const Array& array = arrays_[k];
        const std::string stride = array.how.layout == ArrayLayout::kPlanes ? "1"
                                   : array.how.layout == ArrayLayout::kRows
                                       ? std::to_string(array.group.size())
                                       : array.name + "_state";
        out.push_back(constness(k) + number_ + "* const " + array.name + "_n = " + array.name +
                      " + (long long)n * " + stride + ";");
        if (!is_slice_) continue;
        // It may be another's.
        out.push_back("(void)" + array.name + "_n;");
        if (array.how.layout == ArrayLayout::kPlanes)
            out.push_back("(void)" + array.name + "_plane;");
    }
    return out;
}

std::vector<std::string> KernelArrays::without_results() const {
    std::vector<std::string> out;
    for (std::size_t k = num_read_; k < arrays_.size(); ++k) {
        if (is_kept(k)) continue;
        const Array& array = arrays_[k];
        if (array.how.layout == ArrayLayout::kAnything) {
            out.push_back("for (int r = 0; r < " + std::to_string(array.group.rows) + "; ++r) {");
            out.push_back("    for (int c = 0; c < " + std::to_string(array.group.columns) +
                          "; ++c) " + array.name + "_n[r * " + array.name + "_row + c * " +
                          array.name + "_column] = nan;");
            out.emplace_back("}");
        } else {
            out.push_back("for (unsigned e = 0; e < " + std::to_string(array.group.size()) +
                          "; ++e) " + entry_at(k, "e") + " = nan;");
        }
    }
    return out;
}

std::string KernelArrays::input(std::size_t k) const { return text_of(inputs_[k]); }
std::string KernelArrays::output(std::size_t k) const { return text_of(outputs_[k]); }

KernelArrays::Place KernelArrays::place_of_output(std::size_t k) const {
    const Entry& entry = outputs_[k];
    const bool has_places = arrays_[entry.array].how.layout != ArrayLayout::kAnything;
    return {entry.array, has_places ? place_of(entry) : -1};
}

std::string KernelArrays::entry_at(std::size_t array, const std::string& at) const {
    const std::string& name = arrays_[array].name;
    return arrays_[array].how.layout == ArrayLayout::kPlanes
               ? "plucker_at(" + name + "_n, " + name + "_plane, " + at + ")"
               : name + "_n[" + at + "]";
}

// Entries are counted column by column.
int KernelArrays::place_of(const Entry& entry) const {
    const Array& array = arrays_[entry.array];
    const int rows = array.group.rows;
    if (array.how.order == EntryOrder::kByColumns) return entry.entry;
    return entry.entry % rows * array.group.columns + entry.entry / rows;
}

std::string KernelArrays::text_of(const Entry& entry) const {
    const Array& array = arrays_[entry.array];
    if (array.how.layout != ArrayLayout::kAnything)
        return entry_at(entry.array, std::to_string(place_of(entry)));
    const int rows = array.group.rows;
    return array.name + "_n[" + std::to_string(entry.entry % rows) + " * " + array.name + "_row" +
           (array.group.columns > 1
                ? " + " + std::to_string(entry.entry / rows) + " * " + array.name + "_column"
                : "") +
           "]";
}

}  // namespace plucker::compiler
