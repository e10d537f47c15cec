#!/usr/bin/env python3
"""Measures chosen matrix products beside cuBLAS (its default choice, torch.mm) and the fastest of cuBLASLt's heuristics.

usage: product_rows.py prepare --out DIR [--only TEXT] [--tw-compile PATH] [--jobs 2]
       product_rows.py measure --packages DIR --out DIR --runtime libtilewright_rt.so [--only TEXT] [--rounds 7] [--mix 1.0]
                               [--limit SECONDS]
       product_rows.py programs --out FILE.mlir [--only TEXT]
       product_rows.py merge --commit HASH --out FILE DIR…

`prepare` needs no GPU: each product is compiled with the tuning records that come with the compiler and with the model
alone (--records=none), some also with schedules by hand. `measure` runs on a GPU machine with PyTorch, one row after the
other in a process that may crash; rows that are measured already are skipped. Every result is compared with a product in
fp32 before it is timed. Both protocols of gpu_clock.py; data sets rotate past the L2 cache. `merge` makes one record of
several runs, three or more: medians over runs, and the quartiles of all. A `note` that is written into a row of it is
shown beneath the table. `programs` writes all products in bf16 as one program, a function each, for tw-tune.
"""
import concurrent.futures
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated
from command_line import CommandLine
from product_sweep import machine
from products import Product

ROWS = [Product(name, m, n, k) for name, m, n, k in [
    ("8192", 8192, 8192, 8192), ("4096", 4096, 4096, 4096), ("2048", 2048, 2048, 2048), ("1024", 1024, 1024, 1024),
    ("wide-14336", 4096, 14336, 4096), ("deep-14336", 4096, 4096, 14336), ("rows-128", 128, 4096, 4096),
    ("rows-16", 16, 4096, 4096), ("rows-1", 1, 4096, 4096), ("1000", 1000, 1000, 1000), ("odd-4097", 4095, 4097, 4099),
    ("odd-128", 128, 4095, 4095), ("words-128", 128, 4094, 4094), ("words-1002", 1000, 1000, 1002)]]
ROWS += [Product("4096-nn", 4096, 4096, 4096, rhs_transposed=False), Product("fp16-4096", 4096, 4096, 4096, dtype="f16"),
         Product("gelu-4096", 4096, 4096, 4096, epilogue="gelu"), Product("gelu-14336", 4096, 14336, 4096, epilogue="gelu"),
         Product("gelu-erf-4096", 4096, 4096, 4096, epilogue="gelu-erf"),
         Product("residual-4096", 4096, 4096, 4096, epilogue="residual"),
         Product("residual-14336", 4096, 4096, 14336, epilogue="residual"),
         # Two products that share A, joined: gate and up of a decoder's block.
         Product("swiglu-14336", 4096, 14336, 4096, epilogue="swiglu")]
VARIANTS = {"records": "builtin", "model": "none"}


def schedule(tile, warps, stages, roles, order, rest="", blocks=132):
    return (f"#tile.schedule<tile = [{tile[0]}, {tile[1]}], reduce = 64, warps = {warps}, warp_grid = [{warps}, 1], stages = {stages}, "
            f"product = wgmma, copy = bulk, roles = {roles}, registers = [40, 232], persistent = {blocks}, order = {order}{rest}, store = bulk, "
            "pdl>")


def parts_of_k(tile, parts, stages):
    return (f"#tile.schedule<tile = [{tile[0]}, {tile[1]}], reduce = 64, warps = 8, warp_grid = [8, 1], stages = {stages}, product = wgmma, "
            f"copy = bulk, roles = cooperative, registers = [40, 232], split_k = {parts}, pdl>")


# Schedules by hand of kinds that the model does not choose before they have been measured: tiles along a Hilbert curve, and
# steps divided evenly among the blocks (stream-K) where whole tiles leave many of them idle; and what the model's form is
# without stores that wait for the next tile's products.
BY_HAND = {
    "2048": {"hilbert": schedule((128, 128), 4, 6, "pingpong", "hilbert"),
             "stream-k": schedule((128, 128), 4, 6, "pingpong", "grouped<8>", ", stream_k = 2"),
             "stream-k-hilbert": schedule((128, 128), 4, 6, "pingpong", "hilbert", ", stream_k = 2")},
    "1000": {"hilbert": schedule((64, 128), 4, 8, "pingpong", "hilbert"),
             "stream-k": schedule((128, 128), 4, 6, "pingpong", "rows", ", stream_k = 2"),
             "stream-k-wide": schedule((128, 256), 8, 4, "cooperative", "rows", ", stream_k = 2")},
    # A block of 64x64 fetches a megabyte: 9.3 us at 64 bytes a cycle. Parts of K halve that, where their clusters all fit.
    "rows-128": {"stream-k": schedule((128, 128), 4, 6, "pingpong", "rows", ", stream_k = 2"),
                 "parts-4": parts_of_k((128, 128), 4, 4), "parts-4-wide": parts_of_k((128, 144), 4, 4),
                 "parts-4-wider": parts_of_k((128, 160), 4, 3), "parts-2": parts_of_k((128, 64), 2, 7)},
    "8192": {"hilbert": schedule((128, 128), 4, 6, "pingpong", "hilbert"),
             "stores-at-once": schedule((128, 256), 8, 4, "cooperative", "grouped<16>", blocks=128)},
    "4096": {"stream-k": schedule((128, 256), 8, 4, "cooperative", "grouped<8>", ", stream_k = 2"),
             "stores-at-once": schedule((128, 256), 8, 4, "cooperative", "grouped<16>", blocks=128)},
    "wide-14336": {"stores-at-once": schedule((128, 256), 8, 4, "cooperative", "grouped<16>", blocks=128)},
    "swiglu-14336": {"ping-pong": schedule((128, 64), 4, 6, "pingpong", "grouped<8>"),
                     "ping-pong-wide": schedule((64, 128), 4, 4, "pingpong", "grouped<8>"),
                     "clusters": schedule((128, 128), 8, 4, "cooperative", "grouped<8>", ", cluster = [2, 1]")}}


def variants(product):
    return list(VARIANTS) + list(BY_HAND.get(product.name, {}))


def with_schedule(fused, text):
    """The program after its fuse stage, its product under the schedule `text`."""
    head = re.search(r"(graph\.kernel anchor\(matmul\) [^\n]*?)( attributes \{(?P<old>[^\n]*)\})? \{\n", fused)
    old = head.group("old")
    attributes = f" attributes {{tile.schedule = {text}{', ' + old if old else ''}}} {{\n"
    return fused[:head.start()] + head.group(1) + attributes + fused[head.end():]


def selected(args):
    return [p for p in ROWS if not args.only or any(text in p.name for text in args.only)]


def prepare(args):
    os.makedirs(args.out, exist_ok=True)

    def one(job):
        product, variant = job
        base = os.path.join(args.out, f"{product.name}@{variant}")
        with open(base + ".mlir", "w", encoding="utf-8") as file:
            file.write(product.program())
        precision = {"bf16": "bf16", "f16": "fp16"}[product.dtype]
        command = [args.tw_compile, base + ".mlir", "-o", base + ".tw", f"--precision={precision}", "--target=sm_90a",
                   "--emulation=off", "--jobs=1", "--report=json", f"--records={VARIANTS.get(variant, 'none')}"]
        if text := BY_HAND.get(product.name, {}).get(variant):
            stages = base + ".stages"
            subprocess.run(command[:2] + ["-o", base + ".tw", f"--precision={precision}", "--target=sm_90a", "--stop-after=fuse",
                                          f"--dump-stages={stages}"], capture_output=True, check=False)
            with open(os.path.join(stages, "02-fuse.mlir"), encoding="utf-8") as file:
                fused = file.read()
            with open(base + ".mlir", "w", encoding="utf-8") as file:
                file.write(with_schedule(fused, text))
            shutil.rmtree(stages)
            command.append("--start-from=tile")
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        os.remove(base + ".mlir")
        if result.returncode != 0:
            return f"{product.name}: {(result.stderr.strip().splitlines() or ['failed'])[0]}"
        kernels = json.loads(result.stdout)["kernels"]
        isolated.write(args.out, f"{product.name}@{variant}.modelled",
                       {"us": sum(k["predicted_us"] * k["launches"] for k in kernels), "from": [k["schedule_from"] for k in kernels]})
        return ""

    jobs = [(product, variant) for product in selected(args) for variant in variants(product)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        failed = [why for why in pool.map(one, jobs) if why]
    if failed:
        sys.exit("error: " + "; ".join(failed))
    print(f"   {len(jobs)} packages")


def programs(args):
    with open(args.out, "w", encoding="utf-8") as file:
        for product in selected(args):
            if product.dtype == "bf16":
                file.write(product.program().replace("@main", f"@p_{product.name.replace('-', '_')}"))
    print(f"   wrote {args.out}")


def measure_one(product, args, runtime, lt):
    import torch

    import cublaslt
    import gpu_clock
    import products
    from package_session import chained

    torch.backends.cuda.matmul.allow_tf32 = False
    count = products.data_sets(product)
    generator = torch.Generator(device="cuda").manual_seed(random.getrandbits(60))
    sets = products.draw(product, generator, count)
    kind = sets[0]["a"].dtype
    fresh = lambda: [torch.full((product.m, product.n), float("nan"), device="cuda", dtype=kind) for _ in sets]
    want = products.exact(product, sets[0])
    record, candidates, sessions = {"data_sets": count, "results": {}}, {}, []
    # One set of outputs for all variants, kept to the end: graphs hold addresses, and memory that nothing holds any more goes
    # back to the driver when the next graph is captured.
    results, outputs = record["results"], fresh()
    for variant in variants(product):
        path = os.path.join(args.packages, f"{product.name}@{variant}.tw")
        if not os.path.exists(path):
            continue
        for out in outputs:
            out.fill_(float("nan"))
        session, chain = chained(runtime, path, [data | {"c": out} for data, out in zip(sets, outputs)])
        sessions.append(session)
        chain.launch()
        torch.cuda.synchronize()
        wrong = products.wrong(product, outputs[0], want)
        first = outputs[-1].clone()
        chain.launch()
        torch.cuda.synchronize()
        if not wrong and not torch.equal(first, outputs[-1]):
            wrong = "not the same to the bit in two runs"
        results[variant] = {"wrong": wrong} if wrong else {}
        if not wrong:
            candidates[variant] = chain
        modelled = isolated.read(args.packages, f"{product.name}@{variant}.modelled")
        results[variant]["modelled_us"] = modelled["us"]
    own, extra = fresh(), fresh()
    candidates["cublas"] = gpu_clock.TorchGraph([products.library_call(product, data, out) for data, out in zip(sets, own)])
    results["cublas"] = {}
    for label, chain in candidates.items():  # a fault shows here, under the name of who made it
        for _ in range(5):
            chain.launch()
        try:
            torch.cuda.synchronize()
        except RuntimeError as problem:
            raise RuntimeError(f"CUDA fault in {label}: {problem}") from problem
    compiled = products.compiled_call(product)
    if compiled:
        try:
            wrong = products.wrong(product, compiled(sets[0]), want)
            torch.cuda.synchronize()
            results["compiled"] = {"wrong": wrong} if wrong else {}
            if not wrong:
                candidates["compiled"] = gpu_clock.TorchGraph([lambda d=data: compiled(d) for data in sets])
        except Exception as problem:  # a peer that does not compile is no peer
            results["compiled"] = {"failure": str(problem)[:300]}
    try:
        if product.epilogue in ("swiglu", "gelu-erf"):
            raise RuntimeError(f"cuBLASLt has no epilogue for {product.epilogue}")
        graph, listed, chosen = cublaslt.best(lt(), product, sets, extra, lambda out: products.wrong(product, out, want))
        candidates["cublaslt"] = graph
        results["cublaslt"] = {"algorithms": listed, "chosen": chosen}
    except (RuntimeError, OSError, AttributeError) as problem:
        results["cublaslt"] = {"failure": str(problem)[:300]}
    for label, sample in gpu_clock.burst(candidates, rounds=args.rounds).items():
        results[label]["burst"] = sample
    if args.mix:
        for label, sample in gpu_clock.mix(candidates, seconds=args.mix).items():
            results[label]["mix"] = sample
    for session in sessions:
        session.close()
    return record


def measure(args):
    every = {product.name: product for product in selected(args)}
    if args.worker:
        from package_session import Runtime
        runtime, handles = Runtime(args.runtime), []

        def lt():
            if not handles:
                import cublaslt
                handles.append(cublaslt.Lt())
            return handles[0]

        def one(name):
            record = measure_one(every[name], args, runtime, lt)
            r = record["results"]
            says = lambda label: f"{label} {r[label]['burst']['median']:.2f}" if "burst" in r.get(label, {}) else f"{label} {r.get(label)}"
            speed = lambda label: r["cublas"]["burst"]["median"] / r[label]["burst"]["median"] if "burst" in r.get(label, {}) else 0
            print(f"   {name:16} {', '.join(says(x) for x in (*variants(every[name]), 'cublas', 'cublaslt'))}; "
                  f"speed {speed('records'):.3f}, model alone {speed('model'):.3f}, Lt best {speed('cublaslt'):.3f}", flush=True)
            return record
        isolated.serve(args.worker, args.out, one)
        return
    os.makedirs(args.out, exist_ok=True)
    isolated.write(args.out, "machine", machine())
    command = [sys.executable, os.path.abspath(sys.argv[0]), *sys.argv[1:]]
    left = isolated.run(command, list(every), args.out, args.limit, patience=60)
    print(f"   {len(every) - len(left)} of {len(every)} rows measured")


def merge(args):
    rows = []
    for product in ROWS:
        runs = [r for folder in args.folders if (r := isolated.read(folder, product.name)) and "results" in r]
        if not runs:
            continue
        row = {"name": product.name, "m": product.m, "n": product.n, "k": product.k, "dtype": product.dtype,
               "epilogue": product.epilogue, "runs": len(runs), "results": {}}
        for label in (*variants(product), "cublas", "cublaslt", *(["compiled"] if product.epilogue == "swiglu" else [])):
            found = [run["results"][label] for run in runs if label in run["results"]]
            merged = {}
            for mode in ("burst", "mix"):
                samples = [one[mode] for one in found if mode in one]
                if samples:
                    merged[mode] = {"median": round(statistics.median(s["median"] for s in samples), 4),
                                    "q1": min(s["q1"] for s in samples), "q3": max(s["q3"] for s in samples)}
            for key in ("wrong", "failure", "modelled_us"):
                if any(one.get(key) for one in found):
                    merged[key] = next(one[key] for one in found if one.get(key))
            row["results"][label] = merged
        rows.append(row)
    record = {"kind": "product-rows", "machine": {**isolated.read(args.folders[0], "machine"), "commit": args.commit[:7]},
              "runs": len(args.folders), "rows": rows}
    isolated.save(args.out, record)
    print(f"   {len(rows)} rows of {len(args.folders)} runs")


def main():
    line = CommandLine(__doc__, "row", jobs=2, rounds=7)
    line.add_only()
    line.measure.add_argument("--mix", type=float, default=1.0)
    line.add_worker()
    line.add_merge(commit=True)
    line.add("programs").add_argument("--only", action="append")
    line.run(prepare=prepare, measure=measure, merge=merge, programs=programs)


if __name__ == "__main__":
    main()
