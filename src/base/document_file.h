// Texts that several processes hand to the process that started them, in one file: one text each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace raddle {

/// Adds the text of process `number`, or replaces its earlier one. The text is added whole or not
/// at all, even if other processes add texts at the same time. Throws Error with the reason on
/// failure.
void append_document(const std::string& file, unsigned number, std::string_view text);

/// A JSON object, in lines, with one more member at its front: `"interrupted": true`.
std::string with_first_member(std::string_view object, std::string_view member);

struct Document {
  unsigned number;
  std::string text;
};

/// The texts of such a file, by number; the last one of each process.
std::vector<Document> split_documents(std::string_view content);

}  // namespace raddle
