// Parses any bytes as PTX. The result must be a module or an InputError with a place. The printed
// text of a module must parse, and print to the same text.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ptx/print.h"

namespace {

[[noreturn]] void report(const char* problem, const std::string& text) {
  std::fprintf(stderr, "%s\n%s\n", problem, text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace raddle;
  try {
    const ptx::Module module =
        ptx::parse("fuzz.ptx", std::string(reinterpret_cast<const char*>(data), size));
    const std::string printed = ptx::print(module);
    try {
      if (ptx::print(ptx::parse("printed.ptx", printed)) != printed) {
        report("printing twice gives different texts; the first:", printed);
      }
    } catch (const InputError& error) {
      report(error.what(), printed);
    }
  } catch (const InputError& error) {
    if (error.where().line == 0) report("an error without a place:", error.what());
  }
  return 0;
}
