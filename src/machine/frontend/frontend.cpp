#include "machine/frontend/frontend.h"

#include "base/stats.h"
#include "machine/frontend/config.h"

namespace raddle::machine {

struct FrontendStats : StatGroup {
  using StatGroup::StatGroup;
  Counter fetches{*this, "fetches", "fetches",
                  "Groups of frontend.fetch_width instructions that warps' buffers asked for."};
  Counter port_waits{*this, "port_waits", "fetches",
                     "Fetches that had to wait because others used the scheduler's port."};
  Counter flushes{*this, "flushes", "fetches",
                  "Fetches of a branch target, which discard what was buffered."};
  Counter l0_misses{*this, "l0_misses", "lines", "Lines that were not in the scheduler's cache."};
  Counter l1_misses{*this, "l1_misses", "lines", "Lines that were not in the SM's cache."};
  Counter prefetches{*this, "prefetches", "lines", "Lines prefetched."};
  Counter requests{*this, "requests", "packets", "Request packets of the network."};
  Counter replies{*this, "replies", "packets", "Reply packets of the network."};
};

Frontend::Frontend(const FrontendConfig& config, unsigned schedulers, unsigned buffers, unsigned sm,
                   MemoryPort& port, StatGroup& parent)
    : instruction_bytes_(config.instruction_bytes),
      control_every_(config.control_every),
      fetch_width_(config.fetch_width),
      line_bytes_(config.line),
      l1_latency_(config.l1_latency),
      prefetch_(config.prefetch),
      schedulers_(schedulers),
      sm_(sm),
      port_free_(schedulers),
      buffers_(buffers),
      port_(port),
      stats_(parent.unit<FrontendStats>("frontend")) {
  const InstructionCache l1(config.l1_bytes, config.line, config.l1_ways);
  if (config.l0_bytes == 0) {
    first_level_.push_back(l1);
  } else {
    first_level_.assign(schedulers, InstructionCache(config.l0_bytes, config.line, config.l0_ways));
    second_level_ = l1;
  }
}

/// The warp has come to the end of its current group, or jumped out of it.
Cycle Frontend::refill(PathId path, std::uint32_t pc, Cycle now) {
  Buffer& buffer = buffers_[path];
  const unsigned scheduler = warp_of(path) % schedulers_;
  if (!buffer.next.holds(pc)) {
    ++stats_.flushes;
    buffer.current.count = 0;
    request(buffer, scheduler, pc, now);
  }
  if (buffer.next_ready > now) return buffer.next_ready;
  buffer.current = buffer.next;
  request(buffer, scheduler, buffer.current.first + buffer.current.count, now);
  return now;
}

/// Fetches the aligned group of instructions that begins with, or holds, `pc`.
void Frontend::request(Buffer& buffer, unsigned scheduler, std::uint32_t pc, Cycle now) {
  ++stats_.fetches;
  const Cycle at = std::max(now, port_free_[scheduler]);
  stats_.port_waits += at != now;
  port_free_[scheduler] = at + 1;
  if (!buffer.line.holds(pc)) {
    const Lines lines = locate(buffer, pc);
    buffer.line_ready = 0;
    buffer.awaited = kNever;
    for (Address line = lines.first; line <= lines.last; ++line) {
      const Cycle ready = find_line(scheduler, line, at);
      if (ready == kNever) buffer.awaited = line;  // lines before it were requested earlier
      buffer.line_ready = std::max(buffer.line_ready, ready);
    }
  }
  buffer.asked = at;
  const std::uint32_t end =
      std::min((pc | (fetch_width_ - 1)) + 1, buffer.line.first + buffer.line.count);
  buffer.next = {pc, end - pc};
  buffer.next_ready = std::max(at, buffer.line_ready);
}

/// The lines in which `pc` lies; notes which of the following instructions lie there too. A control
/// word comes before the instructions that share it (Kepler: 7, Maxwell and Pascal: 3).
Frontend::Lines Frontend::locate(Buffer& buffer, std::uint32_t pc) const {
  if (!buffer.words.empty()) return locate_sequence(buffer, pc);
  const std::uint32_t every = control_every_;
  const std::uint32_t word = every == 0 ? pc : pc + pc / every + 1;
  const Address address = buffer.base + Address{word} * instruction_bytes_;
  const auto words_behind =
      static_cast<std::uint32_t>(line_bytes_ - 1 - address % line_bytes_) / instruction_bytes_;
  const std::uint32_t last_word = word + words_behind;
  const std::uint32_t last =
      every == 0 ? last_word : last_word / (every + 1) * every + last_word % (every + 1) - 1;
  buffer.line = {pc, last - pc + 1};
  return {address / line_bytes_, address / line_bytes_};
}

/// The same if an instruction may be several machine instructions, and lie in several lines.
Frontend::Lines Frontend::locate_sequence(Buffer& buffer, std::uint32_t pc) const {
  const auto line_of = [&](std::uint32_t word) {
    return (buffer.base + Address{word} * instruction_bytes_) / line_bytes_;
  };
  const std::size_t code_end = buffer.words.size() - 1;
  if (pc >= code_end) {  // behind the code: fetched, never issued
    buffer.line = {pc, 1};
    return {line_of(buffer.words[code_end]), line_of(buffer.words[code_end])};
  }
  const Lines lines{line_of(buffer.words[pc]), line_of(buffer.words[pc + 1] - 1)};
  std::uint32_t end = pc + 1;
  while (end < code_end && line_of(buffer.words[end + 1] - 1) == lines.last) ++end;
  buffer.line = {pc, end - pc};
  return lines;
}

/// When the line can be used. Requests the line if it is missing, and prefetches the lines behind
/// it.
Cycle Frontend::find_line(unsigned scheduler, Address line, Cycle now) {
  InstructionCache& cache = second_level_ ? first_level_[scheduler] : first_level_.front();
  if (InstructionCache::Line* found = cache.find(line)) {
    const Cycle arrives = found->arrives;
    if (std::exchange(found->prefetched, false)) prefetch(cache, line + prefetch_, now);
    return std::max(now, arrives);
  }
  ++(second_level_ ? stats_.l0_misses : stats_.l1_misses);
  const Cycle arrives = next_level(line, now);
  cache.bring(line, arrives, false);
  for (unsigned n = 1; n <= prefetch_; ++n) prefetch(cache, line + n, now);
  return arrives;
}

void Frontend::prefetch(InstructionCache& cache, Address line, Cycle now) {
  if (cache.find(line) != nullptr) return;
  ++stats_.prefetches;
  cache.bring(line, next_level(line, now), true);
}

/// When a line that the first level requests arrives there. The L1 cache serves a line per cycle.
Cycle Frontend::next_level(Address line, Cycle now) {
  if (!second_level_) return from_network(line);
  const Cycle at = std::max(now, l1_port_free_);
  l1_port_free_ = at + 1;
  if (const InstructionCache::Line* found = second_level_->find(line)) {
    return std::max(at + l1_latency_, found->arrives);
  }
  ++stats_.l1_misses;
  second_level_->bring(line, kNever, false);
  return from_network(line);
}

Cycle Frontend::from_network(Address line) {
  // A line that was replaced before it came is still in flight.
  if (std::find(missing_.begin(), missing_.end(), line) == missing_.end()) {
    missing_.push_back(line);
    ++unsent_;
  }
  return kNever;
}

void Frontend::send(Cycle now) {
  if (!can_send()) return;
  const Address first = missing_[missing_.size() - unsent_--] * line_bytes_;
  const unsigned sectors = ((1u << (line_bytes_ + kSectorBytes - 1) / kSectorBytes) - 1)
                           << (first % kLineBytes / kSectorBytes);
  port_.requests.send({.line = first - first % kLineBytes,
                       .token = static_cast<std::uint32_t>(first % kLineBytes),
                       .sm = static_cast<std::uint16_t>(sm_),
                       .sectors = static_cast<SectorMask>(sectors),
                       .reply = Packet::Reply::fill,
                       .cache = CacheId::instruction},
                      now);
  ++stats_.requests;
}

bool Frontend::receive(Cycle now) {
  if (!port_.replies.can_receive(now) || port_.replies.front().cache != CacheId::instruction) {
    return false;
  }
  const Packet reply = port_.replies.receive();
  ++stats_.replies;
  const Address line = (reply.line + reply.token) / line_bytes_;
  missing_.erase(std::find(missing_.begin(), missing_.end(), line));
  if (second_level_) second_level_->arrived(line, now);
  for (InstructionCache& cache : first_level_) cache.arrived(line, now);
  for (Buffer& buffer : buffers_) {
    if (buffer.awaited != line) continue;
    buffer.awaited = kNever;
    buffer.line_ready = now;
    buffer.next_ready = std::max(buffer.asked, now);
  }
  return true;
}

}  // namespace raddle::machine
