// Recordings: what is written is read again, in both formats; what is wrong is named with its line; what was written
// before something went wrong is kept.
#include "plucker/io/recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "plucker/io/evaluate.hpp"
#include "plucker/plucker.hpp"
#include "scratch_folder.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

RecordedInstant instant_of_everything(const Model& model, double time) {
    RecordedInstant out;
    out.time = time;
    out.q = neutral_configuration(model);
    out.q[model.nq() - 1] = 0.1 + time;
    out.v = VectorX<double>::LinSpaced(model.nv(), -1, 1.0 / 3);
    out.tau = VectorX<double>::LinSpaced(model.nv(), 2, 3);
    out.energy = RecordedEnergy{1.0 / 7, -2};
    out.frames = {{"trunk", Pose<double>::roll_pitch_yaw({1, 2, 3}, {0.1, 0.2, 0.3})}};
    out.contacts = {{.link = "trunk",
                     .position = {0.1, 0.2, 0},
                     .force = {1, 2, 30},
                     .mode = ContactMode::kSlide,
                     .friction = 0.7}};
    out.pushes = {{"trunk", {0, 0, 0.5}, {5, 0, 0}}};
    out.residual = 1e-12;
    return out;
}

RecordingHeader full_header() {
    return {.model = "builtin:quadruped",
            .floating = true,
            .no_friction = true,
            .gravity = Vec3<double>{0, 0, -1.62},
            .package_paths = {"/somewhere"},
            .which = "dog",
            .step = 0.005,
            .integrator = "euler",
            .ground = Surface{0.8, 0.01, 0.5}};
}

std::string written(const ScratchFolder& folder, const std::string& name, const Model& model,
                    int instants) {
    const std::string path = folder.path().string() + "/" + name;
    RecordingWriter writer(model, path, full_header());
    for (int k = 0; k < instants; ++k) writer.add(instant_of_everything(model, 0.01 * k));
    writer.finish();
    return path;
}

std::string file_with(const ScratchFolder& folder, const std::string& text) {
    return folder.write("run.jsonl", text);
}

void expect_equal(const RecordingHeader& a, const RecordingHeader& b) {
    EXPECT_EQ(a.model, b.model);
    EXPECT_EQ(a.floating, b.floating);
    EXPECT_EQ(a.no_friction, b.no_friction);
    EXPECT_EQ(a.gravity, b.gravity);
    EXPECT_EQ(a.package_paths, b.package_paths);
    EXPECT_EQ(a.which, b.which);
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.integrator, b.integrator);
    EXPECT_EQ(a.ground, b.ground);
}

TEST(Recording, IsReadAsItWasWritten) {
    const Model model = robots::by_name("quadruped");
    const ScratchFolder folder("recording");
    const std::string path = written(folder, "run.jsonl", model, 3);
    EXPECT_TRUE(is_recording(path));
    expect_equal(read_recording_header(path), full_header());
    const Recording recording = read_recording(model, path);
    expect_equal(recording.header, full_header());
    EXPECT_FALSE(recording.cut_off);
    ASSERT_EQ(recording.instants.size(), 3U);
    for (int k = 0; k < 3; ++k) {
        const RecordedInstant& got = recording.instants[static_cast<std::size_t>(k)];
        const RecordedInstant expected = instant_of_everything(model, 0.01 * k);
        EXPECT_EQ(got.time, expected.time);
        EXPECT_EQ(got.q, expected.q);
        EXPECT_EQ(got.v, expected.v);
        EXPECT_EQ(got.tau, expected.tau);
        ASSERT_TRUE(got.energy.has_value());
        EXPECT_EQ(got.energy->kinetic, expected.energy->kinetic);
        EXPECT_EQ(got.energy->potential, expected.energy->potential);
        EXPECT_EQ(got.residual, expected.residual);
        ASSERT_EQ(got.frames.size(), 1U);
        EXPECT_EQ(got.frames[0].name, "trunk");
        EXPECT_EQ(got.frames[0].pose, expected.frames[0].pose);
        ASSERT_EQ(got.contacts.size(), 1U);
        EXPECT_EQ(got.contacts[0].link, "trunk");
        EXPECT_EQ(got.contacts[0].position, expected.contacts[0].position);
        EXPECT_EQ(got.contacts[0].normal, expected.contacts[0].normal);
        EXPECT_EQ(got.contacts[0].force, expected.contacts[0].force);
        EXPECT_EQ(got.contacts[0].mode, ContactMode::kSlide);
        EXPECT_EQ(got.contacts[0].friction, 0.7);
        ASSERT_EQ(got.pushes.size(), 1U);
        EXPECT_EQ(got.pushes[0].link, "trunk");
        EXPECT_EQ(got.pushes[0].position, expected.pushes[0].position);
        EXPECT_EQ(got.pushes[0].force, expected.pushes[0].force);
    }
}

// Names may hold whatever separates or quotes others: the table is read as it was written.
TEST(Recording, InCsvHasNamesOfAnySort) {
    Builder builder("odd");
    builder.link("ground");
    std::string parent = "ground";
    for (const std::string name : {"a \"quoted\" one", "\"", "comma, and", "a;b", "#first",
                                   " spaced ", "tab\there", "two\"\"quotes"}) {
        builder.body(parent, revolute(name, {0, 1, 0}), "link of " + name,
                     MassProperties::sphere(1, 0.1, {0, 0, -1}));
        parent = "link of " + name;
    }
    const Model model = builder.build();
    const ScratchFolder folder("recording_names");
    const std::string path = folder.path().string() + "/run.csv";
    RecordedInstant instant;
    instant.time = 0.5;
    instant.q = VectorX<double>::LinSpaced(model.nq(), 1, 2);
    instant.v = VectorX<double>::LinSpaced(model.nv(), 3, 4);
    RecordingWriter writer(model, path, {.model = "odd.urdf"});
    writer.add(instant);
    writer.finish();
    const Recording got = read_recording(model, path);
    ASSERT_EQ(got.instants.size(), 1U);
    EXPECT_EQ(got.instants[0].q, instant.q);
    EXPECT_EQ(got.instants[0].v, instant.v);
}

// The ground of a recording is the level plane at height zero, with its surface, and the first of several. Any other is a shape.
TEST(Recording, HasALevelPlaneAtHeightZeroForItsGround) {
    struct Case {
        Vec3<double> normal, position;
        bool is_ground;
    };
    const Case cases[] = {{{0, 0, 1}, {0, 0, 0}, true},     {{0, 0, 2}, {3, -4, 0}, true},
                          {{0, 0, 1}, {0, 0, -0.5}, false}, {{0, 0, 1}, {0, 0, 0.5}, false},
                          {{0, 0, -1}, {0, 0, 0}, false},   {{0.1, 0, 1}, {0, 0, 0}, false},
                          {{0, 0.1, 1}, {0, 0, 0}, false}};
    for (const Case& c : cases) {
        World world;
        world.shapes.push_back({.name = "plane",
                                .placement = {Mat3<double>::identity(), c.position},
                                .geometry = Plane{c.normal},
                                .surface = Surface{0.3, 0.02, 0.1}});
        RecordingHeader header{.model = "builtin:quadruped"};
        describe_world(world, header);
        EXPECT_EQ(header.ground.has_value(), c.is_ground) << c.position.z;
        EXPECT_EQ(header.shapes.size(), c.is_ground ? 0U : 1U) << c.position.z;
        if (!c.is_ground) continue;
        EXPECT_EQ(*header.ground, world.shapes[0].surface);
        world.shapes.push_back(world.shapes[0]);
        RecordingHeader two{.model = "builtin:quadruped"};
        describe_world(world, two);
        EXPECT_EQ(two.shapes.size(), 1U);
    }
}

// The level plane is the ground; all else is kept to be shown, in both formats.
TEST(Recording, HasTheWorld) {
    World world = World::flat();
    world.surface = {0.6, 0.01, 0.2};
    const Pose<double> at = Pose<double>::roll_pitch_yaw({1, 2, 3}, {0.1, 0.2, 0.3});
    Mesh mesh{"rock.stl", "/stones/rock.stl", {1, 2, 3}};
    for (const Geometry& geometry : std::initializer_list<Geometry>{
             Box{{1, 2, 0.1}}, Cylinder{0.1, 0.5}, Capsule{0.2, 0.3}, Sphere{0.4},
             Ellipsoid{{0.1, 0.2, 0.3}}, Plane{{0, 0.6, 0.8}}, mesh}) {
        world.shapes.push_back({.name = "stone", .placement = at, .geometry = geometry});
    }
    world.shapes[1].material = Material{.name = "", .rgba = {{0.1, 0.2, 0.3, 1}}, .texture = ""};
    HeightField& hill = world.fields.emplace_back();
    hill = {.name = "hill", .origin = {-1, -2, 0.1}, .spacing_x = 0.5, .spacing_y = 0.25};
    hill.points_x = 2;
    hill.points_y = 3;
    hill.heights = {0, 0.1, 0.2, 0.3, 0.4, 0.5};
    const Model model = robots::quadruped();
    const ScratchFolder folder("recording");
    RecordingHeader header{.model = "builtin:quadruped"};
    describe_world(world, header);
    EXPECT_EQ(header.ground, world.surface);
    ASSERT_EQ(header.shapes.size(), 7U);
    for (const char* name : {"run.jsonl", "run.csv"}) {
        const std::string path = folder.path().string() + "/" + name;
        RecordingWriter writer(model, path, header);
        writer.add(instant_of_everything(model, 0));
        writer.finish();
        const RecordingHeader got = read_recording(model, path).header;
        ASSERT_EQ(got.shapes.size(), 7U);
        for (std::size_t k = 0; k < 7; ++k) {
            EXPECT_EQ(got.shapes[k].name, "stone");
            EXPECT_EQ(got.shapes[k].placement, at);
            EXPECT_EQ(got.shapes[k].geometry.index(), k);
        }
        EXPECT_EQ(std::get<Box>(got.shapes[0].geometry).size, (Vec3<double>{1, 2, 0.1}));
        EXPECT_EQ(got.shapes[0].material->rgba, world.shapes[1].material->rgba);
        EXPECT_EQ(std::get<Cylinder>(got.shapes[1].geometry).length, 0.5);
        EXPECT_EQ(std::get<Capsule>(got.shapes[2].geometry).radius, 0.2);
        EXPECT_EQ(std::get<Sphere>(got.shapes[3].geometry).radius, 0.4);
        EXPECT_EQ(std::get<Ellipsoid>(got.shapes[4].geometry).radii, (Vec3<double>{0.1, 0.2, 0.3}));
        EXPECT_EQ(std::get<Plane>(got.shapes[5].geometry).normal, (Vec3<double>{0, 0.6, 0.8}));
        EXPECT_EQ(std::get<Mesh>(got.shapes[6].geometry).path, mesh.path);
        EXPECT_EQ(std::get<Mesh>(got.shapes[6].geometry).scale, mesh.scale);
        ASSERT_EQ(got.terrain.size(), 1U);
        EXPECT_EQ(got.terrain[0].name, "hill");
        EXPECT_EQ(got.terrain[0].origin, hill.origin);
        EXPECT_EQ(got.terrain[0].spacing_y, 0.25);
        EXPECT_EQ(got.terrain[0].points_y, 3);
        EXPECT_EQ(got.terrain[0].heights, hill.heights);
    }
    const auto refused = [&](const std::string& in_world) {
        const std::string path =
            file_with(folder, R"({"plucker": "recording", "model": "builtin:arm", "world": )" +
                                  in_world + "}\n");
        return message([&] { read_recording_header(path); });
    };
    EXPECT_TRUE(refused("3").ends_with("world must be an object, not number"));
    EXPECT_TRUE(refused(R"({"shapes": [{"ball": 1}]})").find("world.shapes[0] must have one of") !=
                std::string::npos);
    EXPECT_TRUE(refused(R"({"shapes": [{"sphere": 1}]})").ends_with("lacks \"position\""));
    const auto terrain = [](const std::string& rest) {
        return R"({"terrain": [{"origin": [0, 0, 0], "spacing": [1, 1], )" + rest + "}]}";
    };
    EXPECT_NE(refused(terrain(R"("points": [2, 1], "heights": [0, 0])"))
                  .find("points is 1; terrain has at least 2"),
              std::string::npos);
    EXPECT_NE(refused(terrain(R"("points": [2, 2], "heights": [0, 0])"))
                  .find("heights must be an array of 4 numbers"),
              std::string::npos);
}

// The name says the format, in whatever case, or it is refused with those that are known.
TEST(Recording, IsOfTheFormatThatItsNameSays) {
    const Model model = robots::arm();
    const ScratchFolder folder("recording");
    RecordedInstant instant;
    instant.q = neutral_configuration(model);
    const auto first_of = [&](const std::string& name) {
        const std::string path = folder.path() / name;
        RecordingWriter writer(model, path, {.model = "builtin:arm"});
        writer.add(instant);
        writer.finish();
        EXPECT_EQ(read_recording(model, path).instants.size(), 1U) << name;
        std::ifstream in(path);
        return static_cast<char>(in.get());
    };
    for (const char* name : {"run.jsonl", "run.JSONL", "run.json", "run.ndjson", "run"})
        EXPECT_EQ(first_of(name), '{') << name;
    for (const char* name : {"run.csv", "run.CSV", "a.b.Csv"})
        EXPECT_EQ(first_of(name), '#') << name;
    for (const char* name : {"run.tsv", "run.txt", "run.xyz", "run.csv.gz"}) {
        const std::string path = folder.path() / name;
        EXPECT_EQ(message([&] { RecordingWriter(model, path, {.model = "builtin:arm"}); }),
                  path +
                      ": a recording is JSON lines in a file that ends in .jsonl, .json or "
                      ".ndjson, or CSV in one that ends in .csv");
        EXPECT_FALSE(std::filesystem::exists(path)) << name;
    }
}

TEST(Recording, FromTextIsThatOfAFile) {
    const Model model = robots::by_name("quadruped");
    const ScratchFolder folder("recording");
    for (const char* name : {"run.jsonl", "run.csv"}) {
        const std::string path = written(folder, name, model, 3);
        std::ifstream in(path);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        EXPECT_TRUE(is_recording_text(text));
        expect_equal(read_recording_header_text(text, "pipe"), full_header());
        const Recording of_text = read_recording_text(model, text, "pipe"),
                        of_file = read_recording(model, path);
        ASSERT_EQ(of_text.instants.size(), of_file.instants.size());
        EXPECT_EQ(of_text.instants[2].q, of_file.instants[2].q);
    }
    EXPECT_FALSE(is_recording_text("<robot name='r'/>"));
    EXPECT_EQ(message([&] { read_recording_text(model, "{}\n", "pipe"); }).substr(0, 7), "pipe:1:");
}

TEST(Recording, IsNoPage) {
    const ScratchFolder folder("recording");
    const std::string path = folder.write("run.html", "what was there");
    const std::string said =
        message([&] { RecordingWriter(robots::arm(), path, {.model = "builtin:arm"}); });
    EXPECT_NE(said.find("run.html: a recording is JSON lines in a file"), std::string::npos)
        << said;
    EXPECT_FALSE(is_recording(path));
}

TEST(Recording, InCsvHasStatesAndWhichRobot) {
    const Model model = robots::by_name("quadruped");
    const ScratchFolder folder("recording");
    const std::string path = written(folder, "run.csv", model, 3);
    EXPECT_TRUE(is_recording(path));
    expect_equal(read_recording_header(path), full_header());
    const Recording recording = read_recording(model, path);
    ASSERT_EQ(recording.instants.size(), 3U);
    for (int k = 0; k < 3; ++k) {
        const RecordedInstant& got = recording.instants[static_cast<std::size_t>(k)];
        const RecordedInstant expected = instant_of_everything(model, 0.01 * k);
        EXPECT_EQ(got.time, expected.time);
        EXPECT_EQ(got.q, expected.q);
        EXPECT_EQ(got.v, expected.v);
        EXPECT_EQ(got.tau, expected.tau);
        ASSERT_TRUE(got.energy.has_value());
        EXPECT_EQ(got.energy->kinetic, expected.energy->kinetic);
        EXPECT_EQ(got.energy->potential, expected.energy->potential);
        EXPECT_EQ(got.residual, expected.residual);
        EXPECT_TRUE(got.contacts.empty());
    }
}

// What is not known is neither written nor read as zero.
TEST(Recording, InCsvMayLackVelocitiesAndTorques) {
    const Model model = robots::by_name("quadruped");
    const ScratchFolder folder("recording");
    for (const bool has_v : {false, true}) {
        for (const bool has_tau : {false, true}) {
            const std::string path = folder.path().string() + "/run.csv";
            RecordingWriter writer(model, path, {.model = "builtin:quadruped"});
            RecordedInstant all = instant_of_everything(model, 0), some = all;
            some.time = 1;
            if (!has_v) some.v.resize(0);
            if (!has_tau) some.tau.resize(0);
            writer.add(all);
            writer.add(some);
            writer.finish();
            const Recording recording = read_recording(model, path);
            ASSERT_EQ(recording.instants.size(), 2U);
            EXPECT_EQ(recording.instants[0].tau, all.tau);
            EXPECT_EQ(recording.instants[1].q, some.q);
            EXPECT_EQ(recording.instants[1].v.size(), some.v.size());
            EXPECT_EQ(recording.instants[1].tau.size(), some.tau.size());
        }
    }
    // Of a vector all is there, or nothing.
    const std::string path = folder.write("half.csv", "time,q.a,q.b,tau.a,tau.b\n0,1,2,3,\n");
    const Model two =
        Builder("two")
            .link("ground")
            .body("ground", revolute("a", {0, 1, 0}), "one", MassProperties::sphere(1, 1))
            .body("one", revolute("b", {0, 1, 0}), "other", MassProperties::sphere(1, 1))
            .build();
    EXPECT_NE(
        message([&] { read_recording(two, path); }).find("column 5 (tau.b): '' is not a number"),
        std::string::npos)
        << message([&] { read_recording(two, path); });
}

TEST(Recording, InCsvMayLackEnergyAndResidual) {
    const Model model = robots::by_name("pendulum");
    const ScratchFolder folder("recording");
    const std::string path = folder.path().string() + "/run.csv";
    RecordingWriter writer(model, path, {.model = "builtin:pendulum"});
    RecordedInstant instant;
    instant.q = neutral_configuration(model);
    writer.add(instant);
    writer.finish();
    const Recording recording = read_recording(model, path);
    ASSERT_EQ(recording.instants.size(), 1U);
    EXPECT_FALSE(recording.instants[0].energy.has_value());
    EXPECT_FALSE(recording.instants[0].residual.has_value());
}

TEST(Recording, IsReadByEvaluate) {
    const Model model = robots::by_name("quadruped");
    const ScratchFolder folder("recording");
    std::ifstream in(written(folder, "run.jsonl", model, 2));
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::string answers =
        evaluate(model, text, "run.jsonl", {.quantities = {"total_mass"}, .frames = {}});
    EXPECT_EQ(std::count(answers.begin(), answers.end(), '\n'), 2) << answers;
}

TEST(Recording, ThatWasStoppedKeepsWhatWasWhole) {
    const Model model = robots::by_name("quadruped");
    const ScratchFolder folder("recording");
    for (const char* name : {"run.jsonl", "run.csv"}) {
        const std::string path = written(folder, name, model, 3);
        std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
        const Recording recording = read_recording(model, path);
        EXPECT_TRUE(recording.cut_off) << name;
        EXPECT_EQ(recording.instants.size(), 2U) << name;
    }
}

// What is broken in the middle was not stopped there: it is an error, at its line.
TEST(Recording, IsNotCutOffInTheMiddle) {
    const Model model = robots::by_name("quadruped");
    const ScratchFolder folder("recording");
    std::ostringstream whole;
    whole << std::ifstream(written(folder, "run.jsonl", model, 3)).rdbuf();
    std::string text = whole.str();
    text.erase(text.find('\n', text.find('\n') + 1) + 1, 3);  // where the second instant begins
    const std::string path = file_with(folder, text);
    const std::string said = message([&] { read_recording(model, path); });
    EXPECT_NE(said.find("run.jsonl:3"), std::string::npos) << said;
}

TEST(Recording, KeepsWhatCameBeforeABadInstant) {
    const Model model = robots::by_name("pendulum");
    const ScratchFolder folder("recording");
    const std::string path = folder.path().string() + "/run.jsonl";
    RecordingWriter writer(model, path, {.model = "builtin:pendulum"});
    RecordedInstant instant;
    instant.q = neutral_configuration(model);
    writer.add(instant);
    instant.time = 0.5;
    instant.q[0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(message([&] { writer.add(instant); }), "recording: q[0] is not finite at time 0.5");
    instant.q = VectorX<double>::Zero(3);
    EXPECT_EQ(message([&] { writer.add(instant); }),
              "recording: q has size 3, expected 1 at time 0.5");
    // The writer is still at work, and the file can be read.
    EXPECT_EQ(read_recording(model, path).instants.size(), 1U);
}

TEST(Recording, SaysWhatIsWrongAndWhere) {
    const Model model = robots::by_name("pendulum");
    const ScratchFolder folder("recording");
    const auto complaint = [&](const std::string& lines) {
        const std::string path = file_with(folder, lines);
        std::string text = message([&] { read_recording(model, path); });
        if (text.starts_with(folder.path().string() + "/"))
            text.erase(0, folder.path().string().size() + 1);
        return text;
    };
    const std::string header = "{\"plucker\": \"recording\", \"model\": \"builtin:pendulum\"}\n";
    EXPECT_EQ(complaint(header), "run.jsonl: there is no instant in it");
    EXPECT_EQ(complaint("{\"plucker\": \"recording\"}\n"),
              "run.jsonl:1: the first line lacks \"model\"");
    EXPECT_EQ(complaint(header + "{\"q\": [0]}\n"), "run.jsonl:2: the instant lacks \"time\"");
    EXPECT_EQ(complaint(header + "{\"time\": 0}\n"), "run.jsonl:2: the instant lacks \"q\"");
    EXPECT_EQ(complaint(header + "\n{\"time\": 0, \"q\": [0, 1]}\n"),
              "run.jsonl:3: q must be an array of 1 number, not 2: hinge");
    EXPECT_EQ(complaint(header + "{\"time\": 0, \"q\": [0], \"contact\": []}\n").substr(0, 35),
              "run.jsonl:2: unknown input 'contact");
    // Two instants may have one time, before and after an impact.
    EXPECT_EQ(complaint(header + "{\"time\": 1, \"q\": [0]}\n{\"time\": 1, \"q\": [0.5]}\n"),
              "no error");
    EXPECT_EQ(complaint(header + "{\"time\": 1, \"q\": [0]}\n{\"time\": 0, \"q\": [0]}\n"),
              "run.jsonl: instant 1 is at time 0, before the one that precedes it (1); times must "
              "not fall");
    const std::string contact = header + "{\"time\": 0, \"q\": [0], \"contacts\": [{\"link\": ";
    EXPECT_EQ(complaint(contact + "7}]}\n"),
              "run.jsonl:2: contacts[0].link must be a text, not number");
    EXPECT_NE(complaint(contact + "\"foot\"}]}\n").find("contacts[0]: unknown link 'foot'"),
              std::string::npos);
    EXPECT_EQ(complaint(header + "{\"time\": 0, \"q\": [0], \"energy\": {\"kinetic\": 1}}\n"),
              "run.jsonl:2: energy lacks \"potential\"");
    EXPECT_NE(complaint(header + "{\"time\": 0, \"q\": [}\n").find("run.jsonl:2: column 19"),
              std::string::npos);
    EXPECT_EQ(complaint(header + "{\"time\": 0, \"q\": [0]}\n" + header),
              "run.jsonl:3: another recording begins; a file holds one");
    EXPECT_NE(
        message([&] { read_recording(model, "/nowhere/run.jsonl"); }).find("cannot be opened"),
        std::string::npos);
    EXPECT_NE(message([&] {
                  RecordingWriter(model, "/nowhere/run.jsonl", {.model = "builtin:pendulum"});
              }).find("/nowhere/run.jsonl: cannot be written"),
              std::string::npos);
    EXPECT_FALSE(is_recording("/nowhere/run.jsonl"));
}

}  // namespace
}  // namespace plucker::test
