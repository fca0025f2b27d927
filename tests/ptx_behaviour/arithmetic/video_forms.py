"""9.7.17, dp4a and dp2a."""
import random

from common import *


def elements(word, count, t):
    b = 32 // count
    return [as_signed(word >> (b * n) & mask(b), b) if t == "s32" else word >> (b * n) & mask(b)
            for n in range(count)]


def saturated(op, value, d):
    """ptxas makes sequences of instructions. To u32, those of sums saturate negative ones alone, and
    those of absolute differences nothing (NVIDIA H200)."""
    if d == "s32" or op in ("vmin", "vmax"):
        return clamp(value, d)
    return value if op == "vabsdiff" else max(value, 0)


def least(op, value, c, d):
    """The smaller of the result, before it is cut off, and c: as 64-bit numbers (NVIDIA H200). Sums
    are cut off, and then signed."""
    if op in ("vadd", "vsub"):
        value = as_signed(value & mask(32), 32)
    return min(value, as_signed(c, 32)) if d == "s32" else min(value & mask(64), c)


def video():
    columns = operands([32, 32, 32], random.Random("video"))
    operations = {"vadd": lambda a, b: a + b, "vsub": lambda a, b: a - b,
                  "vabsdiff": lambda a, b: abs(a - b), "vmin": min, "vmax": max}
    words = ("u32", "s32")
    for op, f in operations.items():
        for d in words:
            for s in words:
                types = f"{d}.{s}.s32"
                value = lambda a, b: f(typed(a, s), as_signed(b, 32))
                direct(f"{op}.{types}", "9.7.17.1", [32] * 2, columns[:2], 32, value)
                direct(f"{op}.{types}.sat", "9.7.17.1", [32] * 2, columns[:2], 32,
                       lambda a, b: saturated(op, value(a, b), d))
                direct(f"{op}.{types}.sat.add", "9.7.17.1", [32] * 3, columns, 32,
                       lambda a, b, c: saturated(op, value(a, b), d) + c)
                direct(f"{op}.{types}.min", "9.7.17.1", [32] * 3, columns, 32,
                       lambda a, b, c: least(op, value(a, b), c, d))
    for count in (2, 4):
        b = 32 // count
        simd = dict(operations, vavrg=lambda p, q: (p + q + (p + q >= 0)) >> 1)
        for op, f in simd.items():
            for t in words:
                def results(p, q):
                    return [f(m, n) for m, n in zip(elements(p, count, t), elements(q, count, t))]
                def join(values):
                    return sum((v & mask(b)) << (b * n) for n, v in enumerate(values))
                limit = t[0] + str(b)
                name = f"{op}{count}.{t}.{t}.{t}"
                section = "9.7.17.5" if count == 2 else "9.7.17.7"
                direct(name, section, [32] * 3, columns, 32, lambda p, q, r: join(results(p, q)))
                direct(name + ".sat", section, [32] * 3, columns, 32,
                       lambda p, q, r: join(clamp(v, limit) for v in results(p, q)))
                direct(name + ".add", section, [32] * 3, columns, 32,
                       lambda p, q, r: r + sum(results(p, q)))
        direct(f"vset{count}.s32.u32.lt", "9.7.17.6", [32] * 3, columns, 32,
               lambda p, q, r: sum(int(m < n) << (b * k) for k, (m, n) in enumerate(
                   zip(elements(p, count, "s32"), elements(q, count, "u32")))))
    shifts = [n % 40 for n in range(LANES)]
    for mode in ("clamp", "wrap"):
        amount = lambda n: n & 31 if mode == "wrap" else min(n, 32)
        for d in words:
            direct(f"vshl.{d}.{d}.u32.sat.{mode}", "9.7.17.2", [32] * 2, [columns[0], shifts], 32,
                   # Of the shifted value 34 bits are saturated (NVIDIA H200).
                   lambda a, n: clamp(as_signed((typed(a, d) << amount(n)) & mask(34), 34), d))
            direct(f"vshr.{d}.{d}.u32.{mode}", "9.7.17.2", [32] * 2, [columns[0], shifts], 32,
                   lambda a, n: typed(a, d) >> amount(n))
    direct("vset.s32.u32.lt", "9.7.17.4", [32] * 2, columns[:2], 32,
           lambda a, b: int(as_signed(a, 32) < b))
    direct("vmad.s32.s32.s32.sat.shr7", "9.7.17.3", [32] * 3, columns, 32,
           lambda a, b, c: clamp((as_signed(a, 32) * as_signed(b, 32) + as_signed(c, 32)) >> 7, "s32"))
    direct("vmad.u32.u32.u32.po", "9.7.17.3", [32] * 3, columns, 32, lambda a, b, c: a * b + c + 1)
    for s in words:
        for t in words:
            direct(f"dp4a.{s}.{t}", "9.7.1.23", [32] * 3, columns, 32, lambda a, b, c: c + sum(
                p * q for p, q in zip(elements(a, 4, s), elements(b, 4, t))))
            for half in ("lo", "hi"):
                direct(f"dp2a.{half}.{s}.{t}", "9.7.1.24", [32] * 3, columns, 32,
                       lambda a, b, c: c + sum(p * q for p, q in zip(
                           elements(a, 2, s), elements(b, 4, t)[2 * (half == "hi"):])))
