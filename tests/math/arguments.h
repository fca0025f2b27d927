// Arguments of the functions: special points, and random points.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

template <class T>
struct Arguments {
  std::vector<T> x, y, z, w;
  int size() const { return (int)x.size(); }
  void add(T a, T b = 0, T c = 0, T d = 0) {
    x.push_back(a), y.push_back(b), z.push_back(c), w.push_back(d);
  }
};

template <class T>
T any_bits(std::mt19937_64& random) {
  T value;
  const std::uint64_t bits = random();
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// The ends of the format, 1 and its neighbours.
template <class T>
std::vector<T> corners() {
  using Limits = std::numeric_limits<T>;
  const T one = 1;
  std::vector<T> list = {0,
                         Limits::denorm_min(),
                         Limits::min() - Limits::denorm_min(),
                         Limits::min(),
                         one - Limits::epsilon() / 2,
                         one,
                         one + Limits::epsilon(),
                         T(0.5),
                         T(1.5),
                         2,
                         T(2.5),
                         3,
                         4,
                         10,
                         Limits::max(),
                         Limits::infinity()};
  for (std::size_t i = list.size(); i-- > 0;) list.push_back(-list[i]);
  list.push_back(Limits::quiet_NaN());
  return list;
}

// Integers, halves, powers, multiples of pi / 4, and large numbers.
template <class T>
std::vector<T> special_points() {
  std::vector<T> list = corners<T>();
  const auto both = [&](double v) { list.push_back((T)v), list.push_back((T)-v); };
  for (int n = 2; n <= 40; ++n) both(n), both(n + 0.5), both(n + 0.25);
  for (int n : {88, 89, 100, 103, 104, 127, 128, 149, 150, 170, 171, 172, 700, 709, 710, 745, 746})
    both(n);
  const int least = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
  for (int n = least; n < std::numeric_limits<T>::max_exponent; n += sizeof(T) == 4 ? 5 : 33)
    both(std::ldexp(1.0, n));
  for (int k = 1; k <= 24; ++k) both(k * M_PI / 4), both(k * 1e6 * M_PI / 4);
  for (double v = 1e3; v < 1e23; v *= 10) both(v), both(1 / v);
  both(1e30), both(1e-30), both(1e37), both(5e-324), both(1e100), both(1e300), both(1e-300);
  for (T v : std::vector<T>(list)) {  // neighbours
    list.push_back(std::nextafter(v, T(INFINITY)));
    list.push_back(std::nextafter(v, T(0)));
  }
  return list;
}

template <class T>
Arguments<T> choose_arguments(int count, double low, double high) {
  Arguments<T> chosen;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> within(low, high);
  if (count == 1) {
    for (T v : special_points<T>()) chosen.add(v);
  } else if (count == 2) {
    for (T a : corners<T>())
      for (T b : corners<T>()) chosen.add(a, b);
  } else {
    const std::vector<T> list = corners<T>();
    const auto one = [&] { return list[random() % list.size()]; };
    for (int i = 0; i < 1000; ++i) {
      const T a = one(), b = one(), c = one(), d = one();
      chosen.add(a, b, c, d);
    }
  }
  for (int i = 0; i < 700; ++i) {
    const T a = (T)within(random), b = (T)within(random), c = (T)within(random),
            d = (T)within(random);
    chosen.add(a, b, c, d);
    const T e = any_bits<T>(random), f = any_bits<T>(random), g = any_bits<T>(random),
            h = any_bits<T>(random);
    chosen.add(e, f, g, h);
    // Whole numbers and quotients of them.
    chosen.add((T)std::floor(a), (T)std::floor(b), (T)std::floor(c), (T)std::floor(d));
    // Magnitudes near each other.
    chosen.add(a, a * (1 + (T)0.01 * b / (T)(std::fabs(b) + 1)), -a * b, b);
  }
  return chosen;
}
