#!/usr/bin/env python3
"""Fits the rates of products' schedules (lib/Target/Cuda/ProductRates.cpp) to measured times, and says what they are worth.

usage: fit_product_model.py [--leave-out] [--rounds 14] FILE…

FILEs are schedule measurements (docs/performance/data, kinds schedule-measurements and product-forms): kernels with a shape,
a layout and schedules with times. The model here is the one of ProductModel.cpp for rings that the tensor memory accelerator
fills, in Python: whoever changes one changes both. Rates are moved one after the other while errors become smaller; a
kernel's schedules together weigh as much as the root of their number. Printed: errors before and after, the loss by taking
what the model finds fastest, and the rates; with --leave-out also the errors of kernels that the fit has not seen, in five
parts.
"""
import argparse
import collections
import json
import math
import re
import sys

# The names and units of ProductRates.h.
RATES = {"launch": 1.22, "wideLaunch": 0.38, "tensorClock": 1.925, "loadedClockLoss": 0.03, "feedClock": 2.6, "slotLatency": 0.98,
         "stepTime": 24.2, "lineTime": 0.307, "misaligned64": 0.67, "misaligned32": 0.64, "misaligned16": 1.7, "rowsAcrossK": 1.74,
         "l2": 18020, "memory": 3500, "storeCycles": 12.4, "instructionCycles": 0.5, "epilogueTime": 615, "exposedEpilogue": 0.5,
         "overlap": 2.43, "exchangeTime": 0.365, "swappedExchangeTime": 0.097, "exchangeRate": 13.8, "swappedStores": 2970,
         "emptyRows": 0.91, "oneTile": 0.12, "directStores": 1318}
FIXED = ("misaligned32", "instructionCycles")
MULTIPROCESSORS, CLOCK = 132, 1.755
INSTRUCTIONS = {"": 0, "gelu": 12, "residual": 2}


def parsed(text):
    """The numbers of a schedule; none where the model here has nothing to say of it."""
    number = lambda name, default: int(match[1]) if (match := re.search(rf"[ <]{name} = (\d+)", text)) else default
    if "product = wgmma" not in text or re.search("stream_k|cluster = |loaders|rotate_k|copy = cp_async", text):
        return None
    registers = [int(x) for x in match.groups()] if (match := re.search(r"registers = \[(\d+), (\d+)\]", text)) else [40, 232]
    rows, columns = (int(x) for x in re.search(r"tile = \[(?:1, )*(\d+), (\d+)\]", text).groups())
    pingpong, warps = "pingpong" in text, number("warps", 4)
    return {"bm": rows, "bn": columns, "reduce": number("reduce", 64), "warps": warps, "stages": number("stages", 2),
            "parts": number("split_k", 1), "swapped": "swap_operands" in text, "pingpong": pingpong, "bulk": "store = bulk" in text,
            "persistent": number("persistent", 0), "resident": 65536 // (128 * registers[0] + 32 * warps * (2 if pingpong else 1) * registers[1])}


def stored_columns(columns):
    """Columns of 16 bits that pieces of one width store of a tile, the last of which begins earlier (StageStores.cpp)."""
    width, widths = math.gcd(columns, 64), []
    while width <= min(columns, 64):
        widths.append((-(-columns // width) * (width + 32), -(-columns // width) * width))
        width *= 2
    return min(widths, key=lambda cost: cost[0])[1]


def most_blocks(parts):
    """Blocks that run at once, one a multiprocessor, in clusters of so many."""
    return MULTIPROCESSORS if parts <= 2 else MULTIPROCESSORS // 11 * 10


def lines(rates, pitch):
    unit = pitch & -pitch
    return 1 + (0 if unit >= 128 else rates["misaligned64"] if unit == 64 else rates["misaligned32"] if unit == 32 else rates["misaligned16"])


def modelled(rates, kernel, s):
    """Microseconds of the kernel under the schedule `s`."""
    m, n, k, up = kernel["m"], kernel["n"], kernel["k"], lambda a, b: -(-a // b)
    lhs_along, rhs_along = kernel["layout"][0] == "n", kernel["layout"][1] == "t"
    lhs, rhs = 2 * (k if lhs_along else m), 2 * (k if rhs_along else n)
    if s["swapped"]:
        m, n, lhs, rhs, lhs_along, rhs_along = n, m, rhs, lhs, rhs_along, lhs_along
    bm, bn, parts, step_bytes = s["bm"], s["bn"], s["parts"], 2 * s["reduce"]
    rows, columns = up(m, bm), up(n, bn)
    blocks = rows * columns * parts
    together = most_blocks(parts) * (1 if s["persistent"] else s["resident"])
    rounds, steps = up(blocks, together), up(up(2 * k, step_bytes), parts)
    # Blocks that share a multiprocessor share its rates, and wait beside one another.
    shares = s["resident"] > 1 and not s["persistent"]
    load = max(1, blocks / MULTIPROCESSORS) if shares else rounds
    clock = rates["tensorClock"] - rates["loadedClockLoss"] * min(1, blocks / MULTIPROCESSORS)
    cycles = rates["storeCycles"] + rates["instructionCycles"] * INSTRUCTIONS[kernel["epilogue"]]
    epilogue = rates["epilogueTime"] + bm * (stored_columns(bn) if s["bulk"] else bn) / (32 * s["warps"]) / parts * cycles / CLOCK
    feed = step_bytes / 128 * (bm / 64 * (64 + bn) + bm + bn)
    alone = max(bm * bn * step_bytes / 4096 / clock, feed / rates["feedClock"]) + rates["stepTime"]
    slots = max(16, s["stages"]) if s["bulk"] and not s["persistent"] and s["stages"] >= steps else s["stages"]
    step = max(alone, (rates["slotLatency"] * 1000 + alone) / slots)
    tile = steps * step
    product = tile + (rounds - 1) * max(tile, (tile + epilogue) / 2) if s["pingpong"] else rounds * tile + (rounds - 1) * rates["exposedEpilogue"] * epilogue
    if shares:
        product = max(rounds * tile, load * steps * alone)

    def rows_of(extent, size, along):
        used = min(extent, size)
        return used * step_bytes / 128 if along else rates["rowsAcrossK"] * s["reduce"] * up(used, math.gcd(size, 64))
    left, right = lines(rates, lhs), lines(rates, rhs)
    rows_in = load * steps * (rows_of(m, bm, lhs_along) * left + rows_of(n, bn, rhs_along) * right)
    through_l2 = 2 * k * (m * columns * left + n * rows * right)
    moved = 2 * k * (m + n) + 2 * m * n
    for extent, tiles, size in ((m, rows, bm), (n, columns, bn)):
        moved *= 1 + rates["emptyRows"] * (1 - extent / (tiles * size))
    power = rates["overlap"]
    body = sum(x ** power for x in (product, rows_in * rates["lineTime"], through_l2 / rates["l2"], moved / rates["memory"])) ** (1 / power)
    exchange = 0
    if parts > 1:
        meeting = rates["swappedExchangeTime"] * (parts - 1) if s["swapped"] else rates["exchangeTime"]
        exchange = meeting * 1000 + load * bm * bn * 4 * (parts - 1) / parts / rates["exchangeRate"]
    stores = 2 * m * n / rates["swappedStores"] if s["swapped"] else 0 if s["bulk"] else 2 * m * n / rates["directStores"]
    wide = rates["wideLaunch"] if s["warps"] > 4 and not s["pingpong"] else 0
    if s["bulk"] and not s["persistent"]:
        wide -= rates["oneTile"]
    return rates["launch"] + wide + (body + epilogue + exchange + stores) / 1000


def read(paths):
    """Pairs of kernel and schedule with the measured time and the kernel's weight."""
    found = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        for entry in record["kernels"]:
            sizes = entry["shape"].split("x")
            if len(sizes) != 3 or entry["layout"] not in ("nn", "nt", "tn", "tt") or entry["epilogue"] not in INSTRUCTIONS:
                continue
            kernel = dict(zip("mnk", map(int, sizes)), layout=entry["layout"], epilogue=entry["epilogue"])
            pitches = (kernel["k" if entry["layout"][0] == "n" else "m"], kernel["k" if entry["layout"][1] == "t" else "n"], kernel["n"])
            if any(pitch % 8 for pitch in pitches):
                continue
            for one in entry["schedules"]:
                if one.get("measured_us") and (schedule := parsed(one["schedule"])):
                    found.append(("x".join(sizes) + entry["layout"] + entry["epilogue"], kernel, schedule, one["measured_us"]))
    counts = collections.Counter(name for name, *_ in found)
    return [(*one, counts[one[0]] ** -0.5) for one in found]


def errors(rates, data):
    return sorted(abs(math.log(modelled(rates, kernel, schedule) / us)) for _, kernel, schedule, us, _ in data)


def loss(rates, data):
    """Squares of relative errors; of large ones, which are other effects, the errors themselves."""
    total = 0
    for _, kernel, schedule, us, weight in data:
        error = abs(math.log(modelled(rates, kernel, schedule) / us))
        total += weight * (error * error if error < 0.15 else 0.3 * error - 0.0225)
    return total


def fit(rates, data, rounds):
    rates, least, steps = dict(rates), loss(rates, data), {name: 0.2 for name in rates if name not in FIXED}
    for _ in range(rounds):
        for name in steps:
            for sign in (1, -1):
                moved = rates | {name: rates[name] * math.exp(sign * steps[name])}
                if (now := loss(moved, data)) < least:
                    least, rates = now, moved
                    steps[name] *= 1.3
                    break
            else:
                steps[name] /= 2
    return rates


def say(title, found):
    print(f"   {title}: {len(found)} times, error median {found[len(found) // 2]:.3f}, p90 {found[len(found) * 9 // 10]:.3f}, largest {found[-1]:.3f}")


def regret(rates, data):
    """How much slower than the fastest measured schedule is what the model takes for that: geometric mean over kernels."""
    kernels = collections.defaultdict(list)
    for name, kernel, schedule, us, _ in data:
        kernels[name].append((modelled(rates, kernel, schedule), us))
    lost = [math.log(min(times)[1] / min(us for _, us in times)) for times in kernels.values() if len(times) > 3]
    return math.exp(sum(lost) / max(len(lost), 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--leave-out", action="store_true")
    parser.add_argument("--rounds", type=int, default=14)
    args = parser.parse_args()
    data = read(args.files)
    if not data:
        sys.exit("error: no times of schedules that the model knows in the files")
    say("the rates as they are", errors(RATES, data))
    print(f"   what they choose loses {100 * (regret(RATES, data) - 1):.1f} %")
    rates = fit(RATES, data, args.rounds)
    say("fitted", errors(rates, data))
    print(f"   what they choose loses {100 * (regret(rates, data) - 1):.1f} %")
    print("   " + ", ".join(f"{name} {value:.4g}" for name, value in rates.items()))
    if args.leave_out:
        names, unseen = sorted({one[0] for one in data}), []
        for part in range(5):
            out = set(names[part::5])
            without = fit(RATES, [one for one in data if one[0] not in out], args.rounds)
            unseen += errors(without, [one for one in data if one[0] in out])
        say("of kernels left out", sorted(unseen))


if __name__ == "__main__":
    main()
