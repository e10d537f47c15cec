#!/usr/bin/env python3
"""Renders docs/performance/data/*.json as docs/performance/README.md and the plots beside it.

usage: render.py [--check] [--root DIR]
  --check  write nothing; fail when a committed page or plot differs from what the data give

Kinds of record: `encoder-latency`, from minilm_peers.py, `compile`, from compile_figures.py, `exported-graphs`, from
utils/kernelbench (its results.json with the kind added), `product-schedules`, from product_schedules.py, `product-types`, from product_types.py, `fused-products`, from fused_products.py, `product-chains`, from product_chains.py, `product-profiles`, from profile_products.py, `attention-programs`, from kernel_peers.py, `product-rows`, from product_rows.py, `product-sweep`, from product_sweep.py,
`schedule-measurements`, from tw-tune merge --measurements, `product-forms`, other schedules' times, `product-model` and `product-correction`, from fit_product_model.py and fit_product_correction.py, `product-choices`, what the model takes for drawn products (not rendered), `prologue-schedules`, times of tw-tune that constants of the model come from (not rendered), `measured-runs`, all runs of these (runs.py), `memory-programs`, the records of kernel_peers.py as one list, `kernel-schedules`, from kernel_schedules.py,
`blocks`, from block_peers.py, and `gpu-values`, from gpu_values.py. Numbers in docs/performance come from here only.
"""
import argparse
import html
import json
import pathlib
import re
import sys

from block_section import block_section, steps_section
from memory_section import memory_section

COLOURS = {"Tilewright": "#2f6fab", "torch eager": "#b8bec7", "torch.compile": "#8a93a0"}
ASKED = {"seconds": 5, "beyond": 1e6, "first_result": 0.6}


def ours(record):
    """Tilewright's rows of a latency record: the median over rounds of what `tw-run --benchmark --json` prints."""
    rounds = record.get("tilewright", {}).get("rounds", [])
    rows = []
    for clock in ("device", "wall"):
        found = sorted((latency(one, clock) for one in rounds), key=lambda one: one["p50_us"])
        if found:
            middle = found[len(found) // 2]
            rows.append({"runner": "Tilewright", "clock": clock, **middle})
    return rows


def latency(result, clock):
    """The percentiles of one benchmark result for one clock, in microseconds."""
    block = result["benchmark"]["device_time_us" if clock == "device" else "host_latency_us"]
    return {f"{quantile}_us": block[quantile] for quantile in ("p10", "p50", "p90", "p99")}


def micros(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join("---" if i == 0 else "---:" for i in range(len(header))) + "|"]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def bars(title, groups):
    """A bar chart as SVG: groups of (label, [(runner, value)]), values in microseconds."""
    bar, gap, left, right = 20, 12, 120, 90
    highest = max(value for _, rows in groups for _, value in rows)
    width, y, parts = 760, 44, []
    for label, rows in groups:
        parts.append(f'<text x="12" y="{y + 15}" font-size="13" font-weight="bold">{html.escape(label)}</text>')
        y += bar
        for runner, value in rows:
            length = max(2.0, (width - left - right) * value / highest)
            parts.append(f'<text x="{left - 8}" y="{y + 15}" font-size="12" text-anchor="end">{html.escape(runner)}</text>')
            parts.append(f'<rect x="{left}" y="{y + 2}" width="{length:.1f}" height="{bar - 4}" fill="{COLOURS.get(runner, "#cccccc")}"/>')
            parts.append(f'<text x="{left + length + 6:.1f}" y="{y + 15}" font-size="12">{micros(value)} µs</text>')
            y += bar
        y += gap
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" font-family="sans-serif" fill="#1f2a3a">\n'
            f'<rect width="{width}" height="{y}" fill="#ffffff"/>\n'
            f'<text x="12" y="24" font-size="16" font-weight="bold">{html.escape(title)}</text>\n')
    return head + "\n".join(parts) + "\n</svg>\n"


def latency_section(records, files):
    text = "## Latency of the sentence encoder\n\n"
    machines = sorted({(r["machine"]["gpu"], r["machine"]["driver"], r["machine"]["torch"], r["machine"]["cuda"]) for r in records})
    for gpu, driver, torch, cuda in machines:
        commits = sorted({r["machine"]["commit"] for r in records if r["machine"]["gpu"] == gpu})
        text += f"{gpu}, driver {driver}, torch {torch}, CUDA {cuda}; commit {', '.join(commits)}. "
    text += ("All runners of a row ran interleaved in rounds, in the same run. *device* is the time per replay of a CUDA\n"
             "graph, *wall* one call from host memory to host memory, both copies included.\n\n")
    rows, groups = [], {"device": [], "wall": []}
    for record in records:
        label = f"{record['precision']}, batch {record['batch']}, sequence {record['sequence']}"
        everyone = [*ours(record), *record["rows"]]
        for clock, found in groups.items():
            found_rows = [(row["runner"], row["p50_us"]) for row in everyone if row["clock"] == clock]
            if found_rows:
                found.append((label, found_rows))
        for row in everyone:
            rows.append([label, row["runner"], row["clock"], *(micros(row[f"p{q}_us"]) if f"p{q}_us" in row else "" for q in (10, 50, 90))])
    text += table(["", "runner", "clock", "p10 µs", "p50 µs", "p90 µs"], rows) + "\n"
    for clock, found in groups.items():
        if found:
            files[f"latency-{clock}.svg"] = bars(f"Sentence encoder, p50 latency, {clock} clock", found)
            text += f"![p50 latency, {clock} clock](latency-{clock}.svg)\n\n"
    for record in records:
        if record.get("tilewright", {}).get("rounds"):
            text += kernel_table(record)
    starts = [(r, r["tilewright"]["first_result_seconds"]) for r in records if "tilewright" in r]
    if starts:
        slowest = max(seconds for _, seconds in starts)
        text += f"From starting `tw-run` to its first result: at most {slowest:.2f} s (asked: under {ASKED['first_result']} s).\n\n"
    return text


def kernel_table(record):
    """Where the time of one forward goes, by kernel, the largest first."""
    profile = record["tilewright"]["rounds"][-1]["profile"]
    title = f"{record['precision']}, batch {record['batch']}, sequence {record['sequence']}"
    rows = []
    for kernel in profile["kernels"][:10]:
        modelled = kernel.get("modelled_us")
        rows.append([kernel["kernel"], kernel.get("anchor", ""), kernel["launches"], f"{kernel['median_us']:.2f}",
                     f"{modelled:.2f}" if modelled is not None else "", f"{100 * kernel['share']:.0f} %",
                     f"{kernel['gb_per_s']:,.0f}", f"{kernel['tflop_per_s']:.1f}", kernel.get("bound", "")])
    rest = len(profile["kernels"]) - len(rows)
    return (f"### Kernels of {title}\n\n{profile['launches']} launches, {profile['sum_us']:.1f} µs as the sum of launches"
            " measured one by one, data warm in cache" + (f"; {rest} smaller kernels are left out" if rest > 0 else "") + ".\n\n"
            + table(["kernel", "anchor", "launches", "median µs", "modelled µs", "share", "GB/s", "TFLOP/s", "bound"], rows) + "\n")


def compile_section(records):
    text = "## Compiling\n\n"
    rows = []
    for record in records:
        program, beyond = record["program"], record.get("beyond_weights_and_emulation_bytes")
        rows.append([f"{record['model']} `{' '.join(record['options'])}`", f"{record['seconds']:.1f}", record["peak_mib"],
                     record["kernels"], program.get("launches", ""),
                     f"{record['package_bytes'] / 1e6:.1f}", f"{beyond / 1e6:.2f}" if beyond is not None else ""])
    text += table(["model and options", "s", "peak MiB", "kernels", "launches", "package MB", "beyond weights and emulation MB"], rows)
    machines = sorted({(r["machine"]["cpu"], r["machine"]["cores"], r["machine"]["commit"]) for r in records})
    text += "\n" + " ".join(f"{cpu}, {cores} cores, commit {commit}." for cpu, cores, commit in machines)
    return text + f" Asked: under {ASKED['seconds']} s, and under {ASKED['beyond'] / 1e6:.0f} MB beyond weights and emulation segment.\n\n"


def values_section(record):
    """What ran on a GPU, and how much of it was right."""
    machine, families = record["machine"], record["families"]
    cases = sum(family["cases"] for family in families.values())
    failed = [name for family in families.values() for name in family["failed"]]
    text = (f"## Values on the GPU\n\n{machine['gpu']}, driver {machine['driver']}; commit {machine['commit']}. {cases} cases made by `utils/gpu-cases`, each against "
            f"the reference in fp64 and with equal bytes\nin three runs: {cases - len(failed)} right, {len(failed)} wrong"
            f"{': ' + ', '.join(failed) if failed else ''}. {record['not_compiled']} programs gave no case.\n\n")
    text += table(["family", "cases", "wrong"], [[name, one["cases"], len(one["failed"])] for name, one in families.items()]) + "\n"
    if "unit" in record:
        unit = record["unit"]
        text += f"`RuntimeGpuTests`: {unit['tests']} tests, {unit['failed']} failed, {unit['skipped']} skipped.\n\n"
    tools = {name: one for name, one in record["sanitizer"].items() if one["cases"]}
    if tools:
        text += table(["compute-sanitizer", "cases", "with complaints"], [[name, one["cases"], len(one["complaints"])] for name, one in tools.items()]) + "\n"
    return text + "".join(f"- {note}\n" for note in record.get("notes", [])) + ("\n" if record.get("notes") else "")


def graphs_section(record):
    """Exported graphs that a GPU ran: how far their results are from fp64, and how long they took."""
    graphs = record["graphs"]
    equal = [entry for entry in graphs.values() if entry.get("equal")]
    text = (f"## Exported graphs on {record['gpu']}\n\n{len(equal)} of {len(graphs)} graphs of `kernelbench` give what "
            f"PyTorch gives in fp64: each element within {record['rtol']:g} relative and {record['atol']:g} of the largest "
            "one. Inputs come from seeds, products are in fp32. The largest error is a share of what is allowed.\n\n")
    rows = []
    for name, entry in sorted(graphs.items()):
        shares = [value["share"] for value in entry.values() if isinstance(value, dict)]
        rows.append([name, f"{entry['microseconds'] / 1000:.2f}" if "microseconds" in entry else "", max(shares, default=""),
                     "yes" if entry.get("equal") else entry.get("error", "no")])
    return text + table(["graph", "ms", "largest error", "equal"], rows) + "\n"


def attention_section(record):
    """Attention as one kernel beside torch's scaled_dot_product_attention."""
    machine = record["programs"][0]["machine"]
    text = (f"## Attention\n\n{machine['gpu']}, driver {machine['driver']}, torch {machine['torch']}; commit {machine['commit'][:7]}. One kernel "
            "(`utils/bench/kernel_peers.py --only=attention`) beside torch's\nscaled_dot_product_attention, which takes cuDNN here: batch x heads x rows x "
            "columns in bf16; bursts and mix as below. TFLOP/s count two products,\nhalf of them under a causal mask.\n\n")
    rows = []
    for one in record["programs"]:
        batch, heads, length, depth = map(int, one["program"].split()[1].split("x"))
        flops = 4 * batch * heads * length**2 * depth / (2 if one["program"].endswith("causal") else 1)
        burst, mix = ({name: value["median"] for name, value in one[protocol].items() if name != "copy"} for protocol in ("burst", "mix"))
        peer = lambda times: min(us for name, us in times.items() if name != "tilewright") / times["tilewright"]
        rows.append([one["program"].removeprefix("attention "), f"{burst['tilewright']:.1f}", f"{flops / burst['tilewright'] / 1e6:.0f}", f"{burst['torch eager']:.1f}",
                     f"{burst['torch.compile']:.1f}", f"{peer(burst):.2f}", f"{peer(mix):.2f}", f"{one['error']:.0e}"])
    return text + table(["attention", "µs", "TFLOP/s", "torch eager µs", "torch.compile µs", "speed", "mix", "error"], rows) + "\n"


def product_section(record):
    """Matrix products: the model's choice and the best of the listed schedules beside cuBLAS."""
    machine = record["machine"]
    text = (f"## Matrix products\n\n{machine['gpu']}, torch {machine['torch']}; commit {machine['commit']}. bf16 with fp32 sums; device time of one call in a "
            "CUDA graph over\nrotated data, in bursts of 6 ms after 40 ms of rest and in a *mix* without rest; medians. *speed* is cuBLAS' time "
            "(torch.mm, for\nepilogues torch's own) over ours, with the schedule that the model chooses; *best* the fastest of the schedules that were "
            "compiled\nbeside it. Every result was first compared with a product in fp32, and is the same to the bit in two runs.\n\n")
    rows = []
    for one in record["products"]:
        timed = {label: {mode: result[mode]["median"] for mode in ("burst", "mix")} for label, result in one["results"].items() if "burst" in result}
        peer, own = timed.pop("cublas"), timed["model"]
        best = min(timed, key=lambda label: timed[label]["burst"])
        rows.append([one["product"], "x".join(map(str, one["shape"])), f"{peer['burst']:.1f}", f"{own['burst']:.1f}", f"{peer['burst'] / own['burst']:.2f}",
                     f"{peer['mix'] / own['mix']:.2f}", best, f"{peer['burst'] / timed[best]['burst']:.2f}"])
    return text + table(["product", "MxNxK", "cuBLAS µs", "µs", "speed", "mix", "best", "its speed"], rows) + "\n"


def type_section(record):
    """Products of other element types beside PyTorch's."""
    machine = record["machine"]
    text = (f"## Products of other types\n\n{machine['gpu']}, torch {machine['torch']}; commit {machine['commit']}. Measured as above, beside "
            "torch._scaled_mm (with fast accumulation where\nours leaves sums to the tensor cores), torch._int_mm and torch.mm; a right operand that "
            "is contiguous along N counts with the copy\nthat the peer's form asks for. *error* is that of the result against fp64, relative in the "
            "Frobenius norm.")
    for commit in sorted({one["machine"]["commit"] for one in record["products"] if "machine" in one}):
        names = [one["product"] for one in record["products"] if one.get("machine", {}).get("commit") == commit]
        text += f" Of commit {commit}: {', '.join(names)}." if commit != machine["commit"] else ""
    text += "\n\n"
    rows = []
    for one in record["products"]:
        timed = {label: {mode: result[mode]["median"] for mode in ("burst", "mix")} for label, result in one["results"].items() if "burst" in result}
        peer = timed.pop("torch")
        timed.pop("torch.compile", None)
        if not timed:
            continue
        label = "model" if "model" in timed else min(timed, key=lambda name: timed[name]["burst"])
        best = min(timed, key=lambda name: timed[name]["burst"])
        rows.append([one["product"], "x".join(map(str, one["shape"])), f"{peer['burst']:.1f}", f"{timed[label]['burst']:.1f}",
                     f"{peer['burst'] / timed[label]['burst']:.2f}", f"{peer['mix'] / timed[label]['mix']:.2f}", best,
                     f"{peer['burst'] / timed[best]['burst']:.2f}", f"{one['results']['torch']['error']:.1e}", f"{one['results'][label]['error']:.1e}"])
    return text + table(["product", "MxNxK", "torch µs", "µs", "speed", "mix", "best", "its speed", "torch's error", "error"], rows) + "\n"


def chain_section(record):
    """Products that read one another's results: the best schedule with dependent launch and without."""
    machine = record["machine"]
    text = (f"## Chains of products\n\n{machine['gpu']}, torch {machine['torch']}; commit {machine['commit']}. Products of which each reads the result of the "
            "one before, every weight its own;\ntime of one product in a burst, medians. *launched early*: the kernel may start while the one before "
            "runs, and fetches its weights\nmeanwhile. *speed* is cuBLAS' time (torch.mm in a CUDA graph) over ours; *mix* the same without rest. Each is that of "
            "the fastest\nschedule of those that were compiled, *as chosen* that of the model's own.\n\n")
    rows = []
    for one in record["chains"]:
        timed = {label: {mode: result[mode]["median"] for mode in ("burst", "mix")} for label, result in one["results"].items() if "burst" in result}
        peer = timed.pop("cublas")
        early = {label: times for label, times in timed.items() if label.endswith("-pdl")}
        later = {label: times for label, times in timed.items() if not label.endswith("-pdl")}
        best, plain = (min(some, key=lambda label: some[label]["burst"]) for some in (early, later))
        rows.append([one["chain"], "x".join(map(str, one["shape"])), f"{peer['burst']:.2f}", f"{later[plain]['burst']:.2f}", f"{peer['burst'] / later[plain]['burst']:.2f}",
                     f"{early[best]['burst']:.2f}", f"{peer['burst'] / early[best]['burst']:.2f}", f"{peer['mix'] / early[best]['mix']:.2f}",
                     f"{peer['burst'] / early['model-pdl']['burst']:.2f}", best.removesuffix("-pdl")])
    return text + table(["chain", "MxNxK", "cuBLAS µs", "µs", "speed", "launched early µs", "speed", "mix", "as chosen", "schedule"], rows) + "\n"


def fused_section(record):
    """Products with what stands around them, beside PyTorch's."""
    machine = record["machine"]
    commits = sorted({one.get("commit", machine["commit"]) for one in record["products"]})
    text = (f"## Products of operands that are computed, of gates, and of rows by groups\n\n{machine['gpu']}, torch {machine['torch']}; commit {' and '.join(commits)}. Weights of bytes with a scale for "
            "each column beside rows of bf16 (`int8`, `fp8`), and fp32\nthat is rounded to bf16 (`cast`), of which the result is of bf16, too; `gate`: x sigmoid(x) of the first half of a product's 22016 columns "
            "times the second half,\nof bf16 or bytes; `grouped`: M rows in groups, each multiplied with a matrix of its own, 8 of 1024 rows or 64 of 256, or of as many as are drawn "
            "(`uneven`; *grouped* is `torch._grouped_mm`, *eager* a product for each group)\n(`utils/bench/fused_products.py`). Medians of bursts, cold L2. *apart*: the same compiler with\nsuch operands stored by a kernel of their own, "
            "and a kernel that reads the product and gates it. "
            "*speed* is the fastest of PyTorch's forms over ours, *mix* the same without rest, *modelled* the model's time over the measured one;\n*error* that "
            "against fp64 of the operands as they are multiplied, relative in the Frobenius norm.\n\n")
    rows = []
    peers = ("torch.compile", "torch.compile max-autotune", "torch", "torch grouped")
    for one in record["products"]:
        timed = {label: {mode: result[mode]["median"] for mode in ("burst", "mix")} for label, result in one["results"].items() if "burst" in result}
        mine, best = one["results"]["model"], {mode: min(timed[label][mode] for label in peers if label in timed) for mode in ("burst", "mix")}
        shown = lambda label: f"{timed[label]['burst']:.2f}" if label in timed else ""
        rows.append([one["product"], "x".join(map(str, one["shape"])), str(mine["kernels"]), shown("model"), shown("apart"), *map(shown, peers),
                     f"{best['burst'] / timed['model']['burst']:.2f}", f"{best['mix'] / timed['model']['mix']:.2f}",
                     f"{mine['modelled_us'] / timed['model']['burst']:.2f}", f"{mine['error']:.1e}"])
    return text + table(["product", "MxNxK", "kernels", "µs", "apart", "compile", "max-autotune", "eager", "grouped", "speed", "mix", "modelled", "error"], rows) + "\n"


def profile_section(records):
    """What ncu counts of products: which unit, if any, is busy all the time."""
    machine = records[0]["machine"]
    text = (f"### What holds products back\n\n{machine['gpu']}, driver {machine['driver']}, ncu {machine['ncu']}; commits "
            f"{' and '.join(record['machine']['commit'] for record in records)}. Each product alone under ncu, with cold caches and the clocks as they are (`utils/bench/profile_products.py`):\nthe time, and in % of what each unit can sustain the cycles of DRAM, the "
            "throughput of L2, the cycles of the tensor cores; L2's hits; waves of blocks.\nWhere no unit is near its limit the time is latency: the first bytes, the "
            "chain from the last one to the result, and blocks that wait for one another.\n\n")
    columns = {"µs": "Duration", "DRAM": "DRAM: Cycles Active", "L2": "L2 Cache Throughput", "tensor cores": "SM: Pipe Tensor Cycles Active", "L2 hits": "L2 Hit Rate",
               "waves": "Waves Per SM"}
    rows = []
    for product, runs_of in (item for record in records for item in record["products"].items()):
        for name, one in runs_of.items():
            if "failed" in one:
                rows.append([product, name, one["failed"], *[""] * (len(columns) - 1)])
                continue
            number = lambda metric: float(one["metrics"].get(metric, ["nan"])[0].replace(",", ""))
            rows.append([product, name, f"{number('Duration') / 1000:.1f}", *(f"{number(metric):.0f} %" for metric in list(columns.values())[1:-1]), f"{number('Waves Per SM'):.1f}"])
    return text + table(["product", "kernel", *columns], rows) + "\n"


def rows_section(record):
    """The table's products beside cuBLAS and the fastest of cuBLASLt's list, with records and with the model alone."""
    import math
    machine, ratios = record["machine"], []
    text = (f"## Matrix products beside cuBLASLt's best\n\n{machine['gpu']}, driver {machine['driver']}, torch {machine['torch']}; commit {machine['commit']}; "
            f"{record['runs']} run{'s' if record['runs'] > 1 else ''}, medians over runs. *speed* is cuBLAS' time (torch.mm: its own\nchoice; for epilogues torch's "
            "own calls) over ours, in bursts and in the mix, *over Lt best* that of the fastest algorithm of cuBLASLt's\nheuristic list, timed for each "
            "shape. *records*: schedules that were measured; *model*: chosen without any measurement.\nEvery result was first compared with a product in fp32.\n\n")
    table_rows = []
    for row in record["rows"]:
        results = row["results"]
        own = "records" if "records" in results else "model"
        us = lambda label, mode: results.get(label, {}).get(mode, {}).get("median")
        shown = lambda label: f"{us(label, 'burst'):.1f}" if us(label, "burst") else "–"
        ratio = lambda peer, label, mode: f"{us(peer, mode) / us(label, mode):.2f}" if us(peer, mode) and us(label, mode) else "–"
        if us("records", "burst") and us("model", "burst"):
            ratios.append(us("model", "burst") / us("records", "burst"))
        table_rows.append([row["name"], f"{row['m']}x{row['n']}x{row['k']}", shown("cublas"), shown("cublaslt"), shown(own), ratio("cublas", own, "burst"),
                           ratio("cublas", own, "mix"), ratio("cublaslt", own, "burst"), ratio("cublas", "model", "burst")])
    text += table(["product", "MxNxK", "cuBLAS µs", "Lt best µs", "µs", "speed", "mix", "over Lt best", "model alone"], table_rows)
    notes = [record["note"]] if record.get("note") else []
    notes += [f"{row['name']}: {row['note']}" for row in record["rows"] if row.get("note")]
    notes += [f"{row['name']} by torch.compile (max-autotune): {row['results']['compiled']['burst']['median']:.1f} µs in bursts, "
              f"{row['results']['compiled']['mix']['median']:.1f} in the mix" for row in record["rows"] if row["results"].get("compiled", {}).get("mix")]
    for row in record["rows"]:
        by_hand = [f"{label} {one['burst']['median']:.1f}" for label, one in row["results"].items()
                   if label not in ("records", "model", "cublas", "cublaslt", "compiled") and one.get("burst")]
        if by_hand:
            notes.append(f"{row['name']} under schedules by hand, µs in bursts: {', '.join(by_hand)}")
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        notes.append(f"The model's own choices take {100 * (mean - 1):+.1f} % of the time with records, as a geometric mean (asked: within 5 %)")
    return text + "".join(f"\n{note}.\n" for note in notes) + "\n"


def plot_name(stem, machine):
    """The file of a plot: those of other GPUs than the H200 have their name."""
    import runs
    model = runs.other_model(machine["gpu"])
    return f"{stem}-{model}.svg" if model else f"{stem}.svg"


def sweep_section(record, files):
    """Random products beside cuBLAS, by class, with those that are slower."""
    import product_sweep
    machine, shapes = record["machine"], record["shapes"]
    text = (f"## {len(shapes)} random matrix products\n\n{machine['gpu']}, driver {machine['driver']}, torch {machine['torch']}; commit {machine['commit']}; "
            f"{record['runs']} run{'s' if record['runs'] > 1 else ''}. bf16; M, N and K log-uniform in 1…8192, every second shape in\nmultiples of 16, A and B stored plainly or transposed; drawn "
            f"with a seed from commit {record['seed_commit'][:7]}. Speed over cuBLAS (torch.mm) in bursts, copies that\nalign operands counted. Aligned: "
            "every row of every matrix begins at a multiple of 16 bytes. Asked: 1.20 over all, 1.05 in each class, 0.90 at worst.\n\n")
    rows = [[title, count, f"{mean:.2f}", f"{worst:.2f}", name] for title, count, mean, worst, name in product_sweep.summary(record)]
    text += table(["class", "shapes", "mean speed", "worst", "its shape"], rows) + "\n"
    wrong = [row for row in shapes if "fault" in row]
    unmeasured = sum("fault" not in row and "tilewright_us" not in row for row in shapes)
    text += (f"{len(shapes) - len(wrong) - unmeasured} of {len(shapes) - unmeasured} measured shapes right"
             + "".join(f"; {row['name']}: {row['fault']}" for row in wrong)
             + (f"; for {unmeasured} of the {len(shapes)} there was no time" if unmeasured else "") + ".\n\n")
    timed = [(row["cublas_us"] / row["tilewright_us"], row) for row in shapes if "cublas_us" in row]
    slower = sorted((pair for pair in timed if pair[0] < 0.9), key=lambda pair: pair[0])
    if slower:
        text += f"Slower than 0.90 of cuBLAS: {len(slower)}.\n\n" + table(
            ["shape", "class", "µs", "cuBLAS µs", "speed"],
            [[row["name"], row["class"], f"{row['tilewright_us']:.1f}", f"{row['cublas_us']:.1f}", f"{speed:.2f}"] for speed, row in slower]) + "\n"
    for name, title, unit, of in (("flops", "Speed over cuBLAS against operations", "flop", lambda row: row["flops"]),
                                  ("intensity", "Speed over cuBLAS against arithmetic intensity", "flop/byte", lambda row: row["flops"] / row["bytes"])):
        plot = plot_name(f"product-sweep-{name}", machine)
        files[plot] = speeds(title, unit, [(of(row), speed, row) for speed, row in timed])
        text += f"![{title}]({plot})\n\n"
    return text


def axes(title, width, height, left, bottom, top, low, high, x, unit):
    """Title and decades of a plot's logarithmic horizontal axis."""
    import math
    parts = [f'<text x="12" y="24" font-size="16" font-weight="bold">{html.escape(title)}</text>']
    step = max(1, round((high - low) / 8))
    for power in range(math.ceil(low), math.floor(high) + 1, step):
        parts.append(f'<line x1="{x(10 ** power):.1f}" y1="{top}" x2="{x(10 ** power):.1f}" y2="{height - bottom}" stroke="#f0f2f5"/>')
        parts.append(f'<text x="{x(10 ** power):.1f}" y="{height - bottom + 20}" font-size="12" text-anchor="middle">10^{power} {html.escape(unit)}</text>')
    return parts


def svg(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" fill="#1f2a3a">\n'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def speeds(title, unit, points):
    """Speed over cuBLAS, both axes logarithmic; aligned shapes as dots, ragged ones as rings."""
    import math
    width, height, left, bottom, top = 760, 420, 60, 40, 44
    low, high = (f(math.log10(p[0]) for p in points) for f in (min, max))
    least, most = -2, 3  # powers of two
    x = lambda value: left + 10 + (width - left - 50) * (math.log10(value) - low) / max(high - low, 1e-9)
    y = lambda speed: height - bottom - (height - bottom - top) * (min(max(math.log2(speed), least), most) - least) / (most - least)
    parts = axes(title, width, height, left, bottom, top, low, high, x, unit)
    parts.append('<text x="560" y="24" font-size="12" fill="#2f6fab">● aligned</text><text x="640" y="24" font-size="12" fill="#b5651d">○ ragged</text>')
    for power in range(least, most + 1):
        line = "#8a93a0" if power == 0 else "#e4e8ee"
        parts.append(f'<line x1="{left}" y1="{y(2 ** power):.1f}" x2="{width - 20}" y2="{y(2 ** power):.1f}" stroke="{line}"/>')
        parts.append(f'<text x="{left - 8}" y="{y(2 ** power) + 4:.1f}" font-size="12" text-anchor="end">{2 ** power:g}</text>')
    for value, speed, row in points:
        mark = 'fill="#2f6fab"' if row["class"].startswith("aligned") else 'fill="none" stroke="#b5651d"'
        parts.append(f'<circle cx="{x(value):.1f}" cy="{y(speed):.1f}" r="3.5" {mark}><title>{html.escape(row["name"])}: {speed:.2f}</title></circle>')
    return svg(width, height, parts)


def render(data):
    # Of each kind that of the H200 first, which the page is about.
    paths = sorted(data.glob("*.json"), key=lambda path: (re.sub(r"-[a-z]+\d+\.json$", "-h200.json", path.name), "-h200" not in path.name))
    records = [json.loads(path.read_text()) for path in paths]
    files = {}
    text = "<!-- Written by utils/bench/render.py from data/: change those, then run it. -->\n# Performance\n\n"
    latencies = [r for r in records if r["kind"] == "encoder-latency"]
    latencies.sort(key=lambda r: (["fp32", "tf32", "bf16", "fp16"].index(r["precision"]), r["batch"], r["sequence"]))
    compiles = [r for r in records if r["kind"] == "compile"]
    if latencies:
        text += latency_section(latencies, files)
    if compiles:
        text += compile_section(compiles)
    import runs
    history = next((r for r in records if r["kind"] == "measured-runs"), None)
    titles = {"memory-programs": "Programs that move bytes, in all runs", "product-rows": "The products of the table, in all runs",
              "product-types": "Products of other types, in all runs", "product-chains": "Chains launched early, in all runs"}
    drawn = {"product-sweep": "Random matrix products, in all runs", "random-programs": "Random programs, in all runs"}
    for record in records:
        start, is_last = len(text), record is [r for r in records if r["kind"] == record["kind"]][-1]
        if record["kind"] == "gpu-values":
            text += values_section(record)
        if record["kind"] == "memory-programs":
            text += memory_section(record, files, table)
        if record["kind"] == "attention-programs":
            text += attention_section(record)
        if record["kind"] == "exported-graphs":
            text += graphs_section(record)
        if record["kind"] == "product-schedules":
            text += product_section(record)
        if record["kind"] == "product-rows":
            text += rows_section(record)
        if record["kind"] == "product-sweep":
            text += sweep_section(record, files)
        if record["kind"] == "schedule-measurements":
            from model_section import model_section
            only = lambda kind: next((r for r in records if r["kind"] == kind), None)
            forms = [r for r in records if r["kind"] in ("product-forms", "schedule-measurements") and not runs.other_model(r["machine"]["gpu"])]
            text += model_section(forms, only("product-sweep"), only("product-model"), only("product-correction"), table, files, axes, svg)
        if record["kind"] == "product-types":
            text += type_section(record)
        if record["kind"] == "fused-products":
            text += fused_section(record)
        if record["kind"] == "random-programs":
            from random_section import bytes_section, random_section, versus_section
            text += random_section(record, files, table, plot_name)
            for counted in (r for r in records if is_last and r["kind"] == "random-program-bytes"):
                text += bytes_section(counted, table)
            for held in (r for r in records if is_last and r["kind"] == "random-versus"):
                text += versus_section(held, table)
        if record["kind"] == "kernel-schedules":
            from kernel_section import kernel_section
            text += kernel_section(record, table)
        if record["kind"] == "product-chains":
            text += chain_section(record)
        if record["kind"] == "blocks":
            text += block_section(record, table)
        profiles = [r for r in records if r["kind"] == "product-profiles"]
        if profiles and record is profiles[0]:
            text += profile_section(profiles)
        if model := runs.other_model(runs.machine_of(record).get("gpu", "")):
            text = text[:start] + re.sub("^## .*", lambda title: f"{title[0]} on an {model.upper()}", text[start:], count=1)
        # Once, behind the last record of the kind.
        if history and is_last:
            if record["kind"] in titles:
                text += runs.section(history, record["kind"], titles[record["kind"]], table)
            if record["kind"] in drawn:
                text += runs.class_section(history, record["kind"], drawn[record["kind"]], table)
    if not records:
        text += "Nothing has been measured yet.\n\n"
    text += steps_section(table)
    text += ("## How\n\n`utils/bench/minilm_peers.py` measures latency on a GPU machine with PyTorch, "
             "`utils/bench/compile_figures.py`\ncompiling, `utils/bench/kernel_peers.py` single programs, `utils/bench/product_rows.py` and `utils/bench/product_sweep.py`\nmatrix products beside cuBLAS and cuBLASLt, `tw-tune measure` schedules ([Tuning](../Tuning.md)); `utils/gpu-cases` with `utils/gpu-suite` checks values on a\nGPU, and `utils/bench/gpu_values.py` sums that up; their JSON is in `data/`. `utils/bench/runs.py` keeps the runs of all days\nbeside one another; `utils/measurements merge` adds one. What a change of the compiler is worth\n`utils/bench/random_programs.py versus` says, of random programs and of those of `utils/bench/long_row_programs.py`. `utils/bench/render.py` makes this page and its plots.\n")
    files["README.md"] = text
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2] / "docs/performance")
    args = parser.parse_args()
    files = render(args.root / "data")
    differing = [name for name, text in files.items() if not (args.root / name).exists() or (args.root / name).read_text() != text]
    if args.check and differing:
        sys.exit(f"error: out of date: {', '.join(differing)}; run utils/bench/render.py and commit what it writes")
    for name in differing:
        (args.root / name).write_text(files[name])
        print(f"wrote {name}")
    print(f"{len(files)} files, {len(differing)} changed")


if __name__ == "__main__":
    main()
