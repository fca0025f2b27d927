"""9.7.9.21 and 9.7.9.22: cvt and cvt.pack."""
import random
from fractions import Fraction

import exact as x
from common import *
from exact import BF16, E4M3, E5M2, F16, F32, F64


WHOLE = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}


def typed_range(t):
    return clamp(-(1 << 70), t), clamp(1 << 70, t)


def to_integer(value, rounding, d, s_bits):
    if value[0] == "nan":
        top = 1 << (width(d) - 1)
        return typed(top, d) if s_bits == 64 or width(d) == 64 else 0
    if value[0] == "inf":
        return clamp(-(1 << 70) if value[1] else 1 << 70, d)
    whole = x.round_magnitude(value[2], value[1], WHOLE[rounding])
    return clamp(-whole if value[1] else whole, d)


def converted(a, source, fmt, rounding="rn"):
    """NaN is canonical, but of double precision keeps sign and the upper bits of its payload, and of
    bfloat16 is shifted (NVIDIA H200; the manual leaves it open)."""
    value = source.decode(a)
    if value[0] != "nan" or source not in (F64, BF16) or fmt is F64:
        return fmt.encode(value, rounding)
    if source is BF16:
        return a << 16 if fmt is F32 else fmt.encode(value)
    payload = (a & mask(52)) >> (52 - fmt.mantissa) | 1 << (fmt.mantissa - 1)
    return (a >> 63) << (fmt.bits - 1) | fmt.infinity | payload


def conversions():
    types = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"]
    formats = [("f16", F16), ("bf16", BF16), ("f32", F32), ("f64", F64)]
    for s in types:
        column = edges(width(s), random.Random("cvt" + s))
        for d in types:
            if d == s:
                continue
            out = max(32, width(d))
            direct(f"cvt.{d}.{s}", "9.7.9.21", [width(s)], [column], out,
                   lambda a: typed(typed(a, s) & mask(width(d)), d))
            if typed_range(s)[0] >= typed_range(d)[0] and typed_range(s)[1] <= typed_range(d)[1]:
                continue  # nothing to saturate: not PTX
            direct(f"cvt.sat.{d}.{s}", "9.7.9.21", [width(s)], [column], out,
                   lambda a: clamp(typed(a, s), d))
        for d, fmt in formats:
            if d == "bf16" and width(s) == 8:
                continue
            for rounding in ("rn", "rz", "rm", "rp"):
                direct(f"cvt.{rounding}.{d}.{s}", "9.7.9.21", [width(s)], [column], fmt.bits,
                       lambda a: fmt.encode(x.number(typed(a, s)), rounding))
    for s, source in formats:
        column = whole_neighbours(source)
        for d in types:
            if s == "bf16" and width(d) < 32:
                continue
            for rounding in WHOLE:
                direct(f"cvt.{rounding}.{d}.{s}", "9.7.9.21", [source.bits], [column],
                       max(32, width(d)),
                       lambda a: to_integer(source.decode(a), rounding, d, source.bits))
        column = float_columns(source, 1, "cvt" + s)[0]
        for d, fmt in formats:
            if d == s:
                for rounding in WHOLE:
                    def whole(a):
                        v = source.decode(a)
                        if v[0] == "num":
                            v = v[:2] + (Fraction(x.round_magnitude(v[2], v[1], WHOLE[rounding])),)
                        return nan_or(fmt, fmt.encode(v))
                    values = [whole(a) for a in column]
                    emit(f"cvt.{rounding}.{d}.{s}", "9.7.9.21", [(fmt.bits, column)],
                         [(fmt.bits, values)], f"cvt.{rounding}.{d}.{s} %o0, %i0;")
            elif source.bits < fmt.bits:
                values = [nan_or(fmt, converted(a, source, fmt)) for a in column]
                emit(f"cvt.{d}.{s}", "9.7.9.21", [(source.bits, column)], [(fmt.bits, values)],
                     f"cvt.{d}.{s} %o0, %i0;")
            else:
                for rounding in ("rn", "rz", "rm", "rp"):
                    direct(f"cvt.{rounding}.{d}.{s}", "9.7.9.21", [source.bits], [column], fmt.bits,
                           lambda a: converted(a, source, fmt, rounding))
    column = float_columns(F32, 1, "cvt.sat")[0]
    direct("cvt.sat.f32.f32", "9.7.9.21", [32], [column], 32,
           lambda a: F32.encode(x.saturate(F32.decode(a))))
    direct("cvt.ftz.sat.f32.f32", "9.7.9.21", [32], [column], 32,
           lambda a: F32.encode(x.saturate(F32.decode(x.flush(a, F32)))))
    direct("cvt.rzi.ftz.s32.f32", "9.7.9.21", [32], [whole_neighbours(F32)], 32,
           lambda a: to_integer(F32.decode(x.flush(a, F32)), "rzi", "s32", 32))
    double = float_columns(F64, 1, "cvt.ftz")[0]
    direct("cvt.rn.ftz.f32.f64", "9.7.9.21", [64], [double], 32,
           lambda a: x.flush(converted(a, F64, F32), F32))
    packed_conversions()


def whole_neighbours(fmt):
    """Halves, whole numbers and the ends of the integer types' ranges."""
    values = []
    for base in [0, 1, 2, 3, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2**31, 2**32, 2**63, 2**64]:
        for delta in (0, Fraction(1, 2), Fraction(-1, 4)):
            for sign in (0, 1):
                if base + delta >= 0:
                    values.append(fmt.encode(("num", sign, Fraction(base) + delta)))
    values += float_values(fmt, random.Random("whole" + fmt.name))[:20]
    return list(dict.fromkeys(values))


def packed_conversions():
    a, b = float_columns(F32, 2, "cvt.pair")
    for t, fmt in [("f16", F16), ("bf16", BF16)]:
        for rounding in ("rn", "rz"):
            for clamp_ in ("", ".relu"):
                finish = x.relu if clamp_ else lambda v: v
                to = lambda v: fmt.encode(finish(F32.decode(v)), rounding)
                direct(f"cvt.{rounding}{clamp_}.{t}x2.f32", "9.7.9.21", [32, 32], [a, b], 32,
                       lambda p, q: to(p) << 16 | to(q))
        direct(f"cvt.rn.relu.{t}.f32", "9.7.9.21", [32], [a], 16,
               lambda p: fmt.encode(x.relu(F32.decode(p))))
        finite = [v for v in a if F32.decode(v)[0] != "nan"]
        direct(f"cvt.rn.satfinite.{t}.f32", "9.7.9.21", [32], [finite], 16,
               lambda p: fmt.encode(F32.decode(p), "rn", True))
    # tf32 is single precision with 10 bits of mantissa.
    for rounding in ("rna", "rn", "rz"):
        tf32 = x.Format("tf32", 10, 8, 0x3FFFF)
        direct(f"cvt.{rounding}.tf32.f32", "9.7.9.21", [32],
               [[v for v in a if F32.decode(v)[0] != "nan"]], 32,
               lambda p: tf32.encode(F32.decode(p), rounding) << 13)
    rng = random.Random("fp8")
    def near(n):
        values = [0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000]
        while len(values) < n:
            values.append(F32.encode(("num", rng.getrandbits(1), Fraction(
                rng.randrange(1, 64), 32) * Fraction(2) ** rng.randrange(-18, 18))))
        return values
    a, b = near(LANES), near(LANES)[::-1]
    for t, fmt in [("e4m3", E4M3), ("e5m2", E5M2)]:
        to = lambda v: fmt.encode(F32.decode(v), "rn", True)
        direct(f"cvt.rn.satfinite.{t}x2.f32", "9.7.9.21", [32, 32], [a, b], 16,
               lambda p, q: to(p) << 8 | to(q))
        halves = [h << 16 | l for h, l in zip(*float_columns(F16, 2, "fp8" + t))]
        convert = lambda v: fmt.encode(F16.decode(v), "rn", True)
        direct(f"cvt.rn.satfinite.{t}x2.f16x2", "9.7.9.21", [32], [halves], 16,
               lambda p: convert(p >> 16) << 8 | convert(p & 0xFFFF))
        pairs = [(255 - n) << 8 | n for n in range(256)]
        back = lambda v: F16.encode(fmt.decode(v))
        direct(f"cvt.rn.f16x2.{t}x2", "9.7.9.21", [16], [pairs], 32,
               lambda p: back(p >> 8) << 16 | back(p & 255))
    columns = operands([32, 32, 32], random.Random("pack"))
    for d, bits_ in [("u8", 8), ("s8", 8)]:
        direct(f"cvt.pack.sat.{d}.s32.b32", "9.7.9.22", [32] * 3, columns, 32,
               lambda p, q, r: r << 16 | (clamp(as_signed(p, 32), d) & 255) << 8
               | clamp(as_signed(q, 32), d) & 255)
    for d in ("u16", "s16"):
        direct(f"cvt.pack.sat.{d}.s32", "9.7.9.22", [32] * 2, columns[:2], 32,
               lambda p, q: (clamp(as_signed(p, 32), d) & 0xFFFF) << 16
               | clamp(as_signed(q, 32), d) & 0xFFFF)
