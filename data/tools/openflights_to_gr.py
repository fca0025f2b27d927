#!/usr/bin/env python3
"""Turns OpenFlights tables into a DIMACS shortest-path graph: airports.dat routes.dat > OUT.gr

Vertices are the airports with a route, in the order of their ids; an arc is a pair of airports with
a non-stop route; its weight is the great-circle distance in kilometres, rounded, at least 1
(haversine formula, Earth's mean radius 6371.0088 km).
"""
import csv
import math
import sys


def distance_km(a, b):
    (lat1, lon1), (lat2, lon2) = a, b
    h = (
        math.sin((lat2 - lat1) / 2) ** 2
        + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    )
    return 2 * 6371.0088 * math.asin(math.sqrt(h))


def main():
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        places = {
            int(row[0]): (row[4], (math.radians(float(row[6])), math.radians(float(row[7]))))
            for row in csv.reader(file)
        }
    with open(sys.argv[2], newline="", encoding="utf-8") as file:
        pairs = {(row[3], row[5]) for row in csv.reader(file) if row[3] != "\\N" != row[5]}
    arcs = sorted((int(a), int(b)) for a, b in pairs)
    arcs = [(a, b) for a, b in arcs if a in places and b in places and a != b]
    airports = sorted({airport for arc in arcs for airport in arc})
    number = {airport: i + 1 for i, airport in enumerate(airports)}
    print("c Non-stop air routes; weights are kilometres. Data: OpenFlights.org, ODbL 1.0")
    for airport in airports:
        print("c vertex", number[airport], places[airport][0])
    print("p sp", len(airports), len(arcs))
    for a, b in arcs:
        print("a", number[a], number[b], max(1, round(distance_km(places[a][1], places[b][1]))))


main()
