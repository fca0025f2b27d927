"""9.7.8: logic, shifts, byte permutation."""
import random

from common import *


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
