#!/usr/bin/env python3
"""Measures single programs beside PyTorch (eager, torch.compile), Triton and XLA, and against the memory's own limit.

usage: kernel_peers.py prepare --out DIR [--only TEXT] [--tw-compile PATH] [--target sm_90a] [--hinted] [--ruled]
       kernel_peers.py merge --out FILE DIR…
       kernel_peers.py predict --out FILE --packages DIR --commit HASH
       kernel_peers.py measure --packages DIR --out DIR --runtime libtilewright_rt.so [--only TEXT] [--rounds 9]
                               [--seconds 1.5] [--peer NAME]… [--commit HASH] [--limit SECONDS]

`prepare` needs no GPU: it writes every program as MLIR and compiles it to a package, with --precision=bf16 where its
tensors are bf16: functions are then as exact as 16-bit results need. With `--hinted` it makes a second package of each,
with hints of caches, with `--ruled` one without tuning records, which `measure` times as well. `measure` runs on a GPU machine
with PyTorch; a program whose JSON file is there is skipped, so an interrupted run goes on where it stopped. Every result
is first compared with PyTorch's in fp64; a wrong one is recorded as wrong and not timed.

`predict` adds to the programs of FILE, which `merge` wrote, what the reports in DIR say that each computes and takes.

Times are device times of one call in a CUDA graph of rotated, L2-cold data (gpu_clock.py). The ceiling is a device copy
that moves the same bytes in the same run, read and written in the program's proportion as far as a copy can.

Peers: `eager` and `compile` (torch.compile's default mode) unless others are asked for; `autotune` (torch.compile with
max-autotune), `triton` (row_kernels.py, softmax and layer norm alone) and `xla` (xla_programs.py). A peer that fails, or
is wrong by more than ours may be, is recorded with the reason and not timed.
"""
import json
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated
import memory_programs
from command_line import CommandLine


# Other packages of a program: what they are called, and the flag that makes them so.
VARIANTS = {"hinted": ("with cache hints", "--cache-hints=on"), "ruled": ("without records", "--records=none")}


def slug(name):
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    failed = []
    for program in selected(args):
        base = os.path.join(args.out, slug(program.name))
        with open(base + ".mlir", "w", encoding="utf-8") as file:
            file.write(program.text())
        command = [args.tw_compile, base + ".mlir", "-o", base + ".tw", "--emulation=off", f"--target={args.target}",
                   f"--precision={program.precision()}", "--report=json", *program.flags]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            failed.append(program.name)
            print(f"   {program.name}: {result.stderr.strip().splitlines()[0][:200] if result.stderr else 'failed'}")
            continue
        with open(base + ".report.json", "w", encoding="utf-8") as file:
            file.write(result.stdout)
        for name, (_, flag) in VARIANTS.items():
            if getattr(args, name):
                command[command.index("-o") + 1] = f"{base}.{name}.tw"
                subprocess.run([*command, flag], stdout=subprocess.DEVNULL, check=True)
        report = json.loads(result.stdout)
        kernels = report["kernels"]
        print(f"   {program.name}: {len(kernels)} kernels, " +
              ", ".join(f"grid {k.get('grid')} block {k.get('block')} regs {k.get('registers')}" for k in kernels[:2]))
    if failed:
        sys.exit(f"error: {len(failed)} programs were not compiled: {', '.join(failed)}")


def selected(args):
    return [p for p in memory_programs.programs() if not args.only or any(text in p.name for text in args.only)]


class Data:
    """Rotated data sets of a program: enough that all of them together are several times the L2 cache."""

    def __init__(self, program, torch):
        read, written = program.bytes_moved()
        self.count = int(min(24, max(3, -(-(256 << 20) // (read + written)))))
        kinds = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, "i8": torch.int8, "i64": torch.int64}
        generator = torch.Generator(device="cuda").manual_seed(11)
        self.inputs, self.outputs = [], []
        shared = {}
        for _ in range(self.count):
            inputs = {}
            for name, (shape, dtype) in program.inputs.items():
                if dtype == "i64":
                    rows = next(iter(program.inputs.values()))[0][0]
                    inputs[name] = torch.randint(0, rows, shape, device="cuda", generator=generator)
                elif name in program.limits:  # a table that is gathered from: one for all
                    if name not in shared:
                        shared[name] = torch.randn(shape, device="cuda", generator=generator).to(kinds[dtype])
                    inputs[name] = shared[name]
                else:
                    inputs[name] = torch.randn(shape, device="cuda", generator=generator, dtype=torch.float32).to(kinds[dtype])
            self.inputs.append(inputs)
            self.outputs.append({name: torch.full(shape, -77, device="cuda", dtype=kinds[dtype])
                                 for name, (shape, dtype) in program.outputs.items()})


def tuple_of(value):
    return value if isinstance(value, tuple) else (value,)


def worst_error(program, data, results, torch):
    """Largest error over all outputs, relative to the exact result's largest magnitude, in slabs of rows."""
    wide = lambda x: x.double() if x.is_floating_point() else x
    worst = 0.0
    inputs = data.inputs[0]
    exact = tuple_of(program.exact(*(wide(x) for x in inputs.values())))
    for value, want in zip(results, exact):
        if tuple(value.shape) != tuple(want.shape):
            return float("inf")
        scale = want.abs().max().item() or 1.0
        error = (value.double() - want).abs().max().item() / scale
        worst = max(worst, error if error == error else float("inf"))
    return worst


PEERS = {"eager": "torch eager", "compile": "torch.compile", "autotune": "torch.compile, max-autotune", "triton": "Triton",
         "xla": "XLA"}


def peer_of(name, program, data, torch):
    """A candidate for gpu_clock.py, its result compared with fp64; None where the peer has no form of the program."""
    import gpu_clock

    if name == "xla":
        import xla_programs
        candidate = xla_programs.peer_of(program, data)
        results = candidate.outputs(torch) if candidate else []
    else:
        call = program.peer
        if name == "triton":
            import row_kernels
            call = row_kernels.peer_of(program)
        elif name != "eager":
            torch._dynamo.reset()  # else it gives up after eight programs of one function
            mode = "max-autotune-no-cudagraphs" if name == "autotune" else "default"
            call = torch.compile(program.peer, mode=mode, fullgraph=True, dynamic=False)
        results = tuple_of(call(*data.inputs[0].values())) if call else []
        candidate = gpu_clock.TorchGraph([lambda i=i: call(*i.values()) for i in data.inputs]) if call else None
    if candidate is None:
        return None
    # Peers may round 16-bit intermediate results more often than we do.
    error = worst_error(program, data, results, torch)
    if error > max(4 * program.tolerance, 1e-3):
        raise RuntimeError(f"its result is wrong by {error:.1e} of the largest element")
    return candidate


def measure_one(program, args, runtime, meta):
    import torch

    import gpu_clock
    from package_session import chained

    base = os.path.join(args.packages, slug(program.name))
    data = Data(program, torch)
    read, written = program.bytes_moved()
    record = {"kind": "memory-program", "program": program.name, "machine": meta, "bytes_read": read,
              "bytes_written": written, "data_sets": data.count}
    sets = [inputs | outputs for inputs, outputs in zip(data.inputs, data.outputs)]
    session, ours = chained(runtime, base + ".tw", sets)
    sessions = [session]
    ours.launch()
    torch.cuda.synchronize()
    first = [value.clone() for value in data.outputs[0].values()]
    record["error"] = worst_error(program, data, first, torch)
    record["tolerance"] = program.tolerance
    record["right"] = bool(record["error"] <= program.tolerance)
    ours.launch()
    torch.cuda.synchronize()
    record["repeatable"] = all(torch.equal(a, b) for a, b in zip(first, data.outputs[0].values()))
    if record["right"]:
        candidates, record["left_out"] = {"tilewright": ours}, {}
        variants = [name for name in VARIANTS if os.path.exists(f"{base}.{name}.tw")]
        for name in variants:
            session, candidates[name] = chained(runtime, f"{base}.{name}.tw", sets)
            sessions.append(session)
        for peer in args.peer or ("eager", "compile"):
            try:
                candidate = peer_of(peer, program, data, torch)
                if candidate:
                    candidates[PEERS[peer]] = candidate
            except Exception as problem:  # the peer's own failure
                record["left_out"][PEERS[peer]] = f"{type(problem).__name__}: {problem}"[:300]
            torch.cuda.synchronize()
        moved = (read + written) // 2 // 65536 * 65536 or 512  # a tail would cost the copy a slower kernel
        source = [torch.empty(moved, dtype=torch.uint8, device="cuda").random_() for _ in range(data.count)]
        target = [torch.empty_like(s) for s in source]
        candidates["copy"] = gpu_clock.TorchGraph([lambda s=s, t=t: t.copy_(s) for s, t in zip(source, target)])
        record["burst"] = gpu_clock.burst(candidates, rounds=args.rounds)
        record["mix"] = gpu_clock.mix(candidates, seconds=args.seconds)
        for name in variants:
            record[name] = {kind: record[kind].pop(name) for kind in ("burst", "mix")}
        del candidates, source, target
    for session in sessions:
        session.close()
    if os.path.exists(base + ".report.json"):
        with open(base + ".report.json", encoding="utf-8") as file:
            report = json.load(file)
        record["kernels"] = len(report["kernels"])
        add_prediction(record, report, meta["commit"])
    return record


def add_prediction(record, report, commit):
    """What a program computes and is expected to take, as the compiler at `commit` reports it."""
    record["flops"] = sum(kernel["flops"] * kernel["launches"] for kernel in report["kernels"])
    record["predicted_us"] = report["program"]["entries"][0]["predicted_us"]
    record["predicted_at"] = commit


def measure(args):
    import torch

    from minilm_peers import machine
    from package_session import Runtime

    os.makedirs(args.out, exist_ok=True)
    runtime, meta, start = Runtime(args.runtime), machine(args.commit), time.monotonic()
    for program in selected(args):
        path = os.path.join(args.out, "memory-" + slug(program.name) + ".json")
        if os.path.exists(path):
            print(f"   {program.name}: measured already")
            continue
        if not os.path.exists(os.path.join(args.packages, slug(program.name) + ".tw")):
            print(f"   {program.name}: no package")
            continue
        if args.limit and time.monotonic() - start > args.limit:
            print(f"   {program.name}: left for the next run")
            continue
        try:
            record = measure_one(program, args, runtime, meta)
        except Exception as problem:  # one program's failure is its own result, and said
            record = {"kind": "memory-program", "program": program.name, "machine": meta, "failure": str(problem)[:500]}
        torch.cuda.empty_cache()
        isolated.save(path, record)
        if "burst" not in record:
            print(f"   {program.name}: {record.get('failure') or 'WRONG: error %g' % record['error']}", flush=True)
            continue
        t = {name: value["median"] for name, value in record["burst"].items()}
        peers = {name: value for name, value in t.items() if name not in ("tilewright", "copy")}
        for name, (said, _) in VARIANTS.items():
            if name in record:
                print(f"   {program.name:40} {said} {record[name]['burst']['median']:8.2f}", flush=True)
        print(f"   {program.name:40} ours {t['tilewright']:8.2f} copy {t['copy']:8.2f}  share {t['copy'] / t['tilewright']:.3f}  "
              + "".join(f"{name} {value:.2f}  " for name, value in peers.items())
              + f"over best {min(peers.values(), default=float('nan')) / t['tilewright']:.2f}  error {record['error']:.1e} "
              f"repeatable {record['repeatable']}" + "".join(f"  {name}: {why}" for name, why in record["left_out"].items()), flush=True)


def merge(args):
    """The records of measured programs as one file for docs/performance/data, in the order of the programs. Those of the file
    that is there and were not measured again stay, of the commits that they name."""
    order = {slug(p.name): i for i, p in enumerate(memory_programs.programs())}
    found = {}
    if os.path.exists(args.out):
        with open(args.out, encoding="utf-8") as file:
            found = {slug(program["program"]): program for program in json.load(file)["programs"]}
    for folder in args.folders:
        for name in sorted(os.listdir(folder)):
            if name.startswith("memory-") and name.endswith(".json"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found[name[len("memory-"):-len(".json")]] = json.load(file)
    programs = [found[name] for name in sorted(found, key=lambda name: order.get(name, len(order)))]
    isolated.save(args.out, {"kind": "memory-programs", "programs": programs})
    print(f"   {len(programs)} programs in {args.out}")


def predict(args):
    """Adds predictions to records that were merged without, or from an earlier compiler."""
    with open(args.out, encoding="utf-8") as file:
        record = json.load(file)
    for program in record["programs"]:
        with open(os.path.join(args.packages, slug(program["program"]) + ".report.json"), encoding="utf-8") as file:
            add_prediction(program, json.load(file), args.commit)
    isolated.save(args.out, record)
    print(f"   {len(record['programs'])} programs in {args.out}")


def main():
    line = CommandLine(__doc__, "program", rounds=9)
    line.add_only()
    line.prepare.add_argument("--target", default="sm_90a")
    for name, (said, _) in VARIANTS.items():
        line.prepare.add_argument(f"--{name}", action="store_true", help=f"another package of each, {said}, to compare with")
    line.measure.add_argument("--seconds", type=float, default=1.5)
    line.measure.add_argument("--peer", action="append", choices=PEERS)
    line.measure.add_argument("--commit", default="unknown")
    line.add_merge()
    prediction = line.add("predict")
    prediction.add_argument("--packages", required=True, help="the folder that prepare filled")
    prediction.add_argument("--commit", required=True, help="what compiled them")
    line.run(prepare=prepare, measure=measure, merge=merge, predict=predict)


if __name__ == "__main__":
    main()
