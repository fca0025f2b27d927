#include "device_code.h"

#include <elf.h>
#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include "base/error.h"
#include "cuda/fatbin/image.h"

namespace raddle::cli {

namespace {

constexpr std::uint32_t kFatBinaryMagic = 0xBA55ED50;
struct FatBinaryHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;
};

/// A copy of a T at `at`; fails when the file ends before it.
template <class T>
T at(std::span<const std::byte> file, std::uint64_t offset, const std::string& name) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) {
    fail("{}: damaged ELF file: it ends before offset {}", name, offset + sizeof(T));
  }
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

/// The contents of the sections in which compilers put device code.
std::vector<std::span<const std::byte>> device_sections(std::span<const std::byte> file,
                                                        const std::string& name) {
  const auto header = at<Elf64_Ehdr>(file, 0, name);
  const auto names = at<Elf64_Shdr>(
      file, header.e_shoff + std::uint64_t{header.e_shstrndx} * sizeof(Elf64_Shdr), name);
  std::vector<std::span<const std::byte>> sections;
  for (unsigned n = 0; n < header.e_shnum; ++n) {
    const auto section = at<Elf64_Shdr>(file, header.e_shoff + n * sizeof(Elf64_Shdr), name);
    if (section.sh_type == SHT_NOBITS) continue;
    std::string title;
    for (std::uint64_t i = names.sh_offset + section.sh_name;; ++i) {
      const char letter = at<char>(file, i, name);
      if (letter == '\0') break;
      title += letter;
    }
    if (title != ".nv_fatbin" && title != "__nv_relfatbin") continue;
    if (section.sh_offset > file.size() || section.sh_size > file.size() - section.sh_offset) {
      fail("{}: damaged ELF file: section {} lies outside it", name, title);
    }
    sections.push_back(file.subspan(section.sh_offset, section.sh_size));
  }
  return sections;
}

/// Reads fat binaries one after the other, and plain PTX texts that end in NUL, as clang embeds
/// them.
void read_section(std::span<const std::byte> section, const std::string& name, unsigned sm,
                  const isa::Loader& loader, std::vector<ptx::Module>& modules) {
  while (!section.empty()) {
    FatBinaryHeader header{};
    if (section.size() >= sizeof(header)) std::memcpy(&header, section.data(), sizeof(header));
    if (header.magic == kFatBinaryMagic) {
      if (header.header_bytes < sizeof(header) || header.header_bytes > section.size() ||
          header.bytes > section.size() - header.header_bytes) {
        fail("{}: damaged: a fat binary does not fit its section", name);
      }
      const std::uint64_t bytes = header.header_bytes + header.bytes;
      const auto images = cuda::parse_fat_binary(section.first(bytes), name);
      if (!images.empty()) {
        modules.push_back(loader.parse(name, cuda::choose_ptx(images, sm, name).text));
      }
      section = section.subspan(bytes);
    } else if (section[0] == std::byte{0}) {
      section = section.subspan(1);
    } else {
      const auto* text = reinterpret_cast<const char*>(section.data());
      const std::size_t length = strnlen(text, section.size());
      modules.push_back(loader.parse(name, std::string(text, length)));
      section = section.subspan(length);
    }
  }
}

}  // namespace

std::vector<ptx::Module> read_device_code(const std::string& file, unsigned sm,
                                          const isa::Loader& loader) {
  if (std::filesystem::is_directory(file)) fail("{} is a folder", file);
  if (file.ends_with(".cu")) {
    fail("{} is source code; to compile it to PTX: raddle cc -ptx {}", file, file);
  }
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (!in) fail("cannot read {}: {}", file, std::strerror(errno));
  std::vector<ptx::Module> modules;
  if (!text.starts_with(ELFMAG)) {
    modules.push_back(loader.parse(file, std::move(text)));
    return modules;
  }
  const auto bytes = std::as_bytes(std::span(text));
  for (const auto section : device_sections(bytes, file))
    read_section(section, file, sm, loader, modules);
  if (modules.empty()) {
    fail("{} contains no device code (it may be in a library that the program loads)", file);
  }
  return modules;
}

}  // namespace raddle::cli
