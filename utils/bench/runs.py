#!/usr/bin/env python3
"""All runs of the measured works, of whatever day and commit: docs/performance/data/measured-runs.json, and what it says.

usage: runs.py add --runs FILE --day YYYY-MM-DD RECORD.json…
       runs.py history --runs FILE RECORD.json…

A record of docs/performance/data holds the last run. `add` appends it to the runs: those rows of it that are not there yet,
under the commit that they were measured at, the day, the driver and PyTorch (`utils/measurements merge` calls it). `history`
takes a record's earlier versions from git, each under the day on which it was recorded. A row is known by its work, size and
type: where these change it is another row. What is kept are medians and quartiles, µs, of ours and its peers; of the sweep and
the random programs, whose shapes are drawn anew for every commit, the means of classes. Runs of older commits ran other code:
the page names commits, and only the last one's row is judged.
"""
import argparse
import itertools
import json
import math
import os
import re
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated  # noqa: E402

# What is asked of a row: peer, protocol and the speed over it. `best` is the faster of cuBLAS and cuBLASLt's best.
ASKED = {
    "product-rows": {
        "8192": [("cublas", "mix", 1.03), ("cublas", "burst", 1.02), ("cublaslt", "burst", 1.0)],
        "4096": [("cublas", "mix", 1.04), ("cublas", "burst", 1.02), ("cublaslt", "burst", 1.0)],
        "2048": [("cublas", "burst", 1.02)], "1024": [("cublas", "burst", 1.0)],
        "wide-14336": [("cublas", "burst", 1.02), ("cublaslt", "burst", 0.99)],
        "deep-14336": [("cublas", "burst", 1.0), ("cublaslt", "burst", 1.0)],
        "rows-128": [("best", "burst", 1.3)], "rows-16": [("best", "burst", 1.2)], "rows-1": [("best", "burst", 1.35)],
        "1000": [("best", "burst", 1.15)], "odd-4097": [("best", "burst", 3.5)], "fp16-4096": [("best", "burst", 1.0)],
        "gelu-4096": [("cublas", "burst", 1.02)], "gelu-14336": [("cublas", "burst", 1.02)],
        "residual-4096": [("cublas", "burst", 1.06)], "residual-14336": [("cublas", "burst", 1.02)], "swiglu-14336": [("cublas", "burst", 1.04)]},
    "product-chains": {"2048": [("cublas", "burst", 1.1)], "1024": [("cublas", "burst", 1.3)], "rows-16": [("cublas", "burst", 1.35)],
                       "rows-1": [("cublas", "burst", 1.5)]},
    "product-types": {name: [("torch", "burst", 1.0)] for name in ("fp8-8192-fast", "fp8-8192", "fp8-4096-fast", "fp8-4096", "int8-4096", "fp16-4096", "tf32-4096")}
                     | {"fp32x3-4096": [("torch", "burst", 2.0)]},
    "memory-programs": {
        "chain of 6, 64 M elements": [("peers", "burst", 1.01), ("copy", "burst", 0.97)],
        "bias + gelu (erf) 8192x8192": [("peers", "burst", 1.25), ("copy", "burst", 0.93)], "bias + gelu (tanh) 8192x8192": [("copy", "burst", 0.96)],
        "softmax 8192x8192": [("peers", "burst", 1.01), ("copy", "burst", 0.96)], "softmax 4096x32768": [("peers", "burst", 1.28), ("copy", "burst", 0.94)],
        "softmax 32768x1024": [("peers", "burst", 1.03), ("copy", "burst", 0.96)],
        "softmax 512x262144 f32": [("copy", "burst", 0.92)], "softmax 512x262144 bf16": [("copy", "burst", 0.92)],
        "layer norm 8192x4096": [("peers", "burst", 1.05), ("copy", "burst", 0.96)], "layer norm 32768x1024": [("peers", "burst", 1.03), ("copy", "burst", 0.96)],
        "rms norm 8192x4096": [("copy", "burst", 0.96)], "rms norm 32768x1024": [("copy", "burst", 0.96)],
        "add + rms norm 8192x4096": [("copy", "burst", 0.97)], "add + rms norm 32768x1024": [("copy", "burst", 0.97)],
        "layer norm + int8 rows 8192x4096": [("peers", "burst", 2.6), ("copy", "burst", 0.93)],
        "layer norm + int8 rows 32768x1024": [("peers", "burst", 1.2), ("copy", "burst", 0.93)],
        "transpose 8192x8192": [("copy", "burst", 0.94)], "embedding gather 32768 of 128256x2048": [("copy", "burst", 0.97)],
        "rope 4x4096x32x128": [("copy", "burst", 0.97)], "column sum 8192x8192 f32": [("copy", "burst", 0.88)],
        "variance over (0, 2) of 64x256x8192 f32": [("copy", "burst", 0.88)], "cumsum rows 8192x8192 f32": [("copy", "burst", 0.88)],
        "cumsum columns 8192x8192 f32": [("copy", "burst", 0.88)], "top-k 50 of 64x128256": [("peers", "burst", 5.0)]}
        | {"permute 64x96x128x80 to " + "".join(order): [("copy", "burst", 0.82)] for order in list(itertools.permutations("0123"))[1:]}}
PEERS = {"best": "the best peer", "peers": "the best peer", "cublas": "cuBLAS", "cublaslt": "Lt best", "torch": "torch", "copy": "a copy"}
OWN = {"product-rows": ("records", "model"), "product-chains": ("early",), "product-types": ("model",), "memory-programs": ("tilewright",)}


def machine_of(record):
    """What a record was measured on."""
    parts = (one for of in ("programs", "blocks") for one in record.get(of, ()))
    return record.get("machine") or next((one["machine"] for one in parts if "machine" in one), {})


def other_model(gpu):
    """The model of a GPU that is none of those that figures are asked of, as file names have it: h100; else nothing."""
    model = re.search(r"\b[A-Z]+\d+\b", gpu)
    return "" if not model or model[0] == "H200" else model[0].lower()


def sample(result):
    return {mode: [result[mode]["median"], result[mode].get("q1", result[mode]["median"]), result[mode].get("q3", result[mode]["median"])]
            for mode in ("burst", "mix") if mode in result and "median" in result[mode]}


def timed(results, labels=None):
    return {label: sample(one) for label, one in results.items() if (labels is None or label in labels) and isinstance(one, dict) and sample(one)}


def rows_of(record):
    """Work, its commit and what is kept of it, for each row of a record."""
    kind, machine = record["kind"], record.get("machine", {})
    of = lambda row: row.get("machine", {}).get("commit") or machine.get("commit")
    if kind == "product-rows":
        for row in record["rows"]:
            yield f"{row['name']}|{row['m']}x{row['n']}x{row['k']} {row['dtype']} {row['epilogue']}".strip(), of(row), {
                "runs": row.get("runs", 1), "times": timed(row["results"], ("records", "model", "cublas", "cublaslt"))}
    elif kind == "product-types":
        for row in record["products"]:
            yield f"{row['product']}|{'x'.join(map(str, row['shape']))}", of(row), {"times": timed(row["results"], ("model", "torch"))}
    elif kind == "product-chains":
        for row in record["chains"]:
            every = timed(row["results"])
            fastest = lambda early: min((one for label, one in every.items() if label != "cublas" and label.endswith("-pdl") == early), key=lambda one: one["burst"][0])
            yield f"{row['chain']}|{'x'.join(map(str, row['shape']))}", of(row), {
                "times": {"cublas": every["cublas"], "early": fastest(True), "plain": fastest(False)}}
    elif kind == "memory-programs":
        for row in record["programs"]:
            if "burst" in row:
                labels = {label: {mode: row[mode][label] for mode in ("burst", "mix") if label in row.get(mode, {})} for label in row["burst"]}
                yield f"{row['program']}|{row['bytes_read']} read, {row['bytes_written']} written", of(row) or record["programs"][0]["machine"]["commit"], {"times": timed(labels)}
    elif kind == "product-sweep":
        import product_sweep
        for title, count, mean, worst, _ in product_sweep.summary(record):
            yield f"{title}|drawn", of({}), {"class": [count, round(mean, 4), round(worst, 4)]}
    elif kind == "random-programs":
        every = [one for one in record["programs"] if "burst" in one and "torch.compile" in one["burst"]]
        for title in ("launch", "cache", "memory", "all"):
            speeds = [one["burst"]["torch.compile"]["median"] / one["burst"]["tilewright"]["median"] for one in every if title in ("all", one["class"])]
            if speeds:
                yield f"{title}|drawn", of(every[0]), {"class": [len(speeds), round(math.exp(statistics.fmean(map(math.log, speeds))), 4), round(min(speeds), 4)]}


def add(runs, record, day, day_of="measuring"):
    """Puts the rows of a record into the runs, each once; the number of new ones. `day_of`: what the day is that of."""
    machine = machine_of(record)
    mine, new = runs["of"].setdefault(record["kind"], []), 0
    for work, commit, row in rows_of(record):
        commit = (commit or "unknown")[:7]
        same = [run for run in mine if run["commit"] == commit]
        if any(run["rows"].get(work) == row for run in same):
            continue
        run = next((run for run in same if work not in run["rows"] and run["day"] == day), None)
        if not run:
            run = {"commit": commit, "day": day, "day_of": day_of, "rows": {}} | {key: machine[key] for key in ("gpu", "driver", "torch", "cuda") if machine.get(key)}
            mine.append(run)
        run["rows"][work] = row
        new += 1
    return new


def median_and_quartiles(values):
    if len(values) < 3:
        return statistics.median(values), min(values), max(values)
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return middle, low, high


def ratio(kind, row, peer, mode):
    """Speed over a peer in one run: its median, and from its samples' quartiles the least and most that it may be."""
    times, own = row["times"], next((label for label in OWN[kind] if mode in row["times"].get(label, {})), None)
    names = ["cublas", "cublaslt"] if peer == "best" else [label for label in times if label not in ("tilewright", "copy")] if peer == "peers" else [peer]
    theirs = [times[name][mode] for name in names if mode in times.get(name, {})]
    if not own or not theirs:
        return None
    ours, theirs = times[own][mode], min(theirs)
    return theirs[0] / ours[0], theirs[1] / ours[2], theirs[2] / ours[1]


def judged(last, spread, asked):
    """A miss whose spread reaches what is asked is a tie."""
    return "reached" if last >= asked else "tie" if spread >= asked else "missed"


def section(runs, kind, title, table):
    """What is asked of each row, in all runs on the GPU that it is asked of."""
    mine = [run for run in (runs["of"].get(kind, []) if runs else []) if not other_model(run.get("gpu", ""))]
    rows = []
    for name, goals in ASKED.get(kind, {}).items():
        works = {work for run in mine for work in run["rows"] if work.split("|")[0] == name}
        for work in sorted(works):
            for peer, mode, asked in goals:
                found = [(one, run, run["rows"][work]) for run in mine if work in run["rows"] and (one := ratio(kind, run["rows"][work], peer, mode))]
                if not found:
                    continue
                if peer == "peers":  # the best of fewer peers is another measure
                    found = [one for one in found if set(one[2]["times"]) >= set(found[-1][2]["times"])]
                (last, _, most), run, _ = found[-1]
                middle, low, high = median_and_quartiles([one[0] for one, *_ in found])
                count = sum(row.get("runs", 1) for *_, row in found)
                rows.append([name, f"{PEERS[peer]}, {mode}", f"{asked:.2f}", f"{last:.2f}", run["commit"], f"{middle:.2f} ({low:.2f} to {high:.2f})", count,
                             len({one["commit"] for _, one, _ in found}), len({one["day"] for _, one, _ in found}), judged(last, most if len(found) < 3 else max(most, high), asked)])
    if not rows:
        return ""
    return (f"### {title}\n\n{said(mine)}. *last*: the speed in the last run, which alone is judged, and its commit; *all runs*: the median over runs, of older "
            "commits with\nother kernels, too, and its quartiles (of two the lesser and the greater). A miss is a *tie* where the upper quartile, of runs or of the last run's "
            "samples,\nreaches what is asked. Asked are three runs on two days.\n\n"
            + table(["row", "over", "asked", "last", "of", "all runs", "runs", "commits", "days", ""], rows) + "\n")


def said(mine):
    other = lambda run: run["gpu"] + ", " if other_model(run.get("gpu", "")) else ""
    return "Runs of " + ", ".join(f"{run['commit']} ({other(run)}{'recorded ' if run['day_of'] == 'recording' else ''}{run['day']}, driver {run.get('driver', 'not recorded')}, torch {run.get('torch', 'not recorded')})" for run in mine)


def class_section(runs, kind, title, table):
    """Means of classes of works that are drawn anew for every commit, run by run."""
    mine = [run for run in (runs["of"].get(kind, []) if runs else []) if run["rows"]]
    if not mine:
        return ""
    works = list(dict.fromkeys(work for run in reversed(mine) for work in run["rows"]))
    rows = []
    for work in works:
        found = [run["rows"][work]["class"] for run in mine if work in run["rows"]]
        middle, low, high = median_and_quartiles([mean for _, mean, _ in found])
        rows.append([work.split("|")[0], *(f"{run['rows'][work]['class'][1]:.2f} ({run['rows'][work]['class'][2]:.2f})" if work in run["rows"] else "–" for run in mine),
                     f"{middle:.2f} ({low:.2f} to {high:.2f})"])
    return (f"### {title}\n\n{said(mine)}. Each drew its own, by its commit, and ran that commit's code: mean speed, in parentheses the worst; then the median over "
            "runs\nwith its quartiles.\n\n" + table(["class", *(run["commit"] for run in mine), "all runs"], rows) + "\n")


def load(path):
    if not os.path.exists(path):
        return {"kind": "measured-runs", "of": {}}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("add", "history"):
        sub = commands.add_parser(name)
        sub.add_argument("--runs", required=True)
        sub.add_argument("records", nargs="+")
        if name == "add":
            sub.add_argument("--day", required=True)
    args = parser.parse_args()
    runs = load(args.runs)
    for path in args.records:
        if args.command == "add":
            with open(path, encoding="utf-8") as file:
                versions = [(args.day, json.load(file), "measuring")]
        else:
            folder, name = os.path.split(os.path.abspath(path))
            log = git("-C", folder, "log", "--reverse", "--format=%H %cs", "--", name).split("\n")
            versions = [(line.split()[1], json.loads(git("-C", folder, "show", f"{line.split()[0]}:./{name}")), "recording") for line in log if line]
        new = sum(add(runs, record, day, day_of) for day, record, day_of in versions)
        print(f"   {os.path.basename(path)}: {new} rows of runs")
    isolated.save(args.runs, runs)


if __name__ == "__main__":
    main()
