#include "archive.h"

#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace raddle::golden {
namespace {

constexpr char kCases[] = "raddle golden cases 2\n", kResults[] = "raddle golden results 1\n";

class Writer {
 public:
  void number(std::uint32_t value) {
    for (unsigned n = 0; n < 4; ++n) bytes_ += static_cast<char>(value >> 8 * n);
  }
  void text(const std::string& value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes_ += value;
  }
  /// Texts that many cases share are kept once, at the front.
  void shared(const std::string& value) {
    const auto [place, fresh] =
        places_.try_emplace(value, static_cast<std::uint32_t>(blobs_.size()));
    if (fresh) blobs_.push_back(&place->first);
    number(place->second);
  }
  std::string file() const {
    Writer front;
    front.number(static_cast<std::uint32_t>(blobs_.size()));
    for (const std::string* blob : blobs_) front.text(*blob);
    return kCases + front.bytes_ + bytes_;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::map<std::string, std::uint32_t> places_;
  std::vector<const std::string*> blobs_;
};

class Reader {
 public:
  Reader(const std::string& bytes, const std::string& magic) : bytes_(bytes), at_(magic.size()) {
    if (!bytes.starts_with(magic)) throw std::runtime_error("not a file of golden vectors");
  }
  bool end() const { return at_ >= bytes_.size(); }
  bool holds(std::size_t count) const { return count <= bytes_.size() - at_; }
  std::uint32_t number() {
    std::uint32_t value = 0;
    for (unsigned n = 0; n < 4; ++n) {
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(take(1)[0])) << 8 * n;
    }
    return value;
  }
  std::string text() {
    const std::uint32_t size = number();
    return {take(size), size};
  }
  std::string shared() { return blobs_.at(number()); }
  void read_blobs() {
    for (std::uint32_t count = number(); count > 0; --count) blobs_.push_back(text());
  }

 private:
  const char* take(std::size_t count) {
    if (!holds(count)) throw std::runtime_error("a file of golden vectors that is cut off");
    const char* from = bytes_.data() + at_;
    at_ += count;
    return from;
  }

  const std::string& bytes_;
  std::size_t at_;
  std::vector<std::string> blobs_;
};

void write_case(Writer& out, const Case& c) {
  out.text(c.name);
  out.text(c.kernel);
  out.shared(c.ptx);
  out.shared(c.cubin);
  for (const std::uint32_t size : c.grid) out.number(size);
  for (const std::uint32_t size : c.block) out.number(size);
  out.number(c.shared);
  out.number(c.cooperative);
  out.number(static_cast<std::uint32_t>(c.arguments.size()));
  for (const Argument& argument : c.arguments) {
    out.number(argument.kind);
    out.shared(argument.initial);
  }
  out.number(static_cast<std::uint32_t>(c.fields.size()));
  for (const Field& field : c.fields) {
    out.text(field.name);
    out.text(field.type);
    for (const std::uint32_t n : {field.argument, field.offset, field.count, field.stride}) {
      out.number(n);
    }
    out.number(static_cast<std::uint32_t>(field.operands.size()));
    for (const Operand& o : field.operands) {
      for (const std::uint32_t n : {o.argument, o.offset, o.stride, o.bytes}) out.number(n);
    }
  }
}

Case read_case(Reader& in) {
  Case c;
  c.name = in.text();
  c.kernel = in.text();
  c.ptx = in.shared();
  c.cubin = in.shared();
  for (std::uint32_t& size : c.grid) size = in.number();
  for (std::uint32_t& size : c.block) size = in.number();
  c.shared = in.number();
  c.cooperative = in.number() != 0;
  c.arguments.resize(in.number());
  for (Argument& argument : c.arguments) {
    argument.kind = static_cast<Argument::Kind>(in.number());
    argument.initial = in.shared();
  }
  c.fields.resize(in.number());
  for (Field& field : c.fields) {
    field.name = in.text();
    field.type = in.text();
    for (std::uint32_t* n : {&field.argument, &field.offset, &field.count, &field.stride}) {
      *n = in.number();
    }
    field.operands.resize(in.number());
    for (Operand& o : field.operands) {
      for (std::uint32_t* n : {&o.argument, &o.offset, &o.stride, &o.bytes}) *n = in.number();
    }
  }
  return c;
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

void write_archive(const std::string& path, const Archive& archive) {
  Writer out;
  out.number(static_cast<std::uint32_t>(archive.cases.size()));
  for (const Case& c : archive.cases) write_case(out, c);
  out.number(static_cast<std::uint32_t>(archive.refused.size()));
  for (const std::string& form : archive.refused) out.text(form);
  std::ofstream file(path, std::ios::binary);
  file << out.file();
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

Archive read_archive(const std::string& path) {
  const std::string bytes = read_file(path);
  Reader in(bytes, kCases);
  in.read_blobs();
  Archive archive;
  for (std::uint32_t count = in.number(); count > 0; --count) {
    archive.cases.push_back(read_case(in));
  }
  for (std::uint32_t count = in.number(); count > 0; --count) archive.refused.push_back(in.text());
  return archive;
}

void start_results(const std::string& path, const std::string& machine) {
  Writer out;
  out.text(machine);
  std::ofstream file(path, std::ios::binary);
  file << kResults << out.bytes();
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void append_outcome(const std::string& path, std::uint32_t number, const Outcome& outcome) {
  Writer out;
  out.number(number);
  out.number(outcome.kind);
  out.text(outcome.text);
  out.text(outcome.bytes);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << out.bytes();
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

Results read_results(const std::string& path) {
  const std::string bytes = read_file(path);
  Reader in(bytes, kResults);
  Results results;
  results.machine = in.text();
  while (!in.end()) {
    const std::uint32_t number = in.number();
    Outcome outcome;
    outcome.kind = static_cast<Outcome::Kind>(in.number());
    outcome.text = in.text();
    outcome.bytes = in.text();
    results.outcomes[number] = std::move(outcome);
  }
  return results;
}

const char* name_of(Outcome::Kind kind) {
  constexpr const char* kNames[] = {"done", "not loaded", "not launched", "fault", "hang", "died"};
  return kind <= Outcome::died ? kNames[kind] : "?";
}

}  // namespace raddle::golden
