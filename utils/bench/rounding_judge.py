"""Whether results are right, to within what rounding can do to them.

A program that nobody has chosen may take nearly equal numbers from each other: what is left is rounding alone, and no share of
the result says how much of that is right. Monte Carlo arithmetic does (D. S. Parker, "Monte Carlo Arithmetic: exploiting
randomness in floating-point arithmetic", UCLA CSD-970002, 1997): the program runs SAMPLES times in fp64 with the result of every
step off by a random part of half a unit of the type that the step computes in. A sum of n terms has log2 n roundings on each term's
way when it is formed in pairs, and so much its terms are off (N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 4.2),
in fp32, which narrower types are added in, each for itself and all together. The largest move of an element is its spread.
SPREADS times that is no error; beyond it the bound of well-conditioned programs holds as ever. A spread is only sought where that
bound alone is not kept.

The arrays may be PyTorch's or NumPy's: `arrays` is the module.
"""
import math

SAMPLES = 8
SPREADS = 4
HALF_UNITS = {"f32": 2.0 ** -24, "bf16": 2.0 ** -8, "f16": 2.0 ** -11}


def roundings_of_sum(terms):
    return max(1, math.ceil(math.log2(max(terms, 1))))


def in_double(value):
    return value.double() if hasattr(value, "double") else value.astype("float64")


def relative_error(values, exact, allowed=None):
    """The largest difference as a share of a result's largest element; of a difference the part beyond what is `allowed`."""
    worst = 0.0
    for place, (value, want) in enumerate(zip(values, exact)):
        if tuple(value.shape) != tuple(want.shape):
            return math.inf
        if math.prod(want.shape) == 0:
            continue
        scale = float(abs(want).max()) or 1.0
        difference = abs(in_double(value) - want)
        if allowed is not None:
            difference = (difference - allowed[place]).clip(0)
        error = float(difference.max()) / scale
        worst = max(worst, error if error == error else math.inf)
    return worst


def allowed_by_rounding(arrays, run, exact):
    """What each element may be off by. `run(sample)` gives the results of the program with steps that round at random."""
    spreads = [arrays.zeros_like(want) for want in exact]
    for sample in range(SAMPLES):
        for place, (moved, want) in enumerate(zip(run(sample), exact)):
            move = abs(moved - want)
            spreads[place] = arrays.maximum(spreads[place], arrays.where(arrays.isfinite(move), move, arrays.zeros_like(move)))
    return [SPREADS * spread for spread in spreads]
