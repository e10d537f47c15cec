#!/usr/bin/env python3
"""Measures recorded schedules of matrix products again, where what they are lowered to has changed.

usage: product_forms.py prepare --out DIR --having TEXT [--tw-compile PATH] [--jobs 2] FILE…
       product_forms.py measure --packages DIR --out DIR --runtime libtilewright_rt.so [--rounds 3] [--limit SECONDS]
       product_forms.py merge --having TEXT --packages DIR --commit HASH --measured DIR FILE…

FILEs are records of schedules' times (docs/performance/data, kind product-forms). `prepare` needs no GPU: it compiles their
bf16 products under each schedule that has TEXT in it, e.g. split_k; where a ring no longer fits shared memory, with fewer
stages. `measure` runs on a GPU machine with PyTorch, in a process of its own for whatever crashes: every result is compared
with a product in fp32, then all schedules of a product take turns with cuBLAS, in bursts, over data sets that rotate past the
L2 cache (gpu_clock.py). `merge` puts the new times into FILEs, each with its commit, and takes out what was not measured.
"""
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated
from command_line import CommandLine
from product_rows import with_schedule
from products import Product


def product_of(kernel):
    m, n, k = map(int, kernel["shape"].split("x"))
    return Product(f"{kernel['shape']}-{kernel['layout']}", m, n, k, kernel["layout"][0] == "t", kernel["layout"][1] == "t")


def wanted(files, text):
    """By name of the product: it, and its schedules that have the text in them."""
    found = {}
    for path in files:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        for kernel in record["kernels"]:
            if kernel["epilogue"] or kernel["layout"] not in ("nn", "nt", "tn", "tt"):
                continue
            schedules = [one["schedule"] for one in kernel["schedules"] if text in one["schedule"]]
            if schedules:
                product, known = found.setdefault(product_of(kernel).name, (product_of(kernel), []))
                known += [one for one in schedules if one not in known]
    return found


def fewer_stages(schedule):
    stages = int(re.search(r"stages = (\d+)", schedule).group(1)) - 1
    return re.sub(r"stages = \d+", f"stages = {stages}", schedule) if stages > 1 else None


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    forms = wanted(args.files, args.having)

    def one(name):
        product, schedules = forms[name]
        base = os.path.join(args.out, name)
        common = ["--precision=bf16", "--target=sm_90a", "--emulation=off", "--jobs=1", "--records=none"]
        with open(base + ".mlir", "w", encoding="utf-8") as file:
            file.write(product.program())
        fused = subprocess.run([args.tw_compile, base + ".mlir", "-o", "-", "--emit=fuse", *common], check=True, capture_output=True, text=True).stdout
        compiled = {}
        for number, recorded in enumerate(schedules):
            schedule, why = recorded, ""
            while schedule:
                with open(base + ".mlir", "w", encoding="utf-8") as file:
                    file.write(with_schedule(fused, schedule))
                result = subprocess.run([args.tw_compile, base + ".mlir", "-o", f"{base}@{number}.tw", "--start-from=tile", *common],
                                        capture_output=True, text=True, check=False)
                if result.returncode == 0:
                    compiled[number] = {"recorded": recorded, "schedule": schedule}
                    break
                why = (result.stderr.strip().splitlines() or ["failed"])[0]
                schedule = fewer_stages(schedule) if "bytes of shared memory" in why else None
            if number not in compiled:
                print(f"   {name}: {why[:200]}", flush=True)
        os.remove(base + ".mlir")
        return name, compiled

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        isolated.write(args.out, "forms", dict(pool.map(one, forms)))


def products_named(names):
    """The products by the names that prepare gave them."""
    for name in names:
        shape, layout = name.rsplit("-", 1)
        yield product_of({"shape": shape, "layout": layout})


def measure_one(product, forms, args, runtime):
    import torch

    import gpu_clock
    import products
    from package_session import chained

    count = products.data_sets(product, most=16)
    generator = torch.Generator(device="cuda").manual_seed(random.getrandbits(60))
    sets = products.draw(product, generator, count)
    want = products.exact(product, sets[0])
    candidates, sessions, record = {}, [], {"wrong": {}}
    try:
        for number in forms:
            outputs = [torch.full((product.m, product.n), float("nan"), device="cuda", dtype=torch.bfloat16) for _ in sets]
            session, chain = chained(runtime, os.path.join(args.packages, f"{product.name}@{number}.tw"),
                                     [data | {"c": out} for data, out in zip(sets, outputs)])
            sessions.append(session)
            chain.launch()
            torch.cuda.synchronize()
            if wrong := products.wrong(product, outputs[0], want):
                record["wrong"][number] = wrong
            else:
                candidates[number] = chain
        own = [torch.empty((product.m, product.n), device="cuda", dtype=torch.bfloat16) for _ in sets]
        candidates["cublas"] = gpu_clock.TorchGraph([products.library_call(product, data, out) for data, out in zip(sets, own)])
        record["us"] = {label: round(sample["median"], 4) for label, sample in gpu_clock.burst(candidates, rounds=args.rounds).items()}
        return record
    finally:
        for session in sessions:
            session.close()


def measure(args):
    forms = isolated.read(args.packages, "forms")
    if args.worker:
        from package_session import Runtime
        runtime = Runtime(args.runtime)
        every = {product.name: product for product in products_named(forms)}

        def one(name):
            record = measure_one(every[name], forms[name], args, runtime)
            print(f"   {name:24} {min(record['us'].values()):9.2f} us, cuBLAS {record['us']['cublas']:9.2f}"
                  + (f"; WRONG: {record['wrong']}" if record["wrong"] else ""), flush=True)
            return record
        isolated.serve(args.worker, args.out, one)
        return
    os.makedirs(args.out, exist_ok=True)
    left = isolated.run([sys.executable, os.path.abspath(__file__), *sys.argv[1:]], list(forms), args.out, args.limit)
    print(f"   {len(forms) - len(left)} of {len(forms)} measured")


def merge(args):
    forms = isolated.read(args.packages, "forms")
    times = {}
    for name, compiled in forms.items():
        record = isolated.read(args.measured, name) or {}
        for number, form in compiled.items():
            times[name, form["recorded"]] = (form["schedule"], record.get("us", {}).get(number))
    for path in args.files:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        renewed = dropped = 0
        for kernel in record["kernels"]:
            kept = []
            for one in kernel["schedules"]:
                if args.having in one["schedule"]:
                    schedule, us = times.get((f"{kernel['shape']}-{kernel['layout']}", one["schedule"]), (None, None))
                    if us is None:
                        dropped += 1
                        continue
                    renewed += 1
                    one = {"measured_us": us, "schedule": schedule, "commit": args.commit[:7]}
                kept.append(one)
            kernel["schedules"] = kept
        record["kernels"] = [kernel for kernel in record["kernels"] if kernel["schedules"]]
        isolated.save(path, record)
        print(f"   {path}: {renewed} new times, {dropped} left out")


def main():
    line = CommandLine(__doc__, "product", jobs=2, rounds=3)
    line.add_worker()
    merged = line.add("merge", out=False)
    merged.add_argument("--packages", required=True, help="the folder that prepare filled")
    merged.add_argument("--measured", required=True, help="the folder that measure filled")
    merged.add_argument("--commit", required=True, help="what the packages were built from")
    for command in (line.prepare, merged):
        command.add_argument("--having", required=True, metavar="TEXT", help="schedules that have this in them")
        command.add_argument("files", nargs="+", metavar="FILE")
    line.run(prepare=prepare, measure=measure, merge=merge)


if __name__ == "__main__":
    main()
