#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "mutation.hpp"

namespace plucker::fuzz {
namespace {

using nlohmann::json;

class JsonEditor {
public:
    JsonEditor(json& document, Dice& dice) : document_(document), dice_(dice) {}

    void edit() {
        nodes_.clear();
        collect(document_);
        json& node = *dice_.one_of(nodes_);
        switch (dice_.below(10)) {
            case 0:
                return remove_from(node);
            case 1:
                return add_to(node);
            case 2:
                node = json(*dice_.one_of(nodes_));
                return;
            case 3:
                node =
                    dice_.one_in(2) ? json::array({node}) : json{{"samples", json::array({node})}};
                return;
            case 4:
                return rename_in(node);
            default:
                return change_value(*dice_.one_of(nodes_));
        }
    }

private:
    void collect(json& node) {
        nodes_.push_back(&node);
        if (!node.is_structured()) return;
        for (json& child : node) collect(child);
    }

    void remove_from(json& node) {
        if (!node.is_structured() || node.empty()) return change_value(node);
        const std::size_t at = dice_.below(node.size());
        node.erase(std::next(node.begin(), static_cast<long>(at)));
    }
    void add_to(json& node) {
        const json copy = *dice_.one_of(nodes_);
        if (node.is_array() && node.size() < 100) node.push_back(copy);
        if (node.is_object()) node[changed("a")] = copy;
    }
    void rename_in(json& node) {
        if (!node.is_object() || node.empty()) return change_value(node);
        const auto at = std::next(node.begin(), static_cast<long>(dice_.below(node.size())));
        const std::string name = at.key();
        const json value = at.value();
        node.erase(name);
        node[changed(name)] = value;
    }
    void change_value(json& node) {
        if (node.is_structured() && !dice_.one_in(4)) return;
        if (node.is_string() && dice_.one_in(2)) {
            node = changed(node.get<std::string>());
            return;
        }
        const json number = json::parse(any_number(dice_), nullptr, /*allow_exceptions=*/false);
        if (!number.is_discarded()) node = number;
    }

    json& document_;
    Dice& dice_;
    std::vector<json*> nodes_;
};

}  // namespace

std::string edit_json(const std::string& text, Dice& dice) {
    json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (document.is_discarded()) return "";
    JsonEditor editor(document, dice);
    for (std::size_t edits = dice.one_in(4) ? 3 : 1; edits > 0; --edits) editor.edit();
    std::string out =
        document.dump(dice.one_in(8) ? 1 : -1, ' ', false, json::error_handler_t::replace);
    if (dice.one_in(16)) out += "\n" + text;  // JSON lines
    return out;
}

}  // namespace plucker::fuzz
