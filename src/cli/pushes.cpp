#include "pushes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "terminal.hpp"

namespace plucker::cli {
Push parse_push(const Model& model, const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    if (parts.size() != 6) {
        throw Error("--push takes LINK,FX,FY,FZ,START,DURATION, not '" + text + "'");
    }
    std::array<double, 5> x{};
    for (std::size_t k = 0; k < 5; ++k) {
        std::size_t used = 0;
        try {
            x[k] = std::stod(parts[k + 1], &used);
        } catch (const std::exception&) {
        }
        if (used == 0 || used != parts[k + 1].size() || !std::isfinite(x[k])) {
            throw Error("--push " + text + ": '" + parts[k + 1] + "' is not a number");
        }
    }
    if (x[4] < 0) throw Error("--push " + text + ": the duration is negative");
    const FrameId link = of_option("--push " + text, [&] { return model.frame_id(parts[0]); });
    if (model.frame(link).body == 0) {
        throw Error("--push " + text + ": link '" + parts[0] + "' cannot move");
    }
    return {link, parts[0], {x[0], x[1], x[2]}, x[3], x[4]};
}

void apply_pushes(const std::vector<Push>& pushes, double time, ExternalForces<double>& forces) {
    forces.clear();
    for (const Push& push : pushes) {
        if (push.acts_at(time)) {
            forces.add(push.link, {{}, push.force}, ReferenceFrame::kWorldAligned);
        }
    }
}

}  // namespace plucker::cli
