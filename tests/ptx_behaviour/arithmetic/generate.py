#!/usr/bin/env python3
"""Writes the behaviour tests of this folder: one small PTX kernel a form, with inputs and the
results that the PTX manual prescribes. Needs nothing but Python; the files it writes are committed,
so that running it is only needed to add forms.

    python3 generate.py
"""
import math
import os
import random
import struct
from fractions import Fraction

import exact as x
from exact import BF16, E4M3, E5M2, F16, F32, F64

HERE = os.path.dirname(os.path.abspath(__file__))
LANES = 64
LOAD = {8: "u8", 16: "u16", 32: "u32", 64: "u64"}
written = set()


def mask(bits):
    return (1 << bits) - 1


def hexes(values):
    return " ".join(v if isinstance(v, str) else hex(v) for v in values)


def emit(name, cite, inputs, outputs, body, target="sm_90", version="8.5"):
    """inputs, outputs: (bits, values); body: PTX that turns %i0, %i1 ... into %o0, %o1 ..."""
    name = name.replace(".", "_")
    assert name not in written, name
    written.add(name)
    count = len(inputs[0][1])
    lines = [f"// launch: grid 1 block {count}"]
    lines += [f"// in  {LOAD[b] if isinstance(b, int) else b}: {hexes(v)}" for b, v in inputs]
    lines += [f"// out {LOAD[b] if isinstance(b, int) else b}: {hexes(v)}" for b, v in outputs]
    lines.append(f"// cite: {cite}")
    lines += [f".version {version}", f".target {target}", ".address_size 64", ""]
    size = {"f32": 32, "f64": 64}
    ios = [("i", n, size.get(b, b)) for n, (b, _) in enumerate(inputs)]
    ios += [("o", n, size.get(b, b)) for n, (b, _) in enumerate(outputs)]
    parameters = ", ".join(f".param .u64 p_{k}{n}" for k, n, _ in ios)
    lines += [f".visible .entry test({parameters})", "{"]
    lines += ["  .reg .b64 %address, %offset, %lane;", "  .reg .b32 %thread;", "  .reg .pred %p, %q, %r;"]
    lines += [f"  .reg .b{max(b, 16)} %{k}{n};" for k, n, b in ios]
    lines += ["  mov.u32 %thread, %tid.x;", "  cvt.u64.u32 %lane, %thread;"]

    def locate(k, n, b):
        return [f"  ld.param.u64 %address, [p_{k}{n}];", f"  mul.lo.u64 %offset, %lane, {b // 8};",
                "  add.u64 %address, %address, %offset;"]
    for k, n, b in ios:
        if k == "i":
            lines += locate(k, n, b) + [f"  ld.global.{LOAD[b]} %{k}{n}, [%address];"]
    lines += ["  " + line.strip() for line in body.strip().splitlines()]
    for k, n, b in ios:
        if k == "o":
            lines += locate(k, n, b) + [f"  st.global.{LOAD[b]} [%address], %{k}{n};"]
    lines += ["  ret;", "}", ""]
    with open(os.path.join(HERE, name + ".ptx"), "w") as f:
        f.write("\n".join(lines))


# ---- integers ----

def width(t):
    return int(t[1:])


def as_signed(v, bits):
    return v - (1 << bits) if v >> (bits - 1) else v


def typed(v, t):
    return as_signed(v, width(t)) if t[0] == "s" else v


def edges(bits, rng, n=LANES):
    """Edge values, then random ones of every magnitude."""
    top = 1 << (bits - 1)
    values = [0, 1, 2, 3, mask(bits), mask(bits) - 1, top, top - 1, top + 1, mask(bits) // 3,
              1 << (bits // 2), (1 << (bits // 2)) - 1]
    while len(values) < n:
        values.append(rng.getrandbits(bits) >> rng.choice([0, 0, bits // 2, bits - 5]))
    return [v & mask(bits) for v in values[:n]]


def operands(bits_list, rng):
    """Columns of operands: the first against itself at its edges, then shuffled."""
    columns = []
    for index, bits in enumerate(bits_list):
        column = edges(bits, rng)
        if index:
            head, tail = column[:12], column[12:]
            rng.shuffle(head)
            column = head + tail
        columns.append(column)
    return columns


def clamp(v, t):
    low, high = (-(1 << (width(t) - 1)), mask(width(t) - 1)) if t[0] == "s" else (0, mask(width(t)))
    return min(max(v, low), high)


def quotient(a, b, t):
    if b == 0:
        return mask(width(t))
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def remainder(a, b, t):
    return a if b == 0 else (-(abs(a) % abs(b)) if a < 0 else abs(a) % abs(b))


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


def bfe(a, pos, length, t):
    bits = width(t)
    pos, length = pos & 255, length & 255
    sign = 0 if t[0] == "u" or length == 0 else a >> min(pos + length - 1, bits - 1) & 1
    return sum((a >> (pos + i) & 1 if i < length and pos + i < bits else sign) << i
               for i in range(bits))


def bfi(a, b, pos, length, bits):
    pos, length = pos & 255, length & 255
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


def direct(form, cite, widths, columns, out, function, body=None):
    values = [function(*row) & mask(out) for row in zip(*columns)]
    sources = ", ".join(f"%i{n}" for n in range(len(widths)))
    emit(form, cite, list(zip(widths, columns)), [(out, values)],
         body or f"{form} %o0, {sources};")


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


# ---- logic ----

def prmt(a, b, c, mode):
    table = {"f4e": ["3210", "4321", "5432", "6543"], "b4e": ["5670", "6701", "7012", "0123"],
             "rc8": ["0000", "1111", "2222", "3333"], "ecl": ["3210", "3211", "3222", "3333"],
             "ecr": ["0000", "1110", "2210", "3210"], "rc16": ["1010", "3232", "1010", "3232"]}
    selectors = int(table[mode][c & 3], 16) if mode else c
    both, result = b << 32 | a, 0
    for n in range(4):
        s = selectors >> (4 * n) & 15
        byte = both >> (8 * (s & 7)) & 255
        result |= ((255 if byte & 128 else 0) if s & 8 else byte) << (8 * n)
    return result


def logic():
    for b in (16, 32, 64):
        columns = operands([b, b], random.Random(b))
        for op, cite, f in [("and", 1, lambda a, c: a & c), ("or", 2, lambda a, c: a | c),
                            ("xor", 3, lambda a, c: a ^ c)]:
            direct(f"{op}.b{b}", f"9.7.8.{cite}", [b, b], columns, b, f)
        direct(f"not.b{b}", "9.7.8.4", [b], columns[:1], b, lambda a: ~a)
        direct(f"cnot.b{b}", "9.7.8.5", [b], columns[:1], b, lambda a: int(a == 0))
        rng = random.Random(b)
        amounts = [rng.choice([0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 0xFFFFFFFF])
                   for _ in range(LANES)]
        direct(f"shl.b{b}", "9.7.8.8", [b, 32], [columns[0], amounts], b,
               lambda a, n: a << n if n < b else 0)
        direct(f"shr.u{b}", "9.7.8.9", [b, 32], [columns[0], amounts], b,
               lambda a, n: a >> n if n < b else 0)
        direct(f"shr.s{b}", "9.7.8.9", [b, 32], [columns[0], amounts], b,
               lambda a, n: as_signed(a, b) >> min(n, b))
    columns = operands([32, 32, 32], random.Random("lop3"))
    for table in (0x80, 0xFE, 0x96, 0xE8, 0xCA, 0x1B, 0x00, 0xFF):
        def lop3(a, b, c):
            return sum((table >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1) << i
                       for i in range(32))
        direct(f"lop3.b32.{table:02x}", "9.7.8.6", [32] * 3, columns, 32, lop3,
               f"lop3.b32 %o0, %i0, %i1, %i2, {table:#x};")
    values = [a & b & c for a, b, c in zip(*columns)]
    emit("lop3.or.b32", "9.7.8.6", list(zip([32] * 3, columns)),
         [(32, values), (32, [int(v != 0 or a == 0) for v, a in zip(values, columns[0])])],
         "setp.eq.u32 %q, %i0, 0;\nlop3.or.b32 %o0|%p, %i0, %i1, %i2, 0x80, %q;\n"
         "selp.u32 %o1, 1, 0, %p;")
    emit("lop3.and.b32", "9.7.8.6", list(zip([32] * 3, columns)),
         [(32, values), (32, [int(v != 0 and b == 0) for v, b in zip(values, columns[1])])],
         "setp.eq.u32 %q, %i1, 0;\nlop3.and.b32 %o0|%p, %i0, %i1, %i2, 0x80, %q;\n"
         "selp.u32 %o1, 1, 0, %p;")
    rng = random.Random("shf")
    amounts = [rng.choice([0, 1, 16, 31, 32, 33, 63, 64, 0xFFFFFFFF]) for _ in range(LANES)]
    for mode in ("clamp", "wrap"):
        count = lambda n: n & 31 if mode == "wrap" else min(n, 32)
        direct(f"shf.l.{mode}.b32", "9.7.8.7", [32] * 3, [columns[0], columns[1], amounts], 32,
               lambda a, b, n: ((b << 32 | a) << count(n)) >> 32)
        direct(f"shf.r.{mode}.b32", "9.7.8.7", [32] * 3, [columns[0], columns[1], amounts], 32,
               lambda a, b, n: (b << 32 | a) >> count(n))
    for mode in ("", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        direct("prmt.b32" + ("." + mode if mode else ""), "9.7.9.7", [32] * 3, columns, 32,
               lambda a, b, c: prmt(a, b, c, mode))
    for op, f in [("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)]:
        rows = [(n & 1, n >> 1 & 1) for n in range(LANES)]
        emit(f"{op}.pred", "9.7.8.1", [(32, [r[0] for r in rows]), (32, [r[1] for r in rows])],
             [(32, [f(*r) for r in rows]), (32, [1 - r[0] for r in rows])],
             f"setp.ne.u32 %p, %i0, 0;\nsetp.ne.u32 %q, %i1, 0;\n{op}.pred %q, %p, %q;\n"
             "selp.u32 %o0, 1, 0, %q;\nnot.pred %p, %p;\nselp.u32 %o1, 1, 0, %p;")


# ---- floating point ----

def float_values(fmt, rng, n=LANES):
    """Zeros, subnormals, halfway neighbours, extremes, infinities, NaN; then random ones."""
    sign = 1 << (fmt.bits - 1)
    one = fmt.bias << fmt.mantissa
    values = [0, sign, 1, sign | 1, mask(fmt.mantissa), sign | mask(fmt.mantissa),
              1 << fmt.mantissa, sign | 1 << fmt.mantissa, one, sign | one, one + 1, one - 1,
              fmt.maximum, sign | fmt.maximum, fmt.infinity, sign | fmt.infinity,
              fmt.infinity | 1 << (fmt.mantissa - 1), one + (1 << (fmt.mantissa - 1)),
              (1 << fmt.mantissa) + 1, sign | (one + 3)]
    while len(values) < n:
        exponent = rng.choice([rng.randrange(1, fmt.exponent_mask),
                               fmt.bias + rng.randrange(-fmt.mantissa, fmt.mantissa)])
        exponent = min(max(exponent, 0), fmt.exponent_mask - 1)
        mantissa = rng.choice([rng.getrandbits(fmt.mantissa), rng.getrandbits(3)])
        values.append(rng.getrandbits(1) << (fmt.bits - 1) | exponent << fmt.mantissa | mantissa)
    return values


def float_columns(fmt, count, seed, n=LANES):
    rng = random.Random(seed)
    columns = [float_values(fmt, rng, n) for _ in range(count)]
    for column in columns[1:]:
        head, tail = column[:20], column[20:]
        rng.shuffle(head)
        column[:] = head + tail
    if count > 1:  # near-cancellation: the same magnitude with the other sign
        for k in range(40, 46):
            columns[-1][k] = columns[0][k] ^ 1 << (fmt.bits - 1)
    return columns


def evaluate(fmt, function, row, rounding="rn", ftz=False, sat=False, clamp_negative=False):
    if ftz:
        row = [x.flush(v, fmt) for v in row]
    value = function(*[fmt.decode(v) for v in row], rounding)
    if sat:
        value = x.saturate(value)
    if clamp_negative:
        value = x.relu(value)
    result = fmt.encode(value, rounding)
    return x.flush(result, fmt) if ftz else result


def nan_or(fmt, result):
    """Double precision leaves a NaN's payload open: any will do."""
    return "*" if fmt is F64 and fmt.decode(result)[0] == "nan" else result


def floating(form, cite, fmt, function, count, target="sm_90", version="8.5", **mode):
    columns = float_columns(fmt, count, form)
    values = [nan_or(fmt, evaluate(fmt, function, row, **mode)) for row in zip(*columns)]
    sources = ", ".join(f"%i{n}" for n in range(count))
    emit(form, cite, [(fmt.bits, c) for c in columns], [(fmt.bits, values)],
         f"{form} %o0, {sources};", target, version)


def subtract(a, b, rounding="rn"):
    return x.add(a, x.negate(b), rounding)


def reciprocal(a, rounding="rn"):
    return x.div(x.number(1), a)


def arithmetic():
    operations = [("add", "9.7.3.3", x.add, 2), ("sub", "9.7.3.4", subtract, 2),
                  ("mul", "9.7.3.5", x.mul, 2), ("fma", "9.7.3.6", x.fma, 3)]
    for op, cite, function, count in operations:
        for rounding in ("rn", "rz", "rm", "rp"):
            floating(f"{op}.{rounding}.f64", cite, F64, function, count, rounding=rounding)
            for ftz in ("", ".ftz"):
                for sat in ("", ".sat"):
                    floating(f"{op}.{rounding}{ftz}{sat}.f32", cite, F32, function, count,
                             rounding=rounding, ftz=bool(ftz), sat=bool(sat))
    for op, cite, function, count in [("div", "9.7.3.8", x.div, 2), ("rcp", "9.7.3.13", reciprocal, 1),
                                      ("sqrt", "9.7.3.15", x.sqrt, 1)]:
        for rounding in ("rn", "rz", "rm", "rp"):
            floating(f"{op}.{rounding}.f64", cite, F64, function, count, rounding=rounding)
            for ftz in ("", ".ftz"):
                floating(f"{op}.{rounding}{ftz}.f32", cite, F32, function, count,
                         rounding=rounding, ftz=bool(ftz))
    for t, fmt in [("f16", F16), ("bf16", BF16)]:
        for op, number_, function, count in [("add", 1, x.add, 2), ("sub", 2, subtract, 2),
                                             ("mul", 3, x.mul, 2), ("fma", 4, x.fma, 3)]:
            floating(f"{op}.rn.{t}", f"9.7.4.{number_}", fmt, function, count)
            if t == "f16":
                floating(f"{op}.rn.ftz.{t}", f"9.7.4.{number_}", fmt, function, count, ftz=True)
                floating(f"{op}.rn.sat.{t}", f"9.7.4.{number_}", fmt, function, count, sat=True)
            paired(f"{op}.rn.{t}x2", f"9.7.4.{number_}", fmt, function, count)
        floating(f"fma.rn.relu.{t}", "9.7.4.4", fmt, x.fma, 3, clamp_negative=True)


def paired(form, cite, fmt, function, count):
    low = float_columns(fmt, count, form + "low")
    high = [c[::-1] for c in float_columns(fmt, count, form + "high")]
    values = [evaluate(fmt, function, [row[n] for n in range(count)])
              | evaluate(fmt, function, [row[n] for n in range(count, 2 * count)]) << 16
              for row in zip(*low, *high)]
    columns = [[h << 16 | l for l, h in zip(*pair)] for pair in zip(low, high)]
    sources = ", ".join(f"%i{n}" for n in range(count))
    emit(form, cite, [(32, c) for c in columns], [(32, values)], f"{form} %o0, {sources};")


def mixed():
    for t, fmt in [("f16", F16), ("bf16", BF16)]:
        for rounding in ("rn", "rm"):
            a, b = float_columns(fmt, 2, t)
            c = float_columns(F32, 1, t)[0]
            for op, function in [("add", x.add), ("sub", subtract)]:
                values = [F32.encode(function(fmt.decode(p), F32.decode(q), rounding), rounding)
                          for p, q in zip(a, c)]
                emit(f"{op}.{rounding}.f32.{t}", "9.7.5", [(16, a), (32, c)], [(32, values)],
                     f"{op}.{rounding}.f32.{t} %o0, %i0, %i1;", "sm_100", "8.6")
            values = [F32.encode(x.fma(fmt.decode(p), fmt.decode(q), F32.decode(r), rounding), rounding)
                      for p, q, r in zip(a, b, c)]
            emit(f"fma.{rounding}.f32.{t}", "9.7.5", [(16, a), (16, b), (32, c)], [(32, values)],
                 f"fma.{rounding}.f32.{t} %o0, %i0, %i1, %i2;", "sm_100", "8.6")


def extrema():
    for t, fmt in [("f32", F32), ("f64", F64), ("f16", F16), ("bf16", BF16)]:
        section = "9.7.4" if fmt.bits == 16 else "9.7.3"
        for op in ("min", "max"):
            largest = op == "max"
            floating(f"{op}.{t}", section, fmt,
                     lambda a, b, _: x.extremum(a, b, largest, False), 2)
            if fmt is F64:
                continue
            floating(f"{op}.NaN.{t}", section, fmt,
                     lambda a, b, _: x.extremum(a, b, largest, True), 2)
            def xorsign(a, b, _):
                absolute = [v if v[0] == "nan" else (v[0], 0) + v[2:] for v in (a, b)]
                return x.extremum(*absolute, largest, False)
            columns = float_columns(fmt, 2, "xorsign" + t)
            values = []
            for p, q in zip(*columns):
                result = fmt.encode(xorsign(fmt.decode(p), fmt.decode(q), None))
                if fmt.decode(result)[0] != "nan":
                    result |= (p ^ q) & 1 << (fmt.bits - 1)
                values.append(result)
            emit(f"{op}.xorsign.abs.{t}", section, [(fmt.bits, c) for c in columns],
                 [(fmt.bits, values)], f"{op}.xorsign.abs.{t} %o0, %i0, %i1;")
            if fmt is F32:
                floating(f"{op}.ftz.{t}", section, fmt,
                         lambda a, b, _: x.extremum(a, b, largest, False), 2, ftz=True)
                three_operands(op, largest)
        columns = float_columns(fmt, 1, "sign" + t)
        sign = 1 << (fmt.bits - 1)
        clean = [[v for v in columns[0] if fmt.decode(v)[0] != "nan"]]
        direct(f"neg.{t}", section, [fmt.bits], clean, fmt.bits, lambda a: a ^ sign)
        direct(f"abs.{t}", section, [fmt.bits], clean, fmt.bits, lambda a: a & ~sign)
        if fmt.bits > 16:
            columns = float_columns(fmt, 2, "copysign" + t)
            direct(f"copysign.{t}", "9.7.3.2", [fmt.bits] * 2, columns, fmt.bits,
                   lambda a, b: a & sign | b & ~sign)
            tests(t, fmt, columns[0])
    clean = [[v for v in float_columns(F32, 1, "ftz")[0] if F32.decode(v)[0] != "nan"]]
    direct("neg.ftz.f32", "9.7.3.10", [32], clean, 32, lambda a: x.flush(a, F32) ^ 1 << 31)
    direct("abs.ftz.f32", "9.7.3.9", [32], clean, 32, lambda a: x.flush(a, F32) & mask(31))


def three_operands(op, largest):
    columns = float_columns(F32, 3, op + "3")
    def nested(a, b, c):
        a, b, c = (F32.decode(v & mask(31)) for v in (a, b, c))
        return F32.encode(x.extremum(x.extremum(a, b, largest, False), c, largest, False))
    emit(f"{op}.abs.f32", "9.7.3.11", [(32, c) for c in columns],
         [(32, [nested(*row) for row in zip(*columns)])], f"{op}.abs.f32 %o0, %i0, %i1, %i2;",
         "sm_100", "8.8")


def tests(t, fmt, column):
    least = Fraction(2) ** (1 - fmt.bias)
    def small(v):
        return v[0] == "num" and 0 < v[2] < least
    properties = {
        "finite": lambda v: v[0] == "num", "infinite": lambda v: v[0] == "inf",
        "number": lambda v: v[0] != "nan", "notanumber": lambda v: v[0] == "nan",
        "normal": lambda v: v[0] == "num" and v[2] >= least, "subnormal": small}
    for name, holds in properties.items():
        emit(f"testp.{name}.{t}", "9.7.3.1", [(fmt.bits, column)],
             [(32, [int(holds(fmt.decode(v))) for v in column])],
             f"testp.{name}.{t} %p, %i0;\nselp.u32 %o0, 1, 0, %p;")


# ---- comparison ----

ORDER = {"eq": lambda o: o == 0, "ne": lambda o: o != 0, "lt": lambda o: o < 0,
         "le": lambda o: o <= 0, "gt": lambda o: o > 0, "ge": lambda o: o >= 0}
UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def holds(op, order):
    if op in ("num", "nan"):
        return (order is None) == (op == "nan")
    if op in UNSIGNED:
        op = UNSIGNED[op]
    if order is None:
        return op.endswith("u")
    return ORDER[op.rstrip("u") if op.endswith("u") else op](order)


def setp_file(op, t, bits, columns, orders, cite):
    truth = [int(holds(op, o)) for o in orders]
    odd = [n & 1 for n in range(len(truth))]
    flags = (bits, columns[0]), (bits, columns[1]), (32, odd)
    complement = bits > 16 or t[0] in "us"  # setp of f16 and bf16 has no second predicate
    both = "%p|%q" if complement else "%p"
    body = (f"setp.{op}.{t} {both}, %i0, %i1;\nselp.u32 %o0, 1, 0, %p;\n"
            f"setp.ne.u32 %r, %i2, 0;\nsetp.{op}.xor.{t} {both}, %i0, %i1, !%r;\n"
            "selp.u32 %o1, 1, 0, %p;\n")
    outputs = [truth, [v ^ 1 - c for v, c in zip(truth, odd)]]
    if complement:
        body += f"selp.u32 %o2, 1, 0, %q;\nsetp.{op}.{t} %p|%q, %i0, %i1;\nselp.u32 %o3, 1, 0, %q;"
        outputs += [[1 - v ^ 1 - c for v, c in zip(truth, odd)], [1 - v for v in truth]]
    emit(f"setp.{op}.{t}", cite, list(flags), [(32, o) for o in outputs], body)


def comparisons():
    for t in ["u16", "u32", "u64", "s16", "s32", "s64"]:
        b = width(t)
        columns = operands([b, b], random.Random("setp" + t))
        columns[1][20:30] = columns[0][20:30]
        orders = [(typed(p, t) > typed(q, t)) - (typed(p, t) < typed(q, t))
                  for p, q in zip(*columns)]
        for op in list(ORDER) + (list(UNSIGNED) if t[0] == "u" else []):
            setp_file(op, t, b, columns, orders, "9.7.6.2")
        set_values = [mask(32) if o < 0 else 0 for o in orders]
        emit(f"set.lt.u32.{t}", "9.7.6.1", [(b, c) for c in columns], [(32, set_values)],
             f"set.lt.u32.{t} %o0, %i0, %i1;")
        emit(f"set.ge.f32.{t}", "9.7.6.1", [(b, c) for c in columns],
             [(32, [0x3F800000 if o >= 0 else 0 for o in orders])],
             f"set.ge.f32.{t} %o0, %i0, %i1;")
    for t, fmt in [("f32", F32), ("f64", F64), ("f16", F16), ("bf16", BF16)]:
        columns = float_columns(fmt, 2, "setp" + t)
        columns[1][20:30] = columns[0][20:30]
        columns[1][2], columns[0][2] = columns[0][0], columns[0][1]
        orders = [x.compare(fmt.decode(p), fmt.decode(q)) for p, q in zip(*columns)]
        cite = "9.7.7.2" if fmt.bits == 16 else "9.7.6.2"
        for op in list(ORDER) + ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]:
            setp_file(op, t, fmt.bits, columns, orders, cite)
        emit(f"set.ltu.u32.{t}", "9.7.6.1", [(fmt.bits, c) for c in columns],
             [(32, [mask(32) if holds("ltu", o) else 0 for o in orders])],
             f"set.ltu.u32.{t} %o0, %i0, %i1;")
    columns = float_columns(F32, 2, "slct")
    control = float_columns(F32, 1, "control")[0]
    direct("slct.b32.f32", "9.7.6.4", [32] * 3, columns + [control], 32,
           lambda a, b, c: a if (x.compare(F32.decode(c), x.number(0)) or 0) >= 0
           and F32.decode(c)[0] != "nan" else b)
    direct("slct.b64.s32", "9.7.6.4", [64, 64, 32],
           operands([64, 64], random.Random("slct")) + [control], 64,
           lambda a, b, c: a if as_signed(c, 32) >= 0 else b)


def packed_halves():
    """The two-in-a-register forms of comparison, extrema and sign."""
    for t, fmt in [("f16", F16), ("bf16", BF16)]:
        low, high = float_columns(fmt, 2, t + "low"), float_columns(fmt, 2, t + "high")[::-1]
        columns = [[h << 16 | l for l, h in zip(*pair)] for pair in zip(low, high)]
        inputs = [(32, c) for c in columns]
        parts = list(zip(zip(*low), zip(*high)))
        for op in ("lt", "neu"):
            truth = [[int(holds(op, x.compare(fmt.decode(p), fmt.decode(q)))) for p, q in half]
                     for half in (zip(*low), zip(*high))]
            emit(f"setp.{op}.{t}x2", "9.7.7.2", inputs, [(32, truth[0]), (32, truth[1])],
                 f"setp.{op}.{t}x2 %p|%q, %i0, %i1;\nselp.u32 %o0, 1, 0, %p;\n"
                 "selp.u32 %o1, 1, 0, %q;")
            one = fmt.bias << fmt.mantissa
            emit(f"set.{op}.{t}x2.{t}x2", "9.7.7.1", inputs,
                 [(32, [l * one | h * one << 16 for l, h in zip(*truth)])],
                 f"set.{op}.{t}x2.{t}x2 %o0, %i0, %i1;")
            emit(f"set.{op}.u32.{t}x2", "9.7.7.1", inputs,
                 [(32, [l * 0xFFFF | h * 0xFFFF0000 for l, h in zip(*truth)])],
                 f"set.{op}.u32.{t}x2 %o0, %i0, %i1;")
        for op in ("min", "max"):
            def best(a, b):
                return fmt.encode(x.extremum(fmt.decode(a), fmt.decode(b), op == "max", False))
            emit(f"{op}.{t}x2", "9.7.4.7", inputs,
                 [(32, [best(*l) | best(*h) << 16 for l, h in parts])], f"{op}.{t}x2 %o0, %i0, %i1;")


# ---- conversion ----

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
                values = [nan_or(fmt, fmt.encode(source.decode(a))) for a in column]
                emit(f"cvt.{d}.{s}", "9.7.9.21", [(source.bits, column)], [(fmt.bits, values)],
                     f"cvt.{d}.{s} %o0, %i0;")
            else:
                for rounding in ("rn", "rz", "rm", "rp"):
                    direct(f"cvt.{rounding}.{d}.{s}", "9.7.9.21", [source.bits], [column], fmt.bits,
                           lambda a: fmt.encode(source.decode(a), rounding))
    column = float_columns(F32, 1, "cvt.sat")[0]
    direct("cvt.sat.f32.f32", "9.7.9.21", [32], [column], 32,
           lambda a: F32.encode(x.saturate(F32.decode(a))))
    direct("cvt.ftz.sat.f32.f32", "9.7.9.21", [32], [column], 32,
           lambda a: F32.encode(x.saturate(F32.decode(x.flush(a, F32)))))
    direct("cvt.rzi.ftz.s32.f32", "9.7.9.21", [32], [whole_neighbours(F32)], 32,
           lambda a: to_integer(F32.decode(x.flush(a, F32)), "rzi", "s32", 32))
    double = float_columns(F64, 1, "cvt.ftz")[0]
    direct("cvt.rn.ftz.f32.f64", "9.7.9.21", [64], [double], 32,
           lambda a: x.flush(F32.encode(F64.decode(a)), F32))
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


# ---- video ----

def elements(word, count, t):
    b = 32 // count
    return [as_signed(word >> (b * n) & mask(b), b) if t == "s32" else word >> (b * n) & mask(b)
            for n in range(count)]


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
                       lambda a, b: clamp(value(a, b), d))
                direct(f"{op}.{types}.sat.add", "9.7.17.1", [32] * 3, columns, 32,
                       lambda a, b, c: clamp(value(a, b), d) + c)
                direct(f"{op}.{types}.min", "9.7.17.1", [32] * 3, columns, 32,
                       lambda a, b, c: min(typed(value(a, b) & mask(32), d), typed(c, d)))
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
                   lambda a, n: clamp(typed(a, d) << amount(n), d))
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


# ---- approximations ----

def single(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def decimal(v):
    return "nan" if v != v else "inf" if v == math.inf else "-inf" if v == -math.inf else repr(v)


def approximate(form, cite, function, inputs, tolerance, ftz=False):
    """function: of doubles; tolerance(exact result): the manual's bound as an absolute error. Files
    give it in units of the result's last place, rounded up, a
    million at most: an absolute bound says nothing of results near zero."""
    values = []
    for row in zip(*inputs):
        arguments = [single(x.flush(v, F32) if ftz else v) for v in row]
        result = function(*arguments)
        if result == 0 or result != result or abs(result) > 2.0 ** 128 * (1 + 2.0 ** -20):
            values.append(decimal(result if result == 0 or result != result else math.copysign(math.inf, result)))
        elif abs(result) > 2.0 ** 128 * (1 - 2.0 ** -20):
            values.append("*")  # rounding decides whether it overflows
        elif ftz and abs(result) < 2.0 ** -126:
            values.append("*" if abs(result) > 2.0 ** -126 * (1 - 2.0 ** -20) else
                          decimal(math.copysign(0.0, result)))
        else:
            ulp = 2.0 ** max(math.frexp(result)[1] - 24, -149)
            values.append(f"{decimal(result)}~{min(math.ceil(tolerance(result) / ulp), 10**6)}ulp")
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
        approximate(f"sin.approx{dot}.f32", "9.7.3.18", guarded(math.sin), [tame],
                    lambda r: 2.0 ** -20.5, ftz=ftz)
        approximate(f"cos.approx{dot}.f32", "9.7.3.19", guarded(math.cos), [tame],
                    lambda r: 2.0 ** -20.5, ftz=ftz)
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


def main():
    for old in os.listdir(HERE):
        if old.endswith(".ptx"):
            os.remove(os.path.join(HERE, old))
    integers()
    bits()
    extended()
    logic()
    arithmetic()
    mixed()
    extrema()
    comparisons()
    packed_halves()
    conversions()
    video()
    approximations()
    print(len(written), "files")


main()
