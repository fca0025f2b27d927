// The worklist without timing: one list for the whole GPU. Its capacity is that of all banks and of
// the overflow buffer.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <set>
#include <unordered_map>

#include "isa/warp_context.h"
#include "mechanisms/hwwl/tokens.h"

namespace raddle::mechanisms::hwwl {

/// A block by its grid and its index, independent of the multiprocessor.
using BlockName = std::array<std::uint64_t, 4>;
BlockName name_of(const isa::BlockContext& block);

class FunctionalList {
 public:
  void clear() {
    for (auto& ids : ids_) ids.clear();
  }
  void push(unsigned side, std::uint32_t id) { ids_[side].push_back(id); }
  std::uint32_t size(unsigned side) const { return static_cast<std::uint32_t>(ids_[side].size()); }
  /// Pulls for the lanes of a warp, which then hold the work ids that they get. Returns whether the
  /// state has changed.
  bool pull(const isa::WarpContext& warp, LaneMask lanes, const Sides& sides, std::uint32_t* ids);
  /// Whether the block has used the list.
  bool used(const isa::BlockContext& block) const { return users_.contains(name_of(block)); }
  void use(const isa::BlockContext& block) { users_.insert(name_of(block)); }
  void block_ended(const isa::BlockContext& block);
  bool in_use() const { return !users_.empty(); }

 private:
  bool anybody_holds();

  std::deque<std::uint32_t> ids_[2];
  std::unordered_map<const isa::WarpContext*, LaneMask> holders_;
  std::set<BlockName> users_;
};

// The semantics of the instructions without timing. Blocks execute them in turn. Units recognise an
// instruction by its function.
void execute_init(isa::WarpContext&, const isa::Instruction&);
void execute_configure(isa::WarpContext&, const isa::Instruction&);
void execute_pull(isa::WarpContext&, const isa::Instruction&);
void execute_push(isa::WarpContext&, const isa::Instruction&);
void execute_size(isa::WarpContext&, const isa::Instruction&);
bool is_pull(const isa::Instruction&);

// The error in an instruction's operands; nullptr: none.
const char* wrong_number(const isa::WarpContext&, const isa::Instruction&);
const char* wrong_mode(std::uint32_t mode);
/// The warp's lane faults.
void raise(isa::WarpContext&, unsigned lane, const char* text);

}  // namespace raddle::mechanisms::hwwl
