"""What product_schedules.py, product_types.py and product_chains.py share: packages of one product under several schedules
(`NAME@SCHEDULE.tw`) are candidates, timed beside a library's call in the same windows, product after product."""
import os
import time

import isolated
from command_line import CommandLine


def time_all(candidates, results, args):
    """Adds to each candidate's result its times in bursts and in the mix (gpu_clock.py)."""
    import gpu_clock
    for mode, samples in (("burst", gpu_clock.burst(candidates, rounds=args.rounds)),
                          ("mix", gpu_clock.mix(candidates, seconds=args.seconds))):
        for label, sample in samples.items():
            results[label][mode] = sample


def add_packages(name, args, runtime, sets, shape, dtype, error_of, allowed, candidates, results):
    """Runs the packages of `name` over the data `sets`, whose result `c` has this shape and type: adds what `error_of` says of the
    first one to `results`, and to `candidates` those whose error is allowed and whose two runs give equal bits. Returns their
    sessions, which the caller closes behind the candidates."""
    import torch

    from package_session import chained

    sessions = []
    for file in sorted(os.listdir(args.packages)):
        if not file.startswith(name + "@") or not file.endswith(".tw"):
            continue
        label = file[len(name) + 1:-3]
        try:
            outputs = [torch.full(shape, 77, device="cuda", dtype=dtype) for _ in sets]
            session, chain = chained(runtime, os.path.join(args.packages, file),
                                     [data | {"c": out} for data, out in zip(sets, outputs)])
            sessions.append(session)
            chain.launch()
            torch.cuda.synchronize()
            first = outputs[0].clone()
            chain.launch()
            torch.cuda.synchronize()
            results[label] = {"error": error_of(first), "repeatable": bool(torch.equal(first, outputs[0]))}
            if results[label]["error"] <= allowed and results[label]["repeatable"]:
                candidates[label] = chain
        except Exception as problem:
            results[label] = {"failure": str(problem)[:300]}
    return sessions


def show(title, results, peer):
    """A line for the peer and one for each candidate, the fastest first."""
    times = {mode: results[peer][mode]["median"] for mode in ("burst", "mix")}
    print(f"{title}: {peer} burst {times['burst']:.2f} us, mix {times['mix']:.2f}")
    for label, result in sorted(results.items(), key=lambda item: item[1].get("burst", {}).get("median", 1e9)):
        if label == peer:
            continue
        if "burst" not in result:
            print(f"   {label:26} NOT TIMED {result}", flush=True)
            continue
        burst, mixed = result["burst"]["median"], result["mix"]["median"]
        print(f"   {label:26} burst {burst:9.2f} ({times['burst'] / burst:.3f})  mix {mixed:9.2f} ({times['mix'] / mixed:.3f})"
              f"  error {result['error']:.1e}", flush=True)


def measure_all(args, wanted, name_of, measure_one, file_name, peer):
    """Measures what `wanted` yields while there is time; all records so far stand in `file_name` after each one, and what
    is there already is not measured again."""
    import torch

    from package_session import Runtime
    from product_sweep import machine

    os.makedirs(args.out, exist_ok=True)
    runtime, start, path = Runtime(args.runtime), time.monotonic(), os.path.join(args.out, file_name)
    records, on = isolated.read(args.out, file_name[:-len(".json")]) or [], machine()
    for one in wanted:
        if any(record["measured"] == name_of(one) for record in records):
            continue
        if args.limit and time.monotonic() - start > args.limit:
            print(f"   {name_of(one)}: left out, no time")
            continue
        try:
            record = measure_one(one, args, runtime)
        except Exception as problem:  # this product's own failure; the others are still measured
            print(f"   {name_of(one)}: FAILED: {str(problem)[:300]}", flush=True)
            continue
        records.append(record | {"measured": name_of(one), "machine": on})
        torch.cuda.empty_cache()
        isolated.save(path, records)
        show(name_of(one), record["results"], peer)


def arguments(doc, rounds, seconds, add=None):
    """The command line; `add` puts a script's own flags into it."""
    line = CommandLine(doc, "product", rounds=rounds)
    line.add_only()
    line.measure.add_argument("--seconds", type=float, default=seconds)
    if add:
        add(line)
    return line
