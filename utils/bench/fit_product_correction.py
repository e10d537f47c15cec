#!/usr/bin/env python3
"""Fits what the model of products' times lacks: a correction of the times of rings of warpgroups (lib/Target/Cuda/ProductCorrection.cpp).

usage: fit_product_correction.py [--write] [--leave-out] [--record FILE] [--ridge 100] [FILE…]

FILEs are measured schedules (docs/performance/data, kinds product-forms and schedule-measurements; default: all of an H200). The
rates say what a schedule takes by itself (fit_product_model.py, before this); what is left of the logarithms is fitted by a
polynomial of second degree in what the parts of the time and the schedule are (product_model.features_of_rings), by least
squares with a penalty on the coefficients (Hoerl and Kennard's ridge regression, Technometrics 12, 1970). A product's schedules
weigh together as much as the square root of their number. --leave-out fits without a tenth of the products, ten times, and says
how far those are off, and what is lost by taking the fastest by the model of the schedules that were measured. --write puts the
coefficients into the code. It takes about a minute, with --leave-out ten. Times of the sweep are never fitted.
"""
import collections
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated  # noqa: E402
import product_model as model  # noqa: E402
from fit_product_model import command_line, quantile, read, solve  # noqa: E402


def mean_and_deviation(column):
    mean = sum(column) / len(column)
    return mean, math.sqrt(sum((value - mean) ** 2 for value in column) / len(column))


def times_of(files):
    """Product, features, the logarithm that the rates are off by, measured and modelled time of each schedule."""
    rates, found = model.rates_in_code(), {}
    for kernel, schedule, us, _ in read(files)[0].get("rings", []):
        if kernel.epilogue == "" and us:
            found.setdefault((kernel.name(), repr(schedule)), (kernel, schedule, []))[2].append(us)
    rows = []
    for (name, _), (kernel, schedule, times) in found.items():
        us, whole = quantile(sorted(times), 0.5), model.time_of_rings(rates, kernel, schedule)
        rows.append((name, model.features_of_rings(rates, kernel, schedule), math.log(us / whole), us, whole))
    return rows


def fit(rows, ridge):
    """The table of the code: features with mean and deviation, and coefficients."""
    names = list(rows[0][1])
    places = []
    for name in names:
        mean, deviation = mean_and_deviation([float(features[name]) for _, features, *_ in rows])
        places.append((name, rounded(mean), rounded(max(deviation, 1e-6))))
    terms = [model.terms_of(features, places) for _, features, *_ in rows]
    counts = collections.Counter(name for name, *_ in rows)
    weights = [counts[name] ** -0.5 for name, *_ in rows]
    total = sum(weights)
    roots = [math.sqrt(weight * len(rows) / total) for weight in weights]
    # Scaled by their deviations, so that the penalty is alike; the constant, the first term, has none.
    columns, scales, means = [], [], []
    for column in list(zip(*terms))[1:]:
        scales.append(max(mean_and_deviation(column)[1], 1e-9))
        means.append(sum(weight * value for weight, value in zip(weights, column)) / total)
        columns.append([root * (value - means[-1]) / scales[-1] for root, value in zip(roots, column)])
    middle = sum(weight * off for weight, (*_, off, _, _) in zip(weights, rows)) / total
    target = [root * (off - middle) for root, (*_, off, _, _) in zip(roots, rows)]
    size = len(columns)
    normal = [[0.0] * size for _ in range(size)]
    for i, left in enumerate(columns):
        for j in range(i + 1):
            normal[i][j] = normal[j][i] = sum(map(float.__mul__, left, columns[j]))
        normal[i][i] += ridge
    scaled = solve(normal, [sum(map(float.__mul__, column, target)) for column in columns])
    slopes = [value / scale for value, scale in zip(scaled, scales)]
    constant = middle - sum(slope * mean for slope, mean in zip(slopes, means))
    return places, [rounded(value) for value in (constant, *slopes)]


def rounded(value):
    return float(f"{value:.4g}")


def describe(title, rows, factors):
    """Says, and gives, errors of times that are multiplied by the exponentials of `factors`, and what the fastest by them lose."""
    errors = sorted(abs(off - factor) for (*_, off, _, _), factor in zip(rows, factors))
    chosen = collections.defaultdict(list)
    for (name, _, _, us, whole), factor in zip(rows, factors):
        chosen[name].append((whole * math.exp(factor), us))
    lost = [math.log(min(some)[1] / min(us for _, us in some)) for some in chosen.values() if len(some) > 3]
    found = {"times": len(rows), "products": len(chosen), "median": round(quantile(errors, 0.5), 4), "p95": round(quantile(errors, 0.95), 4),
             "compared": len(lost), "lost": round(math.exp(sum(lost) / max(len(lost), 1)) - 1, 4)}
    print(f"{title}: {found['times']} times of {found['products']} products, error median {found['median']:.3f}, p95 {found['p95']:.3f}; "
          f"the fastest by it lose {100 * found['lost']:.1f} % of {found['compared']} products", flush=True)
    return found


def write(places, coefficients, products, times):
    with open(model.CORRECTION, encoding="utf-8") as file:
        text = file.read()
    begin = text.index("/// H200 SXM")
    lines, line = [], "   "
    for value in coefficients:
        number = f" {value:.4g},"
        if len(line) + len(number) > 110:
            lines.append(line)
            line = "   "
        line += number
    lines.append(line)
    text = (text[:begin] + f"/// H200 SXM: {times} times of {products} products in bf16, in bursts (utils/bench/fit_product_correction.py\n"
            "/// --write).\nstatic constexpr CorrectionFeature kFeatures[] = {\n"
            + "".join(f"    {{/*{name}=*/{mean:.4g}, {deviation:.4g}}},\n" for name, mean, deviation in places)
            + "};\n\nstatic constexpr double kCoefficients[] = {\n" + "\n".join(lines) + "\n};\n\n" + text[text.index("static_assert(", begin):])
    with open(model.CORRECTION, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = command_line(__doc__)
    parser.add_argument("--ridge", type=float, default=100)
    args = parser.parse_args()
    rows = times_of(args.files)
    if not rows:
        sys.exit("error: no times of rings of warpgroups in the files")
    alone = describe("by the rates alone", rows, [0] * len(rows))
    table = fit(rows, args.ridge)
    describe("corrected", rows, [model.corrected(features, table) for _, features, *_ in rows])
    names = sorted({name for name, *_ in rows})
    if args.write:
        write(*table, len(names), len(rows))
    if args.leave_out or args.record:
        unseen, factors = [], []
        for part in range(10):
            out = set(names[part::10])
            without = fit([row for row in rows if row[0] not in out], args.ridge)
            some = [row for row in rows if row[0] in out]
            unseen += some
            factors += [model.corrected(features, without) for _, features, *_ in some]
            print(f"   {part + 1} of 10 parts left out", flush=True)
        found = describe("of products left out", unseen, factors)
        if args.record:
            isolated.save(args.record, {"kind": "product-correction", "files": sorted(map(os.path.basename, args.files)),
                                        "rates_alone": alone, "left_out_in_tenths": found})


if __name__ == "__main__":
    main()
