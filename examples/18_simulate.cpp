// A robot that stands, is pushed, and stands again. Nothing is tuned, and every step says how exact it is.
#include <cmath>
#include <cstdio>
#include <plucker/plucker.hpp>
#include <plucker/simulate/simulator.hpp>

using namespace plucker;

int main() {
    const Model dog = robots::quadruped();
    VectorX<double> q = neutral_configuration(dog);
    for (const char* leg : {"front_left_", "front_right_", "hind_left_", "hind_right_"}) {
        q[dog.q_index(leg + std::string("hip_flexion"))] = 0.8;
        q[dog.q_index(leg + std::string("knee"))] = -1.6;
    }
    q[2] = 0.32;  // a little above the ground

    World world = World::flat();
    world.surface.friction = 0.8;
    Simulator simulator(dog, world, {.step = 0.005});
    simulator.set_state(q, VectorX<double>::Zero(dog.nv()));
    simulator.hold(q, 60, 2);  // springs and dampers at the joints, implicit: any gains are stable

    double worst = 0;
    std::printf("  time   height   forward  feet down  on them\n");
    for (int k = 0; k <= 800; ++k) {
        if (k % 100 == 0) {
            int down = 0;
            double load = 0;
            for (const Contact& contact : simulator.contacts()) {
                down += contact.mode != ContactMode::kOpen ? 1 : 0;
                load += contact.force.z;
            }
            std::printf("%4.1f s  %5.3f m  %6.3f m  %9d  %5.0f N\n", simulator.time(),
                        simulator.q()[2], simulator.q()[0], down, load);
        }
        // From 1.5 s on, a tenth of a second of 100 N.
        simulator.forces().clear();
        if (k >= 300 && k < 320) {
            simulator.forces().add("trunk", {{}, {100, 0, 0}}, ReferenceFrame::kWorldAligned);
        }
        worst = std::max(worst, simulator.step().solver.certificate.worst());
    }
    std::printf("weight %.0f N; laws of contact met to 1e-9 m/s in every step: %s\n",
                9.81 * dog.total_mass(), worst < 1e-9 ? "yes" : "no");
}
