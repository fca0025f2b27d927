#include "machine/whereabouts.h"

#include <fmt/core.h>

#include <algorithm>

#include "isa/kernel_name.h"
#include "machine/fault.h"

namespace raddle::machine {
namespace {

/// A kernel that launches kernels may have thousands of them.
constexpr std::size_t kMostKernels = 8;

/// If a warp has several sets of lanes, each set has a line of its own.
std::string indented(const std::string& text, const char* blanks) {
  std::string result;
  for (const char letter : text) {
    result += letter;
    if (letter == '\n') result += blanks;
  }
  return result;
}

}  // namespace

Whereabouts::Section& Whereabouts::section(const Grid& grid) {
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const Section& one) { return one.id == grid.id; });
  if (found != sections_.end()) return *found;
  Section& fresh = sections_.emplace_back();
  fresh.id = grid.id;
  fresh.kernel = isa::kernel_name(grid.record.kernel);
  fresh.blocks = grid.blocks() + grid.group_blocks;
  fresh.ended = grid.ended_blocks;
  fresh.away = grid.away + grid.to_resume;
  return fresh;
}

void Whereabouts::add(const Grid& grid, const Dim3& block, unsigned warp,
                      const std::string& where) {
  Section& of = section(grid);
  ++of.warps;
  Place& place = of.places[where];
  if (place.warps++ != 0) return;
  place.block = block;
  place.warp = warp;
}

std::string Whereabouts::places_text(const Section& section, unsigned& left) {
  std::vector<const std::pair<const std::string, Place>*> order;
  for (const auto& place : section.places) order.push_back(&place);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->second.warps > b->second.warps; });
  std::string text;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (left == 0) return text + fmt::format("\n    and {} more places", order.size() - i);
    --left;
    const auto& [where, place] = *order[i];
    text += fmt::format("\n    {} warp{}, {}block {}, warp {}:\n      {}", place.warps,
                        place.warps == 1 ? "" : "s", place.warps == 1 ? "" : "such as ",
                        index_text(place.block), place.warp, indented(where, "      "));
  }
  return text;
}

std::string warp_line(const Dim3& block, unsigned warp, const std::string& where) {
  return fmt::format("\n  block {}, warp {}: {}", index_text(block), warp, indented(where, "    "));
}

std::string Whereabouts::text(unsigned most) const {
  std::string text;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (i == kMostKernels)
      return text + fmt::format("\n  and {} more kernels", sections_.size() - i);
    const Section& section = sections_[i];
    text += fmt::format("{}  kernel {}: {} of {} blocks have ended, {} warps are resident",
                        text.empty() ? "" : "\n", section.kernel, section.ended, section.blocks,
                        section.warps);
    if (section.away != 0) {
      text +=
          fmt::format(", {} blocks are away, to wait or because they were preempted", section.away);
    }
    text += places_text(section, most);
  }
  return text;
}

}  // namespace raddle::machine
