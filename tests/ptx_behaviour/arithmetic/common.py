"""Writing a test file, and the operand values that every form is tried on."""
import os
import random

import exact as x
from exact import F64

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


def direct(form, cite, widths, columns, out, function, body=None):
    values = [function(*row) & mask(out) for row in zip(*columns)]
    sources = ", ".join(f"%i{n}" for n in range(len(widths)))
    emit(form, cite, list(zip(widths, columns)), [(out, values)],
         body or f"{form} %o0, {sources};")


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
