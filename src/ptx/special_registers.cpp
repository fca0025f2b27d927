#include "ptx/special_registers.h"

#include <algorithm>
#include <charconv>

namespace raddle::ptx {
namespace {

constexpr std::string_view kScalars[] = {
    "%aggr_smem_size",
    "%clock",
    "%clock64",
    "%clock_hi",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%current_graph_exec",
    "%dynamic_smem_size",
    "%globaltimer",
    "%globaltimer_hi",
    "%globaltimer_lo",
    "%gridid",
    "%is_explicit_cluster",
    "%laneid",
    "%lanemask_eq",
    "%lanemask_ge",
    "%lanemask_gt",
    "%lanemask_le",
    "%lanemask_lt",
    "%nsmid",
    "%nwarpid",
    "%reserved_smem_offset_0",
    "%reserved_smem_offset_1",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_end",
    "%smid",
    "%total_smem_size",
    "%warpid",
};
static_assert(std::is_sorted(std::begin(kScalars), std::end(kScalars)));

struct Vector {
  std::string_view name;
  std::string_view elements[4];
};

constexpr Vector kVectors[] = {
    {"%tid", {"%tid.x", "%tid.y", "%tid.z", "%tid.w"}},
    {"%ntid", {"%ntid.x", "%ntid.y", "%ntid.z", "%ntid.w"}},
    {"%ctaid", {"%ctaid.x", "%ctaid.y", "%ctaid.z", "%ctaid.w"}},
    {"%nctaid", {"%nctaid.x", "%nctaid.y", "%nctaid.z", "%nctaid.w"}},
    {"%clusterid", {"%clusterid.x", "%clusterid.y", "%clusterid.z", "%clusterid.w"}},
    {"%nclusterid", {"%nclusterid.x", "%nclusterid.y", "%nclusterid.z", "%nclusterid.w"}},
    {"%cluster_ctaid",
     {"%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z", "%cluster_ctaid.w"}},
    {"%cluster_nctaid",
     {"%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z", "%cluster_nctaid.w"}},
};

const Vector* find_vector(std::string_view name) {
  for (const Vector& vector : kVectors) {
    if (vector.name == name) return &vector;
  }
  return nullptr;
}

/// prefix<0..count-1>suffix: %pm0 .. %pm7, %pm0_64 .., %envreg0 .. %envreg31.
bool is_numbered(std::string_view name, std::string_view prefix, std::string_view suffix,
                 unsigned count) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return false;
  if (name.size() <= prefix.size() + suffix.size()) return false;
  name = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool leading_zero = name.size() > 1 && name.front() == '0';
  return error == std::errc{} && stop == name.data() + name.size() && number < count &&
         !leading_zero;
}

}  // namespace

bool is_special_scalar(std::string_view name) {
  return std::binary_search(std::begin(kScalars), std::end(kScalars), name) ||
         is_numbered(name, "%pm", "", 8) || is_numbered(name, "%pm", "_64", 8) ||
         is_numbered(name, "%envreg", "", 32);
}

bool is_special_vector(std::string_view name) { return find_vector(name) != nullptr; }

std::string_view special_element(std::string_view name, unsigned element) {
  return find_vector(name)->elements[element];
}

}  // namespace raddle::ptx
