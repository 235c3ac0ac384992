#include "mjcf/poses.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "mjcf/defaults.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

constexpr double kPi = 3.14159265358979323846;

Vec3<double> vec3_at(const std::vector<double>& v, std::size_t first = 0) {
    return {v[first], v[first + 1], v[first + 2]};
}

// The shortest rotation that takes z to the axis.
Quaternion<double> from_z_axis(const Vec3<double>& axis) {
    const Vec3<double> z = (1 / norm(axis)) * axis;
    const Vec3<double> turn = cross(Vec3<double>{0, 0, 1}, z);
    const double sine = norm(turn);
    const double angle = std::atan2(sine, z.z);
    const Vec3<double> about = sine > 1e-10 ? (1 / sine) * turn : Vec3<double>{1, 0, 0};
    return exponential(angle * about);
}

// Of a rotation with these axes, by the largest of the four components (Shepperd's method).
Quaternion<double> from_axes(const Vec3<double>& x, const Vec3<double>& y, const Vec3<double>& z) {
    const std::array<double, 4> squares{1 + x.x + y.y + z.z, 1 + x.x - y.y - z.z,
                                        1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z};
    std::size_t most = 0;
    for (std::size_t k = 1; k < 4; ++k) most = squares[k] > squares[most] ? k : most;
    Quaternion<double> q;
    switch (most) {
        case 0:
            q = {y.z - z.y, z.x - x.z, x.y - y.x, squares[0]};
            break;
        case 1:
            q = {squares[1], x.y + y.x, z.x + x.z, y.z - z.y};
            break;
        case 2:
            q = {x.y + y.x, squares[2], y.z + z.y, z.x - x.z};
            break;
        default:
            q = {z.x + x.z, y.z + z.y, squares[3], x.y - y.x};
            break;
    }
    return normalized(q);
}

std::optional<Quaternion<double>> from_x_and_y(const std::vector<double>& n) {
    const Vec3<double> x_raw = vec3_at(n);
    if (!(norm(x_raw) > 0)) return std::nullopt;
    const Vec3<double> x = (1 / norm(x_raw)) * x_raw;
    const Vec3<double> y_raw = vec3_at(n, 3) - dot(x, vec3_at(n, 3)) * x;
    if (!(norm(y_raw) > 0)) return std::nullopt;
    const Vec3<double> y = (1 / norm(y_raw)) * y_raw;
    return from_axes(x, y, cross(x, y));
}

// Nothing if no rotation is meant by these numbers.
std::optional<Quaternion<double>> rotation_from(const std::string& kind,
                                                const std::vector<double>& n,
                                                const MjcfAngles& angles) {
    if (kind == "euler") return from_euler(n, angles);
    if (kind == "xyaxes") return from_x_and_y(n);
    if (kind == "quat") {
        const Quaternion<double> q{n[1], n[2], n[3], n[0]};
        if (!(squared_norm(q) > 0)) return std::nullopt;
        return normalized(q);
    }
    const Vec3<double> axis = vec3_at(n);
    if (!(norm(axis) > 0)) return std::nullopt;
    if (kind == "zaxis") return from_z_axis(axis);
    return exponential((n[3] * angles.unit / norm(axis)) * axis);
}

}  // namespace

std::string compiler_setting(const XMLElement& root, const char* name) {
    std::string out;
    for_each_child(root, [&](const XMLElement& e) {
        if (std::string(e.Name()) == "compiler" && e.Attribute(name) != nullptr)
            out = attribute(e, name);
    });
    return out;
}

MjcfAngles angles_of(const XMLElement& root) {
    MjcfAngles out{compiler_setting(root, "angle") == "radian" ? 1 : kPi / 180};
    // MuJoCo refuses a sequence that is none.
    const std::string sequence = compiler_setting(root, "eulerseq");
    if (sequence.size() == 3) out.sequence = sequence;
    return out;
}

Vec3<double> MjcfPose::turn(const Vec3<double>& direction) const {
    return transpose(coordinate_rotation(rotation)) * direction;
}
Vec3<double> MjcfPose::operator*(const Vec3<double>& point) const { return position + turn(point); }
MjcfPose MjcfPose::operator*(const MjcfPose& inner) const {
    return {*this * inner.position, normalized(rotation * inner.rotation)};
}

// In the order of the sequence: about the axes as turned so far if in lower case, about the fixed ones if in
// upper case.
Quaternion<double> from_euler(const std::vector<double>& euler, const MjcfAngles& angles) {
    Quaternion<double> out;
    for (std::size_t k = 0; k < 3; ++k) {
        const char letter = angles.sequence[k];
        const double angle = euler[k] * angles.unit;
        Vec3<double> theta;
        if (letter == 'x' || letter == 'X') theta.x = angle;
        if (letter == 'y' || letter == 'Y') theta.y = angle;
        if (letter == 'z' || letter == 'Z') theta.z = angle;
        const bool fixed = letter >= 'A' && letter <= 'Z';
        out = fixed ? exponential(theta) * out : out * exponential(theta);
    }
    return out;
}

std::optional<MjcfPose> pose_of(const XMLElement& e, const MjcfAngles& angles, std::string& why) {
    static const std::map<std::string, std::size_t> kCounts{
        {"pos", 3}, {"quat", 4}, {"axisangle", 4}, {"xyaxes", 6}, {"zaxis", 3}, {"euler", 3}};
    MjcfPose out;
    int orientations = 0;
    for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next()) {
        const auto count = kCounts.find(a->Name());
        if (count == kCounts.end()) continue;
        const auto complain = [&](const std::string& what) {
            why = "<" + std::string(e.Name()) + " " + a->Name() + "=…> " + what;
            return std::nullopt;
        };
        const auto numbers = parse_numbers(a->Value(), count->second, why);
        if (!numbers) return complain(why);
        if (count->first == "pos") {
            out.position = vec3_at(*numbers);
            continue;
        }
        if (++orientations > 1) return complain("is one of multiple orientations; one is enough");
        const auto rotation = rotation_from(count->first, *numbers, angles);
        if (!rotation) return complain("has length 0; it is no orientation");
        out.rotation = *rotation;
    }
    return out;
}

void set_pose(XMLElement& e, const MjcfPose& pose) {
    for (const char* name : {"axisangle", "xyaxes", "zaxis", "euler"}) e.DeleteAttribute(name);
    const Vec3<double>& p = pose.position;
    const Quaternion<double>& q = pose.rotation;
    e.SetAttribute("pos", to_text({p.x, p.y, p.z}).c_str());
    e.SetAttribute("quat", to_text({q.w, q.x, q.y, q.z}).c_str());
}

std::string to_text(const std::vector<double>& numbers) {
    std::string out;
    for (const double x : numbers) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
        out += (out.empty() ? "" : " ") + std::string(digits.data(), end);
    }
    return out;
}

}  // namespace plucker::io
