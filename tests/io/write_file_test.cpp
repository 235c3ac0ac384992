// A signal that comes in the middle of writing a file: at the worst moment, between the draft and its new name.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>

#include "plucker/io/write_text.hpp"
#include "scratch_folder.hpp"

namespace {

int signal_in_the_middle = 0;

}  // namespace

// In the place of the C library's: writing calls it when the draft is there and has no name yet.
extern "C" int fsync(int descriptor) {
    if (signal_in_the_middle != 0) std::raise(signal_in_the_middle);
    return static_cast<int>(syscall(SYS_fsync, descriptor));
}

namespace plucker {
namespace {

TEST(WriteFile, IsDoneBeforeASignalArrives) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        const test::ScratchFolder folder("signals");
        const std::string path = folder.write("robot.urdf", "old");
        const pid_t child = fork();
        if (child == 0) {
            std::signal(signal, SIG_DFL);  // whoever started the tests may ignore it
            signal_in_the_middle = signal;
            io::write_text_file(path, "new");
            _exit(0);  // not reached: the signal is waiting
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << signal;
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        EXPECT_EQ(text.str(), "new");
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()),
                                std::filesystem::directory_iterator()),
                  1)
            << "a draft is left behind";
    }
}

}  // namespace
}  // namespace plucker
