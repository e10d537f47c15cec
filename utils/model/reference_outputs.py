#!/usr/bin/env python3
"""Runs an ONNX model in ONNX Runtime on the CPU and writes its outputs as DIR/<output>.npy, to compare with.

usage: reference_outputs.py MODEL.onnx --out DIR [--input NAME=FILE.npy]… [--make NAME=int64:HIGH:2x16 …]
  --make  makes an input instead: random int64 in [0, HIGH) or, with f32, standard normal; written to DIR/<name>.npy
"""
import argparse
import os
import sys

import numpy as np


def made(spec, generator):
    kind, *rest = spec.split(":")
    shape = [int(size) for size in rest[-1].split("x")]
    if kind == "int64":
        return generator.integers(0, int(rest[0]), shape, dtype=np.int64)
    if kind == "f32":
        return generator.standard_normal(shape).astype(np.float32)
    sys.exit(f"error: no recipe {spec}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--out", required=True)
    parser.add_argument("--input", action="append", default=[])
    parser.add_argument("--make", action="append", default=[])
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    import onnxruntime

    os.makedirs(args.out, exist_ok=True)
    generator = np.random.default_rng(args.seed)
    feeds = {name: np.load(path) for name, path in (item.split("=", 1) for item in args.input)}
    for name, spec in (item.split("=", 1) for item in args.make):
        feeds[name] = made(spec, generator)
        np.save(os.path.join(args.out, f"{name}.npy"), feeds[name])
    session = onnxruntime.InferenceSession(args.model, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    for name, value in zip(names, session.run(names, feeds)):
        np.save(os.path.join(args.out, f"{name}.npy"), value)
        print(f"{name}: {value.dtype} {'x'.join(map(str, value.shape))}")


if __name__ == "__main__":
    main()
