#!/usr/bin/env python3
"""Derives the polynomial coefficients of lib/Target/Math and writes lib/Target/Math/Coefficients.inc.

Each function is fitted on its reduced interval in the form that its evaluation uses, with the error weighted as
the result sees it: weighted least squares on Chebyshev nodes in 60 digits, then coefficient by coefficient from
the lowest rounded to the float type and the rest fitted again, so that rounding is made up for. Needs mpmath.

  utils/math/minimax.py            prints the table with the error of each fit
  utils/math/minimax.py --write    writes the .inc file
"""
import math
import os
import struct
import sys

from mpmath import mp, mpf

mp.dps = 60


def round_f32(x):
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def round_f64(x):
    return mpf(float(x))


def cheb_nodes(lo, hi, count):
    return [(lo + hi) / 2 + (hi - lo) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]


def least_squares(nodes, targets, weights, powers):
    n = len(powers)
    normal, right = mp.zeros(n, n), mp.zeros(n, 1)
    for x, y, w in zip(nodes, targets, weights):
        row = [w * x**p for p in powers]
        for i in range(n):
            for j in range(i, n):
                normal[i, j] += row[i] * row[j]
            right[i] += row[i] * w * y
    for i in range(n):
        for j in range(i):
            normal[i, j] = normal[j, i]
    return list(mp.lu_solve(normal, right))


def fit(function, weight, lo, hi, terms, rounding):
    """Coefficients c of sum c[i] x^i ~ function on [lo, hi], and log2 of the largest weighted error."""
    nodes = cheb_nodes(mpf(lo), mpf(hi), 4 * terms + 9)
    values = [function(x) for x in nodes]
    weights = [weight(x) for x in nodes]
    fixed = []
    for k in range(terms):
        targets = [y - sum(c * x**i for i, c in enumerate(fixed)) for x, y in zip(nodes, values)]
        fixed.append(rounding(least_squares(nodes, targets, weights, list(range(k, terms)))[0]))
    worst = max(abs(w * (y - sum(c * x**i for i, c in enumerate(fixed)))) for x, y, w in zip(nodes, values, weights))
    return fixed, float(mp.log(worst, 2)) if worst else -999.0


def series_safe(function, small):
    """`function`, but `small` where the closed form loses too many digits."""
    return lambda x: small(x) if abs(x) < mpf(10) ** -12 else function(x)


# name: (function of the reduced argument, weight of its error, lo, hi, terms for f32, terms for f64)
LN2 = mp.log(2)
odd = lambda f, c3: series_safe(lambda z: (f(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, lambda z: c3)
FITS = {
    # exp(r) = 1 + r + r^2 P(r)
    "exp": (series_safe(lambda r: (mp.exp(r) - 1 - r) / r**2, lambda r: mpf(1) / 2),
            lambda r: r**2, -LN2 / 2 * 1.01, LN2 / 2 * 1.01, 5, 11),
    # expm1 near 0 is the same with the error relative to r, and so one term more.
    "expm1": (series_safe(lambda r: (mp.exp(r) - 1 - r) / r**2, lambda r: mpf(1) / 2),
              lambda r: abs(r), -LN2 / 2 * 1.01, LN2 / 2 * 1.01, 6, 12),
    # 2^r = 1 + r P(r)
    "exp2": (series_safe(lambda r: (mpf(2)**r - 1) / r, lambda r: LN2), lambda r: abs(r), -0.505, 0.505, 7, 13),
    # log(1 + f) = f - f^2/2 + f^3 P(f)
    "log": (series_safe(lambda f: (mp.log1p(f) - f + f**2 / 2) / f**3, lambda f: mpf(1) / 3),
            lambda f: f**2, mpf(-1) / 3, mpf(1) / 3, 9, None),
    # log((1+u)/(1-u)) = 2u + u^3 P(u^2): P itself, and P less its first term for the double-float form
    "atanh_log": (series_safe(lambda z: (mp.log((1 + mp.sqrt(z)) / (1 - mp.sqrt(z))) / mp.sqrt(z) - 2) / z,
                              lambda z: mpf(2) / 3), lambda z: z / 2, 0, 0.0401, None, 9),
    "pow_log": (series_safe(
        lambda z: ((mp.log((1 + mp.sqrt(z)) / (1 - mp.sqrt(z))) / mp.sqrt(z) - 2) / z - mpf(2) / 3) / z,
        lambda z: mpf(2) / 5), lambda z: z**2 / 2, 0, 0.0401, 4, 10),
    # tanh(x) = x + x^3 P(x^2)
    "tanh": (odd(mp.tanh, mpf(-1) / 3), lambda z: z, 0, mpf("0.6")**2, 5, 14),
    # erf(x) = x + x P(x^2)
    "erf": (series_safe(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, lambda z: 2 / mp.sqrt(mp.pi) - 1),
            lambda z: mpf(1), 0, 1, 8, 14),
    # erfc(a) = exp(-P(a)), the error as erf sees it
    "erf_tail": (lambda a: -mp.log(mp.erfc(a)), lambda a: mp.erfc(a), 1, 4.1, 8, None),
    # erfc(a) = exp(-a^2) / (1 + 2a) P(q), q = (a - 4) / (a + 4)
    "erfc": (lambda q: (lambda a: mp.exp(a * a) * mp.erfc(a) * (1 + 2 * a))(4 * (1 + q) / (1 - q)),
             lambda q: mpf(1), -1, mpf("0.4366"), 12, None),
    "erfc_wide": (lambda q: (lambda a: mp.exp(a * a) * mp.erfc(a) * (1 + 2 * a))(4 * (1 + q) / (1 - q)),
                  lambda q: mpf(1), -1, mpf("0.7456"), None, 24),
    # sin(x) = x + x^3 P(x^2), cos(x) = 1 - x^2/2 + x^4 Q(x^2); wider than pi/4, for a reduction that is one off
    "sin": (odd(mp.sin, mpf(-1) / 6), lambda z: z, 0, mpf("0.95")**2, 4, 8),
    "cos": (series_safe(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, lambda z: mpf(1) / 24),
            lambda z: z**2, 0, mpf("0.95")**2, 4, 8),
    "asin": (odd(mp.asin, mpf(1) / 6), lambda z: z, 0, mpf("0.25"), 6, 14),
    "atan": (odd(mp.atan, mpf(-1) / 3), lambda z: z, 0, 1, 10, 22),
}


def hexes(coefficients):
    return ", ".join(float(c).hex() for c in coefficients)


def main():
    lines = ["// Written by utils/math/minimax.py, which says how. The comment of a row is log2 of its error."]
    for name, (function, weight, lo, hi, terms32, terms64) in FITS.items():
        for terms, rounding, suffix in ((terms32, round_f32, "F32"), (terms64, round_f64, "F64")):
            if terms is None:
                continue
            # Series-safe closed forms still lose digits near 0: work in more.
            mp.dps = 90
            coefficients, error = fit(function, weight, lo, hi, terms, rounding)
            ident = "".join(part.capitalize() for part in name.split("_"))
            lines.append(f"// {error:.1f}\nstatic constexpr double c{ident}{suffix}[] = {{{hexes(coefficients)}}};")
    # f32 needs 7 words, f64 all.
    mp.dps, count = 500, 38
    inverse = int(mp.floor(mpf(2)**(32 * count) / (2 * mp.pi)))
    words = [(inverse >> (32 * (count - 1 - i))) & 0xFFFFFFFF for i in range(count)]
    lines.append(f"// The first {32 * count} bits of 1 / (2 pi) after the binary point.")
    lines.append("static constexpr uint32_t inverseTwoPi[] = {%s};" % ", ".join("0x%08x" % w for w in words))
    text = "\n".join(lines) + "\n"
    if "--write" in sys.argv:
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        with open(os.path.join(root, "lib/Target/Math/Coefficients.inc"), "w") as out:
            out.write(text)
    else:
        print(text)


main()
