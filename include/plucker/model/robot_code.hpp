// Code that was made for one robot, as the layers below its compiler know it: functions to call in place of kernels.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace plucker {

// What a workspace can change of its robot.
enum class RobotChange : std::uint8_t { kGravity, kFriction, kMass, kPayload };

struct RobotCode {
    // Numbers of each argument, one argument after the other: inputs, the parameters, if there are any, and, after the
    // outputs, one that tells whether the mass matrix was singular, where the row needs it regular. Null: this row is left to
    // its kernel.
    using Entry = void (*)(const void* const* inputs, void* const* outputs);

    struct Single {
        Entry entry = nullptr;
        // The sizes of its arguments, where it reads vectors and writes vectors and matrices, and does nothing else. A call
        // with these needs no closer look.
        bool is_plain = false;
        int num_inputs = 0, num_outputs = 0;
        std::array<long, 4> inputs{};
        std::array<std::array<long, 2>, 4> outputs{};  // rows and columns
    };
    // A constant of the robot that the code does not hold but reads.
    struct Parameter {
        RobotChange change = RobotChange::kGravity;
        int frame = 0;  // of a mass or a payload

        std::size_t size() const { return change == RobotChange::kGravity ? 3 : 10; }
        friend bool operator==(const Parameter&, const Parameter&) = default;
    };

    // Of functions that take a frame, for one frame and, where they take one, one reference.
    struct OfFrame {
        int row = 0, frame = 0, reference = 0;
        Single single;
    };
    const Single* of_frame(int row, int frame, int reference) const {
        for (const OfFrame& x : of_frames) {
            if (x.row == row && x.frame == frame && x.reference == reference) return &x.single;
        }
        return nullptr;
    }

    std::vector<Single> single;  // by row of the table
    std::vector<OfFrame> of_frames;
    std::vector<Parameter> parameters;               // in this order, all in one argument
    std::vector<std::shared_ptr<const void>> owned;  // what keeps the code in memory
};

}  // namespace plucker
