"""wmma through memory, by shape, type, layout, stride and state space; ldmatrix, stmatrix and
movmatrix, where every element is its own number."""
import re

from common import listed, product, save, vector
from formats import WIDTH, encode, matrix

# Registers of A and B.
FACTORS = {
    "f16": {"m16n16k16": (8, 8), "m8n32k16": (8, 8), "m32n8k16": (8, 8)},
    "bf16": {"m16n16k16": (4, 4), "m8n32k16": (2, 8), "m32n8k16": (8, 2)},
    "s8": {"m16n16k16": (2, 2), "m8n32k16": (1, 4), "m32n8k16": (4, 1)},
    "u8": {"m16n16k16": (2, 2), "m8n32k16": (1, 4), "m32n8k16": (4, 1)},
    "tf32": {"m16n16k8": (4, 4)}, "f64": {"m8n8k4": (1, 1)}, "s4": {"m8n8k32": (1, 1)},
    "u4": {"m8n8k32": (1, 1)}, "b1": {"m8n8k128": (1, 1)},
}


def accumulator_registers(element, shape):
    return 4 if element == "f16" else 2 if shape.startswith("m8n8") else 8


def in_memory(values, layout, element, stride):
    """32-bit words of a matrix whose rows (columns) are `stride` elements apart."""
    majors = values if layout == "row" else [list(column) for column in zip(*values)]
    bits = 0
    for n, major in enumerate(majors):
        for m, value in enumerate(major):
            bits |= encode(element, value) << ((n * stride + m) * WIDTH[element])
    count = len(majors) * stride * WIDTH[element] // 32
    return [bits >> (32 * n) & 0xFFFFFFFF for n in range(count)]


def without_padding(words, element, stride, minor, padding):
    """Words behind the end of a row are not written: they stay what they were."""
    return [padding if n * 32 // WIDTH[element] % stride >= minor else word
            for n, word in enumerate(words)]


START = """.version 8.5
.target sm_90
.address_size 64

.visible .entry test(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)
{
%s  .reg .pred %%again;
  .reg .b32 %%t, %%n, %%word, %%a<8>, %%b<8>, %%c<8>, %%d<8>;
  .reg .b64 %%p<4>, %%at, %%from, %%to, %%da<2>, %%db<2>, %%dc<2>, %%dd<2>;
  ld.param.u64 %%p0, [p0];
  ld.param.u64 %%p1, [p1];
  ld.param.u64 %%p2, [p2];
  ld.param.u64 %%p3, [p3];
"""


def copy_loop(n, words, offset, to_shared):
    load, store = (("ld.global.b32 %word, [%from]", f"st.shared.b32 [%to+{offset}], %word")
                   if to_shared else
                   (f"ld.shared.b32 %word, [%to+{offset}]", "st.global.b32 [%from], %word"))
    return f"""  mov.u32 %n, %t;
  add.u64 %from, %p{n}, %at;
  mov.u64 %to, tile;
  add.u64 %to, %to, %at;
copy{n}:
  setp.ge.u32 %again, %n, {words};
  @%again bra copied{n};
  {load};
  {store};
  add.u64 %from, %from, 128;
  add.u64 %to, %to, 128;
  add.u32 %n, %n, 32;
  bra copy{n};
copied{n}:
"""


def wmma(shape, ab, c, d, layouts, pad=0, space="global", bits=None, suffix="", stride=True):
    """`layouts`: of A, B, C and D; `pad`: 16-byte units between rows; `stride`: whether it is given."""
    m, n, k = map(int, re.match(r"m(\d+)n(\d+)k(\d+)", shape).groups())
    factor_a, factor_b, addend = matrix(ab, m, k), matrix(ab, k, n), matrix(c, m, n)
    combine = {None: lambda x, y: x * y, "and": lambda x, y: x & y, "xor": lambda x, y: x ^ y}[bits]
    result = product(factor_a, factor_b, addend, combine)
    elements = (ab, ab, c, d)
    minors = [len(values[0]) if layout == "row" else len(values)
              for values, layout in zip((factor_a, factor_b, addend, result), layouts)]
    strides = [minor + pad * 128 // WIDTH[e] for minor, e in zip(minors, elements)]
    words = [in_memory(values, layout, e, s) for values, layout, e, s in
             zip((factor_a, factor_b, addend, result), layouts, elements, strides)]
    # Nothing is written to shared memory before; the host's buffer is full of zeros.
    padding = "*" if space == "shared" else 0
    words[3] = without_padding(words[3], d, strides[3], minors[3], padding)
    text = "// launch: grid 1 block 32\n"
    text += "".join(f"// in u32: {listed(w)}\n" for w in words[:3])
    text += f"// out u32: {listed(words[3])}\n// cite: 9.7.14.3\n"
    bases = [f"%p{i}" for i in range(4)]
    if space == "shared":
        offsets, total = [], 0
        for w in words:
            offsets.append(total)
            total += (len(w) * 4 + 31) // 32 * 32
        text += START % f"  .shared .align 32 .b8 tile[{total}];\n"
        text += "  mov.u32 %t, %tid.x;\n  mul.wide.u32 %at, %t, 4;\n"
        text += "".join(copy_loop(i, len(words[i]), offsets[i], True) for i in range(3))
        text += "  bar.sync 0;\n"
        bases = [f"tile+{offset}" for offset in offsets]
    else:
        text += START % ""
    named = "" if space == "generic" else "." + space
    prefix = "d" if ab == "f64" else ""
    counts = FACTORS[ab][shape] + (accumulator_registers(c, shape), accumulator_registers(d, shape))
    names = [vector(f"%{prefix}{letter}{i}" for i in range(count))
             for letter, count in zip("abcd", counts)]
    given = [f", {s}" if stride else "" for s in strides]
    for i, letter in enumerate("abc"):
        text += (f"  wmma.load.{letter}.sync.aligned.{layouts[i]}.{shape}{named}.{elements[i]} "
                 f"{names[i]}, [{bases[i]}]{given[i]};\n")
    types = f"{d}.{c}" if ab == "f16" else f"{d}.{ab}.{ab}.{c}"
    operation = f".{bits}.popc" if bits else ""
    text += (f"  wmma.mma{operation}.sync.aligned.{layouts[0]}.{layouts[1]}.{shape}.{types} "
             f"{names[3]}, {names[0]}, {names[1]}, {names[2]};\n")
    text += (f"  wmma.store.d.sync.aligned.{layouts[3]}.{shape}{named}.{d} [{bases[3]}], {names[3]}"
             f"{given[3]};\n")
    if space == "shared":
        text += "  bar.sync 0;\n" + copy_loop(3, len(words[3]), offsets[3], False)
    save(f"wmma_{shape}_{d}_{ab}_{''.join(layouts)}_{space}{suffix}", text + "  ret;\n}\n")


def all_wmma():
    orders = [("row", "col"), ("row", "row"), ("col", "row"), ("col", "col")]
    n = 0
    for shape in ("m16n16k16", "m8n32k16", "m32n8k16"):
        for ab, sum_type in (("f16", "f32"), ("bf16", "f32"), ("s8", "s32"), ("u8", "s32")):
            order = orders[n % 4]
            n += 1
            layouts = order + ("row" if n % 2 else "col", "col" if n % 3 == 0 else "row")
            wmma(shape, ab, sum_type, sum_type, layouts, n % 2, ["global", "shared", "generic"][n % 3])
    for order in orders:
        wmma("m16n16k16", "f16", "f16", "f16", order + ("row", "col"), space="shared", suffix="_half")
        wmma("m16n16k16", "s8", "s32", "s32", order + ("col", "row"), pad=1)
        wmma("m16n16k8", "tf32", "f32", "f32", order + ("row", "row"), pad=1)
        wmma("m8n8k4", "f64", "f64", "f64", order + ("col", "row"))
    plain = ("row", "col", "row", "row")
    wmma("m16n16k16", "f16", "f32", "f16", plain, suffix="_mixed")
    wmma("m16n16k16", "f16", "f16", "f32", ("col", "row", "row", "col"), suffix="_mixed")
    wmma("m16n16k16", "f16", "f32", "f32", plain, suffix="_default_stride", stride=False)
    wmma("m32n8k16", "bf16", "f32", "f32", ("col", "row", "col", "col"), suffix="_default_stride",
         stride=False)
    for ab in ("s4", "u4"):
        wmma("m8n8k32", ab, "s32", "s32", ("row", "col", "row", "col"), pad=1)
    for bits in ("xor", "and"):
        wmma("m8n8k128", "b1", "s32", "s32", plain, bits=bits, suffix="_" + bits)


LDMATRIX = """.version 8.5
.target sm_90
.address_size 64

.visible .entry test(.param .u64 p0)
{
  .shared .align 16 .b8 rows[1536];
  .reg .b16 %h;
  .reg .b32 %t, %n, %row, %r<4>;
  .reg .b64 %p, %at;
  mov.u32 %t, %tid.x;
  mov.u32 %row, rows;
  mad.lo.u32 %row, %t, 48, %row;
  shl.b32 %n, %t, 3;
"""


SPACES = {"": "_generic", ".shared": "", ".shared::cta": "_shared_cta"}


def ldmatrix(count, transposed, space=".shared"):
    """Lane l writes row l, of elements 8 l to 8 l + 7, 48 l bytes into shared memory."""
    expected = []
    for n in range(count):
        for lane in range(32):
            major, minor = lane // 4, 2 * (lane % 4)
            pair = [(minor + i, major) if transposed else (major, minor + i) for i in (0, 1)]
            low, high = ((8 * n + row) * 8 + column for row, column in pair)
            expected.append(low | high << 16)
    text = f"// launch: grid 1 block 32\n// out u32: {listed(expected)}\n// cite: 9.7.14.4.15\n"
    text += LDMATRIX
    for column in range(8):
        text += f"  cvt.u16.u32 %h, %n;\n  st.shared.b16 [%row+{2 * column}], %h;\n"
        text += "  add.u32 %n, %n, 1;\n"
    text += "  bar.sync 0;\n"
    if not space:
        text += "  cvt.u64.u32 %at, %row;\n  cvta.shared.u64 %at, %at;\n"
    trans = ".trans" if transposed else ""
    text += (f"  ldmatrix.sync.aligned.m8n8.x{count}{trans}{space}.b16 "
             f"{vector(f'%r{i}' for i in range(count))}, [{'%row' if space else '%at'}];\n")
    text += "  ld.param.u64 %p, [p0];\n  mul.wide.u32 %at, %t, 4;\n  add.u64 %p, %p, %at;\n"
    for n in range(count):
        text += f"  st.global.b32 [%p+{128 * n}], %r{n};\n"
    save(f"ldmatrix_x{count}{'_trans' if transposed else ''}{SPACES[space]}",
         text + "  ret;\n}\n")


STMATRIX = """.version 8.5
.target sm_90
.address_size 64

.visible .entry test(.param .u64 p0)
{
  .shared .align 16 .b8 rows[1024];
  .reg .pred %last;
  .reg .b16 %h;
  .reg .b32 %t, %row, %low, %high, %r<4>;
  .reg .b64 %p, %at;
  mov.u32 %t, %tid.x;
  mov.u32 %row, rows;
  mad.lo.u32 %row, %t, 32, %row;
  shl.b32 %low, %t, 1;
  add.u32 %high, %low, 1;
"""


def stmatrix(count, transposed, space=".shared"):
    """Register n of lane l holds 64 n + 2 l and the next number."""
    rows = [[0] * 8 for _ in range(8 * count)]
    for n in range(count):
        for lane in range(32):
            for i in (0, 1):
                major, minor = lane // 4, 2 * (lane % 4) + i
                row, column = (minor, major) if transposed else (major, minor)
                rows[8 * n + row][column] = 64 * n + 2 * lane + i
    text = "// launch: grid 1 block 32\n"
    text += f"// out u16: {listed(x for row in rows for x in row)}\n// cite: 9.7.14.4.16\n" + STMATRIX
    for n in range(count):
        text += f"  shl.b32 %r{n}, %high, 16;\n  or.b32 %r{n}, %r{n}, %low;\n"
        text += "  add.u32 %low, %low, 64;\n  add.u32 %high, %high, 64;\n"
    trans = ".trans" if transposed else ""
    if not space:
        text += "  cvt.u64.u32 %at, %row;\n  cvta.shared.u64 %at, %at;\n"
    text += (f"  stmatrix.sync.aligned.m8n8.x{count}{trans}{space}.b16 [{'%row' if space else '%at'}], "
             f"{vector(f'%r{i}' for i in range(count))};\n  bar.sync 0;\n")
    text += "  ld.param.u64 %p, [p0];\n  mul.wide.u32 %at, %t, 16;\n  add.u64 %p, %p, %at;\n"
    text += f"  setp.ge.u32 %last, %t, {8 * count};\n  @%last exit;\n"
    for column in range(8):
        text += f"  ld.shared.b16 %h, [%row+{2 * column}];\n  st.global.b16 [%p+{2 * column}], %h;\n"
    save(f"stmatrix_x{count}{'_trans' if transposed else ''}{SPACES[space]}", text + "  ret;\n}\n")


def all_rows():
    for count in (1, 2, 4):
        for transposed in (False, True):
            ldmatrix(count, transposed)
            stmatrix(count, transposed)
    ldmatrix(4, True, space="")


def all_generic_rows():
    for count in (1, 2, 4):
        for transposed in (False, True):
            if (count, transposed) != (4, True):
                ldmatrix(count, transposed, space="")
            stmatrix(count, transposed, space="")
    ldmatrix(1, False, space=".shared::cta")
    stmatrix(1, False, space=".shared::cta")
