#include "plucker/io/read_states.hpp"

#include "state/csv.hpp"
#include "state/json.hpp"
#include "state/json_text.hpp"
#include "state/recording_lines.hpp"

namespace plucker {
namespace {

GivenState given(const io::State& state) {
    GivenState out;
    out.time = state.time;
    if (state.has(io::kQ)) out.q = state.q;
    if (state.has(io::kV)) out.v = state.v;
    if (state.has(io::kTau)) out.tau = state.tau;
    return out;
}

}  // namespace

std::vector<GivenState> read_states(const Model& model, const std::string& text,
                                    const std::string& source, TextFormat format,
                                    Convention order) {
    const Coordinates coordinates(model, order, MimicJoints::kLeftOut);
    std::vector<GivenState> out;
    if (format == TextFormat::kCsv) {
        io::read_csv_states(
            model, coordinates, text, source, {io::recording_keys(), false},
            [&](const io::State& state, const std::string&) { out.push_back(given(state)); });
        return out;
    }
    const io::StateReader reader(model, coordinates, io::recording_keys());
    for (const io::JsonDocument& document : io::split_documents(text, source)) {
        for (const io::JsonPiece& piece : document.states) {
            const nlohmann::json state = io::parse_state(document, piece, source);
            if (io::begins_recording(state)) continue;
            out.push_back(given(reader.read(state, piece.where(source))));
        }
    }
    return out;
}

}  // namespace plucker
