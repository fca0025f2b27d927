#include "cuda/fatbin/image.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/error.h"
#include "cuda/fatbin/decompress.h"
#include "memory/host_memory.h"
#include "ptx/module.h"

namespace raddle::cuda {

namespace {

// The container's header: u32 magic, u16 version, u16 header size, u64 bytes after the header.
constexpr std::uint32_t kContainerMagic = 0xBA55ED50;
constexpr std::size_t kContainerHeader = 16;
// The wrapper from the compiler's host code: i32 magic, i32 version, data and names pointers.
constexpr std::uint32_t kWrapperMagic = 0x466243B1;

// Fields of an entry's header, by offset.
constexpr std::size_t kKind = 0x00;            // u16: 1 PTX, 2 machine code (ELF)
constexpr std::size_t kHeaderSize = 0x04;      // u32
constexpr std::size_t kPaddedSize = 0x08;      // u64: bytes from header's end to the next entry
constexpr std::size_t kPackedSize = 0x10;      // u32: 0 when not compressed
constexpr std::size_t kArchitecture = 0x1c;    // u32
constexpr std::size_t kFlags = 0x28;           // u64
constexpr std::size_t kUnpackedSize = 0x38;    // u64: only in headers of 64 bytes and more
constexpr std::size_t kShortestHeader = 0x30;  // up to and including the flags
constexpr std::uint64_t kFlagZstd = 0x8000, kFlagLz4 = 0x2000;

template <class T>
T read(std::span<const std::byte> bytes, std::size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) {
    fail("fat binary: ends in the middle of a header");
  }
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string unpack(std::span<const std::byte> header, std::span<const std::byte> payload) {
  const auto packed = read<std::uint32_t>(header, kPackedSize);
  const auto flags = read<std::uint64_t>(header, kFlags);
  std::string text;
  if (packed == 0 && (flags & (kFlagZstd | kFlagLz4)) == 0) {
    text.assign(reinterpret_cast<const char*>(payload.data()), payload.size());
  } else {
    if (packed > payload.size()) fail("fat binary: a packed entry is longer than its place");
    const auto size = read<std::uint64_t>(header, kUnpackedSize);
    if (flags & kFlagZstd) {
      text = decompress_zstd(payload.first(packed), size);
    } else if (flags & kFlagLz4) {
      text = decompress_lz4(payload.first(packed), size);
    } else {
      fail("fat binary: an entry is compressed in an unknown way (flags {:#x})", flags);
    }
  }
  // Entries are padded to eight bytes with NULs.
  const std::size_t end = text.find('\0');
  if (end != std::string::npos) text.resize(end);
  return text;
}

/// PTX begins with white space, a comment or a directive.
bool looks_like_ptx(const char* text) {
  while (std::isspace(static_cast<unsigned char>(*text)) != 0) ++text;
  return *text == '/' || *text == '.';
}

/// Reads the target that the text names; the parser reports text that is not PTX.
void read_target(Image& image) {
  image.for_any_gpu = image.text.starts_with(ptx::kForAnyGpu);
  image.target = {image.sm, 0};
  const std::size_t directive = image.text.find(".target");
  if (directive == std::string::npos) return;
  const std::size_t name = image.text.find_first_not_of(" \t", directive + 7);
  const std::size_t end = image.text.find_first_of(", \t\r\n", std::min(name, image.text.size()));
  if (name == std::string::npos) return;
  const auto target = ptx::target_from_name(std::string_view(image.text).substr(name, end - name));
  if (target) image.target = *target;
}

Image ptx_text(const char* text) {
  Image image;
  image.text = text;
  read_target(image);
  image.sm = image.target.sm;
  return image;
}

struct Wrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* data;
  const void* names;  // version 2: NULL-terminated array of fat binaries
};

}  // namespace

std::vector<Image> parse_fat_binary(std::span<const std::byte> bytes, const std::string& name) {
  if (read<std::uint32_t>(bytes, 0) != kContainerMagic) fail("{}: not a fat binary", name);
  const auto header_size = read<std::uint16_t>(bytes, 6);
  const auto size = read<std::uint64_t>(bytes, 8);
  if (header_size < kContainerHeader || header_size > bytes.size() ||
      size > bytes.size() - header_size) {
    fail("{}: the fat binary's header claims more bytes than there are", name);
  }
  std::span<const std::byte> rest = bytes.subspan(header_size, size);
  std::vector<Image> images;
  while (!rest.empty()) {
    const auto entry_header = read<std::uint32_t>(rest, kHeaderSize);
    const auto padded = read<std::uint64_t>(rest, kPaddedSize);
    if (entry_header < kShortestHeader || entry_header > rest.size() ||
        padded > rest.size() - entry_header) {
      fail("{}: entry {} of the fat binary reaches beyond its end", name, images.size());
    }
    const auto header = rest.first(entry_header);
    const auto kind = read<std::uint16_t>(header, kKind);
    Image image;
    image.sm = read<std::uint32_t>(header, kArchitecture);
    image.kind = kind == 1 ? Image::Kind::ptx : Image::Kind::machine_code;
    if (kind == 1) {
      image.text = unpack(header, rest.subspan(entry_header, padded));
      read_target(image);
    }
    images.push_back(std::move(image));
    rest = rest.subspan(entry_header + padded);
  }
  return images;
}

namespace {

/// Returns a copy, since damaged sizes may reach into unmapped memory.
std::vector<std::byte> bytes_at(const void* from, std::uint64_t bytes) {
  const auto address = reinterpret_cast<Address>(from);
  if (!memory::host_may_access(address, bytes, false)) {
    fail("a fat binary of {} bytes is said to be at {}, where there is less", bytes, from);
  }
  std::vector<std::byte> copy(bytes);
  if (!memory::copy_if_accessible(copy.data(), from, bytes)) {
    fail("a fat binary at {} cannot be read", from);
  }
  return copy;
}

}  // namespace

std::vector<std::byte> fat_binary_at(const void* header) {
  const std::vector<std::byte> start = bytes_at(header, kContainerHeader);
  if (read<std::uint32_t>(start, 0) != kContainerMagic) fail("no fat binary where one should be");
  const std::uint64_t rest = read<std::uint64_t>(start, 8);
  if (rest > ~std::uint64_t{0} >> 1) fail("a fat binary claims to have {} bytes", rest);
  return bytes_at(header, read<std::uint16_t>(start, 6) + rest);
}

std::vector<std::vector<Image>> read_wrapper(const void* wrapper_address, const std::string& name) {
  const auto& wrapper = *static_cast<const Wrapper*>(wrapper_address);
  if (wrapper.magic != kWrapperMagic) fail("{}: not a fat binary wrapper", name);
  std::vector<std::vector<Image>> programs;
  const auto add = [&](const void* data) {
    std::vector<Image> images = looks_like_ptx(static_cast<const char*>(data))
                                    ? std::vector<Image>{ptx_text(static_cast<const char*>(data))}
                                    : parse_fat_binary(fat_binary_at(data), name);
    if (!images.empty()) programs.push_back(std::move(images));
  };
  if (wrapper.version == 2 && wrapper.names != nullptr) {
    for (auto* one = static_cast<const void* const*>(wrapper.names); *one != nullptr; ++one) {
      add(*one);
    }
  } else if (wrapper.version == 1 || wrapper.version == 2) {
    add(wrapper.data);
  } else {
    fail("{}: fat binary wrapper of unknown version {}", name, wrapper.version);
  }
  return programs;
}

std::vector<std::vector<Image>> read_code(const void* code, const std::string& name) {
  std::uint32_t magic = 0;
  const auto* text = static_cast<const char*>(code);
  if (looks_like_ptx(text)) return {{ptx_text(text)}};
  std::memcpy(&magic, code, sizeof magic);
  if (magic == kWrapperMagic) return read_wrapper(code, name);
  if (magic == kContainerMagic) return {parse_fat_binary(fat_binary_at(code), name)};
  if (std::memcmp(text,
                  "\x7f"
                  "ELF",
                  4) == 0) {
    fail("{}: this is machine code (a cubin); the simulator runs PTX", name);
  }
  fail("{}: neither PTX text nor a fat binary", name);
}

bool runs_on(unsigned sm, const Image& image) {
  return image.for_any_gpu || ptx::runs_on(sm, image.target);
}

bool has_machine_code(const std::vector<Image>& images, unsigned sm) {
  return std::any_of(images.begin(), images.end(), [sm](const Image& image) {
    return image.kind == Image::Kind::machine_code && image.sm / 10 == sm / 10 && image.sm <= sm;
  });
}

const Image& choose_ptx(const std::vector<Image>& images, unsigned sm, const std::string& name) {
  const Image* best = nullptr;
  for (const Image& image : images) {
    if (image.kind != Image::Kind::ptx) continue;
    const bool runs = runs_on(sm, image), best_runs = best != nullptr && runs_on(sm, *best);
    const bool better = best == nullptr || runs != best_runs ? runs || best == nullptr
                        : runs                               ? image.sm > best->sm
                                                             : image.sm < best->sm;
    if (better) best = &image;
  }
  if (best == nullptr) {
    fail(
        "{}: the program holds machine code only; build it with PTX inside: nvcc -gencode "
        "arch=compute_75,code=compute_75",
        name);
  }
  return *best;
}

}  // namespace raddle::cuda
