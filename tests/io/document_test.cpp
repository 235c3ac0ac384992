// What makes a text no robot, whatever its format: not XML, not text, too deep, too large.
#include <gtest/gtest.h>

#include <chrono>

#include "comma_locale.hpp"
#include "findings.hpp"
#include "plucker/io/load.hpp"

namespace plucker::test {
namespace {

struct FormatCase {
    Format format;
    const char* root;
    std::string good;  // one link or body of 1.5 kg, called a
};
void PrintTo(const FormatCase& c, std::ostream* out) { *out << name_of(c.format); }

const FormatCase kUrdf{
    Format::kUrdf, "robot",
    "<robot name='r'>\n<link name='a'><inertial><mass value='1.5'/><inertia ixx='1' ixy='0' "
    "ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>\n</robot>\n"};
const FormatCase kSdf{
    Format::kSdf, "sdf",
    "<sdf version='1.9'><model name='r'>\n<link name='a'><inertial><mass>1.5</mass><inertia>"
    "<ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>\n</model></sdf>\n"};
const FormatCase kMjcf{
    Format::kMjcf, "mujoco",
    "<mujoco model='r'><worldbody>\n<body name='a'><joint/><inertial pos='0 0 0' mass='1.5' "
    "diaginertia='1 1 1'/></body>\n</worldbody></mujoco>\n"};

class Document : public testing::TestWithParam<FormatCase> {
protected:
    void SetUp() override {
        if (!can_read(GetParam().format)) GTEST_SKIP() << "this build does not read it";
    }
    static std::string good() { return GetParam().good; }
    static std::string replaced(const std::string& what, const std::string& with) {
        std::string text = good();
        text.replace(text.find(what), what.size(), with);
        return text;
    }
    static void refuses(const std::string& text, int line, const std::vector<std::string>& words) {
        expect_refusal({"", text, line, words}, "robot.xml");
    }
    static double mass_of_a(const ReadResult& result) {
        for (const LinkDescription& link : result.description.links) {
            if (link.name == "a") return link.mass.mass;
        }
        return 0;
    }
};

TEST_P(Document, IsReadIfItIsGood) {
    const ReadResult result = read_robot_text(good(), "robot.xml");
    EXPECT_FALSE(has_errors(result.diagnostics)) << messages(result);
    EXPECT_EQ(result.format, GetParam().format);
    EXPECT_EQ(mass_of_a(result), 1.5);
}

TEST_P(Document, WithNothingInIt) {
    refuses("", 1, {"error: the file is empty"});
    refuses(" \n\t\n", 1, {"error: the file is empty"});
    refuses("<!-- only a comment -->", 1, {"has no root element"});
    refuses("<?xml version='1.0'?>\n", 1, {"has no root element"});
}

TEST_P(Document, CutOffAnywhere) {
    const std::string text = good();
    for (std::size_t length = 0; length + 2 < text.size(); ++length) {
        const ReadResult result = read_robot_text(text.substr(0, length), "robot.xml");
        ASSERT_TRUE(has_errors(result.diagnostics)) << length;
        ASSERT_TRUE(messages(result).starts_with("robot.xml:")) << messages(result);
    }
    refuses(text.substr(0, text.size() / 2), 2, {"not well-formed XML"});
}

TEST_P(Document, Malformed) {
    refuses("this is a robot", 1, {"not well-formed XML: begins with 'this is a robot'"});
    refuses("\nversion https://git-lfs.github.com/spec/v1\noid 1", 1,
            {"begins with 'version https://git-lfs.github.com/spec/'", "SDF and MJCF begin"});
    refuses(std::string(39, 'x') + "\u00fc", 1, {std::string(39, 'x') + "'"});  // no half a letter
    refuses(replaced("name='a'", "name=a"), 2, {"not well-formed XML"});
    refuses(replaced("name='a'", "name='a"), 2, {"not well-formed XML"});
    refuses(replaced("name='a'>", "name='a'><oops>"), 2, {"not well-formed XML"});
    refuses(good() + good(), 4, {"a second root element", "put each robot in a file of its own"});
    refuses("more\n" + good(), 1, {"text outside the root element", "remove it"});
    refuses(good() + "more", 4, {"text outside the root element", "remove it"});
    refuses(good() + "more<!-- a comment", 4, {"not well-formed XML: a comment"});
}

TEST_P(Document, WithAnotherRoot) {
    refuses("<html><body/></html>", 1, {"unknown root element 'html'", "'robot'"});
    const std::string root = GetParam().root;
    refuses("<" + root + "x/>", 1, {"unknown root element '" + root + "x'; closest: '" + root});
}

TEST_P(Document, InAnotherEncoding) {
    refuses("\xFF\xFE<\0r\0", 1, {"UTF-16", "save it as UTF-8"});
    refuses("\xFE\xFF\0<\0r", 1, {"UTF-16", "save it as UTF-8"});
    refuses(replaced("'a'", "'b\xE4r'"), 2, {"not UTF-8", "save it as UTF-8"});
    refuses(replaced("'a'", std::string("'a\0'", 4)), 2, {"not UTF-8"});
    refuses(replaced("'a'", "'\xC0\xAF'"), 2, {"not UTF-8"});  // a slash, in too many bytes
    refuses("<?xml version='1.0' encoding='ISO-8859-1'?>" + replaced("'a'", "'b\xC3\xA4r'"), 1,
            {"declares an encoding other than UTF-8", "save it as UTF-8"});
    const ReadResult marked = read_robot_text("\xEF\xBB\xBF" + good(), "robot.xml");
    EXPECT_FALSE(has_errors(marked.diagnostics)) << messages(marked);
    // Whatever it is called.
    for (const char* name : {"UTF-8", "utf-8", "utf8", "UTF8"}) {
        const ReadResult named =
            read_robot_text("<?xml version='1.0' encoding='" + std::string(name) + "'?>" +
                                replaced("'r'", "'b\xC3\xA4r'"),
                            "robot.xml");
        EXPECT_FALSE(has_errors(named.diagnostics)) << name << messages(named);
    }
}

// Numbers as programs write them.
TEST_P(Document, WithNumbersInEveryForm) {
    for (const char* form : {"+1.5", "1.5e0", "15E-1", "1.50", " 1.5 ", "+0.15e+1"}) {
        const ReadResult result = read_robot_text(replaced("1.5", form), "robot.xml");
        EXPECT_FALSE(has_errors(result.diagnostics)) << form << messages(result);
        EXPECT_EQ(mass_of_a(result), 1.5) << form;
    }
}

TEST_P(Document, WithEntities) {
    refuses("<!DOCTYPE r [<!ENTITY a 'b'>]>" + good(), 1, {"document type", "remove it"});
    refuses("<!DOCTYPE r SYSTEM 'file:///etc/passwd'>\n" + good(), 1,
            {"document type", "remove it"});
    std::string bomb = "<!DOCTYPE r [<!ENTITY a0 'ha'>";
    for (int k = 1; k < 30; ++k) {
        const std::string below = "&a" + std::to_string(k - 1) + ";";
        bomb += "<!ENTITY a" + std::to_string(k) + " '" + below + below + "'>";
    }
    refuses(bomb + "]>\n" + replaced("'a'", "'&a29;'"), 1, {"document type", "remove it"});
}

TEST_P(Document, NestedAHundredThousandDeep) {
    std::string deep;
    for (int k = 0; k < 100000; ++k) deep += "<a>";
    for (int k = 0; k < 100000; ++k) deep += "</a>";
    refuses(replaced("name='a'>", "name='a'>" + deep), 2, {"nested too deeply"});
}

TEST_P(Document, WithAHugeAttribute) {
    const auto start = std::chrono::steady_clock::now();
    const std::string huge(80U << 20U, 'x');
    refuses(replaced("'a'", "'" + huge + "'"), 0, {"80 MiB", "more than 64 MiB is refused"});
    const std::string large(10U << 20U, 'x');
    refuses(replaced("'a'", "'" + large + "'"), 2, {"10485760 characters", "shorten it"});
    refuses(replaced("1.5", std::string(10U << 20U, '1')), 2, {"characters"});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_P(Document, ReadInACommaLocale) {
    const CommaLocale comma;
    ASSERT_TRUE(CommaLocale::is_in_force());
    const ReadResult result = read_robot_text(good(), "robot.xml");
    EXPECT_FALSE(has_errors(result.diagnostics)) << messages(result);
    EXPECT_EQ(mass_of_a(result), 1.5);
    // Neither does a comma become right, and the program's locale is as it was.
    refuses(replaced("1.5", "1,5"), 2, {"'1,5'", "decimals are written with a point"});
    EXPECT_TRUE(CommaLocale::is_in_force());
}

INSTANTIATE_TEST_SUITE_P(Formats, Document, testing::Values(kUrdf, kSdf, kMjcf),
                         [](const auto& test) { return std::string(name_of(test.param.format)); });

TEST(Load, RefusesWhatIsNotAFile) {
    const auto message = [](const std::string& path) {
        try {
            (void)load(path);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(message("/nowhere/robot.urdf"), "/nowhere/robot.urdf: no such file");
    EXPECT_EQ(
        message("builtin:arm"),
        "builtin:arm: no such file; a built-in robot is a function, such as robots::arm(), in "
        "Python plucker.robots.arm()");
    EXPECT_EQ(message("/tmp"), "/tmp: is a folder; name the file in it");
    EXPECT_EQ(message("/dev/zero"), "/dev/zero: is not a regular file");
    const ScratchFolder folder("load");
    // Root may read everything; then there is no such refusal to see.
    const std::string locked = folder.write("locked.urdf", "<robot/>");
    std::filesystem::permissions(locked, std::filesystem::perms::none);
    if (!std::ifstream(locked)) {
        EXPECT_NE(message(locked).find("cannot be opened"), std::string::npos);
    }
    std::filesystem::create_symlink("loop.urdf", folder.path() / "loop.urdf");
    EXPECT_NE(message((folder.path() / "loop.urdf").string()).find("symbolic links"),
              std::string::npos);
    // A hole: a gigabyte that takes no room on the disk.
    const std::string gigabyte = folder.write("gigabyte.urdf", "<robot name='");
    std::filesystem::resize_file(gigabyte, std::uintmax_t{1} << 30U);
    EXPECT_NE(message(gigabyte).find("has 1024 MiB"), std::string::npos);
}

}  // namespace
}  // namespace plucker::test
