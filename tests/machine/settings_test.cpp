// Every setting at both ends of its range, on every described GPU. A small program then either has
// the right result, or is refused with a message that names the setting and a value that would
// work.
#include <random>
#include <regex>

#include "kernels.h"
#include "machine/chip_config.h"
#include "machine/dram/config.h"

namespace raddle::machine {
namespace {

using namespace test;

constexpr Cycle kMostCycles = 2'000'000;  // for two kernels that take some thousands

/// Shared memory, a barrier, loads and stores, atomic operations, a loop's worth of blocks.
constexpr const char* kTried[] = {kReverse, kCount};

void add_fields(const ConfigGroup& group, std::vector<const FieldBase*>& fields) {
  for (const FieldBase* field : group.fields()) fields.push_back(field);
  for (const ConfigGroup* child : group.groups()) add_fields(*child, fields);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else if (c != ' ') {
      parts.back() += c;
    }
  }
  return parts;
}

/// The ends of a range, or all of the words that a setting admits.
std::vector<std::string> extremes(const std::string& admits) {
  if (admits == "any text") return {};
  const std::size_t dots = admits.find("..");
  if (dots == std::string::npos) return split(admits, '|');
  std::vector<std::string> values = {admits.substr(0, dots)};
  if (dots + 2 < admits.size()) {
    values.push_back(admits.substr(dots + 2));
  } else {
    for (const char* most : {"4294967295", "18446744073709551615"}) values.emplace_back(most);
  }
  return values;
}

/// What is wrong with a message that refuses a setting: "" when it serves.
std::string objection(const std::string& message, const std::string& path) {
  if (message.find(path) == std::string::npos) return "does not name " + path;
  static const std::regex range("([0-9]+)\\.\\.([0-9]+)");
  for (std::sregex_iterator at(message.begin(), message.end(), range), end; at != end; ++at) {
    if (std::stod((*at)[1]) > std::stod((*at)[2])) return "an empty range";
  }
  return "";
}

/// The machine is as it should be, and the program asks for more than that has.
struct LaunchRefused {
  std::string text;
};

class Trial {
 public:
  explicit Trial(const std::string& gpu) : config_(load_gpu(gpu)) {
    // Fewer multiprocessors, for time.
    config_->set("gpu.sms", "2");
  }
  void set(const std::string& path, const std::string& value) { config_->set(path, value); }
  const GpuConfig& config() const { return *config_; }

  /// Throws Error when the settings are refused. "" when the program comes to the right result.
  std::string outcome() {
    config_->check();
    memory::AddressSpace space{1 << 24};
    const std::string text = std::string(kHeader) + kTried[0] + kTried[1];
    const ptx::Module module = ptx::parse("test.ptx", text);
    const auto program = make_loader(*config_).load({&module, 1}, space);
    Gpu gpu(*config_, space);
    const Address in = space.allocate(kBytes, memory::Kind::device, "in");
    const Address out = space.allocate(kBytes, memory::Kind::device, "out");
    const Address counted = space.allocate(kBytes, memory::Kind::device, "counted");
    auto values = [&](Address at) {
      return reinterpret_cast<std::uint32_t*>(space.values(at, kBytes));
    };
    for (std::uint32_t i = 0; i < kThreads; ++i) values(in)[i] = 3 * i;
    for (const auto& [kernel, from, to] :
         {std::tuple{"reverse", in, out}, std::tuple{"count", in, counted}}) {
      Launch launch;
      launch.program = program.get();
      launch.kernel = program->find_kernel(kernel);
      launch.grid.x = kBlocks;
      launch.block.x = kThreads / kBlocks;
      launch.parameters.resize(16);
      std::memcpy(launch.parameters.data(), &from, 8);
      std::memcpy(launch.parameters.data() + 8, &to, 8);
      if (const auto error = gpu.launch_error(launch)) throw LaunchRefused{error.text};
      gpu.launch(std::move(launch), 0);
      // Not until it is idle: it may never be.
      while (!gpu.idle()) {
        gpu.advance(gpu.now() + kMostCycles);
        gpu.take_ended();
        if (const auto faults = gpu.take_faults(); !faults.empty()) fail("{}", faults[0].text);
        if (gpu.now() > most_cycles()) return "never ends";
      }
    }
    if (values(counted)[0] != kThreads) return "wrong count";
    for (std::uint32_t i = 0; i < kThreads; ++i) {
      if (values(out)[i] != 3 * (i / 256 * 256 + 255 - i % 256)) return "wrong values";
    }
    return "";
  }

 private:
  /// Slow DRAM takes its time.
  Cycle most_cycles() const {
    const ChipConfig& gpu = config_->gpu;
    return kMostCycles *
           (1 + std::uint64_t{gpu.core_mhz} * config_->dram.clock_divisor / gpu.dram_mhz);
  }

  static constexpr std::uint32_t kBlocks = 4, kThreads = 1024;
  static constexpr std::uint64_t kBytes = 4 * kThreads;

  std::unique_ptr<GpuConfig> config_;
};

/// Tries one or two settings; what went wrong, or "".
std::string tried(const std::string& gpu,
                  std::initializer_list<std::pair<std::string, std::string>> settings) {
  std::string what = gpu + ":";
  for (const auto& [path, value] : settings) what += " " + path + "=" + value;
  std::string refused;
  try {
    Trial trial(gpu);
    for (const auto& [path, value] : settings) trial.set(path, value);
    const std::string outcome = trial.outcome();
    return outcome.empty() ? "" : what + ": " + outcome;
  } catch (const LaunchRefused& launch) {
    return launch.text.empty() ? what + ": a launch is refused without a word" : "";
  } catch (const Error& error) {
    refused = error.what();
  }
  std::string wrong;
  for (const auto& [path, value] : settings) {
    wrong = objection(refused, path);
    if (wrong.empty()) return "";
  }
  return what + ": refused, but: " + wrong + ": " + refused;
}

/// Settings that stop the program, or that say how the simulator goes about it.
bool is_left_out(const std::string& path) {
  return path == "gpu.max_cycles" || path == "gpu.threads" || path == "gpu.measure_units";
}

class Settings : public testing::TestWithParam<std::string> {};

TEST_P(Settings, WorkOrAreRefusedAtTheirEnds) {
  const auto config = load_gpu(GetParam());
  std::vector<const FieldBase*> fields;
  add_fields(*config, fields);
  ASSERT_GT(fields.size(), 100u);
  for (const FieldBase* field : fields) {
    if (is_left_out(field->path())) continue;
    for (const std::string& value : extremes(field->admits())) {
      EXPECT_EQ(tried(GetParam(), {{field->path(), value}}), "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryGpu, Settings, testing::ValuesIn(gpu_names()), [](const auto& gpu) {
  std::string name = gpu.param;
  std::erase_if(name, [](char c) { return c == '-'; });
  return name;
});

/// Settings of one unit have most to do with each other.
TEST(SettingsTogether, WorkOrAreRefusedAtTheirEnds) {
  const auto config = load_gpu("k20c");
  std::minstd_rand random(1);
  for (const ConfigGroup* unit : config->groups()) {
    std::vector<const FieldBase*> fields;
    add_fields(*unit, fields);
    if (fields.size() < 2) continue;
    for (int i = 0; i < 30; ++i) {
      std::pair<std::string, std::string> chosen[2];
      for (auto& [path, value] : chosen) {
        const FieldBase& field = *fields[random() % fields.size()];
        const std::vector<std::string> values = extremes(field.admits());
        if (values.empty() || is_left_out(field.path())) continue;
        path = field.path();
        value = values[random() % values.size()];
      }
      if (chosen[0].first.empty() || chosen[1].first.empty()) continue;
      EXPECT_EQ(tried("k20c", {chosen[0], chosen[1]}), "");
    }
  }
}

}  // namespace
}  // namespace raddle::machine
