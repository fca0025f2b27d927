#include "queue/queues.h"

#include "isa/form.h"
#include "isa/table.h"
#include "machine/chip.h"
#include "machine/config.h"

namespace raddle::mechanisms::queue {

Queues::Queues(const QueueConfig& config, machine::LaunchPath& path)
    : config_(config),
      sms_(machine::sms(path.config())),
      network_(config.network, sms_, path.statistics(), "queue_network"),
      functional_(path) {}

std::unique_ptr<machine::SmUnit> Queues::sm_unit(machine::SmPort& port) {
  auto unit = std::make_unique<QueueUnit>(config_, *this, sms_, port);
  units_.push_back(unit.get());
  return unit;
}

void Queues::share(const Buffer& buffer) {
  Buffer part = buffer;
  part.words = buffer.words / sms_;
  for (QueueUnit* unit : units_) {
    unit->use(part);
    part.base += Address{part.words} * sizeof(std::uint32_t);
  }
}

namespace {

constexpr const char* kWords = "push pull buffer";
constexpr std::string_view kNoSection;

const isa::Row kRows[] = {
    // Pushes a value of each lane.
    {"queue", ".push(.u32)", "a", isa::Class::move, isa::Kind::unit,
     [](const isa::Form&) -> isa::Execute { return execute_push; }, kNoSection, kWords,
     isa::kChangesState},
    // Pulls a value for each lane, which waits until there is one.
    {"queue", ".pull(.u32)", "d", isa::Class::move, isa::Kind::unit,
     [](const isa::Form&) -> isa::Execute { return execute_pull; }, kNoSection, kWords,
     isa::kChangesState},
    // Gives an address and a number of words, for values that the queues have no room for.
    {"queue", ".buffer(.u64)", "a b:u32", isa::Class::move, isa::Kind::unit,
     [](const isa::Form&) -> isa::Execute { return execute_buffer; }, kNoSection, kWords,
     isa::kChangesState},
};

}  // namespace

machine::MechanismKind kind() {
  machine::MechanismKind kind;
  kind.name = "queue";
  kind.meaning = "a queue of values in each multiprocessor (an example)";
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<QueueConfig>(root, "queue");
  };
  kind.attach = [](const ConfigGroup& config,
                   machine::LaunchPath& path) -> std::unique_ptr<machine::Mechanism> {
    return std::make_unique<Queues>(static_cast<const QueueConfig&>(config), path);
  };
  kind.rows = [] { return std::span<const isa::Row>(kRows); };
  return kind;
}

}  // namespace raddle::mechanisms::queue
