// Compares the results of evaluate with the references of functions.inc.
//
//   judge FILE [but LABEL...]
//
// Prints each function that exceeds its bound, with the worst argument; exit code 1 if any does.
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "record.h"
#include "reference.h"

bool skipped = false;

namespace {

using namespace std;  // functions.inc writes rint(x) for float and double

struct Verdict {
  double difference = 0;  // in ulp from the correctly rounded result
  bool good = true, counted = false;
  double expected = 0;
};

// Numbers of the type counted from zero, so that neighbours differ by one.
template <class T, class Bits>
int64_t ordinal(T value) {
  Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  const Bits sign = Bits(1) << (sizeof(Bits) * 8 - 1);
  return (bits & sign) != 0 ? -int64_t(bits & ~sign) : int64_t(bits);
}
double distance(float a, float b) {
  return std::fabs(double(ordinal<float, uint32_t>(a) - ordinal<float, uint32_t>(b)));
}
double distance(double a, double b) {
  return std::fabs(double(__int128(ordinal<double, uint64_t>(a)) - ordinal<double, uint64_t>(b)));
}

template <class T>
Verdict compare(double computed, Quad exact, double bound, double absolute) {
  Verdict verdict;
  verdict.counted = true;
  const T result = (T)computed, expected = (T)exact;
  verdict.expected = expected;
  if (result != result || expected != expected) {
    verdict.good = result != result && expected != expected;
    verdict.difference = verdict.good ? 0 : HUGE_VAL;
    return verdict;
  }
  verdict.difference = distance(result, expected);
  if (result == 0 && expected == 0) verdict.good = signbit(result) == signbit(expected);
  if (verdict.difference > bound) {
    const bool infinite = isinf(result) || isinf(expected);
    verdict.good = !infinite && fabsq((Quad)computed - exact) <= absolute;
  }
  if (absolute > 0 && verdict.good) verdict.difference = 0;
  return verdict;
}

struct Row {
  const char* label;
  double bound;
  Verdict (*judge)(const double*, double);
};

#define ROW(T, label, count, expression, reference, bound, absolute, low, high) \
  Verdict judge_##label(const double* arguments, double computed) {             \
    using TypeOfRow [[maybe_unused]] = T;                                       \
    [[maybe_unused]] const auto x = (TypeOfRow)arguments[0];                    \
    [[maybe_unused]] const auto y = (TypeOfRow)arguments[1];                    \
    [[maybe_unused]] const auto z = (TypeOfRow)arguments[2];                    \
    [[maybe_unused]] const auto w = (TypeOfRow)arguments[3];                    \
    [[maybe_unused]] int ignored;                                               \
    using T_ = TypeOfRow;                                                       \
    skipped = false;                                                            \
    const Quad exact = JUDGED(T_, reference);                                   \
    if (skipped) return {};                                                     \
    return compare<T_>(computed, exact, bound, absolute);                       \
  }
#define JUDGED(type, reference) ([&]<class T>(T) -> Quad { return reference; }(type()))
#include "functions.inc"
#undef ROW

const Row kRows[] = {
#define ROW(T, label, count, expression, reference, bound, absolute, low, high) \
  {#label, 0, judge_##label},
#include "functions.inc"
};

}  // namespace

int main(int count, char** words) {
  std::FILE* file = count < 2 ? nullptr : std::fopen(words[1], "rb");
  if (file == nullptr) {
    std::fprintf(stderr, "usage: judge FILE [but LABEL...]\n");
    return 2;
  }
  constexpr size_t kRowCount = sizeof kRows / sizeof kRows[0];
  std::vector<Verdict> worst(kRowCount);
  std::vector<Record> at(kRowCount);
  std::vector<int> wrong(kRowCount), judged(kRowCount);
  for (Record record; std::fread(&record, sizeof record, 1, file) == 1;) {
    if (record.row >= kRowCount) return 2;
    const Verdict verdict = kRows[record.row].judge(record.arguments, record.result);
    if (!verdict.counted) continue;
    ++judged[record.row];
    if (verdict.good) continue;
    ++wrong[record.row];
    if (wrong[record.row] == 1 || verdict.difference > worst[record.row].difference) {
      worst[record.row] = verdict;
      at[record.row] = record;
    }
  }
  std::fclose(file);
  int failures = 0;
  for (size_t row = 0; row < kRowCount; ++row) {
    bool leave_out = false;
    for (int i = 3; i < count; ++i) leave_out |= std::strcmp(words[i], kRows[row].label) == 0;
    if (leave_out || (judged[row] > 0 && wrong[row] == 0)) continue;
    ++failures;
    if (judged[row] == 0) {
      std::printf("%s: no result\n", kRows[row].label);
      continue;
    }
    const double* a = at[row].arguments;
    std::printf(
        "%s: %d of %d wrong, worst by %g ulp at (%a = %g, %a = %g, %g, %g): %a = %g, expected %a = "
        "%g\n",
        kRows[row].label, wrong[row], judged[row], worst[row].difference, a[0], a[0], a[1], a[1],
        a[2], a[3], at[row].result, at[row].result, worst[row].expected, worst[row].expected);
  }
  std::printf("%zu functions, %d failed\n", kRowCount, failures);
  return failures != 0;
}
