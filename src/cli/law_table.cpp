#include "law_table.hpp"

#include "terminal.hpp"

namespace plucker::cli {

void print_law_table(const std::vector<laws::Residual>& residuals) {
    print("  {}\n", bold(padded("law", 66) + "   residual   tolerance"));
    for (const laws::Residual& r : residuals) {
        if (r.checked()) {
            print("  {} {:>10.1e}  {:>10.1e}  {}\n", padded(r.law, 66), r.value, r.tolerance,
                  r.holds() ? green("holds") : red("FAILS"));
        } else {
            print("  {} {:>10}  {:>10}  not checked: {}\n", padded(r.law, 66), "-", "-",
                  r.not_checked);
        }
    }
}

}  // namespace plucker::cli
