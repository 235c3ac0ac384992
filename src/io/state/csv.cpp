#include "state/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

namespace plucker::io {
namespace {

std::string_view trimmed(std::string_view x) {
    while (!x.empty() && (x.front() == ' ' || x.front() == '\t')) x.remove_prefix(1);
    while (!x.empty() && (x.back() == ' ' || x.back() == '\t')) x.remove_suffix(1);
    return x;
}

// The rows of a table in text, one after the other.
class CsvRows {
public:
    CsvRows(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // byte order mark
    }

    // The next row that is neither empty nor a comment; false at the end.
    bool next(std::vector<std::string>& fields) {
        while (at_ < text_.size()) {
            const std::string_view rest = text_.substr(at_);
            const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
            if (!trimmed(line).empty() && line.front() != '#') {
                if (separator_ == 0) choose_separator(line);
                line_ = next_line_;
                read(fields);
                return true;
            }
            at_ += line.size();
            end_line();
        }
        return false;
    }
    int line() const { return line_; }
    std::string where() const { return source_ + ":" + std::to_string(line_); }

private:
    void choose_separator(std::string_view header) {
        bool quoted = false;
        separator_ = ',';
        for (const char c : header) {
            if (c == '"') quoted = !quoted;
            if (quoted || (c != ',' && c != ';' && c != '\t')) continue;
            separator_ = c;
            return;
        }
    }

    bool at_end_of_line() const {
        return at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '\r';
    }
    // Goes over "\n", "\r\n" or "\r".
    void end_line() {
        if (at_ >= text_.size()) return;
        if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
        ++at_;
        ++next_line_;
    }

    void read(std::vector<std::string>& fields) {
        std::size_t count = 0;
        while (true) {
            if (count == fields.size()) fields.emplace_back();
            read_field(fields[count], count);
            ++count;
            if (at_end_of_line()) break;
            ++at_;  // the separator
        }
        fields.resize(count);
        end_line();
    }

    void read_field(std::string& out, std::size_t index) {
        while (at_ < text_.size() && (text_[at_] == ' ')) ++at_;
        out.clear();
        if (at_ < text_.size() && text_[at_] == '"') return read_quoted(out, index);
        const std::size_t begin = at_;
        while (!at_end_of_line() && text_[at_] != separator_) ++at_;
        out = trimmed(text_.substr(begin, at_ - begin));
    }

    // "a ""quoted"" field": quotes are doubled, and separators and ends of lines are part of it.
    void read_quoted(std::string& out, std::size_t index) {
        for (++at_;; ++at_) {
            if (at_ >= text_.size()) fail(index, "a quoted field is not closed");
            if (text_[at_] == '"') {
                if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
                ++at_;
            }
            if (text_[at_] == '\n') ++next_line_;
            out += text_[at_];
        }
        ++at_;
        while (!at_end_of_line() && text_[at_] == ' ') ++at_;
        if (!at_end_of_line() && text_[at_] != separator_)
            fail(index, "there is more after the closing quote");
    }

    [[noreturn]] void fail(std::size_t index, const char* what) const {
        throw Error::because(where(), ": column ", index + 1, ": ", what);
    }

    std::string_view text_;
    std::string source_;
    std::size_t at_ = 0;
    int line_ = 0, next_line_ = 1;
    char separator_ = 0;
};

enum class Target { kIgnored, kTime, kQ, kV, kA, kTau, kForce, kBeside };
struct Column {
    Target target = Target::kIgnored;
    std::size_t index = 0;  // which coordinate; for forces, 6 · (which force) + component
};

class CsvReader {
public:
    CsvReader(const Model& model, const Coordinates& coordinates, const CsvColumns& known)
        : model_(model), coordinates_(coordinates), known_(known) {
        // Tables of earlier versions do not say their order.
        for (const auto& [q, v] : {std::pair{csv_q_names(coordinates), csv_v_names(coordinates)},
                                   {coordinates.q_names(), coordinates.v_names()}}) {
            index_names(Target::kQ, "q.", q);
            index_names(Target::kV, "v.", v);
            index_names(Target::kA, "a.", v);
            index_names(Target::kTau, "tau.", v);
        }
        if (model.has_floating_base()) index_common_name_of_base();
        index_names(Target::kBeside, "", known.beside);
        columns_of_["time"] = columns_of_["t"] = {Target::kTime, 0};
    }

    void read_header(const std::vector<std::string>& names, const std::string& where) {
        names_ = names;
        std::map<std::string, std::size_t> seen;
        for (std::size_t k = 0; k < names.size(); ++k) {
            const std::string at = where + ": column " + std::to_string(k + 1) + ": ";
            if (const auto [first, is_new] = seen.emplace(names[k], k); !is_new) {
                throw Error::because(at, "'", names[k], "' is also column ", first->second + 1);
            }
            try {
                columns_.push_back(column(names[k]));
            } catch (const Error& error) {
                throw Error::because(at, error.what());
            }
            check_is_first(k, at);
        }
        const bool has_q = check_complete(Target::kQ, "q.", coordinates_.q_names(), where);
        const bool has_v = check_complete(Target::kV, "v.", coordinates_.v_names(), where);
        const bool has_a = check_complete(Target::kA, "a.", coordinates_.v_names(), where);
        const bool has_tau = check_complete(Target::kTau, "tau.", coordinates_.v_names(), where);
        given_ = (has_q ? kQ : 0U) | (has_v ? kV : 0U) | (has_a ? kA : 0U) | (has_tau ? kTau : 0U);
        check_order(given_, where);
        check_forces(where);
        q_.resize(coordinates_.nq());
        for (VectorX<double>* x : {&v_, &a_, &tau_}) x->resize(coordinates_.nv());
    }

    State read_row(const std::vector<std::string>& fields, const std::string& where) {
        if (fields.size() != names_.size()) {
            throw Error::because(where, ": the row has ", fields.size(),
                                 fields.size() == 1 ? " field" : " fields",
                                 names_.size() == 1 ? ", but there is " : ", but there are ",
                                 names_.size(), names_.size() == 1 ? " column" : " columns");
        }
        State out;
        out.external = forces_;
        out.beside.resize(known_.beside.size());
        out.given = given_ & ~absent(fields);
        for (std::size_t k = 0; k < fields.size(); ++k) {
            const Target target = columns_[k].target;
            if (target == Target::kIgnored) continue;
            if (target == Target::kBeside && fields[k].empty()) continue;
            if (vector_of(target) != 0 && !out.has(vector_of(target))) continue;
            store(columns_[k], number(fields[k], k, where), out);
        }
        check_order(out.given, where);
        try {
            if (out.has(kQ)) {
                out.q = coordinates_.import_q(q_);
                check_and_normalize(model_, out.q);
            }
            if (out.has(kV)) out.v = coordinates_.import_v(out.q, v_);
            if (out.has(kA)) out.a = coordinates_.import_a(out.q, out.v, a_);
            if (out.has(kTau)) out.tau = coordinates_.import_tau(out.q, tau_);
        } catch (const Error& error) {
            throw Error::because(where, ": ", error.what());
        }
        return out;
    }

private:
    // A coordinate has several names.
    void check_is_first(std::size_t k, const std::string& at) const {
        const Column& column = columns_[k];
        if (vector_of(column.target) == 0) return;
        for (std::size_t other = 0; other < k; ++other) {
            if (columns_[other].target != column.target || columns_[other].index != column.index)
                continue;
            throw Error::because(at, "'", names_[k], "' is also column ", other + 1, ", '",
                                 names_[other], "'");
        }
    }

    static unsigned vector_of(Target target) {
        switch (target) {
            case Target::kQ:
                return kQ;
            case Target::kV:
                return kV;
            case Target::kA:
                return kA;
            case Target::kTau:
                return kTau;
            default:
                return 0;
        }
    }
    // The vectors that a row does not give: all of their fields are empty.
    unsigned absent(const std::vector<std::string>& fields) const {
        unsigned out = kQ | kV | kA | kTau;
        for (std::size_t k = 0; k < fields.size(); ++k) {
            if (!fields[k].empty()) out &= ~vector_of(columns_[k].target);
        }
        return out;
    }
    void check_order(unsigned given, const std::string& where) const {
        const auto has = [&](unsigned what) { return (given & what) != 0; };
        if (!coordinates_.only_permutes() &&
            ((!has(kQ) && has(kV | kTau | kA)) || (has(kA) && !has(kV)))) {
            throw Error::because(where, ": in this order v and tau need q, and a needs q and v");
        }
    }

    void index_names(Target target, const std::string& prefix,
                     const std::vector<std::string>& names) {
        for (std::size_t k = 0; k < names.size(); ++k) columns_of_[prefix + names[k]] = {target, k};
    }
    // Of the floating base, whatever its file calls it; names that other joints have stay theirs.
    void index_common_name_of_base() {
        const std::string own = model_.joint(1).name + ".", common = std::string(kBaseJoint) + ".";
        std::map<std::string, Column> others;
        for (const auto& [name, column] : columns_of_) {
            const std::size_t begin = name.find('.') + 1;
            if (name.compare(begin, own.size(), own) != 0) continue;
            others.emplace(std::string(name).replace(begin, own.size(), common), column);
        }
        columns_of_.merge(others);
    }

    Column column(const std::string& name) {
        if (const auto found = columns_of_.find(name); found != columns_of_.end())
            return found->second;
        if (name.starts_with("external.")) return force_column(name);
        for (const std::string& answer : known_.answers) {
            if (name == answer || name.starts_with(answer + ".")) return {};
        }
        const bool looks_like_input = name.starts_with("q.") || name.starts_with("v.") ||
                                      name.starts_with("a.") || name.starts_with("tau.");
        if (looks_like_input) check_order_of(name);
        if (known_.ignore_others && !looks_like_input) return {};
        std::vector<std::string> known;
        for (const auto& [column, meaning] : columns_of_) known.push_back(column);
        double number = 0;
        const bool is_number =
            std::from_chars(name.data(), name.data() + name.size(), number).ec == std::errc{};
        throw Error(unknown_name("column", name, known).what() +
                    std::string(is_number ? "; the first row must name the columns" : ""));
    }

    // v.base.linear.x@mujoco
    void check_order_of(const std::string& name) const {
        const std::string order = name.substr(std::min(name.rfind('@'), name.size() - 1) + 1);
        const auto& orders = convention_names();
        const auto found = std::find(orders.begin(), orders.end(), order);
        if (found == orders.end()) return;
        const auto its = static_cast<Convention>(found - orders.begin());
        if (its != coordinates_.convention())
            throw another_order("'" + name + "'", its, coordinates_.convention());
    }

    // external.FRAME.IN.angular.x
    Column force_column(const std::string& name) {
        static const std::vector<std::string> kComponents{".angular.x", ".angular.y", ".angular.z",
                                                          ".linear.x",  ".linear.y",  ".linear.z"};
        const auto component =
            std::find_if(kComponents.begin(), kComponents.end(),
                         [&](const std::string& suffix) { return name.ends_with(suffix); });
        if (component == kComponents.end()) {
            throw Error("'" + name + "' must end in .angular.x, .angular.y, …, or .linear.z");
        }
        const std::size_t around = std::string("external.").size() + component->size();
        const std::string force = name.size() < around ? "" : name.substr(9, name.size() - around);
        const auto dot = force.rfind('.');
        if (dot == std::string::npos)
            throw Error("'" + name + "' must be external.FRAME.IN" + *component +
                        ", with IN one of body, world, world_aligned");
        const ReferenceFrame in = reference_named(force.substr(dot + 1));
        const FrameId frame = model_.frame_id(force.substr(0, dot));
        const auto [found, is_new] = force_index_.emplace(force, forces_.size());
        if (is_new) forces_.push_back({frame, in, {}});
        return {Target::kForce,
                6 * found->second + static_cast<std::size_t>(component - kComponents.begin())};
    }

    // Whether the vector is given; if so it must be whole.
    bool check_complete(Target target, const std::string& prefix,
                        const std::vector<std::string>& names, const std::string& where) const {
        std::vector<bool> given(names.size(), false);
        for (const Column& column : columns_) {
            if (column.target == target) given[column.index] = true;
        }
        if (std::find(given.begin(), given.end(), true) == given.end()) return false;
        const auto missing = std::find(given.begin(), given.end(), false);
        if (missing == given.end()) return true;
        throw Error::because(where, ": there is no column '", prefix,
                             names[static_cast<std::size_t>(missing - given.begin())], "'");
    }
    void check_forces(const std::string& where) const {
        std::vector<int> components(forces_.size(), 0);
        for (const Column& column : columns_) {
            if (column.target == Target::kForce) ++components[column.index / 6];
        }
        for (const auto& [force, index] : force_index_) {
            if (components[index] == 6) continue;
            throw Error::because(where, ": the force external.", force, " has ", components[index],
                                 " of its 6 columns; the others may be 0, but must be there");
        }
    }

    double number(const std::string& field, std::size_t k, const std::string& where) const {
        const auto fail = [&](const std::string& what) {
            throw Error::because(where, ": column ", k + 1, " (", names_[k], "): '",
                                 field.substr(0, 40), "' ", what);
        };
        double x = 0;
        const char* begin = field.data() + (field.starts_with("+") ? 1 : 0);
        const char* end = field.data() + field.size();
        const auto [stop, error] = std::from_chars(begin, end, x);
        if (error == std::errc::result_out_of_range) fail("is out of the range of numbers");
        if (error != std::errc{} || stop != end) {
            fail(field.find(',') == std::string::npos ? "is not a number"
                                                      : "is not a number; decimals follow a point");
        }
        if (!std::isfinite(x)) fail("is not finite");
        return x;
    }

    void store(const Column& column, double x, State& out) {
        const auto at = static_cast<long>(column.index);
        switch (column.target) {
            case Target::kTime:
                out.time = x;
                break;
            case Target::kQ:
                q_[at] = x;
                break;
            case Target::kV:
                v_[at] = x;
                break;
            case Target::kA:
                a_[at] = x;
                break;
            case Target::kTau:
                tau_[at] = x;
                break;
            case Target::kForce: {
                Force<double>& f = out.external[column.index / 6].force;
                double* const components[] = {&f.angular.x, &f.angular.y, &f.angular.z,
                                              &f.linear.x,  &f.linear.y,  &f.linear.z};
                *components[column.index % 6] = x;
                break;
            }
            case Target::kBeside:
                out.beside[column.index] = x;
                break;
            case Target::kIgnored:
                break;
        }
    }

    const Model& model_;
    const Coordinates& coordinates_;
    const CsvColumns& known_;
    std::map<std::string, Column> columns_of_;
    std::vector<std::string> names_;
    std::vector<Column> columns_;
    std::map<std::string, std::size_t> force_index_;  // "foot.world_aligned"
    std::vector<AppliedForce> forces_;                // where they act; their values are each row's
    VectorX<double> q_, v_, a_, tau_;                 // of the row, in its own order
    unsigned given_ = 0;
};

std::vector<std::string> with_order(std::vector<std::string> names, const Coordinates& coordinates,
                                    bool (Coordinates::*differs)(int) const) {
    const std::string mark =
        "@" + convention_names()[static_cast<std::size_t>(coordinates.convention())];
    for (std::size_t k = 0; k < names.size(); ++k) {
        if ((coordinates.*differs)(static_cast<int>(k))) names[k] += mark;
    }
    return names;
}

}  // namespace

std::vector<std::string> csv_q_names(const Coordinates& coordinates) {
    return with_order(coordinates.q_names(), coordinates, &Coordinates::q_differs);
}
std::vector<std::string> csv_v_names(const Coordinates& coordinates) {
    return with_order(coordinates.v_names(), coordinates, &Coordinates::v_differs);
}

void read_csv_states(const Model& model, const Coordinates& coordinates, const std::string& text,
                     const std::string& source, const CsvColumns& columns,
                     const std::function<void(const State&, const std::string&)>& take) {
    CsvRows rows(text, source);
    CsvReader reader(model, coordinates, columns);
    std::vector<std::string> fields;
    if (!rows.next(fields))
        throw Error::because(source, ": there is no row with the names of the columns");
    reader.read_header(fields, rows.where());
    bool any = false;
    while (rows.next(fields)) {
        const std::string where = rows.where();
        take(reader.read_row(fields, where), where);
        any = true;
    }
    if (!any) throw Error::because(source, ": there is no state in it");
}

}  // namespace plucker::io
