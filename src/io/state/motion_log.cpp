#include "plucker/io/read_log.hpp"
#include "state/answer_text.hpp"
#include "state/csv.hpp"
#include "state/recording_lines.hpp"

namespace plucker {
namespace {

using io::State;

MatrixX<double> rows_of(const std::vector<State>& states, VectorX<double> State::*vector) {
    MatrixX<double> out(static_cast<long>(states.size()), (states[0].*vector).size());
    for (std::size_t k = 0; k < states.size(); ++k)
        out.row(static_cast<long>(k)) = states[k].*vector;
    return out;
}

void require(bool is_there, const std::string& source, const char* column, const char* why) {
    if (is_there) return;
    throw Error::because(source, ": has no column ", column, "; ", why);
}

}  // namespace

MotionLog read_log(const Model& model, const std::string& csv, const std::string& source,
                   Convention order, bool ignore_other_columns) {
    const Coordinates coordinates(model, order, MimicJoints::kLeftOut);
    std::vector<State> states;
    // A recording is a log as well: what it has beside the states is passed over.
    io::read_csv_states(
        model, coordinates, csv, source, {io::recording_keys(), ignore_other_columns},
        [&](const State& state, const std::string& where) {
            if (!state.external.empty())
                throw Error::because(where, ": a log with external forces is not understood");
            if (!states.empty() && state.given != states[0].given)
                throw Error::because(where,
                                     ": a vector is empty here and not in the first row, or "
                                     "the other way round");
            states.push_back(state);
        });
    const State& first = states[0];
    require(first.time.has_value(), source, "time", "samples need their time, in seconds");
    require(first.has(io::kQ), source, "q.NAME", "every joint needs one for its position");
    require(first.has(io::kTau), source, "tau.NAME", "every joint needs one for its torque");
    MotionLog log;
    log.time.resize(static_cast<long>(states.size()));
    for (std::size_t k = 0; k < states.size(); ++k)
        log.time[static_cast<long>(k)] = *states[k].time;
    log.q = rows_of(states, &State::q);
    if (first.has(io::kV)) log.v = rows_of(states, &State::v);
    if (first.has(io::kV | io::kA)) log.a = rows_of(states, &State::a);
    log.tau = rows_of(states, &State::tau);
    return log;
}

std::string write_log(const Model& model, const MotionLog& log) {
    const Coordinates coordinates(model, Convention::kFile, MimicJoints::kLeftOut);
    const auto writer = io::csv_writer(model, coordinates);
    writer->begin_document(true);
    for (long k = 0; k < log.size(); ++k) {
        State state;
        state.time = log.time[k];
        const auto put = [&](VectorX<double> State::*to, const MatrixX<double>& from,
                             unsigned what) {
            if (from.size() == 0) return;
            state.*to = from.row(k);
            state.given |= what;
        };
        put(&State::q, log.q, io::kQ);
        put(&State::v, log.v, io::kV);
        put(&State::a, log.a, io::kA);
        put(&State::tau, log.tau, io::kTau);
        writer->add(state, {});
    }
    writer->end_document();
    return writer->text();
}

}  // namespace plucker
