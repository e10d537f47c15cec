#!/usr/bin/env python3
"""Fits log2(erfc(a)) / a on [0, 9.3] for the approximate erfc of target-expand-math, and prints the coefficients, the
relative error of erfc, and the worst error of GELU (erf) rounded to bf16, in ulp of bf16 over all finite bf16 inputs.

usage: fit_erfc.py [--degree N]    (needs numpy)
"""
import argparse
import math

import numpy as np

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--degree", type=int, default=9, help="number of coefficients")
degree = parser.parse_args().degree

BOUND, POINTS = 9.3, 6000
a = BOUND * (1 - np.cos(np.pi * np.arange(POINTS) / (POINTS - 1))) / 2
wanted = np.array([math.log2(math.erfc(v)) for v in a])
basis = np.vander(a / BOUND, degree, increasing=True) * a[:, None]  # a Q(a): erfc(0) is exactly 1
weights = np.ones(POINTS)
for _ in range(200):  # towards equal errors
    fit, *_ = np.linalg.lstsq(basis * weights[:, None], wanted * weights, rcond=None)
    error = np.abs(basis @ fit - wanted)
    weights = np.clip(weights * (1 + 2 * error / error.max()), 1e-3, None)
    weights /= weights.mean()
coefficients = [float(np.float32(c)) for c in fit / BOUND ** np.arange(degree)]
print("coefficients", coefficients)
print("relative error of erfc: 2^%.2f" % math.log2(error.max() * math.log(2)))


def to_bf16(x):
    bits = x.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((((bits + ((bits >> 16) & 1) + 0x7FFF) >> 16) << 16).astype(np.uint32)).view(np.float32)


x = (np.arange(65536, dtype=np.uint32) << 16).view(np.float32)
x = x[np.isfinite(x)]
z = (x * np.float32(math.sqrt(0.5))).astype(np.float32)
bounded = np.minimum(np.abs(z), np.float32(14))
total = np.full_like(bounded, coefficients[-1])
for c in coefficients[-2::-1]:
    total = (total.astype(np.float64) * bounded + c).astype(np.float32)
tail = np.exp2((total * bounded).astype(np.float64)).astype(np.float32)
gelu = to_bf16(np.float32(0.5) * x * np.where(z > 0, np.float32(2) - tail, tail))
exact = np.array([0.5 * float(v) * math.erfc(-float(v) * math.sqrt(0.5)) for v in x])
ulp = 2.0 ** (np.floor(np.log2(np.maximum(np.abs(exact), 2.0**-126))) - 7)
print("GELU in bf16: %.3f ulp" % (np.abs(gelu - exact) / ulp).max())
