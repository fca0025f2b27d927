#include "image_forms.h"

#include <fmt/core.h>

#include "memory_forms.h"
#include "references.h"

namespace raddle::tests {
namespace {

bool is_geometry(std::string_view word) {
  return word == "1d" || word == "2d" || word == "3d" || word == "a1d" || word == "a2d" ||
         word == "cube" || word == "acube";
}

/// The coordinates of a geometry in the order of the operand, of registers x y z and the layer z.
std::string coordinates(const std::string& geometry, const std::string& x, const std::string& y,
                        const std::string& z, const std::string& layer) {
  if (geometry == "1d") return fmt::format("{{{}}}", x);
  if (geometry == "2d") return fmt::format("{{{}, {}}}", x, y);
  if (geometry == "3d") return fmt::format("{{{}, {}, {}, {}}}", x, y, z, z);
  if (geometry == "a1d") return fmt::format("{{{}, {}}}", layer, x);
  if (geometry == "a2d") return fmt::format("{{{}, {}, {}, {}}}", layer, x, y, y);
  if (geometry == "cube") return fmt::format("{{{}, {}, {}, {}}}", x, y, z, z);
  return fmt::format("{{{}, {}, {}, {}}}", layer, x, y, z);
}

std::string vector(const std::string& name, unsigned count) {
  std::string list;
  for (unsigned n = 0; n < count; ++n) list += fmt::format("{}{}{}", n ? ", " : "", name, n);
  return fmt::format("{{{}}}", list);
}

std::string head(const std::string& parameters) {
  return fmt::format(
      ".version 8.8\n.target sm_100\n.address_size 64\n.visible .entry test({})\n{{\n"
      "  .reg .b32 %t, %x, %y, %z;\n  .reg .b64 %handles, %handle, %out;\n  mov.u32 %t, %tid.x;\n",
      parameters);
}

}  // namespace

std::vector<SurfaceAccess> surface_forms(isa::Matcher& matcher) {
  std::vector<SurfaceAccess> forms;
  for (const isa::CompiledRow& row : matcher.rows()) {
    const std::string_view op = row.row->mnemonic;
    if (op != "suld" && op != "sust" && op != "sured") continue;
    for (const Words& words : covering_forms(matcher, row)) {
      SurfaceAccess form;
      form.row = &row;
      form.words = words;
      form.opcode = op;
      for (const std::string_view word : words) {
        if (is_geometry(word)) form.geometry = word;
        if (word == "trap" || word == "clamp" || word == "zero") form.boundary = word;
        if (word == "p") form.formatted = true;
        if (word == "v2" || word == "v4") form.width = static_cast<unsigned>(word[1] - '0');
        for (const char* name : {"add", "min", "max", "and", "or"}) {
          if (word == name) form.operation = name;
        }
      }
      form.type = types_of(words)[0];
      form.bytes = width_of(form.type) / 8;
      if (form.extent() <= 16) forms.push_back(form);
    }
  }
  return forms;
}

Place surface_place(const SurfaceAccess& form, unsigned thread) {
  const bool deep = form.geometry == "3d" || form.geometry == "a1d" || form.geometry == "a2d";
  const bool tall = form.geometry == "2d" || form.geometry == "3d" || form.geometry == "a2d";
  const auto places = static_cast<int>(kRowBytes / form.extent());
  Place place{static_cast<int>(thread) + 1, tall ? static_cast<int>(thread % kImageRows) : 0,
              deep ? static_cast<int>(thread % kImageSlices) : 0};
  if (form.boundary == "trap" || thread < 6) {
    place.x = 1 + static_cast<int>(thread % 6);
    if (thread >= 6 && tall) place.y = 1 - place.y;
    if (thread >= 6 && !tall) place.x = thread == 6 ? 0 : places - 1;
  } else if (thread == 6) {
    place = {places, tall ? int{kImageRows} : 0, deep ? int{kImageSlices} : 0};
  } else {
    place = {-1, tall ? -1 : 0, deep ? -1 : 0};
  }
  return place;
}

std::string surface_kernel(const std::vector<SurfaceAccess>& forms) {
  std::string text =
      head(".param .u64 handles, .param .u64 places, .param .u64 values, .param .u64 out");
  text += "  .reg .b64 %places, %values;\n";
  for (unsigned n = 0; n < 4; ++n) {
    for (const unsigned bits : {16, 32, 64})
      text += fmt::format("  .reg .b{} %e{}_{};\n", bits, bits, n);
  }
  text +=
      "  ld.param.u64 %handles, [handles];\n  ld.param.u64 %places, [places];\n"
      "  mad.wide.u32 %places, %t, 16, %places;\n  ld.param.u64 %values, [values];\n"
      "  mad.wide.u32 %values, %t, 32, %values;\n  ld.param.u64 %out, [out];\n"
      "  mad.wide.u32 %out, %t, 32, %out;\n";
  for (std::size_t n = 0; n < forms.size(); ++n) {
    const SurfaceAccess& form = forms[n];
    const unsigned bits = std::max(8 * form.bytes, 16u);
    const std::string name = fmt::format("%e{}_", bits);
    text += fmt::format(
        "  ld.global.u64 %handle, [%handles+{}];\n  ld.global.u32 %x, [%places+{}];\n"
        "  ld.global.u32 %y, [%places+{}];\n  ld.global.u32 %z, [%places+{}];\n",
        8 * n, 16 * kImageThreads * n, 16 * kImageThreads * n + 4, 16 * kImageThreads * n + 8);
    const std::string place =
        fmt::format("[%handle, {}]", coordinates(form.geometry, "%x", "%y", "%z", "%z"));
    const std::string instruction = written(form.opcode, form.words);
    const std::size_t at = 32 * kImageThreads * n;
    if (form.opcode == "suld") {
      text += fmt::format("  {} {}, {};\n", instruction, vector(name, form.width), place);
      for (unsigned e = 0; e < form.width; ++e) {
        text += fmt::format("  st.global.b{} [%out+{}], {}{};\n", bits, at + 8 * e, name, e);
      }
      continue;
    }
    for (unsigned e = 0; e < form.width; ++e) {
      text += fmt::format("  ld.global.b{} {}{}, [%values+{}];\n", bits, name, e, at + 8 * e);
    }
    const bool reduces = form.opcode == "sured";
    text += fmt::format("  {} {}, {};\n", instruction, place,
                        reduces ? fmt::format("{}0", name) : vector(name, form.width));
  }
  text += "  ret;\n}\n";
  return text;
}

std::vector<TextureAccess> texture_forms(isa::Matcher& matcher) {
  std::vector<TextureAccess> forms;
  for (const isa::CompiledRow& row : matcher.rows()) {
    const std::string_view op = row.row->mnemonic;
    if (op != "tex" && op != "tld4") continue;
    for (const Words& words : covering_forms(matcher, row)) {
      TextureAccess form;
      form.row = &row;
      form.words = words;
      form.opcode = op;
      for (const std::string_view word : words) {
        if (is_geometry(word)) form.geometry = word;
        if (word == "base" || word == "level" || word == "grad") form.level = word;
        if (word == "r" || word == "g" || word == "b" || word == "a") form.channel = word;
      }
      form.result = types_of(words)[0];
      form.coordinate = types_of(words)[1];
      // Directions are real numbers.
      if (form.geometry.ends_with("cube") && form.coordinate == "s32") continue;
      forms.push_back(form);
    }
  }
  return forms;
}

unsigned texel_of(const TextureAccess& form, unsigned lane) {
  const std::string& g = form.geometry;
  if (g == "1d") return lane;
  if (g == "cube") return lane % 6;
  if (g == "acube") return lane % 12;
  return lane;
}

std::string texture_kernel(const std::vector<TextureAccess>& forms) {
  std::string text = head(".param .u64 handles, .param .u64 out");
  text +=
      "  .reg .pred %p;\n  .reg .b32 %layer, %face, %w, %sx, %sy, %sz, %lx;\n"
      "  .reg .f32 %fx, %fy, %fz, %f1, %f2, %f3, %flx, %zero, %gx, %gy;\n"
      "  .reg .b32 %r<4>;\n  .reg .b16 %h<4>;\n"
      "  ld.param.u64 %handles, [handles];\n  ld.param.u64 %out, [out];\n"
      "  mad.wide.u32 %out, %t, 16, %out;\n  mov.f32 %zero, 0f00000000;\n"
      "  and.b32 %sx, %t, 3;\n  shr.u32 %sy, %t, 2;\n  and.b32 %sy, %sy, 1;\n  shr.u32 %sz, %t, "
      "3;\n"
      "  shr.u32 %layer, %t, 2;\n  mov.u32 %lx, %t;\n";
  // The middle of a texel; the corner between four of them; the direction of a face.
  for (const char* axis : {"x", "y", "z"}) {
    text +=
        fmt::format("  cvt.rn.f32.u32 %f{0}, %s{0};\n  add.f32 %f{0}, %f{0}, 0f3f000000;\n", axis);
  }
  text +=
      "  cvt.rn.f32.u32 %flx, %lx;\n  add.f32 %flx, %flx, 0f3f000000;\n"
      "  rem.u32 %w, %sx, 3;\n  add.u32 %w, %w, 1;\n  cvt.rn.f32.u32 %gx, %w;\n"
      "  mov.f32 %gy, 0f3f800000;\n  rem.u32 %face, %t, 6;\n";
  for (unsigned axis = 0; axis < 3; ++axis) {
    text += fmt::format(
        "  setp.eq.u32 %p, %face, {1};\n  selp.f32 %f{0}, 0f3f800000, 0f00000000, %p;\n"
        "  setp.eq.u32 %p, %face, {2};\n  selp.f32 %f{0}, 0fbf800000, %f{0}, %p;\n",
        axis + 1, 2 * axis, 2 * axis + 1);
  }
  for (std::size_t n = 0; n < forms.size(); ++n) {
    const TextureAccess& form = forms[n];
    const bool cube = form.geometry.ends_with("cube"), whole = form.coordinate == "s32";
    const std::string s = whole ? "%s" : "%f";
    std::string place;
    if (cube) {
      text += "  rem.u32 %w, %t, 12;\n  div.u32 %w, %w, 6;\n";
      place = coordinates(form.geometry, "%f1", "%f2", "%f3", "%w");
    } else if (form.opcode == "tld4") {
      text += "  mov.u32 %w, %sz;\n";
      place = coordinates(form.geometry, "%gx", "%gy", "", "%w");
    } else {
      text += fmt::format("  mov.u32 %w, {};\n", form.geometry == "a1d" ? "%layer" : "%sz");
      place = coordinates(
          form.geometry,
          form.geometry == "1d" ? std::string(whole ? "%lx" : "%flx") : fmt::format("{}x", s),
          fmt::format("{}y", s), fmt::format("{}z", s), "%w");
    }
    const bool halves = form.result == "f16";
    std::string extra;
    if (form.level == "level") extra = fmt::format(", {}", whole ? "0" : "%zero");
    if (form.level == "grad") {
      const unsigned count = form.geometry.ends_with("1d")   ? 1
                             : form.geometry.ends_with("2d") ? 2
                                                             : 4;
      const std::string_view zeros = count == 1   ? "%zero"
                                     : count == 2 ? "%zero, %zero"
                                                  : "%zero, %zero, %zero, %zero";
      extra = fmt::format(", {{{0}}}, {{{0}}}", zeros);
    }
    text += fmt::format("  ld.global.u64 %handle, [%handles+{}];\n  {} {}, [%handle, {}]{};\n",
                        8 * n, written(form.opcode, form.words),
                        vector(halves ? "%h" : "%r", form.elements()), place, extra);
    for (unsigned e = 0; e < form.elements(); ++e) {
      text += fmt::format("  st.global.b{} [%out+{}], {}{};\n", halves ? 16 : 32,
                          16 * kWarpSize * n + (halves ? 2 : 4) * e, halves ? "%h" : "%r", e);
    }
  }
  text += "  ret;\n}\n";
  return text;
}

}  // namespace raddle::tests
