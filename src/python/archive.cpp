// Each type lists its members once, in members(); writing and reading follow from that list.
#include "archive.hpp"

#include <cstring>
#include <tuple>
#include <utility>

#include "plucker/error.hpp"
#include "plucker/joints/joint.hpp"

namespace plucker::python {
namespace {

constexpr char kMagic[] = "plucker 3";

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T>
auto members(Vec3<T>& x) {
    return std::tie(x.x, x.y, x.z);
}
template <class T>
auto members(Mat3<T>& x) {
    return std::tie(x.x, x.y, x.z);
}
template <class T>
auto members(SymMat3<T>& x) {
    return std::tie(x.xx, x.xy, x.xz, x.yy, x.yz, x.zz);
}
template <class T>
auto members(Pose<T>& x) {
    return std::tie(x.rotation, x.position);
}
auto members(MassProperties& x) { return std::tie(x.mass, x.center, x.about_center); }
auto members(SourceLocation& x) { return std::tie(x.file, x.line); }
auto members(Diagnostic& x) { return std::tie(x.severity, x.at, x.element, x.message); }
auto members(Box& x) { return std::tie(x.size); }
auto members(Cylinder& x) { return std::tie(x.radius, x.length); }
auto members(Capsule& x) { return std::tie(x.radius, x.length); }
auto members(Sphere& x) { return std::tie(x.radius); }
auto members(Ellipsoid& x) { return std::tie(x.radii); }
auto members(Plane& x) { return std::tie(x.normal); }
auto members(Mesh& x) { return std::tie(x.uri, x.path, x.scale); }
auto members(Material& x) { return std::tie(x.name, x.rgba, x.texture); }
auto members(Surface& x) { return std::tie(x.friction, x.torsional, x.restitution); }
auto members(Shape& x) {
    return std::tie(x.name, x.placement, x.geometry, x.material, x.surface, x.is, x.meets);
}
auto members(HeightField& x) {
    return std::tie(x.name, x.origin, x.spacing_x, x.spacing_y, x.points_x, x.points_y, x.heights,
                    x.surface, x.is, x.meets);
}
auto members(LinkDescription& x) {
    return std::tie(x.name, x.mass, x.visuals, x.collisions, x.source);
}
auto members(Mimic& x) { return std::tie(x.joint, x.multiplier, x.offset); }
auto members(JointLimits& x) { return std::tie(x.lower, x.upper, x.velocity, x.effort); }
auto members(JointDescription& x) {
    return std::tie(x.name, x.type, x.parent, x.child, x.placement, x.axis, x.second_axis, x.pitch,
                    x.armature, x.damping, x.friction, x.limits, x.mimic, x.source);
}
auto members(FrameDescription& x) { return std::tie(x.name, x.link, x.placement, x.source); }
auto members(ConstraintDescription& x) {
    return std::tie(x.name, x.kind, x.frame_a, x.frame_b, x.placement_a, x.placement_b, x.axes,
                    x.distance, x.joint_a, x.joint_b, x.polynomial, x.source);
}
template <class A, class B>
auto members(std::pair<A, B>& x) {
    return std::tie(x.first, x.second);
}
auto members(PostureDescription& x) { return std::tie(x.name, x.joints, x.source); }
auto members(Description& x) {
    return std::tie(x.name, x.source, x.gravity, x.base, x.fixed_joints, x.physics, x.links,
                    x.joints, x.frames, x.constraints, x.never_touching, x.postures, x.base_joint);
}
auto members(laws::Residual& x) { return std::tie(x.law, x.value, x.tolerance, x.not_checked); }
auto members(CompiledFunction& x) {
    return std::tie(x.name, x.compiled, x.asked, x.operations, x.steps, x.spills, x.bytes,
                    x.milliseconds);
}
auto members(MotionLog& x) { return std::tie(x.time, x.q, x.v, x.a, x.tau); }
auto members(Excitation& x) {
    return std::tie(x.log, x.condition_number, x.first_condition_number, x.num_unseen);
}
auto members(BaseParameters& x) { return std::tie(x.columns, x.combination, x.names); }
auto members(IdentifiedParameter& x) {
    return std::tie(x.name, x.before, x.value, x.deviation, x.prior);
}
auto members(IdentifiedJoint& x) { return std::tie(x.name, x.torque, x.before, x.after); }
auto members(ArchivedIdentification& x) {
    return std::tie(x.description, x.parameters, x.combinations, x.joints, x.condition_number,
                    x.num_told, x.remarks, x.log, x.torques_before, x.torques_after);
}
auto members(Certificate& x) { return std::tie(x.primal, x.dual, x.complementarity); }
auto members(SolverReport& x) { return std::tie(x.certificate, x.by, x.iterations, x.converged); }
auto members(StepReport& x) { return std::tie(x.status, x.solver, x.deepest, x.beyond_limits); }
auto members(RecordedContact& x) {
    return std::tie(x.link, x.other, x.position, x.normal, x.force, x.mode, x.friction);
}
auto members(RecordedPush& x) { return std::tie(x.link, x.position, x.force); }
auto members(RecordedFrame& x) { return std::tie(x.name, x.pose); }
auto members(RecordedEnergy& x) { return std::tie(x.kinetic, x.potential); }
auto members(RecordedInstant& x) {
    return std::tie(x.time, x.q, x.v, x.tau, x.energy, x.frames, x.contacts, x.pushes, x.residual);
}
auto members(RecordingHeader& x) {
    return std::tie(x.model, x.floating, x.no_friction, x.gravity, x.package_paths, x.folder,
                    x.which, x.step, x.integrator, x.ground, x.shapes, x.terrain);
}
auto members(Recording& x) { return std::tie(x.header, x.instants, x.cut_off); }
auto members(CompileOptions& x) { return std::tie(x.functions, x.parameters, x.frames); }
auto members(Archived& x) { return std::tie(x.description, x.findings, x.compiled, x.parameters); }

class Writer {
public:
    std::string bytes;

    template <Plain T>
    void operator()(T& x) {
        bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
    }
    void operator()(bool& x) { size(x ? 1 : 0); }
    void operator()(std::string& x) {
        size(x.size());
        bytes += x;
    }
    template <class T>
    void operator()(std::vector<T>& x) {
        size(x.size());
        for (T& entry : x) (*this)(entry);
    }
    template <class T, std::size_t N>
    void operator()(std::array<T, N>& x) {
        for (T& entry : x) (*this)(entry);
    }
    template <class T>
    void operator()(std::optional<T>& x) {
        size(x ? 1 : 0);
        if (x) (*this)(*x);
    }
    template <int Columns, int Options>
    void operator()(Eigen::Matrix<double, Eigen::Dynamic, Columns, Options>& x) {
        size(static_cast<std::uint64_t>(x.rows()));
        size(static_cast<std::uint64_t>(x.cols()));
        for (double& number : x.reshaped()) (*this)(number);
    }
    void operator()(Geometry& x) {
        size(x.index());
        std::visit(*this, x);
    }
    template <class T>
    requires requires(T& x) { members(x); }
    void operator()(T& x) {
        std::apply([&](auto&... member) { ((*this)(member), ...); }, members(x));
    }

private:
    void size(std::uint64_t n) { (*this)(n); }
};

class Reader {
public:
    explicit Reader(const std::string& bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

    template <Plain T>
    void operator()(T& x) {
        std::memcpy(&x, take(sizeof x), sizeof x);
        check_enum(x);
    }
    void operator()(bool& x) { x = size(1) != 0; }
    void operator()(std::string& x) {
        const std::size_t n = size(remaining());
        x.assign(take(n), n);
    }
    template <class T>
    void operator()(std::vector<T>& x) {
        const std::size_t n = size(remaining());  // an entry is at least a byte
        for (std::size_t k = 0; k < n; ++k) (*this)(x.emplace_back());
    }
    template <class T, std::size_t N>
    void operator()(std::array<T, N>& x) {
        for (T& entry : x) (*this)(entry);
    }
    template <class T>
    void operator()(std::optional<T>& x) {
        if (size(1) != 0) (*this)(x.emplace());
    }
    template <int Columns, int Options>
    void operator()(Eigen::Matrix<double, Eigen::Dynamic, Columns, Options>& x) {
        const std::size_t rows = size(remaining());
        const std::size_t columns = size(remaining());
        if (Columns == 1 && columns != 1) throw broken();
        if (columns > 0 && rows > remaining() / sizeof(double) / columns) throw broken();
        x.resize(static_cast<long>(rows), static_cast<long>(columns));
        for (double& number : x.reshaped()) (*this)(number);
    }
    void operator()(Geometry& x) {
        make(x, size(std::variant_size_v<Geometry> - 1),
             std::make_index_sequence<std::variant_size_v<Geometry>>{});
    }
    template <class T>
    requires requires(T& x) { members(x); }
    void operator()(T& x) {
        std::apply([&](auto&... member) { ((*this)(member), ...); }, members(x));
    }

    void end() const {
        if (at_ != end_) throw broken();
    }

private:
    const char* at_;
    const char* end_;

    static Error broken() { return Error("pickle: these bytes are no robot, or were cut"); }
    std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
    const char* take(std::size_t n) {
        if (n > remaining()) throw broken();
        return std::exchange(at_, at_ + n);
    }
    std::size_t size(std::size_t most) {
        std::uint64_t n = 0;
        (*this)(n);
        if (n > most) throw broken();
        return n;
    }
    // What no enumerator has must not become one.
    template <class T>
    static void check_enum(const T&) {}
    static void check(int value, int last) {
        if (value < 0 || value > last) throw broken();
    }
    static void check_enum(const Severity& x) {
        check(static_cast<int>(x), static_cast<int>(Severity::kError));
    }
    static void check_enum(const JointType& x) {
        int last = 0;
        for_each_joint_type([&](auto joint) { last = static_cast<int>(decltype(joint)::kType); });
        check(static_cast<int>(x), last);
    }
    static void check_enum(const Base& x) {
        check(static_cast<int>(x), static_cast<int>(Base::kFloating));
    }
    static void check_enum(const FixedJoints& x) {
        check(static_cast<int>(x), static_cast<int>(FixedJoints::kKeep));
    }
    static void check_enum(const ConstraintKind& x) {
        check(static_cast<int>(x), static_cast<int>(ConstraintKind::kCoupling));
    }
    static void check_enum(const Status& x) {
        check(static_cast<int>(x), static_cast<int>(Status::kMisuse));
    }
    static void check_enum(const SolvedBy& x) {
        check(static_cast<int>(x), static_cast<int>(SolvedBy::kGaussSeidel));
    }
    static void check_enum(const ContactMode& x) {
        check(static_cast<int>(x), static_cast<int>(ContactMode::kSlide));
    }
    static void check_enum(const Physics& x) {
        check(static_cast<int>(x), static_cast<int>(Physics::kLenient));
    }

    template <std::size_t... K>
    void make(Geometry& x, std::size_t index, std::index_sequence<K...>) {
        ((index == K ? (*this)(x.emplace<K>()) : void()), ...);
    }
};

}  // namespace

template <class T>
std::string to_bytes(T x) {
    Writer writer;
    writer.bytes = kMagic;
    writer(x);
    return std::move(writer.bytes);
}
template <class T>
T from_bytes(const std::string& bytes) {
    const std::string magic = kMagic;
    if (bytes.compare(0, magic.size(), magic) != 0)
        throw Error("pickle: these bytes were not written by this version of plucker");
    T x;
    const std::string rest = bytes.substr(magic.size());
    Reader reader(rest);
    reader(x);
    reader.end();
    return x;
}

template std::string to_bytes(Archived);
template Archived from_bytes(const std::string&);
template std::string to_bytes(MassProperties);
template MassProperties from_bytes(const std::string&);
template std::string to_bytes(JointDescription);
template JointDescription from_bytes(const std::string&);
template std::string to_bytes(ConstraintDescription);
template ConstraintDescription from_bytes(const std::string&);
template std::string to_bytes(Shape);
template Shape from_bytes(const std::string&);
template std::string to_bytes(Diagnostic);
template Diagnostic from_bytes(const std::string&);
template std::string to_bytes(laws::Residual);
template laws::Residual from_bytes(const std::string&);
template std::string to_bytes(CompiledFunction);
template CompiledFunction from_bytes(const std::string&);
template std::string to_bytes(MotionLog);
template MotionLog from_bytes(const std::string&);
template std::string to_bytes(Excitation);
template Excitation from_bytes(const std::string&);
template std::string to_bytes(BaseParameters);
template BaseParameters from_bytes(const std::string&);
template std::string to_bytes(IdentifiedParameter);
template IdentifiedParameter from_bytes(const std::string&);
template std::string to_bytes(IdentifiedJoint);
template IdentifiedJoint from_bytes(const std::string&);
template std::string to_bytes(ArchivedIdentification);
template ArchivedIdentification from_bytes(const std::string&);
template std::string to_bytes(StepReport);
template StepReport from_bytes(const std::string&);
template std::string to_bytes(std::vector<StepReport>);
template std::vector<StepReport> from_bytes(const std::string&);
template std::string to_bytes(RecordedContact);
template RecordedContact from_bytes(const std::string&);
template std::string to_bytes(Recording);
template Recording from_bytes(const std::string&);

}  // namespace plucker::python
