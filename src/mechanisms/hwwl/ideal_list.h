// One worklist for all cores, with unlimited capacity and bandwidth (hardware-worklists, section
// IV.B). Its order is first in, first out, or the smallest work id first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "mechanisms/hwwl/core_unit.h"

namespace raddle::mechanisms::hwwl {

class IdealList {
 public:
  explicit IdealList(bool sorted) : sorted_(sorted) {}
  bool empty(unsigned side) const { return ids_[side].empty(); }
  std::uint32_t size(unsigned side) const { return static_cast<std::uint32_t>(ids_[side].size()); }
  void push(unsigned side, std::uint32_t id) {
    ids_[side].push_back(id);
    if (sorted_) std::push_heap(ids_[side].begin(), ids_[side].end(), std::greater<>());
  }
  std::uint32_t pop(unsigned side) {
    std::deque<std::uint32_t>& ids = ids_[side];
    if (sorted_) {
      std::pop_heap(ids.begin(), ids.end(), std::greater<>());
      const std::uint32_t id = ids.back();
      ids.pop_back();
      return id;
    }
    const std::uint32_t id = ids.front();
    ids.pop_front();
    return id;
  }
  void clear() {
    for (auto& ids : ids_) ids.clear();
  }

 private:
  bool sorted_;
  std::deque<std::uint32_t> ids_[2];
};

/// The pulls and pushes of a multiprocessor to the list. They are executed after the cycle, one
/// multiprocessor after the other.
class IdealUnit : public CoreUnit {
 public:
  IdealUnit(const HwwlConfig& config, Worklists& all, machine::SmPort& port)
      : CoreUnit(config, all, port) {}

  bool can_issue(const isa::Instruction&, Cycle) const override { return true; }
  void configure(const Sides& sides, const Buffer&) override { sides_ = sides; }
  void boundary(const Sides& sides, Cycle) override { sides_ = sides; }
  unsigned size(unsigned) const override { return 0; }  // the work ids are in the list

 private:
  struct Pull {
    UnitIssue issue;
    machine::UnitResult result;
  };
  void pull(const UnitIssue& issue, Cycle now) override;
  void push(const UnitIssue& issue, Cycle now) override;
  void commit_own(Cycle now) override;
  void flush() override;

  std::vector<Pull> pulls_;
  std::vector<std::uint32_t> pushes_;
};

}  // namespace raddle::mechanisms::hwwl
