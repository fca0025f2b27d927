#include "mechanisms/hwwl/worklists.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "isa/services.h"
#include "machine/chip.h"
#include "machine/config.h"
#include "machine/sm/config.h"

namespace raddle::mechanisms::hwwl {
namespace {

/// Sets the statistics of the hardware cost for each core (section V.B).
void count_cost(const HwwlConfig& config, const SchemeKind& scheme, const machine::GpuConfig& gpu,
                HwwlCost& cost) {
  const unsigned banks = config.banks, entries = config.bank_entries;
  cost.bank_bytes.set(std::uint64_t{banks} * entries * config.id_bits / 8);
  // A bank's registers have the first and the last entry of two sides. The registers of the
  // overflow buffer have its address, and the first and the last entry of two sides.
  const unsigned index = static_cast<unsigned>(std::bit_width(entries));
  cost.register_bytes.set((std::uint64_t{banks} * 4 * index + 64 + 4 * 32) / 8);
  if (scheme.sorts) {  // one network for the banks of a core, or for the banks of all cores
    const unsigned inputs =
        std::bit_ceil(scheme.make_global == nullptr ? banks : banks * machine::sms(gpu));
    const auto levels = static_cast<unsigned>(std::bit_width(inputs) - 1);
    cost.sort_stages.set(levels);
    cost.sort_steps.set(std::uint64_t{levels} * (levels + 1) / 2);
    cost.sort_comparators.set(std::uint64_t{inputs} / 2 * levels * (levels + 1) / 2);
  }
  cost.register_file_bytes.set(std::uint64_t{gpu.sm.registers.value()} * 4);
}

}  // namespace

Worklists::Worklists(const HwwlConfig& config, machine::LaunchPath& path)
    : config_(config),
      path_(path),
      sms_(machine::sms(path.config())),
      kind_(scheme(config.redistribution.path(), config.redistribution.value())),
      scheme_(kind_.make_global == nullptr ? nullptr : kind_.make_global()),
      network_(config.network, sms_, path.statistics(), "hwwl_network"),
      ideal_(config.list == "ideal_sorted"),
      activity_(path.statistics().unit<HwwlActivity>("hwwl_activity")),
      plans_(sms_),
      works_(sms_) {
  if (config.list == "banks")
    count_cost(config, kind_, path.config(), path.statistics().unit<HwwlCost>("hwwl_cost"));
}

std::unique_ptr<machine::SmUnit> Worklists::sm_unit(machine::SmPort& port) {
  if (!(config_.list == "banks")) {
    auto unit = std::make_unique<IdealUnit>(config_, *this, port);
    units_.push_back(unit.get());
    return unit;
  }
  auto unit = std::make_unique<WorklistUnit>(config_, *this, kind_, sms_, port);
  units_.push_back(unit.get());
  banked_.push_back(unit.get());
  return unit;
}

// ---- Kernels.

/// Whether the program of the grid has worklist instructions. A grid launched by a kernel has its
/// parent's program, which has been checked.
bool Worklists::may_use(const machine::Grid& grid) {
  if (grid.from_device && grid.program == looked_at_) return false;
  looked_at_ = grid.program;
  return std::any_of(grid.program->code.begin(), grid.program->code.end(),
                     [](const isa::Instruction& one) { return one.kind == isa::Kind::unit; });
}

void Worklists::grid_started(const machine::Grid& grid) {
  needed_ = needed_ || may_use(grid);
  if (!needed_) return;
  // A kernel that starts while another one uses the worklist does not count as a start.
  for (const CoreUnit* unit : units_) {
    if (unit->in_use()) return;
  }
  for (CoreUnit* unit : units_) unit->started(path_.now());
}

void Worklists::block_ended(machine::Grid& grid, const isa::BlockContext& block) {
  const bool timed = !units_.empty();
  bool used = timed ? units_[block.sm]->used(block) : functional_.used(block);
  used |= moved_.erase(name_of(block)) != 0;
  if (!timed) functional_.block_ended(block);
  const machine::GridId id = grid.id;
  if (used && std::find(users_.begin(), users_.end(), id) == users_.end()) users_.push_back(id);
}

/// When the last of the kernels that use the worklist ends, the sides swap (section III.A: "after
/// every kernel call as long as the pull worklist is empty").
void Worklists::grid_ended(const machine::Grid& grid) {
  if (std::erase(users_, grid.id) == 0) return;
  if (!users_.empty() || functional_.in_use()) return tell_host();
  const auto in_use = [](const CoreUnit* unit) { return unit->in_use(); };
  if (moved_.empty() && std::none_of(units_.begin(), units_.end(), in_use)) boundary();
  tell_host();
}

void Worklists::boundary() {
  for (CoreUnit* unit : units_) unit->boundary(sides_, path_.now());
  if (sides_.double_buffered && size() == 0) {
    sides_.pull = 1 - sides_.pull;
    for (CoreUnit* unit : units_) unit->boundary(sides_, path_.now());
  }
}

/// Writes the number of work ids that can be pulled to the buffer's header, for the host.
void Worklists::tell_host() {
  if (buffer_.base == 0) return;
  // The program may have freed the buffer.
  std::byte* const header = path_.services().space().values(buffer_.base, sizeof(std::uint32_t));
  const std::uint32_t left = size();
  if (header != nullptr) std::memcpy(header, &left, sizeof left);
}

std::uint32_t Worklists::size() const {
  if (units_.empty()) return functional_.size(sides_.pull);
  std::uint32_t sum = ideal_.size(sides_.pull);
  for (const CoreUnit* unit : units_) sum += unit->size(sides_.pull);
  return sum;
}

// ---- Calls from units.

void Worklists::initialise(const Buffer& buffer) {
  if (buffer.base == buffer_.base && buffer.entries == buffer_.entries) return;
  buffer_ = buffer;
  reset();
}

void Worklists::choose_sides(bool double_buffered) {
  if (double_buffered == sides_.double_buffered) return;
  sides_ = {double_buffered, 0};
  reset();
}

/// The first multiprocessor's part of the buffer.
Buffer Worklists::part() const {
  constexpr unsigned kHeader = kHeaderBytes / sizeof(std::uint32_t);
  Buffer part = buffer_;
  part.base += kHeaderBytes;
  part.entries = buffer_.entries <= kHeader ? 0 : (buffer_.entries - kHeader) / sms_;
  return part;
}

/// Empties the worklist, and gives each core its part of the buffer.
void Worklists::reset() {
  functional_.clear();
  ideal_.clear();
  Buffer part = this->part();
  for (CoreUnit* unit : units_) {
    unit->configure(sides_, part);
    part.base += Address{part.entries} * sizeof(std::uint32_t);
  }
  tell_host();
}

void Worklists::tell(unsigned core, CoreBits bits, Cycle now) {
  for (CoreUnit* unit : units_) {
    if (SystemView* view = unit->view()) view->change(now + config_.broadcast, core, bits);
  }
}

void Worklists::acknowledge(unsigned sender, Cycle now) { banked_[sender]->acknowledged(now); }

/// Warps that move count as one more core, which holds work ids while there are such warps.
void Worklists::leaves(const HoldersAway& away) {
  away_.push_back(away);
  if (away_.size() == 1) tell(sms_, {false, true, false, false}, path_.now());
}

void Worklists::arrives(const HoldersAway& away, Cycle now) {
  std::erase_if(away_, [&](const HoldersAway& one) {
    return one.grid == away.grid && one.block.x == away.block.x && one.block.y == away.block.y &&
           one.block.z == away.block.z && one.warp == away.warp;
  });
  if (away_.empty()) tell(sms_, {}, now);
}

bool Worklists::anybody_holds() const {
  return !away_.empty() || std::any_of(units_.begin(), units_.end(),
                                       [](const CoreUnit* unit) { return unit->holds(); });
}

// ---- Schemes that decide for all cores together.

Cycle Worklists::wake() const {
  if (units_.empty()) return kNever;
  if (scheme_ == nullptr) return next_sample_;
  for (const WorklistUnit* unit : banked_) {
    if (unit->size(0) + unit->size(1) == 0) continue;
    const Cycle interval = config_.interval, now = path_.now();
    return std::min(next_sample_, (now + interval - 1) / interval * interval);
  }
  return next_sample_;
}

void Worklists::cycle() {
  if (path_.now() >= next_sample_) sample();
  if (scheme_ != nullptr && path_.now() % config_.interval == 0) redistribute();
}

void Worklists::sample() {
  unsigned lanes = 0;
  for (const CoreUnit* unit : units_) lanes += unit->holding();
  activity_.active.add(lanes);
  next_sample_ = path_.now() + activity_.active.distance();
}

void Worklists::redistribute() {
  for (const unsigned side : {sides_.pull, sides_.push()}) {
    for (unsigned sm = 0; sm < sms_; ++sm) {
      works_[sm] = banked_[sm]->work(side);
      plans_[sm].clear();
    }
    transfers_.clear();
    scheme_->plan(works_, plans_, transfers_);
    for (const Transfer& transfer : transfers_) {
      banked_[transfer.from_core]->give(*banked_[transfer.to_core], transfer, side);
    }
    if (!transfers_.empty()) {
      for (WorklistUnit* unit : banked_) unit->tell(path_.now());
    }
    bool planned = false;
    for (unsigned sm = 0; sm < sms_; ++sm) {
      if (plans_[sm].donations.empty() && plans_[sm].sends.empty()) continue;
      banked_[sm]->follow(plans_[sm], side);
      planned = true;
    }
    if (planned || !sides_.double_buffered) break;
  }
}

// ---- Errors.

const char* Worklists::keep(std::string text) {
  const std::lock_guard lock(texts_change_);
  const auto there = std::find(texts_.begin(), texts_.end(), text);
  if (there != texts_.end()) return there->c_str();
  return texts_.emplace_back(std::move(text)).c_str();
}

const char* Worklists::id_too_large(std::uint32_t id) {
  return keep(fmt::format("work id {} does not fit into the worklist's {} bits ({})", id,
                          config_.id_bits.value(), config_.id_bits.path()));
}

const char* Worklists::overflows(unsigned sm, unsigned bank, unsigned buffer) {
  return keep(
      fmt::format("the worklist is full: multiprocessor {} has no room for a work id in a bank of "
                  "{} and in its "
                  "{} of the overflow buffer; wlinit was given {} bytes for {} multiprocessors{}",
                  sm, bank, buffer, std::uint64_t{buffer_.entries} * sizeof(std::uint32_t), sms_,
                  sides_.double_buffered ? " and two sides" : ""));
}

const char* Worklists::wrong_buffer(Address base, std::uint64_t bytes) {
  if (base % kHeaderBytes != 0) {
    return keep(
        fmt::format("the overflow buffer at {:#x} is not aligned to {} bytes", base, kHeaderBytes));
  }
  if (bytes < kHeaderBytes) {
    return keep(fmt::format("the overflow buffer has {} bytes, and needs {} for its header", bytes,
                            kHeaderBytes));
  }
  if (path_.services().space().values(base, bytes) == nullptr) {
    return keep(
        fmt::format("the overflow buffer, {} bytes at {:#x}, does not lie in allocated "
                    "memory",
                    bytes, base));
  }
  return nullptr;
}

const char* Worklists::refuses(std::uint32_t id) {
  if (id >> config_.id_bits != 0) return id_too_large(id);
  if (config_.bank_entries == 0 || !(config_.list == "banks")) return nullptr;
  const unsigned sides = sides_.double_buffered ? 2 : 1;
  const unsigned bank = config_.bank_entries / sides, buffer = part().entries / sides;
  const std::uint64_t room = std::uint64_t{sms_} * (config_.banks * bank + buffer);
  return functional_.size(sides_.push()) < room ? nullptr : overflows(0, bank, buffer);
}

}  // namespace raddle::mechanisms::hwwl
