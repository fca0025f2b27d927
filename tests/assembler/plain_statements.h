// A valid PTX statement, with fitting operands, for every form of every row of the instruction
// table.
#pragma once

#include <vector>

#include "statements.h"

namespace raddle::tests {

struct PlainStatement {
  Statement text;
  bool
      varied;  // the first of its row with these types: whose operands are to be replaced by others
};

/// For each row: every combination of its types, and every other word that it must have; of
/// the words that it may have, as few as make it an instruction. Each once, sorted.
std::vector<PlainStatement> plain_statements();

}  // namespace raddle::tests
