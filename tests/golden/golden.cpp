// Files of golden vectors: packs and unpacks them, and compares what two machines computed.
#include <fmt/core.h>
#include <zstd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "comparison.h"
#include "sums.h"

namespace {

using namespace raddle::golden;

constexpr const char* kUsage =
    "usage: golden unpack FILE.zst FILE\n"
    "       golden pack FILE FILE.zst\n"
    "       golden strip CASES CASES        without the code for hardware\n"
    "       golden sums CASES HARDWARE      of `export_cases --binades`; all operands, minutes\n"
    "       golden check CASES HARDWARE SIMULATED KNOWN    exit code 1 for a difference not "
    "listed\n"
    "       golden table CASES HARDWARE SIMULATED [all]    a line for each form that differs\n"
    "       golden expected CASES HARDWARE SIMULATED       where hardware and behaviour files "
    "differ\n";

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

std::size_t good(std::size_t size) {
  if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
  return size;
}

void pack(const std::string& from, const std::string& to) {
  const std::string bytes = read_file(from);
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 19);
  // What repeats is far apart: operands that kernels share.
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 26);
  ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, 1);
  packed.resize(
      good(ZSTD_compress2(context, packed.data(), packed.size(), bytes.data(), bytes.size())));
  ZSTD_freeCCtx(context);
  write_file(to, packed);
}

void unpack(const std::string& from, const std::string& to) {
  const std::string packed = read_file(from);
  const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) {
    throw std::runtime_error(from + " is no file that `golden pack` wrote");
  }
  std::string bytes(size, '\0');
  good(ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size()));
  write_file(to, bytes);
}

/// What comparing needs.
void strip(const std::string& from, const std::string& to) {
  Archive archive = read_archive(from);
  for (Case& c : archive.cases) c.cubin.clear();
  write_archive(to, archive);
}

int check(const Comparison& comparison, const std::string& list) {
  const auto wrong = complaints(comparison, read_known(list));
  for (const std::string& text : wrong) fmt::print("{}\n", text);
  fmt::print("{} cases, {} forms, {} complaints\n", comparison.cases, comparison.forms.size(),
             wrong.size());
  return wrong.empty() && comparison.cases > 0 ? 0 : 1;
}

int run(const std::vector<std::string>& words) {
  const std::string verb = words.empty() ? "" : words[0];
  if (words.size() == 3 && verb == "unpack") return unpack(words[1], words[2]), 0;
  if (words.size() == 3 && verb == "pack") return pack(words[1], words[2]), 0;
  if (words.size() == 3 && verb == "strip") return strip(words[1], words[2]), 0;
  if (words.size() == 3 && verb == "sums") {
    return sums_agree(read_archive(words[1]), read_results(words[2])) ? 0 : 1;
  }
  if (words.size() < 4) return std::fputs(kUsage, stderr), 2;
  const Results hardware = read_results(words[2]);
  const Comparison comparison = compare(read_archive(words[1]), hardware, read_results(words[3]));
  if (verb == "check" && words.size() == 5) return check(comparison, words[4]);
  if (verb == "table") {
    fmt::print("{}\n{}", hardware.machine, table(comparison, words.size() > 4));
    for (const std::string& text : comparison.outcomes) fmt::print("\n{}", text);
    return 0;
  }
  if (verb != "expected") return std::fputs(kUsage, stderr), 2;
  for (const std::string& text : comparison.unexpected) fmt::print("{}\n", text);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run({words + 1, words + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "golden: {}\n", error.what());
    return 1;
  }
}
