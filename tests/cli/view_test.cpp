// plucker view: a page for a robot, for a recording and for several, and what it says when it cannot be.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "io/scratch_folder.hpp"
#include "tool.hpp"

namespace plucker::test {
namespace {

std::string page_at(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

constexpr const char* kRecording =
    "{\"plucker\": \"recording\", \"model\": \"builtin:pendulum\"}\n"
    "{\"time\": 0, \"q\": [0.1]}\n"
    "{\"time\": 1, \"q\": [0.2]}\n";

TEST(View, WritesAPageOfARobot) {
    const ScratchFolder folder("view");
    const std::string page = folder.path() / "page.html";
    const Outcome outcome = run("view builtin:arm --output " + page + " 2>&1");
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_TRUE(outcome.output.starts_with(page + " (")) << outcome.output;
    const std::string text = page_at(page);
    EXPECT_NE(text.find("\"name\":\"arm\""), std::string::npos);
    EXPECT_TRUE(text.starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(text.ends_with("</html>\n"));
}

TEST(View, ShowsASimulationAtOnce) {
    const ScratchFolder folder("view");
    for (const char* name : {"run.html", "run.HTM"}) {
        const std::string page = folder.path() / name;
        const Outcome outcome =
            run("simulate builtin:pendulum --duration 0.1 --output " + page + " 2> /dev/null");
        EXPECT_EQ(outcome.code, 0) << outcome.output;
        EXPECT_TRUE(outcome.output.starts_with(page + " (")) << outcome.output;
        EXPECT_NE(page_at(page).find("\"name\":\"simulation\""), std::string::npos);
    }
}

// Into a pipe too, where what was printed waits when the browser is started.
TEST(View, SaysOnceWhatItOpens) {
    const ScratchFolder folder("view");
    const std::string browser = folder.write("bin/xdg-open", "#!/bin/sh\nexit 0\n");
    std::filesystem::permissions(browser, std::filesystem::perms::owner_all);
    const std::string page = folder.path() / "page.html";
    for (const std::string command : {"view builtin:pendulum", "play builtin:pendulum"}) {
        const Outcome outcome = run_shell("PATH='" + folder.path().string() + "/bin':$PATH; " +
                                          "$plucker " + command + " --open --output " + page);
        EXPECT_EQ(outcome.code, 0) << outcome.output;
        EXPECT_TRUE(outcome.output.starts_with(page + " (")) << outcome.output;
        EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1)
            << outcome.output;
    }
}

TEST(View, CallsThePageAsTheInput) {
    const ScratchFolder folder("view");
    folder.write("swing.jsonl", kRecording);
    const std::string there = "cd " + folder.path().string() + " && $plucker view ";
    EXPECT_EQ(run_shell(there + "swing.jsonl 2>&1").code, 0);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "swing.html"));
    EXPECT_EQ(run_shell(there + "'builtin:chain(3)' 2>&1").code, 0);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "chain_3_.html"));
}

TEST(View, ShowsSeveralRecordings) {
    const ScratchFolder folder("view");
    const std::string first = folder.write("first.jsonl", kRecording);
    const std::string second = folder.write("second.jsonl", kRecording);
    const std::string page = folder.path() / "both.html";
    EXPECT_EQ(run("view " + first + " " + second + " --output " + page + " 2>&1").code, 0);
    const std::string text = page_at(page);
    EXPECT_NE(text.find("\"name\":\"first\""), std::string::npos);
    EXPECT_NE(text.find("\"name\":\"second\""), std::string::npos);
    // A robot may be named, too, before its recordings.
    EXPECT_EQ(run("view builtin:pendulum " + first + " --output " + page + " 2>&1").code, 0);
    EXPECT_NE(page_at(page).find("\"name\":\"first\""), std::string::npos);
}

TEST(View, FindsARobotBesideItsRecording) {
    const ScratchFolder folder("view");
    folder.write("robot.urdf", run("convert builtin:pendulum 2> /dev/null").output);
    const std::string recording = folder.write(
        "run.jsonl",
        "{\"plucker\": \"recording\", \"model\": \"robot.urdf\"}\n{\"time\": 0, \"q\": [0]}\n");
    const Outcome outcome = run_shell("cd / && $plucker view " + recording + " --output " +
                                      (folder.path() / "page.html").string() + " 2>&1");
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    // Where there is one of the name that was recorded, that is it.
    std::filesystem::create_directory(folder.path() / "here");
    folder.write("here/robot.urdf", run("convert builtin:arm 2> /dev/null").output);
    const Outcome other = run_shell("cd " + (folder.path() / "here").string() +
                                    " && $plucker view " + recording + " --output other.html 2>&1");
    EXPECT_EQ(other.code, 2) << "an arm has seven coordinates: " << other.output;
}

TEST(View, SaysWhatIsWrong) {
    const ScratchFolder folder("view");
    const std::string to = " --output " + (folder.path() / "page.html").string() + " 2>&1";
    const auto said = [&](const std::string& input) {
        const Outcome outcome = run("view " + input + to);
        EXPECT_EQ(outcome.code, 2) << outcome.output;
        return outcome.output;
    };
    const std::string other = folder.write("other.jsonl",
                                           "{\"plucker\": \"recording\", \"model\": "
                                           "\"builtin:pendulum\"}\n{\"time\": 0, \"q\": [0, 1]}\n");
    EXPECT_NE(said(other).find("other.jsonl:2: q must be an array of 1 number, not 2"),
              std::string::npos);
    const std::string gone =
        folder.write("gone.jsonl", "{\"plucker\": \"recording\", \"model\": \"gone.urdf\"}\n");
    EXPECT_NE(said(gone).find("gone.urdf: no such file"), std::string::npos);
    EXPECT_NE(said("builtin:pendulum /nowhere.jsonl").find("/nowhere.jsonl: cannot be opened"),
              std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "page.html"));
    EXPECT_EQ(run("view builtin:pendulum --output /nowhere/page.html 2>&1").code, 2);
}

TEST(View, KeepsWhatWasWholeOfARecordingThatWasStopped) {
    const ScratchFolder folder("view");
    const std::string recording =
        folder.write("cut.jsonl", std::string(kRecording) + "{\"time\": 2");
    const Outcome outcome =
        run("view " + recording + " --output " + (folder.path() / "page.html").string() + " 2>&1");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.output.find("the last line is incomplete and is left out"),
              std::string::npos);
}

}  // namespace
}  // namespace plucker::test
