#include "support/reference.hpp"

#include <fstream>

#include "plucker/io/load.hpp"

namespace plucker::test {
namespace {

std::string data_path(const std::string& file) {
    return std::string(PLUCKER_TEST_DATA_DIR) + "/reference/" + file;
}

}  // namespace

Model reference_model(const std::string& name, Base base) {
    LoadOptions options;
    options.base = base;
    return load(data_path(name + ".urdf"), options);
}

MatrixX<double> to_matrix(const nlohmann::json& values) {
    const auto rows = static_cast<long>(values.size());
    const bool nested = rows > 0 && values[0].is_array();
    const auto cols = nested ? static_cast<long>(values[0].size()) : 1;
    MatrixX<double> out(rows, cols);
    for (long r = 0; r < rows; ++r) {
        for (long c = 0; c < cols; ++c) {
            out(r, c) = nested ? values[r][c].get<double>() : values[r].get<double>();
        }
    }
    return out;
}

VectorX<double> Reference::q(const nlohmann::json& sample) const {
    VectorX<double> q = neutral_configuration(model);
    if (model.has_floating_base()) {
        q.head(3) = to_matrix(sample["q"]["base"]["position"]);
        q.segment(3, 4) = to_matrix(sample["q"]["base"]["quaternion_xyzw"]);
    }
    for (const auto& [joint, value] : sample["q"]["joints"].items()) {
        q[model.q_index(joint)] = value.get<double>();
    }
    return q;
}

VectorX<double> Reference::vector(const nlohmann::json& values) const {
    VectorX<double> out(model.nv());
    for (std::size_t k = 0; k < order.size(); ++k) out[order[k]] = values[k].get<double>();
    return out;
}

MatrixX<double> Reference::rows(const MatrixX<double>& ours) const {
    MatrixX<double> out(ours.rows(), ours.cols());
    for (long r = 0; r < ours.rows(); ++r)
        out.row(r) = ours.row(order[static_cast<std::size_t>(r)]);
    return out;
}
MatrixX<double> Reference::columns(const MatrixX<double>& ours) const {
    return rows(ours.transpose()).transpose();
}
MatrixX<double> Reference::rows_and_columns(const MatrixX<double>& ours) const {
    return columns(rows(ours));
}

Reference load_reference(const std::string& name) {
    std::ifstream in(data_path(name + ".json"));
    nlohmann::json file = nlohmann::json::parse(in);
    Reference out{reference_model(name, file["floating_base"] ? Base::kFloating : Base::kFixed),
                  file["samples"],
                  {}};
    const auto& names = out.model.velocity_names();
    for (const auto& row : file["velocity_order"]) {
        const auto found = std::find(names.begin(), names.end(), row.get<std::string>());
        if (found == names.end()) throw Error("no velocity coordinate " + row.get<std::string>());
        out.order.push_back(static_cast<int>(found - names.begin()));
    }
    return out;
}

std::vector<std::string> reference_names() { return {"arm7", "tree14", "walker", "humanoid30"}; }

}  // namespace plucker::test
