#!/usr/bin/env python3
"""What holds products back: the counters that ncu reads of our kernels, and of cuBLAS' for the same products.

usage: profile_products.py measure --packages DIR --out DIR --tw-run PATH [--only TEXT] [--commit HASH] [--limit SECONDS]
       profile_products.py show FILE

DIR holds what `product_rows.py prepare` made. Needs ncu, the driver and PyTorch. Each product runs once under ncu, with cold caches and
the clocks as they are; of what ncu counts the parts of its two "speed of light" figures are kept, in % of the peak that each unit could
sustain, and the time. A product by cuBLAS is torch.mm.
"""
import argparse
import csv
import io
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated
from product_rows import ROWS

SECTIONS = ["SpeedOfLight", "MemoryWorkloadAnalysis", "LaunchStats", "Occupancy"]
PEER = """
import torch
m, n, k = {m}, {n}, {k}
torch.backends.cuda.matmul.allow_tf32 = False
a = torch.randn(m, k, device="cuda").to(torch.{kind})
b = torch.randn(n, k, device="cuda").to(torch.{kind})
c = torch.mm(a, b.t())
torch.cuda.synchronize()
torch.cuda.profiler.start()
torch.mm(a, b.t(), out=c)
torch.cuda.synchronize()
torch.cuda.profiler.stop()
"""


def counted(command, from_start):
    """Kernel names and metrics of the first profiled launch."""
    words = ["ncu", "--csv", "--page", "details", "--print-details", "all", "--clock-control", "none"]
    for section in SECTIONS:
        words += ["--section", section]
    words += ["--launch-count", "1"] if from_start else ["--profile-from-start", "off"]
    done = subprocess.run([*words, *command], capture_output=True, text=True, check=False)
    start = done.stdout.find('"ID"')
    if start < 0:
        return {"failed": (done.stderr or done.stdout).strip()[-300:]}
    record = {"kernels": [], "metrics": {}}
    for row in csv.DictReader(io.StringIO(done.stdout[start:])):
        if row["Kernel Name"] not in record["kernels"]:
            record["kernels"].append(row["Kernel Name"])
        if row["ID"] == "0" and row["Metric Name"]:
            record["metrics"].setdefault(row["Metric Name"], [row["Metric Value"], row["Metric Unit"]])
    return record


def machine(commit):
    import torch
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    gpu, driver = subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip().splitlines()[0].split(", ")
    tool = re.search(r"Version (\S+)", subprocess.run(["ncu", "--version"], capture_output=True, text=True, check=True).stdout)
    return {"gpu": gpu, "driver": driver, "torch": torch.__version__, "ncu": tool.group(1) if tool else "", "commit": commit[:7]}


def measure(args):
    os.makedirs(args.out, exist_ok=True)
    end = time.monotonic() + args.limit
    wanted = [p for p in ROWS if not p.epilogue and (not args.only or p.name in args.only)]
    record = isolated.read(args.out, "product-profiles") or {"kind": "product-profiles", "machine": machine(args.commit), "products": {}}
    for product in wanted:
        files = sorted(f for f in os.listdir(args.packages) if f.startswith(product.name + "@") and f.endswith(".tw"))
        runs = {f[len(product.name) + 1:-3]: [args.tw_run, os.path.join(args.packages, f), "--device", "cuda", "--benchmark", "0.001"] for f in files}
        kind = {"bf16": "bfloat16", "f16": "float16"}[product.dtype]
        runs["cuBLAS"] = [sys.executable, "-c", PEER.format(m=product.m, n=product.n, k=product.k, kind=kind)]
        for name, command in runs.items():
            done = record["products"].setdefault(product.name, {})
            if name in done and "failed" not in done[name]:
                continue
            if time.monotonic() > end:
                print("left for the next call", flush=True)
                return
            done[name] = counted(command, name != "cuBLAS")
            isolated.write(args.out, "product-profiles", record)
            print(product.name, name, *summary(done[name]), sep="; ", flush=True)


def summary(one):
    """The time, and the largest parts of both figures."""
    if "failed" in one:
        return ["failed: " + one["failed"]]
    metrics = one["metrics"]
    parts = []
    for name, (value, unit) in metrics.items():
        if unit == "%" and re.match(r"(SM|DRAM|L1|L2|IDC|Mem|TEX)[:. ]", name):
            parts.append((float(value.replace(",", "")), name))
    parts.sort(reverse=True)
    time_of = metrics.get("Duration", ["?", ""])
    return [" ".join(time_of), *(f"{name} {value:.0f} %" for value, name in parts[:6])]


def show(args):
    for product, runs in isolated.read(os.path.dirname(args.file) or ".", os.path.basename(args.file)[:-5])["products"].items():
        for name, one in runs.items():
            print(product, name, *summary(one), sep="; ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one, two = commands.add_parser("measure"), commands.add_parser("show")
    for name in ("packages", "out", "tw-run"):
        one.add_argument(f"--{name}", required=True)
    one.add_argument("--only", action="append", default=[])
    one.add_argument("--commit", default="")
    one.add_argument("--limit", type=float, default=1e6, help="seconds")
    two.add_argument("file")
    args = parser.parse_args()
    {"measure": measure, "show": show}[args.command](args)


if __name__ == "__main__":
    main()
