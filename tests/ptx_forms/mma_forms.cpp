// mma (PTX ISA 9.7.14.4, 9.7.14.5): fragments as drawn in the manual. A register of 32 bits has E
// elements of a row of A, or of a column of B; group = lane / 4, member = lane % 4.
#include <fmt/core.h>

#include <array>

#include "matrix_forms.h"
#include "memory_forms.h"
#include "references.h"

namespace raddle::tests {
namespace {

struct MultiplyTile {
  std::string name, type_a, type_b, type_c, type_d, operation;
  unsigned m, n, k;
  bool sparse = false;
};

/// False for Volta's m8n8k4 of half precision.
bool read(const Words& words, MultiplyTile& out) {
  out.name = written("mma", words);
  Words types;
  for (const std::string_view word : words) {
    if (word == "xor" || word == "and") out.operation = word;
    if (word.starts_with("sp")) out.sparse = true;
    if (word[0] == 'm') read_shape(word, out.m, out.n, out.k);
    if (ptx::type_from_name(word) || word == "s4" || word == "u4" || word == "b1")
      types.push_back(word);
  }
  out.type_d = types[0], out.type_a = types[1], out.type_b = types[2], out.type_c = types[3];
  return !(out.m == 8 && out.k == 4 && out.type_a == "f16");
}

/// Registers of each lane, as 64-bit words.
using Lanes = std::vector<std::array<std::uint64_t, kWarpSize>>;

unsigned elements_of(std::string_view type) { return type == "f64" ? 1 : 32 / element_width(type); }

/// A (or the half of it that is stored) by rows; `rows` is 8 or 16.
Lanes fragment_a(const std::vector<int>& a, unsigned rows, unsigned columns,
                 std::string_view type) {
  const unsigned e = elements_of(type), halves = rows / 8, count = halves * columns / (4 * e);
  Lanes lanes(count);
  for (unsigned r = 0; r < count; ++r) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      for (unsigned j = 0; j < e; ++j) {
        const unsigned row = lane / 4 + 8 * (r % halves);
        const unsigned column = lane % 4 * e + j + 4 * e * (r / halves);
        lanes[r][lane] |= element_bits(type, a[row * columns + column]) << j * element_width(type);
      }
    }
  }
  return lanes;
}

Lanes fragment_b(const std::vector<int>& b, unsigned rows, std::string_view type) {
  const unsigned e = elements_of(type), count = rows / (4 * e);
  Lanes lanes(count);
  for (unsigned r = 0; r < count; ++r) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      for (unsigned j = 0; j < e; ++j) {
        const unsigned row = lane % 4 * e + j + 4 * e * r;
        lanes[r][lane] |= element_bits(type, b[row * 8 + lane / 4]) << j * element_width(type);
      }
    }
  }
  return lanes;
}

/// C and D: two elements of a row, in one register where they are halves.
Lanes fragment_c(const std::vector<int>& c, unsigned rows, std::string_view type) {
  const bool packed = type == "f16";
  Lanes lanes(packed ? rows / 8 : rows / 4);
  for (unsigned i = 0; i < rows / 4; ++i) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const unsigned row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
      const std::uint64_t bits = element_bits(type, c[row * 8 + column]);
      if (packed) {
        lanes[i / 2][lane] |= bits << 16 * (i % 2);
      } else {
        lanes[i][lane] = bits;
      }
    }
  }
  return lanes;
}

/// Metadata 0b1001 everywhere: of four elements (pairs, of .s4 and .u4) the second and third are
/// there; of two tf32, 0b1110: the second. So its place among the lanes does not matter here.
constexpr unsigned kMetadata = 0x99999999, kMetadataTf32 = 0xeeeeeeee;

/// The elements of A that are stored, and zeros in place of the others.
std::vector<int> compress(std::vector<int>& a, std::string_view type) {
  const unsigned unit = element_width(type) == 4 ? 2 : 1, group = type == "tf32" ? 2 : 4 * unit;
  std::vector<int> stored;
  for (unsigned at = 0; at < a.size(); ++at) {
    const unsigned place = at % group / unit;
    const bool kept = type == "tf32" ? place == 1 : place == 1 || place == 2;
    if (kept) stored.push_back(a[at]);
    if (!kept) a[at] = 0;
  }
  return stored;
}

std::string registers(const std::string& name, std::size_t count) {
  std::string list;
  for (unsigned n = 0; n < count; ++n) list += fmt::format("{}{}{}", n ? ", " : "{", name, n);
  return list + "}";
}

void append(std::vector<std::uint8_t>& bytes, const Lanes& lanes) {
  for (const auto& values : lanes) {
    for (const std::uint64_t value : values) {
      for (unsigned n = 0; n < 8; ++n) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * n));
    }
  }
}

std::string register_type(std::string_view type) {
  if (type == "f64") return "f64";
  return type == "f32" ? "f32" : "b32";
}

MatrixProgram program(const MultiplyTile& op, unsigned seed) {
  Product p = make_product(op.m, op.n, op.k, op.type_a, op.type_b, op.operation, seed);
  std::vector<int> stored = p.a;
  if (op.sparse) {
    stored = compress(p.a, op.type_a);
    for (unsigned row = 0; row < op.m; ++row) {
      for (unsigned column = 0; column < op.n; ++column) {
        int& c = p.c[row * op.n + column];
        int sum = c;
        for (unsigned i = 0; i < op.k; ++i) sum += p.a[row * op.k + i] * p.b[i * op.n + column];
        if (sum == 0) ++c, ++sum;
        p.d[row * op.n + column] = sum;
      }
    }
  }
  const Lanes a = fragment_a(stored, op.m, static_cast<unsigned>(stored.size()) / op.m, op.type_a);
  const Lanes b = fragment_b(p.b, op.k, op.type_b), c = fragment_c(p.c, op.m, op.type_c),
              d = fragment_c(p.d, op.m, op.type_d);
  MatrixProgram out;
  out.name = op.name;
  append(out.in, a);
  append(out.in, b);
  append(out.in, c);
  append(out.out, d);
  std::string text =
      ".version 8.8\n.target sm_120f\n.address_size 64\n"
      ".visible .entry test(.param .u64 in, .param .u64 out)\n{\n  .reg .b32 %lane;\n"
      "  .reg .b64 %from, %to;\n  ld.param.u64 %from, [in];\n  ld.param.u64 %to, [out];\n"
      "  mov.u32 %lane, %laneid;\n  mad.wide.u32 %from, %lane, 8, %from;\n"
      "  mad.wide.u32 %to, %lane, 8, %to;\n";
  std::size_t at = 0;
  const auto load = [&](const std::string& name, const Lanes& lanes, std::string_view type) {
    text += fmt::format("  .reg .{} {}<{}>;\n", register_type(type), name, lanes.size());
    for (unsigned n = 0; n < lanes.size(); ++n, at += 256) {
      text += fmt::format("  ld.global.{} {}{}, [%from+{}];\n", register_type(type), name, n, at);
    }
  };
  load("%a", a, op.type_a == "f64" ? "f64" : "b32");
  load("%b", b, op.type_b == "f64" ? "f64" : "b32");
  load("%c", c, op.type_c);
  text += fmt::format("  .reg .{} %d<{}>;\n", register_type(op.type_d), d.size());
  text += fmt::format("  .reg .b32 %meta;\n  mov.b32 %meta, 0x{:x};\n",
                      op.type_a == "tf32" ? kMetadataTf32 : kMetadata);
  text += fmt::format("  {} {}, {}, {}, {}{};\n", op.name, registers("%d", d.size()),
                      registers("%a", a.size()), registers("%b", b.size()),
                      registers("%c", c.size()), op.sparse ? ", %meta, 0" : "");
  for (unsigned n = 0; n < d.size(); ++n) {
    text += fmt::format("  st.global.{} [%to+{}], %d{};\n", register_type(op.type_d), 256 * n, n);
  }
  out.text = text + "  ret;\n}\n";
  return out;
}

}  // namespace

std::vector<MatrixProgram> mma_programs(isa::Matcher& matcher) {
  std::vector<MatrixProgram> programs;
  unsigned number = 0;
  for (const isa::CompiledRow& row : matcher.rows()) {
    if (row.row->mnemonic != "mma") continue;
    for (const Words& words : covering_forms(matcher, row)) {
      MultiplyTile op;
      if (read(words, op)) programs.push_back(program(op, number++));
    }
  }
  return programs;
}

}  // namespace raddle::tests
