// 9.7.12 Control flow. Targets and callees are resolved in lower/control_flow.cpp and
// lower/call.cpp.
#include "isa/table.h"

namespace raddle::isa {
namespace {

const Row kRows[] = {
    {"bra", "{.uni}", "label", Class::branch, Kind::branch, nullptr, "9.7.12.3"},
    {"brx", ".idx{.uni}", "table", Class::branch, Kind::branch, nullptr, "9.7.12.4"},
    {"call", "{.uni}", "callee", Class::branch, Kind::call, nullptr, "9.7.12.5"},
    {"ret", "{.uni}", "ret", Class::branch, Kind::ret, nullptr, "9.7.12.6"},
    {"exit", "", "exit", Class::branch, Kind::exit, nullptr, "9.7.12.7"},
};

}  // namespace

std::span<const Row> control_flow_rows() { return kRows; }

}  // namespace raddle::isa
