#include "isa/lower/joint_sequence.h"

#include <algorithm>
#include <map>

#include "base/error.h"

namespace raddle::isa {
namespace {

using Side = JointPlace::Side;

class Ordering {
 public:
  Ordering(const std::vector<LirInstruction>& code, std::string_view function)
      : code_(code), function_(function) {
    order_.item_of.resize(code.size());
  }

  EmissionOrder run() {
    for (std::uint32_t n = 0; n < code_.size(); ++n) {
      if (code_[n].joint.region != 0) members_[code_[n].joint.region].push_back(n);
    }
    for (std::uint32_t n = 0; n < code_.size(); ++n) {
      const JointPlace& joint = code_[n].joint;
      if (joint.region == 0) {
        order_.item_of[n] = count();
        order_.items.push_back({.first = n});
      } else if (joint.place == 0) {
        add_region(n, members_[joint.region]);
      }
    }
    return std::move(order_);
  }

 private:
  std::uint32_t count() const { return static_cast<std::uint32_t>(order_.items.size()); }

  void add_region(std::uint32_t branch, std::vector<std::uint32_t>& members) {
    std::stable_sort(members.begin(), members.end(), [&](std::uint32_t a, std::uint32_t b) {
      return code_[a].joint.place < code_[b].joint.place;
    });
    if (members.front() != branch || code_[branch].out.kind != Kind::branch ||
        (members.size() > 1 && code_[members[1]].joint.place == 0)) {
      fail("a pass has joined sides in '{}' that do not begin with a branch", function_);
    }
    order_.joint = true;
    const std::uint32_t begin = count();
    for (const std::uint32_t n : members) {
      if (code_[n].joint.side != Side::none) add(n, begin);
    }
    const bool jumps_at_end = place_of(order_.items.back()).last;
    for (const std::uint32_t n : members) {
      if (code_[n].joint.side == Side::none) order_.item_of[n] = count() - (jumps_at_end ? 1 : 0);
      if (code_[n].joint.inserted) order_.item_of[n] = begin;
    }
    order_.items[begin].begins = true;
    mark_segments(begin);
  }

  void add(std::uint32_t n, std::uint32_t begin) {
    EmittedItem* const before = count() > begin ? &order_.items.back() : nullptr;
    const bool together = before != nullptr && before->second == EmittedItem::kNone &&
                          code_[before->first].joint.place == code_[n].joint.place;
    if (!together) {
      order_.item_of[n] = count();
      order_.items.push_back({.first = n});
      return;
    }
    order_.item_of[n] = count() - 1;
    before->second = n;
    if (code_[n].joint.side == Side::jumps) std::swap(before->first, before->second);
    if (code_[before->first].joint.side != Side::jumps ||
        code_[before->second].joint.side != Side::falls) {
      fail("a pass has given two instructions of one side of a branch of '{}' one place",
           function_);
    }
  }

  const JointPlace& place_of(const EmittedItem& item) const { return code_[item.first].joint; }

  /// Items of one side alone, or of one piece, form a segment. Items that both sides execute do
  /// not.
  bool begins_segment(std::uint32_t n) const {
    if (n == count() || order_.items[n].second != EmittedItem::kNone) return false;
    const JointPlace& at = place_of(order_.items[n]);
    return at.parting || at.last || (at.side != Side::both && at.piece == 0);
  }
  bool same_segment(std::uint32_t n, std::uint32_t next) const {
    const EmittedItem &one = order_.items[n], &other = order_.items[next];
    if (one.second != EmittedItem::kNone || other.second != EmittedItem::kNone) return false;
    const JointPlace &a = place_of(one), &b = place_of(other);
    return !a.last && !b.last && a.piece == b.piece && (a.piece != 0 || a.side == b.side);
  }

  /// Each jump in a piece may bring lanes to the piece's end.
  void mark_segments(std::uint32_t begin) {
    std::uint32_t segment_end = count();
    for (std::uint32_t n = count(); n-- > begin;) {
      EmittedItem& item = order_.items[n];
      if (n + 1 == count() || !same_segment(n, n + 1)) segment_end = n + 1;
      item.segment_end = segment_end;
      const bool leaves_piece = place_of(item).piece != 0 && code_[item.first].jumps();
      const bool to_segment = segment_end == n + 1 || place_of(item).parting || leaves_piece;
      item.ends_segment = to_segment && begins_segment(segment_end);
    }
  }

  const std::vector<LirInstruction>& code_;
  const std::string_view function_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> members_;  // [region] its instructions
  EmissionOrder order_;
};

}  // namespace

EmissionOrder emission_order(const LirCode& code, std::string_view function) {
  return Ordering(code.instructions(), function).run();
}

}  // namespace raddle::isa
