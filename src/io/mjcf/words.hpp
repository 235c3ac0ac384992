// MJCF in the words of MuJoCo 2.2, whose compiler reads it.
#pragma once

#include "mjcf/summary.hpp"
#include "traced_xml.hpp"

namespace plucker::io {

// Translates the words that came with later versions, as far as they concern motion, and leaves out all that
// do not. What is left out and would change the motion goes into the summary; a word that no version knows
// is an error, with the closest one that is known.
void translate_words(tinyxml2::XMLElement& root, const TracedXml& document, Findings& findings,
                     MjcfSummary& summary);

}  // namespace plucker::io
