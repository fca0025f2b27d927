"""neg, abs and cvt.sat beside the instructions that take them as bits of their operands (GPUs' machine
code): what PTX says of both, one after the other."""
import exact as x
from common import *
from exact import F32, F64


def magnitude(v):
    return v if v[0] == "nan" else (v[0], 0) + v[2:]


def arithmetic_cases():
    """(PTX, value): %s are temporaries, %o is the result."""
    def negated(a):
        return x.negate(a)
    return [
        ("neg %s0, %i0; abs %s1, %i1; add.rn %o, %s0, %s1;",
         lambda a, b, c, r: x.add(negated(a), magnitude(b), r)),
        ("abs %s0, %i0; neg %s1, %i1; sub.rn %o, %s0, %s1;",
         lambda a, b, c, r: x.add(magnitude(a), b, r)),
        ("abs %s0, %i0; neg %s1, %s0; mul.rn %o, %s1, %i1;",
         lambda a, b, c, r: x.mul(negated(magnitude(a)), b, r)),
        ("neg %s0, %i0; abs %s1, %s0; mul.rn %o, %i1, %s1;",
         lambda a, b, c, r: x.mul(b, magnitude(a), r)),
        ("neg %s0, %i0; neg %s1, %s0; abs %s2, %i2; fma.rn %o, %s1, %i1, %s2;",
         lambda a, b, c, r: x.fma(a, b, magnitude(c), r)),
        ("neg %s0, %i0; fma.rn %o, %s0, %i1, %s0;",
         lambda a, b, c, r: x.fma(negated(a), b, negated(a), r))]


def only_single_cases():
    return [
        ("abs %s0, %i0; neg %s1, %i1; min %o, %s0, %s1;",
         lambda a, b, c, r: x.extremum(magnitude(a), x.negate(b), False, False)),
        ("neg %s0, %i0; abs %s1, %i1; max %o, %s0, %s1;",
         lambda a, b, c, r: x.extremum(x.negate(a), magnitude(b), True, False))]


def with_types(text, t):
    """Opcodes get their type; %o and %s numbers of the case stay."""
    words = text.split(" ")
    opcodes = {"neg", "abs", "add.rn", "sub.rn", "mul.rn", "fma.rn", "min", "max"}
    return " ".join(f"{w}.{t}" if w in opcodes else w for w in words)


def signs():
    for t, fmt in (("f32", F32), ("f64", F64)):
        columns = float_columns(fmt, 3, "signs" + t)
        rows = [row for row in zip(*columns)
                if fmt is F32 or all(fmt.decode(v)[0] != "nan" for v in row)]
        columns = list(zip(*rows))
        cases = arithmetic_cases() + (only_single_cases() if fmt is F32 else [])
        outputs, body = [], [f".reg .{t} %s<{3 * (len(cases) + 3)}>;"]

        def add_case(text, values, bits=fmt.bits):
            number = len(outputs)
            text = text.replace("%o", f"%o{number}")
            for n in range(3):
                text = text.replace(f"%s{n}", f"%temporary{3 * number + n}")
            body.append(text.replace("%temporary", "%s"))
            outputs.append((bits, values))
        for text, value in cases:
            add_case(with_types(text, t), [nan_or(fmt, evaluate(fmt, value, row)) for row in rows])
        less = [int(x.compare(magnitude(fmt.decode(a)), x.negate(fmt.decode(b))) == -1)
                for a, b, _ in rows]
        add_case(f"abs.{t} %s0, %i0; neg.{t} %s1, %i1; setp.lt.{t} %p, %s0, %s1; "
                 "selp.u32 %o, 1, 0, %p;", less, 32)
        if fmt is F32:
            add_case("neg.f32 %s0, %i2; fma.rn.f32 %s1, %i0, %i1, %s0; cvt.sat.f32.f32 %o, %s1;",
                     [evaluate(fmt, lambda a, b, c, r: x.fma(a, b, x.negate(c), r), row, sat=True)
                      for row in rows])
            add_case("neg.ftz.f32 %s0, %i0; add.rn.ftz.f32 %o, %s0, %i1;",
                     [evaluate(fmt, lambda a, b, c, r: x.add(x.negate(a), b, r), row, ftz=True)
                      for row in rows])
        emit(f"operand_signs_{t}", "9.7.3", [(fmt.bits, list(c)) for c in columns], outputs,
             "\n".join(body))
