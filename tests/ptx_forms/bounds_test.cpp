// The last byte of an allocation. Bytes that an instruction does not access may lie beyond it (of
// other lanes, of the rest of a partial copy, of guarded accesses); accessed bytes may not. Each
// access runs without and with timing, on memory of exactly its size and of one byte less.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstring>

#include "run_ptx.h"

namespace raddle::tests {
namespace {

constexpr Address kNowhere = 0x1003;

struct Access {
  std::string name, text;      // %a: where it goes
  unsigned extent;             // bytes that it touches there; 0: none,
  Address nowhere = kNowhere;  // so that this address will do
};

std::string kernel(const std::string& text) {
  return ".version 8.8\n.target sm_100\n.address_size 64\n"
         ".shared .align 16 .b8 room[512];\n"
         ".visible .entry test(.param .u64 where, .param .u64 other)\n{\n"
         "  .reg .pred %yes, %no, %p<4>;\n  .reg .b16 %h<8>;\n  .reg .b32 %r<10>, %lane, %s, "
         "%zero;\n"
         "  .reg .f32 %f<8>;\n  .reg .f64 %g<4>;\n  .reg .b64 %d<10>, %a, %o;\n  .reg .b128 %q;\n"
         "  ld.param.u64 %a, [where];\n  ld.param.u64 %o, [other];\n  mov.u32 %lane, %laneid;\n"
         "  mov.u32 %s, room;\n  mov.u32 %zero, 0;\n  mad.lo.u32 %s, %lane, 16, %s;\n"
         "  setp.eq.u32 %yes, 0, 0;\n  not.pred %no, %yes;\n" +
         text + "\n  ret;\n}\n";
}

std::vector<Access> loads_and_stores() {
  std::vector<Access> all;
  const auto add = [&](const std::string& text, unsigned extent) {
    all.push_back({text, text + ";", extent});
  };
  for (const std::string load :
       {"ld.global", "ld", "ld.global.nc", "ldu.global", "ld.volatile.global"}) {
    add(load + ".u8 %r1, [%a]", 1);
    add(load + ".s8 %d1, [%a]", 1);
    add(load + ".u16 %r1, [%a]", 2);
    add(load + ".u32 %r1, [%a]", 4);
    add(load + ".s32 %d1, [%a]", 4);
    add(load + ".f64 %g1, [%a]", 8);
    add(load + ".v2.u8 {%h1, %h2}, [%a]", 2);
    add(load + ".v4.u8 {%h1, %h2, %h3, %h4}, [%a]", 4);
    add(load + ".v4.u16 {%h1, _, _, _}, [%a]", 8);
    add(load + ".v2.f32 {%f1, %f2}, [%a]", 8);
    add(load + ".v4.f32 {%f1, %f2, %f3, %f4}, [%a]", 16);
    add(load + ".v2.b64 {%d1, %d2}, [%a]", 16);
  }
  add("ld.global.b128 %q, [%a]", 16);
  add("ld.global.v8.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, _}, [%a]", 32);
  add("ld.global.v4.b64 {%d1, %d2, %d3, %d4}, [%a]", 32);
  for (const std::string store : {"st.global", "st", "st.volatile.global"}) {
    add(store + ".u8 [%a], %r1", 1);
    add(store + ".u8 [%a], %d1", 1);
    add(store + ".u16 [%a], %h1", 2);
    add(store + ".u32 [%a], %r1", 4);
    add(store + ".f64 [%a], %g1", 8);
    add(store + ".v2.u8 [%a], {%h1, %h2}", 2);
    add(store + ".v4.u8 [%a], {%h1, %h2, %h3, %h4}", 4);
    add(store + ".v4.u16 [%a], {%h1, %h2, %h3, %h4}", 8);
    add(store + ".v4.f32 [%a], {%f1, %f2, %f3, %f4}", 16);
    add(store + ".v2.b64 [%a], {%d1, %d2}", 16);
  }
  add("st.global.b128 [%a], %q", 16);
  add("st.global.v8.f32 [%a], {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f7}", 32);
  return all;
}

std::vector<Access> atomics() {
  std::vector<Access> all;
  const auto add = [&](const std::string& text, unsigned extent) {
    all.push_back({text, text + ";", extent});
  };
  add("atom.global.add.u32 %r1, [%a], %r2", 4);
  add("atom.add.u64 %d1, [%a], %d2", 8);
  add("atom.global.cas.b16 %h1, [%a], %h2, %h3", 2);
  add("atom.global.cas.b32 %r1, [%a], %r2, %r3", 4);
  add("atom.global.cas.b64 %d1, [%a], %d2, %d3", 8);
  add("atom.global.exch.b128 %q, [%a], %q", 16);
  add("atom.global.add.noftz.f16 %h1, [%a], %h2", 2);
  add("atom.global.add.noftz.bf16x2 %r1, [%a], %r2", 4);
  add("atom.global.add.f64 %g1, [%a], %g2", 8);
  add("atom.global.add.v2.f32 {%f1, %f2}, [%a], {%f3, %f4}", 8);
  add("atom.global.add.v4.f32 {%f1, %f2, %f3, %f4}, [%a], {%f1, %f2, %f3, %f4}", 16);
  add("atom.global.add.noftz.v4.f16 {%h1, %h2, %h3, %h4}, [%a], {%h1, %h2, %h3, %h4}", 8);
  add("red.global.add.u32 [%a], %r2", 4);
  add("red.global.max.s64 [%a], %d2", 8);
  add("red.global.add.noftz.f16 [%a], %h2", 2);
  add("red.global.add.v2.f32 [%a], {%f3, %f4}", 8);
  return all;
}

std::vector<Access> copies() {
  std::vector<Access> all;
  const auto add = [&](const std::string& name, const std::string& text, unsigned extent) {
    // Sources are aligned also where nothing of them is read.
    const bool ignored = text.find("%yes") != std::string::npos || text[0] == '@';
    all.push_back({name, text + "\n  cp.async.wait_all;", extent, ignored ? kNowhere : 0x1000});
  };
  for (const unsigned size : {4u, 8u, 16u}) {
    add(fmt::format("cp.async {}", size),
        fmt::format("cp.async.ca.shared.global [%s], [%a], {};", size), size);
    for (unsigned given = 0; given <= size; ++given) {
      add(fmt::format("cp.async {} of {}", given, size),
          fmt::format("cp.async.ca.shared.global [%s], [%a], {}, {};", size, given), given);
      add(fmt::format("cp.async {} of {} in a register", given, size),
          fmt::format("mov.u32 %r1, {};\n  cp.async.ca.shared.global [%s], [%a], {}, %r1;", given,
                      size),
          given);
    }
    add(fmt::format("cp.async {} ignored", size),
        fmt::format("cp.async.ca.shared.global [%s], [%a], {}, %yes;", size), 0);
    add(fmt::format("cp.async {} not ignored", size),
        fmt::format("cp.async.ca.shared.global [%s], [%a], {}, %no;", size), size);
    add(fmt::format("cp.async {} guarded off", size),
        fmt::format("@%no cp.async.ca.shared.global [%s], [%a], {};", size), 0);
  }
  add("cp.async.cg 5 of 16", "cp.async.cg.shared.global [%s], [%a], 16, 5;", 5);
  add("cp.async from behind",
      "add.u64 %d1, %a, 64;\n  cp.async.cg.shared.global [%s], [%d1+-64], 16;", 16);
  add("cp.async of as many bytes as the lane's number",
      "min.u32 %r1, %lane, 13;\n  cp.async.cg.shared.global [%s], [%a], 16, %r1;", 13);
  return all;
}

std::vector<Access> untouched() {
  std::vector<Access> all;
  const auto add = [&](const std::string& text) { all.push_back({text, text + ";", 0}); };
  for (const std::string guard : {"@%no ", "@!%yes "}) {
    add(guard + "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%a]");
    add(guard + "st.global.u8 [%a], %r1");
    add(guard + "atom.global.add.u32 %r1, [%a], %r2");
    add(guard + "red.global.add.u32 [%a], %r2");
    add(guard + "ld.global.v8.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, _}, [%a]");
    add(guard + "atom.global.add.v2.f32 {%f1, %f2}, [%a], {%f3, %f4}");
    add(guard + "ld.u32 %r1, [%a]");
    add(guard + "ldu.global.u32 %r1, [%a]");
  }
  add("prefetch.global.L1 [%a]");
  add("prefetch.L2 [%a]");
  add("prefetchu.L1 [%a]");
  add("isspacep.global %p1, [%a]");
  all.back() = {"isspacep", "isspacep.global %p1, %a;", 0};
  add("cvta.to.shared.u64 %d1, %a");
  return all;
}

void expect_fine(const Access& access, bool timed, unsigned bytes) {
  PtxMachine machine(timed);
  const Address at = access.extent == 0 ? access.nowhere : machine.allocate(bytes);
  const Address other = machine.allocate(64);
  EXPECT_EQ(machine.run(kernel(access.text), {at, other}), "")
      << access.name << (timed ? " timed" : "") << " on " << bytes << " bytes";
}

void expect_fault(const Access& access, bool timed, unsigned bytes) {
  PtxMachine machine(timed);
  const Address at = machine.allocate(bytes);
  const std::string fault = machine.run(kernel(access.text), {at, at});
  EXPECT_NE(fault.find("out of bounds"), std::string::npos)
      << access.name << (timed ? " timed" : "") << " on " << bytes << " bytes: '" << fault << "'";
}

void check(const std::vector<Access>& accesses) {
  for (const Access& access : accesses) {
    for (const bool timed : {false, true}) {
      expect_fine(access, timed, access.extent);
      if (access.extent > 1) expect_fault(access, timed, access.extent - 1);
    }
  }
}

TEST(Bounds, LoadsAndStoresTouchTheirElements) { check(loads_and_stores()); }
TEST(Bounds, AtomicsTouchTheirElements) { check(atomics()); }
TEST(Bounds, AsynchronousCopiesTouchTheSourceSize) { check(copies()); }
TEST(Bounds, NothingIsTouchedByAGuardedOrHarmlessInstruction) { check(untouched()); }

TEST(Bounds, APartialCopyIsFollowedByZeros) {
  for (const bool timed : {false, true}) {
    for (unsigned given = 0; given <= 16; ++given) {
      PtxMachine machine(timed);
      const Address from = machine.allocate(std::max(given, 1u), std::byte{0xab});
      const Address to = machine.allocate(16, std::byte{0x11});
      const std::string text = fmt::format(
          "st.shared.v4.u32 [%s], {{0x77777777, 0x77777777, 0x77777777, 0x77777777}};\n"
          "  cp.async.cg.shared.global [%s], [%a], 16, {};\n  cp.async.wait_all;\n"
          "  ld.shared.v4.u32 {{%r1, %r2, %r3, %r4}}, [%s];\n"
          "  st.global.v4.u32 [%o], {{%r1, %r2, %r3, %r4}};",
          given);
      ASSERT_EQ(machine.run(kernel(text), {from, to}), "");
      for (unsigned n = 0; n < 16; ++n) {
        EXPECT_EQ(machine.values<std::uint8_t>(to, 16)[n], n < given ? 0xab : 0) << given;
      }
    }
  }
}

TEST(Bounds, OneLaneAtTheEndOthersAside) {
  // Lane 31 is at the last element; the others are guarded off, have left, or look elsewhere.
  const std::string aside[] = {
      "setp.eq.u32 %p1, %lane, 31;\n  @%p1 ld.global.u32 %r1, [%a];",
      "setp.ne.u32 %p1, %lane, 31;\n  @%p1 bra DONE;\n  ld.global.u32 %r1, [%a];\nDONE:",
      "setp.ne.u32 %p1, %lane, 31;\n  @%p1 exit;\n  st.global.u32 [%a], %r1;",
      "setp.eq.u32 %p1, %lane, 31;\n  selp.b64 %d1, %a, %o, %p1;\n  ld.global.u32 %r1, [%d1];",
      "setp.eq.u32 %p1, %lane, 31;\n  selp.b64 %d1, %a, 0, %p1;\n  selp.u32 %r1, 3, 0, %p1;\n"
      "  cp.async.ca.shared.global [%s], [%d1], 4, %r1;",
      "setp.eq.u32 %p1, %lane, 31;\n  selp.b64 %d1, %a, 0, %p1;\n  not.pred %p2, %p1;\n"
      "  cp.async.ca.shared.global [%s], [%d1], 4, %p2;",
      "setp.eq.u32 %p1, %lane, 31;\n  selp.b64 %d1, %a, 0, %p1;\n"
      "  @%p1 red.global.add.u32 [%d1], %r1;"};
  for (const std::string& text : aside) {
    for (const bool timed : {false, true}) {
      PtxMachine machine(timed);
      const Address at = machine.allocate(4), other = machine.allocate(4);
      EXPECT_EQ(machine.run(kernel(text), {at, other}), "") << text;
    }
  }
}

TEST(Bounds, TheLastBytesOfSharedLocalAndParameterMemory) {
  const std::string last[] = {
      "ld.shared.u8 %r1, [room+511];",
      "st.shared.u8 [room+511], %r1;",
      "ld.shared.v4.u8 {%h1, %h2, %h3, %h4}, [room+508];",
      "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [room+496];",
      "atom.shared.add.u32 %r1, [room+508], 1;",
      "mbarrier.init.shared.b64 [room+504], 1;",
      "cvta.shared.u64 %d1, 0;\n  mov.u64 %d2, room;\n  cvta.shared.u64 %d1, %d2;\n"
      "  ld.u8 %r1, [%d1+511];\n  st.u8 [%d1+511], %r1;",
      "{ .local .align 8 .b8 frame[24]; st.local.u64 [frame+16], %d1; ld.local.u8 %r1, [frame+23]; "
      "}",
      "ld.param.u8 %r1, [other+7];\n  ld.param.v2.u32 {%r1, %r2}, [other];"};
  for (const std::string& text : last) {
    for (const bool timed : {false, true}) {
      PtxMachine machine(timed);
      EXPECT_EQ(machine.run(kernel(text), {0, 0}), "") << text;
    }
  }
  const std::string beyond[] = {
      "ld.shared.u8 %r1, [room+512];",
      "st.shared.u32 [room+512], %r1;",
      "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [room+512];",
      "atom.shared.add.u32 %r1, [room+512], 1;",
      "cp.async.ca.shared.global [room+512], [%a], 4, 0;",
      "mov.u64 %d2, room;\n  cvta.shared.u64 %d1, %d2;\n  ld.u8 %r1, [%d1+512];"};
  for (const std::string& text : beyond) {
    for (const bool timed : {false, true}) {
      PtxMachine machine(timed);
      EXPECT_NE(machine.run(kernel(text), {0, 0}), "") << text;
    }
  }
}

}  // namespace
}  // namespace raddle::tests
