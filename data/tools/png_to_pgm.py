#!/usr/bin/env python3
"""Turns an 8-bit grey PNG without interlacing into a binary PGM: IN.png > OUT.pgm"""
import struct
import sys
import zlib


def paeth(a, b, c):
    """The predictor of PNG filter 4 (PNG specification, section 9.4)."""
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def unfilter(kind, line, above):
    for i in range(len(line)):
        a = line[i - 1] if i else 0
        b = above[i]
        c = above[i - 1] if i else 0
        line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]) & 255
    return line


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    position, compressed, header = 8, b"", None
    while position < len(data):
        (length,) = struct.unpack(">I", data[position : position + 4])
        kind = data[position + 4 : position + 8]
        body = data[position + 8 : position + 8 + length]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            compressed += body
        position += length + 12
    width, height = header[:2]
    if header[2:] != (8, 0, 0, 0, 0):
        sys.exit("not an 8-bit grey PNG without interlacing")
    raw = zlib.decompress(compressed)
    above = bytearray(width)
    sys.stdout.buffer.write(b"P5\n%d %d\n255\n" % (width, height))
    for y in range(height):
        start = y * (width + 1)
        above = unfilter(raw[start], bytearray(raw[start + 1 : start + 1 + width]), above)
        sys.stdout.buffer.write(above)


main()
