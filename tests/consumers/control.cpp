// A handful of everything, with the consumer's compiler, standard and flags, which need not be the library's.
#include "control.hpp"

#include <Eigen/Dense>
#include <iostream>
#include <plucker/constraints/constrained_dynamics.hpp>
#include <plucker/identify/base_parameters.hpp>
#include <plucker/laws/laws.hpp>
#include <plucker/model/conventions.hpp>
#include <plucker/model/dynamic_parameters.hpp>
#include <plucker/plucker.hpp>
#include <plucker/simulate/free_motion.hpp>
#include <plucker/simulate/simulator.hpp>
#include <string>
#ifdef CONSUMER_USES_IO
#include <plucker/io/evaluate.hpp>
#include <plucker/io/load.hpp>
#endif

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

int mistakes = 0;

void expect(bool holds, const std::string& what) {
    if (holds) return;
    std::cerr << "wrong: " << what << "\n";
    ++mistakes;
}

// Two ways to the same numbers: 1e-9 is far above rounding, and far below any mistake.
void expect_equal(const Matrix& left, const Matrix& right, const std::string& what,
                  double tolerance = 1e-9) {
    expect(left.rows() == right.rows() && left.cols() == right.cols() && left.allFinite() &&
               (left - right).norm() <= tolerance * (1 + right.norm()),
           what);
}

void check_version() {
    using namespace plucker;
    const std::string numbers = std::to_string(kVersionMajor) + "." +
                                std::to_string(kVersionMinor) + "." + std::to_string(kVersionPatch);
    expect(numbers == kVersion, "the version and its three numbers");
#ifdef FOUND_VERSION
    expect(numbers == FOUND_VERSION, "the version of the headers and of the package");
#endif
}

// The numbers that the README prints.
void check_double_pendulum() {
    const plucker::Model robot = plucker::robots::double_pendulum();
    const Vector q = Eigen::Vector2d{0.5, -1.0}, v = Eigen::Vector2d{0.3, 0.8};
    const Vector tau = plucker::inverse_dynamics(robot, q, v, Eigen::Vector2d{1.0, 2.0});
    const double printed_to = 5.1e-4;
    expect((tau - Eigen::Vector2d{12.807, -1.239}).cwiseAbs().maxCoeff() < printed_to, "torques");
    Eigen::Matrix2d M;
    M << 4.081, 1.540, 1.540, 1.000;
    expect((plucker::mass_matrix(robot, q) - M).cwiseAbs().maxCoeff() < printed_to, "mass matrix");
}

void check_single_calls(const plucker::Model& robot, const Vector& q, const Vector& v,
                        const Vector& a) {
    const std::string name = robot.name() + ": ";
    const Vector tau = plucker::inverse_dynamics(robot, q, v, a);
    expect_equal(plucker::forward_dynamics(robot, q, v, tau), a, name + "forward dynamics");

    const Matrix M = plucker::mass_matrix(robot, q);
    expect_equal(plucker::inverse_mass_matrix(robot, q) * M, Matrix::Identity(M.rows(), M.rows()),
                 name + "inverse of the mass matrix");
    expect_equal(M * a + plucker::inverse_dynamics(robot, q, v, Vector::Zero(a.size())), tau,
                 name + "equation of motion");
    const Matrix energy{{0.5 * v.dot(M * v)}};
    expect_equal(Matrix{{plucker::kinetic_energy(robot, q, v)}}, energy, name + "kinetic energy");
}

void check_batch(const plucker::Model& robot, const Vector& q, const Vector& v, const Vector& a) {
    const int states = 11;  // not a multiple of any number of lanes
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Rows Q = q.transpose().replicate(states, 1);
    const Rows V = v.transpose().replicate(states, 1);
    const Rows A = a.transpose().replicate(states, 1);
    Rows tau(states, robot.nv());
    plucker::batch::Evaluator<double> evaluator(robot, {.threads = 2});
    plucker::inverse_dynamics(evaluator, Q, V, A, tau);
    const Vector single = plucker::inverse_dynamics(robot, q, v, a);
    expect_equal(tau, single.transpose().replicate(states, 1), robot.name() + ": batch");
}

// The laws are compiled in the library, and their matrices are Eigen's.
void check_laws(const plucker::Model& robot) {
    for (const plucker::laws::Residual& residual : plucker::laws::verify(robot, 2, 1)) {
        expect(residual.holds(), robot.name() + ": " + residual.law);
    }
}

// Vectors and matrices that the library allocates and this program frees.
void check_results(const plucker::Model& robot, const Vector& q, const Vector& v) {
    const std::string name = robot.name() + ": ";
    const Vector parameters = plucker::dynamic_parameters(robot);
    const plucker::Model same = plucker::with_dynamic_parameters(robot, parameters);
    expect_equal(plucker::mass_matrix(same, q), plucker::mass_matrix(robot, q),
                 name + "parameters");

    const plucker::Coordinates theirs(robot, plucker::Convention::kPinocchio);
    expect_equal(theirs.import_q(theirs.export_q(q)), q, name + "coordinates of Pinocchio");
    expect_equal(theirs.velocity_map(q) * v, theirs.export_v(q, v),
                 name + "velocities of Pinocchio");

    expect_equal(plucker::constraint_jacobian(robot, q) * v,
                 Vector::Zero(plucker::constraint_errors(robot, q).size()),
                 name + "no constraints");

    plucker::FreeMotion motion(robot, {.integrator = plucker::Integrator::kAdaptive});
    motion.set_state(q, v);
    motion.step();
    const plucker::FreeMotion::Instant end = motion.state_at(motion.time());
    expect_equal(Vector(plucker::difference(robot, q, end.q)) / motion.time(), v,
                 name + "a short step", 0.1);
    expect_equal(Vector(end.q), Vector(motion.q()), name + "the state as it is shown");
    expect_equal(2 * motion.v() - motion.v(), Vector(motion.v()), name + "sums of views");
    // A controller is given the library's vectors: it works, or is refused.
    try {
        motion.control([](double, const Vector&, const Vector& now, Vector& tau) { tau = -now; });
        motion.step();
    } catch (const plucker::Error& error) {
        expect(std::string(error.what()).find("compile both") != std::string::npos, error.what());
    }
    plucker::Simulator simulator(robot, plucker::World{},
                                 {.joint_limits = false, .ignore_overlaps = true});
    simulator.set_state(q, v);
    expect_equal(Vector(simulator.v()), v, name + "where a simulator begins");
    simulator.step();
    expect_equal(2 * simulator.v() - simulator.v(), Vector(simulator.v()),
                 name + "sums of a simulator's views");
}

void check_errors(const plucker::Model& robot) {
    try {
        plucker::mass_matrix(robot, Vector::Zero(robot.nq() + 1));
        expect(false, "an error that is thrown");
    } catch (const plucker::Error&) {
    }
}

#ifdef CONSUMER_USES_IO
// Through each of the libraries that read files; and an answer, whose matrices are Eigen's too.
void check_files(const std::string& folder) {
    for (const char* file : {"/sdf/arm.sdf", "/mjcf/arm.xml", "/reference/arm7.urdf"}) {
        check_laws(plucker::load(folder + file));
    }
    const plucker::Model arm = plucker::load(folder + "/reference/arm7.urdf");
    std::string state = R"({"q": {"joints": {)";
    for (const std::string& joint : arm.velocity_names()) state += '"' + joint + R"(": 0.1,)";
    state.back() = '}';
    state += "}}";
    const std::string answer = plucker::evaluate(arm, state, "state");
    expect(answer.find("mass_matrix") != std::string::npos, "an answer in JSON");
}
#endif

}  // namespace

int count_mistakes() {
    check_version();
    check_double_pendulum();
    for (const plucker::Model& robot :
         {plucker::robots::arm(), plucker::robots::humanoid(), plucker::robots::tree(20, 1)}) {
        const Vector v = Vector::LinSpaced(robot.nv(), -0.7, 0.9);
        const Vector a = Vector::LinSpaced(robot.nv(), 0.8, -0.5);
        const Vector q = plucker::integrate(robot, plucker::neutral_configuration(robot), 0.5 * v);
        check_single_calls(robot, q, v, a);
        check_batch(robot, q, v, a);
        check_laws(robot);
        check_results(robot, q, v);
        check_errors(robot);
    }
    const plucker::BaseParameters base =
        plucker::base_parameters(plucker::robots::double_pendulum());
    expect(base.combination.rows() > 0, "base parameters");
#ifdef CONSUMER_USES_IO
    check_files(CONSUMER_DATA);
#endif
    return mistakes;
}
