"""9.7.3 to 9.7.5: floating point whose results are exact."""
from fractions import Fraction

import exact as x
from common import *
from exact import BF16, F16, F32, F64


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
        "normal": lambda v: v[0] == "num" and not small(v), "subnormal": small}
    for name, holds in properties.items():
        emit(f"testp.{name}.{t}", "9.7.3.1", [(fmt.bits, column)],
             [(32, [int(holds(fmt.decode(v))) for v in column])],
             f"testp.{name}.{t} %p, %i0;\nselp.u32 %o0, 1, 0, %p;")
