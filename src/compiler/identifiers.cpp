#include "identifiers.hpp"

#include <set>
#include <sstream>

#include "plucker/compiler/generate.hpp"

namespace plucker {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What a robot must not be called: in C++ its name is that of a namespace beside all that C declares, and everywhere that
// of a header and of a target of CMake's.
constexpr const char* kTaken = R"(
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
    compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype
    default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
    int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
    register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast
    struct switch template this thread_local throw true try typedef typeid typename typeof union unsigned using
    virtual void volatile wchar_t while xor xor_eq main std linux unix i386

    abs acos acosh asin asinh atan atan2 atanh canonicalize cbrt ceil copysign cos cosh daddl ddivl dfmal dmull
    drem dsqrtl dsubl erf erfc exp exp10 exp2 expm1 fabs fadd fdim fdiv ffma finite floor fma fmax fmaximum
    fmaxmag fmin fminimum fminmag fmod fmul fpclassify frexp fromfp fromfpx fsqrt fsub gamma getpayload hypot
    ilogb iscanonical isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal
    issignaling isunordered j0 j1 jn ldexp lgamma llogb llrint llround log log10 log1p log2 logb lrint lround
    modf nan nearbyint nextafter nextdown nexttoward nextup pow remainder remquo rint round roundeven scalb
    scalbln scalbn setpayload setpayloadsig signbit significand signgam sin sincos sinh sqrt tan tanh tgamma
    totalorder totalordermag trunc ufromfp ufromfpx y0 y1 yn

    asprintf clearerr ctermid cuserid dprintf fclose fcloseall fdopen feof ferror fflush fgetc fgetpos fgets
    fileno flockfile fmemopen fopen fopencookie fprintf fputc fputs fread freopen fscanf fseek fseeko fsetpos
    ftell ftello ftrylockfile funlockfile fwrite getc getchar getdelim getline gets getw pclose perror popen
    printf putc putchar puts putw remove rename renameat renameat2 rewind scanf setbuf setbuffer setlinebuf
    setvbuf snprintf sprintf sscanf stderr stdin stdout tempnam tmpfile tmpnam ungetc vasprintf vdprintf
    vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf

    a64l abort alloca atexit atof atoi atol atoll bsearch calloc clearenv div drand48 ecvt environ erand48
    exit fcvt free gcvt getenv getloadavg getpt getsubopt grantpt initstate jrand48 l64a labs lcong48 ldiv
    llabs lldiv lrand48 malloc mblen mbstowcs mbtowc mkdtemp mkostemp mkostemps mkstemp mkstemps mktemp
    mrand48 nrand48 ptsname putenv qecvt qfcvt qgcvt qsort rand random realloc reallocarray realpath rpmatch
    seed48 setenv setstate srand srand48 srandom strfromd strfromf strtod strtof strtol strtold strtoll strtoq
    strtoul strtoull strtouq system unlockpt unsetenv valloc wcstombs wctomb arc4random

    access acct alarm asctime basename bcmp bcopy brk bzero chdir chown chroot clock close confstr crypt ctime
    daemon difftime dup dup2 dup3 dysize encrypt execl execle execlp execv execve execvp explicit_bzero faccessat
    fchdir fchown fexecve ffs fork fsync ftruncate getcwd getdate gethostname getlogin getopt getpass getpid
    gmtime gtty hash index ioctl isatty kill lchown link localtime lockf lseek major makedev memccpy memchr
    memcmp memcpy memfrob memmem memmove mempcpy memset minor mktime nanosleep nice open pause pipe pipe2 poll
    pread profil pselect pwrite quad raise read readlink revoke rindex rmdir sbrk select send setegid signal
    sleep socket stat stime stpcpy stpncpy strcat strchr strcmp strcoll strcpy strcspn strdup strerror
    strfry strftime strlen strncat strncmp strncpy strpbrk strptime strrchr strsep strsignal strspn strstr
    strtok strverscmp strxfrm swab symlink sync syscall time timegm timelocal times timezone truncate ttyname
    tzname tzset ualarm uint ulong umask unlink ushort usleep vfork vhangup wait write
    BUFSIZ EOF FILE HUGE HUGE_VAL INFINITY NAN NULL TMP_MAX

    assert complex ctype endian errno features fenv inttypes iso646 limits locale math memory setjmp stdalign
    stdarg stdatomic stdbool stddef stdint stdio stdlib string strings tgmath threads types uchar unistd wchar
    wctype

    all clean depend edit_cache help install m package package_source preinstall rebuild_cache test
    ALL_BUILD INSTALL PACKAGE RUN_TESTS ZERO_CHECK

    compare failures)";

bool is_taken(const std::string& word) {
    static const std::set<std::string> taken = [] {
        std::istringstream words(kTaken);
        std::set<std::string> out;
        for (std::string next; words >> next;) out.insert(next);
        return out;
    }();
    // Types of C end in _t, and many functions are there for float and long double too.
    if (word.ends_with("_t")) return true;
    const bool is_narrow_or_wide = word.size() > 2 && (word.ends_with('f') || word.ends_with('l'));
    return taken.contains(word) ||
           (is_narrow_or_wide && taken.contains(word.substr(0, word.size() - 1)));
}

std::string letters_and_digits(const std::string& name) {
    std::string out;
    for (const char c : name) {
        if (is_letter(c) || is_digit(c)) {
            out += c;
        } else if (out.empty() || out.back() != '_') {
            out += '_';
        }
    }
    while (!out.empty() && out.back() == '_') out.pop_back();
    while (!out.empty() && out.front() == '_') out.erase(out.begin());
    return out;
}

}  // namespace

std::string identifier_from(const std::string& name) {
    std::string out = letters_and_digits(name);
    if (out.empty() || is_digit(out.front())) out = "robot" + (out.empty() ? "" : "_" + out);
    return is_taken(out) ? out + "_" : out;
}

namespace compiler {

std::string upper(std::string text) {
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

std::string in_comment(std::string text) {
    for (std::size_t at = 0; (at = text.find("*/", at)) != std::string::npos;)
        text.insert(at + 1, 1, ' ');
    for (char& c : text) c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    return text;
}

std::vector<std::string> identifiers(const std::vector<std::string>& names) {
    std::vector<std::string> out;
    std::set<std::string> seen;
    for (const std::string& name : names) {
        const std::string letters = letters_and_digits(name);
        const std::string plain = letters.empty() ? "unnamed" : letters;
        std::string unique = plain;
        for (int k = 2; !seen.insert(upper(unique)).second; ++k)
            unique = plain + "_" + std::to_string(k);
        out.push_back(unique);
    }
    return out;
}

}  // namespace compiler
}  // namespace plucker
