// Asks ptxas about all statements and writes what it says: record_verdicts FILE
#include <fmt/core.h>

#include "base/error.h"
#include "ptxas.h"
#include "verdicts.h"

int main(int count, char** arguments) {
  using namespace raddle::tests;
  try {
    const std::string ptxas = find_ptxas();
    if (count != 2 || ptxas.empty())
      raddle::fail("usage: record_verdicts FILE, with ptxas ($PTXAS)");
    const auto statements = all_statements();
    RecordedVerdicts::write(arguments[1], statements, ask_ptxas(ptxas, statements));
    fmt::print("{} verdicts in {}\n", statements.size(), arguments[1]);
    return 0;
  } catch (const raddle::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
