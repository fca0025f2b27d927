// Worklists in software on a GPU with independent lanes; worklists_stack.cu is for the other kind.
// gpu: v100
// run: --set gpu.sms=4
#include "worklists.h"

int main() { return test_worklists(); }
