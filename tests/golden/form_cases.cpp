// Kernels of tests/ptx_forms, with their operands.
#include <fmt/core.h>

#include <random>

#include "base/error.h"
#include "drafts.h"
#include "tests/ptx_forms/compute_forms.h"
#include "tests/ptx_forms/memory_forms.h"

namespace raddle::golden {
namespace {

using tests::kLaneBytes;
using tests::kResultBytes;
using tests::kThreads;

constexpr std::size_t kFormsOfKernel = 200;  // the assembler takes long over long kernels
constexpr std::uint32_t kLanes = 32;

template <class T>
std::vector<std::vector<T>> pieces(const std::vector<T>& all) {
  std::vector<std::vector<T>> some;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (n % kFormsOfKernel == 0) some.emplace_back();
    some.back().push_back(all[n]);
  }
  return some;
}

template <class T, class F>
std::vector<T> without(const std::vector<T>& forms, const Refused& refused, F name) {
  std::vector<T> kept;
  for (const T& form : forms) {
    if (!refused.contains(name(form))) kept.push_back(form);
  }
  return kept;
}

std::string random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

std::uint32_t small(std::size_t number) { return static_cast<std::uint32_t>(number); }

std::vector<Operand> operands(const tests::ComputedForm& form, const tests::ComputeKernel& kernel) {
  std::vector<Operand> all;
  for (const isa::OperandSpec& spec : form.operands) {
    if (spec.role != isa::OperandSpec::Role::source || spec.optional) continue;
    const std::string type = tests::source_type(form, spec);
    for (std::uint32_t n = 0; n < kernel.kinds.size(); ++n) {
      if (kernel.kinds[n].type != type || kernel.kinds[n].index != spec.index) continue;
      all.push_back({0, n * kThreads * 8, 8, std::max(8u, tests::width_of(type)) / 8});
    }
  }
  return all;
}

void add_fields(Case& c, const tests::ComputedForm& form, const tests::ComputeKernel& kernel,
                std::uint32_t at) {
  using Role = isa::OperandSpec::Role;
  const auto inputs = operands(form, kernel);
  for (const isa::OperandSpec& spec : form.operands) {
    if (spec.role == Role::destination) {
      const unsigned bits = tests::register_bits(form, spec);
      const std::string type(ptx::name(spec.type(form.form)));
      const bool extended = bits != ptx::bits(spec.type(form.form));
      c.fields.push_back(
          {form.name(), extended ? fmt::format("b{}", bits) : type, 1, at, kThreads, 16, inputs});
    }
    if (spec.role == Role::predicates || (spec.role == Role::destination && uses_carry(form))) {
      c.fields.push_back({form.name(), "b64", 1, at + 8, kThreads, 16, inputs});
    }
  }
}

std::vector<Case> compute_cases(const std::string& name,
                                const std::vector<tests::ComputedForm>& forms, unsigned rounds) {
  if (forms.empty()) return {};
  const tests::ComputeKernel kernel = compute_kernel(forms);
  std::vector<Case> cases;
  for (unsigned round = 0; round < rounds; ++round) {
    Case c;
    c.name = fmt::format("{}/{}", name, round);
    c.kernel = "test";
    c.ptx = for_hopper(kernel.text);
    c.block[0] = kThreads;
    c.arguments = {{Argument::in, raw(operand_columns(kernel, round))},
                   {Argument::out, std::string(forms.size() * kThreads * 16, '\0')}};
    for (std::size_t n = 0; n < forms.size(); ++n)
      add_fields(c, forms[n], kernel, small(n * kThreads * 16));
    cases.push_back(std::move(c));
  }
  return cases;
}

/// The matcher owns the rows that forms refer to.
isa::Matcher& matcher() {
  static isa::Matcher made;
  return made;
}

bool accessed(const tests::AccessForm& form, const std::string& space) {
  return form.space == space;
}

std::vector<Case> load_cases(const std::string& space,
                             const std::vector<tests::AccessForm>& forms) {
  if (forms.empty()) return {};
  Case c;
  c.name = "ld/" + space;
  c.kernel = "test";
  const std::string bytes = random_bytes(kLanes * kLaneBytes, 5);
  c.ptx = for_hopper(load_kernel(space, forms, {bytes.begin(), bytes.end()}));
  c.arguments = {{Argument::in, bytes},
                 {Argument::out, std::string(forms.size() * kLanes * kResultBytes, '\0')},
                 {Argument::value, bytes.substr(0, 32)}};
  for (std::size_t n = 0; n < forms.size(); ++n) {
    c.fields.push_back(
        {forms[n].text, "b64", 1, small(n * kLanes * kResultBytes), kLanes * kResultBytes / 8, 8});
  }
  return {c};
}

std::vector<Case> store_cases(const std::string& space,
                              const std::vector<tests::AccessForm>& forms) {
  if (forms.empty()) return {};
  Case c;
  c.name = "st/" + space;
  c.kernel = "test";
  c.ptx = for_hopper(store_kernel(space, forms));
  c.arguments = {{Argument::in, random_bytes(kLanes * 8 * 16, 6)},
                 {Argument::out, std::string(forms.size() * kLanes * kResultBytes, '\0')}};
  for (std::size_t n = 0; n < forms.size(); ++n) {
    c.fields.push_back(
        {forms[n].text, "b32", 1, small(n * kLanes * kResultBytes), kLanes * kResultBytes / 4, 4});
  }
  return {c};
}

std::string name_of_atomic(const tests::AtomicForm& form) {
  return tests::written(form.row->row->mnemonic, form.words);
}

std::vector<Case> atomic_cases(std::size_t number, const std::vector<tests::AtomicForm>& forms) {
  if (forms.empty()) return {};
  Case c;
  c.name = fmt::format("atom/{}", number);
  c.kernel = "test";
  c.ptx = for_hopper(atomic_kernel(forms));
  const std::uint32_t of_form = kLanes * kLaneBytes;
  std::string memory, operands;
  for (const tests::AtomicForm& form : forms) {
    const auto seed = static_cast<unsigned>(std::hash<std::string>()(name_of_atomic(form)));
    std::string before = random_bytes(of_form, seed), with = random_bytes(of_form, ~seed);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      prepare_atomic(form, lane, reinterpret_cast<std::uint8_t*>(&before[lane * kLaneBytes]),
                     reinterpret_cast<std::uint8_t*>(&with[lane * kLaneBytes]));
    }
    memory += before;
    operands += with;
  }
  const std::string nothing(memory.size(), '\0');
  c.arguments = {{Argument::inout, memory}, {Argument::in, operands}, {Argument::out, nothing}};
  for (std::size_t n = 0; n < forms.size(); ++n) {
    const std::string name = name_of_atomic(forms[n]);
    const unsigned bytes = std::min(8u, tests::width_of(forms[n].type) / 8);
    const std::string type = tests::width_of(forms[n].type) > 64 ? "b64" : forms[n].type;
    for (const std::uint32_t argument : {0u, 2u}) {
      c.fields.push_back({name, type, argument, small(n * of_form), of_form / bytes, bytes});
    }
  }
  return {c};
}

}  // namespace

Drafts compute_drafts() {
  Drafts drafts;
  for (const isa::CompiledRow& row : matcher().rows()) {
    const std::string op(row.row->mnemonic);
    const unsigned rounds = op == "set" || op == "setp" ? 1 : 4;
    std::size_t number = 0;
    for (const auto& piece : pieces(tests::computed_forms(matcher(), row, true))) {
      const std::string name = fmt::format("compute/{}{}/{}", op, row.row->syntax, number++);
      drafts.push_back({[=](const Refused& refused) {
        const auto kept = without(piece, refused, [](const auto& form) { return form.name(); });
        return compute_cases(name, kept, rounds);
      }});
    }
  }
  return drafts;
}

Drafts memory_drafts() {
  Drafts drafts;
  const auto text = [](const tests::AccessForm& form) { return form.text; };
  for (const std::string space : {"", "global", "const", "local", "param", "shared"}) {
    std::vector<tests::AccessForm> loads, stores;
    for (const auto& form : tests::load_forms()) {
      if (accessed(form, space)) loads.push_back(form);
    }
    for (const auto& form : tests::store_forms()) {
      if (accessed(form, space)) stores.push_back(form);
    }
    drafts.push_back(
        {[=](const Refused& refused) { return load_cases(space, without(loads, refused, text)); }});
    drafts.push_back({[=](const Refused& refused) {
      return store_cases(space, without(stores, refused, text));
    }});
  }
  std::size_t number = 0;
  for (const auto& piece : pieces(tests::atomic_forms(matcher()))) {
    drafts.push_back({[=](const Refused& refused) {
      return atomic_cases(number, without(piece, refused, name_of_atomic));
    }});
    ++number;
  }
  return drafts;
}

}  // namespace raddle::golden
