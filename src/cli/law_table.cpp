#include "law_table.hpp"

#include <algorithm>

#include "terminal.hpp"

namespace plucker::cli {

void print_law_table(const std::vector<laws::Residual>& residuals) {
    std::size_t width = 66;
    for (const laws::Residual& r : residuals) width = std::max(width, display_width(r.law));
    print("  {}\n", bold(padded("law", width) + "   residual   tolerance"));
    for (const laws::Residual& r : residuals) {
        if (r.checked()) {
            print("  {} {:>10.1e}  {:>10.1e}  {}\n", padded(r.law, width), r.value, r.tolerance,
                  r.holds() ? green("holds") : red("FAILS"));
        } else {
            print("  {} {:>10}  {:>10}  not checked: {}\n", padded(r.law, width), "-", "-",
                  r.not_checked);
        }
    }
}

}  // namespace plucker::cli
