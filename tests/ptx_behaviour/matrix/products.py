"""mma and mma.sp: every shape and type, on numbers whose sums are exact."""
import random

from common import product, registers, write_mma
from formats import WIDTH, matrix, some
from places import FRAGMENTS, c_of_16_rows, group, thread


def dense(shape, d, a, b, bits=None):
    fragments = FRAGMENTS[shape, WIDTH[a]]
    factor_a = matrix(a, fragments.m, fragments.k)
    factor_b = matrix(b, fragments.k, fragments.n)
    addend = matrix(d, fragments.m, fragments.n)
    combine = {None: lambda x, y: x * y, "and": lambda x, y: x & y, "xor": lambda x, y: x ^ y}[bits]
    result = product(factor_a, factor_b, addend, combine)
    instruction = f"mma.sync.aligned.{shape}.row.col.{d}.{a}.{b}.{d}"
    name = f"mma_{shape}_{d}_{a}_{b}"
    if bits:
        instruction, name = f"{instruction}.{bits}.popc", f"{name}_{bits}"
    write_mma(name, instruction,
              [registers(a, factor_a, fragments.a, fragments.count_a),
               registers(b, factor_b, fragments.b, fragments.count_b),
               registers(d, addend, fragments.c, fragments.count_c)],
              registers(d, result, fragments.c, fragments.count_c), wide=a == "f64")


def all_dense():
    for shape in ("m16n8k8", "m16n8k16"):
        for d, a in (("f32", "f16"), ("f16", "f16"), ("f32", "bf16")):
            dense(shape, d, a, a)
    for shape in ("m16n8k4", "m16n8k8"):
        dense(shape, "f32", "tf32", "tf32")
    for shape in ("m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"):
        dense(shape, "f64", "f64", "f64")
    for shape in ("m8n8k16", "m16n8k16", "m16n8k32"):
        for a in ("s8", "u8"):
            dense(shape, "s32", a, "s8")
    dense("m16n8k32", "s32", "u8", "u8")
    for shape in ("m8n8k32", "m16n8k32", "m16n8k64"):
        for a in ("s4", "u4"):
            dense(shape, "s32", a, "s4")
    for shape in ("m8n8k128", "m16n8k128", "m16n8k256"):
        for bits in ("and", "xor"):
            dense(shape, "s32", "b1", "b1", bits)
    for a in ("e4m3", "e5m2"):
        for b in ("e4m3", "e5m2"):
            dense("m16n8k32", "f32", a, b)
    dense("m16n8k16", "f16", "e4m3", "e5m2")


def overflow():
    """Sums beyond both limits: clamped with .satfinite, else modulo 2^32."""
    fragments = FRAGMENTS["m16n8k32", 8]
    a = [[127] * 32 for _ in range(16)]
    b = [[127 if j % 2 else -128 for j in range(8)] for _ in range(32)]
    c = [[2**31 - 1 if j % 2 else -(2**31) for j in range(8)] for _ in range(16)]
    wrapped = [[x & 2**32 - 1 for x in row] for row in product(a, b, c)]
    for name, word, d in (("mma_satfinite_s8", ".satfinite", c), ("mma_wraps_s8", "", wrapped)):
        write_mma(name, f"mma.sync.aligned.m16n8k32.row.col{word}.s32.s8.s8.s32",
                  [registers("s8", a, fragments.a, 16), registers("s8", b, fragments.b, 8),
                   registers("s32", c, fragments.c, 4)], registers("s32", d, fragments.c, 4),
                  why="sums pass both limits")


def quad_pairs(layout_a, layout_b, d, c):
    """m8n8k4 of f16: a product for each of four sets of eight lanes."""
    products = [(matrix("f16", 8, 4), matrix("f16", 4, 8), matrix(c, 8, 8)) for _ in range(4)]

    def upper(lane):
        return 4 if lane >= 16 else 0

    def place_a(lane, i):
        return ((lane % 4 + upper(lane), i) if layout_a == "row" else
                (i % 4 + upper(lane), lane % 4))

    def place_b(lane, i):
        return (lane % 4, i + upper(lane)) if layout_b == "row" else (i, lane % 4 + upper(lane))

    def place_c(element):
        if element == "f16":
            return lambda lane, i: (lane % 4 + upper(lane), i)
        return lambda lane, i: ((lane & 1) + (i & 2) + upper(lane), (i & 4) + (lane & 2) + (i & 1))

    def of_quad_pairs(element, matrices, place, count):
        each = [registers(element, m, place, count) for m in matrices]
        return [[each[lane % 16 // 4][r][lane] for lane in range(32)] for r in range(len(each[0]))]

    results = [product(a, b, c) for a, b, c in products]
    write_mma(f"mma_m8n8k4_{layout_a}_{layout_b}_{d}_{c}",
              f"mma.sync.aligned.m8n8k4.{layout_a}.{layout_b}.{d}.f16.f16.{c}",
              [of_quad_pairs("f16", [p[0] for p in products], place_a, 4),
               of_quad_pairs("f16", [p[1] for p in products], place_b, 4),
               of_quad_pairs(c, [p[2] for p in products], place_c(c), 8)],
              of_quad_pairs(d, results, place_c(d), 8))


def all_quad_pairs():
    for layout_a in ("row", "col"):
        for layout_b in ("row", "col"):
            quad_pairs(layout_a, layout_b, "f32", "f32")
    quad_pairs("row", "col", "f16", "f16")
    quad_pairs("row", "col", "f32", "f16")


def more_quad_pairs():
    for layout_a in ("row", "col"):
        for layout_b in ("row", "col"):
            if (layout_a, layout_b) != ("row", "col"):
                quad_pairs(layout_a, layout_b, "f16", "f16")
                quad_pairs(layout_a, layout_b, "f32", "f16")


def sparse_row(element, k):
    """A row with zeros, what is stored of it, and four bits of metadata for each group."""
    dense_row, stored, metadata = [0] * k, [], []
    if element == "tf32":  # one of two
        for first in range(0, k, 2):
            kept = random.randint(0, 1)
            stored.append(some(element))
            dense_row[first + kept] = stored[-1]
            metadata.append(0b1110 if kept else 0b0100)
        return dense_row, stored, metadata
    size = 2 if WIDTH[element] == 4 else 1  # of s4 and u4 two pairs of four, else two of four
    for first in range(0, k, 4 * size):
        kept = sorted(random.sample(range(4), 2))
        for part in kept:
            for n in range(size):
                stored.append(some(element))
                dense_row[first + part * size + n] = stored[-1]
        metadata.append(kept[0] | kept[1] << 2)
    return dense_row, stored, metadata


def metadata_words(element, metadata, selector):
    words = [random.getrandbits(32) for _ in range(32)]
    for row in range(8):
        if WIDTH[element] >= 16:  # four groups of a row in a half; the row eight below in the other
            each = len(metadata[0]) // 4
            for n in range(each):
                low, high = (sum(metadata[r][4 * n + g] << (4 * g) for g in range(4))
                             for r in (row, row + 8))
                words[4 * row + selector * each + n] = low | high << 16
        else:
            for n in range(len(metadata[0]) // 8):
                for lower in (0, 1):
                    words[4 * row + 2 * (selector + n) + lower] = sum(
                        metadata[row + 8 * lower][8 * n + g] << (4 * g) for g in range(8))
    return words


def sparse(shape, a, b, d, selector):
    k = int(shape.split("k")[1])
    each = 32 // WIDTH[a]
    rows = [sparse_row(a, k) for _ in range(16)]
    factor_b, addend = matrix(b, k, 8), matrix(d, 16, 8)
    result = product([row[0] for row in rows], factor_b, addend)

    def place_a(lane, i):
        register = i // each
        return (group(lane) + 8 * (register % 2),
                (register // 2) * 4 * each + thread(lane) * each + i % each)

    def place_b(lane, i):
        return i // each * 4 * each + thread(lane) * each + i % each, group(lane)

    variant = "sp::ordered_metadata" if selector % 2 == 0 else "sp"
    write_mma(f"mma_sp_{shape}_{a}_{b}_{selector}",
              f"mma.{variant}.sync.aligned.{shape}.row.col.{d}.{a}.{b}.{d}",
              [registers(a, [row[1] for row in rows], place_a, k // 4),
               registers(b, factor_b, place_b, k // 4), registers(d, addend, c_of_16_rows, 4),
               [metadata_words(a, [row[2] for row in rows], selector)]],
              registers(d, result, c_of_16_rows, 4), selector=selector, section="9.7.14.5")


def all_sparse():
    for selector in range(4):
        sparse("m16n8k16", "f16", "f16", "f32", selector)
    for selector in range(2):
        sparse("m16n8k32", "f16", "f16", "f16", selector)
        sparse("m16n8k16", "tf32", "tf32", "f32", selector)
        sparse("m16n8k32", "s8", "u8", "s32", selector)
        sparse("m16n8k64", "s4", "u4", "s32", selector)
    sparse("m16n8k32", "bf16", "bf16", "f32", 1)
    for selector in (0, 3):
        sparse("m16n8k8", "tf32", "tf32", "f32", selector)
    sparse("m16n8k64", "u8", "s8", "s32", 0)
    sparse("m16n8k64", "e4m3", "e5m2", "f32", 0)
    sparse("m16n8k128", "u4", "s4", "s32", 0)
