// Worklists in software on a GPU with a reconvergence stack.
// gpu: fermi-4core
#include "worklists.h"

int main() { return test_worklists(); }
