#include "support/reference.hpp"

#include <tinyxml2.h>

#include <fstream>
#include <sstream>

namespace plucker::test {
namespace {

Vec3<double> vec3(const char* text, const Vec3<double>& otherwise = {}) {
    if (text == nullptr) return otherwise;
    Vec3<double> out;
    std::istringstream(text) >> out.x >> out.y >> out.z;
    return out;
}

Pose<double> origin(const tinyxml2::XMLElement* parent) {
    const auto* e = parent->FirstChildElement("origin");
    if (e == nullptr) return {};
    return Pose<double>::roll_pitch_yaw(vec3(e->Attribute("xyz")), vec3(e->Attribute("rpy")));
}

std::string data_path(const std::string& file) {
    return std::string(PLUCKER_TEST_DATA_DIR) + "/reference/" + file;
}

}  // namespace

// Reads just what the four reference files contain.
Model reference_model(const std::string& name, Base base) {
    tinyxml2::XMLDocument file;
    if (file.LoadFile(data_path(name + ".urdf").c_str()) != tinyxml2::XML_SUCCESS) {
        throw Error(file.ErrorStr());
    }
    const auto* robot = file.RootElement();
    Builder builder(name);
    builder.base(base);
    for (const auto* e = robot->FirstChildElement("link"); e; e = e->NextSiblingElement("link")) {
        MassProperties mass;
        if (const auto* inertial = e->FirstChildElement("inertial")) {
            const auto* I = inertial->FirstChildElement("inertia");
            const Pose<double> at = origin(inertial);
            mass.mass = inertial->FirstChildElement("mass")->DoubleAttribute("value");
            mass.center = at.position;
            mass.about_center =
                rotate_back(transpose(at.rotation),
                            SymMat3<double>{I->DoubleAttribute("ixx"), I->DoubleAttribute("ixy"),
                                            I->DoubleAttribute("ixz"), I->DoubleAttribute("iyy"),
                                            I->DoubleAttribute("iyz"), I->DoubleAttribute("izz")});
        }
        builder.link(e->Attribute("name"), mass);
    }
    for (const auto* e = robot->FirstChildElement("joint"); e; e = e->NextSiblingElement("joint")) {
        const std::string type = e->Attribute("type");
        const auto* axis = e->FirstChildElement("axis");
        JointDescription joint = joint_of_type(type == "fixed"       ? JointType::kFixed
                                               : type == "prismatic" ? JointType::kPrismatic
                                                                     : JointType::kRevolute,
                                               e->Attribute("name"));
        if (axis != nullptr) joint.axis = vec3(axis->Attribute("xyz"));
        joint.placement = origin(e);
        joint.parent = e->FirstChildElement("parent")->Attribute("link");
        joint.child = e->FirstChildElement("child")->Attribute("link");
        builder.joint(joint);
    }
    return builder.build();
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
        q[model.body(model.joint_index(joint)).q_index] = value.get<double>();
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
