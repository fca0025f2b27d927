// NVIDIA's assembler as the reference, where it is installed.
#pragma once

#include <string>
#include <vector>

#include "statements.h"

namespace raddle::tests {

/// Where ptxas is: $PTXAS, or /usr/local/cuda/bin/ptxas; "" if there is none.
std::string find_ptxas();

/// Its verdict on each statement. Statements are asked thousands at a time: it names the line of each
/// error. Throws Error if it cannot be run.
std::vector<Verdict> ask_ptxas(const std::string& ptxas, const std::vector<Statement>& statements);

}  // namespace raddle::tests
