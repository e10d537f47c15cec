#!/usr/bin/env python3
"""The model of products' times (lib/Conversion/GraphToTile/ProductModel.cpp) in Python, for 16-bit operands: what
fit_product_model.py fits and render.py shows. Whoever changes one changes both; test/Documentation/product-model.test holds
them against each other. The rates are those of lib/Target/Cuda/ProductRates.cpp, which are read from there.

usage: product_model.py --tw-compile PATH [--every N] FILE…

A kernel is a product of M, N and K with a layout as BLAS says it ("nt": A as it is, B transposed) and an epilogue; a schedule
is the text of its attribute. Run, it compares the times of the FILEs' schedules (records of docs/performance/data) with those
that the compiler gives them."""
import argparse
import collections
import functools
import json
import math
import os
import re
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RATES = os.path.join(ROOT, "lib", "Target", "Cuda", "ProductRates.cpp")
CORRECTION = os.path.join(ROOT, "lib", "Target", "Cuda", "ProductCorrection.cpp")
# Of an H200 (Target/Cuda/Arch): multiprocessors, clock, registers and bytes that blocks share.
SMS, CLOCK, REGISTERS, SHARED = 132, 1.98, 65536, 227 * 1024
BYTES = 2
FLOPS_PER_CYCLE, SHARED_PER_CYCLE, LINE, BULK = 4096, 128, 128, 16
MOST_RESIDENT, ALL_SLOTS = 4, 16
# Of a GPC: multiprocessors, how many there are, and bytes a nanosecond, about; rounds that are looked at, and blocks between windows.
GPC_SMS, GPCS, GPC_RATE, ROUNDS, WINDOW_STEP = 16, 8, 2000, 3, 8
# Bytes a nanosecond that results take to memory by themselves, and the logarithm that a correction has at most.
STORED_RATE, MOST_CORRECTED = 4200, 0.3
# Instructions on each element after the product (TileBudget: instructionsOf).
INSTRUCTIONS = {"": 2, "gelu": 28, "residual": 4}


def rates_in_code(path=RATES):
    """The rates of the H200 by their names; those of single warps that copy 16 bytes begin with `aligned.`."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    body = text[text.index("kH200 = {"):]
    body = body[:body.index("};")]
    found, prefix = {}, ""
    for brace, name, value in re.findall(r"(\{?)/\*(\w+)=\*/([0-9.eE+-]+)", body):
        prefix = "aligned." if brace else prefix
        found[prefix + name] = float(value)
    return found


def up(a, b):
    return -(-a // b)


class Kernel:
    """A product as it lies in memory."""

    def __init__(self, m, n, k, layout, epilogue=""):
        self.m, self.n, self.k, self.layout, self.epilogue = m, n, k, layout, epilogue
        # Of one row, one column or one K the stride is nobody's.
        self.along_k = (layout[0] == "n" and (k > 1 or m == 1) or m == 1, layout[1] == "t" and (k > 1 or n == 1) or n == 1)
        stored = ((m, k) if layout[0] == "n" else (k, m), (n, k) if layout[1] == "t" else (k, n))
        self.pitches, self.pieces = [], []
        for (outer, inner), along, extent in zip(stored, self.along_k, (m, n)):
            strided = outer > 1 and inner > 1
            pitch = inner * BYTES
            self.pieces.append(pitch & -pitch if strided and pitch % BULK else 0)
            self.pitches.append(pitch if strided else (k if along else extent) * BYTES)
        self.instructions = INSTRUCTIONS[epilogue]

    def name(self):
        return f"{self.m}x{self.n}x{self.k}-{self.layout}{'-' + self.epilogue if self.epilogue else ''}"


@functools.lru_cache(maxsize=None)
def parsed(text):
    """The numbers of a schedule; none where the model here has nothing to say of it."""
    number = lambda name, default: int(match[1]) if (match := re.search(rf"[ <]{name} = (\d+)", text)) else default
    if re.search("stream_k|rotate_k|copy = cp_async|left = |convert", text):
        return None
    rows, columns = (int(x) for x in re.search(r"tile = \[(?:1, )*(\d+), (\d+)\]", text).groups())
    registers = [int(x) for x in match.groups()] if (match := re.search(r"registers = \[(\d+), (\d+)\]", text)) else [0, 0]
    along_n = int(re.search(r"warp_grid = \[(?:\d+, )*(\d+)\]", text).group(1))
    cluster = [int(x) for x in match.groups()] if (match := re.search(r"cluster = \[(\d+), (\d+)\]", text)) else [1, 1]
    return {"wgmma": "product = wgmma" in text, "fma": "product = fma" in text, "bm": rows, "bn": columns, "reduce": number("reduce", 1),
            "warps": number("warps", 4), "stages": number("stages", 1), "parts": number("split_k", 1), "swapped": "swap_operands" in text,
            "pingpong": "pingpong" in text, "bulk": "store = bulk" in text, "persistent": number("persistent", 0), "registers": registers,
            "loaders": number("loaders", 1), "cluster": cluster, "along_n": along_n, "roles": "roles = " in text,
            "group": int(match[1]) if (match := re.search(r"grouped<(\d+)>", text)) else 0}


def stored_columns(columns):
    """Columns of 16 bits that pieces of one width store of a tile, the last of which begins earlier (AsyncAccess.cpp)."""
    span = LINE // BYTES
    width, widths = math.gcd(columns, span), []
    while width <= min(columns, span):
        widths.append((up(columns, width) * (width + 32), up(columns, width) * width))
        width *= 2
    return min(widths, key=lambda cost: cost[0])[1]


def blocks_at_once(blocks):
    return SMS if blocks <= 2 else SMS // 11 * 10


def resident_blocks(s):
    if s["persistent"] or not s["roles"] or not s["registers"][1]:
        return 1
    registers = 32 * (4 * s["loaders"] * s["registers"][0] + s["warps"] * (2 if s["pingpong"] else 1) * s["registers"][1])
    ring = s["stages"] * s["reduce"] * BYTES * (s["bm"] + s["bn"])
    return max(1, min(MOST_RESIDENT, REGISTERS // registers, SHARED // ring))


def lines(r, pitch, sharers=1, filled=1):
    """Lines that a row of 128 bytes counts for, `filled` of which are bytes of the operand: of what is beyond these each of the blocks
    that share the row asks for a part."""
    unit = pitch & -pitch
    beyond = 0 if unit >= 128 else r["misaligned64"] if unit == 64 else r["misaligned32"] if unit == 32 else r["misaligned16"]
    return filled + (1 - filled + beyond) / sharers


def through_registers(piece):
    return 0 < piece < 4


def aligned_by_warps(kernel, s):
    return not s["wgmma"] and not any(kernel.pieces) and kernel.k <= 12 * s["reduce"]


def family(kernel, s):
    """Which of the models a schedule has: rings of warpgroups, those that threads fill, or single warps."""
    if s["wgmma"]:
        return "threads" if any(kernel.pieces) else "rings"
    return "none" if s["fma"] else "aligned" if aligned_by_warps(kernel, s) else "warps"


def model_warps(r, kernel, s):
    m, n, k = kernel.m, kernel.n, kernel.k
    bm, bn, bk = s["bm"], s["bn"], s["reduce"]
    blocks, steps = up(m, bm) * up(n, bn), up(k, bk)
    on_one = up(blocks, SMS)
    copied = lambda rows, piece: rows * bk * (r["warpElement"] if through_registers(piece) else r["warpWord"])
    copies = copied(bm, kernel.pieces[0]) + copied(bn, kernel.pieces[1])
    flops = 2 * bm * bn * bk / (FLOPS_PER_CYCLE * r["warpShare"] * min(1, min(bm, bn) / 64)) / CLOCK
    staged = any(map(through_registers, kernel.pieces))
    latency = (r["warpStagedLatency"] if staged else r["warpLatency"]) * bk / 32
    resident = max(1, r["warpsResident"] / s["warps"])
    body = max(math.ceil(on_one / resident) * steps * latency, on_one * steps * max(copies, flops))
    waves = max(1, on_one / resident) if n * BYTES % BULK == 0 else 1
    share = 1 / waves
    stored = m * n * BYTES / r["warpStores"] * (2 + share) / 3
    return r["warpLaunch"] + (max(body, stored) + min(body, stored) * share) / 1000


def model_aligned_warps(rates, kernel, s):
    r = {name[8:]: value for name, value in rates.items() if name.startswith("aligned.")}
    m, n, k = kernel.m, kernel.n, kernel.k
    bm, bn, bk = s["bm"], s["bn"], s["reduce"]
    blocks, steps, stages = up(m, bm) * up(n, bn), up(k, bk), max(s["stages"], 2)
    on_one, elements = up(blocks, SMS), (bm + bn) * bk
    resident = max(1, min(r["resident"] / s["warps"], SHARED / (elements * stages * BYTES)))
    flops = 2 * bm * bn * bk / (FLOPS_PER_CYCLE * r["share"] * min(1, min(bm, bn) / 64)) / CLOCK
    step = r["step"] * bk / 32
    if steps >= stages:
        step = max(step, r["latency"] / (stages - 1))
    waits = math.ceil(on_one / resident) * steps * step
    works = on_one * steps * max(elements * r["element"], flops)
    moved = k * BYTES * (m + n) / r["memory"]
    body = (waits ** r["overlap"] + works ** r["overlap"] + moved ** r["overlap"]) ** (1 / r["overlap"])
    body = max(body, blocks / r["starts"])
    share = min(1, resident / on_one)
    stored = m * n * BYTES / r["stores"] * (2 + share) / 3
    return r["launch"] + (max(body, stored) + min(body, stored) * share) / 1000


def step_of_threads(r, step, kernel, s, sides):
    """What a step takes when threads fill slots."""
    copies = 0
    for size, along, piece in sides:
        row_bytes = (s["reduce"] if along else size) * BYTES
        rows = (size if along else s["reduce"]) * up(row_bytes, LINE)
        copies += rows * (0 if not piece else r["elementRow"] if through_registers(piece) else r["wordRow"] if piece == 4 else r["wideRow"])
    if not copies:
        return step
    step = max(step, copies)
    if any(map(through_registers, kernel.pieces)):
        return max(step, r["stagedStep"] / s["loaders"])
    return max(step, (r["slotLatency"] * 1000 + step) / max(s["stages"] - 2, 1))


def slot_columns(columns):
    """Columns of a slot of an operand that is contiguous along them (AsyncAccess.cpp)."""
    span = LINE // BYTES
    return columns if columns % (span // 2) == 0 and columns <= 3 * (span // 2) else up(columns, span) * span


def span_of(columns):
    """Bytes of the rows in which such a tile comes."""
    return math.gcd(slot_columns(columns) * BYTES, LINE)


def parts_of_rings(r, kernel, s):
    """The parts of the time of a schedule of warpgroups, in nanoseconds: those that overlap, and those that add up; and the
    numbers of its tiles and steps."""
    m, n, k = kernel.m, kernel.n, kernel.k
    (lhs, rhs), (lhs_piece, rhs_piece), (lhs_along, rhs_along) = kernel.pitches, kernel.pieces, kernel.along_k
    if s["swapped"]:
        m, n, lhs, rhs, lhs_piece, rhs_piece, lhs_along, rhs_along = n, m, rhs, lhs, rhs_piece, lhs_piece, rhs_along, lhs_along
    bm, bn, parts, step_bytes, staged = s["bm"], s["bn"], s["parts"], BYTES * s["reduce"], s["bulk"]
    cluster_m, cluster_n = s["cluster"]
    rows, columns = up(m, bm), up(n, bn)
    # The last clusters may have more tiles than there are.
    blocks = up(rows, cluster_m) * cluster_m * up(columns, cluster_n) * cluster_n * parts
    resident = resident_blocks(s)
    together = resident * blocks_at_once(max(parts, cluster_m * cluster_n))
    rounds, load = up(blocks, together), min(1, blocks / SMS)
    of_one = max(1, blocks / SMS) if resident > 1 else rounds
    clock = r["tensorClock"] - r["loadedClockLoss"] * load
    steps = up(up(k * BYTES, step_bytes), parts)
    cycles = r["storeCycles"] + r["instructionCycles"] * kernel.instructions
    epilogue = bm * bn / (32 * s["warps"]) / parts * cycles / CLOCK
    if staged:
        epilogue *= stored_columns(bn) / bn
    epilogue += r["epilogueTime"]
    tensor = bm * bn * (step_bytes / 2) * 2 / FLOPS_PER_CYCLE
    feed = step_bytes / SHARED_PER_CYCLE * (bm // 64 * (64 * s["along_n"] + bn) + bm + bn)
    alone = max(tensor / clock, feed / r["feedClock"]) + r["stepTime"]
    slots = s["stages"]
    if not s["persistent"] and slots >= steps:
        slots = max(slots, ALL_SLOTS)
    step = max(alone, (r["slotLatency"] * 1000 + alone) / slots)
    step = step_of_threads(r, step, kernel, s, ((bm, lhs_along, lhs_piece), (bn, rhs_along, rhs_piece)))
    tile = steps * step
    product = tile + (rounds - 1) * max(tile, (tile + epilogue) / 2) if s["pingpong"] else rounds * tile + (rounds - 1) * r["exposedEpilogue"] * epilogue
    steps_of_one = rounds * steps
    if resident > 1:
        steps_of_one = of_one * steps
        product = max(rounds * tile, steps_of_one * alone)

    def rows_of(extent, size, along):
        used = min(extent, size)
        if along:
            return used * step_bytes / LINE
        return r["rowsAcrossK"] * s["reduce"] * up(used * BYTES, span_of(size))

    def pitch_of(pitch, size, along):
        return pitch if along or span_of(size) < LINE else pitch | size * BYTES
    lhs, rhs = pitch_of(lhs, bm, lhs_along), pitch_of(rhs, bn, rhs_along)
    left, right = rows_of(m, bm, lhs_along), rows_of(n, bn, rhs_along)
    asked = blocks * steps * (left * lines(r, lhs) / cluster_n + right * lines(r, rhs) / cluster_m)

    def filled(extent, size, along):
        used = min(extent, size) * BYTES
        return 1 if along else used / (up(used, span_of(size)) * LINE)
    left = left * lines(r, lhs, cluster_n, filled(m, bm, lhs_along))
    right = right * lines(r, rhs, cluster_m, filled(n, bn, rhs_along))
    moved = k * BYTES * (m + n) + m * n * BYTES
    if not lhs_piece and not rhs_piece:
        for extent, tiles, size in ((m, rows, bm), (n, columns, bn)):
            moved *= 1 + r["emptyRows"] * (1 - extent / (tiles * size))
    exchange = 0
    if parts > 1:
        meeting = r["swappedExchangeTime"] * (parts - 1) if s["swapped"] else r["exchangeTime"]
        rate = r["swappedExchangeRate" if s["swapped"] else "exchangeRate"]
        exchange = meeting * 1000 + of_one * bm * bn * 4 * (parts - 1) / parts / rate
    stored, width = m * n * BYTES, kernel.n * BYTES
    scattered = 0
    if s["swapped"] and not staged:
        scattered = stored / r["swappedStores"]
    elif not staged and width % BULK == 0:
        scattered = stored / r["directStores"]
    elif width % BULK:
        scattered = stored / (r["elementStores"] if not staged else r["rowStores"] if width % 4 else r["wordRowStores"])
    memory = moved / r["memory"] + r["rampTime"] * (1 - math.exp(-moved / r["rampBytes"]))
    launch = r["launch"] + (r["wideLaunch"] if s["warps"] > 4 and not s["pingpong"] else 0)
    if cluster_m * cluster_n > 1:
        size = cluster_m * cluster_n
        launch += r["clusterLaunch"] if s["persistent"] else r["clusterOnce"] * math.ceil(math.log2(size)) + (r["clusterPair"] if size == 2 else 0)
    if staged and not s["persistent"]:
        launch -= r["oneTile"]
    if not s["persistent"]:
        launch += r["laterBlocks"] * (up(blocks, SMS) - 1)
    overlapping = {"product": product, "rows": steps_of_one * (left + right) * r["lineTime"], "l2": asked * LINE / r["l2"], "memory": memory}
    added = {"launch": launch * 1000, "epilogue": epilogue, "exchange": exchange, "scattered": scattered}
    return overlapping, added, {"blocks": blocks, "together": together, "steps": steps, "rows": rows, "columns": columns, "rounds": rounds,
                                "resident": resident}


@functools.lru_cache(maxsize=None)
def busiest_load(walk, rows_of_tile, columns_of_tile):
    """Rows and columns of operands that the busiest GPC loads in a round: the mean of the first rounds (TileOrder.cpp)."""
    rows, columns, group, cluster_m, cluster_n, parts, grid, resident = walk
    size = cluster_m * cluster_n * parts
    total = rows * columns * size
    grid, group = min(grid, total), min(up(group, cluster_m), rows) if group else 1

    def operands(block):
        part, number = block % parts, block // parts
        inside, number = number % (cluster_m * cluster_n), number // (cluster_m * cluster_n)
        first, in_group = number // (group * columns) * group, number % (group * columns)
        height = min(group, rows - first)
        row = (first + in_group % height) * cluster_m + inside % cluster_m
        return (part, row), (part, in_group // height * cluster_n + inside // cluster_m)

    found, rounds = 0, min(ROUNDS, up(total, grid))
    for number in range(rounds):
        blocks = range(number * grid, min((number + 1) * grid, total))
        if size == 1:
            window, step = GPC_SMS * resident, WINDOW_STEP * resident
            windows = [blocks[first:first + window] for first in range(0, max(len(blocks) - window + step, 1), step)]
        else:
            windows = [[block for first in range(start * size, len(blocks), GPCS * size) for block in blocks[first:first + size]] for start in range(GPCS)]
        pairs = [list(zip(*map(operands, window))) for window in windows if window]
        found += max(len(set(left)) * rows_of_tile + len(set(right)) * columns_of_tile for left, right in pairs)
    return found / rounds


@functools.lru_cache(maxsize=1)
def correction_in_code(path=CORRECTION):
    """Of each feature its name, mean and deviation; and the coefficients (lib/Target/Cuda/ProductCorrection.h)."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    features = [(name, float(mean), float(deviation)) for name, mean, deviation in
                re.findall(r"\{/\*(\w+)=\*/([0-9.eE+-]+), ([0-9.eE+-]+)\}", text)]
    numbers = text[text.index("kCoefficients[] = {"):]
    return features, [float(number) for number in re.findall(r"[0-9.eE+-]+", numbers[numbers.index("{") + 1:numbers.index("}")])]


def features_of_rings(r, kernel, s):
    """What the correction of rings' times depends on (ProductModel.cpp, where modelProduct ends)."""
    overlapping, added, numbers = parts_of_rings(r, kernel, s)
    body, whole = overlapped(r, overlapping), 1000 * time_of_rings(r, kernel, s)
    m, n = (kernel.n, kernel.m) if s["swapped"] else (kernel.m, kernel.n)
    stored, width = kernel.m * kernel.n * BYTES / STORED_RATE / whole, kernel.n * BYTES
    walk = (up(numbers["rows"], s["cluster"][0]), up(numbers["columns"], s["cluster"][1]), s["group"], *s["cluster"], s["parts"],
            s["persistent"] or numbers["resident"] * SMS, numbers["resident"])
    gpc = numbers["rounds"] * numbers["steps"] * busiest_load(walk, s["bm"], s["bn"]) * BYTES * s["reduce"] / GPC_RATE / whole
    return ({name: time / body for name, time in overlapping.items()} | {name: time / whole for name, time in added.items()} | {
        "tileRows": s["bm"], "tileColumns": math.log2(s["bn"]), "ring": s["stages"] * s["reduce"], "parts": math.log2(s["parts"]),
        "bulk": s["bulk"], "persistent": s["persistent"] > 0, "pingpong": s["pingpong"], "alongN": s["along_n"],
        "clusterM": math.log2(s["cluster"][0]), "clusterN": math.log2(s["cluster"][1]),
        "rightAlongK": kernel.along_k[0 if s["swapped"] else 1], "steps": math.log2(numbers["steps"]),
        "blocks": math.log2(max(1, numbers["blocks"] / SMS)), "whole": math.log(whole),
        "usedRows": m / (numbers["rows"] * s["bm"]), "usedColumns": n / (numbers["columns"] * s["bn"]),
        "group": math.log2(s["group"]) if s["group"] else -1, "warps": s["warps"], "stored": stored,
        "partSectors": stored if s["bn"] % 16 and not s["swapped"] else 0, "resultUnit": min(12, (width & -width).bit_length() - 1),
        "lastRound": (numbers["blocks"] % numbers["together"] or numbers["together"]) / numbers["together"],
        "rowsOfTiles": math.log2(numbers["rows"]), "columnsOfTiles": math.log2(numbers["columns"]), "gpc": gpc,
        "operands": math.log2(kernel.k * BYTES * (kernel.m + kernel.n) / 1e6 + 0.1)})


def terms_of(features, places):
    """The terms of a polynomial of second degree in the features, each relative to its mean and deviation."""
    values = [1.0, *(float(max(-3, min(3, (features[name] - mean) / deviation))) for name, mean, deviation in places)]
    return [value * other for i, value in enumerate(values) for other in values[:i + 1]]


def corrected(features, table):
    """The logarithm of the factor by which a time is corrected."""
    places, coefficients = table
    found = sum(map(float.__mul__, coefficients, terms_of(features, places)))
    return max(-MOST_CORRECTED, min(MOST_CORRECTED, found))


def overlapped(r, overlapping):
    """The sum of times that overlap."""
    return sum(time ** r["overlap"] for time in overlapping.values()) ** (1 / r["overlap"])


def time_of_rings(r, kernel, s):
    """Microseconds under a schedule of warpgroups by the rates alone."""
    overlapping, added, _ = parts_of_rings(r, kernel, s)
    waits = 1 + r["clusterWaits"] if s["persistent"] and s["cluster"] != [1, 1] else 1
    return (overlapped(r, overlapping) * waits + sum(added.values())) / 1000


def modelled(r, kernel, s, correct=True):
    """Microseconds of the kernel under the schedule `s`; without the correction those of the rates alone."""
    kind = family(kernel, s)
    if kind == "warps":
        return model_warps(r, kernel, s)
    if kind == "aligned":
        return model_aligned_warps(r, kernel, s)
    factor = math.exp(corrected(features_of_rings(r, kernel, s), correction_in_code())) if kind == "rings" and correct else 1
    return time_of_rings(r, kernel, s) * factor


# --- Against the compiler's own -----------------------------------------------------------------------------------------


def program(kernel, schedule):
    """The product as one kernel under the schedule, before the tile stage, its operands as they lie."""
    m, n, k = kernel.m, kernel.n, kernel.k
    typed = lambda *sizes: f"tensor<{'x'.join(map(str, sizes))}xbf16>"
    stored = {"a": ((m, k), kernel.layout[0] == "t"), "b": ((k, n), kernel.layout[1] == "t")}
    types = {name: typed(*(shape[::-1] if turned else shape)) for name, (shape, turned) in stored.items()}
    turns = "".join(f"  %{name}t = graph.transpose %{name} permutation = [1, 0] : {types[name]} to {typed(*shape)}\n"
                    for name, (shape, turned) in stored.items() if turned)
    used = {name: f"%{name}{'t' if turned else ''}" for name, (_, turned) in stored.items()}
    a, b, c = types["a"], types["b"], typed(m, n)
    return (f'plan.program @main(%a: {a} {{plan.name = "a"}}, %b: {b} {{plan.name = "b"}}) -> ({c} {{plan.name = "c"}}) {{\n'
            f"  %0 = plan.launch @product(%a, %b) : ({a}, {b}) -> {c}\n  plan.return %0 : {c}\n}}\n"
            f"graph.kernel anchor(matmul) @product(%a: {a}, %b: {b}) -> {c} attributes {{tile.schedule = {schedule}}} {{\n{turns}"
            f"  %0 = graph.matmul {used['a']}, {used['b']} : {typed(m, k)}, {typed(k, n)} to tensor<{m}x{n}xf32>\n"
            f"  %1 = arith.truncf %0 : tensor<{m}x{n}xf32> to {c}\n  graph.return %1 : {c}\n}}\n")


def compilers_time(tool, kernel, schedule):
    """Microseconds that the compiler gives the kernel under the schedule; none where it refuses that."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "product.mlir")
        with open(source, "w", encoding="utf-8") as file:
            file.write(program(kernel, schedule))
        command = [tool, source, "-o", os.path.join(folder, "product.tw"), "--target=sm_90a", "--emulation=off", "--records=none",
                   "--start-from=tile", "--stop-after=tile", f"--dump-stages={folder}"]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None
        with open(os.path.join(folder, "03-tile.mlir"), encoding="utf-8") as file:
            found = re.search(r'by = "program", us = ([0-9.eE+-]+)', file.read())
        return float(found[1]) if found else None


def main():
    """Says of how many recorded schedules the model here and the compiler's differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="records of schedules' times")
    parser.add_argument("--tw-compile", required=True)
    parser.add_argument("--every", type=int, default=1, help="only every so many-th schedule of each kind")
    args = parser.parse_args()
    found = {}
    for path in sorted(args.files):
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        for entry in record["kernels"]:
            sizes = entry["shape"].split("x")
            if len(sizes) == 3 and entry["layout"] in ("nn", "nt", "tn", "tt") and not entry["epilogue"]:
                for one in entry["schedules"]:
                    kernel = Kernel(*map(int, sizes), entry["layout"])
                    if (schedule := parsed(one["schedule"])) and family(kernel, schedule) != "none":
                        found[kernel.name(), one["schedule"]] = (kernel, schedule)
    rates, compared, families = rates_in_code(), 0, collections.Counter()
    by_family = collections.defaultdict(list)
    for one in found.items():
        by_family[family(*one[1])].append(one)
    for (name, text), (kernel, schedule) in (one for some in by_family.values() for one in some[::args.every]):
        theirs, ours = compilers_time(args.tw_compile, kernel, text), modelled(rates, kernel, schedule)
        if theirs is None:
            continue
        compared += 1
        families[family(kernel, schedule)] += 1
        if abs(theirs / ours - 1) > 1e-6:
            print(f"   {name} under {text}: {theirs:.4f} us by the compiler, {ours:.4f} here")
    print(f"   {compared} compared: " + ", ".join(f"{count} {kind}" for kind, count in sorted(families.items())))


if __name__ == "__main__":
    main()
