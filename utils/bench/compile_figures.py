#!/usr/bin/env python3
"""Measures tw-compile on one model: time, peak memory of the whole process tree, and what it makes.

usage: compile_figures.py MODEL.onnx --out FILE.json [--runs 3] [--cores 2] [--tw-compile PATH] [--commit HASH]
                          [-- TW-COMPILE-OPTION…]

Each run is without the kernel cache, unless --kernel-cache is among tw-compile's options after `--`. Memory is the largest sum of the resident sizes of tw-compile and its workers, sampled every 10 ms.
What the package holds beside weights and emulation segment follows from tw-compile's own report.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def resident_mib(root):
    """The resident memory of a process and its descendants."""
    pages, children = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            pages[int(entry.name)] = int((entry / "statm").read_text().split()[1])
        except (OSError, IndexError, ValueError):
            continue  # it ended in between
        children.setdefault(parent, []).append(int(entry.name))
    total, waiting = 0, [root]
    while waiting:
        process = waiting.pop()
        total += pages.get(process, 0)
        waiting += children.get(process, [])
    return total * os.sysconf("SC_PAGE_SIZE") / 2**20


def compile_once(command):
    start, peak = time.perf_counter(), 0.0
    with tempfile.TemporaryFile("w+") as report:
        process = subprocess.Popen(command, stdout=report)
        while process.poll() is None:
            peak = max(peak, resident_mib(process.pid))
            time.sleep(0.01)
        seconds = time.perf_counter() - start
        if process.returncode:
            sys.exit(f"error: tw-compile ended with {process.returncode}")
        report.seek(0)
        return seconds, peak, report.read()


def main():
    own, extra = sys.argv[1:], []
    if "--" in own:
        own, extra = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--out", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--tw-compile", default="build/dev/bin/tw-compile")
    parser.add_argument("--commit", default="unknown")
    args = parser.parse_args(own)

    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: args.cores])
    with tempfile.TemporaryDirectory() as folder:
        package = os.path.join(folder, "model.tw")
        command = [args.tw_compile, args.model, "-o", package, "--report=json", "--kernel-cache=off", *extra]
        runs = [compile_once(command) for _ in range(args.runs)]
        package_bytes = os.path.getsize(package)
    report = json.loads(runs[-1][2])
    program = report["program"]
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        cpu = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "unknown")
    record = {
        "kind": "compile",
        "model": pathlib.Path(args.model).stem,
        "options": extra,
        "machine": {"cpu": cpu, "cores": args.cores, "commit": args.commit},
        "seconds": round(statistics.median(run[0] for run in runs), 2),
        "seconds_all": [round(run[0], 2) for run in runs],
        "peak_mib": round(max(run[1] for run in runs)),
        "package_bytes": package_bytes,
        "beyond_weights_and_emulation_bytes": package_bytes - program["weight_bytes"] - program["emulation_bytes"],
        "kernels": len(report["kernels"]),
        "program": program,
    }
    with open(args.out, "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1, sort_keys=True)
        file.write("\n")
    print(f"{record['model']}: {record['seconds']} s, {record['peak_mib']} MiB, package {package_bytes / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
