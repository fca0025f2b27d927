#include "memory_forms.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "references.h"

namespace raddle::tests {
namespace {

constexpr const char* kTypes[] = {"b8",  "b16", "b32", "b64", "b128", "u8",  "u16", "u32",
                                  "u64", "s8",  "s16", "s32", "s64",  "f32", "f64"};

/// Hints of one access: before the space, or after it.
struct Hint {
  std::string before, after;
  bool global_only = false;
};

std::vector<Hint> hints(bool load) {
  std::vector<Hint> all;
  for (const char* order : {"weak", "volatile", "mmio.relaxed.sys", "relaxed.cta",
                            "relaxed.cluster", "relaxed.gpu", "relaxed.sys"}) {
    all.push_back({fmt::format(".{}", order), ""});
  }
  all.push_back({load ? ".acquire.gpu" : ".release.gpu", ""});
  const std::vector<const char*> caches =
      load ? std::vector{"ca", "cg", "cs", "lu", "cv"} : std::vector{"wb", "cg", "cs", "wt"};
  for (const char* cache : caches) all.push_back({"", fmt::format(".{}", cache)});
  for (const char* word : {"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first",
                           "L1::evict_last", "L1::no_allocate", "L2::cache_hint"}) {
    all.push_back({"", fmt::format(".{}", word), true});
  }
  if (!load) return all;
  for (const char* word : {"nc", "L2::64B", "L2::128B", "L2::256B"}) {
    all.push_back({"", fmt::format(".{}", word), true});
  }
  return all;
}

/// Vectors have 128 bits at most, or 256 of global memory as four doublewords or eight words (PTX
/// 8.8).
bool is_vector(unsigned bits, unsigned width, bool wide) {
  if (width == 1) return true;
  if (bits * width > 128 && !wide) return false;
  return bits * width <= 128 ? bits < 128 : bits * width == 256 && (bits == 32 || bits == 64);
}

std::string l2_priority(std::size_t number) {
  constexpr const char* kPriorities[] = {"normal", "first", "last"};
  return fmt::format(".L2::evict_{}", kPriorities[number % std::size(kPriorities)]);
}

std::vector<AccessForm> access_forms(const std::string& opcode, const std::string& space,
                                     bool hinted) {
  std::vector<AccessForm> forms;
  const bool load = opcode != "st";
  std::vector<Hint> left = hints(load);
  std::size_t number = 0;
  for (const char* type : kTypes) {
    const unsigned bits = width_of(type);
    for (const unsigned width : {1u, 2u, 4u, 8u}) {
      const bool wide = opcode != "ldu" && (space.empty() || space == "global");
      if (!is_vector(bits, width, wide) || (opcode == "ldu" && width == 8)) continue;
      AccessForm form{"", space.substr(0, space.find("::")), type, bits, width};
      const bool exact = type[0] == 'f' || type[0] == 'b' || bits >= 64;
      form.register_bits = std::max(bits, 16u);
      // Integers may be in wider registers.
      if (!exact) form.register_bits = std::max(form.register_bits, 16u << number % 3);
      Hint hint;
      const auto fitting = std::find_if(left.begin(), left.end(), [&](const Hint& one) {
        return (!one.global_only || space == "global") &&
               (width == 1 || !one.before.starts_with(".mmio"));
      });
      const bool widest = bits * width == 256;
      if (hinted && !widest && number % 4 != 0 && fitting != left.end()) {
        hint = *fitting;
        left.erase(fitting);
      }
      // Only vectors of 256 bits have a priority in L2.
      if (hinted && widest) hint = {"", l2_priority(number), true};
      if (hint.after == ".L2::cache_hint") form.policy = true;
      form.text =
          fmt::format("{}{}{}{}{}.{}", opcode, hint.before, space.empty() ? "" : "." + space,
                      hint.after, width == 1 ? "" : fmt::format(".v{}", width), type);
      forms.push_back(form);
      ++number;
    }
  }
  return forms;
}

void append(std::vector<AccessForm>& to, std::vector<AccessForm> forms) {
  to.insert(to.end(), forms.begin(), forms.end());
}

std::string register_name(const AccessForm& form, unsigned element) {
  return fmt::format("%e{}_{}", element, form.register_bits);
}

std::string registers(const AccessForm& form) {
  if (form.width == 1) return register_name(form, 0);
  std::string list;
  for (unsigned e = 0; e < form.width; ++e) list += (e ? ", " : "{") + register_name(form, e);
  return list + "}";
}

std::string declarations() {
  std::string text;
  for (unsigned e = 0; e < 8; ++e) {
    for (const unsigned bits : {16, 32, 64, 128})
      text += fmt::format("  .reg .b{} %e{}_{};\n", bits, e, bits);
  }
  return text;
}

/// Where the lane's 32 bytes are: a shared array, the thread's own, or global memory.
std::string place(const std::string& space) {
  if (space == "shared") {
    return "  mov.u64 %at, room;\n  mad.wide.u32 %at, %lane, 32, %at;\n";
  }
  if (space == "const") return "  mov.u64 %at, table;\n  mad.wide.u32 %at, %lane, 32, %at;\n";
  if (space == "local") return "  mov.u64 %at, own;\n";
  return "";
}

std::string head(const std::string& space, const std::string& parameters) {
  return ".version 8.8\n.target sm_100\n.address_size 64\n" +
         std::string(space == "shared" ? ".shared .align 32 .b8 room[1024];\n" : "") +
         fmt::format(".visible .entry test({})\n{{\n", parameters) +
         (space == "local" ? "  .local .align 32 .b8 own[32];\n" : "") + declarations() +
         "  .reg .b32 %lane, %w<8>;\n  .reg .b64 %in, %out, %at, %policy, %x;\n"
         "  mov.u32 %lane, %laneid;\n  mov.u64 %policy, 0;\n";
}

/// memory[0..31] = words, or the other way round, by accesses of single words.
std::string words(const std::string& opcode, const std::string& space, const std::string& base) {
  std::string text;
  for (unsigned n = 0; n < 8; ++n) {
    const std::string at = fmt::format("[{}+{}]", base, 4 * n), word = fmt::format("%w{}", n);
    text += fmt::format("  {}.{}.u32 {}, {};\n", opcode, space, opcode == "ld" ? word : at,
                        opcode == "ld" ? at : word);
  }
  return text;
}

std::uint64_t little_number(const std::uint8_t* bytes, unsigned count) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, count);
  return value;
}

std::string lane_address(const std::string& name, const std::string& parameter, unsigned stride) {
  return fmt::format("  ld.param.u64 {0}, [{1}];\n  mad.wide.u32 {0}, %lane, {2}, {0};\n", name,
                     parameter, stride);
}

}  // namespace

std::vector<AccessForm> load_forms() {
  std::vector<AccessForm> forms;
  for (const char* space : {"", "global", "const", "local", "param", "shared"}) {
    append(forms,
           access_forms("ld", space, std::string(space).empty() || std::string(space) == "global"));
  }
  for (const char* space : {"shared::cta", "shared::cluster", "param::entry"}) {
    append(forms, access_forms("ld", space, false));
  }
  append(forms, access_forms("ldu", "", false));
  append(forms, access_forms("ldu", "global", false));
  return forms;
}

std::vector<AccessForm> store_forms() {
  std::vector<AccessForm> forms;
  for (const char* space : {"", "global", "local", "shared"}) {
    append(forms,
           access_forms("st", space, std::string(space).empty() || std::string(space) == "global"));
  }
  for (const char* space : {"shared::cta", "shared::cluster"}) {
    append(forms, access_forms("st", space, false));
  }
  return forms;
}

std::string load_kernel(const std::string& space, const std::vector<AccessForm>& forms,
                        const std::vector<std::uint8_t>& constants) {
  std::string text = head(space, ".param .u64 in, .param .u64 out, .param .align 32 .b8 given[32]");
  if (space == "const") {
    std::string values;
    for (const std::uint8_t byte : constants)
      values += fmt::format("{}{}", values.empty() ? "" : ", ", byte);
    const std::string table =
        fmt::format(".const .align 32 .b8 table[{}] = {{{}}};\n", constants.size(), values);
    text.insert(text.find(".visible"), table);
  }
  text += lane_address("%in", "in", kLaneBytes) + lane_address("%out", "out", kResultBytes);
  const bool moved = space == "shared" || space == "local";
  text += place(space);
  if (moved) text += words("ld", "global", "%in") + words("st", space, "%at");
  const std::string base = space == "param" ? "given" : moved || space == "const" ? "%at" : "%in";
  for (std::size_t n = 0; n < forms.size(); ++n) {
    const AccessForm& form = forms[n];
    text += fmt::format("  {} {}, [{}]{};\n", form.text, registers(form), base,
                        form.policy ? ", %policy" : "");
    const std::size_t at = n * kWarpSize * kResultBytes;
    for (unsigned e = 0; e < form.width; ++e) {
      text += fmt::format("  st.global.b{} [%out+{}], {};\n", form.register_bits, at + 8 * e,
                          register_name(form, e));
    }
  }
  return text + "  ret;\n}\n";
}

std::string store_kernel(const std::string& space, const std::vector<AccessForm>& forms) {
  std::string text = head(space, ".param .u64 in, .param .u64 out");
  text +=
      lane_address("%in", "in", 8 * 16) + lane_address("%out", "out", kResultBytes) + place(space);
  for (unsigned e = 0; e < 8; ++e) {
    for (const unsigned bits : {16, 32, 64, 128}) {
      text += fmt::format("  ld.global.b{} %e{}_{}, [%in+{}];\n", bits, e, bits, 16 * e);
    }
  }
  for (unsigned n = 0; n < 8; ++n) text += fmt::format("  mov.u32 %w{}, 0xaaaaaaaa;\n", n);
  const bool direct = space.empty() || space == "global";
  for (std::size_t n = 0; n < forms.size(); ++n) {
    const AccessForm& form = forms[n];
    if (direct) {
      text += fmt::format("  add.u64 %at, %out, {};\n", n * kWarpSize * kResultBytes);
    } else {
      for (unsigned k = 0; k < 8; ++k) text += fmt::format("  mov.u32 %w{}, 0xaaaaaaaa;\n", k);
    }
    text += words("st", direct ? "global" : space, "%at");
    text += fmt::format("  {} [%at], {}{};\n", form.text, registers(form),
                        form.policy ? ", %policy" : "");
    if (direct) continue;
    text += words("ld", space, "%at");
    text += fmt::format("  add.u64 %x, %out, {};\n", n * kWarpSize * kResultBytes);
    text += words("st", "global", "%x");
  }
  return text + "  ret;\n}\n";
}

std::vector<Words> covering_forms(isa::Matcher& matcher, const isa::CompiledRow& row) {
  std::vector<Words> chosen;
  std::set<std::string> cores, refused;
  std::set<std::string_view> seen;
  each_form(row, true, [&](const Words& form) {
    const std::string what = core(row.row->mnemonic, form);
    // .noftz means nothing where it is not needed, and is needed where it stands.
    const std::string attempt = what + (has(form, "noftz") ? " noftz" : "");
    bool fresh = !cores.contains(what);
    for (const std::string_view word : form) {
      fresh |= is_hint(row.row->mnemonic, word) && !seen.contains(word);
    }
    if (!fresh || refused.contains(attempt)) return;
    ptx::Instruction instruction;
    instruction.opcode = row.row->mnemonic;
    instruction.modifiers = form;
    instruction.operands.resize(row.operands.size());
    try {
      if (matcher.match(instruction).row->row != row.row) return;
    } catch (const Error&) {
      refused.insert(attempt);
      return;
    }
    cores.insert(what);
    seen.insert(form.begin(), form.end());
    chosen.push_back(form);
  });
  return chosen;
}

std::vector<AtomicForm> atomic_forms(isa::Matcher& matcher) {
  std::vector<AtomicForm> forms;
  for (const isa::CompiledRow& row : matcher.rows()) {
    const std::string_view op = row.row->mnemonic;
    if (op != "atom" && op != "red") continue;
    for (const Words& words : covering_forms(matcher, row)) {
      AtomicForm form;
      form.row = &row;
      form.words = words;
      form.type = types_of(words)[0];
      form.result = op == "atom";
      for (const std::string_view word : words) {
        if (word == "global") form.space = "global";
        if (word.starts_with("shared")) form.space = "shared";
        if (word == "v2" || word == "v4" || word == "v8")
          form.width = static_cast<unsigned>(word[1] - '0');
        for (const char* name :
             {"and", "or", "xor", "exch", "add", "inc", "dec", "min", "max", "cas"}) {
          if (word == name) form.operation = name;
        }
      }
      if (width_of(form.type) * form.width <= 128) forms.push_back(form);
    }
  }
  return forms;
}

std::string atomic_kernel(const std::vector<AtomicForm>& forms) {
  std::string text = head("shared", ".param .u64 memory, .param .u64 operands, .param .u64 out");
  for (unsigned e = 0; e < 8; ++e) {
    for (const unsigned bits : {16, 32, 64, 128})
      text += fmt::format("  .reg .b{} %b{}_{};\n", bits, e, bits);
  }
  for (const unsigned bits : {16, 32, 64, 128})
    text += fmt::format("  .reg .b{} %c_{};\n", bits, bits);
  text += "  .reg .b64 %memory, %operands, %target;\n";
  text += lane_address("%memory", "memory", kLaneBytes);
  text +=
      lane_address("%operands", "operands", kLaneBytes) + lane_address("%out", "out", kLaneBytes);
  text += place("shared");
  for (std::size_t n = 0; n < forms.size(); ++n) {
    const AtomicForm& form = forms[n];
    const std::size_t at = n * kWarpSize * kLaneBytes;
    const unsigned bits = width_of(form.type);
    std::string old, with;
    for (unsigned e = 0; e < form.width; ++e) {
      text += fmt::format("  ld.global.b{} %b{}_{}, [%operands+{}];\n", bits, e, bits,
                          at + e * bits / 8);
      old += fmt::format("{}%e{}_{}", e ? ", " : "", e, bits);
      with += fmt::format("{}%b{}_{}", e ? ", " : "", e, bits);
    }
    if (form.width > 1) old = "{" + old + "}", with = "{" + with + "}";
    const bool shared = form.space == "shared";
    text += fmt::format("  add.u64 %target, %memory, {};\n", at);
    if (shared) text += words("ld", "global", "%target") + words("st", "shared", "%at");
    if (form.operation == "cas") {
      text += fmt::format("  ld.global.b{} %c_{}, [%operands+{}];\n", bits, bits, at + 16);
      with += fmt::format(", %c_{}", bits);
    }
    if (has(form.words, "L2::cache_hint")) with += ", %policy";
    text += fmt::format("  {} {}[{}], {};\n", written(form.row->row->mnemonic, form.words),
                        form.result ? old + ", " : "", shared ? "%at" : "%target", with);
    if (shared) text += words("ld", "shared", "%at") + words("st", "global", "%target");
    for (unsigned e = 0; form.result && e < form.width; ++e) {
      text +=
          fmt::format("  st.global.b{} [%out+{}], %e{}_{};\n", bits, at + e * bits / 8, e, bits);
    }
  }
  return text + "  ret;\n}\n";
}

void prepare_atomic(const AtomicForm& form, unsigned lane, std::uint8_t* memory,
                    std::uint8_t* operands) {
  const unsigned bytes = width_of(form.type) / 8;
  if (lane % 4 == 0) std::memcpy(operands, memory, 16);
  const std::string element(element_of(form.type));
  if (!ptx::is_float(*ptx::type_from_name(element))) return;
  const FloatFormat& f = float_format(element);
  for (unsigned at = 0; at < form.width * bytes; at += f.bits() / 8) {
    std::uint64_t a = little_number(memory + at, f.bits() / 8),
                  b = little_number(operands + at, f.bits() / 8);
    const std::uint64_t keep = low_mask(f.mantissa_bits) | std::uint64_t{1} << (f.bits() - 1);
    const std::uint64_t exponent = lane % 5 == 0 ? 0 : lane % 5 == 1 ? 1 : lane;
    a = (a & keep) | exponent << f.mantissa_bits;
    b = (b & keep) | (lane % 3 == 0 ? 0 : exponent) << f.mantissa_bits;
    if (lane % 4 == 0) b = a;
    std::memcpy(memory + at, &a, f.bits() / 8);
    std::memcpy(operands + at, &b, f.bits() / 8);
  }
}

}  // namespace raddle::tests
