// What the simulators of Python share: worlds, pushes, recordings, and who may use a simulator when.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "convert.hpp"
#include "interrupts.hpp"
#include "plucker/simulate/simulator.hpp"
#include "robot.hpp"

namespace plucker::python {

// --- Arguments -----------------------------------------------------------------------------------

// A copy, or nothing but a way to read meshes for None.
World world_from(const char* function, const py::object& object);
// (n,), or one number for all.
VectorX<double> gains_from(const char* function, const char* argument, const py::object& object,
                           long n);
// (n,), or zeros for None.
VectorX<double> vector_or_zero(const char* function, const char* argument, const py::object& object,
                               long n, const char* meaning);
// Checked as all lengths of steps and durations are.
double positive(const char* function, const char* argument, double value, const char* such_as);

// A force on a link, in the world's axes, at the origin of its frame.
struct Push {
    std::string link;
    FrameId frame;
    Force<double> force;
};
// `force`: (3,), or (6,) with the moment first.
Push push_from(const char* function, const Robot& robot, const py::object& link,
               const py::object& force);
FrameId pushed_frame(const char* function, const Robot& robot, const py::object& link);

// --- Recordings ----------------------------------------------------------------------------------

struct PythonRecording {
    std::shared_ptr<Robot> robot;
    Recording content;
};
// The contacts of a step, by the names of links. Shapes beyond `shapes` are the world's.
std::vector<RecordedContact> recorded_contacts(std::span<const Contact> contacts,
                                               std::span<const CollisionShape> shapes);

// --- Turns ---------------------------------------------------------------------------------------

// A simulator serves one caller at a time, also while the interpreter's lock is released. The lock is held wherever a turn
// begins or ends, so that a plain flag will do.
class Turn {
public:
    Turn(const char* function, bool& taken) : taken_(taken) {
        if (taken) {
            throw Error::because(
                function,
                ": the simulator is at work, in another thread or further up; wait "
                "until it is done, or make another one");
        }
        taken = true;
    }
    ~Turn() { taken_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    bool& taken_;
};

}  // namespace plucker::python
