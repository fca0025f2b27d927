#!/usr/bin/env python3
"""Writes most of the behaviour tests of this folder (README.md); the others are by hand. Needs
nothing but Python; the files it writes are committed, so that running it is only needed to add forms.

    python3 generate.py
"""
import random

import memory_forms
import products
import sums
from common import written


def main():
    random.seed(7)
    products.all_dense()
    products.overflow()
    products.all_quad_pairs()
    products.all_sparse()
    sums.half_and_bfloat()
    sums.tf32()
    sums.doubles()
    sums.all_at_random()
    memory_forms.all_wmma()
    memory_forms.all_rows()
    # What was added later comes last, so that the random numbers of the others stay.
    products.more_quad_pairs()
    memory_forms.all_generic_rows()
    print(len(written), "files")


main()
