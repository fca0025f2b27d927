#include "machine/operands/operands.h"

#include "machine/operands/config.h"
#include "machine/operands/stats.h"

namespace raddle::machine {

Operands::Operands(const OperandsConfig& config, unsigned schedulers, StatGroup& parent)
    : fixed_(config.style == "fixed"),
      banks_(config.banks),
      collectors_(schedulers, OperandCollectors(config.read_ports, config.collectors)),
      fixed_reads_(schedulers,
                   FixedReads(config.banks, config.read_ports, config.window, config.reuse)),
      buses_(schedulers, ResultBus(config.result_buses)),
      stats_(parent.unit<OperandsStats>("operands")) {}

Cycle Operands::read(unsigned scheduler, unsigned warp, const isa::SourceRegisters& sources,
                     bool fixed_latency, Cycle now) {
  stats_.reads += sources.count;
  if (fixed_) return read_fixed(scheduler, warp, sources, fixed_latency, now);
  return late(collectors_[scheduler].read(BankReads(sources.residues, banks_, warp), now));
}

Cycle Operands::read_more(unsigned scheduler, unsigned warp, const isa::SourceRegisters& sources,
                          bool fixed_latency, Cycle now, Cycle later) {
  stats_.reads += sources.count;
  // Both reads share a window: banks without room delay both.
  if (fixed_) return read_fixed(scheduler, warp, sources, fixed_latency, now);
  return late(
      collectors_[scheduler].read_more(BankReads(sources.residues, banks_, warp), now + later));
}

Cycle Operands::read_fixed(unsigned scheduler, unsigned warp, const isa::SourceRegisters& sources,
                           bool fixed_latency, Cycle now) {
  // The compiler, which avoids conflicts, does not know warp numbers: banks do not depend on them.
  BankReads reads(sources.residues, banks_, 0);
  stats_.reused += fixed_reads_[scheduler].reuse(reads, warp, sources);
  return late(fixed_reads_[scheduler].read(reads, fixed_latency, now));
}

/// Counts a delay of operands, and returns it.
inline Cycle Operands::late(Cycle delay) {
  stats_.conflicts += delay != 0;
  stats_.conflict_cycles += delay;
  return delay;
}

Cycle Operands::write(unsigned scheduler, bool fixed_latency, Cycle at, Cycle now) {
  const Cycle booked = buses_[scheduler].book(at, now);
  stats_.result_conflicts += booked != at;
  // A result of fixed latency waits in a queue and reaches its users by a bypass (Huerta et al.,
  // section 5.3).
  return fixed_ && fixed_latency ? at : booked;
}

}  // namespace raddle::machine
