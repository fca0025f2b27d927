"""Floating point by exact rational arithmetic: the independent reference of the generated tests.

Values are ("nan",), ("inf", sign) or ("num", sign, Fraction magnitude); sign is 0 or 1. Nothing
here is floating point except where a number is printed.
"""
from fractions import Fraction
from math import isqrt


class Format:
    def __init__(self, name, mantissa, exponent_bits, nan, has_infinity=True):
        self.name, self.mantissa, self.nan = name, mantissa, nan
        self.bits = 1 + exponent_bits + mantissa
        self.bias = (1 << (exponent_bits - 1)) - 1
        self.exponent_mask = (1 << exponent_bits) - 1
        self.has_infinity = has_infinity
        top = self.exponent_mask if not has_infinity else self.exponent_mask - 1
        self.infinity = (self.exponent_mask << mantissa) if has_infinity else None
        self.maximum = (top << mantissa) + (1 << mantissa) - 1 - (0 if has_infinity else 1)

    def decode(self, bits):
        sign = bits >> (self.bits - 1)
        magnitude = bits & ((1 << (self.bits - 1)) - 1)
        if magnitude > self.maximum:
            return ("inf", sign) if magnitude == self.infinity else ("nan",)
        exponent, mantissa = magnitude >> self.mantissa, magnitude & ((1 << self.mantissa) - 1)
        if exponent == 0:
            exponent = 1
        else:
            mantissa |= 1 << self.mantissa
        return ("num", sign, Fraction(mantissa) * Fraction(2) ** (exponent - self.bias - self.mantissa))

    def encode(self, value, rounding="rn", finite=False):
        if value[0] == "nan":
            return self.nan
        sign_bit = value[1] << (self.bits - 1)
        if value[0] == "inf":
            return sign_bit | (self.maximum if finite else
                               self.infinity if self.has_infinity else self.nan)
        sign, magnitude = value[1], value[2]
        if magnitude == 0:
            return sign_bit
        # The exponent e with 2^e <= magnitude < 2^(e + 1), at least that of the least normal.
        e = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        if Fraction(2) ** e > magnitude:
            e -= 1
        e = max(e, 1 - self.bias)
        steps = magnitude / Fraction(2) ** (e - self.mantissa)
        whole = round_magnitude(steps, sign, rounding)
        encoded = ((e - 1 + self.bias) << self.mantissa) + whole
        if encoded > self.maximum:
            inward = rounding == "rz" or rounding == ("rp" if sign else "rm")
            if finite or inward:
                encoded = self.maximum
            else:
                encoded = self.infinity if self.has_infinity else self.nan
        return sign_bit | encoded


def round_magnitude(x, sign, rounding):
    """A positive rational to an integer, for a value of the given sign."""
    floor = x.numerator // x.denominator
    rest = x - floor
    if rest == 0:
        return floor
    if rounding == "rz":
        return floor
    if rounding == "rm":
        return floor + (1 if sign else 0)
    if rounding == "rp":
        return floor + (0 if sign else 1)
    half = Fraction(1, 2)
    if rounding == "rna":
        return floor + (rest >= half)
    return floor + (rest > half or (rest == half and floor % 2 == 1))


F16 = Format("f16", 10, 5, 0x7FFF)
BF16 = Format("bf16", 7, 8, 0x7FFF)
F32 = Format("f32", 23, 8, 0x7FFFFFFF)
F64 = Format("f64", 52, 11, 0xFFF8000000000000)
E4M3 = Format("e4m3", 3, 4, 0x7F, has_infinity=False)
E5M2 = Format("e5m2", 2, 5, 0x7F)


def negate(v):
    return v if v[0] == "nan" else (v[0], v[1] ^ 1) + v[2:]


def signed(v):
    return -v[2] if v[1] else v[2]


def number(x, zero_sign=0):
    return ("num", int(x < 0) if x else zero_sign, abs(Fraction(x)))


def add(a, b, rounding="rn"):
    if "nan" in (a[0], b[0]):
        return ("nan",)
    if a[0] == "inf" or b[0] == "inf":
        if a[0] == b[0]:
            return a if a[1] == b[1] else ("nan",)
        return a if a[0] == "inf" else b
    total = signed(a) + signed(b)
    if total == 0:
        same = a[1] == b[1] and a[2] == 0 and b[2] == 0
        return number(0, a[1] if same else int(rounding == "rm"))
    return number(total)


def mul(a, b, rounding="rn"):
    if "nan" in (a[0], b[0]):
        return ("nan",)
    sign = a[1] ^ b[1]
    if "inf" in (a[0], b[0]):
        zero = (a[0] == "num" and a[2] == 0) or (b[0] == "num" and b[2] == 0)
        return ("nan",) if zero else ("inf", sign)
    return ("num", sign, a[2] * b[2])


def fma(a, b, c, rounding="rn"):
    return add(mul(a, b), c, rounding)


def div(a, b, rounding="rn"):
    if "nan" in (a[0], b[0]):
        return ("nan",)
    sign = a[1] ^ b[1]
    if a[0] == "inf":
        return ("nan",) if b[0] == "inf" else ("inf", sign)
    if b[0] == "inf":
        return ("num", sign, Fraction(0))
    if b[2] == 0:
        return ("nan",) if a[2] == 0 else ("inf", sign)
    return ("num", sign, a[2] / b[2])


def sqrt(a, rounding="rn"):
    if a[0] == "nan" or (a[1] and not (a[0] == "num" and a[2] == 0)):
        return ("nan",)
    if a[0] == "inf" or a[2] == 0:
        return a
    # 300 bits below the point, and one more that tells whether anything is left.
    scaled = (a[2].numerator << 2400) // a[2].denominator
    root = isqrt(scaled)
    left = root * root != scaled or (a[2].numerator << 2400) % a[2].denominator != 0
    return ("num", 0, Fraction(2 * root + left, 1 << 1201))


def compare(a, b):
    """None when unordered, else -1, 0, 1."""
    if "nan" in (a[0], b[0]):
        return None
    huge = Fraction(2) ** 5000
    x, y = ((-huge if v[1] else huge) if v[0] == "inf" else signed(v) for v in (a, b))
    return (x > y) - (x < y)


def extremum(a, b, maximum, nan_wins):
    if a[0] == "nan" or b[0] == "nan":
        if nan_wins or (a[0] == "nan" and b[0] == "nan"):
            return ("nan",)
        return b if a[0] == "nan" else a
    order = compare(a, b)
    if order == 0:
        return a if a[1] == int(not maximum) else b
    return a if (order > 0) == maximum else b


def saturate(v):
    if v[0] == "nan" or v[1]:
        return number(0)
    if v[0] == "inf" or v[2] > 1:
        return number(1)
    return v


def relu(v):
    return number(0) if v[0] != "nan" and v[1] else v


def flush(bits, fmt):
    """Subnormals to zero of the same sign."""
    magnitude = bits & ((1 << (fmt.bits - 1)) - 1)
    return bits if magnitude >> fmt.mantissa else bits - magnitude
