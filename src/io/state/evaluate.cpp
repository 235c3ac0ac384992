#include "plucker/io/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "plucker/model/dynamic_parameters.hpp"
#include "state/answer_text.hpp"
#include "state/csv.hpp"
#include "state/file_names.hpp"
#include "state/json.hpp"
#include "state/json_text.hpp"
#include "state/quantities.hpp"
#include "state/recording_lines.hpp"

namespace plucker {

TextFormat text_format_of(const std::string& path) {
    const std::string ending = io::ending_of(path);
    return ending == ".csv" || ending == ".tsv" ? TextFormat::kCsv : TextFormat::kJson;
}

namespace {

using io::Quantity;
using io::State;

// A quantity that was asked for. Among "all" it may be missing; by its name it may not.
struct Request {
    const Quantity* quantity;
    bool named;
};

std::vector<Request> requests(const std::vector<std::string>& names) {
    std::vector<Request> out;
    const auto request = [&](const Quantity& quantity, bool named) {
        const auto found = std::find_if(out.begin(), out.end(),
                                        [&](const Request& r) { return r.quantity == &quantity; });
        if (found == out.end()) {
            out.push_back({&quantity, named});
        } else {
            found->named |= named;
        }
    };
    for (const std::string& name : names) {
        const auto& all = io::quantities();
        if (name == "all") {
            for (const Quantity& quantity : all) {
                if (quantity.in_all) request(quantity, false);
            }
            continue;
        }
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const Quantity& q) { return q.name == name; });
        if (found == all.end()) throw unknown_name("quantity", name, quantity_names());
        request(*found, true);
    }
    return out;
}

std::vector<FrameId> frames_named(const Model& model, const std::vector<std::string>& names) {
    std::vector<FrameId> out;
    for (const std::string& name : names) out.push_back(model.frame_id(name));
    for (std::size_t k = 0; names.empty() && k < model.frames().size(); ++k)
        out.push_back(model.frame_id(static_cast<int>(k)));
    return out;
}

// Whether "all" of a robot means it.
bool applies(const Quantity& quantity, const Model& model) {
    return (!quantity.needs_floating_base || model.has_floating_base()) &&
           (!quantity.needs_constraints || !model.constraints().empty());
}

// JSON has no word for a number that is not finite, and nobody a use for it.
void require_finite(const io::Answer& answer, const char* quantity) {
    for (const io::Answer::Part& part : answer.parts) {
        for (const double x : part.array.numbers) {
            if (std::isfinite(x)) continue;
            throw Error::because(quantity,
                                 " is not finite at this state; are its numbers too large?");
        }
    }
}

class Evaluation {
public:
    Evaluation(const Model& model, const EvaluateOptions& options)
        : model_(model),
          coordinates_(model, options.order, MimicJoints::kLeftOut),
          requests_(requests(options.quantities)),
          frames_(frames_named(model, options.frames)),
          workspace_(model),
          parameters_(dynamic_parameter_names(model)),
          writer_(options.output == TextFormat::kCsv ? io::csv_writer(model, coordinates_)
                                                     : io::json_writer(model, coordinates_)) {}

    void read_json(const std::string& text, const std::string& source) {
        const io::StateReader reader(model_, coordinates_, answer_names());
        for (const io::JsonDocument& document : io::split_documents(text, source)) {
            if (is_first_line_of_recording(document, source)) continue;
            writer_->begin_document(document.many);
            for (const io::JsonPiece& piece : document.states) {
                const std::string where = piece.where(source);
                add(reader.read(io::parse_state(document, piece, source), where), where);
            }
            writer_->end_document();
        }
    }

    void read_csv(const std::string& text, const std::string& source, bool ignore_other_columns) {
        writer_->begin_document(true);
        io::read_csv_states(
            model_, coordinates_, text, source, {answer_names(), ignore_other_columns},
            [&](const State& state, const std::string& where) { add(state, where); });
        writer_->end_document();
    }

    std::string text() { return writer_->text(); }

private:
    // What may stand beside the inputs: answers that were written together with their states, and what simulations record.
    static std::vector<std::string> answer_names() {
        std::vector<std::string> out = quantity_names();
        out.emplace_back("unavailable");
        for (const std::string& key : io::recording_keys()) out.push_back(key);
        return out;
    }

    // The states of a recording follow a line that says which robot it is.
    static bool is_first_line_of_recording(const io::JsonDocument& document,
                                           const std::string& source) {
        return !document.many &&
               document.states[0].text.find("\"plucker\"") != std::string_view::npos &&
               io::begins_recording(io::parse_strictly(document.states[0], source));
    }

    // To put a velocity or torque into an order that turns with the robot takes its configuration.
    unsigned needs(const Quantity& quantity) const {
        return coordinates_.only_permutes() || quantity.needs == 0 ? quantity.needs
                                                                   : quantity.needs | io::kQ;
    }

    void add(const State& state, const std::string& where) {
        const ExternalForces<double> forces = state.forces<double>(model_);
        const io::Context context{
            model_,     coordinates_, frames_, state, forces.entries().empty() ? nullptr : &forces,
            workspace_, parameters_};
        io::StateAnswer out;
        for (const auto& [quantity, named] : requests_) {
            if (!named && !applies(*quantity, model_)) continue;
            if (!state.has(needs(*quantity))) {
                if (!named) continue;
                throw Error::because(where, ": ", quantity->name, " needs ",
                                     state.missing(needs(*quantity)),
                                     ", which the state does not give");
            }
            try {
                io::Answer answer = quantity->compute(context);
                require_finite(answer, quantity->name);
                out.quantities.emplace_back(quantity->name, std::move(answer));
            } catch (const Error& error) {
                if (named) throw Error::because(where, ": ", error.what());
                out.unavailable.emplace_back(quantity->name, error.what());
            }
        }
        writer_->add(state, out);
    }

    const Model& model_;
    Coordinates coordinates_;
    std::vector<Request> requests_;
    std::vector<FrameId> frames_;
    Workspace<double> workspace_;
    std::vector<std::string> parameters_;
    std::unique_ptr<io::AnswerWriter> writer_;
};

}  // namespace

std::vector<std::string> quantity_names() {
    std::vector<std::string> out;
    for (const Quantity& q : io::quantities()) out.emplace_back(q.name);
    return out;
}

std::vector<std::string> quantities_without_constraints(const Model& model,
                                                        const std::vector<std::string>& asked) {
    std::vector<std::string> out;
    for (const auto& [quantity, named] : requests(asked)) {
        if (quantity->leaves_out_constraints && (named || applies(*quantity, model)))
            out.emplace_back(quantity->name);
    }
    return out;
}

std::string evaluate(const Model& model, const std::string& states, const std::string& source,
                     const EvaluateOptions& options) {
    Evaluation evaluation(model, options);
    if (options.input == TextFormat::kCsv) {
        evaluation.read_csv(states, source, options.ignore_other_columns);
    } else {
        evaluation.read_json(states, source);
    }
    return evaluation.text();
}

}  // namespace plucker
