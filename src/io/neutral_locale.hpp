// The "C" locale while another library reads numbers.
//
// A file's numbers are written with a decimal point wherever the program runs, but a library that reads
// them with strtod or a stream follows the program's locale: 0.5 may become 0, and 1.234 may become 1234.
#pragma once

#include <locale.h>

#include <locale>
#include <mutex>
#include <string>

namespace plucker::io {

// The C locale is switched for this thread only. The C++ locale can only be switched for the whole
// program, so that is done only if it is not the classic one already. One thread at a time, for that reason.
class NeutralLocale {
public:
    NeutralLocale()
        : global_(setlocale(LC_ALL, nullptr)),
          neutral_(newlocale(LC_ALL_MASK, "C", nullptr)),
          of_thread_(uselocale(neutral_)) {
        if (!is_classic_) std::locale::global(std::locale::classic());
    }
    ~NeutralLocale() {
        if (!is_classic_) std::locale::global(cxx_);
        // Setting the C++ locale, and some libraries, also set the global C locale.
        if (global_ != setlocale(LC_ALL, nullptr)) setlocale(LC_ALL, global_.c_str());
        uselocale(of_thread_);
        if (neutral_ != nullptr) freelocale(neutral_);
    }
    NeutralLocale(const NeutralLocale&) = delete;
    NeutralLocale& operator=(const NeutralLocale&) = delete;

private:
    static inline std::mutex mutex_;
    std::lock_guard<std::mutex> lock_{mutex_};
    std::string global_;
    std::locale cxx_;
    bool is_classic_ = cxx_ == std::locale::classic();
    locale_t neutral_;
    locale_t of_thread_;
};

}  // namespace plucker::io
