#!/usr/bin/env python3
"""Turns an ECLgraph binary graph into a symmetric Matrix Market pattern: IN.egr > OUT.mtx

ECLgraph, little endian: int32 n, int32 m, int32 row_offsets[n + 1], int32 targets[m]. Both arcs of
an edge are stored; the lower half is written.
"""
import array
import sys


def main():
    data = array.array("i")
    with open(sys.argv[1], "rb") as file:
        data.frombytes(file.read())
    if sys.byteorder == "big":
        data.byteswap()
    vertices, arcs = data[0], data[1]
    offsets = data[2 : vertices + 3]
    targets = data[vertices + 3 : vertices + 3 + arcs]
    edges = [
        (row, targets[arc])
        for row in range(vertices)
        for arc in range(offsets[row], offsets[row + 1])
        if targets[arc] <= row
    ]
    print("%%MatrixMarket matrix coordinate pattern symmetric")
    print(vertices, vertices, len(edges))
    for row, column in edges:
        print(row + 1, column + 1)


main()
