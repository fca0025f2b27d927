// When time advances for programs that share the GPU. The test plays two programs.
#include "corun/server.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "base/error.h"

namespace raddle::corun {
namespace {

class TwoPrograms : public Programs {
 public:
  TwoPrograms() : news_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~TwoPrograms() override { close(news_); }
  unsigned count() const override { return 2; }
  bool ended(unsigned n) const override { return ended_[n]; }
  void watch(std::vector<pollfd>& descriptors) override {
    descriptors.push_back({news_, POLLIN, 0});
  }
  void attend() override {
    eventfd_t ignored = 0;
    eventfd_read(news_, &ignored);
  }
  void end(unsigned n) {
    ended_[n] = true;
    eventfd_write(news_, 1);
  }

 private:
  int news_;
  std::array<std::atomic<bool>, 2> ended_{};
};

/// A program's end of the socket.
class Client {
 public:
  Client(const std::string& entrance, unsigned program) : channel_(enter(entrance)) {
    Hello hello{program, getpid(), false};
    channel_.send(Tag::hello, encoded(hello));
    auto message = channel_.receive();
    if (!message) return;
    refused = decoded<Welcome>(message->bytes).refused;
    for (const int file : message->descriptors) close(file);
  }
  void advance(Cycle limit) {
    Advance request;
    request.limit = limit;
    channel_.send(Tag::advance, encoded(request));
  }
  void send(Tag tag, const std::string& bytes) { channel_.send(tag, bytes); }
  /// The time that it is told; kNever: within a while it is told nothing.
  Cycle told(int milliseconds) {
    pollfd one{channel_.descriptor(), POLLIN, 0};
    if (poll(&one, 1, milliseconds) == 0) return kNever;
    const auto message = channel_.receive();
    return message ? decoded<Progress>(message->bytes).now : kNever;
  }
  bool gone() { return !channel_.receive().has_value(); }

  std::string refused;

 private:
  Channel channel_;
};

constexpr int kLong = 10'000, kAWhile = 60;  // milliseconds: something comes, nothing does

class ServerTest : public testing::Test {
 protected:
  ServerTest() : server_(config_, {64 << 20, {}}, {0, 0}) {
    thread_ = std::thread([this] { server_.serve(programs_); });
  }
  ~ServerTest() override {
    for (const unsigned n : {0, 1}) programs_.end(n);
    thread_.join();
  }

  machine::GpuConfig config_;
  TwoPrograms programs_;
  Server server_;
  std::thread thread_;
};

TEST_F(ServerTest, NobodyGoesOnBeforeAllHaveCome) {
  Client first(server_.entrance(), 0);
  first.advance(1000);
  EXPECT_EQ(first.told(kAWhile), kNever);
  Client second(server_.entrance(), 1);
  EXPECT_EQ(first.told(kAWhile), kNever);  // the second may do anything yet
  second.advance(5000);
  EXPECT_EQ(first.told(kLong), 1000u);
}

TEST_F(ServerTest, TimeStandsStillWhileAnyOfThemComputes) {
  Client first(server_.entrance(), 0), second(server_.entrance(), 1);
  first.advance(1000);
  second.advance(400);
  EXPECT_EQ(second.told(kLong), 400u);
  EXPECT_EQ(first.told(kAWhile), kNever);
  second.advance(700);
  EXPECT_EQ(second.told(kLong), 700u);
  second.advance(3000);
  EXPECT_EQ(first.told(kLong), 1000u);
  EXPECT_EQ(second.told(kAWhile), kNever);
}

TEST_F(ServerTest, WhoHasEndedIsNotWaitedFor) {
  Client first(server_.entrance(), 0);
  first.advance(1000);
  programs_.end(1);
  EXPECT_EQ(first.told(kLong), 1000u);
}

TEST_F(ServerTest, WhoBreaksTheRulesLosesTheGpuAlone) {
  Client first(server_.entrance(), 0);
  {
    Client second(server_.entrance(), 1);
    second.send(Tag::advance, "no such message");
    EXPECT_TRUE(second.gone());
  }
  programs_.end(1);
  first.advance(1000);
  EXPECT_EQ(first.told(kLong), 1000u);
}

TEST_F(ServerTest, AKernelThatWasNotLoadedIsNotLaunched) {
  Client first(server_.entrance(), 0);
  Advance request;
  request.launches.resize(1);
  request.launches[0].program = 99;
  first.send(Tag::advance, encoded(request));
  EXPECT_TRUE(first.gone());
}

TEST_F(ServerTest, OneProcessOfAProgramAtATime) {
  {
    Client first(server_.entrance(), 0);
    EXPECT_EQ(first.refused, "");
    EXPECT_NE(Client(server_.entrance(), 0).refused, "");
    EXPECT_EQ(Client(server_.entrance(), 1).refused, "");
  }
  EXPECT_EQ(Client(server_.entrance(), 0).refused, "");  // it is gone
}

/// A process that comes later begins at 0 of its own time.
TEST_F(ServerTest, EachProcessHasItsOwnTime) {
  programs_.end(1);
  {
    Client first(server_.entrance(), 0);
    first.advance(1000);
    EXPECT_EQ(first.told(kLong), 1000u);
  }
  Client next(server_.entrance(), 0);
  next.advance(300);
  EXPECT_EQ(next.told(kLong), 300u);
}

TEST(Entrance, WhereNobodyIsThatIsAnError) { EXPECT_THROW(enter("raddle-of-nobody"), Error); }

}  // namespace
}  // namespace raddle::corun
