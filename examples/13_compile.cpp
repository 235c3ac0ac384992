// A robot as a program: code made for one robot, in milliseconds, and the same calls as before.
#include <cstdio>

#include <plucker/plucker.hpp>

using namespace plucker;

int main() {
    // A humanoid's numbers do not change from call to call: what they make needless is left out once.
    const Model plain = robots::humanoid();
    std::vector<CompiledFunction> report;
    const Model robot = compile(
        plain, {.functions = {"inverse_dynamics", "forward_dynamics", "mass_matrix"}}, report);
    for (const CompiledFunction& f : report) {
        std::printf("%-17s %5ld operations asked for, %4d left\n", f.name.c_str(), f.asked,
                    f.operations);
    }

    // Nothing changes for the caller. The two models are copies: frames and forces of the one fit the other.
    std::mt19937 generator(1);
    const VectorX<double> q = random_configuration(robot, generator);
    const VectorX<double> v = VectorX<double>::LinSpaced(robot.nv(), -1, 1);
    const VectorX<double> tau = VectorX<double>::LinSpaced(robot.nv(), 2, -2);
    Workspace<double> ws(robot);
    VectorX<double> a(robot.nv()), back(robot.nv());
    forward_dynamics(ws, q, v, tau, a);
    inverse_dynamics(ws, q, v, a, back);
    std::printf("torques come back: %s\n", (back - tau).norm() < 1e-9 * tau.norm() ? "yes" : "no");
    const double apart = (a - forward_dynamics(plain, q, v, tau)).norm() / a.norm();
    std::printf("as without compiling, but for rounding: %s\n", apart < 1e-11 ? "yes" : "no");
}
