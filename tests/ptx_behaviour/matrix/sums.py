"""How floating-point sums round: cases by hand, and random bits against exact fractions.

The rule (Fasi et al., PeerJ CS 7:e330, 2021; Xie et al., MMA-Sim, arXiv 2511.10909): the products of
`block_bytes` of a row of A and the accumulator are cut off `fraction_bits` below the largest exponent
among them and added; the sum is truncated to single precision or rounded to nearest to half.

NVIDIA H200 (tests/golden): e4m3 and e5m2 are made f16, the lower two of each four bytes and the upper
two, and first those, then these, are multiplied and added to zero; the accumulator is added to that,
rounded to nearest."""
from fractions import Fraction
from math import inf, nan

from common import registers, write_mma
from formats import WIDTH, decode, f32_bits, random_bits
from places import FRAGMENTS

PAPER = "arXiv 2511.10909"
T = 2.0**-24  # the least subnormal of f16


def by_hand(name, a, d, cases, columns, why, shape="m16n8k8"):
    """A case is (accumulator, row of A, result for each of `columns` of B); the rest of B is 0."""
    fragments = FRAGMENTS[shape, WIDTH[a]]
    factor_a = [[0.0] * fragments.k for _ in range(fragments.m)]
    factor_b = [[0.0] * 8 for _ in range(fragments.k)]
    addend = [[0.0] * 8 for _ in range(fragments.m)]
    result = [[0.0] * 8 for _ in range(fragments.m)]
    for column, values in enumerate(columns):
        for k in range(fragments.k):
            factor_b[k][column] = values[min(k, len(values) - 1)]
    for row, (c, values, expected) in enumerate(cases):
        factor_a[row][:len(values)] = values
        addend[row][0] = c
        result[row][:len(expected)] = expected
        for column in range(len(expected), len(columns)):
            result[row][column] = "*"
        if any(x != x or abs(x) == inf for x in values):
            result[row][len(columns):] = [nan] * (8 - len(columns))  # times zero
    write_mma(name, f"mma.sync.aligned.{shape}.row.col.{d}.{a}.{a}.{d}",
              [registers(a, factor_a, fragments.a, fragments.count_a),
               registers(a, factor_b, fragments.b, fragments.count_b),
               registers(d, addend, fragments.c, fragments.count_c)],
              registers(d, result, fragments.c, fragments.count_c), why=why)


def half_and_bfloat():
    by_hand("sum_truncates", "f16", "f32", [
        (1, [T], [1]),
        (1, [T] * 4, [1]),
        (1, [3 * T], [1 + 2.0**-23]),
        (-1, [3 * T], [-(1 - 2.0**-23)]),
        (0, [1, 0, 0, 0] + [T] * 4, [1]),
        (0, [T] * 4 + [1], [1 + 2.0**-22]),
        (2.0**24, [1, 1], [2.0**24]),
        (-(2.0**24), [1], [-(2.0**24)]),
        (0, [T], [T]),
        (2.0**-149, [0], [2.0**-149]),
        (0, [nan], [nan]),
        (0, [inf], [inf]),
        (0, [inf, -inf], [nan]),
        (0, [1.5, 2.0**-23, 2.0**-23], [1.5 + 2.0**-22, 2.25 + 2.0**-22]),
        (inf, [1], [inf]),
        (0, [65504] * 8, [8 * 65504, 8.5 * 65504]),
    ], [[1], [1.5, 1]], "V100: 23 bits, four products at a time; subnormals count; the exponent of a "
            f"product is the sum of its factors' ({PAPER})")
    by_hand("sum_half_rounds_to_nearest", "f16", "f16", [
        (1, [2.0**-11], [1]),
        (1, [3 * 2.0**-12], [1 + 2.0**-10]),
        (1, [3 * 2.0**-11], [1 + 2.0**-9]),
        (1, [2.0**-11, 0, 0, 0, 2.0**-11], [1]),
        (1, [2.0**-11, 2.0**-11], [1 + 2.0**-10]),
        (65504, [16], [inf]),
        (65504, [15], [65504]),
        (-65504, [-32], [-inf]),
        (T, [T], [2 * T]),
        (nan, [1], [nan]),
    ], [[1]], f"every four products rounded once, to nearest even (V100, {PAPER})")
    largest = float.fromhex("0x1.fffffep127")
    by_hand("sum_bfloat_overflow", "bf16", "f32", [
        (0, [2.0**127] * 2, [inf]),
        (0, [2.0**127, 2.0**127, -(2.0**127)], [2.0**127]),
        (largest, [1], [largest]),
        (0, [-(2.0**127)] * 3, [-inf]),
        (2.0**-149, [2.0**-133], [2.0**-133 + 2.0**-149]),
    ], [[1]], "sums overflow to infinity only when they end; bf16 subnormals count")


def tf32():
    fragments = FRAGMENTS["m16n8k4", 32]
    a = [[0] * 4 for _ in range(16)]
    a[0][0], a[1][0], a[2][0] = 0x3F801FFF, 0x3F803FFF, 0xBFFFFFFF
    b = [[f32_bits(1.0) | 0x1FFF] + [0] * 7 for _ in range(4)]
    zeros = [[0.0] * 8 for _ in range(16)]
    d = [[x] + [0.0] * 7 for x in (1.0, 1 + 2.0**-10, -(2 - 2.0**-10))] + zeros[3:]
    write_mma("sum_tf32_ignores_low_bits", "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32",
              [registers("tf32", a, fragments.a, 2, bits=True),
               registers("tf32", b, fragments.b, 1, bits=True), registers("f32", zeros, fragments.c, 4)],
              registers("f32", d, fragments.c, 4),
              why="the low 13 bits of tf32 operands have no effect")


def double(name, instruction, cases, why, section="9.7.14.4"):
    fragments = FRAGMENTS["m8n8k4", 64]
    pad = [(0.0, [], 0.0)] * (8 - len(cases))
    a = [row + [0.0] * (4 - len(row)) for _, row, _ in cases + pad]
    b = [[1.0] + [0.0] * 7 for _ in range(4)]
    c, d = ([[case[n]] + [0.0] * 7 for case in cases + pad] for n in (0, 2))
    write_mma(name, instruction,
              [registers("f64", a, fragments.a, 1), registers("f64", b, fragments.b, 1),
               registers("f64", c, fragments.c, 2)], registers("f64", d, fragments.c, 2), wide=True,
              why=why, section=section)


def doubles():
    double("sum_double_in_order", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", [
        (2.0**53, [1.0, 1.0], 2.0**53),  # 2^53 + 1 is a tie, twice
        (1.0, [2.0**53, 1.0, 1.0], 2.0**53),
        (0.0, [1.0, 1.0, 2.0**53], 2.0**53 + 2),
        (0.0, [1 + 2.0**-52, -1.0], 2.0**-52),
    ], "a chain of fused multiply-adds along k, each rounded")
    above, inside = 1 + 2.0**-52, -(1 - 2.0**-53)
    for rounding, of_one, of_minus_one in (("rn", 1.0, -1.0), ("rz", 1.0, inside), ("rm", 1.0, -1.0),
                                           ("rp", above, inside)):
        double(f"sum_double_{rounding}",
               f"wmma.mma.sync.aligned.row.col.m8n8k4.{rounding}.f64.f64.f64.f64",
               [(1.0, [2.0**-60], of_one), (-1.0, [2.0**-60], of_minus_one)],
               "2^-60 beside 1 and -1", "9.7.14.3.5")


def cut_off(x, quantum):
    """Towards zero, to a multiple of `quantum`."""
    return (abs(x) // quantum) * quantum * (1 if x >= 0 else -1)


def exponent(x):
    found = x.numerator.bit_length() - x.denominator.bit_length()
    return found - 1 if Fraction(2) ** found > x else found


def pack(x, mantissa, bias, to_nearest):
    """Bits of a format with 8 or 5 exponent bits, of the rounded fraction `x`."""
    width = 1 + mantissa + (2 * bias + 1).bit_length()
    sign, magnitude = (1 << (width - 1) if x < 0 else 0), abs(x)
    if magnitude == 0:
        return 0
    e = max(exponent(magnitude), 1 - bias)
    steps = magnitude / Fraction(2) ** (e - mantissa)
    whole = steps.numerator // steps.denominator
    rest = steps - whole
    if to_nearest and (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2)):
        whole += 1
    # The steps of a binade continue in the next: adding them to the exponent's bits carries.
    bits = ((e + bias - 1) << mantissa) + whole
    infinity = (2 * bias + 1) << mantissa
    return sign | min(bits, infinity)


def in_halves(values):
    return [v for half in (0, 2) for n in range(half, len(values), 4) for v in values[n:n + 2]]


def dot_of_halves(a, b, d, row, column, c, fraction_bits):
    block_bytes = len(row) // 2 * WIDTH[a] // 8
    total = dot(a, b, d, in_halves(row), in_halves(column), 0, fraction_bits, block_bytes)
    (x, _), (y, _) = decode(d, total), decode(d, c)
    return pack(x + y, 10, 15, True) if d == "f16" else pack(x + y, 23, 127, True)


def dot(a, b, d, row, column, c, fraction_bits, block_bytes):
    block = block_bytes * 8 // WIDTH[a]
    for first in range(0, len(row), block):
        terms, top = [], -126
        pairs = [(decode(a, x), decode(b, y))
                 for x, y in zip(row[first:first + block], column[first:first + block])]
        terms = [(x * y, ex + ey) for (x, ex), (y, ey) in pairs] + [decode(d, c)]
        top = max([top] + [e for value, e in terms if value != 0])
        total = sum(cut_off(value, Fraction(2) ** (top - fraction_bits)) for value, _ in terms)
        c = pack(total, 10, 15, True) if d == "f16" else pack(total, 23, 127, False)
        if c & (0x7C00 if d == "f16" else 0x7F800000) == (0x7C00 if d == "f16" else 0x7F800000):
            return c  # infinity stays
    return c


def at_random(name, shape, a, b, d, spread, gpu, fraction_bits, block_bytes):
    fragments = FRAGMENTS[shape, WIDTH[a]]
    factor_a = [[random_bits(a, spread) for _ in range(fragments.k)] for _ in range(16)]
    factor_b = [[random_bits(b, spread) for _ in range(8)] for _ in range(fragments.k)]
    addend = [[random_bits(d, spread) for _ in range(8)] for _ in range(16)]
    result = [[dot_of_halves(a, b, d, factor_a[i], [row[j] for row in factor_b], addend[i][j],
                             fraction_bits) if WIDTH[a] == 8 else
               dot(a, b, d, factor_a[i], [row[j] for row in factor_b], addend[i][j], fraction_bits,
                   block_bytes) for j in range(8)] for i in range(16)]

    def bits(element, values, place, count):
        return registers(element, values, place, count, bits=True)

    write_mma(name, f"mma.sync.aligned.{shape}.row.col.{d}.{a}.{b}.{d}",
              [bits(a, factor_a, fragments.a, fragments.count_a),
               bits(b, factor_b, fragments.b, fragments.count_b), bits(d, addend, fragments.c, 4)],
              bits(d, result, fragments.c, 4), gpu=None if gpu == "v100" else gpu,
              why=f"random bits against exact fractions: {fraction_bits} bits below the largest "
                  f"exponent, " + ("as f16, in two parts (NVIDIA H200)" if WIDTH[a] == 8 else
                                  f"{block_bytes} bytes of a row at a time ({PAPER})"))


def all_at_random():
    for suffix, machine in (("", ("v100", 23, 8)), ("_hopper", ("h200", 25, 32))):
        at_random("random_f16_f32" + suffix, "m16n8k16", "f16", "f16", "f32", 14, *machine)
        at_random("random_bf16_f32" + suffix, "m16n8k16", "bf16", "bf16", "f32", 12, *machine)
        at_random("random_bf16_wide" + suffix, "m16n8k8", "bf16", "bf16", "f32", 60, *machine)
        at_random("random_tf32" + suffix, "m16n8k8", "tf32", "tf32", "f32", 12, *machine)
        at_random("random_f16_f16" + suffix, "m16n8k16", "f16", "f16", "f16", 5, *machine)
    at_random("random_e4m3_e5m2_hopper", "m16n8k32", "e4m3", "e5m2", "f32", 20, *machine)
    at_random("random_e5m2_f16_hopper", "m16n8k32", "e5m2", "e4m3", "f16", 6, *machine)
