#!/usr/bin/env python3
"""Measures the sentence encoder in PyTorch (eager and torch.compile) and in Tilewright, one after the other in rounds,
so that clocks and neighbours touch them alike. Runs on a GPU machine with PyTorch; downloads nothing.

usage: minilm_peers.py --out DIR [--package PRECISION=FILE.tw]… [--tw-run PATH] [--batch 1 --batch 32]
                       [--sequence 128] [--precision fp32 --precision bf16] [--rounds 5] [--compile-mode MODE]
                       [--weights MODEL.safetensors] [--drawn-weights] [--commit HASH]

The encoder is built from plain torch, with random weights unless --weights gives the real ones: time does not depend
on them. Each measured case is one JSON file in DIR; a case whose file is there is skipped, so an interrupted run goes
on where it stopped. The files name GPU, driver and library versions and the commit, and no host or path.

Two clocks: `device` is the time per replay of a captured CUDA graph, between events, ten replays a sample; `wall` is
one call from host memory to host memory, both copies included.
fp32 is IEEE (no TF32) and tf32 allows it; bf16 and fp16 cast weights and activations.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    import torch
    import torch.nn.functional as F
    from torch import nn
except ImportError as missing:
    sys.exit(f"error: needs PyTorch and numpy: {missing}")

SIZES = {"vocab": 30522, "hidden": 384, "inner": 1536, "heads": 12, "layers": 6, "positions": 512, "types": 2}


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        hidden, inner = SIZES["hidden"], SIZES["inner"]
        self.query, self.key, self.value, self.out = (nn.Linear(hidden, hidden) for _ in range(4))
        self.up, self.down = nn.Linear(hidden, inner), nn.Linear(inner, hidden)
        self.norm1, self.norm2 = nn.LayerNorm(hidden, eps=1e-12), nn.LayerNorm(hidden, eps=1e-12)

    def forward(self, x, mask):
        batch, length, hidden = x.shape
        q, k, v = (
            part(x).view(batch, length, SIZES["heads"], -1).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        context = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.norm1(x + self.out(context.transpose(1, 2).reshape(batch, length, hidden)))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Encoder(nn.Module):
    """A BERT encoder with mean pooling and L2 normalisation, of all-MiniLM-L6-v2's sizes."""

    def __init__(self):
        super().__init__()
        hidden = SIZES["hidden"]
        self.words = nn.Embedding(SIZES["vocab"], hidden)
        self.places = nn.Embedding(SIZES["positions"], hidden)
        self.types = nn.Embedding(SIZES["types"], hidden)
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(SIZES["layers"]))

    def forward(self, ids, mask, types):
        x = self.words(ids) + self.types(types) + self.places.weight[: ids.shape[1]]
        x = self.norm(x)
        kept = mask[:, :, None].to(x.dtype)
        additive = (1 - mask[:, None, None, :].to(x.dtype)) * torch.finfo(x.dtype).min
        for layer in self.layers:
            x = layer(x, additive)
        mean = (x * kept).sum(1) / kept.sum(1).clamp(min=1e-9)
        return F.normalize(mean.float(), dim=1)


def load_weights(encoder, path):
    """The published weights under the names that this module gives them."""
    from safetensors.torch import load_file

    names = [("embeddings.word_embeddings", "words"), ("embeddings.position_embeddings", "places"),
             ("embeddings.token_type_embeddings", "types"), ("embeddings.LayerNorm", "norm"),
             (r"encoder.layer.(\d+).attention.self.(\w+)", r"layers.\1.\2"),
             (r"encoder.layer.(\d+).attention.output.dense", r"layers.\1.out"),
             (r"encoder.layer.(\d+).attention.output.LayerNorm", r"layers.\1.norm1"),
             (r"encoder.layer.(\d+).intermediate.dense", r"layers.\1.up"),
             (r"encoder.layer.(\d+).output.dense", r"layers.\1.down"),
             (r"encoder.layer.(\d+).output.LayerNorm", r"layers.\1.norm2")]
    state = {}
    for name, value in load_file(path).items():
        for pattern, ours in names:
            renamed, count = re.subn(f"^{pattern}\\.(weight|bias)$",
                                     lambda m, ours=ours: m.expand(ours) + "." + m.group(m.lastindex), name)
            if count:
                state[renamed] = value.float()
    encoder.load_state_dict(state)


def percentiles(samples):
    return {f"p{q}_us": round(float(np.percentile(samples, q)), 3) for q in (10, 50, 90, 99)} | {"samples": len(samples)}


class TorchCase:
    """One way to run the encoder in torch. `device` samples need its CUDA graph, `wall` samples call it."""

    def __init__(self, encoder, inputs, precision, compiled, mode):
        kinds = {"bf16": torch.bfloat16, "fp16": torch.float16}
        self.precision = precision
        self.module = encoder.to(kinds.get(precision, torch.float32))
        self.inputs = inputs
        self.host = [value.cpu().pin_memory() for value in inputs]
        self.set_flags()
        if compiled:
            self.module = torch.compile(self.module, mode=mode, fullgraph=True, dynamic=False)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(5):
                self.module(*inputs)
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.output = self.module(*inputs)
        self.graph.replay()
        torch.cuda.synchronize()

    def set_flags(self):
        torch.backends.cuda.matmul.allow_tf32 = self.precision == "tf32"
        torch.backends.cudnn.allow_tf32 = self.precision == "tf32"

    def device_samples(self, count):
        replays, samples = 10, []
        for _ in range(5):
            self.graph.replay()
        for _ in range(count):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            for _ in range(replays):
                self.graph.replay()
            end.record()
            end.synchronize()
            samples.append(start.elapsed_time(end) * 1e3 / replays)
        return samples

    def wall_samples(self, count):
        self.set_flags()
        samples = []
        for index in range(count + 5):
            torch.cuda.synchronize()
            start = time.perf_counter()
            self.module(*(value.cuda(non_blocking=True) for value in self.host)).cpu()
            if index >= 5:
                samples.append((time.perf_counter() - start) * 1e6)
        return samples


class TilewrightCase:
    """Runs `tw-run --benchmark --json`, which times itself; its percentiles are per round."""

    def __init__(self, tw_run, package, inputs, folder, drawn_weights):
        self.command = [tw_run, package, "--device=cuda", "--benchmark=1", "--json"] + (["--weights=random:7"] if drawn_weights else [])
        for name, value in inputs.items():
            path = os.path.join(folder, f"{name}.npy")
            np.save(path, value)
            self.command += ["--input", f"{name}={path}"]
        start = time.perf_counter()
        first = self.command[:3] + self.command[5:] + ["--output", folder]
        subprocess.run(first, check=True, stdout=subprocess.DEVNULL)
        self.first_result_seconds = round(time.perf_counter() - start, 3)
        self.last = None

    def round(self):
        result = subprocess.run(self.command, check=True, capture_output=True, text=True)
        self.last = json.loads(result.stdout)
        return self.last


def machine(commit):
    query = ["nvidia-smi", "--query-gpu=name,driver_version,clocks.max.sm", "--format=csv,noheader"]
    name, driver, clock = subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0].split(", ")
    return {"gpu": name, "driver": driver, "max_sm_clock": clock, "cuda": torch.version.cuda,
            "torch": torch.__version__, "commit": commit}


def write(out, name, record):
    partial = os.path.join(out, name + ".partial")
    with open(partial, "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1, sort_keys=True)
        file.write("\n")
    os.replace(partial, os.path.join(out, name + ".json"))
    print(f"   wrote {name}.json", flush=True)


def measure(args, precision, batch, packages, meta):
    """All runners of one precision and batch, in rounds; one JSON file for them together."""
    name = f"encoder-latency-{precision}-b{batch}-s{args.sequence}"
    if os.path.exists(os.path.join(args.out, name + ".json")):
        print(f"   {name}: measured already")
        return
    generator = np.random.default_rng(7)
    shape = (batch, args.sequence)
    host = {"input_ids": generator.integers(1000, SIZES["vocab"], shape, dtype=np.int64),
            "attention_mask": np.ones(shape, np.int64), "token_type_ids": np.zeros(shape, np.int64)}
    inputs = [torch.from_numpy(value).cuda() for value in host.values()]
    torch.manual_seed(7)
    cases, rows = {}, []
    with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
        for runner, compiled in (("torch eager", False), ("torch.compile", True)):
            encoder = Encoder().cuda().eval()
            if args.weights:
                load_weights(encoder, args.weights)
            cases[runner] = TorchCase(encoder, inputs, precision, compiled, args.compile_mode)
            print(f"   {runner}, {precision}, batch {batch}: ready", flush=True)
        ours = None
        if precision in packages:
            ours = TilewrightCase(args.tw_run, packages[precision], host, folder, args.drawn_weights)
        samples = {(runner, clock): [] for runner in cases for clock in ("device", "wall")}
        rounds = []
        for _ in range(args.rounds):
            for runner, case in cases.items():
                samples[runner, "device"] += case.device_samples(40)
                samples[runner, "wall"] += case.wall_samples(100)
            if ours:
                rounds.append(ours.round())
        for (runner, clock), values in samples.items():
            rows.append({"runner": runner, "clock": clock, **percentiles(values)})
    common = {"precision": precision, "batch": batch, "sequence": args.sequence}
    record = {"kind": "encoder-latency", "machine": meta, **common, "rows": rows, "rounds": args.rounds,
              "compile_mode": args.compile_mode, "real_weights": bool(args.weights)}
    if ours:
        record["tilewright"] = {"first_result_seconds": ours.first_result_seconds, "rounds": rounds}
    for row in rows:
        if not math.isfinite(row["p50_us"]):
            sys.exit(f"error: no samples for {row}")
        print(f"   {row['runner']:14} {precision} batch {batch} {row['clock']:6} p50 {row['p50_us']:9.1f} us")
    write(args.out, name, record)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--package", action="append", default=[], metavar="PRECISION=FILE.tw")
    parser.add_argument("--tw-run", default="build/dev/bin/tw-run")
    parser.add_argument("--batch", type=int, action="append")
    parser.add_argument("--sequence", type=int, default=128)
    parser.add_argument("--precision", action="append", choices=["fp32", "tf32", "bf16", "fp16"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--compile-mode", default="default")
    parser.add_argument("--weights")
    parser.add_argument("--drawn-weights", action="store_true", help="the packages' weights stayed behind: random ones there too")
    parser.add_argument("--commit", default="unknown")
    args = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("error: torch finds no GPU here")
    os.makedirs(args.out, exist_ok=True)
    packages = dict(item.split("=", 1) for item in args.package)
    meta = machine(args.commit)
    for precision in args.precision or ["fp32", "bf16"]:
        for batch in args.batch or [1, 32]:
            measure(args, precision, batch, packages, meta)


if __name__ == "__main__":
    main()
