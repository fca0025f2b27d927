#include "isa/passes/webs.h"

#include <algorithm>
#include <numeric>

namespace raddle::isa {
namespace {

/// Calls read(operand) and write(operand) for references to registers, including those of parts.
template <class Read, class Write>
void for_each_operand(LirInstruction& lir, Read read, Write write) {
  const auto note = [&](Ref& ref, bool written) {
    if (!ref.is_register()) return;
    if (written) {
      write(ref.id);
    } else {
      read(ref.id);
    }
  };
  note(lir.d, !lir.reads_d);
  for (unsigned n = 0; n < 4; ++n) note(lir.s[n], lir.writes_s[n]);
  for (std::size_t n = 0; n < lir.list.size(); ++n) note(lir.list[n], n < lir.list_writes);
  for (LirInstruction& part : lir.parts) for_each_operand(part, read, write);
}

class Webs {
 public:
  Webs(FunctionBody& body, const std::vector<bool>& chosen)
      : body_(body), chosen_(chosen), now_(body.register_count(), kNone) {}

  void run() {
    find_entries();
    for (const BlockId block : body_.blocks()) walk(block);
    rename();
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Entry {
    std::uint32_t reg = 0, value = 0;
  };
  struct Named {
    std::uint32_t reg = 0, read = kNone, written = kNone;  // values
  };

  bool is_chosen(std::uint32_t reg) const { return reg < chosen_.size() && chosen_[reg]; }

  std::uint32_t new_value() {
    parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    return parent_.back();
  }
  std::uint32_t root(std::uint32_t value) {
    while (parent_[value] != value) value = parent_[value] = parent_[parent_[value]];
    return value;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t first = root(a), second = root(b);
    parent_[std::max(first, second)] = std::min(first, second);
  }

  void find_entries() {
    const auto& blocks = body_.blocks();
    entries_.resize(*std::max_element(blocks.begin(), blocks.end()) + 1);
    for (const BlockId block : blocks) {
      for (const std::uint32_t reg : body_.live_in(block)) {
        if (is_chosen(reg)) entries_[block].push_back({reg, new_value()});
      }
    }
  }

  void walk(BlockId block) {
    std::vector<std::uint32_t> touched;
    const auto set = [&](std::uint32_t reg, std::uint32_t value) {
      now_[reg] = value;
      touched.push_back(reg);
    };
    for (const Entry& entry : entries_[block]) set(entry.reg, entry.value);
    for (const InstructionId id : body_.instructions(block)) {
      const LirInstruction& lir = body_[id];
      std::vector<Named> named;
      const auto find = [&](std::uint32_t reg) -> Named& {
        for (Named& one : named) {
          if (one.reg == reg) return one;
        }
        return named.emplace_back(Named{reg});
      };
      lir.for_each_read([&](std::uint32_t reg) {
        if (!is_chosen(reg)) return;
        if (now_[reg] == kNone) set(reg, new_value());
        find(reg).read = now_[reg];
      });
      lir.for_each_write([&](std::uint32_t reg) {
        if (!is_chosen(reg)) return;
        const std::uint32_t value = new_value();
        if (lir.keeps_others() && now_[reg] != kNone) join(value, now_[reg]);
        set(reg, value);
        find(reg).written = value;
      });
      names_.push_back({id, std::move(named)});
    }
    for (const BlockId next : body_.successors(block)) {
      for (const Entry& entry : entries_[next]) {
        if (now_[entry.reg] != kNone) join(entry.value, now_[entry.reg]);
      }
    }
    for (const std::uint32_t reg : touched) now_[reg] = kNone;
  }

  /// The first web of a register keeps it.
  std::uint32_t register_of(std::uint32_t reg, std::uint32_t value) {
    const std::uint32_t web = root(value);
    if (of_web_[web] != kNone) return of_web_[web];
    const bool first = !taken_[reg];
    taken_[reg] = true;
    return of_web_[web] = first ? reg : body_.new_register(body_.register_bytes(reg));
  }

  void rename() {
    of_web_.assign(parent_.size(), kNone);
    taken_.assign(chosen_.size(), false);
    for (const auto& [id, named] : names_) {
      if (named.empty()) continue;
      const auto to = [&](std::uint32_t& reg, bool written) {
        if (!is_chosen(reg)) return;
        for (const Named& one : named) {
          if (one.reg != reg) continue;
          const std::uint32_t value = written || one.read == kNone ? one.written : one.read;
          reg = register_of(reg, value);
          return;
        }
      };
      for_each_operand(
          body_.change(id), [&](std::uint32_t& reg) { to(reg, false); },
          [&](std::uint32_t& reg) { to(reg, true); });
    }
  }

  FunctionBody& body_;
  const std::vector<bool>& chosen_;
  std::vector<std::uint32_t> now_;  // [register] its value at this place
  std::vector<std::uint32_t> parent_;
  std::vector<std::vector<Entry>> entries_;  // [block] values from other blocks
  std::vector<std::pair<InstructionId, std::vector<Named>>> names_;
  std::vector<std::uint32_t> of_web_;  // [value that is the root of a web] register
  std::vector<bool> taken_;            // [register] a web has kept it
};

}  // namespace

void split_webs(FunctionBody& body, const std::vector<bool>& chosen) { Webs(body, chosen).run(); }

}  // namespace raddle::isa
