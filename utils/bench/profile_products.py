#!/usr/bin/env python3
"""What holds products back: the counters that ncu reads of our kernels, and of cuBLAS' for the same products.

usage: profile_products.py measure --packages DIR --out DIR --tw-run PATH [--only TEXT]… [--commit HASH] [--limit SECONDS]
       profile_products.py show FILE

DIR holds what `prepare` of product_rows.py, product_sweep.py or product_types.py made. Needs ncu, the driver and PyTorch. Each product runs once under ncu, with cold caches and
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
import product_types
from product_rows import ROWS
from product_sweep import shapes
from products import Product

SECTIONS = ["SpeedOfLight", "MemoryWorkloadAnalysis", "LaunchStats", "Occupancy"]
PEER = """
import torch
m, n, k = {m}, {n}, {k}
torch.backends.cuda.matmul.allow_tf32 = {tf32}
stored = lambda rows, columns, transposed: (torch.randn(columns, rows, device="cuda").t() if transposed
                                            else torch.randn(rows, columns, device="cuda"))
a = stored(m, k, {lhs}).to(torch.{kind})
b = stored(k, n, {rhs}).to(torch.{kind})
c = torch.mm(a, b)
torch.cuda.synchronize()
torch.cuda.profiler.start()
torch.mm(a, b, out=c)
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


def products_of(packages):
    """The products without epilogue whose packages lie in the folder."""
    found = [p for p in ROWS if not p.epilogue]
    if sweep := isolated.read(packages, "sweep"):
        found = shapes(sweep["commit"], sweep["count"])
    for name, (m, n, k, element, _, _, layout, form) in product_types.PRODUCTS.items():
        if element == "f32" and form == "tf32":
            found.append(Product(name, m, n, k, layout[0] == "t", layout[1] == "n", "", "tf32"))  # n: K contiguous
    return [p for p in found if any(f.startswith((p.name + ".", p.name + "@")) and f.endswith(".tw") for f in os.listdir(packages))]


def measure(args):
    os.makedirs(args.out, exist_ok=True)
    end = time.monotonic() + args.limit
    wanted = [p for p in products_of(args.packages) if not args.only or any(text in p.name for text in args.only)]
    record = isolated.read(args.out, "product-profiles") or {"kind": "product-profiles", "machine": machine(args.commit), "products": {}}
    for product in wanted:
        files = sorted(f for f in os.listdir(args.packages) if re.fullmatch(re.escape(product.name) + r"(@.*)?\.tw", f))
        runs = {f[len(product.name) + 1:-3] or "model": [args.tw_run, os.path.join(args.packages, f), "--device", "cuda", "--benchmark", "0.001"] for f in files}
        kind = {"bf16": "bfloat16", "f16": "float16"}.get(product.dtype, "float32")
        runs["cuBLAS"] = [sys.executable, "-c", PEER.format(m=product.m, n=product.n, k=product.k, kind=kind, tf32=product.dtype == "tf32",
                                                            lhs=product.lhs_transposed, rhs=product.rhs_transposed)]
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
