// Before the functions of a header of the library, and library_end.h behind them: without debugging
// information of their own they count as the line that calls them, so that faults and profiles name
// the program's lines. (No guard: included for each header.)
#if defined(__clang__) && defined(__CUDA__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#endif
