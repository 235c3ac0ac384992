// Logs in CSV: what is written is read again, and what is missing is named.
#include "plucker/io/read_log.hpp"

#include <gtest/gtest.h>

#include "plucker/identify/excite.hpp"
#include "plucker/plucker.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

TEST(ReadLog, GivesWhatWasWritten) {
    for (const char* name : {"arm", "quadruped", "joint_mimic"}) {
        SCOPED_TRACE(name);
        const std::string text = name;
        const Model model =
            text.starts_with("joint_") ? joint_model(text.substr(6)) : robots::by_name(name);
        const MotionLog log = excite(model, {.duration = 12, .rate = 10, .trials = 5}).log;
        const MotionLog again = read_log(model, write_log(model, log), "log.csv");
        EXPECT_EQ(again.time, log.time);
        EXPECT_EQ(again.q, log.q);
        EXPECT_EQ(again.v, log.v);
        EXPECT_EQ(again.a, log.a);
        EXPECT_EQ(again.tau, log.tau);
        // Positions and torques alone.
        const MotionLog less{log.time, log.q, {}, {}, log.tau};
        const MotionLog few = read_log(model, write_log(model, less), "log.csv");
        EXPECT_EQ(few.q, log.q);
        EXPECT_EQ(few.v.size(), 0);
        EXPECT_EQ(few.a.size(), 0);
        // Velocities are kept without accelerations, and accelerations not without velocities.
        const MotionLog with_v{log.time, log.q, log.v, {}, log.tau};
        const MotionLog some = read_log(model, write_log(model, with_v), "log.csv");
        EXPECT_EQ(some.v, log.v);
        EXPECT_EQ(some.a.size(), 0);
        const MotionLog with_a{log.time, log.q, {}, log.a, log.tau};
        const MotionLog others = read_log(model, write_log(model, with_a), "log.csv");
        EXPECT_EQ(others.v.size(), 0);
        EXPECT_EQ(others.a.size(), 0);
    }
}

TEST(ReadLog, NamesWhatIsMissing) {
    const Model model = robots::by_name("double_pendulum");
    const auto complaint = [&](const std::string& csv) {
        return message([&] { read_log(model, csv, "log.csv"); });
    };
    EXPECT_EQ(complaint("time,q.shoulder,q.elbow\n0,1,2\n"),
              "log.csv: has no column tau.NAME; every joint needs one for its torque");
    EXPECT_EQ(complaint("q.shoulder,q.elbow,tau.shoulder,tau.elbow\n0,1,2,3\n"),
              "log.csv: has no column time; samples need their time, in seconds");
    EXPECT_EQ(complaint("time,tau.shoulder,tau.elbow\n0,1,2\n"),
              "log.csv: has no column q.NAME; every joint needs one for its position");
    EXPECT_EQ(complaint("time,q.shoulder,q.elbow,tau.shoulder,tau.elbow\n"),
              "log.csv: there is no state in it");
    const std::string partly = complaint("time,q.shoulder,q.elbow,tau.shoulder\n0,1,2,3\n");
    EXPECT_NE(partly.find("elbow"), std::string::npos) << partly;
}

}  // namespace
}  // namespace plucker::test
