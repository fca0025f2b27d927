// 3DES: each task encrypts one message of 2 to 64 KB, made of the payloads of captured packets, with
// the triple data encryption algorithm (NIST SP 800-67), block by block (ECB).
#pragma once

#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <vector>

#include "common/comparison.h"
#include "common/data_path.h"
#include "regx/texts.h"
#include "tasks/des.h"
#include "tasks/shape.h"

namespace raddle::workloads::narrow {

struct Packets {
  static constexpr unsigned kLeast = 2048, kMost = 65536;  // bytes

  struct Work {
    const std::uint64_t* blocks;  // as a little-endian machine reads them
    std::uint64_t* encrypted;
    const std::uint64_t* rounds;
    const des::Tables* tables;
    unsigned count;

    template <class At>
    __device__ __forceinline__ void operator()(const At& at) const {
      // The tables never change: they may stay in the L1 cache, as they do with nvcc where a kernel
      // takes them by a restricted pointer to const.
      const auto sp = [this](unsigned s, unsigned bits) { return __ldg(&tables->sp[s][bits]); };
      for (unsigned i = at.thread(); i < count; i += at.block_size()) {
        encrypted[i] = swapped(des::encrypt(swapped(blocks[i]), rounds, sp));
      }
    }
  };

  explicit Packets(const Setting& setting)
      : setting_(setting), offsets_(setting.count + 1), keys_(1), tables_(1) {
    for (unsigned task = 0; task < setting.count; ++task) {
      Random random(1000003 + task);
      const auto blocks =
          static_cast<unsigned>(random.below((kMost - kLeast) / 8 + 1)) + kLeast / 8;
      offsets_[task + 1] = offsets_[task] + blocks * setting.scale;
    }
    const std::vector<std::uint8_t> bytes = captured();
    const std::size_t size = offsets_.back();
    plain_ = std::make_unique<Buffers<std::uint64_t>>(size);
    encrypted_ = std::make_unique<Buffers<std::uint64_t>>(size);
    auto* const to = reinterpret_cast<std::uint8_t*>(plain_->host);
    for (std::size_t i = 0; i < 8 * size; ++i) to[i] = bytes[i % bytes.size()];
    keys_.host[0] = des::make_keys(kKeys);
    tables_.host[0] = des::make_tables();
    keys_.send(1, nullptr);
    tables_.send(1, nullptr);
    tasks::detail::must(cudaDeviceSynchronize());  // tasks run in streams that do not wait
  }

  template <class Comparison>
  void add(Comparison& to, unsigned task) {
    const std::size_t at = offsets_[task], count = offsets_[task + 1] - at;
    const unsigned threads = shape_of(setting_, task, 1).threads;
    const Work work{plain_->device + at, encrypted_->device + at, keys_.device->rounds,
                    tables_.device, static_cast<unsigned>(count)};
    to.add({threads, 1}, work, {plain_->device + at, plain_->host + at, 8 * count},
           {encrypted_->host + at, work.encrypted, 8 * count},
           [this, task] { on_cpu(task, encrypted_->host + offsets_[task]); });
  }

  /// Forgets the results of an earlier run.
  void forget() { encrypted_->wipe(); }
  /// All blocks against the same tables on the CPU; the first of each message, and NIST's example,
  /// against the cipher as the standard defines it.
  bool check() {
    const std::size_t size = offsets_.back();
    std::vector<std::uint64_t> expected(size);
    for (unsigned task = 0; task < setting_.count; ++task) {
      on_cpu(task, expected.data() + offsets_[task]);
      const std::size_t first = offsets_[task];
      if (expected[first] != swapped(by_standard(swapped(plain_->host[first])))) {
        std::printf("tasks: WRONG: message %u is not encrypted as the standard says\n", task);
        return false;
      }
    }
    return check_vectors() &&
           check_equal("tasks", expected,
                       std::vector<std::uint64_t>(encrypted_->host, encrypted_->host + size));
  }

 private:
  // The keys and the text of NIST SP 800-67, appendix B.1.
  static constexpr std::uint64_t kKeys[3] = {0x0123456789abcdef, 0x23456789abcdef01,
                                             0x456789abcdef0123};

  __host__ __device__ static std::uint64_t swapped(std::uint64_t value) {
    const auto half = [](std::uint32_t v) {
      return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
    };
    return std::uint64_t{half(static_cast<std::uint32_t>(value))} << 32 |
           half(static_cast<std::uint32_t>(value >> 32));
  }
  static std::uint64_t by_standard(std::uint64_t block) {
    block = des::encrypt_by_standard(block, kKeys[0], false);
    block = des::encrypt_by_standard(block, kKeys[1], true);
    return des::encrypt_by_standard(block, kKeys[2], false);
  }
  static bool check_vectors() {
    const std::uint64_t plain[] = {0x5468652071756663, 0x6b2062726f776e20, 0x666f78206a756d70};
    const std::uint64_t cipher[] = {0xa826fd8ce53b855f, 0xcce21c8112256fe6, 0x68d5c05dd9b6b900};
    for (unsigned i = 0; i < 3; ++i) {
      if (by_standard(plain[i]) == cipher[i]) continue;
      std::printf("tasks: WRONG: the example of NIST SP 800-67 is not met\n");
      return false;
    }
    return true;
  }
  static std::vector<std::uint8_t> captured() {
    const std::string path = find_input("packets/http.pcap");
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    constexpr std::size_t kHeadings = 54;  // Ethernet, IP and TCP; its options count as payload
    std::vector<std::uint8_t> payload = parse_capture(path, bytes, kHeadings).bytes;
    if (payload.empty()) throw std::runtime_error(path + ": no payload");
    return payload;
  }
  void on_cpu(unsigned task, std::uint64_t* to) const {
    const auto sp = [this](unsigned s, unsigned bits) { return tables_.host->sp[s][bits]; };
    for (std::size_t i = offsets_[task]; i < offsets_[task + 1]; ++i) {
      *to++ = swapped(des::encrypt(swapped(plain_->host[i]), keys_.host->rounds, sp));
    }
  }

  Setting setting_;
  std::vector<std::size_t> offsets_;  // in blocks of 8 bytes, by task
  Buffers<des::Keys> keys_;
  Buffers<des::Tables> tables_;
  std::unique_ptr<Buffers<std::uint64_t>> plain_, encrypted_;
};

}  // namespace raddle::workloads::narrow
