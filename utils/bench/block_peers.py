#!/usr/bin/env python3
"""Measures blocks of a decoder (utils/model/export_decoder_block.py) beside PyTorch, and says what fusion does to whole models.

usage: block_peers.py prepare --out DIR [--only TEXT] [--tw-compile PATH] [--tw-opt PATH] [--model NAME=FILE.onnx[@SHAPE]]…
       block_peers.py measure --packages DIR --out DIR --runtime libtilewright_rt.so [--only TEXT] [--rounds 7]
                              [--seconds 1.0] [--limit SECONDS] [--commit HASH]
       block_peers.py merge --out FILE DIR…

`prepare` needs no GPU: each case becomes an ONNX file with random weights and a package, and models.json says of each, and
of the models given, how many launches and bytes one forward takes: with every operator of the graph stage a kernel of its
own, as compiled, and at the least (each input and weight once, each output once). `measure` runs on a GPU machine with
PyTorch: the block in eager mode and under torch.compile with the same weights; every result is compared with the block in
fp64 before it is timed. Both protocols of gpu_clock.py, weights and activations as they are after the call before.
"""
import json
import math
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "model")]
import isolated  # noqa: E402
from command_line import CommandLine  # noqa: E402
from graph_in_torch import types_in  # noqa: E402

SIZES = {"hidden": 768, "heads": 12, "inner": 3072}
# name: batch, sequence, precision
CASES = {"block-b1-s1024-bf16": (1, 1024, "bf16"), "block-b8-s1024-bf16": (8, 1024, "bf16"), "block-b1-s128-bf16": (1, 128, "bf16"),
         "block-b1-s1024-fp32": (1, 1024, "fp32"), "block-b8-s1024-bf16-apart": (8, 1024, "bf16")}
# Cases that are compiled otherwise: attention by several kernels.
FLAGS = {"block-b8-s1024-bf16-apart": ["--chain-products=off"]}
# Operators that are no kernel even where every other one is: views, and what is there before the run.
NO_KERNELS = {"func.return", "arith.constant", "graph.weight", "graph.reshape", "graph.broadcast", "graph.iota"}


def selected(args):
    return [name for name in CASES if not args.only or any(text in name for text in args.only)]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command[:2])}: {done.stderr.strip()[:400]}")
    return done.stdout


def unfused(text):
    """Launches and bytes of a program in generic form when every operator is a kernel of its own."""
    launches = moved = 0
    for line in text.splitlines():
        found = re.match(r'\s*(?:%[\w:]+ = )?"([\w.]+)"\(.*\) .*: \((.*)\) -> (.*?)(?: loc\(.*\))?$', line) or \
            re.match(r'\s*(?:%[\w:]+ = )?"([\w.]+)"\([^()]*\) : \((.*)\) -> (.*?)(?: loc\(.*\))?$', line)
        if found and found.group(1) not in NO_KERNELS and found.group(1) != "func.func":
            launches += 1
            moved += sum(kind.bytes() for kind in types_in(found.group(2)) + types_in(found.group(3)))
    return {"launches": launches, "bytes": moved}


def compile_model(args, model, package, options):
    """Makes the package; returns what a forward costs before and after fusion."""
    command = [args.tw_compile, model, "--target=sm_90a", "--emulation=off", *options]
    report = json.loads(run([*command, "-o", package, "--report=json"]))
    graph = package + ".graph.mlir"
    run([*command, "--emit=graph", "-o", graph])
    before = unfused(run([args.tw_opt, graph, "--mlir-print-op-generic"]))
    os.remove(graph)
    (entry,) = report["program"]["entries"]
    return {"launches": entry["launches"], "bytes": entry["moved_bytes"], "least_bytes": entry["least_bytes"],
            "predicted_us": entry["predicted_us"], "unfused": before}


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    found = {}
    for name in selected(args):
        batch, sequence, precision = CASES[name]
        onnx, package = os.path.join(args.out, name + ".onnx"), os.path.join(args.out, name + ".tw")
        run([sys.executable, os.path.join(HERE, "..", "model", "export_decoder_block.py"), onnx, f"--batch={batch}", f"--sequence={sequence}"])
        found[name] = compile_model(args, onnx, package, [f"--precision={precision}", *FLAGS.get(name, [])])
        os.remove(onnx)
    for text in args.model:
        name, file = text.split("=", 1)
        file, _, shape = file.partition("@")
        package = os.path.join(args.out, name + ".tw")
        found[name] = compile_model(args, file, package, ["--precision=bf16", *([f"--input-shape={shape}"] if shape else [])])
        os.remove(package)
    isolated.write(args.out, "models", found)
    for name, facts in found.items():
        print(f"   {name}: {facts['launches']} launches ({facts['unfused']['launches']} unfused), {facts['bytes'] / 1e6:.1f} MB "
              f"({facts['unfused']['bytes'] / 1e6:.1f} unfused, {facts['least_bytes'] / 1e6:.1f} the least), predicted {facts['predicted_us']:.1f} us")


def block_of(weights, dtype, torch):
    """The block as a function of its input; weights as the exporter draws them."""
    F = torch.nn.functional
    w = {name: torch.from_numpy(value).cuda().to(dtype) for name, value in weights.items()}
    hidden, heads = SIZES["hidden"], SIZES["heads"]
    norm = lambda x, name: F.layer_norm(x, (hidden,), w[f"h.0.{name}.weight"], w[f"h.0.{name}.bias"], 1e-5)
    linear = lambda x, name: torch.addmm(w[f"h.0.{name}.bias"], x.flatten(0, 1), w[f"h.0.{name}.weight"]).view(*x.shape[:2], -1)

    def block(x):
        batch, sequence, _ = x.shape
        q, k, v = (part.view(batch, sequence, heads, -1).transpose(1, 2) for part in linear(norm(x, "ln_1"), "attn.c_attn").split(hidden, 2))
        context = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(batch, sequence, hidden)
        x = linear(context, "attn.c_proj") + x
        return linear(F.gelu(linear(norm(x, "ln_2"), "mlp.c_fc"), approximate="tanh"), "mlp.c_proj") + x

    return block


def measure_one(name, args, runtime, meta):
    import torch
    from export_decoder_block import random_weights

    import gpu_clock
    from package_session import Session

    batch, sequence, precision = CASES[name]
    torch.backends.cuda.matmul.allow_tf32 = False
    weights = random_weights(1, SIZES["hidden"], SIZES["inner"], 1)
    x = torch.randn(batch, sequence, SIZES["hidden"], device="cuda", generator=torch.Generator(device="cuda").manual_seed(5))
    dtype = {"bf16": torch.bfloat16, "fp32": torch.float32}[precision]
    with torch.no_grad():
        want = block_of(weights, torch.float64, torch)(x.double())
        error = lambda y: ((y.double() - want).abs().max() / want.abs().max()).item()
        output = torch.full_like(x, float("nan"))
        session = Session(runtime, os.path.join(args.packages, name + ".tw"), {"hidden_states": x, "output": output})
        ours = gpu_clock.ChainGraph([session.graph()])
        ours.launch()
        torch.cuda.synchronize()
        first = output.clone()
        ours.launch()
        torch.cuda.synchronize()
        eager = block_of(weights, dtype, torch)
        compiled = torch.compile(eager, fullgraph=True, dynamic=False)
        narrow = x.to(dtype)
        record = {"kind": "block", "case": name, "machine": meta, "model": isolated.read(args.packages, "models")[name],
                  "error": error(first), "repeatable": bool(torch.equal(first, output)),
                  "torch_error": error(eager(narrow)), "compile_error": error(compiled(narrow))}
        record["right"] = bool(record["repeatable"] and math.isfinite(record["error"]) and
                               record["error"] <= max(2 * record["torch_error"], {"bf16": 1e-2, "fp32": 1e-5}[precision]))
        candidates = {"torch eager": gpu_clock.TorchGraph([lambda: eager(narrow)]),
                      "torch.compile": gpu_clock.TorchGraph([lambda: compiled(narrow)])}
        if record["right"]:
            candidates["tilewright"] = ours
        record["burst"] = gpu_clock.burst(candidates, rounds=args.rounds)
        record["mix"] = gpu_clock.mix(candidates, seconds=args.seconds)
        session.close()
    return record


def measure(args):
    import torch

    from minilm_peers import machine
    from package_session import Runtime
    os.makedirs(args.out, exist_ok=True)
    runtime, meta, start = Runtime(args.runtime), machine(args.commit), time.monotonic()
    for name in selected(args):
        if isolated.read(args.out, name) is not None or not os.path.exists(os.path.join(args.packages, name + ".tw")):
            continue
        if args.limit and time.monotonic() - start > args.limit:
            print(f"   {name}: left for the next run")
            continue
        try:
            record = measure_one(name, args, runtime, meta)
            print(f"   {name}: " + ", ".join(f"{label} {value['median']:.1f} us" for label, value in record["burst"].items()) +
                  f"; error {record['error']:.1e}, torch's {record['torch_error']:.1e}{'' if record['right'] else ', WRONG'}", flush=True)
        except Exception as problem:  # one case's failure is its own result, and said
            record = {"kind": "block", "case": name, "machine": meta, "failure": f"{type(problem).__name__}: {problem}"[:500]}
            print(f"   {name}: {record['failure']}", flush=True)
        isolated.write(args.out, name, record)
        torch.cuda.empty_cache()


def merge(args):
    """The newest record of each case, and what fusion does to each model."""
    blocks, models = {}, {}
    for folder in args.folders:
        blocks |= {name: record for name in CASES if (record := isolated.read(folder, name)) is not None}
        models |= isolated.read(folder, "models") or {}
    isolated.save(args.out, {"kind": "blocks", "blocks": [blocks[name] for name in CASES if name in blocks], "models": models})
    print(f"   {len(blocks)} cases, {len(models)} models")


def main():
    line = CommandLine(__doc__, "case", rounds=7)
    line.add_only()
    line.prepare.add_argument("--tw-opt", default="build/dev/bin/tw-opt")
    line.prepare.add_argument("--model", action="append", default=[], metavar="NAME=FILE.onnx[@SHAPE]")
    line.measure.add_argument("--seconds", type=float, default=1.0)
    line.measure.add_argument("--commit", default="unknown")
    line.add_merge()
    line.run(prepare=prepare, measure=measure, merge=merge)


if __name__ == "__main__":
    main()
