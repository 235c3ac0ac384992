#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string_view>

#include "plucker/io/write_text.hpp"
#include "plucker/model/error.hpp"

namespace plucker::io {
namespace {

Error cannot_write(const std::string& path, const char* what, int reason) {
    return Error::because(path, ": ", what, ": ", std::strerror(reason));
}

// An open file, closed at the end.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }
    // Each returns 0, or the number of the error.
    int write(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t n = ::write(number_, text.data(), text.size());
            if (n < 0 && errno != EINTR) return errno;
            if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
        }
        return 0;
    }
    // A disk that fills up may say so only here.
    int sync() const { return fsync(number_) == 0 || errno == EINVAL ? 0 : errno; }
    int close() {
        const int closed = ::close(number_);
        number_ = -1;
        return closed == 0 || errno == EINTR ? 0 : errno;
    }

private:
    int number_;
};

// Holds back the signals that would end the program between the draft and its new name; they arrive afterwards.
// Writing is quick: nobody waits long for it to stop.
class SignalsHeld {
public:
    SignalsHeld() {
        sigset_t held;
        sigemptyset(&held);
        for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ})
            sigaddset(&held, signal);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    ~SignalsHeld() {
        // A file that may not grow any more has been reported as an error: its signal says nothing new.
        sigset_t reported;
        sigemptyset(&reported);
        sigaddset(&reported, SIGXFSZ);
        const timespec now{0, 0};
        if (sigismember(&before_, SIGXFSZ) == 0) sigtimedwait(&reported, nullptr, &now);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    SignalsHeld(const SignalsHeld&) = delete;
    SignalsHeld& operator=(const SignalsHeld&) = delete;

private:
    sigset_t before_{};
};

void write_directly(const std::string& path, const std::string& text) {
    Descriptor file(open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (file.number() < 0) throw cannot_write(path, "cannot be opened", errno);
    int failure = file.write(text);
    if (failure == 0) failure = file.close();
    if (failure != 0) throw cannot_write(path, "cannot be written", failure);
}

// Where a chain of symbolic links ends, whether there is a file or not.
std::filesystem::path end_of_links(std::filesystem::path path) {
    constexpr int kMostLinks = 40;
    for (int k = 0; k < kMostLinks; ++k) {
        std::error_code failure;
        const std::filesystem::path next = std::filesystem::read_symlink(path, failure);
        if (failure) break;
        path = path.parent_path() / next;
    }
    return path;
}

// A new file in the folder, with a name that nothing has, and the mode that new files get.
int create_draft(const std::filesystem::path& folder, std::string& draft) {
    constexpr int kMostTries = 1000;
    for (int k = 0; k < kMostTries; ++k) {
        draft = folder / (".plucker-" + std::to_string(getpid()) + "-" + std::to_string(k));
        const int number = open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (number >= 0 || errno != EEXIST) return number;
    }
    return -1;
}

// `before`: what is there now, or null.
void replace(const std::string& path, const std::string& text, const struct stat* before) {
    const std::filesystem::path target = end_of_links(path);
    // Renaming asks the folder only; a file that is protected stays as it is.
    if (before != nullptr && faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
        throw cannot_write(path, "cannot be written", errno);
    const std::filesystem::path folder =
        target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");

    const SignalsHeld held;
    std::string draft;
    Descriptor file(create_draft(folder, draft));
    if (file.number() < 0) {
        throw Error::because(path, ": no file can be made in folder ", folder.string(), ": ",
                             std::strerror(errno));
    }
    int failure = 0;
    if (before != nullptr) {
        // Another owner can be kept by root only, and a new one clears bits of the mode: hence in this order.
        [[maybe_unused]] const int kept = fchown(file.number(), before->st_uid, before->st_gid);
        if (fchmod(file.number(), before->st_mode & 07777U) != 0) failure = errno;
    }
    if (failure == 0) failure = file.write(text);
    if (failure == 0) failure = file.sync();
    if (failure == 0) failure = file.close();
    if (failure == 0 && rename(draft.c_str(), target.c_str()) != 0) failure = errno;
    if (failure == 0) return;
    unlink(draft.c_str());
    throw cannot_write(path, "cannot be written", failure);
}

}  // namespace

void write_text_file(const std::string& path, const std::string& text) {
    struct stat there {};
    if (stat(path.c_str(), &there) != 0) {
        if (errno != ENOENT) throw cannot_write(path, "cannot be written", errno);
        replace(path, text, nullptr);
    } else if (S_ISDIR(there.st_mode)) {
        throw Error::because(path, ": is a folder; name a file in it");
    } else if (S_ISREG(there.st_mode)) {
        replace(path, text, &there);
    } else {
        write_directly(path, text);
    }
}

}  // namespace plucker::io
