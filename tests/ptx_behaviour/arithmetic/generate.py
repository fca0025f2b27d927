#!/usr/bin/env python3
"""Writes the behaviour tests of this folder: one small PTX kernel a form, with inputs and the
results that the PTX manual prescribes. Needs nothing but Python; the files it writes are committed,
so that running it is only needed to add forms.

    python3 generate.py
"""
import os

import approximate_forms
import comparison_forms
import conversion_forms
import float_forms
import integer_forms
import logic_forms
import sign_forms
import video_forms
from common import HERE, written


def main():
    for old in os.listdir(HERE):
        if old.endswith(".ptx"):
            os.remove(os.path.join(HERE, old))
    integer_forms.integers()
    integer_forms.bits()
    integer_forms.extended()
    logic_forms.logic()
    float_forms.arithmetic()
    float_forms.mixed()
    float_forms.extrema()
    sign_forms.signs()
    comparison_forms.comparisons()
    comparison_forms.packed_halves()
    conversion_forms.conversions()
    video_forms.video()
    approximate_forms.approximations()
    print(len(written), "files")


main()
