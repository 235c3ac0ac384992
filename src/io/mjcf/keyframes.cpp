#include "mjcf/keyframes.hpp"

#include <sstream>

#include "xml.hpp"

namespace plucker::io {

std::vector<MjcfKeyframe> keyframes_of(const tinyxml2::XMLElement& root, const TracedXml& document,
                                       MjcfSummary& summary) {
    std::vector<MjcfKeyframe> out;
    for_each_child(root, [&](const tinyxml2::XMLElement& section) {
        if (!is(section, "keyframe")) return;
        for_each_child(section, [&](const tinyxml2::XMLElement& e) {
            if (!is(e, "key")) return;
            MjcfKeyframe key{attribute(e, "name"), document.origin(e), {}};
            if (key.name.empty()) key.name = "key_" + std::to_string(out.size());
            const std::string text = attribute(e, "qpos");
            std::istringstream words(text);
            std::size_t count = 0;
            for (std::string word; words >> word;) ++count;
            std::string why;
            if (const auto numbers = parse_numbers(text, count, why); numbers || count == 0) {
                if (numbers) key.qpos = *numbers;
                out.push_back(std::move(key));
            } else {
                summary.add(Severity::kWarning, key.at, "keyframe '" + key.name + "'",
                            "is not used: its qpos ", why);
            }
        });
    });
    return out;
}

}  // namespace plucker::io
