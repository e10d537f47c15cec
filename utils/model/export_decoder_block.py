#!/usr/bin/env python3
"""Writes blocks of a decoder of GPT-2's sizes as ONNX, with random weights: norms first, one product for queries, keys
and values, causal attention, GELU in its tanh form, two residual sums. Needs onnx and numpy.

Input:  hidden_states    float32 [batch, sequence, hidden]
Output: output           the same

--style=decomposed spells layer norm, GELU and the causal mask out the way exporters of opset 17 do; --style=fused uses
LayerNormalization, Gelu and Attention of opset 23. utils/bench/block_peers.py has the same blocks in PyTorch.
"""
import argparse
import math
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from export_minilm import Graph  # noqa: E402


def random_weights(layers, hidden, inner, seed):
    """Weights by name; the scales keep activations near one."""
    generator = np.random.default_rng(seed)
    normal = lambda *shape, scale: (generator.standard_normal(shape) * scale).astype(np.float32)
    weights = {}
    for layer in range(layers):
        for norm in ("ln_1", "ln_2"):
            weights[f"h.{layer}.{norm}.weight"] = 1 + normal(hidden, scale=0.1)
            weights[f"h.{layer}.{norm}.bias"] = normal(hidden, scale=0.1)
        for name, rows, columns in (("attn.c_attn", hidden, 3 * hidden), ("attn.c_proj", hidden, hidden),
                                    ("mlp.c_fc", hidden, inner), ("mlp.c_proj", inner, hidden)):
            weights[f"h.{layer}.{name}.weight"] = normal(rows, columns, scale=rows**-0.5)
            weights[f"h.{layer}.{name}.bias"] = normal(columns, scale=0.1)
    return weights


class Decoder:
    def __init__(self, args):
        self.args, self.graph = args, Graph()
        self.weights = random_weights(args.layers, args.hidden, args.inner, args.seed)

    def named(self, name):
        return self.graph.weight(name, self.weights[name])

    def linear(self, name, value):
        g = self.graph
        return g.op("Add", g.op("MatMul", value, self.named(f"{name}.weight")), self.named(f"{name}.bias"))

    def layer_norm(self, name, value):
        g, epsilon = self.graph, 1e-5
        scale, shift = self.named(f"{name}.weight"), self.named(f"{name}.bias")
        if self.args.style == "fused":
            return g.op("LayerNormalization", value, scale, shift, axis=-1, epsilon=epsilon)
        centred = g.op("Sub", value, g.op("ReduceMean", value, axes=[-1]))
        variance = g.op("ReduceMean", g.op("Pow", centred, g.constant(2.0)), axes=[-1])
        deviation = g.op("Sqrt", g.op("Add", variance, g.constant(epsilon)))
        return g.op("Add", g.op("Mul", g.op("Div", centred, deviation), scale), shift)

    def gelu(self, value):
        g = self.graph
        if self.args.style == "fused":
            return g.op("Gelu", value, approximate="tanh")
        cube = g.op("Mul", g.op("Pow", value, g.constant(3.0)), g.constant(0.044715))
        inner = g.op("Tanh", g.op("Mul", g.op("Add", value, cube), g.constant(math.sqrt(2 / math.pi))))
        return g.op("Mul", g.op("Mul", value, g.constant(0.5)), g.op("Add", inner, g.constant(1.0)))

    def attention(self, name, value):
        g, args = self.graph, self.args
        size = args.hidden // args.heads
        joined = self.linear(f"{name}.c_attn", value)
        parts = [f"{name}.{part}" for part in "qkv"]
        g.nodes.append(helper.make_node("Split", [joined, g.constant([args.hidden] * 3, np.int64)], parts, name=f"{name}.split", axis=2))
        if args.style == "fused":
            context = g.op("Attention", *parts, q_num_heads=args.heads, kv_num_heads=args.heads, is_causal=1)
            return self.linear(f"{name}.c_proj", context)
        shape = g.constant([0, 0, args.heads, size], np.int64)
        query, value = (g.op("Transpose", g.op("Reshape", part, shape), perm=[0, 2, 1, 3]) for part in (parts[0], parts[2]))
        key = g.op("Transpose", g.op("Reshape", parts[1], shape), perm=[0, 2, 3, 1])
        scores = g.op("Div", g.op("MatMul", query, key), g.constant(math.sqrt(size)))
        seen = g.weight("causal", np.tril(np.ones((1, 1, args.sequence, args.sequence), bool)))
        scores = g.op("Where", seen, scores, g.constant(np.finfo(np.float32).min))
        context = g.op("MatMul", g.op("Softmax", scores, axis=-1), value)
        context = g.op("Reshape", g.op("Transpose", context, perm=[0, 2, 1, 3]), g.constant([0, 0, args.hidden], np.int64))
        return self.linear(f"{name}.c_proj", context)

    def build(self):
        g, args = self.graph, self.args
        value = "hidden_states"
        for layer in range(args.layers):
            base = f"h.{layer}"
            with g.scope("h", str(layer)):
                value = g.op("Add", self.attention(f"{base}.attn", self.layer_norm(f"{base}.ln_1", value)), value)
                inner = self.gelu(self.linear(f"{base}.mlp.c_fc", self.layer_norm(f"{base}.ln_2", value)))
                output = "output" if layer == args.layers - 1 else None
                value = g.op("Add", self.linear(f"{base}.mlp.c_proj", inner), value, output=output)
        tensor = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [args.batch, args.sequence, args.hidden])
        graph = helper.make_graph(g.nodes, "decoder", [tensor("hidden_states")], [tensor("output")], g.initializers)
        opset = 23 if args.style == "fused" else 17
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], producer_name="tilewright")
        model.ir_version = 11 if args.style == "fused" else 8
        return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", help="the ONNX file to write")
    parser.add_argument("--style", choices=["decomposed", "fused"], default="decomposed")
    sizes = {"layers": 1, "batch": 1, "sequence": 1024, "hidden": 768, "heads": 12, "inner": 3072, "seed": 1}
    for name, default in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"({default})")
    args = parser.parse_args()
    model = Decoder(args).build()
    onnx.checker.check_model(model)
    onnx.save(model, args.output)
    print(f"wrote {args.output}: {len(model.graph.node)} nodes, {args.layers} blocks")


if __name__ == "__main__":
    main()
