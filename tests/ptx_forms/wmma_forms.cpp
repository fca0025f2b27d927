// wmma (PTX ISA 9.7.14.3): matrices in memory, by rows or columns, to fragments and back.
#include <fmt/core.h>

#include "matrix_forms.h"
#include "memory_forms.h"
#include "references.h"

namespace raddle::tests {
namespace {

struct Multiply {
  std::string name;  // "wmma.mma.sync..."
  std::string layouts[2], shape, type_a, type_b, type_c, type_d, operation;
  unsigned m, n, k;
};

Multiply read(const Words& words) {
  Multiply out;
  out.name = written("wmma", words);
  unsigned layout = 0;
  Words types;
  for (const std::string_view word : words) {
    if ((word == "row" || word == "col") && layout < 2) out.layouts[layout++] = word;
    if (word == "xor" || word == "and") out.operation = word;
    if (word[0] == 'm' && read_shape(word, out.m, out.n, out.k)) {
      out.shape = word;
      types.clear();
    }
    if (ptx::type_from_name(word) || word == "s4" || word == "u4" || word == "b1")
      types.push_back(word);
  }
  // .d.c of half precision, else .d.a.b.c.
  out.type_d = types[0];
  out.type_c = types.back();
  out.type_a = types.size() == 4 ? types[1] : "f16";
  out.type_b = types.size() == 4 ? types[2] : "f16";
  return out;
}

/// Elements as memory has them: by rows, or by columns.
std::vector<std::uint8_t> in_memory(const std::vector<int>& values, unsigned rows, unsigned columns,
                                    bool by_row, std::string_view type) {
  const unsigned width = element_width(type);
  std::vector<std::uint8_t> bytes(values.size() * width / 8);
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      const unsigned place = by_row ? row * columns + column : column * rows + row;
      const std::uint64_t bits = element_bits(type, values[row * columns + column]);
      for (unsigned bit = 0; bit < width; ++bit) {
        const unsigned at = place * width + bit;
        bytes[at / 8] = static_cast<std::uint8_t>(bytes[at / 8] | (bits >> bit & 1) << at % 8);
      }
    }
  }
  return bytes;
}

/// How many registers hold a fragment, and of what type: the tables of 9.7.14.3.1.
struct Fragment {
  unsigned count;
  std::string type;
};
Fragment fragment(std::string_view type, unsigned rows, unsigned columns, bool accumulator) {
  if (type == "f64") return {rows * columns / 32, "f64"};
  if (accumulator && type == "f16") return {4, "b32"};
  if (accumulator) return {rows * columns / 32, type == "f32" ? "f32" : "b32"};
  if (type == "f16") return {8, "b32"};  // each element twice
  return {std::max(1u, rows * columns * element_width(type) / 32 / 32), "b32"};
}

std::string registers(const std::string& name, unsigned count) {
  std::string list;
  for (unsigned n = 0; n < count; ++n) list += fmt::format("{}{}{}", n ? ", " : "{", name, n);
  return list + "}";
}

std::string copy(const std::string& from_space, const std::string& from,
                 const std::string& to_space, const std::string& to, std::size_t bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes; at += 128) {
    text +=
        fmt::format("  @%in{4} ld.{0}.u32 %w, [{1}+{5}];\n  @%in{4} st.{2}.u32 [{3}+{5}], %w;\n",
                    from_space, from, to_space, to, bytes - at >= 128 ? "_all" : "_some", at);
  }
  return text;
}

struct Piece {
  std::string letter, layout, type;
  unsigned rows, columns;
  Fragment held;
  std::size_t at;  // bytes, in `in` or `out`
  unsigned stride() const { return layout == "row" ? columns : rows; }
};

std::string transfer(const std::string& verb, const Piece& piece, const std::string& shape,
                     const std::string& space, const std::string& base) {
  const std::string list = registers("%" + piece.letter, piece.held.count);
  const std::string name =
      fmt::format("wmma.{}.{}.sync.aligned.{}.{}{}.{}", verb, piece.letter, piece.layout, shape,
                  space.empty() ? "" : "." + space, piece.type);
  if (verb == "load")
    return fmt::format("  {} {}, [{}+{}], {};\n", name, list, base, piece.at, piece.stride());
  return fmt::format("  {} [{}+{}], {}, {};\n", name, base, piece.at, list, piece.stride());
}

MatrixProgram program(const Multiply& op, const std::string& space, const std::string& layout_c,
                      const std::string& layout_d, unsigned seed) {
  const Product p = make_product(op.m, op.n, op.k, op.type_a, op.type_b, op.operation, seed);
  MatrixProgram out;
  out.name = fmt::format("{} in {}, {}, {}", op.name, space, layout_c, layout_d);
  const auto put = [&](const std::vector<std::uint8_t>& bytes) {
    const std::size_t at = out.in.size();
    out.in.insert(out.in.end(), bytes.begin(), bytes.end());
    out.in.resize((out.in.size() + 127) / 128 * 128);
    return at;
  };
  Piece a{"a", op.layouts[0], op.type_a, op.m, op.k, fragment(op.type_a, op.m, op.k, false), 0};
  Piece b{"b", op.layouts[1], op.type_b, op.k, op.n, fragment(op.type_b, op.k, op.n, false), 0};
  Piece c{"c", layout_c, op.type_c, op.m, op.n, fragment(op.type_c, op.m, op.n, true), 0};
  Piece d{"d", layout_d, op.type_d, op.m, op.n, fragment(op.type_d, op.m, op.n, true), 0};
  a.at = put(in_memory(p.a, op.m, op.k, a.layout == "row", a.type));
  b.at = put(in_memory(p.b, op.k, op.n, b.layout == "row", b.type));
  c.at = put(in_memory(p.c, op.m, op.n, c.layout == "row", c.type));
  out.out = in_memory(p.d, op.m, op.n, d.layout == "row", d.type);
  const bool shared = space.starts_with("shared");
  std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n";
  if (shared) text += fmt::format(".shared .align 128 .b8 room[{}];\n", out.in.size() + 2048);
  text +=
      ".visible .entry test(.param .u64 in, .param .u64 out)\n{\n  .reg .pred %in_all, %in_some;\n"
      "  .reg .b32 %w, %lane;\n  .reg .b64 %from, %to, %lane_from, %lane_to, %room, %lane_room;\n";
  for (const Piece& piece : {a, b, c, d}) {
    text += fmt::format("  .reg .{} %{}<{}>;\n", piece.held.type, piece.letter, piece.held.count);
  }
  text +=
      "  ld.param.u64 %from, [in];\n  ld.param.u64 %to, [out];\n  mov.u32 %lane, %laneid;\n"
      "  setp.lt.u32 %in_all, %lane, 32;\n";
  std::string from = "%from", to = "%to";
  if (shared) {
    text += fmt::format(
        "  mov.u64 %room, room;\n  mad.wide.u32 %lane_from, %lane, 4, %from;\n"
        "  mad.wide.u32 %lane_to, %lane, 4, %to;\n  mad.wide.u32 %lane_room, %lane, 4, %room;\n");
    text += copy("global", "%lane_from", "shared", "%lane_room", out.in.size()) + "  bar.sync 0;\n";
    from = "%room";
    d.at = out.in.size();
    to = "%room";
  }
  text += transfer("load", a, op.shape, space, from) + transfer("load", b, op.shape, space, from) +
          transfer("load", c, op.shape, space, from);
  text += fmt::format("  {} {}, {}, {}, {};\n", op.name, registers("%d", d.held.count),
                      registers("%a", a.held.count), registers("%b", b.held.count),
                      registers("%c", c.held.count));
  text += transfer("store", d, op.shape, space, to);
  if (shared) {
    text += "  bar.sync 0;\n" + fmt::format("  add.u64 %lane_room, %lane_room, {};\n", d.at) +
            copy("shared", "%lane_room", "global", "%lane_to", out.out.size());
  }
  out.text = text + "  ret;\n}\n";
  return out;
}

}  // namespace

std::vector<MatrixProgram> wmma_programs(isa::Matcher& matcher) {
  std::vector<MatrixProgram> programs;
  unsigned number = 0;
  for (const isa::CompiledRow& row : matcher.rows()) {
    if (row.row->mnemonic != "wmma" || !row.row->syntax.starts_with(".mma")) continue;
    for (const Words& words : covering_forms(matcher, row)) {
      const Multiply op = read(words);
      const bool by_row = number % 2 != 0;
      for (const std::string space : {"", "global", by_row ? "shared" : "shared::cta"}) {
        programs.push_back(program(op, space, by_row ? "row" : "col",
                                   by_row != (number / 2 % 2 != 0) ? "row" : "col", number));
      }
      ++number;
    }
  }
  return programs;
}

}  // namespace raddle::tests
