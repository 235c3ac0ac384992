#include "torque_plot.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace plucker::cli {
namespace {

constexpr double kWidth = 760, kHeight = 96, kLeft = 120, kTop = 34, kGap = 14;
constexpr long kMostPoints = 400;  // more would not be seen

struct Curve {
    const char* colour;
    const char* name;
    double width;
    const MatrixX<double>& values;
};

std::string xml_text(const std::string& text) {
    std::string out;
    for (const char c : text) {
        out += c == '<'   ? "&lt;"
               : c == '>' ? "&gt;"
               : c == '&' ? "&amp;"
               : c == '"' ? "&quot;"
                          : std::string(1, c);
    }
    return out;
}

}  // namespace

std::string torque_plot(const Model& model, const MotionLog& log, const MatrixX<double>& before,
                        const MatrixX<double>& after) {
    const Curve curves[] = {{"#9a9a9a", "measured", 3.0, log.tau},
                            {"#d9822b", "file's model", 1.2, before},
                            {"#1f5fbf", "identified", 1.2, after}};
    const double bottom = kTop + static_cast<double>(model.nv()) * (kHeight + kGap);
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        kLeft + kWidth + 20, bottom + 30);
    double x = kLeft;
    for (const Curve& curve : curves) {
        out += fmt::format(
            "<path d=\"M{} 18h24\" stroke=\"{}\" stroke-width=\"{}\"/><text x=\"{}\" "
            "y=\"22\">{}</text>\n",
            x, curve.colour, curve.width, x + 30, curve.name);
        x += 130;
    }
    const long step = std::max(1L, log.size() / kMostPoints);
    const double start = log.time[0], duration = log.time[log.size() - 1] - start;
    for (int k = 0; k < model.nv(); ++k) {
        double least = 0, most = 0;
        for (const Curve& curve : curves) {
            least = std::min(least, curve.values.col(k).minCoeff());
            most = std::max(most, curve.values.col(k).maxCoeff());
        }
        if (!(most > least)) most = least + 1;
        const double top = kTop + k * (kHeight + kGap);
        const auto y_of = [&](double value) {
            return top + kHeight * (most - value) / (most - least);
        };
        out += fmt::format(
            "<path d=\"M{0} {1:.1f}h{2}M{0} {3:.1f}v{4}\" stroke=\"#cccccc\" fill=\"none\"/>"
            "<text x=\"{5}\" y=\"{6:.1f}\" text-anchor=\"end\">{7}</text>"
            "<text x=\"{5}\" y=\"{8:.1f}\" text-anchor=\"end\" fill=\"#777777\">{9:.3g}</text>"
            "<text x=\"{5}\" y=\"{10:.1f}\" text-anchor=\"end\" fill=\"#777777\">{11:.3g}</text>\n",
            kLeft, y_of(0), kWidth, top, kHeight, kLeft - 8, top + kHeight / 2 + 4,
            xml_text(model.velocity_names()[static_cast<std::size_t>(k)]), top + 10, most,
            top + kHeight, least);
        for (const Curve& curve : curves) {
            out +=
                fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" points=\"",
                            curve.colour, curve.width);
            for (long t = 0; t < log.size(); t += step) {
                out +=
                    fmt::format("{:.1f},{:.1f} ", kLeft + kWidth * (log.time[t] - start) / duration,
                                y_of(curve.values(t, k)));
            }
            out += "\"/>\n";
        }
    }
    out += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.3g} s; torques in N m, forces in "
        "N</text>\n</svg>\n",
        kLeft + kWidth / 2, bottom + 14, duration);
    return out;
}

}  // namespace plucker::cli
