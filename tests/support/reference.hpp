// The reference robots and states: values computed by Pinocchio 3.7 (see tests/data/reference/README.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "plucker/plucker.hpp"

namespace plucker::test {

// The robot in tests/data/reference/<name>.urdf.
Model reference_model(const std::string& name, Base base);

struct Reference {
    Model model;
    nlohmann::json samples;
    // order[k]: the model's velocity coordinate that the file's k-th row or column is about.
    std::vector<int> order;

    VectorX<double> q(const nlohmann::json& sample) const;
    // A vector of the file, in the model's order.
    VectorX<double> vector(const nlohmann::json& values) const;
    // Arrays of the file are compared in the file's order: these permute ours into it.
    MatrixX<double> rows_and_columns(const MatrixX<double>& ours) const;
    MatrixX<double> columns(const MatrixX<double>& ours) const;
    MatrixX<double> rows(const MatrixX<double>& ours) const;
};

Reference load_reference(const std::string& name);
std::vector<std::string> reference_names();
MatrixX<double> to_matrix(const nlohmann::json& values);

}  // namespace plucker::test
