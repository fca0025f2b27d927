// What several processes hand to the one that started them, in one file: a text each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace raddle {

/// Adds the text of process `number` (instead of what that has added before), whole or not at all, whoever else is adding. Throws Error
/// with the reason when it cannot.
void append_document(const std::string& file, unsigned number, std::string_view text);

/// A JSON object, in lines, with one more member at its front: `"interrupted": true`.
std::string with_first_member(std::string_view object, std::string_view member);

struct Document {
  unsigned number;
  std::string text;
};

/// What such a file holds, by number; of several texts of a process, the last.
std::vector<Document> split_documents(std::string_view content);

}  // namespace raddle
