#!/usr/bin/env python3
"""Fits the rates of products' schedules (lib/Target/Cuda/ProductRates.cpp) to measured times, and says what they are worth.

usage: fit_product_model.py [--write] [--leave-out] [--record FILE] [--start code|plain] [FILE…]

FILEs are schedule measurements (docs/performance/data, kinds schedule-measurements and product-forms; default: all of them):
kernels with a shape, a layout and schedules with times. The model is product_model.py. Its four families are fitted one after
the other, each to the times of its own schedules: rings of warpgroups; rings that threads fill, with the rates of the former
as they are; single warps; and single warps that copy 16 bytes at a time. Least squares of the logarithms (Levenberg and
Marquardt), errors beyond 10 % by their size; a kernel's schedules weigh together as much as the square root of their number.
The fit begins at plain numbers, so that the code's rates follow from the files alone. Rounded to three digits they are
printed; --write puts them into ProductRates.cpp. --leave-out also fits without a fifth of the kernels, five times, and says
how far those are off. Times of the sweep (product_sweep.py) are never fitted: they are what errors are published of.
"""
import argparse
import collections
import glob
import json
import math
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated  # noqa: E402
import product_model as model  # noqa: E402

DATA = os.path.join(model.ROOT, "docs", "performance", "data")
# Where a fit begins, in the units of ProductRates.h.
START = {
    "rings": {"launch": 1.5, "wideLaunch": 0.3, "tensorClock": 1.9, "feedClock": 2.5, "slotLatency": 1, "stepTime": 20, "lineTime": 0.3,
              "misaligned64": 0.5, "misaligned16": 1.5, "rowsAcrossK": 1, "l2": 16000, "memory": 4500, "rampBytes": 3e6, "rampTime": 1500,
              "storeCycles": 10, "instructionCycles": 1, "epilogueTime": 600, "exposedEpilogue": 0.5, "overlap": 2.5, "exchangeTime": 0.3,
              "swappedExchangeTime": 0.1, "exchangeRate": 13, "swappedStores": 2500, "directStores": 2500, "emptyRows": 0.8,
              "clusterLaunch": 0.5, "laterBlocks": 0.5, "oneTile": 0.1},
    "threads": {"elementRow": 5, "wordRow": 4, "wideRow": 5, "stagedStep": 1200, "elementStores": 700},
    "warps": {"warpShare": 0.4, "warpLaunch": 1.3, "warpElement": 0.1, "warpWord": 0.05, "warpStagedLatency": 250, "warpLatency": 150,
              "warpStores": 2500},
    "aligned": {"aligned.launch": 1.4, "aligned.step": 70, "aligned.latency": 250, "aligned.element": 0.04, "aligned.share": 0.35,
                "aligned.stores": 2500, "aligned.memory": 2500}}
# Not fitted. Too few times tell them apart from others: misaligned32 is taken for misaligned64's, the clock's loss under load
# for what large products show, and warps that a multiprocessor holds for what its registers give; with the last two fitted as
# well, kernels that the fit has not seen are modelled no better. Stores of odd rows through shared memory are recorded of few
# kernels whose rings threads fill: theirs follow from the table's product of 4095x4097x4099, copies and all. What clusters of
# blocks of one tile cost more for each doubling was chosen by what product-forms-large-tiles-h200.json says of the schedules
# that the model takes by it, and so was the rate of sums of swapped operands; what pairs cost beside that, and what clusters
# that take tiles in turn wait, by some 300 schedules of product-forms-clusters-h100.json with and without them; these files and
# sweep-forms-h200.json are not fitted otherwise.
HELD = {"misaligned32": None, "loadedClockLoss": 0.03, "warpsResident": 16, "aligned.resident": 18, "aligned.overlap": 6,
        "aligned.starts": 0.8, "rowStores": 3500, "wordRowStores": 4500, "clusterOnce": 0.35, "clusterPair": 0.7,
        "clusterWaits": 0.05, "swappedExchangeRate": 8}
# Of schedules that nobody has recorded times of: products by scalar instructions, and of single warps in tf32 and fp32.
UNRECORDED = ("scalarShare", "meetingTime")


def read(paths):
    records = []
    for path in sorted(paths):
        with open(path, encoding="utf-8") as file:
            records.append(json.load(file))
    return families(records)


def families(records):
    """By family: kernel, schedule, measured time and the kernel's weight; and what is left out."""
    found, left_out = collections.defaultdict(list), collections.Counter()
    for record in records:
        for entry in record["kernels"]:
            sizes = entry["shape"].split("x")
            known = len(sizes) == 3 and entry["layout"] in ("nn", "nt", "tn", "tt") and entry["epilogue"] in model.INSTRUCTIONS
            kernel = known and model.Kernel(*map(int, sizes), entry["layout"], entry["epilogue"])
            for one in entry["schedules"]:
                schedule = known and model.parsed(one["schedule"])
                if not schedule or not one.get("measured_us"):
                    left_out["stream-K, rings by cp.async of rows in whole 16 bytes, products of several operands"] += 1
                    continue
                kind = model.family(kernel, schedule)
                # Rings that the tensor memory accelerator fills: what no tensor map describes was copied before.
                if kind == "threads" and schedule["registers"][0] == 40:
                    left_out["operands that are copied first"] += 1
                    continue
                if kind == "rings" and kernel.n % 8:
                    kind = "threads"  # whose stores they share
                found[kind].append((kernel, schedule, one["measured_us"]))
    weighed = {}
    for kind, some in found.items():
        counts = collections.Counter(kernel.name() for kernel, *_ in some)
        weighed[kind] = [(*one, counts[one[0].name()] ** -0.5) for one in some]
    return weighed, left_out


def errors(rates, data):
    return [math.log(model.modelled(rates, kernel, schedule, correct=False) / us) for kernel, schedule, us, _ in data]


KNEE = 0.1


def loss(found, data):
    """Squares of relative errors; of large ones, which are other effects, about their size (twice the soft absolute value)."""
    return sum(weight * 2 * KNEE * KNEE * (math.sqrt(1 + (error / KNEE) ** 2) - 1) for error, (*_, weight) in zip(found, data))


def solve(matrix, right):
    """The solution of a small symmetric system, by elimination."""
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, size):
            factor = rows[r][i] / rows[i][i]
            if factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    for i in range(size - 1, -1, -1):
        rows[i][size] = (rows[i][size] - sum(rows[i][j] * rows[j][size] for j in range(i + 1, size))) / rows[i][i]
    return [row[size] for row in rows]


def completed(rates):
    return rates | {"misaligned32": rates["misaligned64"]} if "misaligned64" in rates else rates


def fit(rates, names, data, rounds=40):
    """Levenberg's and Marquardt's method in the logarithms of the rates, with weights that follow the errors' size."""
    rates, damping = completed(dict(rates)), 1e-3
    now = errors(rates, data)
    least = loss(now, data)
    for _ in range(rounds):
        columns = []
        for name in names:
            shifted = errors(completed(rates | {name: rates[name] * 1.001}), data)
            columns.append([(b - a) / 1e-3 for a, b in zip(now, shifted)])
        weights = [weight / math.sqrt(1 + (error / KNEE) ** 2) for error, (*_, weight) in zip(now, data)]
        scaled = [[w * x for w, x in zip(weights, column)] for column in columns]
        normal = [[sum(map(float.__mul__, a, b)) for b in columns] for a in scaled]
        slope = [sum(map(float.__mul__, a, now)) for a in scaled]
        before = least
        for _ in range(8):
            damped = [[value + (damping * (value + 1e-6) if i == j else 0) for j, value in enumerate(row)] for i, row in enumerate(normal)]
            step = solve(damped, slope)
            moved = completed(rates | {name: rates[name] * math.exp(-max(-0.5, min(0.5, s))) for name, s in zip(names, step)})
            tried = errors(moved, data)
            if (value := loss(tried, data)) < least:
                rates, now, least, damping = moved, tried, value, damping / 5
                break
            damping *= 5
        if before - least < 1e-6 * before:
            break
    return rates


def fit_all(data, rates):
    """All families; the later ones with the rates of the earlier ones."""
    for kind, start in START.items():
        if data.get(kind):
            rates = fit(rates, list(start), data[kind])
    return rates


def quantile(values, share):
    return values[min(len(values) - 1, int(share * len(values)))]


def say(title, found):
    found = sorted(map(abs, found))
    if found:
        print(f"   {title}: {len(found)} times, error median {quantile(found, 0.5):.3f}, p90 {quantile(found, 0.9):.3f}, "
              f"p95 {quantile(found, 0.95):.3f}, largest {found[-1]:.3f}")


def regret(rates, data):
    """How much slower than the fastest measured schedule is what the model takes for that: geometric mean over kernels."""
    kernels = collections.defaultdict(list)
    for kernel, schedule, us, _ in data:
        kernels[kernel.name()].append((model.modelled(rates, kernel, schedule, correct=False), us))
    lost = [math.log(min(times)[1] / min(us for _, us in times)) for times in kernels.values() if len(times) > 3]
    return math.exp(sum(lost) / max(len(lost), 1))


def describe(title, rates, data):
    print(title)
    for kind, some in data.items():
        say(kind, errors(rates, some))
    every = [one for some in data.values() for one in some]
    say("all", errors(rates, every))
    print(f"   what they choose loses {100 * (regret(rates, every) - 1):.1f} %")


def rounded(value):
    return float(f"{value:.3g}")


def write(rates):
    """Puts the rates into the code, each in its place."""
    with open(model.RATES, encoding="utf-8") as file:
        text = file.read()
    begin = text.index("kH200 = {")
    nested = text.index("{/*launch=*/", begin)
    for name, value in rates.items():
        inner = name.startswith("aligned.")
        place = re.compile(rf"(/\*{name[8:] if inner else name}=\*/)[0-9.eE+-]+").search(text, nested if inner else begin)
        if place:
            text = text[:place.start()] + place[1] + f"{value:.10g}" + text[place.end():]
    with open(model.RATES, "w", encoding="utf-8") as file:
        file.write(text)


def command_line(description):
    """What all fits take."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", default=[*glob.glob(os.path.join(DATA, "product-forms*h200.json")),
                                                     os.path.join(DATA, "schedule-measurements-h200.json")])
    parser.add_argument("--leave-out", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--record", help="where to write the errors of kernels left out")
    return parser


def main():
    parser = command_line(__doc__)
    parser.add_argument("--start", choices=("plain", "code"), default="plain")
    args = parser.parse_args()
    files = args.files
    data, left_out = read(files)
    if not data:
        sys.exit("error: no times of schedules that the model knows in the files")
    for why, count in left_out.items():
        print(f"left out: {count} of {why}")
    code = model.rates_in_code()
    describe("the rates as they are", code, data)
    plain = dict(code)
    for start in START.values():
        plain |= start
    plain = completed(plain | {name: value for name, value in HELD.items() if value is not None})
    begin = code if args.start == "code" else plain
    rates = {name: rounded(value) for name, value in fit_all(data, begin).items()}
    describe("fitted", rates, data)
    print("   " + ", ".join(f"{name} {value:.10g}" for name, value in rates.items() if name not in UNRECORDED))
    far = [f"{name} {code[name]:g} -> {rates[name]:g}" for name in rates if abs(rates[name] - code.get(name, 0)) > 0.011 * abs(rates[name])]
    print("   further than 1 % from the code's: " + (", ".join(far) or "none"))
    if args.write:
        write(rates)
    if args.leave_out or args.record:
        names, unseen = sorted({kernel.name() for some in data.values() for kernel, *_ in some}), collections.defaultdict(list)
        for part in range(5):
            out = set(names[part::5])
            seen = {kind: [one for one in some if one[0].name() not in out] for kind, some in data.items()}
            without = fit_all(seen, begin)
            for kind, some in data.items():
                unseen[kind] += errors(without, [one for one in some if one[0].name() in out])
        print("of kernels left out")
        for kind, found in unseen.items():
            say(kind, found)
        say("all", [error for found in unseen.values() for error in found])
        if args.record:
            isolated.save(args.record, {"kind": "product-model", "files": sorted(map(os.path.basename, files)), "left_out_in_fifths": {
                kind: {"times": len(found), "median": round(quantile(sorted(map(abs, found)), 0.5), 4), "p95": round(quantile(sorted(map(abs, found)), 0.95), 4)}
                for kind, found in unseen.items()}})


if __name__ == "__main__":
    main()
