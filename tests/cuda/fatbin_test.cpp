// Fat binaries made by hand, by the description of the container in cuda/fatbin/image.cpp.
#include <gtest/gtest.h>
#include <lz4.h>
#include <sys/mman.h>
#include <zstd.h>

#include <cstring>

#include "base/error.h"
#include "cuda/fatbin/image.h"
#include "ptx/module.h"

namespace raddle::cuda {
namespace {

using Bytes = std::vector<std::byte>;

template <class T>
void put(Bytes& bytes, std::size_t at, T value) {
  if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

Bytes entry(std::uint16_t kind, std::uint32_t sm, const std::string& payload,
            std::uint64_t flags = 0, std::uint64_t unpacked = 0) {
  Bytes bytes(0x40);
  put<std::uint16_t>(bytes, 0, kind);
  put<std::uint32_t>(bytes, 4, 0x40);
  const std::uint64_t padded = (payload.size() + 7) / 8 * 8;
  put<std::uint64_t>(bytes, 8, padded);
  put<std::uint32_t>(bytes, 0x10, flags == 0 ? 0 : static_cast<std::uint32_t>(payload.size()));
  put<std::uint32_t>(bytes, 0x1c, sm);
  put<std::uint64_t>(bytes, 0x28, flags);
  put<std::uint64_t>(bytes, 0x38, unpacked);
  bytes.resize(0x40 + padded);
  std::memcpy(bytes.data() + 0x40, payload.data(), payload.size());
  return bytes;
}

Bytes container(const std::vector<Bytes>& entries) {
  Bytes bytes(16);
  for (const Bytes& one : entries) bytes.insert(bytes.end(), one.begin(), one.end());
  put<std::uint32_t>(bytes, 0, 0xBA55ED50);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, 16);
  put<std::uint64_t>(bytes, 8, bytes.size() - 16);
  return bytes;
}

const std::string kText = ".version 7.0\n.target sm_70\n.address_size 64\n";

TEST(FatBinary, ReadsPlainEntries) {
  const auto images =
      parse_fat_binary(container({entry(2, 80, "machine"), entry(1, 75, kText)}), "test");
  ASSERT_EQ(images.size(), 2u);
  EXPECT_EQ(images[0].kind, Image::Kind::machine_code);
  EXPECT_EQ(images[1].kind, Image::Kind::ptx);
  EXPECT_EQ(images[1].sm, 75u);
  EXPECT_EQ(images[1].text, kText);
}

TEST(FatBinary, UnpacksLz4) {
  std::string packed(256, '\0');
  packed.resize(static_cast<std::size_t>(
      LZ4_compress_default(kText.data(), packed.data(), static_cast<int>(kText.size()), 256)));
  const auto images =
      parse_fat_binary(container({entry(1, 70, packed, 0x2000, kText.size())}), "test");
  EXPECT_EQ(images.at(0).text, kText);
}

TEST(FatBinary, UnpacksZstd) {
  std::string packed(256, '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), kText.data(), kText.size(), 3));
  const auto images =
      parse_fat_binary(container({entry(1, 70, packed, 0x8000, kText.size())}), "test");
  EXPECT_EQ(images.at(0).text, kText);
}

TEST(FatBinary, RefusesEveryTruncation) {
  const Bytes whole = container({entry(1, 75, kText)});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(parse_fat_binary(std::span(whole).first(size), "test"), Error) << size;
  }
}

TEST(FatBinary, RefusesDamagedCompression) {
  const Bytes lz4 = container({entry(1, 75, "\xff\xff\xff\xff garbage", 0x2000, 100)});
  const Bytes zstd = container({entry(1, 75, "garbage", 0x8000, 100)});
  const Bytes huge = container({entry(1, 75, "garbage", 0x8000, ~std::uint64_t{0})});
  EXPECT_THROW(parse_fat_binary(lz4, "test"), Error);
  EXPECT_THROW(parse_fat_binary(zstd, "test"), Error);
  EXPECT_THROW(parse_fat_binary(huge, "test"), Error);
}

std::vector<Image> versions(std::initializer_list<unsigned> sms) {
  std::vector<Image> images;
  for (const unsigned sm : sms) {
    images.push_back({Image::Kind::ptx, sm, std::to_string(sm), ptx::Target{sm, 0}, false});
  }
  return images;
}

TEST(ChoosePtx, TakesTheNewestThatTheGpuKnows) {
  EXPECT_EQ(choose_ptx(versions({50, 80, 70, 90}), 75, "test").sm, 70u);
  EXPECT_EQ(choose_ptx(versions({75}), 75, "test").sm, 75u);
}

TEST(ChoosePtx, TakesTheOldestWhenAllAreNewer) {
  EXPECT_EQ(choose_ptx(versions({90, 75, 80}), 35, "test").sm, 75u);
}

// PTX ISA ".target": 'a' is for that GPU alone, 'f' for later ones of the family too.
TEST(ChoosePtx, KnowsWhichGpusATargetIsFor) {
  const auto runs = [](unsigned gpu, const char* target) {
    const std::string text = std::string(".version 9.0\n.target ") + target + "\n";
    const auto images = parse_fat_binary(container({entry(1, gpu, text)}), "test");
    return runs_on(gpu, images.at(0));
  };
  EXPECT_TRUE(runs(90, "sm_80"));
  EXPECT_FALSE(runs(70, "sm_75"));
  EXPECT_TRUE(runs(90, "sm_90a"));
  EXPECT_FALSE(runs(100, "sm_90a"));
  EXPECT_TRUE(runs(103, "sm_100f, texmode_independent"));
  EXPECT_FALSE(runs(120, "sm_100f"));
  EXPECT_FALSE(runs(103, "sm_100a"));
}

TEST(ChoosePtx, CodeForAnyGpuRunsOnAny) {
  const std::string text = std::string(ptx::kForAnyGpu) + kText;
  EXPECT_TRUE(runs_on(20, parse_fat_binary(container({entry(1, 70, text)}), "test").at(0)));
}

TEST(ChoosePtx, SaysHowToBuildWhenThereIsOnlyMachineCode) {
  try {
    choose_ptx({{Image::Kind::machine_code, 80, ""}}, 80, "a.out");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("-gencode"), std::string::npos);
  }
}

TEST(Wrapper, Version2HoldsSeveralFatBinaries) {
  const Bytes first = container({entry(1, 75, kText)}), second = container({entry(1, 75, kText)});
  const Bytes empty = container({});
  const void* array[] = {empty.data(), first.data(), second.data(), nullptr};
  const struct {
    std::uint32_t magic = 0x466243B1, version = 2;
    const void* data;
    const void* names;
  } wrapper{.data = empty.data(), .names = array};
  EXPECT_EQ(read_wrapper(&wrapper, "test").size(), 2u);
}

// At the end of what is mapped: nothing beyond may be touched.
TEST(Wrapper, AFatBinaryThatClaimsMoreThanThereIsIsRefused) {
  constexpr std::size_t kPage = 4096;
  auto* pages = static_cast<std::byte*>(
      mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(pages + kPage, kPage, PROT_NONE), 0);
  const Bytes whole = container({entry(1, 75, kText)});
  std::byte* const at = pages + kPage - whole.size();
  std::memcpy(at, whole.data(), whole.size());
  const struct {
    std::uint32_t magic = 0x466243B1, version = 1;
    const void* data;
    const void* names = nullptr;
  } wrapper{.data = at};
  EXPECT_EQ(read_wrapper(&wrapper, "test").size(), 1u);
  std::uint64_t size;
  std::memcpy(&size, at + 8, sizeof size);
  for (const std::uint64_t claimed : {size + 1, size + kPage, std::uint64_t{1} << 40,
                                      ~std::uint64_t{0} - 15, ~std::uint64_t{0}}) {
    std::memcpy(at + 8, &claimed, sizeof claimed);
    EXPECT_THROW(read_wrapper(&wrapper, "test"), Error) << claimed;
  }
  munmap(pages, 2 * kPage);
}

TEST(Wrapper, MayPointAtPtxText) {
  const struct {
    std::uint32_t magic = 0x466243B1, version = 1;
    const void* data;
    const void* names = nullptr;
  } wrapper{.data = kText.c_str()};
  const auto parts = read_wrapper(&wrapper, "test");
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].at(0).sm, 70u);
}

}  // namespace
}  // namespace raddle::cuda
