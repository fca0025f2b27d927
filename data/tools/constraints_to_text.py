#!/usr/bin/env python3
"""constraints_to_text.py CONSTRAINTS NODES: the constraints of B. Hardekopf's points-to inputs, as
workloads/pta reads them. One line for the number of nodes, one for each object with more than no fields, one
for each constraint: kind, destination, source, and an offset if it is not 0."""
import sys

KINDS = ["address", "copy", "load", "store", "offset"]
UNKNOWN = 1  # the object that stands for all unknown ones: nothing is read or written through it


def rows(path):
    for line in open(path, encoding="ascii"):
        line = line.strip()
        if line and not line.startswith("#"):
            yield [int(word) for word in line.split(",")]


nodes = list(rows(sys.argv[2]))
print("nodes", nodes[0][0])
for node, size, _ in nodes[3:]:
    if size and node != UNKNOWN:
        print("object", node, size)
for _, source, destination, kind, offset in list(rows(sys.argv[1]))[1:]:
    print(KINDS[kind], destination, source, *([offset] if offset else []))
