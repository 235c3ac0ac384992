#include <iostream>

#include "control.hpp"

int main() {
    const int mistakes = count_mistakes();
    std::cout << mistakes << " mistakes\n";
    return mistakes == 0 ? 0 : 1;
}
