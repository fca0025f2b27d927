#include "base/document_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/error.h"
#include "base/output_file.h"

namespace raddle {
namespace {

constexpr char kSeparator = '\x1e';  // no text in JSON contains it: RFC 7464

}  // namespace

void append_document(const std::string& file, unsigned number, std::string_view text) {
  const int descriptor = open_past_limit(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0)
    fail("cannot open a temporary file for the results: {}", std::strerror(errno));
  flock(descriptor, LOCK_EX);  // until it is closed
  struct stat before{};
  fstat(descriptor, &before);
  int error = write_bytes(descriptor, fmt::format("{}{}\n", kSeparator, number));
  if (error == 0) error = write_bytes(descriptor, text);
  if (error != 0) [[maybe_unused]]
    const int shortened = ftruncate(descriptor, before.st_size);
  close(descriptor);
  if (error != 0) fail("cannot write a temporary file: {}", std::strerror(error));
}

std::vector<Document> split_documents(std::string_view content) {
  std::vector<Document> all;
  while (!content.empty()) {
    content.remove_prefix(1);
    const std::size_t end = std::min(content.find(kSeparator), content.size());
    const std::string_view one = content.substr(0, end);
    const std::size_t line = std::min(one.find('\n'), one.size() - 1);
    Document document{};
    std::from_chars(one.data(), one.data() + line, document.number);
    document.text = one.substr(line + 1);
    all.push_back(std::move(document));
    content.remove_prefix(end);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Document& a, const Document& b) { return a.number < b.number; });
  // A process that continued after its first text has written another one.
  std::vector<Document> last;
  for (Document& one : all) {
    if (!last.empty() && last.back().number == one.number) last.pop_back();
    last.push_back(std::move(one));
  }
  return last;
}

std::string with_first_member(std::string_view object, std::string_view member) {
  constexpr std::string_view kBegin = "{\n";
  if (!object.starts_with(kBegin)) return std::string(object);
  return fmt::format("{} {},\n{}", kBegin, member, object.substr(kBegin.size()));
}

}  // namespace raddle
