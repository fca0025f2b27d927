// Regular expressions over packets and strings. See README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/data_path.h"
#include "common/device_buffer.h"
#include "common/options.h"
#include "common/text_scanner.h"
#include "regx/kernels.cuh"
#include "regx/pattern.h"
#include "regx/reference.h"
#include "regx/texts.h"

using namespace raddle::workloads;

namespace {

constexpr unsigned block_size = parent_block;

std::vector<unsigned> match_on_gpu(const Automaton& automaton, const Texts& texts,
                                   const std::string& variant, const DynamicOptions& dynamic) {
  std::vector<unsigned short> table;
  for (const auto& row : automaton.next) table.insert(table.end(), row.begin(), row.end());
  const DeviceBuffer<unsigned short> next(table);
  const DeviceBuffer<unsigned char> accepting(automaton.accepting);
  const DeviceBuffer<unsigned char> bytes(texts.bytes);
  const DeviceBuffer<unsigned> offsets(texts.offsets);
  const auto count = static_cast<unsigned>(texts.count());
  DeviceBuffer<unsigned> matches(count);
  matches.fill_bytes(0);
  const Search search{next.data(), accepting.data(), bytes.data(), offsets.data(), matches.data()};
  const unsigned blocks = blocks_for(count, block_size);
  if (is_dynamic(variant)) {
    regx_dynamic<<<blocks, block_size>>>(search, count, dynamic.prepare_device(variant));
  } else {
    regx_flat<<<blocks, block_size>>>(search, count);
  }
  CHECK_CUDA(cudaGetLastError());
  return matches.download();
}

struct PatternFile {
  std::vector<std::string> patterns;
  std::vector<std::size_t> lines;  // their line numbers, from 1
};

/// Reads a pattern a line. Skips empty lines and lines that begin with #.
PatternFile read_patterns(const std::string& file) {
  PatternFile read;
  std::size_t number = 0;
  const std::string text = read_file(file);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    ++number;
    if (!line.empty() && line.front() != '#') {
      read.patterns.push_back(line);
      read.lines.push_back(number);
    }
    begin = end + 1;
  }
  if (read.patterns.empty()) throw InputError(file + ": has no pattern");
  return read;
}

Automaton compile_file(const std::string& file) {
  const PatternFile read = read_patterns(file);
  try {
    return compile_patterns(read.patterns);
  } catch (const PatternError& error) {
    throw InputError(file + ":" + std::to_string(read.lines[error.pattern]) + ":" +
                     std::to_string(error.column) + ": " + error.what());
  } catch (const std::invalid_argument& error) {
    throw InputError(file + ": " + error.what());
  }
}

/// Returns the first `count` texts, or all when there are fewer.
Texts first_texts(Texts texts, std::size_t count) {
  if (texts.count() > count) texts.offsets.resize(count + 1);
  texts.bytes.resize(texts.offsets.back());
  return texts;
}

}  // namespace

int main(int argc, char** argv) {
  // Link, network and transport headings of TCP over IPv4 over Ethernet, without options.
  constexpr std::size_t packet_headings = 14 + 20 + 20;
  std::string variant = "flat";
  std::string input = "packets/http.pcap";
  std::string patterns;
  std::int64_t count = 2048;
  std::int64_t replay = 1;
  std::int64_t snap = 65535;
  std::int64_t seed = 1;
  DynamicOptions dynamic;
  Options options("regx", "finds regular expressions in packets or strings");
  options.add_choice("--variant", &variant, {"flat", "cdp", "dtbl"}, "who looks at a text");
  options.add("--input", &input, "packets: a capture file (.pcap), or strings");
  options.add("--patterns", &patterns,
              "file with a pattern per line; by default one for each input");
  options.add("--count", &count, 1, 1 << 24, "packets (the first of the file) or strings");
  options.add("--replay", &replay, 1, 1 << 16, "packets: how often the capture is played");
  options.add("--snap", &snap, 1, 65535, "packets: bytes that are looked at, of each");
  options.add("--seed", &seed, 0, INT64_MAX, "of the strings");
  dynamic.add_to(options);
  return run_workload(options, argc, argv, [&] {
    const bool strings = input == "strings";
    if (patterns.empty()) patterns = strings ? "regx/strings.regex" : "regx/http.regex";
    const Automaton automaton = compile_file(find_input(patterns));
    const auto wanted = static_cast<std::size_t>(count);
    const std::string file = strings ? "" : find_input(input);
    const Texts texts =
        strings
            ? random_texts(wanted, 32, 128, static_cast<std::uint64_t>(seed))
            : replayed(first_texts(parse_capture(file, read_file(file), packet_headings), wanted),
                       static_cast<std::uint32_t>(replay), static_cast<std::size_t>(snap));
    const std::vector<unsigned> found = match_on_gpu(automaton, texts, variant, dynamic);
    std::printf("regx: %zu texts of %zu bytes, %zu states, %u matches\n", texts.count(),
                texts.bytes.size(), automaton.next.size(),
                std::accumulate(found.begin(), found.end(), 0U));
    return check_equal("regx", regx_reference(automaton, texts), found);
  });
}
