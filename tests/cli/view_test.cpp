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

// From wherever it is looked at, after it was made in another folder than that of the robot.
TEST(View, FindsTheRobotThatWasNamedInAnotherFolder) {
    const ScratchFolder folder("view");
    const std::string root = folder.path().string();
    folder.write("m/robot.urdf", run("convert builtin:pendulum 2> /dev/null").output);
    folder.write("elsewhere/m/robot.urdf", run("convert builtin:arm 2> /dev/null").output);
    for (const std::string made : {"out/run.jsonl", "run.jsonl", "m/run.csv", "out/deep/run.csv"}) {
        std::filesystem::create_directories((folder.path() / made).parent_path());
        const Outcome outcome = run_shell("cd " + root +
                                          " && $plucker simulate m/robot.urdf --duration 0.01 "
                                          "--output " +
                                          made + " 2>&1");
        ASSERT_EQ(outcome.code, 0) << outcome.output;
        for (const std::string there : {".", "out", "m", "elsewhere", "/"}) {
            const Outcome seen =
                run_shell("cd " + root + " && cd " + there + " && $plucker view " + root + "/" +
                          made + " --output " + root + "/page.html 2>&1");
            EXPECT_EQ(seen.code, 0) << made << " from " << there << ": " << seen.output;
        }
    }
    // Moved, with what belongs to it.
    std::filesystem::create_directory(folder.path() / "new");
    for (const char* part : {"m", "out"})
        std::filesystem::rename(folder.path() / part, folder.path() / "new" / part);
    const std::string at_root = "cd / && $plucker view " + root + "/new/out/";
    EXPECT_EQ(run_shell(at_root + "run.jsonl --output " + root + "/page.html 2>&1").code, 0);
    std::filesystem::remove_all(folder.path() / "new/m");
    EXPECT_EQ(
        run_shell(at_root + "run.jsonl 2>&1").output,
        "plucker: " + root +
            "/new/out/run.jsonl: is of the robot 'm/robot.urdf', and there is "
            "no such file here or beside the recording; name the robot first: plucker view MODEL " +
            root + "/new/out/run.jsonl\n");
}

TEST(View, ReadsFromPipes) {
    const ScratchFolder folder("view");
    const std::string page = folder.path() / "page.html", to = " --output " + page + " 2>&1";
    const std::string robot =
        folder.write("robot.urdf", run("convert builtin:pendulum 2> /dev/null").output);
    const std::string simulate = "$plucker simulate " + robot + " --duration 0.01 --output ";
    const std::string table = folder.path() / "run.csv";
    ASSERT_EQ(run_shell(simulate + table + " 2>&1").code, 0);
    for (const std::string& line :
         {simulate + "- | $plucker view -", simulate + "- | $plucker view /dev/stdin",
          "cat " + table + " | $plucker view -", "cat " + robot + " | $plucker view -",
          "cat " + robot + " | $plucker view /dev/stdin",
          simulate + "- | $plucker view " + robot + " -"}) {
        std::filesystem::remove(page);
        const Outcome outcome = run_shell(line + to);
        EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.output;
        EXPECT_EQ(page_at(page).find("\"name\":\"recording\"") != std::string::npos,
                  line.ends_with(" -") && !line.starts_with("cat " + robot))
            << line;
    }
    EXPECT_NE(run_shell("echo '{\"plucker\":\"recording\",\"model\":\"gone.urdf\"}' | "
                        "$plucker view -" +
                        to)
                  .output.find("standard input: is of the robot 'gone.urdf'"),
              std::string::npos);
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
    EXPECT_NE(said(gone).find("gone.jsonl: is of the robot 'gone.urdf', and there is no such file"),
              std::string::npos);
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
