#!/usr/bin/env python3
"""Turns point sets into the format of data/points/*.points: KIND FILE > OUT.points

  galaxies  Mr19_mock_northonly.rdcz.ff: right ascension, declination (degrees) and redshift velocity
            (km/s) in records of Fortran; becomes x, y, z in km/s, x to the vernal equinox
  digits    images of MNIST (IDX, may be compressed by gzip), 784 pixels of 0 to 255; becomes seven
            numbers each by a random projection, as M. Goldfarb, Y. Jo, M. Kulkarni, "General
            Transformations for GPU Execution of Tree Traversals", SC 2013, have it
  airports  airports.dat of OpenFlights; becomes longitude and latitude in degrees

The format: a line "points DIMENSIONS COUNT", then COUNT x DIMENSIONS numbers, 32-bit IEEE 754, little-endian.
"""
import csv
import gzip
import math
import random
import struct
import sys


def galaxies(data):
    def record(offset):
        (length,) = struct.unpack_from("<i", data, offset)
        return data[offset + 4 : offset + 4 + length], offset + 8 + length

    header, offset = record(0)
    count = struct.unpack_from("<5i", header)[1]
    _, offset = record(offset)
    _, offset = record(offset)
    columns = []
    for _ in range(3):
        column, offset = record(offset)
        columns.append(struct.unpack(f"<{count}d", column))
    for ascension, declination, velocity in zip(*columns):
        a, d = math.radians(ascension), math.radians(declination)
        yield (
            velocity * math.cos(d) * math.cos(a),
            velocity * math.cos(d) * math.sin(a),
            velocity * math.sin(d),
        )


def digits(data, dimensions=7):
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    _, count, rows, columns = struct.unpack_from(">4i", data)
    pixels = rows * columns
    generator = random.Random(1)
    axes = [[generator.gauss(0, 1 / math.sqrt(pixels)) for _ in range(pixels)] for _ in range(dimensions)]
    for image in range(count):
        values = data[16 + image * pixels : 16 + (image + 1) * pixels]
        lit = [(i, v) for i, v in enumerate(values) if v]
        yield tuple(sum(axis[i] * v for i, v in lit) for axis in axes)


def airports(data):
    for row in csv.reader(data.decode("utf-8").splitlines()):
        yield float(row[7]), float(row[6])


def main():
    kinds = {"galaxies": galaxies, "digits": digits, "airports": airports}
    if len(sys.argv) != 3 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    with open(sys.argv[2], "rb") as file:
        points = list(kinds[sys.argv[1]](file.read()))
    out = sys.stdout.buffer
    out.write(f"points {len(points[0])} {len(points)}\n".encode())
    for point in points:
        out.write(struct.pack(f"<{len(point)}f", *point))


main()
