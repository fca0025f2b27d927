#include "ptx/parser.h"

namespace raddle::ptx {

Parser::Parser(Module& module, const UnknownOpcode& unknown)
    : module_(module), unknown_(unknown), tokens_(module.file, *module.text) {}

Position Parser::position(const Token& token) const {
  return {token.line, token.column, source_file_, source_line_, inlined_};
}

void Parser::parse_module() {
  if (!tokens_.at_word(".version")) tokens_.fail_expected("'.version' to begin the module");
  parse_version();
  if (!tokens_.at_word(".target")) tokens_.fail_expected("'.target' after '.version'");
  parse_target();
  if (tokens_.at_word(".address_size")) parse_address_size();
  bool nounroll = false;
  while (tokens_.current().kind != Token::Kind::end) {
    const Token& token = tokens_.current();
    if (token.is('@')) {  // "@@DWARF ...": debugging information of PTX 1.x
      tokens_.skip_line();
    } else if (token.kind != Token::Kind::dotted) {
      tokens_.fail_expected("a directive");
    } else if (token.text == ".version") {
      tokens_.fail(token, "'.version' may stand only once, first");
    } else if (token.text == ".target" || token.text == ".address_size") {
      tokens_.fail(token, "'{}' may stand only once, {}", token.text,
                   token.text == ".target" ? "after '.version'" : "after '.target'");
    } else if (token.text == ".file") {
      parse_file();
    } else if (token.text == ".section") {
      parse_section();
    } else if (token.text == ".pragma") {
      nounroll |= parse_pragma(PragmaPlace::module);
    } else if (token.text == ".alias") {
      parse_alias();
    } else {
      parse_definition();
    }
  }
  if (debug_ && !has_sections_)
    tokens_.fail(*debug_, "'debug' is for modules with debugging information in a '.section'");
  for (Function& function : module_.functions) function.nounroll_all |= nounroll;
  apply_aliases();
}

void Parser::parse_definition() {
  Linkage linkage = Linkage::none;
  if (tokens_.accept_word(".visible")) {
    linkage = Linkage::visible;
  } else if (tokens_.accept_word(".extern")) {
    linkage = Linkage::external;
  } else if (tokens_.accept_word(".weak")) {
    linkage = Linkage::weak;
  } else if (tokens_.accept_word(".common")) {
    linkage = Linkage::common;
  }
  if (tokens_.accept_word(".entry")) {
    parse_function(linkage, true);
  } else if (tokens_.accept_word(".func")) {
    parse_function(linkage, false);
  } else {
    parse_variables(linkage);
  }
}

Module parse(std::string file, std::string text, const UnknownOpcode& unknown) {
  Module module;
  module.file = std::move(file);
  module.for_any_gpu = text.starts_with(kForAnyGpu);
  module.text = std::make_shared<const std::string>(std::move(text));
  module.files.emplace_back();
  Parser(module, unknown).parse_module();
  return module;
}

std::string Module::source_of(const Position& at) const {
  if (at.source_line == 0 || at.source_file >= files.size()) return "";
  return fmt::format("{}:{}", files[at.source_file], at.source_line);
}

}  // namespace raddle::ptx
