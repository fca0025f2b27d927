// Worklists in software on a GPU whose lanes part and meet freely; worklists_stack.cu has the other.
// gpu: v100
// run: --set gpu.sms=4
#include "worklists.h"

int main() { return test_worklists(); }
