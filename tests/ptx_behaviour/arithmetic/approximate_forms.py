"""9.7.3: the approximate functions, within the error bounds that the manual states."""
import math
import struct

import exact as x
from common import *
from exact import F32


def single(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def decimal(v):
    return "nan" if v != v else "inf" if v == math.inf else "-inf" if v == -math.inf else repr(v)


def approximate(form, cite, function, inputs, tolerance, ftz=False):
    """function: of doubles; tolerance(exact result): the manual's bound as an absolute error. Files
    give it in units of the result's last place, rounded up, 10^8 at most: an absolute bound says
    nothing of results near zero."""
    values = []
    for row in zip(*inputs):
        arguments = [single(x.flush(v, F32) if ftz else v) for v in row]
        result = function(*arguments)
        if result == 0 or result != result or abs(result) > 2.0 ** 128 * (1 + 2.0 ** -20):
            keep = result == 0 or result != result
            values.append(decimal(result if keep else math.copysign(math.inf, result)))
        elif abs(result) > 2.0 ** 128 * (1 - 2.0 ** -20):
            values.append("*")  # rounding decides whether it overflows
        elif ftz and abs(result) < 2.0 ** -126:
            values.append("*" if abs(result) > 2.0 ** -126 * (1 - 2.0 ** -20) else
                          decimal(math.copysign(0.0, result)))
        else:
            ulp = 2.0 ** max(math.frexp(result)[1] - 24, -149)
            values.append(f"{decimal(result)}~{min(math.ceil(tolerance(result) / ulp), 10**8)}ulp")
    sources = ", ".join(f"%i{n}" for n in range(len(inputs)))
    emit(form, cite, [(32, c) for c in inputs], [("f32", values)], f"{form} %o0, {sources};")


def guarded(function):
    def call(*arguments):
        try:
            return function(*arguments)
        except (ValueError, ZeroDivisionError):
            return math.nan
        except OverflowError:
            return math.inf
    return call


def divide(a, b):
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def turned(x):
    """x as the hardware has it for sin and cos: times 1 / (2 pi), cut off to single precision, and
    then to 25 bits after the point (NVIDIA H200)."""
    if not math.isfinite(x):
        return x
    fraction, exponent = math.frexp(abs(x) * single(0x3E22F983))
    turns = math.ldexp(math.floor(fraction * 2 ** 24), exponent - 24)
    return math.copysign(math.floor(turns * 2 ** 25) / 2 ** 25 * 2 * math.pi, x)


def approximations():
    """Error bounds and special inputs from the tables of 9.7.3.8 to 9.7.3.22."""
    column = float_columns(F32, 1, "approx", 96)[0]
    tame = [v for v in column if F32.decode(v)[0] != "num" or abs(single(v)) < 1e3]
    positive = [v & mask(31) for v in column]
    ulps = lambda n: lambda r: n * 2.0 ** max(math.frexp(r)[1] - 24, -149)
    relative = lambda e: lambda r: abs(r) * 2.0 ** e + 2.0 ** -149
    def lg2(a):
        return -math.inf if a == 0 else math.log2(a)
    def root(a):
        return math.sqrt(a)
    def rsqrt(a):
        return divide(1, a) if a == 0 else 1 / math.sqrt(a)
    for ftz in (False, True):
        dot = ".ftz" if ftz else ""
        approximate(f"rcp.approx{dot}.f32", "9.7.3.13", lambda a: divide(1, a), [column], ulps(1),
                    ftz=ftz)
        approximate(f"sqrt.approx{dot}.f32", "9.7.3.15", guarded(root), [column], relative(-23), ftz=ftz)
        approximate(f"rsqrt.approx{dot}.f32", "9.7.3.16", guarded(rsqrt), [column], relative(-22.9),
                    ftz=ftz)
        approximate(f"ex2.approx{dot}.f32", "9.7.3.21", guarded(lambda a: 2.0 ** a), [column],
                    relative(-22), ftz=ftz)
        approximate(f"lg2.approx{dot}.f32", "9.7.3.20", guarded(lg2), [column],
                    lambda r: max(2.0 ** -22, abs(r) * 2.0 ** -22), ftz=ftz)
        approximate(f"sin.approx{dot}.f32", "9.7.3.18", guarded(lambda a: math.sin(turned(a))),
                    [tame], lambda r: 2.0 ** -20.5, ftz=ftz)
        approximate(f"cos.approx{dot}.f32", "9.7.3.19", guarded(lambda a: math.cos(turned(a))),
                    [tame], lambda r: 2.0 ** -20.5, ftz=ftz)
        a, b = float_columns(F32, 2, "approximate division", 96)
        approximate(f"div.full{dot}.f32", "9.7.3.8", divide, [a, b], ulps(2), ftz=ftz)
        moderate = [v if v & mask(31) == 0 or v & mask(31) >= F32.infinity or
                    2.0 ** -126 <= abs(single(v)) <= 2.0 ** 126 else 0x40400000 for v in b]
        approximate(f"div.approx{dot}.f32", "9.7.3.8", divide, [a, moderate], ulps(2), ftz=ftz)
    approximate("tanh.approx.f32", "9.7.3.22", math.tanh, [column], relative(-11))
    huge = [0x7F000001, 0x7F7FFFFF, 0xFF000001, 0x7F000001, 0x7F000001]
    emit("div.approx.f32.huge", "9.7.3.8",
         [(32, [0x3F800000, 0x7F7FFFFF, 0x3F800000, 0x7F800000, 0xFF800000]), (32, huge)],
         [("f32", ["0.0", "0.0", "-0.0", "nan", "nan"])], "div.approx.f32 %o0, %i0, %i1;")
