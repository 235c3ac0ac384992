// Answers as text: JSON, nested, or CSV, one row per state.
#pragma once

#include <memory>
#include <string>

#include "plucker/model/conventions.hpp"
#include "state/answer.hpp"
#include "state/state.hpp"

namespace plucker::io {

class AnswerWriter {
public:
    virtual ~AnswerWriter() = default;
    // One document of the input: one state, or many.
    virtual void begin_document(bool many) = 0;
    virtual void add(const State& state, const StateAnswer& answer) = 0;
    virtual void end_document() = 0;
    virtual std::string text() = 0;
};

std::unique_ptr<AnswerWriter> json_writer(const Model& model, const Coordinates& coordinates);
// Each row repeats the state, so that what is written can be read again.
std::unique_ptr<AnswerWriter> csv_writer(const Model& model, const Coordinates& coordinates);

}  // namespace plucker::io
