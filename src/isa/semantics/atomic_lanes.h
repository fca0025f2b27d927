// Building blocks of atomics: an operation on one value, applied lane after lane, in a state space.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "isa/global_port.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/memory.h"

namespace raddle::isa {

template <class T>
T flush(T value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(T{0}, value) : value;
}

// The value that each operation stores, from the old value, b and c.
struct And {
  template <class T>
  static T result(T a, T b, T) {
    return a & b;
  }
};
struct Or {
  template <class T>
  static T result(T a, T b, T) {
    return a | b;
  }
};
struct Xor {
  template <class T>
  static T result(T a, T b, T) {
    return a ^ b;
  }
};
struct Exchange {
  template <class T>
  static T result(T, T b, T) {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  static T result(T a, T b, T c) {
    return a == b ? c : a;
  }
};
struct Increment {
  template <class T>
  static T result(T a, T b, T) {
    return a >= b ? 0 : a + 1;
  }
};
struct Decrement {
  template <class T>
  static T result(T a, T b, T) {
    return a == 0 || a > b ? b : a - 1;
  }
};
struct Minimum {
  template <class T>
  static T result(T a, T b, T) {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  static T result(T a, T b, T) {
    return b > a ? b : a;
  }
};
struct Add {
  template <class T>
  static T result(T a, T b, T) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                            static_cast<std::make_unsigned_t<T>>(b));
    else
      return a + b;
  }
};
/// atom.add.f32 flushes subnormal inputs and results on global memory, but not on shared memory
/// (9.7.13.5); a generic address may be either.
struct AddFlushing {
  template <class T>
  static T result(T a, T b, T) {
    return flush(flush(a) + flush(b));
  }
};

template <class T, class Operation>
void carry_out(const GlobalUpdate& u, Services&) {
  auto* d = reinterpret_cast<Stored<T>*>(u.destination);
  for (LaneMask rest = u.lanes; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    T old;
    std::memcpy(&old, u.at[l], sizeof old);
    const T next = Operation::result(old, unpack<T>(static_cast<Stored<T>>(u.a[l])),
                                     unpack<T>(static_cast<Stored<T>>(u.b[l])));
    std::memcpy(u.at[l], &next, sizeof next);
    if (d != nullptr) d[l] = pack<T>(old);
  }
}

template <class T>
void take_operand(const WarpContext& w, Slot slot, std::uint64_t* to) {
  const auto* s = w.source<Stored<T>>(slot);
  for (unsigned l = 0; l < kWarpSize; ++l) to[l] = s[l];
}

/// Carries out an update: at once for lanes in shared or local memory, through the port for the
/// others. `fill` fills all of the update except the lanes; `fill_near` does so for the first part.
template <class FillNear, class Fill>
void perform(WarpContext& w, const Instruction& i, Space space, MemoryAccess::Type type,
             unsigned alignment, FillNear fill_near, Fill fill) {
  std::byte* at[kWarpSize];
  LaneMask global;
  if (!resolve_addresses(w, i, space, alignment, type, at, &global)) return;
  if (const LaneMask near = w.active & ~global; near != 0) {
    GlobalUpdate update;
    std::memcpy(update.at, at, sizeof at);
    fill_near(update);
    update.lanes = near;
    if (w.global->watched() != nullptr) [[unlikely]] {
      w.global->carry_out_watched(update, i.bytes);
    } else {
      update.carry_out(update, w.global->services());
    }
  }
  if (global != 0) {
    GlobalUpdate& update = w.global->next_update();
    std::memcpy(update.at, at, sizeof at);
    fill(update);
    update.lanes = global;
    if (type == MemoryAccess::Type::atomic) {
      w.global->commit_atomic(i.bytes);
    } else {
      w.global->commit();
    }
  }
}

template <class Fill>
void perform(WarpContext& w, const Instruction& i, Space space, MemoryAccess::Type type,
             unsigned alignment, Fill fill) {
  perform(w, i, space, type, alignment, fill, fill);
}

/// The operation for shared memory, where it may differ.
template <class Operation>
struct InSharedMemory {
  using Type = Operation;
};
template <>
struct InSharedMemory<AddFlushing> {
  using Type = Add;
};

template <Space space, class T, class Operation, bool result>
void atomic(WarpContext& w, const Instruction& i) {
  const auto type = result ? MemoryAccess::Type::atomic : MemoryAccess::Type::reduction;
  const auto fill = [&](GlobalUpdate& update) {
    take_operand<T>(w, i.s[1], update.a);
    take_operand<T>(w, i.s[2], update.b);
    update.destination = result ? w.rows + i.d : nullptr;
    update.carry_out = carry_out<T, Operation>;
  };
  perform(
      w, i, space, type, sizeof(T),
      [&](GlobalUpdate& update) {
        fill(update);
        update.carry_out = carry_out<T, typename InSharedMemory<Operation>::Type>;
      },
      fill);
}

template <class T, class Operation, bool result>
Execute in_space(Space space) {
  switch (space) {
    case Space::global:
      return atomic<Space::global, T, Operation, result>;
    case Space::shared:
      return atomic<Space::shared, T, Operation, result>;
    case Space::generic:
      return atomic<Space::generic, T, Operation, result>;
    default:
      return nullptr;
  }
}

template <class T, class Operation>
Execute with_result(Space space, bool result) {
  return result ? in_space<T, Operation, true>(space) : in_space<T, Operation, false>(space);
}

}  // namespace raddle::isa
