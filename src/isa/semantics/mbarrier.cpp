#include "isa/semantics/mbarrier.h"

#include "isa/semantics/atomic_lanes.h"

namespace raddle::isa {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned kCountBits = 20, kExpectedAt = 20, kTransactionsAt = 40, kParityAt = 61;
constexpr u64 kCountMask = (u64{1} << kCountBits) - 1, kTransactionsMask = (u64{1} << 21) - 1;

struct Object {
  u64 pending, expected, transactions, parity;

  explicit Object(u64 bits)
      : pending(bits & kCountMask),
        expected(bits >> kExpectedAt & kCountMask),
        transactions(bits >> kTransactionsAt & kTransactionsMask),
        parity(bits >> kParityAt & 1) {}

  u64 bits() const {
    return (pending & kCountMask) | (expected & kCountMask) << kExpectedAt |
           (transactions & kTransactionsMask) << kTransactionsAt | parity << kParityAt;
  }
  /// Ends the phase when no arrivals and no transactions are pending.
  void complete_phase() {
    if ((pending & kCountMask) != 0 || (transactions & kTransactionsMask) != 0) return;
    parity ^= 1;
    pending = expected;
  }
};

// Operations in the form that carry_out applies: on the object, with arrivals and transactions.
struct Initialise {
  static u64 result(u64, u64 arrivals, u64) {
    Object object(0);
    object.pending = object.expected = arrivals;
    return object.bits();
  }
};
struct Invalidate {
  static u64 result(u64, u64, u64) { return 0; }
};
struct ExpectTransactions {
  static u64 result(u64 bits, u64, u64 transactions) {
    Object object(bits);
    object.transactions += transactions;
    return object.bits();
  }
};
struct CompleteTransactions {
  static u64 result(u64 bits, u64, u64 transactions) {
    Object object(bits);
    object.transactions -= transactions;
    object.complete_phase();
    return object.bits();
  }
};
template <bool drop>
struct Arrive {
  static u64 result(u64 bits, u64 arrivals, u64 transactions) {
    Object object(bits);
    object.transactions += transactions;
    object.pending -= arrivals;
    if (drop) object.expected -= arrivals;
    object.expected &= kCountMask;
    object.complete_phase();
    return object.bits();
  }
};

template <Space space, class Operation, bool result>
void update_object(WarpContext& w, const Instruction& i) {
  perform(w, i, space, MemoryAccess::Type::atomic, sizeof(u64), [&](GlobalUpdate& update) {
    take_operand<u32>(w, i.s[1], update.a);
    take_operand<u32>(w, i.s[2], update.b);
    update.destination = result ? w.rows + i.d : nullptr;
    update.carry_out = carry_out<u64, Operation>;
  });
}

template <class Operation>
Execute select_update(Space space, bool result) {
  if (space == Space::shared) {
    return result ? update_object<Space::shared, Operation, true>
                  : update_object<Space::shared, Operation, false>;
  }
  if (space != Space::generic) return nullptr;
  return result ? update_object<Space::generic, Operation, true>
                : update_object<Space::generic, Operation, false>;
}

void wait_for_token(WarpContext& w, const Instruction& i) {
  store_predicate(w, i.p, test_lanes<u64, u64>(w, i, [](u64 object, u64 token) {
                    return Object(object).parity != Object(token).parity;
                  }));
}

void wait_for_parity(WarpContext& w, const Instruction& i) {
  store_predicate(w, i.p, test_lanes<u64, u32>(w, i, [](u64 object, u32 parity) {
                    return Object(object).parity != (parity & 1);
                  }));
}

void pending_count(WarpContext& w, const Instruction& i) {
  map_lanes<u32, u64>(w, i, [](u64 token) { return static_cast<u32>(Object(token).pending); });
}

}  // namespace

Execute select_mbarrier_update(const Form& form, Space space, bool result) {
  if (form.extra & kMbarrierInit) return select_update<Initialise>(space, result);
  if (form.extra & kMbarrierInval) return select_update<Invalidate>(space, result);
  if (form.extra & kMbarrierArriveDrop) return select_update<Arrive<true>>(space, result);
  if (form.extra & kMbarrierArrive) return select_update<Arrive<false>>(space, result);
  if (form.extra & kMbarrierExpectTx) return select_update<ExpectTransactions>(space, result);
  return select_update<CompleteTransactions>(space, result);
}

Execute select_mbarrier_wait(const Form& form) {
  return form.extra & kMbarrierParity ? wait_for_parity : wait_for_token;
}

Execute select_mbarrier_pending_count(const Form&) { return pending_count; }

}  // namespace raddle::isa
