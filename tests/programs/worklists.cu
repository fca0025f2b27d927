// Worklists in software on a GPU whose lanes part and meet freely; worklists_stack.cu has the other.
// gpu: v100
#include "worklists.h"

int main() { return test_worklists(); }
