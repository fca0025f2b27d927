// The instruction table as a page for people.
#pragma once

#include <string>

namespace raddle::isa {

/// Markdown: every supported instruction form by section of the PTX ISA manual, in the notation of
/// the table (table.h), and what is refused.
std::string coverage_page();

}  // namespace raddle::isa
