// Asks ptxas about all statements and writes its verdicts: record_verdicts VERDICTS RESULTS KINDS
#include <fmt/core.h>

#include "base/error.h"
#include "operand_kinds.h"
#include "plain_statements.h"
#include "ptxas.h"
#include "verdicts.h"

int main(int count, char** arguments) {
  using namespace raddle::tests;
  try {
    const std::string ptxas = find_ptxas();
    if (count != 4 || ptxas.empty())
      raddle::fail("usage: record_verdicts VERDICTS RESULTS KINDS, with ptxas ($PTXAS)");
    const auto kinds = ask_ptxas_kinds(ptxas, plain_statements());
    write_kinds(arguments[3], kinds);
    fmt::print("{} statements in {}\n", kinds.size(), arguments[3]);
    // Apart: beside textures and matrices, ptxas says other things of 32-bit addresses.
    const std::vector<Statement> asked[] = {all_statements(), result_statements()};
    for (const int file : {0, 1}) {
      RecordedVerdicts::write(arguments[1 + file], asked[file], ask_ptxas(ptxas, asked[file]));
      fmt::print("{} verdicts in {}\n", asked[file].size(), arguments[1 + file]);
    }
    return 0;
  } catch (const raddle::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
