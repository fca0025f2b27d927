// Converts values to bytes and back. A message is a struct with a function `fields` that lists its
// members:
//
//   struct Answer {
//     std::uint64_t now = 0;
//     std::string text;
//     template <class F> void fields(F&& f) { f(now, text); }
//   };
//   bytes = encoded(answer);  answer = decoded<Answer>(bytes);
//
// Both ends are of one build on one machine, so numbers keep their representation in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace raddle::corun {

class Encoder {
 public:
  template <class... T>
  void operator()(T&... values) {
    (add(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void add(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      value.fields(*this);
    }
  }
  void add(std::string& text) {
    std::uint64_t size = text.size();
    add(size);
    bytes_ += text;
  }
  template <class T>
  void add(std::vector<T>& list) {
    std::uint64_t size = list.size();
    add(size);
    for (T& one : list) add(one);
  }

  std::string bytes_;
};

/// Throws an Error when there are too few bytes.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}
  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view next(std::uint64_t size) {
    if (size > rest_.size()) fail("a message of raddle corun is cut off");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  template <class T>
  void get(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      std::memcpy(&value, next(sizeof value).data(), sizeof value);
    } else {
      value.fields(*this);
    }
  }
  void get(std::string& text) {
    std::uint64_t size = 0;
    get(size);
    text = next(size);
  }
  template <class T>
  void get(std::vector<T>& list) {
    std::uint64_t size = 0;
    get(size);
    if (size > rest_.size()) fail("a message of raddle corun is cut off");  // at least a byte each
    list.resize(size);
    for (T& one : list) get(one);
  }

  std::string_view rest_;
};

template <class T>
std::string encoded(T message) {
  Encoder encoder;
  message.fields(encoder);
  return encoder.take();
}

/// Throws an Error if the bytes are not such a message.
template <class T>
T decoded(std::string_view bytes) {
  T message;
  Decoder decoder(bytes);
  message.fields(decoder);
  if (!decoder.at_end()) fail("a message of raddle corun is too long");
  return message;
}

}  // namespace raddle::corun
