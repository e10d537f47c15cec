#!/usr/bin/env python3
"""Measures matrix products that nobody chose by hand beside cuBLAS: shapes drawn with a seed that comes from the commit.

usage: product_sweep.py prepare --out DIR [--commit HASH] [--count 240] [--tw-compile PATH] [--jobs 2] [--part I/N]
       product_sweep.py measure --packages DIR --out DIR --runtime libtilewright_rt.so [--rounds 3] [--mix 0] [--limit SECONDS]
       product_sweep.py merge --commit HASH --out FILE DIR…
       product_sweep.py show FILE

M, N and K are log-uniform in 1…8192; every second shape is rounded up to multiples of 16, so that aligned and ragged
rows are both there; A and B are stored plainly or transposed, all four ways in turn. bf16 with sums in fp32, fresh
normal data. `prepare` needs no GPU and goes on where it stopped. `measure` runs on a GPU machine with PyTorch, in a
process of its own for whatever crashes; a shape that is measured already is skipped. Every result is compared with a
product in fp32 before it is timed; what is wrong is recorded as wrong. Times: gpu_clock.py, in bursts, data sets rotated
past the L2 cache. `merge` takes several runs: a shape's times are the medians over runs.
"""
import concurrent.futures
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated
from command_line import CommandLine
from products import Product

CLASSES = [f"{alignment}, {bound}-bound" for alignment in ("aligned", "ragged") for bound in ("launch", "memory", "compute")]


def seed_of(commit):
    return int(commit[:12], 16)


def shapes(commit, count):
    """The products of a sweep, the same for the same commit."""
    generator, found = random.Random(seed_of(commit)), []
    for index in range(count):
        m, n, k = (min(8192, int(math.exp(generator.uniform(0, math.log(8193))))) for _ in range(3))
        if index % 2 == 0:
            m, n, k = (-(-size // 16) * 16 for size in (m, n, k))
        lhs, rhs = bool(index // 2 % 2), bool(index // 4 % 2)
        found.append(Product(f"{index:03d}-{m}x{n}x{k}-{'t' if lhs else 'n'}{'t' if rhs else 'n'}", m, n, k, lhs, rhs))
    return found


def class_of(product):
    return f"{'aligned' if product.aligned() else 'ragged'}, {product.bound()}-bound"


def modelled_schedule(path):
    """The schedule that the model chose, by the remarks of a compilation; none where there are several kernels."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r"Name: +ScheduleModelled\n.*?schedule: +'(#tile[^']*)'", text, re.DOTALL)
    return found[0] if len(found) == 1 and len(re.findall("Name: +Resources", text)) == 1 else None


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    commit = args.commit or subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    part, parts = (int(x) for x in args.part.split("/"))
    isolated.write(args.out, "sweep", {"commit": commit, "count": args.count})
    wanted = shapes(commit, args.count)[part::parts]

    def one(product):
        base = os.path.join(args.out, product.name)
        if os.path.exists(base + ".tw"):
            return product, ""
        with open(base + ".mlir", "w", encoding="utf-8") as file:
            file.write(product.program())
        command = [args.tw_compile, base + ".mlir", "-o", base + ".tw", "--precision=bf16", "--target=sm_90a", "--emulation=off",
                   "--jobs=1", "--report=json", f"--remarks={base}.remarks"] + args.option
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        os.remove(base + ".mlir")
        if result.returncode != 0:
            return product, (result.stderr.strip().splitlines() or ["failed"])[0]
        isolated.write(args.out, product.name + ".report", json.loads(result.stdout) | {"schedule": modelled_schedule(base + ".remarks")})
        os.remove(base + ".remarks")
        return product, ""

    failed, start = [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for done, (product, why) in enumerate(pool.map(one, wanted), 1):
            if why:
                failed.append(product.name)
                print(f"   {product.name}: {why[:300]}", flush=True)
            if done % 40 == 0 or done == len(wanted):
                print(f"   {done} of {len(wanted)} in {time.monotonic() - start:.0f} s", flush=True)
    schedules = {product.name: report.get("schedule") for product in shapes(commit, args.count)
                 if (report := isolated.read(args.out, product.name + ".report"))}
    isolated.write(args.out, "sweep", {"commit": commit, "count": args.count, "schedules": schedules})
    if failed:
        sys.exit(f"error: {len(failed)} products were not compiled: {', '.join(failed)}")


def measure_one(product, args, runtime):
    import torch

    import gpu_clock
    import products
    from package_session import chained

    count = products.data_sets(product, most=16)
    generator = torch.Generator(device="cuda").manual_seed(random.getrandbits(60))
    sets = products.draw(product, generator, count)
    outputs = [torch.full((product.m, product.n), float("nan"), device="cuda", dtype=torch.bfloat16) for _ in sets]
    want = products.exact(product, sets[0])
    session, chain = chained(runtime, os.path.join(args.packages, product.name + ".tw"),
                             [data | {"c": out} for data, out in zip(sets, outputs)])
    record = {"data_sets": count}
    try:
        chain.launch()
        torch.cuda.synchronize()
        record["wrong"] = products.wrong(product, outputs[0], want)
        first = outputs[-1].clone()
        chain.launch()
        torch.cuda.synchronize()
        if not record["wrong"] and not torch.equal(first, outputs[-1]):
            record["wrong"] = "not the same to the bit in two runs"
        if record["wrong"]:
            return record
        own = [torch.empty((product.m, product.n), device="cuda", dtype=torch.bfloat16) for _ in sets]
        library = gpu_clock.TorchGraph([products.library_call(product, data, out) for data, out in zip(sets, own)])
        candidates = {"tilewright": chain, "cublas": library}
        record["burst"] = gpu_clock.burst(candidates, rounds=args.rounds)
        if args.mix:
            record["mix"] = gpu_clock.mix(candidates, seconds=args.mix)
        return record
    finally:
        session.close()


def measure(args):
    sweep = isolated.read(args.packages, "sweep")
    every = {product.name: product for product in shapes(sweep["commit"], sweep["count"])}
    if args.worker:
        from package_session import Runtime
        runtime = Runtime(args.runtime)

        def one(name):
            record = measure_one(every[name], args, runtime)
            if "burst" in record:
                t = {label: sample["median"] for label, sample in record["burst"].items()}
                print(f"   {name:28} {class_of(every[name]):23} {t['tilewright']:9.2f} us, cuBLAS {t['cublas']:9.2f}: {t['cublas'] / t['tilewright']:.3f}", flush=True)
            else:
                print(f"   {name}: WRONG: {record['wrong']}", flush=True)
            return record
        isolated.serve(args.worker, args.out, one)
        return
    there = [name for name in every if os.path.exists(os.path.join(args.packages, name + ".tw"))]
    os.makedirs(args.out, exist_ok=True)
    isolated.write(args.out, "machine", machine())
    isolated.write(args.out, "sweep", sweep)
    command = [sys.executable, os.path.abspath(__file__), *sys.argv[1:]]
    left = isolated.run(command, there, args.out, args.limit)
    print(f"   {len(there) - len(left)} of {len(there)} measured, {len(every) - len(there)} without package")


def machine():
    query = ["nvidia-smi", "--query-gpu=name,driver_version,clocks.max.sm", "--format=csv,noheader"]
    name, driver, clock = subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0].split(", ")
    versions = "import torch; print(torch.__version__, torch.version.cuda)"
    torch, cuda = subprocess.run([sys.executable, "-c", versions], check=True, capture_output=True, text=True).stdout.split()
    return {"gpu": name, "driver": driver, "max_sm_clock": clock, "torch": torch, "cuda": cuda}


def merge(args):
    """One record of all runs: for each shape the median over runs of either time, and what was wrong."""
    sweeps = [isolated.read(folder, "sweep") for folder in args.folders]
    if any(sweep != sweeps[0] for sweep in sweeps):
        sys.exit("error: the folders hold different sweeps")
    rows = []
    for product in shapes(sweeps[0]["commit"], sweeps[0]["count"]):
        runs = [record for folder in args.folders if (record := isolated.read(folder, product.name))]
        row = {"name": product.name, "m": product.m, "n": product.n, "k": product.k, "layout": product.layout(),
               "class": class_of(product), "bytes": product.bytes_moved(), "flops": product.flops()}
        faults = [run.get("failure") or run.get("wrong") for run in runs if run.get("failure") or run.get("wrong")]
        timed = [run for run in runs if "burst" in run]
        if faults:
            row["fault"] = faults[0]
        if schedule := sweeps[0].get("schedules", {}).get(product.name):
            row["schedule"] = schedule
        if timed:
            row["runs"] = len(timed)
            for label in ("tilewright", "cublas"):
                row[label + "_us"] = round(statistics.median(run["burst"][label]["median"] for run in timed), 4)
        rows.append(row)
    record = {"kind": "product-sweep", "machine": {**isolated.read(args.folders[0], "machine"), "commit": args.commit[:7]},
              "seed_commit": sweeps[0]["commit"], "runs": len(args.folders), "shapes": rows}
    isolated.save(args.out, record)
    show(args)


def geometric(values):
    return math.exp(statistics.fmean(math.log(value) for value in values)) if values else float("nan")


def summary(record):
    """Rows of (class, shapes, geometric mean of the speed over cuBLAS, worst, its shape)."""
    rows = []
    for title in ["all", *CLASSES]:
        found = [(row["cublas_us"] / row["tilewright_us"], row["name"]) for row in record["shapes"]
                 if "cublas_us" in row and title in ("all", row["class"])]
        if found:
            rows.append((title, len(found), geometric([speed for speed, _ in found]), *min(found)))
    return rows


def show(args):
    with open(args.out, encoding="utf-8") as file:
        record = json.load(file)
    for title, count, mean, worst, name in summary(record):
        print(f"   {title:24} {count:4} shapes: {mean:.3f}, worst {worst:.3f} ({name})")
    for row in record["shapes"]:
        if "fault" in row:
            print(f"   {row['name']}: {row['fault']}")


def main():
    line = CommandLine(__doc__, "shape", jobs=2, rounds=3)
    line.prepare.add_argument("--commit", help="where the seed comes from; default: HEAD")
    line.prepare.add_argument("--count", type=int, default=240)
    line.prepare.add_argument("--part", default="0/1", help="every Nth shape, from the Ith")
    line.prepare.add_argument("--option", action="append", default=[], help="a flag for tw-compile")
    line.measure.add_argument("--mix", type=float, default=0)
    line.add_worker()
    line.add_merge(commit=True)
    line.add("show", out=False).add_argument("out")
    line.run(prepare=prepare, measure=measure, merge=merge, show=show)


if __name__ == "__main__":
    main()
