#include "experiment/store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace raddle::experiment {
namespace {

std::string new_file(const std::string& name) {
  const std::string file = testing::TempDir() + name;
  std::filesystem::remove(file);
  return file;
}

RunIdentity identity_of(const std::string& key, const std::string& settings = "l1.ways=4\n",
                        const std::string& behaviour = "host 1") {
  return {key, settings, behaviour};
}

StoredRun run_of(const std::string& key, int exit_code, double seconds) {
  return {identity_of(key), "bfs",   "flat", "small", "raddle run bfs",
          exit_code,        seconds, "{}",   "",      {"0123", "a processor", "2026-01-31"}};
}

TEST(Store, KeepsRunsFromOneOpeningToTheNext) {
  const std::string file = new_file("kept.sqlite");
  Store(file).keep(run_of("k", 0, 2.5));
  const Store again(file);
  ASSERT_TRUE(again.find(identity_of("k")).has_value());
  EXPECT_EQ(again.find(identity_of("k"))->seconds, 2.5);
  EXPECT_EQ(again.find(identity_of("k"))->statistics, "{}");
  EXPECT_EQ(again.find(identity_of("k"))->maker, (Maker{"0123", "a processor", "2026-01-31"}));
  EXPECT_FALSE(again.find(identity_of("other")).has_value());
}

TEST(Store, OtherSettingsAndAnotherBehaviourAreOtherRuns) {
  Store store(new_file("others.sqlite"));
  store.keep(run_of("k", 0, 1));
  EXPECT_FALSE(store.find(identity_of("k", "l1.ways=8\n")).has_value());
  EXPECT_FALSE(store.find(identity_of("k", "l1.ways=4\n", "host 2")).has_value());
}

TEST(Store, ARunIsFoundWhenASettingHasComeThatIsAtItsDefault) {
  Store store(new_file("came.sqlite"));
  store.keep(run_of("k", 0, 1));
  EXPECT_TRUE(store.find(identity_of("k", "l1.new=1\nl1.ways=4\n")).has_value());
  EXPECT_FALSE(store.find(identity_of("k", "*l1.new=2\nl1.ways=4\n")).has_value());
}

TEST(Store, ALaterRunReplacesAnEarlierOneOfItsKey) {
  Store store(new_file("replaced.sqlite"));
  store.keep(run_of("k", 1, 1));
  store.keep(run_of("k", 0, 2));
  EXPECT_EQ(store.find(identity_of("k"))->exit_code, 0);
}

TEST(Store, ExpectedTimeIsThatOfTheLatestSuccess) {
  Store store(new_file("expected.sqlite"));
  store.keep(run_of("old version", 0, 4));
  store.keep(run_of("failed", 1, 100));
  EXPECT_EQ(store.seconds_before("bfs", "flat", "small"), 4);
  EXPECT_FALSE(store.seconds_before("bfs", "dtbl", "small").has_value());
}

TEST(Store, AFileThatIsNoDatabaseIsNamed) {
  const std::string file = new_file("text.sqlite");
  std::ofstream(file) << "this is a text, not a database, and long enough to be looked at";
  try {
    const Store store(file);
    FAIL() << "was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace raddle::experiment
