#include "plucker/io/write_state.hpp"

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "state/state.hpp"

namespace plucker {
namespace {

// The bodies whose joints have coordinates of their own, in the order of the file and without the floating base.
std::vector<int> joints_with_coordinates(const Model& model) {
    std::unordered_map<std::string, int> bodies;
    for (int i = model.has_floating_base() ? 2 : 1; i <= model.num_bodies(); ++i) {
        if (model.body(i).nv > 0 && !model.body(i).mimic) bodies[model.joint(i).name] = i;
    }
    std::vector<int> out;
    for (const JointDescription& joint : model.description().joints) {
        if (const auto found = bodies.find(joint.name); found != bodies.end())
            out.push_back(found->second);
    }
    return out;
}

// Writes one line per joint, and arrays within the line: so people can edit it.
class StateWriter {
public:
    explicit StateWriter(const Model& model)
        : model_(model), joints_(joints_with_coordinates(model)) {}

    std::string write(const VectorX<double>& q, const VectorX<double>& v, const VectorX<double>& a,
                      const VectorX<double>& tau) && {
        out_ = "{\n";
        begin("q");
        if (model_.has_floating_base())
            base("position", q, 3, "quaternion_xyzw", q.tail(q.size() - 3), 4);
        joints(q, &Body<double>::q_index, &Body<double>::nq);
        for (const auto& [key, x] : {std::pair{"v", &v}, {"a", &a}, {"tau", &tau}}) {
            out_ += ",\n";
            begin(key);
            if (model_.has_floating_base())
                base("angular", *x, 3, "linear", x->tail(x->size() - 3), 3);
            joints(*x, &Body<double>::v_index, &Body<double>::nv);
        }
        return std::move(out_) + "\n}";
    }

private:
    static std::string text_of(const nlohmann::json& value) { return value.dump(); }
    // A number where there is one, an array where there are several.
    static std::string coordinates(const VectorX<double>& x, int at, int count) {
        if (count == 1) return text_of(x[at]);
        return text_of(std::vector<double>(x.data() + at, x.data() + at + count));
    }

    void begin(const char* key) { out_ += "  " + text_of(key) + ": {\n"; }
    void base(const char* first, const VectorX<double>& x, int nx, const char* second,
              const VectorX<double>& y, int ny) {
        out_ += "    " + text_of(io::base_key(model_)) + ": {" + text_of(first) + ": " +
                coordinates(x, 0, nx) + ", " + text_of(second) + ": " + coordinates(y, 0, ny) +
                "},\n";
    }
    void joints(const VectorX<double>& x, int Body<double>::*index, int Body<double>::*count) {
        out_ += "    \"joints\": {";
        const char* separator = "\n";
        for (const int i : joints_) {
            const Body<double>& body = model_.body(i);
            out_ += separator + std::string("      ") + text_of(model_.joint(i).name) + ": " +
                    coordinates(x, body.*index, body.*count);
            separator = ",\n";
        }
        out_ += joints_.empty() ? "}\n  }" : "\n    }\n  }";
    }

    const Model& model_;
    std::vector<int> joints_;
    std::string out_;
};

}  // namespace

std::string write_state(const Model& model, const VectorX<double>& q, const VectorX<double>& v,
                        const VectorX<double>& a, const VectorX<double>& tau) {
    return StateWriter(model).write(q, v, a, tau);
}

}  // namespace plucker
