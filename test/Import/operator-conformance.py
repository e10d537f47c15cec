"""Runs ONNX's own operator tests through the importer and the CPU reference and compares values.

# REQUIRES: onnx-python
# RUN: %python %s --every 8 | FileCheck %s
# CHECK-NOT: {{^(CRASH|VALUE|SHAPE|RUN) }}
# CHECK: ok: {{[1-9][0-9][0-9]+}}

The cases come with the Python package onnx: one node each, with inputs and expected outputs. Operators without
support are counted as refused; that is no failure. Shape operands, which the cases feed at run time, become
initializers. By hand: --match REGEX picks cases, --every N takes each Nth, --refused lists refusals with reasons.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
import warnings

import numpy as np

warnings.simplefilter("ignore")
import onnx  # noqa: E402
from onnx import helper, numpy_helper  # noqa: E402
from onnx.backend.test.case.node import collect_testcases  # noqa: E402

LAST_OPSET = 23
BFLOAT16 = onnx.TensorProto.BFLOAT16
# What is no tensor program, or a type without a numpy equivalent.
FOREIGN = "ai_onnx|adagrad|adam|momentum|nesterov|sequence|string|str|tfidf|optional|scan|loop|training|image_decoder"
NOT_CONSTANT = ("not a constant", "not one constant", "not the constant")


def is_array(value):
    return isinstance(value, (np.ndarray, np.generic))


def initializer(info, value):
    kind = info.type.tensor_type.elem_type
    if kind == BFLOAT16:
        return helper.make_tensor(info.name, kind, value.shape, value.astype(np.float32).flatten())
    return numpy_helper.from_array(value, info.name)


def to_file(value, path):
    """As the reference reads it: signless integers, and bf16 as fp32."""
    if value.dtype.kind not in "fiub":
        value = value.astype(np.float32)
    if value.dtype.kind == "u":
        value = value.view(value.dtype.str.replace("u", "i"))
    np.save(path, value)


def close(got, expected, kind):
    if expected.dtype.kind not in "fiub":
        expected = expected.astype(np.float32)
    if expected.dtype.kind == "u":
        got = got.astype(expected.dtype.str.replace("u", "i")).view(expected.dtype)
    narrow = kind in (onnx.TensorProto.FLOAT16, BFLOAT16)
    tolerance = {"rtol": 2e-2, "atol": 2e-2} if narrow else {"rtol": 1e-3, "atol": 1e-5}
    return np.allclose(got.astype(np.float64), expected.astype(np.float64), equal_nan=True, **tolerance)


def run_case(case, folder):
    """One of ok, refused, CRASH, RUN, SHAPE, VALUE, skipped; and a reason."""
    model, (inputs, outputs) = onnx.ModelProto(), case.data_sets[0]
    if not all(map(is_array, [*inputs, *outputs])):
        return "skipped", "not tensors"
    inputs, outputs = list(map(np.asarray, inputs)), list(map(np.asarray, outputs))
    if any(value.size == 0 for value in [*inputs, *outputs]):
        return "skipped", "empty tensors"
    path, program = os.path.join(folder, "model.onnx"), os.path.join(folder, "model.mlir")
    for attempt in ("as it is", "parameters constant", "all constant"):
        model.CopyFrom(case.model)
        for opset in model.opset_import:
            if opset.domain == "":
                opset.version = min(opset.version, LAST_OPSET)
        kept, feed = [], []
        for i, (info, value) in enumerate(zip(case.model.graph.input, inputs)):
            parameter = i > 0 and (value.dtype.kind in "iub" or value.size == 1)
            if attempt == "all constant" or (attempt == "parameters constant" and parameter):
                model.graph.initializer.append(initializer(info, value))
            else:
                kept.append(info)
                feed.append((info.name, value))
        del model.graph.input[:]
        model.graph.input.extend(kept)
        onnx.save(model, path)
        command = ["tw-translate", "--import-onnx", path, "-o", program]
        command += [f"--input-shape={name}={'x'.join(map(str, value.shape))}" for name, value in feed]
        imported = subprocess.run(command, capture_output=True, text=True)
        if imported.returncode == 0 or not any(text in imported.stderr for text in NOT_CONSTANT):
            break
    if imported.returncode == 1:
        notes = re.findall(r"(?:note|error): (?:loc\([^)]*\): )?(.*)", imported.stderr)
        return "refused", notes[-1] if notes else imported.stderr
    if imported.returncode != 0:
        return "CRASH", imported.stderr[:300]
    command = ["tw-reference", program, f"--output={folder}/out"]
    for i, (name, value) in enumerate(feed):
        to_file(value, f"{folder}/in{i}.npy")
        command.append(f"--arg={name}={folder}/in{i}.npy")
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        return "RUN", ran.stderr[:300]
    for info, expected in zip(case.model.graph.output, outputs):
        got = np.load(f"{folder}/out/{info.name}.npy")
        if got.shape != expected.shape:
            return "SHAPE", f"{info.name} is {got.shape}, expected {expected.shape}"
        if not close(got, expected, info.type.tensor_type.elem_type):
            return "VALUE", f"{info.name} is {got.flatten()[:6]}, expected {expected.flatten()[:6]}"
    return "ok", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--match", default=".")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--refused", action="store_true")
    args = parser.parse_args()
    foreign, wanted = re.compile(f"^test_({FOREIGN})"), re.compile(args.match)
    cases = [c for c in collect_testcases(None) if wanted.search(c.name) and not foreign.search(c.name)]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for case in cases[:: args.every]:
            outcome, reason = run_case(case, folder)
            counts[outcome] += 1
            if outcome.isupper() or (args.refused and outcome == "refused"):
                print(outcome, case.name, reason, flush=True)
    print(", ".join(f"{name}: {counts[name]}" for name in sorted(counts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
