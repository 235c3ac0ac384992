// States in JSON, for robots at random. The first byte chooses the robot, the second the quantity; the rest is JSON.
#include <nlohmann/json.hpp>
#include <vector>

#include "check_robot.hpp"
#include "mutation.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/io/evaluate.hpp"
#include "plucker/joints/joint.hpp"
#include "support/random_robot.hpp"

namespace plucker::fuzz {
namespace {

using nlohmann::json;

// Small, so that most of the time goes into reading states; among them they have every type of joint.
const Model& robot(std::uint8_t choice) {
    static const std::vector<Model> kRobots = [] {
        std::vector<Model> out;
        for (unsigned seed = 0; seed < 32; ++seed)
            out.emplace_back(test::random_robot(seed, {.most_links = 3}));
        return out;
    }();
    return kRobots[choice % kRobots.size()];
}

// Seldom a derivative, or all: they take longest.
std::string quantity(std::uint8_t choice, std::size_t size) {
    static const std::vector<std::string> kNames = quantity_names();
    static const std::size_t kQuick = kNames.size() - 4;
    if (choice == 255) return "all";
    return choice < 254 ? kNames[choice % kQuick] : kNames[kQuick + size % 4];
}

class RandomState {
public:
    RandomState(const Model& model, Dice& dice) : model_(model), dice_(dice) {}

    json make() {
        json state{{"q", configuration()}};
        for (const char* key : {"v", "a", "tau"}) {
            if (dice_.one_in(5)) continue;
            state[key] = dice_.one_in(2) ? numbers(model_.nv()) : by_name();
        }
        if (dice_.one_in(3)) state["external_forces"] = forces();
        return state;
    }

private:
    json numbers(int n) {
        json out = json::array();
        std::uniform_real_distribution<double> random(-2, 2);
        for (int k = 0; k < n; ++k) out.push_back(random(dice_.generator()));
        return out;
    }
    // Calls f(name, body) for the joints that a state names.
    template <class F>
    void for_each_joint(F&& f) {
        for (int i = model_.has_floating_base() ? 2 : 1; i <= model_.num_bodies(); ++i) {
            const Body<double>& body = model_.body(i);
            if (body.nv > 0 && !body.mimic) f(model_.joint(i).name, body);
        }
    }
    json configuration() {
        const VectorX<double> q = random_configuration(model_, dice_.generator());
        const auto part = [&](int at, int n) {
            return std::vector<double>(q.data() + at, q.data() + at + n);
        };
        json out{{"joints", json::object()}};
        if (model_.has_floating_base())
            out["base"] = {{"position", part(0, 3)}, {"quaternion_xyzw", part(3, 4)}};
        for_each_joint([&](const std::string& name, const Body<double>& body) {
            out["joints"][name] = part(body.q_index, body.nq);
        });
        return out;
    }
    json by_name() {
        json out{{"joints", json::object()}};
        if (model_.has_floating_base())
            out["base"] = {{"angular", numbers(3)}, {"linear", numbers(3)}};
        for_each_joint([&](const std::string& name, const Body<double>& body) {
            out["joints"][name] = body.nv == 1 ? numbers(1)[0] : numbers(body.nv);
        });
        return out;
    }
    json forces() {
        json out = json::array();
        for (std::size_t k = dice_.below(3); k > 0; --k) {
            static constexpr std::array kIn = {"body", "world", "world_aligned"};
            out.push_back({{"frame", dice_.one_of(model_.frames()).name},
                           {"in", dice_.one_of(kIn)},
                           {"angular", numbers(3)},
                           {"linear", numbers(3)}});
        }
        return out;
    }

    const Model& model_;
    Dice& dice_;
};

std::string edit(const std::string& text, Dice& dice) {
    std::string head = text.substr(0, 2);
    head.resize(2, '0');
    if (dice.one_in(8)) head[0] = static_cast<char>(dice.below(256));
    head[1] = static_cast<char>(dice.below(256));
    // Often of a new state that is valid: of what was found before, most is not.
    const bool anew = text.size() <= 2 || dice.one_in(3);
    const Model& model = robot(static_cast<std::uint8_t>(head[0]));
    const std::string states = anew ? RandomState(model, dice).make().dump() : text.substr(2);
    const std::string edited = anew && dice.one_in(2) ? states : edit_json(states, dice);
    return edited.empty() ? "" : head + edited;
}

// An answer is JSON, without the null that stands for a number that is not finite; a refusal says why.
void check_state(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return;
    const Model& model = robot(data[0]);
    const std::string states(reinterpret_cast<const char*>(data) + 2, size - 2);
    // What begins as JSON does is read as JSON, the rest as CSV; some of it in the order of another library.
    const bool is_json = states.find_first_of("{[") == 0;
    EvaluateOptions options;
    options.quantities = {quantity(data[1], size)};
    options.input = is_json ? TextFormat::kJson : TextFormat::kCsv;
    options.order = size % 4 == 1 ? Convention::kMujoco : Convention::kFile;
    std::string answer;
    try {
        answer = evaluate(model, states, "fuzz", options);
    } catch (const Error& error) {
        tally(false);
        return require(*error.what() != '\0', "an error without a message");
    }
    tally(true);
    remember(data, size);
    require(!answer.empty() && answer.find("null") == std::string::npos,
            "an answer with a number that is not finite");
    if (answer.size() < 1000) (void)json::parse(answer.substr(0, answer.find('\n')));
}

}  // namespace
}  // namespace plucker::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    plucker::fuzz::check_state(data, size);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t capacity, unsigned seed) {
    return plucker::fuzz::mutate(data, size, capacity, seed, plucker::fuzz::edit);
}
