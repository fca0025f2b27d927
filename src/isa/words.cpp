#include "isa/words.h"

#include <unordered_map>

namespace raddle::isa {
namespace {

template <class T>
using Words = std::unordered_map<std::string_view, T>;

template <class T>
bool set(const Words<T>& words, std::string_view word, T& field) {
  const auto found = words.find(word);
  if (found == words.end()) return false;
  field = found->second;
  return true;
}

const Words<Rounding> kRoundings = {
    {"rn", Rounding::rn},   {"rz", Rounding::rz},   {"rm", Rounding::rm},   {"rp", Rounding::rp},
    {"rna", Rounding::rna}, {"rs", Rounding::rs},   {"rni", Rounding::rni}, {"rzi", Rounding::rzi},
    {"rmi", Rounding::rmi}, {"rpi", Rounding::rpi},
};
const Words<Compare> kComparisons = {
    {"eq", Compare::eq},   {"ne", Compare::ne},   {"lt", Compare::lt},   {"le", Compare::le},
    {"gt", Compare::gt},   {"ge", Compare::ge},   {"lo", Compare::lo},   {"ls", Compare::ls},
    {"hi", Compare::hi},   {"hs", Compare::hs},   {"equ", Compare::equ}, {"neu", Compare::neu},
    {"ltu", Compare::ltu}, {"leu", Compare::leu}, {"gtu", Compare::gtu}, {"geu", Compare::geu},
    {"num", Compare::num}, {"nan", Compare::nan},
};
const Words<Operation> kOperations = {
    {"and", Operation::op_and}, {"or", Operation::op_or},  {"xor", Operation::op_xor},
    {"add", Operation::add},    {"inc", Operation::inc},   {"dec", Operation::dec},
    {"min", Operation::min},    {"max", Operation::max},   {"exch", Operation::exch},
    {"cas", Operation::cas},    {"popc", Operation::popc}, {"all", Operation::all},
    {"any", Operation::any},    {"uni", Operation::uni},   {"ballot", Operation::ballot},
};
const Words<Half> kHalves = {{"lo", Half::lo}, {"hi", Half::hi}, {"wide", Half::wide}};
const Words<Scope> kScopes = {{"cta", Scope::cta},
                              {"cluster", Scope::cluster},
                              {"gpu", Scope::gpu},
                              {"gl", Scope::gpu},
                              {"sys", Scope::sys}};
const Words<Order> kOrders = {
    {"weak", Order::weak},
    {"relaxed", Order::relaxed},
    {"acquire", Order::acquire},
    {"release", Order::release},
    {"acq_rel", Order::acq_rel},
    {"sc", Order::sc},
    {"volatile", Order::is_volatile},
    {"mmio", Order::mmio},
};
const Words<CacheOperator> kCacheOperators = {
    {"ca", CacheOperator::ca}, {"cg", CacheOperator::cg}, {"cs", CacheOperator::cs},
    {"lu", CacheOperator::lu}, {"cv", CacheOperator::cv}, {"wb", CacheOperator::wb},
    {"wt", CacheOperator::wt}, {"nc", CacheOperator::nc},
};
const Words<ShuffleMode> kShuffles = {{"up", ShuffleMode::up},
                                      {"down", ShuffleMode::down},
                                      {"bfly", ShuffleMode::bfly},
                                      {"idx", ShuffleMode::idx}};
const Words<TestProperty> kProperties = {
    {"finite", TestProperty::finite}, {"infinite", TestProperty::infinite},
    {"number", TestProperty::number}, {"notanumber", TestProperty::notanumber},
    {"normal", TestProperty::normal}, {"subnormal", TestProperty::subnormal},
};
const Words<PermuteMode> kPermutes = {{"f4e", PermuteMode::f4e}, {"b4e", PermuteMode::b4e},
                                      {"rc8", PermuteMode::rc8}, {"ecl", PermuteMode::ecl},
                                      {"ecr", PermuteMode::ecr}, {"rc16", PermuteMode::rc16}};
const Words<bool Form::*> kFlags = {
    {"ftz", &Form::ftz},
    {"sat", &Form::sat},
    {"satfinite", &Form::satfinite},
    {"relu", &Form::relu},
    {"approx", &Form::approx},
    {"full", &Form::full},
    {"NaN", &Form::nan},
    {"abs", &Form::abs},
    {"cc", &Form::carry_out},
    {"shiftamt", &Form::shiftamt},
    {"clamp", &Form::clamp},
    {"wrap", &Form::wrap},
    {"sync", &Form::sync},
    {"aligned", &Form::aligned},
    {"to", &Form::to},
    {"noftz", &Form::noftz},
    {"arrive", &Form::arrive},
    {"red", &Form::reduce},
    {"oob", &Form::oob},
    {"pack", &Form::pack},
    {"L2::cache_hint", &Form::cache_hint},
};
const Words<std::uint8_t> kVectors = {{"v2", 2}, {"v4", 4}, {"v8", 8}};

/// Whether `lo` and `hi` are comparisons here, not halves of a product.
bool compares(std::string_view mnemonic) {
  return mnemonic == "setp" || mnemonic == "set" || mnemonic.starts_with("vset");
}

void add_type(Type type, Form& form) {
  Type& place = form.type == Type::none    ? form.type
                : form.type2 == Type::none ? form.type2
                                           : form.type3;
  place = type;
}

bool apply_space(std::string_view word, Form& form) {
  const std::string_view plain = word.substr(0, word.find("::"));
  const auto space = ptx::space_from_name(plain);
  if (!space || (plain.size() != word.size() && plain != "shared" && plain != "param"))
    return false;
  (form.space == Space::generic ? form.space : form.space2) = *space;
  return true;
}

}  // namespace

bool apply_word(std::string_view mnemonic, std::string_view word, Form& form) {
  if (const auto type = ptx::type_from_name(word)) return add_type(*type, form), true;
  if (compares(mnemonic) && set(kComparisons, word, form.compare)) return true;
  if (word == "uni") form.uniform = true;
  if (word == "xorsign") return form.xorsign_abs = true;
  if (const auto flag = kFlags.find(word); flag != kFlags.end()) return form.*flag->second = true;
  return set(kRoundings, word, form.rounding) || set(kOperations, word, form.operation) ||
         set(kHalves, word, form.half) || set(kScopes, word, form.scope) ||
         set(kOrders, word, form.order) || set(kShuffles, word, form.shuffle) ||
         set(kProperties, word, form.property) || set(kPermutes, word, form.permute) ||
         set(kVectors, word, form.vector) || set(kCacheOperators, word, form.cache) ||
         set(kComparisons, word, form.compare) || apply_space(word, form);
}

}  // namespace raddle::isa
