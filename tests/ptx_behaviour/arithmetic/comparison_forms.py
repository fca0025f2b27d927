"""9.7.6 and 9.7.7: comparison and selection."""
import random

import exact as x
from common import *
from exact import BF16, F16, F32, F64


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
