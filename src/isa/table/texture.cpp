// 9.7.10 Texture and 9.7.11 surface instructions. Operands: lower/texture.cpp.
#include "isa/semantics/texture.h"
#include "isa/lower/rows.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

#define RADDLE_TEX_GEOMETRY "(.1d|.2d|.3d|.a1d|.a2d|.cube|.acube)"
#define RADDLE_SURFACE_GEOMETRY "(.1d|.2d|.3d|.a1d|.a2d)"
#define RADDLE_BOUNDARY "(.trap|.clamp|.zero)"
#define RADDLE_QUERIES                                                                 \
  "width height depth channel_data_type channel_order normalized_coords array_size "   \
  "num_mipmap_levels num_samples memory_layout force_unnormalized_coords filter_mode " \
  "addr_mode_0 addr_mode_1 addr_mode_2"
constexpr std::string_view kGeometries = "1d 2d 3d a1d a2d cube acube base level grad r g b a";
constexpr std::string_view kSurface = "1d 2d 3d a1d a2d b p trap clamp zero";

const Row kRows[] = {
    {"tex",
     "{.base|.level|.grad}" RADDLE_TEX_GEOMETRY ".v4(.f32|.u32|.s32|.f16)(.f32|.s32)",
     {lower_texture, kTakesSymbols},
     Class::texture,
     Kind::memory,
     nullptr,
     "9.7.10.3",
     kGeometries},
    {"tex",
     "{.base|.level|.grad}" RADDLE_TEX_GEOMETRY ".v2(.f16x2)(.f32|.s32)",
     {lower_texture, kTakesSymbols},
     Class::texture,
     Kind::memory,
     nullptr,
     "9.7.10.3",
     kGeometries},
    {"tld4",
     "(.r|.g|.b|.a)(.2d|.a2d|.cube|.acube).v4(.f32|.u32|.s32)(.f32)",
     {lower_gather, kTakesSymbols},
     Class::texture,
     Kind::memory,
     nullptr,
     "9.7.10.4",
     kGeometries},
    {"txq",
     "(.width|.height|.depth|.channel_data_type|.channel_order|.normalized_coords|.array_size|"
     ".num_mipmap_levels|.num_samples|.force_unnormalized_coords|.filter_mode|.addr_mode_0|"
     ".addr_mode_1|.addr_mode_2)(.b32)",
     {lower_texture_query, kTakesSymbols},
     Class::move,
     Kind::compute,
     nullptr,
     "9.7.10.5",
     RADDLE_QUERIES},
    {"txq",
     ".level(.width|.height|.depth)(.b32)",
     {lower_level_query, kTakesSymbols},
     Class::move,
     Kind::compute,
     nullptr,
     "9.7.10.5",
     RADDLE_QUERIES},
    {"istypep",
     "(.texref|.samplerref|.surfref)",
     {lower_is_type, kTakesSymbols},
     Class::move,
     Kind::compute,
     nullptr,
     "9.7.10.6"},
    {"suld",
     ".b" RADDLE_SURFACE_GEOMETRY "{.ca|.cg|.cs|.cv}{.v2|.v4}(.b8|.b16|.b32|.b64)" RADDLE_BOUNDARY,
     {lower_surface_load, kTakesSymbols},
     Class::texture,
     Kind::memory,
     nullptr,
     "9.7.11.1",
     kSurface},
    {"sust",
     ".b" RADDLE_SURFACE_GEOMETRY "{.wb|.cg|.cs|.wt}{.v2|.v4}(.b8|.b16|.b32|.b64)" RADDLE_BOUNDARY,
     {lower_surface_store, kTakesSymbols},
     Class::texture,
     Kind::memory,
     nullptr,
     "9.7.11.2",
     kSurface},
    {"sust",
     ".p" RADDLE_SURFACE_GEOMETRY "{.wb|.cg|.cs|.wt}{.v2|.v4}(.b32)" RADDLE_BOUNDARY,
     {lower_surface_store, kTakesSymbols},
     Class::texture,
     Kind::memory,
     nullptr,
     "9.7.11.2",
     kSurface},
    {"sured",
     ".b(.add)"
     "(.1d|.2d|.3d)"
     "(.u32|.s32|.u64)" RADDLE_BOUNDARY,
     {lower_surface_reduction, kTakesSymbols},
     Class::texture,
     Kind::memory,
     nullptr,
     "9.7.11.3",
     kSurface},
    {"sured",
     ".b(.min|.max)"
     "(.1d|.2d|.3d)"
     "(.u32|.s32|.u64|.s64)" RADDLE_BOUNDARY,
     {lower_surface_reduction, kTakesSymbols},
     Class::texture,
     Kind::memory,
     nullptr,
     "9.7.11.3",
     kSurface},
    {"sured",
     ".b(.and|.or)"
     "(.1d|.2d|.3d)"
     "(.b32)" RADDLE_BOUNDARY,
     {lower_surface_reduction, kTakesSymbols},
     Class::texture,
     Kind::memory,
     nullptr,
     "9.7.11.3",
     kSurface},
    {"sured",
     ".p(.add|.min|.max|.and|.or)(.1d|.2d|.3d)(.b32)" RADDLE_BOUNDARY,
     {lower_surface_reduction, kTakesSymbols},
     Class::texture,
     Kind::memory,
     nullptr,
     "9.7.11.3",
     kSurface},
    {"suq",
     "(.width|.height|.depth|.channel_data_type|.channel_order|.array_size|.memory_layout)(.b32)",
     {lower_surface_query, kTakesSymbols},
     Class::move,
     Kind::compute,
     nullptr,
     "9.7.11.4",
     RADDLE_QUERIES},
};

}  // namespace

std::span<const Row> texture_rows() { return kRows; }

}  // namespace raddle::isa
