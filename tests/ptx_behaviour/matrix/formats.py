"""The element types of matrices: bits of numbers, numbers of bits, and some to try."""
import random
import struct
from fractions import Fraction

WIDTH = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "e4m3": 8, "e5m2": 8, "s8": 8,
         "u8": 8, "s4": 4, "u4": 4, "b1": 1, "s32": 32}
# Bits of exponent and mantissa, bias, whether the highest exponent is for infinity and NaN.
FLOATS = {"f16": (5, 10, 15, True), "bf16": (8, 7, 127, True), "f32": (8, 23, 127, True),
          "tf32": (8, 23, 127, True), "e4m3": (4, 3, 7, False), "e5m2": (5, 2, 15, True)}
NAN = {"f16": 0x7FFF, "f32": 0x7FFFFFFF}


def f32_bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def eight_bits(x, mantissa, bias):
    """Of a number that the format has, and that is normal or zero in it."""
    if x == 0:
        return 0
    sign, x, exponent = (0x80 if x < 0 else 0), abs(x), 0
    while x >= 2:
        x, exponent = x / 2, exponent + 1
    while x < 1:
        x, exponent = x * 2, exponent - 1
    fraction = (x - 1) * 2**mantissa
    assert fraction == int(fraction)
    return sign | (exponent + bias) << mantissa | int(fraction)


def encode(element, x):
    """Bits of a number that `element` has; NaN is the canonical one; "*" (anything) stays."""
    if x == "*":
        return x
    if x != x:
        return NAN.get(element, 0x7FFF)
    if element == "f16":
        return struct.unpack("<H", struct.pack("<e", x))[0]
    if element == "bf16":
        return f32_bits(x) >> 16
    if element in ("f32", "tf32"):
        return f32_bits(x)
    if element == "f64":
        return struct.unpack("<Q", struct.pack("<d", x))[0]
    if element in ("e4m3", "e5m2"):
        return eight_bits(x, *FLOATS[element][1:3])
    return x & (1 << WIDTH[element]) - 1


def some(element):
    """A number whose sums of products are exact in single and half precision."""
    whole = {"u8": (0, 255), "s8": (-128, 127), "u4": (0, 15), "s4": (-8, 7), "b1": (0, 1),
             "s32": (-1000, 1000)}
    if element in whole:
        return random.randint(*whole[element])
    if WIDTH[element] == 8:
        return random.choice([-4, -3, -2, -1, 0, 0.5, 1, 2, 3])
    return random.randint(-8, 8) / 2


def matrix(element, rows, columns):
    return [[some(element) for _ in range(columns)] for _ in range(rows)]


def decode(element, bits):
    """Value and exponent of finite bits; the exponent of subnormals is the least normal one."""
    exponent_bits, mantissa, bias, _ = FLOATS[element]
    if element == "tf32":
        bits &= ~0x1FFF
    sign = -1 if bits >> (WIDTH[element] - 1) else 1
    exponent = bits >> mantissa & (2**exponent_bits - 1)
    fraction = Fraction(bits & (2**mantissa - 1), 2**mantissa)
    if exponent == 0:
        return sign * fraction * Fraction(2) ** (1 - bias), 1 - bias
    return sign * (1 + fraction) * Fraction(2) ** (exponent - bias), exponent - bias


def random_bits(element, spread):
    """Finite; exponents within `spread` of that of 1, some subnormal, some zero."""
    exponent_bits, mantissa, bias, infinite = FLOATS[element]
    highest = 2**exponent_bits - (2 if infinite else 1)
    if random.random() < 0.1:
        return 0
    exponent = random.randint(max(0, bias - spread), min(highest, bias + spread))
    if random.random() < 0.1:
        exponent = 0
    bits = random.getrandbits(1) << (WIDTH[element] - 1) | exponent << mantissa
    bits |= random.getrandbits(mantissa)
    return 0 if element == "e4m3" and bits & 0x7F == 0x7F else bits
