// Text about the instruction table and about decoded programs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "isa/program.h"
#include "isa/table.h"

namespace raddle::isa {

/// One line: the instruction as written, then the registers that it writes and reads:
/// "ld.global.f32 %f1, [%rd8] ; writes r4 reads r6,r7". `instruction` is an index in Program::code.
std::string print(const Program& program, std::uint32_t instruction);

/// The supported instructions as a Markdown page, made from the instruction table (coverage.cpp).
std::string coverage_page();
/// The same table for other rows, without a heading.
std::string coverage_table(std::span<const Row> rows);

}  // namespace raddle::isa
