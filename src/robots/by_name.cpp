#include <charconv>
#include <string_view>

#include "plucker/robots/robots.hpp"

namespace plucker::robots {
namespace {

struct Named {
    std::string_view name;
    Model (*make)();
};
constexpr Named kRobots[] = {
    {"particle", particle},
    {"pendulum", pendulum},
    {"double_pendulum", double_pendulum},
    {"cart_pole", cart_pole},
    {"lamp", lamp},
    {"exoskeleton", exoskeleton},
    {"arm", arm},
    {"quadruped", quadruped},
    {"humanoid", humanoid},
};

// More is most likely a slip of the keyboard.
constexpr long long kMostBodies = 100000;
constexpr long long kLargestSeed = 4294967295;

struct Call {
    std::string text;  // "tree(20,1)"
    std::string name;  // "tree"
    bool has_arguments = false;
    std::vector<std::string> arguments;  // "20", "1"
};

// Everything between the first '(' and a ')' at the very end, split at commas.
Call parse(const std::string& text) {
    const std::size_t open = text.find('(');
    Call call{text, text.substr(0, open), open != std::string::npos, {}};
    if (!call.has_arguments) return call;
    if (text.back() != ')') {
        throw Error::because("robot '", text, "': a name with arguments must end with ')'");
    }
    std::size_t begin = open + 1;
    for (std::size_t end = begin; end < text.size(); ++end) {
        if (text[end] != ',' && end + 1 != text.size()) continue;
        call.arguments.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return call;
}

void check_arguments(const Call& call, std::size_t count, const char* form, const char* example) {
    if (call.has_arguments && call.arguments.size() == count) return;
    throw Error::because("robot '", call.text, "': write ", form, ", for example ", example);
}

long long whole_number(const Call& call, std::size_t k, const char* meaning, long long lowest,
                       long long highest) {
    const std::string& text = call.arguments[k];
    const char* end = text.data() + text.size();
    long long value = 0;
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stopped == end && lowest <= value && value <= highest) return value;
    throw Error::because("robot '", call.text, "': ", meaning, " is '", text,
                         "'; it must be a whole number from ", lowest, " to ", highest);
}

}  // namespace

Model by_name(const std::string& name) {
    const Call call = parse(name);
    if (call.name == "chain") {
        check_arguments(call, 1, "chain(N)", "chain(10)");
        return chain(static_cast<int>(whole_number(call, 0, "N", 1, kMostBodies)));
    }
    if (call.name == "tree") {
        check_arguments(call, 2, "tree(N,SEED)", "tree(20,1)");
        const auto n = static_cast<int>(whole_number(call, 0, "N", 1, kMostBodies));
        return tree(n, static_cast<unsigned>(whole_number(call, 1, "SEED", 0, kLargestSeed)));
    }
    for (const Named& robot : kRobots) {
        if (robot.name != call.name) continue;
        if (!call.has_arguments) return robot.make();
        throw Error::because("robot '", name, "': '", robot.name, "' takes no arguments");
    }
    throw unknown_name("robot", name, names());
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Named& robot : kRobots) all.emplace_back(robot.name);
    all.emplace_back("chain(N)");
    all.emplace_back("tree(N,SEED)");
    return all;
}

}  // namespace plucker::robots
