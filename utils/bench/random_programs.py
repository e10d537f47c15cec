#!/usr/bin/env python3
"""Random programs that move bytes, beside torch.compile: shapes and ops that nobody chose by hand.

usage: random_programs.py prepare --out DIR --commit HASH [--count 67] [--tw-check PATH] [--tw-compile PATH] [--jobs 2]
       random_programs.py measure --packages DIR --out DIR --runtime libtilewright_rt.so [--workers 12] [--limit SECONDS]
       random_programs.py profile --packages DIR --out FILE --runtime libtilewright_rt.so [--size memory] [--count N]
       random_programs.py once --packages DIR --runtime libtilewright_rt.so [--size memory] [--count 20]
       random_programs.py bytes --packages DIR --out FILE NCU.csv
       random_programs.py versus --packages DIR --out FILE --runtime libtilewright_rt.so [--size memory] [--count N] OTHER…
       random_programs.py fusion --out FILE --commit HASH [--count 67] [--tw-check PATH] [--tw-compile PATH] [--jobs 2]
       random_programs.py merge --out FILE DIR…

`prepare` needs no GPU. It draws `count` programs of each class with seeds that follow from the commit, writes each in
the generic form of the graph dialect and compiles it. The classes are those of `tw-check --memory`: launch (tensors of
up to 60,000 elements), cache (up to 3 million) and memory (16 to 48 million).

What a flag of tw-compile is worth, two folders show: `prepare --out off --flag=--merge-launches=off` beside `prepare --out on`,
both with the same commit, then `measure` of each on one machine; `merge` prints the geometric means of both.

`measure` runs on a GPU machine with PyTorch. Workers compile with torch.compile in its default mode side by side; what
uses the GPU in earnest (torch's own tuning, comparing with PyTorch in fp64, measuring) happens one at a time. A program
whose JSON file is there is skipped, so that an interrupted run goes on where it stopped. Times are device times of one
call in a CUDA graph over rotated data (gpu_clock.py), ours and torch's in turns.

`profile` times every kernel of ours once (with CUPTI, through torch's profiler; from the end of the one before it), beside its
modelled bytes and time. `once` runs programs once between cudaProfilerStart and Stop, for ncu to count their bytes: before each one the L2 cache is filled with clean
lines of other memory, after it a kernel reads other memory, so that what the program wrote is written back.

  ncu --profile-from-start off --graph-profiling graph --cache-control none --csv --print-units base \
    --metrics dram__bytes_read.sum,dram__bytes_write.sum python3 random_programs.py once --repeats 5 … > NCU.csv

Of programs that move little, several copies over data of their own run between the two kernels, and count a share each: what is
written without any program is 0.03 to 0.3 MB, as much as they move. `bytes` holds these against the modelled ones: `modelled_left`
is what the program leaves in the cache that nobody needs any more, which that last kernel drives out too, of all copies once. `versus` times packages of the same programs in several folders in turns, without
PyTorch's compiler: what a change to ours is worth; it says where their results differ, too.

A result is right within a share of its largest element (1e-4; 1.6e-2 where a result has 16 bits), or four times torch's own error,
beyond what roundings inside the program may do to each element (rounding_judge.py).

`fusion` needs no GPU and a second for ten programs: it stops after the fuse stage and says how many launches and how many bytes
the programs of `prepare` are cut into.
"""
import concurrent.futures
import fcntl
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated
from command_line import CommandLine
from graph_in_torch import GraphProgram
from rounding_judge import allowed_by_rounding, relative_error

CLASSES = ("launch", "cache", "memory")


def first_seed(commit):
    return int(commit[:8], 16) % 1000000


def prepare_one(args, size, seed):
    name = f"{size}-{seed}"
    base = os.path.join(args.out, name)
    text = subprocess.run([args.tw_check, f"--random={seed}", f"--memory={size}", "--print", "--generic"],
                          check=True, capture_output=True, text=True).stdout
    with open(base + ".mlir", "w", encoding="utf-8") as file:
        file.write(text)
    GraphProgram(text)
    start = time.monotonic()
    result = subprocess.run([args.tw_compile, base + ".mlir", "-o", base + ".tw", "--emulation=off", f"--target={args.target}",
                             f"--remarks={base}.yaml", "--report=json", *args.flag], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return name, (result.stderr.strip().splitlines() or ["failed"])[0][:200], None
    report = json.loads(result.stdout)
    report["seconds"] = time.monotonic() - start
    isolated.save(base + ".report.json", report)
    return name, None, report


def copies_of(report):
    """Copies of a program that are counted together, so that they move some megabytes and yet fit into the cache."""
    memory = memory_bytes(report)
    return max(1, min(64, int(6e6 // max(memory["dram_bytes"] + memory["dram_left_bytes"], 1))))


def moved_bytes(report):
    return sum(k["launches"] * (k["bytes_read"] + k["bytes_written"]) for k in report["kernels"])


def memory_bytes(report):
    """Bytes of one call through the memory behind the L2 cache, as modelled, those left in the cache unneeded, and the least."""
    entry = report["program"]["entries"][0]
    return {"dram_bytes": entry["dram_bytes_read"] + entry["dram_bytes_written"], "dram_left_bytes": entry["dram_bytes_left"],
            "least_bytes": entry["least_bytes"]}


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    seed = first_seed(args.commit)
    with open(os.path.join(args.out, "commit"), "w", encoding="utf-8") as file:
        file.write(args.commit + "\n")
    work = [(size, seed + i) for i in range(args.first, args.first + args.count) for size in args.size or CLASSES]
    failed = spilled = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for name, problem, report in pool.map(lambda item: prepare_one(args, *item), work):
            if problem:
                failed += 1
                print(f"   {name}: {problem}", flush=True)
                continue
            spills = [k["name"] for k in report["kernels"] if k["spill_bytes"]]
            spilled += bool(spills)
            with open(os.path.join(args.out, name + ".mlir"), encoding="utf-8") as file:
                program = GraphProgram(file.read())
            through = memory_bytes(report)
            print(f"   {name}: {program.ops} ops, {report['program']['launches']} launches, "
                  f"{moved_bytes(report) / through['least_bytes']:.2f} of the least bytes, "
                  f"{through['dram_bytes'] / through['least_bytes']:.2f} through memory, {report['seconds']:.1f} s"
                  + (f", SPILLS in {', '.join(spills)}" if spills else ""), flush=True)
    print(f"   {len(work)} programs, {failed} not compiled, {spilled} with spills")
    sys.exit(1 if failed else 0)


class GpuLock:
    """One process at a time uses the GPU in earnest."""

    def __init__(self, path):
        self.file, self.depth = open(path, "w"), 0

    def __enter__(self):
        if self.depth == 0:
            fcntl.flock(self.file, fcntl.LOCK_EX)
        self.depth += 1

    def __exit__(self, *_):
        self.depth -= 1
        if self.depth == 0:
            fcntl.flock(self.file, fcntl.LOCK_UN)


def lock_torch_tuning(lock):
    """torch.compile times variants of its kernels when they first run: with the GPU to itself."""
    from torch._inductor.runtime import triton_heuristics
    tuner = triton_heuristics.CachingAutotuner
    plain = getattr(tuner, "autotune_to_one_config", None)
    if plain is None:
        print("   torch's tuning is not told apart in this version: it may be disturbed by other workers")
        return

    def alone(self, *args, **kwargs):
        with lock:
            return plain(self, *args, **kwargs)

    tuner.autotune_to_one_config = alone


def allowed_off(program, torch, inputs, want):
    """What rounding inside the program may do to each element of its results."""
    def run(sample):
        generator = torch.Generator(device="cuda").manual_seed(1000 + sample)
        noise = lambda x: torch.rand(x.shape, device="cuda", dtype=torch.float64, generator=generator)
        moved = program.function(torch, exact=True, rounded=lambda x, unit: x * (1 + unit * (2 * noise(x) - 1)))
        return moved(*inputs)
    return allowed_by_rounding(torch, run, want)


def judge(torch, program, inputs, results, library):
    """Errors of results and of the library's own against PyTorch in fp64, and whether ours are right: ill-conditioned programs are held
    against what the library itself loses, and against what rounding inside them makes."""
    wide = [x.double() if x.is_floating_point() else x for x in inputs]
    want = program.function(torch, exact=True)(*wide)
    found = {"tolerance": 1.6e-2 if any(kind.dtype != "f32" for kind in program.outputs) else 1e-4,
             "error": relative_error(results, want), "torch_error": relative_error(library(*inputs), want)}
    bound = max(found["tolerance"], 4 * found["torch_error"])
    found["right"] = bool(found["error"] <= bound)
    if not found["right"]:
        found["error_beyond_rounding"] = relative_error(results, want, allowed_off(program, torch, wide, want))
        found["right"] = bool(found["error_beyond_rounding"] <= bound)
    return found


def measure_one(name, args, runtime, lock, meta):
    import torch

    import gpu_clock
    from package_session import chained

    base = os.path.join(args.packages, name)
    with open(base + ".mlir", encoding="utf-8") as file:
        program = GraphProgram(file.read())
    with open(base + ".report.json", encoding="utf-8") as file:
        report = json.load(file)
    record = {"kind": "random-program", "program": name, "class": name.split("-")[0], "machine": meta, "ops": program.ops,
              "moved_bytes": moved_bytes(report), **memory_bytes(report),
              "launches": report["program"]["launches"], "predicted_us": sum(k["launches"] * k["predicted_us"] for k in report["kernels"])}
    inputs, outputs = data_of(program, torch, int(min(8, max(2, -(-(192 << 20) // program.least_bytes())))))
    torch._dynamo.reset()
    compiled = torch.compile(program.function(torch), fullgraph=True, dynamic=False)
    start = time.monotonic()
    compiled(*inputs[0].values())
    torch.cuda.synchronize()
    record["torch_compile_s"] = round(time.monotonic() - start, 2)
    if program.views:
        viewing = torch.compile(program.function(torch, own=False), fullgraph=True, dynamic=False)
        viewing(*inputs[0].values())
        torch.cuda.synchronize()
    with lock:
        session, ours = chained(runtime, base + ".tw", [named(i, o) for i, o in zip(inputs, outputs)])
        ours.launch()
        torch.cuda.synchronize()
        first = [value.clone() for value in outputs[0].values()]
        record |= judge(torch, program, list(inputs[0].values()), first, compiled)
        torch.cuda.empty_cache()
        ours.launch()
        torch.cuda.synchronize()
        record["repeatable"] = all(torch.equal(a, b) for a, b in zip(first, outputs[0].values()))
        del first
        candidates = {"tilewright": ours,
                      "torch.compile": gpu_clock.TorchGraph([lambda i=i: compiled(*i.values()) for i in inputs])}
        if program.views:
            candidates["torch.compile, views"] = gpu_clock.TorchGraph([lambda i=i: viewing(*i.values()) for i in inputs])
        record["burst"] = gpu_clock.burst(candidates, rounds=args.rounds, rest=0.01, microseconds=2500.0)
        del candidates
        session.close()
    return record


def data_of(program, torch, sets=1):
    """Inputs and outputs of a program, as many sets as asked for."""
    kinds = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, "i8": torch.int8}
    generator = torch.Generator(device="cuda").manual_seed(11)
    inputs, outputs = [], []
    for _ in range(sets):
        inputs.append({n: torch.randint(0, program.gathered[n], k.shape, device="cuda", generator=generator) if k.dtype == "i64" else
                       torch.randn(k.shape, device="cuda", generator=generator).to(kinds[k.dtype]) for n, k in program.inputs.items()})
        outputs.append({f"output{i}": torch.full(k.shape, -77, device="cuda", dtype=kinds[k.dtype])
                        for i, k in enumerate(program.outputs)})
    return inputs, outputs


def named(inputs, outputs):
    return {f"input{n}": value for n, value in enumerate(inputs.values())} | outputs


def sessions_of(args, copies=lambda report: 1):
    """(name, program, report, graph of one session, as often as `copies` says and no more often, however short it is) of each package
    asked for, one after the other."""
    import torch

    import gpu_clock
    from package_session import Runtime, chained
    runtime = Runtime(args.runtime)
    names = [n[:-3] for n in sorted(os.listdir(args.packages)) if n.endswith(".tw") and (not args.size or n.startswith(args.size))]
    for name in names[:args.count]:
        base = os.path.join(args.packages, name)
        with open(base + ".mlir", encoding="utf-8") as file:
            program = GraphProgram(file.read())
        with open(base + ".report.json", encoding="utf-8") as file:
            report = json.load(file)
        inputs, outputs = data_of(program, torch, copies(report))
        session, graph = chained(runtime, base + ".tw", [named(*one) for one in zip(inputs, outputs)])
        graph.instantiate(1)
        yield name, program, report, graph
        session.close()
        del inputs, outputs
        torch.cuda.empty_cache()


def names_of(on_device, report, rounds=3):
    """The kernel of each event of `rounds` replays, a flush before each, by its id. Functions of packages that were closed leave their names
    to those that take their places: where a kernel's name is missing, and each is launched once, the order in which they begin counts."""
    expected = ["flush"] + [kernel["name"] for kernel in report["kernels"]]
    named_all = set(expected[1:]) <= {event.name for event in on_device}
    if named_all or len(on_device) != rounds * len(expected) or any(kernel["launches"] != 1 for kernel in report["kernels"]):
        return {id(event): event.name for event in on_device}
    begun = sorted(on_device, key=lambda event: event.time_range.start)
    return {id(event): expected[place % len(expected)] for place, event in enumerate(begun)}


def profile(args):
    import torch
    rows = []
    for name, program, report, graph in sessions_of(args):
        flush = torch.empty(192 << 20, dtype=torch.uint8, device="cuda")
        graph.launch()
        torch.cuda.synchronize()
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as seen:
            for _ in range(3):
                flush.zero_()
                graph.launch()
            torch.cuda.synchronize()
        # A kernel that starts while the one before runs, and waits for its end, takes from there on.
        times, ended = {}, 0
        on_device = [event for event in seen.events() if event.device_type == torch.autograd.DeviceType.CUDA]
        names = names_of(on_device, report)
        for event in sorted(on_device, key=lambda event: event.time_range.end):
            end = event.time_range.end
            times.setdefault(names[id(event)], []).append(end - max(event.time_range.start, ended))
            ended = max(ended, end)
        for kernel in report["kernels"]:
            found = times.get(kernel["name"])
            if found:
                moved = kernel["bytes_read"] + kernel["bytes_written"]
                # None where the one before ends with it: less than the clock tells.
                us = max(sorted(found)[len(found) // 2], 0.1)
                rows.append({"program": name, "kernel": kernel["name"], "launches": kernel["launches"], "us": us,
                             "predicted_us": kernel["predicted_us"], "bytes": moved, "gbps": moved / us / 1e3,
                             "grid": kernel["grid"][0], "block": kernel["block"][0], "registers": kernel["registers"],
                             "spill_bytes": kernel["spill_bytes"], "shared": kernel["shared_bytes"], "anchor": kernel["anchor"]})
    with open(args.out, "w", encoding="utf-8") as file:
        json.dump(rows, file)
    lost = sorted(rows, key=lambda r: (r["us"] - max(r["bytes"] / 4.0e6, 1.5)) * -r["launches"])
    for r in lost[:40]:
        print(f"   {r['program']:14} {r['kernel']:28} x{r['launches']} {r['us']:9.1f} us, {r['gbps']:7.0f} GB/s, grid {r['grid']} "
              f"block {r['block']} regs {r['registers']} spills {r['spill_bytes']}")


def versus(args):
    import torch

    import gpu_clock
    from package_session import Runtime, chained
    from product_sweep import machine
    runtime, rows, meta = Runtime(args.runtime), [], machine()
    folders = [args.packages] + args.folders
    names = [n[:-3] for n in sorted(os.listdir(args.packages)) if n.endswith(".tw") and (not args.size or n.startswith(args.size))]
    for name in names[:args.count]:
        with open(os.path.join(args.packages, name + ".mlir"), encoding="utf-8") as file:
            program = GraphProgram(file.read())
        sets = int(min(8, max(2, -(-(192 << 20) // program.least_bytes()))))
        inputs, outputs = data_of(program, torch, sets)
        sessions, candidates, results = [], {}, []
        for folder in folders:
            session, candidates[folder] = chained(runtime, os.path.join(folder, name + ".tw"),
                                                  [named(i, o) for i, o in zip(inputs, outputs)])
            sessions.append(session)
            candidates[folder].launch()
            torch.cuda.synchronize()
            results.append([value.clone() for value in outputs[0].values()])
        errors = [relative_error(values, [want.double() for want in results[0]]) for values in results]
        times = gpu_clock.burst(candidates, rounds=args.rounds, rest=0.005, microseconds=1500.0)
        rows.append({"program": name, "us": [times[folder]["median"] for folder in folders], "differs": errors})
        print(f"   {name}: " + ", ".join(f"{us:.2f}" for us in rows[-1]["us"]) + f" us; differ by {max(errors):.1e}", flush=True)
        for session in sessions:
            session.close()
        isolated.save(args.out, {"kind": "random-versus", "folders": [os.path.basename(f) for f in folders], "machine": meta,
                                 "programs": rows})
    for place in range(1, len(folders)):
        print(f"   {folders[place]} over {folders[0]}: {geomean([r['us'][place] / r['us'][0] for r in rows]):.3f} (geometric mean)")


def fusion_one(args, size, seed):
    name = f"{size}-{seed}"
    text = subprocess.run([args.tw_check, f"--random={seed}", f"--memory={size}", "--print", "--generic"],
                          check=True, capture_output=True, text=True).stdout
    fused = subprocess.run([args.tw_compile, "-", "--stop-after=fuse", "-o", "-", f"--target={args.target}", "--jobs=1", *args.flag],
                           input=text, capture_output=True, text=True, check=False)
    if fused.returncode != 0:
        return {"program": name, "failure": fused.stderr.strip()[:200]}
    launches = [(int(a), int(b)) for a, b in re.findall(r"plan\.launch @.* read = (\d+), written = (\d+)", fused.stdout)]
    read, written, left, least = (int(n) for n in re.search(
        r"plan\.program .*plan\.traffic = array<i64: (\d+), (\d+), (\d+), (\d+)>", fused.stdout).groups())
    return {"program": name, "class": size, "launches": len(launches), "moved_bytes": sum(a + b for a, b in launches),
            "least_bytes": least, "dram_bytes": read + written, "dram_left_bytes": left}


def fusion(args):
    seed = first_seed(args.commit)
    work = [(size, seed + i) for size in CLASSES for i in range(args.first, args.first + args.count)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        rows = list(pool.map(lambda item: fusion_one(args, *item), work))
    isolated.save(args.out, {"kind": "random-fusion", "programs": rows})
    for size in CLASSES:
        mine = [r for r in rows if r.get("class") == size]
        if mine:
            print(f"   {size}: {len(mine)} programs, {sum(r['launches'] for r in mine)} launches; bytes at most 1.1 of the least: "
                  f"{sum(r['moved_bytes'] <= 1.1 * r['least_bytes'] for r in mine)}, geometric mean "
                  f"{geomean([r['moved_bytes'] / r['least_bytes'] for r in mine]):.3f}; those through memory: "
                  f"{sum(r['dram_bytes'] <= 1.1 * r['least_bytes'] for r in mine)}, "
                  f"{geomean([r['dram_bytes'] / r['least_bytes'] for r in mine]):.3f}")
    for r in rows:
        if "failure" in r:
            print(f"   {r['program']}: {r['failure']}")


def once(args):
    """Each program once, with clean lines of others in the L2 cache; then a kernel that reads what is none of the program's, so that
    what the program left there is written back. The same kernel before it shows what is written without any program."""
    import torch
    others = torch.zeros(96 << 20, dtype=torch.float32, device="cuda")

    def run(graph):
        for _ in range(3):
            others.sum()
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStart()
        others.sum()
        torch.cuda.synchronize()
        graph.launch()
        torch.cuda.synchronize()
        others.sum()
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStop()

    first = True
    for name, program, report, graph in sessions_of(args, copies_of):
        graph.launch()
        for _ in range(12 if first else 0):  # what was written before any program
            others.sum()
        first = False
        for _ in range(args.repeats):
            run(graph)
        print(f"   ran {name}", flush=True)


def bytes_command(args):
    """ncu's DRAM bytes of every program against the modelled ones. What follows a program's launches is the kernel that reads
    other memory: what it writes back is the program's, which may be results or what nobody needs any more."""
    import csv
    measured, order = {}, []
    with open(args.folders[0], encoding="utf-8") as file:
        lines = [line for line in file if line.startswith('"')]
    scale = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}
    for row in csv.DictReader(lines):
        key = row["ID"]
        if key not in measured:
            measured[key] = {"name": row["Kernel Name"].split("(")[0], "read": 0.0, "written": 0.0}
            order.append(key)
        value = float(row["Metric Value"].replace(",", "")) * scale[row["Metric Unit"]]
        measured[key]["written" if "write" in row["Metric Name"] else "read"] += value
    programs, flushes = [], []
    for launch in (measured[key] for key in order):
        if "at::" in launch["name"]:
            if programs and "after" not in programs[-1]:
                programs[-1]["after"] = launch["written"]
            flushes.append(launch)
            continue
        if not programs or "after" in programs[-1]:
            programs.append({"read": 0.0, "written": 0.0, "without": flushes[-1]["written"], "launches": []})
        programs[-1]["read"] += launch["read"]
        programs[-1]["written"] += launch["written"]
        programs[-1]["launches"].append(launch)
    rows = []
    names = [n[:-3] for n in sorted(os.listdir(args.packages)) if n.endswith(".tw") and (not args.size or n.startswith(args.size))]
    for i, name in enumerate(names[:args.count]):
        runs = programs[i * args.repeats:(i + 1) * args.repeats]
        if not runs:
            break
        with open(os.path.join(args.packages, name + ".report.json"), encoding="utf-8") as file:
            report = json.load(file)
        copies = copies_of(report)
        middle = lambda of: statistics.median(of(run) for run in runs) / copies
        written = max(0.0, middle(lambda run: run["written"] + run["after"] - run["without"]))
        entry = report["program"]["entries"][0]
        row = {"program": name, "launches": entry["launches"], "moved_bytes": moved_bytes(report),
               "modelled_read": entry["dram_bytes_read"], "modelled_written": entry["dram_bytes_written"],
               "modelled_left": entry["dram_bytes_left"], "dram_read": middle(lambda run: run["read"]), "dram_written": written,
               "written_without_program": middle(lambda run: run["without"]), "runs": len(runs), "copies": copies}
        row["modelled_bytes"] = row["modelled_read"] + row["modelled_written"] + row["modelled_left"] / copies
        row["dram_bytes"] = row["dram_read"] + row["dram_written"]
        rows.append(row)
        print(f"   {name}: {row['dram_bytes'] / 1e6:.2f} MB through DRAM ({row['dram_read'] / 1e6:.2f} read), modelled "
              f"{row['modelled_bytes'] / 1e6:.2f} ({row['modelled_read'] / 1e6:.2f}): "
              f"{row['modelled_bytes'] / row['dram_bytes']:.3f}; moved {row['moved_bytes'] / 1e6:.2f}")
    near = sum(abs(r["modelled_bytes"] / r["dram_bytes"] - 1) <= 0.05 for r in rows)
    print(f"   within 5 %: {near} of {len(rows)}")
    from product_sweep import machine
    isolated.save(args.out, {"kind": "random-program-bytes", "machine": machine(), "programs": rows} if shutil.which("nvidia-smi")
                  else {"kind": "random-program-bytes", "programs": rows})


def work(args, names, meta):
    """One worker: every program that no other has taken."""
    import torch

    from package_session import Runtime
    lock = GpuLock(os.path.join(args.claims, "gpu"))
    lock_torch_tuning(lock)
    runtime = Runtime(args.runtime)
    for name in names:
        path = os.path.join(args.out, name + ".json")
        if os.path.exists(path):
            continue
        try:
            os.close(os.open(os.path.join(args.claims, name), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        if args.limit and time.time() > args.start + args.limit:
            return
        try:
            if not os.path.exists(os.path.join(args.packages, name + ".tw")):
                raise RuntimeError("there is no package: the program was not compiled")
            record = measure_one(name, args, runtime, lock, meta)
        except Exception as problem:  # one program's failure is its own result, and said
            record = {"kind": "random-program", "program": name, "class": name.split("-")[0], "machine": meta,
                      "failure": f"{type(problem).__name__}: {problem}"[:500]}
            while lock.depth:
                lock.__exit__()
        torch.cuda.empty_cache()
        isolated.save(path, record)


def programs_in(folder):
    """All programs that were prepared; those that were not compiled have failed, and count as such."""
    return sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".mlir"))


def measure(args):
    import multiprocessing

    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # the workers are the threads
    from minilm_peers import machine
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.packages, "commit"), encoding="utf-8") as file:
        meta = machine(args.code or file.read().strip())
    args.start, args.claims = time.time(), tempfile.mkdtemp()
    by_class = {size: [] for size in CLASSES}
    for name in programs_in(args.packages):
        by_class[name.split("-")[0]].append(name)
    # The classes in turns: what an interrupted run has is of all of them.
    most = max(len(found) for found in by_class.values())
    names = [found[i] for i in range(most) for found in by_class.values() if i < len(found)]
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=work, args=(args, names, meta)) for _ in range(args.workers)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    summarize(read_records([args.out], names), len(names))


def read_records(folders, names=None):
    found = {}
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            if name.endswith(".json") and not name.endswith(".report.json") and (names is None or name[:-5] in names):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    record = json.load(file)
                if record.get("kind") == "random-program":
                    found[record["program"]] = record
    return [found[name] for name in sorted(found)]


def speed(record):
    return record["burst"]["torch.compile"]["median"] / record["burst"]["tilewright"]["median"]


def geomean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else float("nan")


def summarize(records, total):
    timed = [r for r in records if "burst" in r]
    wrong = [r for r in records if not r.get("right")]
    print(f"   {len(records)} of {total} programs, {len(wrong)} wrong or failed; geometric mean over torch.compile "
          f"{geomean([speed(r) for r in timed]):.3f}")
    for size in CLASSES:
        mine = sorted((r for r in timed if r["class"] == size), key=speed)
        if mine:
            print(f"   {size}: {len(mine)} programs, geometric mean {geomean([speed(r) for r in mine]):.3f}, worst "
                  + ", ".join(f"{r['program']} {speed(r):.2f}" for r in mine[:12]))
    if timed:
        few = sum(r["moved_bytes"] <= 1.1 * r["least_bytes"] for r in timed)
        print(f"   bytes moved at most 1.1 of the least: {few} of {len(timed)}")
        told = [r for r in timed if "dram_bytes" in r]
        few = sum(r["dram_bytes"] <= 1.1 * r["least_bytes"] for r in told)
        print(f"   bytes through memory, as modelled, at most 1.1 of the least: {few} of {len(told)}")
    for r in wrong:
        print(f"   {r['program']}: " + (r.get("failure") or f"WRONG: error {r['error']:.2e}, torch {r['torch_error']:.2e}"))


def merge(args):
    records = read_records(args.folders)
    isolated.save(args.out, {"kind": "random-programs", "programs": records})
    summarize(records, len(records))


def main():
    line = CommandLine(__doc__, "program", jobs=2, rounds=5)
    line.prepare.add_argument("--commit", required=True)
    line.prepare.add_argument("--count", type=int, default=67, help="programs of each class")
    line.prepare.add_argument("--first", type=int, default=0, help="the first of them")
    line.prepare.add_argument("--size", action="append", choices=CLASSES)
    line.prepare.add_argument("--tw-check", default="build/dev/bin/tw-check")
    line.prepare.add_argument("--target", default="sm_90a")
    line.prepare.add_argument("--flag", action="append", default=[], help="another flag of tw-compile")
    line.measure.add_argument("--workers", type=int, default=12)
    line.measure.add_argument("--code", help="the commit of the compiler, where it is not that of the seeds")
    line.add_merge()
    one, two, three, four, five = line.add("profile"), line.add("once", out=False), line.add("bytes"), line.add("versus"), line.add("fusion")
    for command in (one, two, three, four):
        command.add_argument("--packages", required=True)
        command.add_argument("--size", choices=CLASSES)
        command.add_argument("--count", type=int)
    for command in (one, two, four):
        command.add_argument("--runtime", required=True)
    for command in (two, three):
        command.add_argument("--repeats", type=int, default=1, help="times that each program is counted, of which the median is taken")
    four.add_argument("--rounds", type=int, default=5)
    four.add_argument("folders", nargs="+", metavar="OTHER")
    five.add_argument("--commit", required=True)
    five.add_argument("--count", type=int, default=67, help="programs of each class")
    five.add_argument("--first", type=int, default=0, help="the first of them")
    five.add_argument("--tw-check", default="build/dev/bin/tw-check")
    five.add_argument("--tw-compile", default="build/dev/bin/tw-compile")
    five.add_argument("--target", default="sm_90a")
    five.add_argument("--flag", action="append", default=[], help="another flag of tw-compile")
    five.add_argument("--jobs", type=int, default=2)
    three.add_argument("folders", nargs=1, metavar="NCU.csv")
    line.run(prepare=prepare, measure=measure, merge=merge, profile=profile, once=once, bytes=bytes_command, versus=versus, fusion=fusion)


if __name__ == "__main__":
    main()
