// 9.7.18 Stack manipulation and 9.7.19 miscellaneous instructions.
#include "isa/semantics/miscellaneous.h"
#include "isa/lower/rows.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

const Row kRows[] = {
    {"stacksave", "(.u32|.u64)", "d", Class::move, Kind::compute, select_stacksave, "9.7.18.1", "",
     kChangesState},
    {"stackrestore",
     "(.u32|.u64)",
     {"a", lower_stackrestore},
     Class::move,
     Kind::compute,
     select_stackrestore,
     "9.7.18.2",
     "",
     kChangesState},
    {"alloca", "(.u32|.u64)", lower_alloca, Class::move, Kind::memory, select_alloca, "9.7.18.3",
     "", kTakesStack},
    {"brkpt", "", "", Class::control, Kind::other, select_brkpt, "9.7.19.1"},
    {"nanosleep", "(.u32)", "a", Class::control, Kind::other, select_nanosleep, "9.7.19.2"},
    {"pmevent",
     "{.mask}",
     {"#a", lower_event},
     Class::control,
     Kind::compute,
     nullptr,
     "9.7.19.3",
     "mask"},
    {"trap", "", "", Class::control, Kind::other, select_trap, "9.7.19.4"},
    {"setmaxnreg",
     "(.inc|.dec).sync.aligned(.u32)",
     {"#a", lower_register_count},
     Class::control,
     Kind::compute,
     nullptr,
     "9.7.19.5"},
};

}  // namespace

std::span<const Row> miscellaneous_rows() { return kRows; }

}  // namespace raddle::isa
