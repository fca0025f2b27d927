"""9.7.1 and 9.7.2: integer arithmetic, bits, extended precision."""
import random

from common import *


def quotient(a, b, t):
    if b == 0:
        return mask(width(t))
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def remainder(a, b, t):
    # By zero: NVIDIA H200.
    return mask(width(t)) if b == 0 else (-(abs(a) % abs(b)) if a < 0 else abs(a) % abs(b))


def integer(form, cite, function, t, count, result=None):
    """One form: function(a, b ...) on typed operands, its result modulo 2^(bits of the result)."""
    bits = width(t)
    out = result or bits
    columns = operands([bits] * count, random.Random(form))
    values = [function(*[typed(v, t) for v in row]) & mask(out) for row in zip(*columns)]
    sources = ", ".join(f"%i{n}" for n in range(count))
    emit(form, cite, [(bits, c) for c in columns], [(out, values)], f"{form} %o0, {sources};")


def low24(v, t):
    v &= 0xFFFFFF
    return as_signed(v, 24) if t[0] == "s" else v


def integers():
    every = ["u16", "u32", "u64", "s16", "s32", "s64"]
    for t in every:
        b = width(t)
        integer(f"add.{t}", "9.7.1.1", lambda a, c: a + c, t, 2)
        integer(f"sub.{t}", "9.7.1.2", lambda a, c: a - c, t, 2)
        integer(f"mul.lo.{t}", "9.7.1.3", lambda a, c: a * c, t, 2)
        integer(f"mul.hi.{t}", "9.7.1.3", lambda a, c: (a * c) >> b, t, 2)
        integer(f"mad.lo.{t}", "9.7.1.4", lambda a, c, d: a * c + d, t, 3)
        integer(f"mad.hi.{t}", "9.7.1.4", lambda a, c, d: ((a * c) >> b) + d, t, 3)
        integer(f"sad.{t}", "9.7.1.7", lambda a, c, d: d + abs(a - c), t, 3)
        integer(f"div.{t}", "9.7.1.8", lambda a, c: quotient(a, c, t), t, 2)
        integer(f"rem.{t}", "9.7.1.9", lambda a, c: remainder(a, c, t), t, 2)
        integer(f"min.{t}", "9.7.1.12", min, t, 2)
        integer(f"max.{t}", "9.7.1.13", max, t, 2)
        if b < 64:
            integer(f"mul.wide.{t}", "9.7.1.3", lambda a, c: a * c, t, 2, result=2 * b)
            rng = random.Random(t)
            columns = operands([b, b, 2 * b], rng)
            values = [(typed(p, t) * typed(q, t) + r) & mask(2 * b) for p, q, r in zip(*columns)]
            emit(f"mad.wide.{t}", "9.7.1.4", list(zip([b, b, 2 * b], columns)), [(2 * b, values)],
                 f"mad.wide.{t} %o0, %i0, %i1, %i2;")
        if t[0] == "s":
            integer(f"abs.{t}", "9.7.1.10", abs, t, 1)
            integer(f"neg.{t}", "9.7.1.11", lambda a: -a, t, 1)
    integer("add.sat.s32", "9.7.1.1", lambda a, c: clamp(a + c, "s32"), "s32", 2)
    integer("sub.sat.s32", "9.7.1.2", lambda a, c: clamp(a - c, "s32"), "s32", 2)
    integer("mad.hi.sat.s32", "9.7.1.4", lambda a, c, d: clamp(((a * c) >> 32) + d, "s32"), "s32", 3)
    integer("min.relu.s32", "9.7.1.12", lambda a, c: max(min(a, c), 0), "s32", 2)
    integer("max.relu.s32", "9.7.1.13", lambda a, c: max(a, c, 0), "s32", 2)
    for op, cite, f in [("min", "9.7.1.12", min), ("max", "9.7.1.13", max)]:
        packed(op + ".relu", "s16", cite, lambda a, c: sum(
            max(f(as_signed(a >> s & 0xFFFF, 16), as_signed(c >> s & 0xFFFF, 16)), 0) << s
            for s in (0, 16)))
    for t in ["u32", "s32"]:
        product = lambda a, c: low24(a, t) * low24(c, t)
        integer(f"mul24.lo.{t}", "9.7.1.5", product, t, 2)
        integer(f"mul24.hi.{t}", "9.7.1.5", lambda a, c: product(a, c) >> 16, t, 2)
        integer(f"mad24.lo.{t}", "9.7.1.6", lambda a, c, d: product(a, c) + d, t, 3)
        integer(f"mad24.hi.{t}", "9.7.1.6", lambda a, c, d: (product(a, c) >> 16) + d, t, 3)
    for op, cite, f in [("add", "9.7.1.1", lambda a, c: a + c), ("min", "9.7.1.12", min),
                        ("max", "9.7.1.13", max)]:
        for t in ["u16", "s16"]:
            halves = lambda a, c: sum(
                (f(typed(a >> s & 0xFFFF, t), typed(c >> s & 0xFFFF, t)) & 0xFFFF) << s
                for s in (0, 16))
            packed(op, t, cite, halves)


def packed(op, t, cite, function):
    form = f"{op}.{t}x2"
    columns = operands([32, 32], random.Random(form))
    emit(form, cite, list(zip([32, 32], columns)),
         [(32, [function(a, b) for a, b in zip(*columns)])], f"{form} %o0, %i0, %i1;")


def in_field(amount, bits):
    """Modulo 256, says the manual; of 64 bits all counts (NVIDIA H200)."""
    return amount & 255 if bits == 32 else min(amount, 256)


def bfe(a, pos, length, t):
    bits = width(t)
    pos, length = in_field(pos, bits), in_field(length, bits)
    sign = 0 if t[0] == "u" or length == 0 else a >> min(pos + length - 1, bits - 1) & 1
    return sum((a >> (pos + i) & 1 if i < length and pos + i < bits else sign) << i
               for i in range(bits))


def bfi(a, b, pos, length, bits):
    pos, length = in_field(pos, bits), in_field(length, bits)
    for i in range(length):
        if pos + i < bits:
            b = b & ~(1 << (pos + i)) | (a >> i & 1) << (pos + i)
    return b


def bit_columns(form, widths):
    """Values, then positions and lengths around the sizes that matter."""
    rng = random.Random(form)
    amounts = [0, 1, 5, 8, 15, 16, 31, 32, 33, 47, 63, 64, 65, 255, 256, 0xFFFFFFFF]
    return [edges(w, rng) if n == 0 or w == 64 or n < len(widths) - 2 and len(widths) == 4 else
            [rng.choice(amounts) for _ in range(LANES)] for n, w in enumerate(widths)]


def find(a, t, shift):
    bits = width(t)
    if t[0] == "s" and a >> (bits - 1):
        a = ~a & mask(bits)
    if a == 0:
        return mask(32)
    return bits - a.bit_length() if shift else a.bit_length() - 1


def nth_set(m, base, n):
    n = as_signed(n, 32)
    if base > 31:
        return mask(32)
    if n == 0:
        return base if m >> base & 1 else mask(32)
    positions = [i for i in range(32) if m >> i & 1]
    found = [i for i in positions if i >= base] if n > 0 else [i for i in positions[::-1] if i <= base]
    return found[abs(n) - 1] if abs(n) <= len(found) else mask(32)


def bits():
    for b in (32, 64):
        one = [edges(b, random.Random(b))]
        direct(f"popc.b{b}", "9.7.1.14", [b], one, 32, lambda a: bin(a).count("1"))
        direct(f"clz.b{b}", "9.7.1.15", [b], one, 32, lambda a: b - a.bit_length())
        direct(f"brev.b{b}", "9.7.1.18", [b], one, b, lambda a: int(f"{a:0{b}b}"[::-1], 2))
        columns = bit_columns(f"bfi{b}", [b, b, 32, 32])
        direct(f"bfi.b{b}", "9.7.1.20", [b, b, 32, 32], columns, b,
               lambda a, c, p, n: bfi(a, c, p, n, b))
        for t in (f"u{b}", f"s{b}"):
            direct(f"bfind.{t}", "9.7.1.16", [b], one, 32, lambda a: find(a, t, False))
            direct(f"bfind.shiftamt.{t}", "9.7.1.16", [b], one, 32, lambda a: find(a, t, True))
            columns = bit_columns(f"bfe{t}", [b, 32, 32])
            direct(f"bfe.{t}", "9.7.1.19", [b, 32, 32], columns, b, lambda a, p, n: bfe(a, p, n, t))
    rng = random.Random("fns")
    columns = [edges(32, rng), [rng.randrange(34) for _ in range(LANES)],
               [rng.randrange(-9, 10) & mask(32) for _ in range(LANES)]]
    direct("fns.b32", "9.7.1.17", [32, 32, 32], columns, 32, nth_set)
    for mode in ("clamp", "wrap"):
        columns = bit_columns("bmsk", [32, 32, 32])[1:]
        def bmsk(a, n):
            if mode == "wrap":
                a, n = a & 31, n & 31
            return (mask(n) << a) if a < 32 and n < 64 else (mask(32) << a if a < 32 else 0)
        direct(f"bmsk.{mode}.b32", "9.7.1.22", [32, 32], columns, 32, bmsk)
        for t in ("u32", "s32"):
            def szext(a, n):
                n = n & 31 if mode == "wrap" else min(n, 32)
                a &= mask(n)
                return a - (1 << n) if t == "s32" and n and a >> (n - 1) else a
            columns = bit_columns("szext" + t, [32, 32, 32])[:2]
            direct(f"szext.{mode}.{t}", "9.7.1.21", [32, 32], columns, 32, szext)


def extended():
    for b in (32, 64):
        rng = random.Random(b)
        t = f"u{b}"
        low_a, low_b, high_a, high_b = (edges(b, rng) for _ in range(4))
        rng.shuffle(low_b)
        inputs = [(b, low_a), (b, high_a), (b, low_b), (b, high_b)]
        pairs = [((ha << b) + la, (hb << b) + lb)
                 for la, ha, lb, hb in zip(low_a, high_a, low_b, high_b)]
        def split(values, parts):
            return [(b, [v >> (b * n) & mask(b) for v in values]) for n in range(parts)]
        emit(f"add.cc.{t}", "9.7.2.1", inputs, split([p + q for p, q in pairs], 3),
             f"add.cc.{t} %o0, %i0, %i2;\naddc.cc.{t} %o1, %i1, %i3;\naddc.{t} %o2, 0, 0;")
        emit(f"sub.cc.{t}", "9.7.2.3", inputs, split([p - q for p, q in pairs], 3),
             f"sub.cc.{t} %o0, %i0, %i2;\nsubc.cc.{t} %o1, %i1, %i3;\nsubc.{t} %o2, 0, 0;")
        sums = [la * lb + (hb << b) + ha for la, ha, lb, hb in
                zip(low_a, high_a, low_b, high_b)]
        emit(f"mad.cc.{t}", "9.7.2.5", inputs, split(sums, 3),
             f"mad.lo.cc.{t} %o0, %i0, %i2, %i1;\nmadc.hi.cc.{t} %o1, %i0, %i2, %i3;\n"
             f"addc.{t} %o2, 0, 0;")
        products = [as_signed(la, b) * as_signed(lb, b) + ha for la, ha, lb in
                    zip(low_a, high_a, low_b)]
        emit(f"madc.hi.s{b}", "9.7.2.6", inputs[:3], split(products, 2),
             f"mad.lo.cc.s{b} %o0, %i0, %i2, %i1;\nmadc.hi.s{b} %o1, %i0, %i2, 0;")
