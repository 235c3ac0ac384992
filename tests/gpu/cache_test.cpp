// Kernels are kept on disk, and whatever else is found there is ignored.
#include <gtest/gtest.h>

#include "gpu/gpu_runs.hpp"
#include "gpu/host_device.hpp"

namespace plucker::test {
namespace {

namespace fs = std::filesystem;

class KernelsOnDisk : public testing::Test {
protected:
    fs::path folder = fs::temp_directory_path() / ("plucker_gpu_cache_" + std::to_string(getpid()));
    std::shared_ptr<HostDevice> device = std::make_shared<HostDevice>();
    Model model = robots::double_pendulum();
    Eigen::MatrixXd q = Eigen::MatrixXd::Random(3, 2), tau = Eigen::MatrixXd::Zero(3, 2);

    ~KernelsOnDisk() override { fs::remove_all(folder); }

    // A new process, as it were. Whether the kernel came from the cache.
    bool is_found() {
        gpu::Evaluator<double> robot(model, {.cache_folder = folder.string(), .on = device});
        tau.setZero();
        EXPECT_EQ(gravity_torque(robot, q, tau), 0);
        batch::Evaluator<double> cpu(model, {.threads = 1});
        Eigen::MatrixXd expected(3, 2);
        gravity_torque(cpu, q, expected);
        EXPECT_LT((tau - expected).norm(), 1e-12);
        return robot.kernel().from_cache;
    }
    std::vector<fs::path> entries() const {
        std::vector<fs::path> out;
        for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path());
        return out;
    }
    static std::string read(const fs::path& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    static void write(const fs::path& path, const std::string& text) {
        std::ofstream(path, std::ios::binary) << text;
    }
};

TEST_F(KernelsOnDisk, AreFoundTheNextTime) {
    EXPECT_FALSE(is_found());
    EXPECT_TRUE(is_found());
    EXPECT_EQ(device->num_compiled, 1);
    // Another robot is another kernel.
    model = robots::cart_pole();
    EXPECT_FALSE(is_found());
    EXPECT_EQ(entries().size(), 2U);
}

TEST_F(KernelsOnDisk, AreMadeAnewWhereTheFileIsNotWhatItShouldBe) {
    ASSERT_FALSE(is_found());
    ASSERT_EQ(entries().size(), 1U) << "and nothing else is left in the folder";
    const fs::path entry = entries()[0];
    const std::string good = read(entry);
    ASSERT_TRUE(is_found());
    std::string flipped = good;
    flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 1);
    const std::string bad[] = {"",         "hello", good.substr(0, good.size() - 1),
                               good + "x", flipped, std::string(1 << 20, '\0')};
    for (const std::string& text : bad) {
        write(entry, text);
        EXPECT_FALSE(is_found()) << text.size() << " bytes";
        EXPECT_TRUE(is_found()) << "it was not repaired";
    }
    // One of another robot, under this one's name.
    model = robots::cart_pole();
    ASSERT_FALSE(is_found());
    std::string other;
    for (const fs::path& path : entries()) {
        if (path != entry) other = read(path);
    }
    model = robots::double_pendulum();
    write(entry, other);
    EXPECT_FALSE(is_found());
}

TEST_F(KernelsOnDisk, AreNotNeeded) {
    // A file where the folder should be: nothing can be kept, and nothing is wrong.
    write(folder, "no folder");
    EXPECT_FALSE(is_found());
    EXPECT_FALSE(is_found());
}

}  // namespace
}  // namespace plucker::test
