#!/usr/bin/env python3
"""Why random programs move more than the least bytes: what their kernels pass through memory again, and for what reason.

usage: bytes_above_least.py --commit HASH [--count 67] [--first 0] [--size memory] [--out FILE] [--tw-check PATH] [--tw-compile PATH]

Needs no GPU. The programs are those of `random_programs.py fusion` with the same commit. For each one whose modelled bytes through
memory are more than 1.1 of the least, the bytes that its kernels move beyond the least are given to reasons, by what lies between
the kernels that touch the same tensor:

  all of it       all of the tensor is reduced to few numbers that all of it needs again
  rows            the same of long rows or columns
  order           independent kernels that go through it in different orders: reductions over different dimensions, transposes
  parts           one of them takes or makes a part (slice, pad, concatenation), or another shape
  gather, scan    one of them selects by indices, or scans
  passes          one kernel goes over its rows more than once
  stored, …       a tensor between two kernels (named by the kernel that reads it), written and read

`least here` is the least of a machine that has to forget: where a reduction of `slab` bytes has to be complete before what follows
begins, and that needs some large input again, all of these bytes but those that the chip holds pass a second time, once for
each such reduction that needs another's result. What the chip holds: 132 times 256 KB of registers and 227 KB of shared memory, and
40 MB of the L2 cache, 102 MB; beside it, with the cache alone (no kernel stays on the chip while others run). It is a lower
bound: of all inputs that are needed again the smallest counts, and values that would be cheaper to compute again cost nothing.
"""
import collections
import json
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated
from random_programs import CLASSES, first_seed

HELD = 132 * (256 + 227) * 1024 + 40 * 1024 * 1024
CACHED = 40 * 1024 * 1024
WIDTH = {"f32": 4, "bf16": 2, "f16": 2, "i64": 8, "i32": 4, "i1": 1, "f64": 8}
TENSOR = re.compile(r"tensor<((?:\d+x)*)(\w+)>")


def shape_of(text):
    dims, element = TENSOR.match(text).groups()
    return [int(d) for d in dims.split("x")[:-1]], WIDTH.get(element, 4)


def bytes_of(text):
    shape, width = shape_of(text)
    return math.prod(shape) * width


class Source:
    """The program before fusion: for each value the axes of inputs that its dimensions are, and those that were reduced."""

    def __init__(self, text, held):
        self.held, self.parent, self.extent = held, {}, {}
        self.values, self.crossings, self.inputs = {}, {}, {}
        for line in text.splitlines():
            head = re.match(r"func\.func @\w+\((.*)\) -> ", line)
            if head:
                for name, kind in re.findall(r"(%arg\d+): (tensor<[^>]*>)", head.group(1)):
                    self.add_input(name, kind)
            match = re.match(r"\s+(%\w+) = ([\w.]+) ?(.*)", line)
            if match:
                self.add(*match.groups())

    def find(self, axis):
        while self.parent[axis] != axis:
            axis = self.parent[axis]
        return axis

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        self.parent[b] = a
        self.extent[a] = max(self.extent[a], self.extent[b])

    def fresh(self, extent):
        axis = len(self.parent)
        self.parent[axis], self.extent[axis] = axis, extent
        return axis

    def add_input(self, name, kind):
        shape, width = shape_of(kind)
        axes = [(self.fresh(d),) for d in shape]
        self.inputs[name] = (math.prod(shape) * width, axes)
        # Axes of each dimension; inputs it is made of, with the axes reduced on the way; level of its last barrier.
        self.values[name] = (axes, {name: frozenset()}, 0)

    def add(self, name, op, rest):
        kind = TENSOR.findall(rest)
        shape = shape_of("tensor<%s%s>" % kind[-1])[0]
        operands = [o for o in re.findall(r"%\w+", rest.split(" : ")[0]) if o in self.values]
        swept, level = {}, 0
        for operand in operands:
            _, made_of, at = self.values[operand]
            level = max(level, at)
            for source, axes in made_of.items():
                swept[source] = swept.get(source, frozenset()) | axes
        numbers = lambda key: [int(n) for n in re.search(key + r" = \[([^\]]*)\]", rest).group(1).replace(" ", "").split(",") if n]
        first = self.values[operands[0]][0] if operands else [() for _ in shape]
        if op == "graph.broadcast":
            dims = numbers("dims")
            axes = [()] * len(shape)
            for d, of in zip(dims, first):
                axes[d] = of
        elif op == "graph.transpose":
            axes = [first[d] for d in numbers("permutation")]
        elif op == "graph.reshape":
            axes = self.reshaped(first, shape_of("tensor<%s%s>" % kind[0])[0], shape)
        elif op in ("graph.reduce", "graph.softmax", "graph.layer_norm", "graph.rms_norm"):
            dims = numbers("dims") if op == "graph.reduce" else [int(re.search(r"dim = (\d+)", rest).group(1))]
            if op in ("graph.layer_norm", "graph.rms_norm"):
                dims = list(range(dims[0], len(first)))
            kept = {self.find(a) for d, of in enumerate(first) if d not in dims for a in of}
            gone = frozenset({self.find(a) for d in dims for a in first[d]} - kept)
            reduced = {source: axes | gone for source, axes in swept.items()}
            if op == "graph.reduce":
                axes = [of for d, of in enumerate(first) if d not in dims]
                self.values[name] = (axes, reduced, level)
                return
            axes, (swept, level) = list(first), self.needed_again(reduced, level, first)
        elif op == "graph.gather" or op == "graph.scan":
            axes = list(first) if op == "graph.scan" else [(self.fresh(d),) for d in shape]
        else:
            axes = [tuple(of) for of in first]
            for operand in operands[1:]:
                if op == "graph.concat" or op == "graph.pad":
                    continue
                for d, of in enumerate(self.values[operand][0]):
                    if len(axes) > d and len(axes[d]) == 1 and len(of) == 1:
                        self.join(axes[d][0], of[0])
                    elif len(axes) > d and not axes[d]:
                        axes[d] = of
            if operands and op not in ("graph.pad", "graph.concat", "graph.slice"):
                swept, level = self.needed_again(swept, level, axes)
        self.values[name] = (axes, swept, level)

    def reshaped(self, axes, before, after):
        out, i, j = [], 0, 0
        while j < len(after):
            a, b, taken, made = before[i] if i < len(before) else 1, after[j], [i], [j]
            while a != b:
                if a < b:
                    taken.append(taken[-1] + 1)
                    a *= before[taken[-1]]
                else:
                    made.append(made[-1] + 1)
                    b *= after[made[-1]]
            joined = tuple(x for t in taken if t < len(axes) for x in axes[t])
            out += [joined] * len(made)
            i, j = taken[-1] + 1, made[-1] + 1
        return out

    def needed_again(self, swept, level, axes):
        """A value of these axes that needs sums over some of them: what of its inputs passes again."""
        here = {self.find(a) for of in axes for a in of}
        least = None
        for source, gone in swept.items():
            size, own = self.inputs[source]
            mine = {self.find(a) for of in own for a in of}
            lost = {self.find(a) for a in gone} & mine
            if not lost or not lost <= here or size < (1 << 20):
                continue
            slabs = math.prod(self.extent[a] for a in mine - lost)
            over = size - min(size, slabs * self.held)
            if least is None or over < least:
                least = over
        if least:
            level += 1
            self.crossings[level] = min(self.crossings.get(level, least), least)
        # What was reduced is there now; the next reduction starts from it.
        return {source: frozenset() for source in swept}, level

    def again(self):
        return sum(self.crossings.values())


def parse_plan(text):
    launches, kernels = [], {}
    for match in re.finditer(r"graph\.kernel anchor\(\w+\) @(\w+)\(.*?\n  \}", text, re.S):
        kernels[match.group(1)] = set(re.findall(r"= (?:graph\.)?([\w.]+) ", match.group(0)))
    alias = {}
    for line in text.splitlines():
        match = re.match(r"\s*(%\w+)(?::\d+)? = plan\.launch @(\w+)\((.*?)\) \{.*? read = (\d+), written = (\d+)>.*\} : \((.*?)\) -> (.*)", line)
        if match:
            name, kernel, args, read, written, ins, outs = match.groups()
            args = [alias.get(a.strip(), a.strip()) for a in args.split(",") if a.strip()]
            ins, outs = (["tensor<%s%s>" % t for t in TENSOR.findall(part)] for part in (ins, outs))
            results = [name] if len(outs) == 1 else [f"{name}#{i}" for i in range(len(outs))]
            launches.append({"kernel": kernel, "ops": kernels.get(kernel, set()), "read": int(read), "written": int(written),
                             "args": list(zip(args, map(bytes_of, ins))), "results": list(zip(results, map(bytes_of, outs)))})
            continue
        match = re.match(r"\s*(%\w+) = graph\.reshape (%[\w#]+)", line)
        if match:
            alias[match.group(1)] = alias.get(match.group(2), match.group(2))
    returned = re.search(r"plan\.return (.*?) :", text)
    returned = {alias.get(v.strip(), v.strip()) for v in returned.group(1).split(",")} if returned else set()
    return launches, returned


def apart(a, b):
    """Why two kernels that need nothing of one another are two."""
    ops = a["ops"] | b["ops"]
    if "gather" in ops:
        return "gather"
    if "scan" in ops:
        return "scan"
    if ops & {"slice", "pad", "concat"}:
        return "parts"
    return "order"


def reasons_of(text):
    """Bytes that the kernels of a plan move beyond each input and each result once, by reason."""
    launches, returned = parse_plan(text)
    made, needs, found = {}, [], collections.Counter()
    for i, launch in enumerate(launches):
        before = set()
        for value, _ in launch["args"]:
            if value in made:
                before |= {made[value]} | needs[made[value]]
        needs.append(before)
        for value, _ in launch["results"]:
            made[value] = i
    touched = {}
    for i, launch in enumerate(launches):
        once = 0
        for value, size in dict(launch["args"]).items():
            once += size
            if size < 1 << 16:
                continue
            if value not in touched:
                touched[value] = i
                continue
            j = touched[value]
            between = value in made and value not in returned and j == made[value]
            if j in needs[i] and not between:
                small = min((s for k in needs[i] for v, s in launches[k]["results"] if s < size / 8), default=0)
                reason = "all of it" if small <= 64 else "rows"
            elif between:
                reason = "stored, " + ("gather" if "gather" in launch["ops"] else "scan" if "scan" in launch["ops"] | launches[j]["ops"]
                                       else "parts" if launch["ops"] & {"pad", "slice", "concat"} else "reduced" if "reduce" in launch["ops"]
                                       else "order")
                found[reason] += size
            else:
                reason = apart(launches[j], launch)
            found[reason] += size
        over = launch["read"] - once
        if over > 1 << 16:
            found["passes"] += over
        for value, _ in launch["results"]:
            touched.setdefault(value, i)
    return len(launches), found


def classify_one(args, size, seed):
    text = subprocess.run([args.tw_check, f"--random={seed}", f"--memory={size}", "--print"], check=True, capture_output=True,
                          text=True).stdout
    plan = subprocess.run([args.tw_compile, "-", f"--stop-after={args.stop_after}", "-o", "-", f"--target={args.target}", "--jobs=1", *args.flag],
                          input=text, capture_output=True, text=True, check=True).stdout
    read, written, _, least = (int(n) for n in re.search(
        r"plan\.program .*plan\.traffic = array<i64: (\d+), (\d+), (\d+), (\d+)>", plan).groups())
    launches, found = reasons_of(plan)
    return {"program": f"{size}-{seed}", "class": size, "launches": launches, "least_bytes": least, "dram_bytes": read + written,
            "least_here_bytes": least + Source(text, HELD).again(), "least_with_cache_bytes": least + Source(text, CACHED).again(),
            "beyond": dict(found.most_common())}


def classify(args):
    rows, seed = [], first_seed(args.commit)
    for size in args.size or CLASSES:
        for i in range(args.first, args.first + args.count):
            try:
                rows.append(classify_one(args, size, seed + i))
            except subprocess.CalledProcessError as problem:
                print(f"   {size}-{seed + i}: {problem.stderr.strip()[:200]}")
    print(f"   {'program':16} {'launches':>8} {'least MB':>9} {'times':>6} {'here':>6} {'cache':>6}  beyond the least, MB by reason")
    total, first = collections.Counter(), collections.Counter()
    for row in sorted(rows, key=lambda r: -r["dram_bytes"] / r["least_bytes"]):
        if row["dram_bytes"] <= 1.1 * row["least_bytes"]:
            continue
        share = lambda key: row[key] / row["least_bytes"]
        print(f"   {row['program']:16} {row['launches']:8} {row['least_bytes'] / 1e6:9.0f} {share('dram_bytes'):6.2f} "
              f"{share('least_here_bytes'):6.2f} {share('least_with_cache_bytes'):6.2f}  "
              + ", ".join(f"{reason} {size / 1e6:.0f}" for reason, size in row["beyond"].items() if size > 0.02 * row["least_bytes"]))
        total.update(row["beyond"])
        first[next(iter(row["beyond"]), "other")] += 1
    for size in CLASSES:
        mine = [r for r in rows if r["class"] == size]
        within = lambda key, of="least_bytes": sum(r[key] <= 1.1 * r[of] for r in mine)
        if mine:
            print(f"   {size}: {len(mine)} programs; at most 1.1 of the least: {within('dram_bytes')}; of the least with this chip's memory: "
                  f"{within('dram_bytes', 'least_here_bytes')}, with its cache alone: {within('dram_bytes', 'least_with_cache_bytes')}; that can reach "
                  f"1.1: {within('least_here_bytes')}, with the cache alone: {within('least_with_cache_bytes')}")
    print("   programs by their largest reason: " + ", ".join(f"{reason} {n}" for reason, n in first.most_common()))
    print("   GB by reason: " + ", ".join(f"{reason} {size / 1e9:.2f}" for reason, size in total.most_common()))
    if args.out:
        isolated.save(args.out, {"kind": "bytes-above-least", "held_bytes": HELD, "cached_bytes": CACHED, "programs": rows})


def main():
    import argparse
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("--commit", required=True)
    line.add_argument("--count", type=int, default=67, help="programs of each class")
    line.add_argument("--first", type=int, default=0, help="the first of them")
    line.add_argument("--size", action="append", choices=CLASSES)
    line.add_argument("--out")
    line.add_argument("--tw-check", default="build/dev/bin/tw-check")
    line.add_argument("--tw-compile", default="build/dev/bin/tw-compile")
    line.add_argument("--target", default="sm_90a")
    line.add_argument("--stop-after", default="fuse", choices=("fuse", "target"),
                      help="target: bytes as they are once launches are interleaved (--flag=--interleave-launches=on); no reasons")
    line.add_argument("--flag", action="append", default=[], help="another flag of tw-compile")
    classify(line.parse_args())


if __name__ == "__main__":
    main()
