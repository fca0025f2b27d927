// Worklists in software on a GPU with a stack of reconvergence points.
// gpu: fermi-4core
#include "worklists.h"

int main() { return test_worklists(); }
