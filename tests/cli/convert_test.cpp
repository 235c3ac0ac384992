// How convert writes: what was there is replaced whole or stays, and nothing is left behind.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <sstream>

#include "io/scratch_folder.hpp"
#include "tool.hpp"

namespace plucker::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOld = "what was there before";

std::string content(const fs::path& path) {
    std::ostringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
}

const std::string& expected_urdf() {
    static const std::string kText = run("convert builtin:arm").output;
    return kText;
}

Outcome convert_to(const fs::path& path) {
    return run("convert builtin:arm '" + path.string() + "' 2>&1");
}

unsigned mode_of(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_mode & 07777U;
}

std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(ConvertWrites, ThroughSymbolicLinks) {
    const ScratchFolder folder("links");
    const fs::path& at = folder.path();
    fs::create_directory(at / "elsewhere");
    folder.write("elsewhere/robot.urdf", kOld);
    fs::create_symlink("elsewhere/robot.urdf", at / "relative");
    fs::create_symlink(at / "elsewhere/robot.urdf", at / "absolute");
    fs::create_symlink("relative", at / "chain");
    for (const char* link : {"relative", "absolute", "chain"}) {
        folder.write("elsewhere/robot.urdf", kOld);
        EXPECT_EQ(convert_to(at / link).code, 0) << link;
        EXPECT_TRUE(fs::is_symlink(at / link)) << link;
        EXPECT_EQ(content(at / "elsewhere/robot.urdf"), expected_urdf()) << link;
    }
    fs::create_symlink("elsewhere/new.urdf", at / "dangling");
    EXPECT_EQ(convert_to(at / "dangling").code, 0);
    EXPECT_TRUE(fs::is_symlink(at / "dangling"));
    EXPECT_EQ(content(at / "elsewhere/new.urdf"), expected_urdf());
    EXPECT_EQ(files_in(at / "elsewhere"), 2U);

    fs::create_symlink("loop", at / "loop");
    const Outcome loop = convert_to(at / "loop");
    EXPECT_EQ(loop.code, 2);
    EXPECT_NE(loop.output.find("loop: cannot be written: Too many levels"), std::string::npos)
        << loop.output;
}

TEST(ConvertWrites, WithTheModeThatIsThere) {
    const ScratchFolder folder("modes");
    for (const unsigned mode : {0600U, 0640U, 0644U, 0755U, 0777U}) {
        const std::string path = folder.write("robot.urdf", kOld);
        ASSERT_EQ(chmod(path.c_str(), mode), 0);
        ASSERT_EQ(convert_to(path).code, 0);
        EXPECT_EQ(mode_of(path), mode);
        EXPECT_EQ(content(path), expected_urdf());
    }
    for (const auto& [mask, mode] : {std::pair{"022", 0644U}, {"027", 0640U}, {"077", 0600U}}) {
        const fs::path path = folder.path() / (std::string("new") + mask);
        ASSERT_EQ(run_shell("umask " + std::string(mask) + "; $plucker convert builtin:arm " +
                            path.string())
                      .code,
                  0);
        EXPECT_EQ(mode_of(path), mode) << mask;
    }
}

TEST(ConvertWrites, ToPipesAndDevices) {
    const ScratchFolder folder("devices");
    const fs::path pipe = folder.path() / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const Outcome piped = run_shell("cat " + pipe.string() + " & $plucker convert builtin:arm " +
                                    pipe.string() + " && wait");
    EXPECT_EQ(piped.code, 0);
    EXPECT_EQ(piped.output, expected_urdf());
    EXPECT_TRUE(fs::is_fifo(pipe));
    EXPECT_EQ(files_in(folder.path()), 1U);

    // By links: should the device be replaced after all, only the link is lost.
    fs::create_symlink("/dev/null", folder.path() / "null");
    EXPECT_EQ(convert_to(folder.path() / "null").code, 0);
    EXPECT_TRUE(fs::is_symlink(folder.path() / "null"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(ConvertWrites, ToStandardOutputByAnyName) {
    const ScratchFolder folder("stdout");
    const std::string file = (folder.path() / "out").string();
    for (const char* name : {"", "-", "/dev/stdout", "/dev/fd/1"}) {
        EXPECT_EQ(run(std::string("convert builtin:arm ") + name).output, expected_urdf()) << name;
        // What was printed before stays, and what is printed afterwards comes after it.
        const Outcome grouped = run_shell("{ echo before; $plucker convert builtin:arm " +
                                          std::string(name) + "; echo after; } > " + file);
        EXPECT_EQ(content(file), "before\n" + expected_urdf() + "after\n") << name;
        EXPECT_EQ(files_in(folder.path()), 1U);
    }
}

TEST(ConvertWrites, UrdfWhateverTheFileIsCalled) {
    const ScratchFolder folder("names");
    for (const std::string name : {"robot.sdf", "robot.mjcf"}) {
        const Outcome outcome = convert_to(folder.path() / name);
        EXPECT_EQ(outcome.code, 0);
        EXPECT_NE(outcome.output.find(name + ": warning: the output is URDF, despite the name"),
                  std::string::npos)
            << outcome.output;
        EXPECT_EQ(content(folder.path() / name), expected_urdf());
    }
    EXPECT_EQ(convert_to(folder.path() / "robot.xml").output, "");
}

// A robot in robots/, in each of the three formats, with a mesh in robots/parts/.
class ConvertNamesMeshes : public testing::Test {
protected:
    ConvertNamesMeshes() {
        folder_.write("robots/parts/50% wedge.obj",
                      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
        const std::string mass =
            "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
            "</inertial>";
        folder_.write("robots/r.urdf",
                      "<robot name='r'><link name='a'>" + mass +
                          "<visual><geometry><mesh filename='parts/50%25 wedge.obj'/></geometry>"
                          "</visual></link></robot>");
        folder_.write("robots/r.sdf",
                      "<sdf version='1.9'><model name='r'><link name='a'><inertial><mass>1</mass>"
                      "<inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial><visual "
                      "name='v'><geometry><mesh><uri>parts/50%25 wedge.obj</uri>"
                      "</mesh></geometry></visual></link></model></sdf>");
        folder_.write("robots/r.xml",
                      "<mujoco model='r'><compiler meshdir='parts'/><asset><mesh name='m' "
                      "file='50%25 wedge.obj'/></asset><worldbody><body name='a'><geom type='mesh' "
                      "mesh='m'/></body></worldbody></mujoco>");
        for (const char* name : {"new", "robots/below"})
            fs::create_directory(folder_.path() / name);
    }

    // From the scratch folder, with both streams.
    Outcome line(const std::string& text) const {
        return run_shell("cd '" + folder_.path().string() + "' && " + text + " 2>&1");
    }
    std::string address_in(const std::string& file) const {
        const std::string text = content(folder_.path() / file);
        const std::string before = "<mesh filename=\"";
        const std::size_t at = text.find(before);
        if (at == std::string::npos) return "no mesh";
        const std::size_t begin = at + before.size();
        return text.substr(begin, text.find('"', begin) - begin);
    }

    const ScratchFolder folder_{"meshes"};
};

TEST_F(ConvertNamesMeshes, RelativeToTheNewFile) {
    for (const std::string robot : {"robots/r.urdf", "robots/r.sdf", "robots/r.xml"}) {
        const std::pair<const char*, const char*> places[] = {
            {"new.urdf", "robots/parts/50%25 wedge.obj"},
            {"robots/again.urdf", "parts/50%25 wedge.obj"},
            {"robots/parts/in.urdf", "50%25 wedge.obj"}};
        for (const auto& [file, address] : places) {
            EXPECT_EQ(line("$plucker convert " + robot + " " + file).output, "") << robot;
            EXPECT_EQ(address_in(file), address) << robot;
            // It finds the mesh when it is read.
            const Outcome check = line(std::string("$plucker check ") + file);
            EXPECT_EQ(check.output.find("is not used"), std::string::npos) << check.output;
        }
        // Standard output is taken for a file in this folder.
        EXPECT_EQ(line("$plucker convert " + robot + " > printed.urdf").output, "") << robot;
        EXPECT_EQ(content(folder_.path() / "printed.urdf"), content(folder_.path() / "new.urdf"));
    }
}

TEST_F(ConvertNamesMeshes, AndSaysWhichAreNotFoundFromThere) {
    for (const std::string robot : {"robots/r.urdf", "robots/r.sdf", "robots/r.xml"}) {
        EXPECT_EQ(line("$plucker convert " + robot + " new/r.urdf").output,
                  robot +
                      ": warning: link 'a': mesh '../robots/parts/50%25 wedge.obj' is not found "
                      "from the new file: it lies outside the robot's folder; name its folder as a "
                      "package path to allow it\n");
        EXPECT_EQ(line("$plucker convert " + robot + " new/r.urdf --package-path robots").output,
                  "");
        EXPECT_EQ(address_in("new/r.urdf"), "../robots/parts/50%25 wedge.obj");
        EXPECT_EQ(line("$plucker check new/r.urdf --package-path robots").code, 0);
    }
}

// The name of a package stays, wherever the package is; a mesh that is missing is not found from the new place either.
TEST_F(ConvertNamesMeshes, OfPackagesByThePackage) {
    const auto robot = [&](const std::string& file, const std::string& address) {
        folder_.write(file, "<robot name='r'><link name='a'><visual><geometry><mesh filename='" +
                                address + "'/></geometry></visual></link></robot>");
    };
    robot("robots/package.urdf", "package://parts/50%25 wedge.obj");
    EXPECT_EQ(line("$plucker convert robots/package.urdf robots/below/r.urdf --package-path robots")
                  .output,
              "");
    EXPECT_EQ(address_in("robots/below/r.urdf"), "package://parts/50%25 wedge.obj");
    folder_.write("share/pack/part.obj", "v 0 0 0\n");
    robot("share/mine/r.urdf", "package://pack/part.obj");
    EXPECT_NE(line("$plucker convert share/mine/r.urdf new/r.urdf")
                  .output.find("mesh 'package://pack/part.obj' is not found from the new file"),
              std::string::npos);
    EXPECT_EQ(address_in("new/r.urdf"), "package://pack/part.obj");
    robot("share/mine/r.urdf", "missing.obj");
    EXPECT_NE(
        line("$plucker convert share/mine/r.urdf new/r.urdf")
            .output.find("mesh 'missing.obj' is not found from the new file: it does not exist"),
        std::string::npos);
}

TEST(ConvertWrites, AllOrNothing) {
    const ScratchFolder folder("failures");
    const fs::path& at = folder.path();
    const std::string kept = folder.write("kept.urdf", kOld);
    fs::create_symlink("/dev/full", at / "full");
    fs::create_directory(at / "folder");
    const auto expect_failure = [&](const Outcome& outcome, const std::string& path,
                                    const std::string& reason) {
        EXPECT_EQ(outcome.code, 2) << path;
        EXPECT_NE(outcome.output.find("plucker: " + path + ": "), std::string::npos)
            << outcome.output;
        EXPECT_NE(outcome.output.find(reason), std::string::npos) << outcome.output;
        EXPECT_EQ(content(kept), kOld);
        EXPECT_EQ(files_in(at), 3U) << "a draft is left behind";
        EXPECT_EQ(files_in(at / "folder"), 0U);
    };
    // A disk that is full, and a file that may not grow: neither signal nor short file.
    expect_failure(convert_to(at / "full"), at / "full", "No space left on device");
    expect_failure(run_shell("ulimit -f 1; $plucker convert builtin:humanoid " + kept + " 2>&1"),
                   kept, "File too large");
    const std::pair<fs::path, const char*> places[] = {
        {at / "folder", "is a folder"},
        {at / "missing/robot.urdf", "No such file or directory"},
        {fs::path(kept) / "robot.urdf", "Not a directory"},
        {"/proc/robot.urdf", "no file can be made in folder /proc"},
        {at / std::string(300, 'x'), "File name too long"}};
    for (const auto& [path, reason] : places) expect_failure(convert_to(path), path, reason);
    if (geteuid() == 0) return;  // whom no mode stops
    chmod(kept.c_str(), 0444);
    expect_failure(convert_to(kept), kept, "Permission denied");
    chmod((at / "folder").c_str(), 0555);
    expect_failure(convert_to(at / "folder/robot.urdf"), at / "folder/robot.urdf",
                   "Permission denied");
}

TEST(ConvertWrites, NothingBesideWhenItIsStopped) {
    const ScratchFolder folder("stopped");
    const std::string path = folder.write("robot.urdf", kOld);
    const std::string whole = run("convert 'builtin:chain(3000)'").output;
    int stopped = 0;
    for (int k = 0; k < 16; ++k) {
        const char* const signal = k % 2 == 0 ? "INT" : "TERM";
        const std::string seconds = std::to_string(0.01 * (k + 1));
        const Outcome outcome =
            run_shell("timeout --foreground -s " + std::string(signal) + " " + seconds +
                      " $plucker convert 'builtin:chain(3000)' " + path);
        stopped += outcome.code == 0 ? 0 : 1;
        const std::string text = content(path);
        EXPECT_TRUE(text == kOld || text == whole) << seconds;
        EXPECT_EQ(files_in(folder.path()), 1U) << seconds;
        folder.write("robot.urdf", kOld);
    }
    EXPECT_GT(stopped, 0) << "no signal came in time: the test is too late";
}

}  // namespace
}  // namespace plucker::test
