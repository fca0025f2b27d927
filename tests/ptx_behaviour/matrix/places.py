"""Where elements are in registers: the formulas under the figures of PTX ISA 9.7.14.4, one by one.

A place is a function of lane and element to (row, column)."""


def group(lane):
    return lane >> 2


def thread(lane):
    return lane % 4


def c_of_16_rows(lane, i):
    return (group(lane) if i < 2 else group(lane) + 8), thread(lane) * 2 + (i & 1)


def c_of_8_rows(lane, i):
    return group(lane), thread(lane) * 2 + (i & 1)


class Fragments:
    """Shape, places of A, B and C, and how many elements of each a lane has."""

    def __init__(self, m, k, a, b, count_a, count_b):
        self.m, self.n, self.k = m, 8, k
        self.a, self.b = a, b
        self.c = c_of_16_rows if m == 16 else c_of_8_rows
        self.count_a, self.count_b, self.count_c = count_a, count_b, m // 4


def rows(lane, lower):
    return group(lane) if lower else group(lane) + 8


# By shape and bits of an element: m16n8k8 exists for elements of 16, 32 and 64 bits.
FRAGMENTS = {
    ("m16n8k8", 16): Fragments(
        16, 8, lambda l, i: (rows(l, i < 2), thread(l) * 2 + (i & 1)),
        lambda l, i: (thread(l) * 2 + i, group(l)), 4, 2),
    ("m16n8k16", 16): Fragments(
        16, 16,
        lambda l, i: (rows(l, i < 2 or 4 <= i < 6), thread(l) * 2 + (i & 1) + (0 if i < 4 else 8)),
        lambda l, i: (thread(l) * 2 + (i & 1) + (0 if i < 2 else 8), group(l)), 8, 4),
    ("m16n8k4", 32): Fragments(
        16, 4, lambda l, i: (rows(l, i == 0), thread(l)), lambda l, i: (thread(l), group(l)), 2, 1),
    ("m16n8k8", 32): Fragments(
        16, 8, lambda l, i: (rows(l, i in (0, 2)), thread(l) + (0 if i in (0, 1) else 4)),
        lambda l, i: (thread(l) + (0 if i == 0 else 4), group(l)), 4, 2),
    ("m8n8k4", 64): Fragments(
        8, 4, lambda l, i: (group(l), thread(l)), lambda l, i: (thread(l), group(l)), 1, 1),
    ("m16n8k4", 64): Fragments(
        16, 4, lambda l, i: (rows(l, i == 0), thread(l)), lambda l, i: (thread(l), group(l)), 2, 1),
    ("m16n8k8", 64): Fragments(
        16, 8, lambda l, i: (rows(l, i in (0, 2)), thread(l) + (0 if i in (0, 1) else 4)),
        lambda l, i: (thread(l) + (0 if i == 0 else 4), group(l)), 4, 2),
    ("m16n8k16", 64): Fragments(
        16, 16, lambda l, i: (rows(l, i % 2 == 0), (i * 2 if i % 2 == 0 else i * 2 - 2) + thread(l)),
        lambda l, i: (thread(l) + i * 4, group(l)), 8, 4),
    ("m8n8k16", 8): Fragments(
        8, 16, lambda l, i: (group(l), thread(l) * 4 + i),
        lambda l, i: (thread(l) * 4 + i, group(l)), 4, 4),
    ("m16n8k16", 8): Fragments(
        16, 16, lambda l, i: (rows(l, i < 4), thread(l) * 4 + (i & 3)),
        lambda l, i: (thread(l) * 4 + i, group(l)), 8, 4),
    ("m16n8k32", 8): Fragments(
        16, 32,
        lambda l, i: (rows(l, i < 4 or 8 <= i < 12), thread(l) * 4 + (i & 3) + (0 if i < 8 else 16)),
        lambda l, i: (thread(l) * 4 + (i & 3) + (0 if i < 4 else 16), group(l)), 16, 8),
    ("m8n8k32", 4): Fragments(
        8, 32, lambda l, i: (group(l), thread(l) * 8 + i),
        lambda l, i: (thread(l) * 8 + i, group(l)), 8, 8),
    ("m16n8k32", 4): Fragments(
        16, 32, lambda l, i: (rows(l, i < 8), thread(l) * 8 + (i & 7)),
        lambda l, i: (thread(l) * 8 + i, group(l)), 16, 8),
    ("m16n8k64", 4): Fragments(
        16, 64,
        lambda l, i: (rows(l, i < 8 or 16 <= i < 24), thread(l) * 8 + (i & 7) + (0 if i < 16 else 32)),
        lambda l, i: (thread(l) * 8 + (i & 7) + (0 if i < 8 else 32), group(l)), 32, 16),
    ("m8n8k128", 1): Fragments(
        8, 128, lambda l, i: (group(l), thread(l) * 32 + i),
        lambda l, i: (thread(l) * 32 + i, group(l)), 32, 32),
    ("m16n8k128", 1): Fragments(
        16, 128, lambda l, i: (rows(l, i < 32), thread(l) * 32 + (i & 31)),
        lambda l, i: (thread(l) * 32 + i, group(l)), 64, 32),
    ("m16n8k256", 1): Fragments(
        16, 256,
        lambda l, i: (rows(l, i < 32 or 64 <= i < 96), thread(l) * 32 + i % 32 + (0 if i < 64 else 128)),
        lambda l, i: (thread(l) * 32 + i % 32 + (0 if i < 32 else 128), group(l)), 128, 64),
}
