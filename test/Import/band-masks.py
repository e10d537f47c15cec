"""Masks that a model holds as tensors become comparisons of indices where they are bands, and stay weights where they are none;
either way the values are theirs.

# REQUIRES: onnx-python, emulator
# RUN: rm -rf %t && mkdir -p %t && %python %s %t
# RUN: tw-translate --import-onnx %t/bands.onnx | FileCheck %s --check-prefix=BANDS
# RUN: tw-translate --import-onnx %t/others.onnx | FileCheck %s --check-prefix=OTHERS
# RUN: tw-compile %t/bands.onnx -o %t/bands.tw --target=sm_90a && tw-run %t/bands.tw --device=emulator --input x=%t/x.npy --expect causal_y=%t/causal.npy --expect future_y=%t/future.npy --expect window_y=%t/window.npy --expect outside_y=%t/outside.npy --expect additive_y=%t/additive.npy --expect whole_y=%t/whole.npy
# RUN: tw-opt %t/literals.mlir --convert-upstream-to-graph | FileCheck %s --check-prefix=LITERALS
# RUN: tw-check %t/literals.mlir --target=sm_90a
# LITERALS-COUNT-2: graph.iota
# LITERALS: arith.cmpi sle
# LITERALS: graph.weight <
# BANDS-NOT: graph.weight <
# BANDS-COUNT-12: graph.iota
# OTHERS-COUNT-5: graph.weight <
# OTHERS-NOT: graph.iota
"""
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROWS, COLUMNS = 66, 70


def model(path, masks):
    """Each mask, as floats, plus x."""
    nodes, outputs = [], []
    for name, mask in masks.items():
        nodes += [helper.make_node("Cast", [name], [name + "_f"], to=TensorProto.FLOAT),
                  helper.make_node("Add", ["x", name + "_f"], [name + "_y"])]
        outputs.append(helper.make_tensor_value_info(name + "_y", TensorProto.FLOAT, None))
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, ROWS, COLUMNS])], outputs,
                              [numpy_helper.from_array(mask, name) for name, mask in masks.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def literals(*masks):
    """A program of MLIR in which constants choose between two inputs."""
    kind = lambda element: f"tensor<{ROWS}x{COLUMNS}x{element}>"
    lines = [f"func.func @main(%x: {kind('f32')}, %y0: {kind('f32')}) -> {kind('f32')} {{"]
    for number, mask in enumerate(masks):
        rows = ", ".join("[" + ", ".join("true" if one else "false" for one in row) + "]" for row in mask)
        lines += [f'  %m{number} = "tosa.const"() <{{values = dense<[{rows}]> : {kind("i1")}}}> : () -> {kind("i1")}',
                  f"  %y{number + 1} = tosa.select %m{number}, %x, %y{number} : ({kind('i1')}, {kind('f32')}, {kind('f32')}) -> {kind('f32')}"]
    return "\n".join(lines + [f"  return %y{len(masks)} : {kind('f32')}", "}"]) + "\n"


def main(folder):
    apart = np.arange(COLUMNS)[None, :] - np.arange(ROWS)[:, None]
    causal, window = apart <= 0, (apart >= -5) & (apart <= 9)
    bands = {"causal": causal, "future": apart > 3, "window": np.stack([window, window]), "outside": ~window,
             "additive": np.where(causal, 0, -np.inf).astype(np.float32), "whole": causal.astype(np.int32)}
    broken = causal.copy()
    broken[40, 41] = True
    unlike = np.stack([causal, window])
    others = {"broken": broken, "unlike": unlike, "factors": causal.astype(np.float32), "three": np.clip(apart, -1, 1).astype(np.int32),
              "small": np.where(causal, 0, -3).astype(np.float32)}
    model(os.path.join(folder, "bands.onnx"), bands)
    model(os.path.join(folder, "others.onnx"), others)
    with open(os.path.join(folder, "literals.mlir"), "w") as file:
        file.write(literals(causal, broken))
    x = np.random.default_rng(1).integers(-8, 8, (2, ROWS, COLUMNS)).astype(np.float32)
    np.save(os.path.join(folder, "x.npy"), x)
    for name, mask in bands.items():
        np.save(os.path.join(folder, name + ".npy"), x + mask.astype(np.float32))


main(sys.argv[1])
