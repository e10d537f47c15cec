#!/usr/bin/env python3
"""Prints the similarity matrix of embedded sentences and their nearest pairs.

usage: show_similarities.py SENTENCES.txt EMBEDDINGS.npy…   (the files' rows, one after the other, are the sentences)
"""
import itertools
import sys

import numpy as np


def main():
    if "--help" in sys.argv or len(sys.argv) < 3:
        print(__doc__)
        sys.exit(0 if "--help" in sys.argv else 1)
    with open(sys.argv[1], encoding="utf-8") as file:
        sentences = file.read().splitlines()
    embeddings = np.concatenate([np.load(path) for path in sys.argv[2:]])[: len(sentences)]
    lengths = np.linalg.norm(embeddings, axis=1)
    if len(embeddings) != len(sentences) or not np.allclose(lengths, 1, atol=1e-2):
        sys.exit(f"error: {len(embeddings)} embeddings of lengths {lengths} for {len(sentences)} sentences")
    similarity = embeddings @ embeddings.T

    print()
    for index, sentence in enumerate(sentences):
        print(f"  {index + 1}  {sentence}")
    print("\n     " + "".join(f"{index + 1:>7}" for index in range(len(sentences))))
    for index, row in enumerate(similarity):
        print(f"  {index + 1:>3}" + "".join(f"{value:7.3f}" for value in row))
    pairs = sorted(itertools.combinations(range(len(sentences)), 2), key=lambda pair: -similarity[pair])
    print("\n  nearest pairs:")
    for a, b in pairs[: max(1, len(sentences) // 2)]:
        print(f"  {similarity[a, b]:.3f}  {sentences[a]}  ~  {sentences[b]}")
    print()


if __name__ == "__main__":
    main()
