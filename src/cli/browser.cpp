#include "browser.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "terminal.hpp"

namespace plucker::cli {

// The child gets the path as an argument: no shell reads it.
void open_in_browser(const std::string& path) {
    // What is still to be printed would be the child's too, and be printed twice.
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        // What the browser says is not for whoever asked for the page.
        if (std::freopen("/dev/null", "w", stdout) != nullptr &&
            std::freopen("/dev/null", "w", stderr) != nullptr)
            execlp("xdg-open", "xdg-open", path.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0) {
        complain(
            "plucker: no browser could be started (xdg-open is missing, or found none); open {} "
            "by hand\n",
            path);
    }
}

}  // namespace plucker::cli
