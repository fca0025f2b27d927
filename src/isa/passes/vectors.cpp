// Loads of neighbouring words become one load where the address is known to be a multiple of their
// size: of two or four words of shared memory, or two of constant memory. Assemblers do the same;
// they know where such memory lies, but not where pointers point. Only loads of one source line are
// joined, so that an error is still reported at its line.
#include <fmt/core.h>

#include <algorithm>

#include "isa/passes/alignment.h"
#include "isa/passes/built_in.h"
#include "isa/passes/dependences.h"
#include "isa/semantics/memory.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

/// How many instructions may lie between the first load and one that joins it.
constexpr std::size_t kReach = 96;

class Joining {
 public:
  explicit Joining(FunctionBody& body)
      : body_(body), definitions_(body), alignment_(body), values_(body, definitions_) {}

  unsigned run() {
    for (const BlockId block : body_.blocks()) join_block(block);
    for (const InstructionId id : gone_) body_.erase(id);
    return static_cast<unsigned>(gone_.size());
  }

 private:
  struct Load {
    std::size_t at = 0;  // place in the block
    MemoryEvent event;
  };

  bool is_candidate(const LirInstruction& lir) const {
    if (lir.row == nullptr || lir.opcode != "ld" || lir.out.kind != Kind::memory) return false;
    if (most_bytes(lir) == 0 || lir.form.vector != 1 || lir.conditional()) return false;
    if (lir.memory.order != Order::none && lir.memory.order != Order::weak) return false;
    const unsigned bytes = lir.out.bytes;
    return (bytes == 4 || bytes == 8) && body_.register_bytes(lir.d.id) == bytes;
  }

  /// The most bytes of one load: LDS.128, LDC.64.
  static unsigned most_bytes(const LirInstruction& lir) {
    if (lir.memory.space == Space::shared) return 16;
    return lir.memory.space == Space::constant ? 8 : 0;
  }

  static bool alike(const LirInstruction& a, const LirInstruction& b) {
    const bool same_line = a.from != nullptr && b.from != nullptr &&
                           a.from->at.source_file == b.from->at.source_file &&
                           a.from->at.source_line == b.from->at.source_line &&
                           a.from->at.inlined == b.from->at.inlined;
    return same_line && a.out.execute == b.out.execute && a.out.extra == b.out.extra &&
           a.s[0] == b.s[0];
  }

  void join_block(BlockId block) {
    const std::vector<InstructionId> inside = body_.instructions(block);
    values_.begin_block();
    events_.clear();
    for (const InstructionId id : inside) {
      events_.push_back(memory_event(body_[id], values_));
      values_.step(body_[id]);
    }
    std::vector<bool> taken(inside.size(), false);
    for (std::size_t n = 0; n < inside.size(); ++n) {
      if (taken[n] || !is_candidate(body_[inside[n]])) continue;
      join_from(inside, n, taken);
    }
  }

  /// Joins the load with later loads that can move to its place.
  void join_from(const std::vector<InstructionId>& inside, std::size_t first,
                 std::vector<bool>& taken) {
    const LirInstruction& lead = body_[inside[first]];
    const unsigned bytes = lead.out.bytes;
    const MemoryEvent& at_lead = events_[first];
    std::vector<std::size_t> found = {first};
    std::vector<std::uint32_t> named;  // registers that instructions in between read or write
    for (std::size_t n = first + 1; n < inside.size() && n - first <= kReach; ++n) {
      const LirInstruction& lir = body_[inside[n]];
      if (placing_of(lir) == Placing::in_line) break;
      if (!taken[n] && is_candidate(lir) && alike(lead, lir) &&
          events_[n].address.root == at_lead.address.root && base(n, lir) == base(first, lead)) {
        const auto distance =
            static_cast<std::int64_t>(events_[n].address.offset - at_lead.address.offset);
        const bool near = distance > -16 && distance < 16 && distance % bytes == 0;
        const bool free = std::find(named.begin(), named.end(), lir.d.id) == named.end();
        if (near && free && !known_place(found, n)) found.push_back(n);
      } else if (keeps_order(at_lead, events_[n])) {
        break;
      }
      lir.for_each_read([&](std::uint32_t reg) { named.push_back(reg); });
      lir.for_each_write([&](std::uint32_t reg) { named.push_back(reg); });
    }
    for (const unsigned elements : {most_bytes(lead) / bytes, 2u}) {
      if (elements < 2) return;
      if (found.size() >= elements && make_vector(inside, found, elements, taken)) return;
    }
  }

  /// The offset of the address register from the root.
  std::uint64_t base(std::size_t n, const LirInstruction& lir) const {
    return events_[n].address.offset - static_cast<std::uint64_t>(lir.out.immediate);
  }

  bool known_place(const std::vector<std::size_t>& found, std::size_t n) const {
    return std::any_of(found.begin(), found.end(), [&](std::size_t m) {
      return events_[m].address.offset == events_[n].address.offset;
    });
  }

  /// Joins loads of adjacent words that begin at a multiple of their size; found[0] need not be the
  /// first word.
  bool make_vector(const std::vector<InstructionId>& inside, std::vector<std::size_t> found,
                   unsigned elements, std::vector<bool>& taken) {
    const std::size_t lead = found.front();
    const LirInstruction& first = body_[inside[lead]];
    const std::uint64_t bytes = first.out.bytes, size = bytes * elements;
    if ((std::uint64_t{1} << alignment_.zeros(first.s[0])) < size) return false;
    const auto immediate = [&](std::size_t n) { return body_[inside[n]].out.immediate; };
    const std::int64_t start = first.out.immediate & ~static_cast<std::int64_t>(size - 1);
    std::vector<std::size_t> places;
    for (unsigned e = 0; e < elements; ++e) {
      const auto wanted = start + static_cast<std::int64_t>(e * bytes);
      const auto at = std::find_if(found.begin(), found.end(),
                                   [&](std::size_t n) { return immediate(n) == wanted; });
      if (at == found.end()) return false;
      places.push_back(*at);
    }
    LirInstruction whole = first;
    whole.out.immediate = start;
    whole.out.bytes = static_cast<std::uint8_t>(size);
    whole.out.elements = static_cast<std::uint8_t>(elements);
    whole.form.vector = static_cast<std::uint8_t>(elements);
    for (unsigned e = 0; e < elements; ++e) {
      (e == 0 ? whole.d : whole.s[e]) = body_[inside[places[e]]].d;
      whole.writes_s[e] = e != 0;
    }
    for (unsigned a = 0; a < elements; ++a) {
      for (unsigned b = 0; b < a; ++b) {
        if (body_[inside[places[a]]].d == body_[inside[places[b]]].d) return false;
      }
    }
    for (const std::size_t n : places) {
      taken[n] = true;
      if (n != lead) gone_.push_back(inside[n]);
    }
    body_.replace(inside[lead], std::move(whole));
    return true;
  }

  FunctionBody& body_;
  Definitions definitions_;
  Alignment alignment_;
  AddressValues values_;
  std::vector<MemoryEvent> events_;  // [place in the block]
  std::vector<InstructionId> gone_;
};

class Vectors : public Pass {
 public:
  const char* name() const override { return "vectors"; }
  const char* meaning() const override {
    return "load neighbouring words of shared or constant memory in one instruction";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    notes.push_back(fmt::format("{} loads joined with others", Joining(body).run()));
  }
};

}  // namespace

std::shared_ptr<const Pass> vector_loads() { return std::make_shared<Vectors>(); }

}  // namespace raddle::isa
