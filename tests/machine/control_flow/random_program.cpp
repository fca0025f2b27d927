#include "random_program.h"

#include <fmt/core.h>

namespace raddle::machine::test {
namespace {

constexpr std::uint32_t kMultiply = 1664525;
constexpr std::uint32_t kRecursion = 3;  // calls of the recursive function, at most
constexpr int kGoOn = 0, kExit = -1;     // of run(): else behind the statement of that label

std::uint32_t start_value(std::uint32_t thread) { return (thread + 1) * 2654435761u; }
bool bit(std::uint32_t value, std::uint32_t number) { return (value >> number & 1) != 0; }

}  // namespace

RandomProgram::RandomProgram(std::uint32_t seed, std::uint32_t threads, Ends ends)
    : random_(seed), threads_(threads), ends_(ends) {
  for (unsigned f = 0; f < kFunctions; ++f) functions_.push_back(body(2, true));
  const unsigned phases = 1 + pick(3);
  for (unsigned p = 0; p < phases; ++p) {
    Phase phase;
    phase.body = body(0, false);
    phase.meeting = static_cast<Meeting>(pick(static_cast<std::uint32_t>(Meeting::count_)));
    phase.number = 1 + pick(threads_ - 1);
    phases_.push_back(std::move(phase));
  }
}

RandomProgram::Body RandomProgram::body(unsigned depth, bool in_function) {
  Body made;
  for (unsigned n = 1 + pick(3); n != 0; --n) made.push_back(node(depth, in_function));
  return made;
}

RandomProgram::Node RandomProgram::node(unsigned depth, bool in_function) {
  Node made;
  made.number = 16 + pick(8);
  made.label = ++labels_;
  constexpr std::uint32_t kKinds = 10;
  auto kind = static_cast<Node::Kind>(pick(kKinds));
  const bool calls = kind == Node::Kind::call || kind == Node::Kind::call_one_of;
  if (calls && in_function) kind = Node::Kind::mix;
  if (depth >= 4 && kind != Node::Kind::leave && kind != Node::Kind::again) kind = Node::Kind::mix;
  if (kind == Node::Kind::exit && in_function) kind = Node::Kind::leave;
  unsigned children = 0;
  switch (kind) {
    case Node::Kind::choose:
      children = 2;
      break;
    case Node::Kind::loop:
      children = 1;
      break;
    case Node::Kind::table:
      children = 4;
      break;
    case Node::Kind::cross:
      children = 3;
      break;
    case Node::Kind::leave:
    case Node::Kind::again: {
      std::vector<int> targets;
      for (const Enclosing& one : enclosing_) {
        if (kind == Node::Kind::leave || one.loop) targets.push_back(one.label);
      }
      if (targets.empty()) {
        kind = Node::Kind::mix;
      } else {
        made.target = targets[pick(static_cast<std::uint32_t>(targets.size()))];
      }
      break;
    }
    default:
      break;
  }
  made.kind = kind;
  if (kind == Node::Kind::mix) made.number = random_();
  if (kind == Node::Kind::call) made.number = pick(kFunctions);
  if (children != 0) {
    enclosing_.push_back({made.label, kind == Node::Kind::loop});
    for (unsigned c = 0; c < children; ++c) made.children.push_back(body(depth + 1, in_function));
    enclosing_.pop_back();
  }
  return made;
}

// The interpreter: a thread at a time.

int RandomProgram::run(const Body& body, std::uint32_t& value) const {
  for (const Node& one : body) {
    if (const int to = run(one, value); to != kGoOn && to != one.label) return to;
  }
  return kGoOn;
}

int RandomProgram::run(const Node& node, std::uint32_t& value) const {
  switch (node.kind) {
    case Node::Kind::mix:
      value = value * kMultiply + node.number;
      return kGoOn;
    case Node::Kind::choose:
      return run(node.children[bit(value, node.number) ? 0 : 1], value);
    case Node::Kind::loop:
      for (std::uint32_t left = 1 + (value & 3); left != 0; --left) {
        value = value * kMultiply + 1;
        const int to = run(node.children[0], value);
        if (to != kGoOn && to != -1000 - node.label) return to;
      }
      return kGoOn;
    case Node::Kind::table:
      return run(node.children[value >> node.number & 3], value);
    case Node::Kind::leave:
      return bit(value, node.number) ? node.target : kGoOn;
    case Node::Kind::again:
      return bit(value, node.number) ? -1000 - node.target : kGoOn;
    case Node::Kind::exit:
      return bit(value, node.number) && bit(value, 7) ? kExit : kGoOn;
    case Node::Kind::cross: {
      if (!bit(value, node.number)) {
        if (const int to = run(node.children[0], value); to != kGoOn) return to;
        if (bit(value, 24)) return run(node.children[2], value);
      }
      if (const int to = run(node.children[1], value); to != kGoOn) return to;
      return run(node.children[2], value);
    }
    case Node::Kind::call:
      value = call(node.number, value, 0);
      return kGoOn;
    case Node::Kind::call_one_of:
      value = call(bit(value, node.number) ? 0 : 1, value, 0);
      return kGoOn;
  }
  return kGoOn;
}

std::uint32_t RandomProgram::call(std::uint32_t function, std::uint32_t value,
                                  unsigned depth) const {
  run(functions_[function], value);
  if (function == kFunctions - 1 && depth < kRecursion && bit(value, 20)) {
    value = call(function, value + 1, depth + 1) ^ 0x55;
  }
  return value;
}

void RandomProgram::meet(const Phase& phase, std::vector<Thread>& threads,
                         std::vector<std::uint32_t>& shared) const {
  std::vector<Thread> before = threads;
  if (phase.meeting == Meeting::barrier) {
    for (std::uint32_t t = 0; t < threads_; ++t) {
      if (!threads[t].ended) shared[t] = threads[t].value;
    }
  }
  for (std::uint32_t t = 0; t < threads_; ++t) {
    if (threads[t].ended) continue;
    const std::uint32_t first = t / 32 * 32;
    const std::uint32_t in_warp = std::min(32u, threads_ - first);
    switch (phase.meeting) {
      case Meeting::barrier:
        threads[t].value ^= shared[(t + phase.number) % threads_];
        break;
      case Meeting::shuffle: {
        const std::uint32_t from = t ^ (phase.number & 31);
        if (from < first + in_warp && !before[from].ended) threads[t].value ^= before[from].value;
        break;
      }
      case Meeting::vote:
        for (std::uint32_t lane = 0; lane < in_warp; ++lane) {
          const Thread& other = before[first + lane];
          if (!other.ended && bit(other.value, 18)) threads[t].value ^= 1u << lane;
        }
        break;
      default:
        break;
    }
  }
}

std::vector<std::uint32_t> RandomProgram::results() const {
  std::vector<Thread> threads(threads_);
  std::vector<std::uint32_t> shared(threads_), values;
  for (std::uint32_t t = 0; t < threads_; ++t) threads[t].value = start_value(t);
  for (const Phase& phase : phases_) {
    for (Thread& thread : threads) {
      if (!thread.ended) thread.ended = run(phase.body, thread.value) == kExit;
    }
    meet(phase, threads, shared);
  }
  for (const Thread& thread : threads) values.push_back(thread.value);
  return values;
}

// The PTX: %r0 is the value, %r1 the thread; loop counters and predicates have the label's number.

struct RandomProgram::Writer {
  std::string text;
  bool early_returns = false;

  void line(const std::string& one) { text += "  " + one + "\n"; }
  /// %p of `label` = bit `number` of the value.
  void test(int label, std::uint32_t number) {
    line(fmt::format("and.b32 %r2, %r0, {};", 1u << number));
    line(fmt::format("setp.ne.u32 %p{}, %r2, 0;", label));
  }
  void mix(std::uint32_t number) {
    line(fmt::format("mad.lo.u32 %r0, %r0, {}, {};", kMultiply, number));
  }
  void body(const Body& nodes) {
    for (const Node& one : nodes) {
      node(one);
      text += fmt::format("END{}:\n", one.label);
    }
  }
  void node(const Node& one) {
    const int l = one.label;
    switch (one.kind) {
      case Node::Kind::mix:
        return mix(one.number);
      case Node::Kind::choose:
        test(l, one.number);
        line(fmt::format("@!%p{} bra ELSE{};", l, l));
        body(one.children[0]);
        line(fmt::format("bra END{};", l));
        text += fmt::format("ELSE{}:\n", l);
        return body(one.children[1]);
      case Node::Kind::loop:
        line(fmt::format("and.b32 %c{}, %r0, 3;", l));
        line(fmt::format("add.u32 %c{}, %c{}, 1;", l, l));
        text += fmt::format("LOOP{}:\n", l);
        mix(1);
        body(one.children[0]);
        text += fmt::format("AGAIN{}:\n", l);
        line(fmt::format("sub.u32 %c{}, %c{}, 1;", l, l));
        line(fmt::format("setp.ne.u32 %p{}, %c{}, 0;", l, l));
        return line(fmt::format("@%p{} bra LOOP{};", l, l));
      case Node::Kind::table:
        line(fmt::format("TABLE{}: .branchtargets CASE{}_0, CASE{}_1, CASE{}_2, CASE{}_3;", l, l, l,
                         l, l));
        line(fmt::format("shr.u32 %r2, %r0, {}; and.b32 %r2, %r2, 3;", one.number));
        line(fmt::format("brx.idx %r2, TABLE{};", l));
        for (unsigned c = 0; c < 4; ++c) {
          text += fmt::format("CASE{}_{}:\n", l, c);
          body(one.children[c]);
          line(fmt::format("bra END{};", l));
        }
        return;
      case Node::Kind::leave:
        test(l, one.number);
        return line(fmt::format("@%p{} bra END{};", l, one.target));
      case Node::Kind::again:
        test(l, one.number);
        return line(fmt::format("@%p{} bra AGAIN{};", l, one.target));
      case Node::Kind::exit:
        test(l, one.number);
        line("and.b32 %r2, %r0, 128; setp.ne.u32 %p0, %r2, 0;");
        line(fmt::format("and.pred %p{}, %p{}, %p0;", l, l));
        if (early_returns && l % 2 != 0) return line(fmt::format("@%p{} bra FINISH;", l));
        line(fmt::format("@%p{} st.global.u32 [%rd2], %r0;", l));
        return line(fmt::format("@%p{} exit;", l));
      case Node::Kind::cross:
        test(l, one.number);
        line(fmt::format("@%p{} bra FIRST{};", l, l));
        body(one.children[0]);
        test(l, 24);
        line(fmt::format("@%p{} bra SECOND{};", l, l));
        text += fmt::format("FIRST{}:\n", l);
        body(one.children[1]);
        text += fmt::format("SECOND{}:\n", l);
        return body(one.children[2]);
      case Node::Kind::call:
        return call(fmt::format("f{}", one.number), "");
      case Node::Kind::call_one_of:
        test(l, one.number);
        line("mov.u64 %rd3, f0; mov.u64 %rd4, f1;");
        line(fmt::format("selp.b64 %rd3, %rd3, %rd4, %p{};", l));
        return call("%rd3", ", PROTO");
    }
  }
  void call(const std::string& callee, const std::string& proto) {
    line(fmt::format("call (%r0), {}, (%r0, 0){};", callee, proto));
  }
  void registers(int labels) {
    line(fmt::format(".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<{}>; .reg .b32 %c<{}>;",
                     labels + 1, labels + 1));
  }
  void meeting(const Phase& phase, std::uint32_t threads) {
    switch (phase.meeting) {
      case Meeting::barrier:
        line("shl.b32 %r2, %r1, 2; mov.u32 %r3, exchange; add.u32 %r2, %r2, %r3;");
        line("st.shared.u32 [%r2], %r0; bar.sync 0;");
        line(fmt::format("add.u32 %r2, %r1, {}; rem.u32 %r2, %r2, {};", phase.number, threads));
        line("shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %r3; ld.shared.u32 %r4, [%r2];");
        return line("bar.sync 0; xor.b32 %r0, %r0, %r4;");
      case Meeting::shuffle:
        line("mov.u32 %r5, 1; setp.ne.u32 %p0, %r5, 0;");
        line("vote.sync.ballot.b32 %r2, %p0, -1;");
        line(fmt::format("shfl.sync.bfly.b32 %r3, %r0, {}, 31, -1;", phase.number & 31));
        line(fmt::format("and.b32 %r4, %r1, 31; xor.b32 %r4, %r4, {};", phase.number & 31));
        line("shr.u32 %r2, %r2, %r4; and.b32 %r2, %r2, 1; setp.ne.u32 %p0, %r2, 0;");
        return line("@%p0 xor.b32 %r0, %r0, %r3;");
      case Meeting::vote:
        test(0, 18);
        return line("vote.sync.ballot.b32 %r2, %p0, -1; xor.b32 %r0, %r0, %r2;");
      default:
        return line("bar.warp.sync -1;");
    }
  }
};

std::string RandomProgram::ptx() const {
  Writer writer;
  writer.early_returns = ends_ == Ends::early_returns;
  for (unsigned f = 0; f < kFunctions; ++f) {
    writer.text += fmt::format(".func (.reg .u32 %result) f{}(.reg .u32 %v, .reg .u32 %n) {{\n", f);
    writer.registers(labels_);
    writer.line("mov.u32 %r0, %v;");
    writer.body(functions_[f]);
    if (f == kFunctions - 1) {
      writer.test(0, 20);
      writer.line(fmt::format("setp.lt.and.u32 %p0, %n, {}, %p0;", kRecursion));
      writer.line("@!%p0 bra DONE;");
      writer.line("add.u32 %r0, %r0, 1; add.u32 %r3, %n, 1;");
      writer.line(fmt::format("call (%r0), f{}, (%r0, %r3);", f));
      writer.line("xor.b32 %r0, %r0, 0x55;");
      writer.text += "DONE:\n";
    }
    writer.line("mov.u32 %result, %r0;");
    writer.line("ret;\n}");
  }
  writer.text += ".visible .entry kernel(.param .u64 in, .param .u64 out) {\n";
  writer.registers(labels_);
  writer.line(fmt::format(".shared .align 4 .b8 exchange[{}];", 4 * threads_));
  writer.line("PROTO: .callprototype (.reg .u32 _) _ (.reg .u32 _, .reg .u32 _);");
  writer.line("ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;");
  writer.line("mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %rd1;");
  writer.line("add.u32 %r0, %r1, 1; mul.lo.u32 %r0, %r0, 2654435761;");
  for (const Phase& phase : phases_) {
    writer.body(phase.body);
    writer.meeting(phase, threads_);
  }
  writer.text += "FINISH:\n";
  writer.line("st.global.u32 [%rd2], %r0;\n  ret;\n}");
  return writer.text;
}

}  // namespace raddle::machine::test
