// Soliman and Ugurlu, supplement: eqs 1–9 and Table I, the Jacobians of a biped and their rates. See
// docs/errata.md.
//
// The biped of the paper: six virtual joints (three slides, three turns) carry the base, and on it hang
// two legs of four joints: hip adduction, hip flexion, knee, ankle. All vectors are along the world's
// axes. A point follows each link: r_i goes from joint i to joint i + 1, or to the foot's centre, and
// r_m^i from joint i to the link's centre of mass.
#include "errata/listing.hpp"
#include "plucker/algorithms/table.hpp"

namespace plucker::test::jacobian_errata {
namespace {

using V3 = Vector3<double>;
using M3 = Matrix3<double>;
constexpr int kLegJoints = 4;  // n_l

struct Printed {
    bool line_6 = false;            // [J_v 0] for the rate of [J_ω 0]
    bool line_7 = false;            // [J_v …] for [J̇_v …]
    bool line_11 = false;           // [J_v …] for [J̇_ω …]
    bool line_11_dotted = false;    // [J̇_v …] for [J̇_ω …]: only the block is wrong
    bool equation_6 = false;        // s(ω) s(r) for s(ω × r); also eq. 9, lines 12, 24, 26
    bool line_18 = false;           // legs start at the base's origin, not at their hips
    bool line_27 = false;           // adds the link's Jacobian to itself; also line 28
    bool line_31 = false;           // the base's centre of mass at its frame's origin; also line 32
    bool equation_7 = false;        // no base in the sum
    bool rotation_in_base = false;  // ⁰R_i "with respect to frame F_0,0"
    bool local_centers = false;     // r_m^i "local coordinates"
    bool columns = false;           // legs' columns left where lines 21–26 put them
};

// --- The robot -----------------------------------------------------------------------------------

struct Biped {
    Model model;
    Vec q, v;

    explicit Biped(double hip_width = 0.2, bool planar = false) : model(build(hip_width)) {
        Numbers numbers(4);
        q = numbers.vec(model.nv(), 1);
        v = numbers.vec(model.nv(), 1);
        if (!planar) return;
        // Only slides along x and z and turns about y.
        for (const char* joint :
             {"slide y", "turn x", "turn z", "left adduction", "right adduction"}) {
            const int k = model.body(model.joint_index(joint)).v_index;
            q[k] = v[k] = 0;
        }
    }

private:
    static Model build(double hip_width) {
        Numbers numbers(5);
        Builder b("biped");
        b.link("ground");
        b.body("ground", prismatic("slide x", {1, 0, 0}), "x");
        b.body("x", prismatic("slide y", {0, 1, 0}), "y");
        b.body("y", prismatic("slide z", {0, 0, 1}), "z");
        b.body("z", revolute("turn x", {1, 0, 0}), "roll");
        b.body("roll", revolute("turn y", {0, 1, 0}), "pitch");
        b.body("pitch", revolute("turn z", {0, 0, 1}), "base", some_mass(numbers));
        const double hip_height = hip_width == 0 ? 0 : -0.1;
        for (const std::string side : {"left", "right"}) {
            const double y = (side == "left" ? 0.5 : -0.5) * hip_width;
            b.body("base", revolute(side + " adduction", {1, 0, 0}).at(0, y, hip_height),
                   side + " hip", some_mass(numbers));
            b.body(side + " hip", revolute(side + " flexion", {0, 1, 0}).at(0.05, 0, -0.1),
                   side + " thigh", some_mass(numbers));
            b.body(side + " thigh", revolute(side + " knee", {0, 1, 0}).at(0, 0, -0.4),
                   side + " shank", some_mass(numbers));
            b.body(side + " shank", revolute(side + " ankle", {0, 1, 0}).at(0, 0, -0.4),
                   side + " foot", some_mass(numbers));
            b.frame(side + " sole", side + " foot", Pose<double>::translation(0.1, 0.03, -0.05));
        }
        return b.build();
    }
};

// Where the joint frames are, seen from the world: z along the joint's axis.
struct Geometry {
    std::vector<M3> R;
    std::vector<V3> p, center;
    std::vector<double> mass;
    V3 sole[2];

    Geometry(const Model& model, const Vec& q)
        : sole{to_eigen(frame_pose(model, q, "left sole").position),
               to_eigen(frame_pose(model, q, "right sole").position)} {
        Workspace<double> ws(model);
        forward_kinematics(ws, Eigen::Ref<const Vec>(q));
        for (int i = 0; i <= model.num_bodies(); ++i) {
            const Inertia<double>& I = model.body(i).inertia;
            R.emplace_back(to_eigen(ws.kinematics.X[i].E).transpose());
            p.push_back(to_eigen(ws.kinematics.anchor + ws.kinematics.X[i].r));
            mass.push_back(I.mass);
            center.push_back(I.mass > 0 ? V3(to_eigen(I.first_moment) / I.mass) : V3::Zero());
        }
    }
};

// --- Table I -------------------------------------------------------------------------------------

// [J c]
Mat3X append(const Mat3X& J, const V3& column) {
    Mat3X out(3, J.cols() + 1);
    out << J, column;
    return out;
}

// The rate of -s(r) J_ω, where r turns with ω: the two last terms of eqs 6 and 9.
Mat3X rate_of_lever(const V3& omega, const V3& r, const Mat3X& J_w, const Mat3X& Jd_w,
                    bool as_printed) {
    if (as_printed) return -s(omega) * s(r) * J_w - s(r) * Jd_w;
    return -s(omega.cross(r)) * J_w - s(r) * Jd_w;
}

// Columns in line 15's order: left leg, right leg, base. Lines 18–26 build [base, leg].
Mat3X in_order_of_line_15(const Mat3X& J, int l, bool as_printed) {
    Mat3X out = Mat3X::Zero(3, 2 * kLegJoints + 6);
    if (as_printed) {
        out.leftCols(J.cols()) = J;
        return out;
    }
    out.middleCols((l - 1) * kLegJoints, J.cols() - 6) = J.rightCols(J.cols() - 6);
    out.rightCols<6>() = J.leftCols<6>();
    return out;
}

struct Jacobians {
    Mat J_com, Jd_com;
    Mat6X J_foot[2], Jd_foot[2];  // rows: linear first
    Mat3X J_torso, Jd_torso;
};

Jacobians run(const Biped& biped, const Printed& printed) {
    const Geometry at(biped.model, biped.q);
    const V3 z_g(0, 0, 1);
    const int base = 6;  // body number of the base
    const M3 R_base = at.R[base];

    // 1 Initially empty
    Mat3X J_w(3, 0), J_v(3, 0), Jd_w(3, 0), Jd_v(3, 0);
    V3 omega = V3::Zero();
    for (int i = 1; i <= 6; ++i) {  // 2
        const V3 axis = at.R[i] * z_g;
        const V3 r = V3::Zero();  // the virtual joints meet in one point
        const Mat3X J_v_before = J_v, Jd_v_before = Jd_v, Jd_w_before = Jd_w;
        if (i <= 3) {                                                              // 3
            J_w = append(J_w, V3::Zero());                                         // 4
            J_v = append(J_v, axis) - s(r) * J_w;                                  // 5
            Jd_w = append(printed.line_6 ? J_v_before : Jd_w_before, V3::Zero());  // 6
            Jd_v = append(printed.line_7 ? J_v_before : Jd_v_before, omega.cross(axis)) +
                   rate_of_lever(omega, r, J_w, Jd_w, printed.equation_6);  // 7
        } else {                                                            // 8
            omega += axis * biped.v[i - 1];                                 // eq. 1
            J_w = append(J_w, axis);                                        // 9
            J_v = append(J_v, V3::Zero()) - s(r) * J_w;                     // 10
            Jd_w = append(printed.line_11          ? J_v_before
                          : printed.line_11_dotted ? Jd_v_before
                                                   : Jd_w_before,
                          omega.cross(axis));  // 11
            Jd_v = append(Jd_v_before, V3::Zero()) +
                   rate_of_lever(omega, r, J_w, Jd_w, printed.equation_6);  // 12
        }
    }
    const auto with_base = [&](const Mat3X& J_b) {  // 15, 16
        Mat3X out = Mat3X::Zero(3, 2 * kLegJoints + 6);
        out.rightCols<6>() = J_b;
        return out;
    };

    Jacobians out;
    Mat3X J_com_leg[2], Jd_com_leg[2];
    for (int l = 1; l <= 2; ++l) {  // 17
        const int hip = base + 1 + (l - 1) * kLegJoints;
        const auto in_order = [&](const Mat3X& J) {
            return in_order_of_line_15(J, l, printed.columns);
        };
        // 18, 19: from the base's origin to the hip
        const V3 r_hip = printed.line_18 ? V3::Zero() : V3(at.p[hip] - at.p[base]);
        V3 omega_l = omega;
        Mat3X J_wl = J_w, Jd_wl = Jd_w;
        Mat3X J_vl = J_v - s(r_hip) * J_w;
        Mat3X Jd_vl = Jd_v + rate_of_lever(omega, r_hip, J_w, Jd_w, false);
        Mat3X& J_com_l = J_com_leg[l - 1] = Mat3X::Zero(3, 2 * kLegJoints + 6);
        Mat3X& Jd_com_l = Jd_com_leg[l - 1] = J_com_l;
        for (int i = 1; i <= kLegJoints; ++i) {  // 20
            const int body = hip + i - 1;
            M3 R = at.R[body];
            V3 r = (i == kLegJoints ? at.sole[l - 1] : at.p[body + 1]) - at.p[body];
            V3 r_m = R * at.center[body];
            if (printed.local_centers) r_m = at.center[body];
            if (printed.rotation_in_base) R = R_base.transpose() * R;
            const V3 axis = R * z_g;
            omega_l += axis * biped.v[body - 1];  // eq. 1
            J_wl = append(J_wl, axis);            // 21
            const Mat3X J_v_before = append(J_vl, V3::Zero());
            J_vl = J_v_before - s(r) * J_wl;             // 22
            Jd_wl = append(Jd_wl, omega_l.cross(axis));  // 23
            const Mat3X Jd_v_before = append(Jd_vl, V3::Zero());
            Jd_vl = Jd_v_before + rate_of_lever(omega_l, r, J_wl, Jd_wl, printed.equation_6);  // 24
            const Mat3X J_com_i = in_order(J_v_before - s(r_m) * J_wl);                        // 25
            const Mat3X Jd_com_i = in_order(
                Jd_v_before + rate_of_lever(omega_l, r_m, J_wl, Jd_wl, printed.equation_6));  // 26
            J_com_l = at.mass[body] * J_com_i + (printed.line_27 ? J_com_i : J_com_l);        // 27
            Jd_com_l = at.mass[body] * Jd_com_i + (printed.line_27 ? Jd_com_i : Jd_com_l);    // 28
        }
        out.J_foot[l - 1].resize(6, J_com_l.cols());
        out.J_foot[l - 1] << in_order(J_vl), in_order(J_wl);  // 33
        out.Jd_foot[l - 1].resize(6, J_com_l.cols());
        out.Jd_foot[l - 1] << in_order(Jd_vl), in_order(Jd_wl);  // 34
    }
    // 31, 32
    const V3 r_b = printed.line_31 ? V3::Zero() : V3(R_base * at.center[base]);
    const double m_b = printed.equation_7 ? 0 : at.mass[base];
    const double M = biped.model.total_mass();
    out.J_com = (m_b * with_base(J_v - s(r_b) * J_w) + J_com_leg[0] + J_com_leg[1]) / M;
    out.Jd_com = (m_b * with_base(Jd_v + rate_of_lever(omega, r_b, J_w, Jd_w, false)) +
                  Jd_com_leg[0] + Jd_com_leg[1]) /
                 M;
    out.J_torso = with_base(J_w);    // 33
    out.Jd_torso = with_base(Jd_w);  // 34
    return out;
}

// --- What is right ---------------------------------------------------------------------------------

// The library counts base, left leg, right leg; the table left leg, right leg, base.
Mat columns_of_table(const Mat& J) {
    Mat out(J.rows(), J.cols());
    out << J.rightCols(2 * kLegJoints), J.leftCols<6>();
    return out;
}
Mat linear_first(const Mat& J) {
    Mat out(6, J.cols());
    out << J.bottomRows<3>(), J.topRows<3>();
    return out;
}
Jacobians right_ones(const Biped& biped) {
    const Model& model = biped.model;
    const Vec &q = biped.q, &v = biped.v;
    const auto world = ReferenceFrame::kWorldAligned;
    const auto J = [&](const char* frame) {
        return columns_of_table(linear_first(frame_jacobian(model, q, frame, world)));
    };
    const auto Jd = [&](const char* frame) {
        return columns_of_table(linear_first(frame_jacobian_dot(model, q, v, frame, world)));
    };
    return {columns_of_table(com_jacobian(model, q)),
            columns_of_table(com_jacobian_dot(model, q, v)),
            {J("left sole"), J("right sole")},
            {Jd("left sole"), Jd("right sole")},
            J("base").bottomRows<3>(),
            Jd("base").bottomRows<3>()};
}

// Errors of J_com, J̇_com, J_foot, J̇_foot (the larger of both feet) and J̇_torso.
struct Errors {
    double J_com, Jd_com, J_foot, Jd_foot, Jd_torso;
};
Errors errors(const Biped& biped, const Printed& printed) {
    const Jacobians found = run(biped, printed);
    const Jacobians right = right_ones(biped);
    const auto worst = [](const Mat6X(&a)[2], const Mat6X(&b)[2]) {
        return std::max(error(a[0], b[0]), error(a[1], b[1]));
    };
    return {error(found.J_com, right.J_com), error(found.Jd_com, right.Jd_com),
            worst(found.J_foot, right.J_foot), worst(found.Jd_foot, right.Jd_foot),
            error(found.Jd_torso, right.Jd_torso)};
}

// --- The tests -------------------------------------------------------------------------------------

TEST(JacobianErrata, CorrectedTableAgreesWithTheLibrary) {
    const Errors e = errors(Biped(), {});
    for (double x : {e.J_com, e.Jd_com, e.J_foot, e.Jd_foot, e.Jd_torso}) EXPECT_TRUE(is_right(x));
}

TEST(JacobianErrata, CorrectedRatesAreDerivatives) {
    const Biped biped;
    const Jacobians found = run(biped, {});
    const auto rate_of = [&](auto member) {
        return rate_along(biped.model, biped.q, biped.v, [&](const Vec& q) {
            Biped moved = biped;
            moved.q = q;
            return Mat(member(run(moved, {})));
        });
    };
    EXPECT_TRUE(is_right_by_differences(
        error(found.Jd_com, rate_of([](const Jacobians& J) { return J.J_com; }))));
    EXPECT_TRUE(is_right_by_differences(
        error(found.Jd_foot[0], rate_of([](const Jacobians& J) { return J.J_foot[0]; }))));
    EXPECT_TRUE(is_right_by_differences(
        error(found.Jd_torso, rate_of([](const Jacobians& J) { return J.J_torso; }))));
}

TEST(JacobianErrata, PrintedLine6IsALinearBlock) {
    const Errors e = errors(Biped(), {.line_6 = true});
    EXPECT_TRUE(is_wrong_by(e.Jd_torso, 1.56));
    EXPECT_TRUE(is_wrong_by(e.Jd_foot, 1.01));
}

TEST(JacobianErrata, PrintedLine7IsAJacobian) {
    const Errors e = errors(Biped(), {.line_7 = true});
    EXPECT_TRUE(is_wrong_by(e.Jd_com, 2.62));
    EXPECT_TRUE(is_wrong_by(e.Jd_foot, 1.01));
}

TEST(JacobianErrata, PrintedLine11IsALinearBlock) {
    const Errors undotted = errors(Biped(), {.line_11 = true});
    EXPECT_TRUE(is_wrong_by(undotted.Jd_torso, 1.56));
    EXPECT_TRUE(is_wrong_by(undotted.Jd_foot, 1.01));
    const Errors dotted = errors(Biped(), {.line_11_dotted = true});
    EXPECT_TRUE(is_wrong_by(dotted.Jd_torso, 1));
    EXPECT_TRUE(is_wrong_by(dotted.Jd_foot, 0.644));
}

TEST(JacobianErrata, Equation6IsNotTheRateOfTheJacobian) {
    const Errors e = errors(Biped(), {.equation_6 = true});
    EXPECT_TRUE(is_wrong_by(e.Jd_foot, 1.03));
    EXPECT_TRUE(is_wrong_by(e.Jd_com, 0.651));
}

TEST(JacobianErrata, Equation6HasTheRightProductWithTheVelocity) {
    const Biped biped;
    const Jacobians found = run(biped, {.equation_6 = true});
    const Jacobians right = right_ones(biped);
    Vec v(biped.v.size());
    v << biped.v.tail(2 * kLegJoints), biped.v.head<6>();
    EXPECT_TRUE(is_right(error(found.Jd_foot[0] * v, right.Jd_foot[0] * v)));
    EXPECT_TRUE(is_right(error(found.Jd_com * v, right.Jd_com * v)));
}

TEST(JacobianErrata, Equation6IsRightForMotionInAPlane) {
    const Biped biped(0.2, true);
    const Jacobians found = run(biped, {.equation_6 = true});
    const Jacobians right = right_ones(biped);
    // The columns of the joints that turn about y or slide: those that move in the plane.
    for (const char* joint :
         {"slide x", "slide z", "turn y", "left flexion", "left knee", "left ankle"}) {
        const int k = biped.model.body(biped.model.joint_index(joint)).v_index;
        const int column = k < 6 ? 2 * kLegJoints + k : k - 6;
        EXPECT_LT((found.Jd_foot[0].col(column) - right.Jd_foot[0].col(column)).norm(), 1e-12)
            << joint;
    }
}

TEST(JacobianErrata, PrintedLine18ForgetsTheWayToTheHip) {
    const Errors e = errors(Biped(), {.line_18 = true});
    EXPECT_TRUE(is_wrong_by(e.J_foot, 0.128));
    EXPECT_TRUE(is_wrong_by(e.J_com, 0.0604));
    EXPECT_TRUE(is_right(errors(Biped(0), {.line_18 = true}).J_foot));  // hips at the base's origin
}

TEST(JacobianErrata, PrintedLine27KeepsOnlyTheLastLink) {
    const Errors e = errors(Biped(), {.line_27 = true});
    EXPECT_TRUE(is_wrong_by(e.J_com, 0.544));
    EXPECT_TRUE(is_wrong_by(e.Jd_com, 0.304));
}

TEST(JacobianErrata, PrintedLine31PutsTheBasesMassAtItsOrigin) {
    const Errors e = errors(Biped(), {.line_31 = true});
    EXPECT_TRUE(is_wrong_by(e.J_com, 0.0205));
    EXPECT_TRUE(is_wrong_by(e.Jd_com, 0.0452));
}

TEST(JacobianErrata, Equation7LeavesOutTheBase) {
    EXPECT_TRUE(is_wrong_by(errors(Biped(), {.equation_7 = true}).J_com, 0.0774));
}

TEST(JacobianErrata, RotationsAreSeenFromTheWorld) {
    EXPECT_TRUE(is_wrong_by(errors(Biped(), {.rotation_in_base = true}).J_foot, 0.885));
    Biped upright;
    upright.q.segment<3>(3).setZero();
    EXPECT_TRUE(is_right(errors(upright, {.rotation_in_base = true}).J_foot));
}

TEST(JacobianErrata, CentersOfMassAreAlongTheWorldsAxes) {
    EXPECT_TRUE(is_wrong_by(errors(Biped(), {.local_centers = true}).J_com, 0.0431));
}

TEST(JacobianErrata, ColumnsOfLegsAndBaseMustMeetInLine31) {
    // Line 15 makes 2 n_l + 6 columns, with the base last; line 18 starts with the base's six, and line
    // 21 adds n_l. Filled up with zeros they can be added, and each column means two things.
    EXPECT_TRUE(is_wrong_by(errors(Biped(), {.columns = true}).J_com, 0.965));
}

TEST(JacobianErrata, PrintedTableFailsAsAWhole) {
    const Errors e = errors(Biped(), {.line_6 = true,
                                      .line_7 = true,
                                      .line_11 = true,
                                      .equation_6 = true,
                                      .line_18 = true,
                                      .line_27 = true,
                                      .line_31 = true,
                                      .columns = true});
    EXPECT_TRUE(is_wrong_by(e.J_com, 0.965));
    EXPECT_TRUE(is_wrong_by(e.Jd_foot, 1.69));
}

// --- Eqs 2 and 4 with the frames of Fig. 2 -----------------------------------------------------------

// Fig. 2 and Table II put frame F_i,0 at joint i, so that r_i, from frame i - 1 to frame i, is fixed in
// link i - 1 and turns with it. The Jacobian of the left ankle's frame origin, base columns first.
Mat3X ankle_jacobian_with_frames_at_joints(const Biped& biped, bool as_printed) {
    const Geometry at(biped.model, biped.q);
    Mat3X J_w(3, 0), J_v(3, 0);
    for (int i = 1; i <= 6 + kLegJoints; ++i) {
        const V3 axis = at.R[i] * V3(0, 0, 1);
        const V3 r = at.p[i] - at.p[i - 1];
        const bool slide = i <= 3;
        const Mat3X J_w_before = append(J_w, V3::Zero());
        J_w = append(J_w, slide ? V3::Zero() : axis);  // eq. 3
        J_v = append(J_v, slide ? axis : V3::Zero()) -
              s(r) * (as_printed ? J_w : J_w_before);  // eq. 4
    }
    return J_v;
}

TEST(JacobianErrata, Equation4NeedsTheParentsTurningWhenFramesAreAtJoints) {
    const Biped biped;
    const Mat right =
        frame_jacobian(biped.model, biped.q, "left foot", ReferenceFrame::kWorldAligned)
            .bottomRows<3>()
            .leftCols<6 + kLegJoints>();
    EXPECT_TRUE(is_right(error(ankle_jacobian_with_frames_at_joints(biped, false), right)));
    EXPECT_TRUE(
        is_wrong_by(error(ankle_jacobian_with_frames_at_joints(biped, true), right), 0.391));
}

}  // namespace
}  // namespace plucker::test::jacobian_errata
