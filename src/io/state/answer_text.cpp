#include "state/answer_text.hpp"

#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "state/csv.hpp"

namespace plucker::io {
namespace {

// The shortest text that reads back as the same number, in every locale.
void append(std::string& out, double x) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, x).ptr;
    out.append(digits, end);
}

// --- JSON --------------------------------------------------------------------------------------------

std::string quoted(const std::string& x) {
    return nlohmann::json(x).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class JsonWriter : public AnswerWriter {
public:
    JsonWriter(const Model& model, const Coordinates& coordinates) {
        const auto order = static_cast<std::size_t>(coordinates.convention());
        head_ = "{\"model\":" + quoted(model.name()) +
                ",\"order\":" + quoted(convention_names()[order]) +
                ",\"configuration_order\":" + list(coordinates.q_names()) +
                ",\"velocity_order\":" + list(coordinates.v_names());
    }

    void begin_document(bool many) override {
        many_ = many;
        first_ = true;
        out_ += head_;
        if (many) out_ += ",\"samples\":[";
    }
    void add(const State& state, const StateAnswer& answer) override {
        if (many_) {
            out_ += first_ ? "{" : ",{";
            first_ = false;
        }
        // Within a document of one state, members follow the head's.
        bool comma = !many_;
        const auto key = [&](const std::string& name) {
            if (comma) out_ += ',';
            comma = true;
            out_ += quoted(name);
            out_ += ':';
        };
        if (state.time) {
            key("time");
            append(out_, *state.time);
        }
        for (const auto& [name, value] : answer.quantities) {
            key(name);
            write(value);
        }
        if (!answer.unavailable.empty()) {
            key("unavailable");
            const char* before = "{";
            for (const auto& [name, why] : answer.unavailable) {
                out_ += before + quoted(name) + ":" + quoted(why);
                before = ",";
            }
            out_ += '}';
        }
        if (many_) out_ += '}';
    }
    void end_document() override { out_ += many_ ? "]}\n" : "}\n"; }
    std::string text() override { return std::move(out_); }

private:
    static std::string list(const AxisNames& names) {
        std::string out = "[";
        for (const std::string& name : names) out += (out.size() > 1 ? "," : "") + quoted(name);
        return out + "]";
    }

    // Parts with the same first name stand together, and become one object.
    void write(const Answer& answer) {
        if (answer.parts.size() == 1 && answer.parts[0].path.empty()) {
            const double* at = answer.parts[0].array.numbers.data();
            return write(answer.parts[0].array, 0, at);
        }
        std::vector<std::string> open;
        out_ += '{';
        bool comma = false;
        for (const Answer::Part& part : answer.parts) {
            std::size_t shared = 0;
            while (shared < open.size() && open[shared] == part.path[shared]) ++shared;
            for (; open.size() > shared; open.pop_back()) out_ += '}';
            for (std::size_t level = shared; level < part.path.size(); ++level) {
                if (comma) out_ += ',';
                out_ += quoted(part.path[level]) + ":";
                comma = level + 1 == part.path.size();
                if (comma) continue;
                out_ += '{';
                open.push_back(part.path[level]);
            }
            const double* at = part.array.numbers.data();
            write(part.array, 0, at);
        }
        out_.append(open.size() + 1, '}');
    }

    void write(const Array& array, std::size_t axis, const double*& at) {
        if (axis == array.axes.size()) return append(out_, *at++);
        out_ += '[';
        for (std::size_t k = 0; k < array.axes[axis]->size(); ++k) {
            if (k > 0) out_ += ',';
            write(array, axis + 1, at);
        }
        out_ += ']';
    }

    std::string head_, out_;
    bool many_ = false, first_ = true;
};

// --- CSV ---------------------------------------------------------------------------------------------

std::string field(const std::string& x) {
    if (x.find_first_of(",;\t\"\r\n ") == std::string::npos && !x.starts_with("#")) return x;
    std::string out = "\"";
    for (const char c : x) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
}

class CsvWriter : public AnswerWriter {
public:
    CsvWriter(const Model& model, const Coordinates& coordinates)
        : model_(model),
          coordinates_(coordinates),
          q_names_(csv_q_names(coordinates)),
          v_names_(csv_v_names(coordinates)) {}

    void begin_document(bool) override {}
    void end_document() override {}

    void add(const State& s, const StateAnswer& answer) override {
        row_.clear();
        if (s.time) put("time", {{*s.time}, {}});
        const auto put_vector = [&](const char* name, const VectorX<double>& x,
                                    const AxisNames& along) {
            put(name, {{x.data(), x.data() + x.size()}, {&along}});
        };
        // An order that turns with the robot has no words for a velocity without a configuration.
        const auto can_put = [&](unsigned given, unsigned for_turning) {
            return s.has(given) && (coordinates_.only_permutes() || s.has(for_turning));
        };
        if (s.has(kQ)) put_vector("q", coordinates_.export_q(s.q), q_names_);
        if (can_put(kV, kQ)) put_vector("v", coordinates_.export_v(s.q, s.v), v_names_);
        if (can_put(kA, kQ | kV)) put_vector("a", coordinates_.export_a(s.q, s.v, s.a), v_names_);
        if (can_put(kTau, kQ)) put_vector("tau", coordinates_.export_tau(s.q, s.tau), v_names_);
        for (const auto& [name, force] : sums_by_place(s)) {
            put(name, {{force.angular.x, force.angular.y, force.angular.z, force.linear.x,
                        force.linear.y, force.linear.z},
                       {&kSpatial}});
        }
        for (const auto& [name, value] : answer.quantities) {
            for (const Answer::Part& part : value.parts) {
                std::string path = name;
                for (const std::string& level : part.path) path += "." + level;
                put(path, part.array);
            }
        }
        std::string unavailable;
        for (const auto& [name, why] : answer.unavailable)
            unavailable += (unavailable.empty() ? "" : "; ") + std::string(name) + ": " + why;
        if (!unavailable.empty()) text_of("unavailable", {{0}, {}}) = field(unavailable);
        end_row();
    }

    std::string text() override {
        std::string out;
        for (const Group& group : groups_) {
            for (const std::string& name : group.columns)
                out += (out.empty() ? "" : ",") + field(name);
        }
        out += '\n';
        std::size_t begin = 0;
        for (const Row& row : rows_) {
            out.append(body_, begin, row.end - begin);
            for (std::size_t k = row.groups; k < groups_.size(); ++k)
                out += (k > 0 ? "," : "") + groups_[k].absent;
            out += '\n';
            begin = row.end;
        }
        return out;
    }

private:
    // Columns that come and go together.
    struct Group {
        std::vector<std::string> columns;
        std::string absent;  // the text of a row that has nothing there: no force, or empty fields
    };
    // Where a row ends in the body, and how many groups were known by then; later ones it has not.
    struct Row {
        std::size_t end, groups;
    };

    // A place has one set of columns: forces that act there add up.
    std::map<std::string, Force<double>> sums_by_place(const State& s) const {
        std::map<std::string, Force<double>> out;
        for (const AppliedForce& at : s.external) {
            out["external." + model_.frame(at.frame).name + "." +
                reference_names()[static_cast<std::size_t>(at.expressed_in)]] += at.force;
        }
        return out;
    }

    std::string& text_of(const std::string& name, const Array& array) {
        const auto [found, is_new] = group_of_.emplace(name, groups_.size());
        if (is_new) {
            std::vector<std::string> columns{name};
            for (const AxisNames* axis : array.axes) {
                std::vector<std::string> longer;
                for (const std::string& column : columns) {
                    for (const std::string& suffix : *axis) longer.push_back(column + "." + suffix);
                }
                columns = std::move(longer);
            }
            std::string absent(columns.size() - 1, ',');
            if (name.starts_with("external.")) absent = "0,0,0,0,0,0";
            groups_.push_back({std::move(columns), std::move(absent)});
        }
        row_.resize(groups_.size());
        return row_[found->second];
    }
    void put(const std::string& name, const Array& array) {
        if (array.numbers.empty()) return;
        std::string& out = text_of(name, array);
        for (std::size_t k = 0; k < array.numbers.size(); ++k) {
            if (k > 0) out += ',';
            append(out, array.numbers[k]);
        }
    }
    void end_row() {
        for (std::size_t k = 0; k < groups_.size(); ++k) {
            if (k > 0) body_ += ',';
            body_ += k < row_.size() && !row_[k].empty() ? row_[k] : groups_[k].absent;
        }
        rows_.push_back({body_.size(), groups_.size()});
    }

    const Model& model_;
    const Coordinates& coordinates_;
    const AxisNames q_names_, v_names_;  // of the state's columns
    std::map<std::string, std::size_t> group_of_;
    std::vector<Group> groups_;
    std::vector<std::string> row_;  // this row's text in each group; empty: none
    std::string body_;
    std::vector<Row> rows_;
};

}  // namespace

std::unique_ptr<AnswerWriter> json_writer(const Model& model, const Coordinates& coordinates) {
    return std::make_unique<JsonWriter>(model, coordinates);
}
std::unique_ptr<AnswerWriter> csv_writer(const Model& model, const Coordinates& coordinates) {
    return std::make_unique<CsvWriter>(model, coordinates);
}

}  // namespace plucker::io
