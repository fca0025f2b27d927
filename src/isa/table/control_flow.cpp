// 9.7.12 Control flow.
#include "isa/table.h"

#include "isa/lower/rows.h"

namespace raddle::isa {
namespace {

const Row kRows[] = {
    {"bra", "{.uni}", lower_branch, Class::branch, Kind::branch, nullptr, "9.7.12.3"},
    {"brx", ".idx{.uni}", lower_branch_table, Class::branch, Kind::branch, nullptr, "9.7.12.4"},
    {"call", "{.uni}", {lower_call, kTakesSymbols}, Class::branch, Kind::call, nullptr, "9.7.12.5"},
    {"ret", "{.uni}", lower_return, Class::branch, Kind::ret, nullptr, "9.7.12.6"},
    {"exit", "", lower_exit, Class::branch, Kind::exit, nullptr, "9.7.12.7"},
};

}  // namespace

std::span<const Row> control_flow_rows() { return kRows; }

}  // namespace raddle::isa
