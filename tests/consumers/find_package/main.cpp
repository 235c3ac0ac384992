#include <iostream>
#include <plucker/plucker.hpp>

int main() {
    const plucker::Model model = plucker::robots::pendulum();
    std::cout << "the pendulum has " << model.nv() << " degree of freedom\n";
    return model.nv() == 1 ? 0 : 1;
}
