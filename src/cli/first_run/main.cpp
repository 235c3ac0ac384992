// The tour, and the page that shows its robot, without the rest of the tool: half of the library is enough for both, so that
// ./run has something to show while the other half is not compiled yet.
//
//     plucker_tour         the tour, as the tool shows it when it is called without arguments
//     plucker_tour FILE    the page
#include "../terminal.hpp"
#include "../tour.hpp"
#include "plucker/model/error.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/view/page.hpp"

namespace plucker::cli {
namespace {

void show(const std::string& path) {
    if (std::string why; !has_viewer(&why)) throw Error("view: " + why);
    write_page(robots::exoskeleton(), {}, path);
    tell_of_page(path);
}

}  // namespace
}  // namespace plucker::cli

int main(int argc, char** argv) {
    using namespace plucker::cli;
    return run_to_the_end([&] {
        if (argc > 1) {
            show(argv[1]);
        } else {
            run_default();
        }
    });
}
