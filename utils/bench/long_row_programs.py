#!/usr/bin/env python3
"""Programs whose rows or columns are too long for a block's registers: norms of rows, of groups of channels, and along columns; sums of
columns, and products of one row and a matrix as it lies, which are such sums; transposes of odd sizes.

usage: long_row_programs.py prepare --out DIR [--only TEXT] [--tw-compile PATH] [--tw-opt PATH]

Needs no GPU: writes each program in the generic form and compiles it. What a change to the compiler is worth for them,
`random_programs.py versus --packages NEW … OLD` says of the folders that two compilers filled.
"""
import argparse
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from memory_programs import lines, tensor

ROWS = [("layer_norm", r, c, dtype) for r, c, dtype in
        ((64, 65536, "bf16"), (16, 131072, "bf16"), (100, 65536, "f32"), (128, 40960, "bf16"), (12, 262144, "bf16"), (200, 45000, "f32"),
         (64, 33000, "f32"), (8, 400000, "f32"), (10, 100001, "f32"), (240, 90000, "f32"))] + [
             ("rms_norm", 64, 65536, "bf16"), ("rms_norm", 32, 200000, "f32")]
# Rows up to what sixteen blocks have room for; of odd lengths, too.
LONG = [(kind, r, c, dtype) for kind in ("layer_norm", "softmax") for r, c, dtype in
        ((262, 200000, "f32"), (200, 262144, "f32"), (130, 400000, "f32"), (20, 400000, "f32"), (174, 300001, "f32"), (524, 200000, "bf16"),
         (400, 262144, "bf16"), (100, 600000, "bf16"), (100, 850000, "bf16"), (20, 600000, "bf16"), (348, 300001, "bf16"))]
# Rows that a block or two keep, beside scales that all of them share, and without.
KEPT = [(kind, 26214400 // c * (1 if dtype == "f32" else 2), c, dtype) for kind in ("scaled_norm", "softmax")
        for c in (16488, 18160, 26000, 40000) for dtype in ("f32", "bf16")]
GROUPS = [(2, 32, 10, 4096, "bf16"), (8, 32, 10, 4096, "bf16"), (16, 32, 4, 16384, "bf16"), (4, 32, 20, 1024, "bf16"), (1, 32, 4, 65536, "bf16"),
          (64, 32, 8, 784, "bf16"), (64, 1, 64, 3136, "bf16"), (2, 32, 20, 2304, "bf16"), (4, 32, 8, 16384, "bf16"), (16, 8, 8, 65536, "f32"),
          (16, 32, 8, 3136, "f32"), (1, 32, 16, 16384, "f32"), (32, 16, 24, 1764, "f32"), (8, 4, 80, 1024, "f32"), (1, 32, 8, 4096, "f32")]
COLUMNS = [("softmax", r, c, dtype) for r, c, dtype in
           ((1713, 24791, "f32"), (3172, 8403, "f32"), (8936, 3866, "f32"), (6426, 8490, "f32"), (6441, 4496, "f32"), (8605, 5705, "f32"),
            (8328, 5131, "bf16"), (3086, 12121, "bf16"), (7236, 5059, "bf16"))] + [
                ("deviations", r, c, dtype) for r, c, dtype in
                ((7655, 3376, "f32"), (8711, 4304, "f32"), (6271, 6892, "f32"), (8570, 4607, "f32"), (6313, 7554, "f32"), (3302, 8915, "f32"),
                 (4157, 5988, "f32"), (8324, 5983, "bf16"), (8532, 4717, "bf16"))]
# Those of rows that begin anywhere in a sector.
COLUMNS += [("softmax", 6000, 6001, "f32"), ("softmax", 6000, 6016, "f32"), ("softmax", 20000, 1001, "f32"), ("softmax", 8000, 4098, "bf16"),
            ("softmax", 1500, 20002, "bf16"), ("deviations", 7655, 3377, "f32"), ("deviations", 4000, 10001, "f32")]
# Those that would be cut for the chip's sake, where no cluster kept them, and some that are.
COLUMNS += [("deviations", r, c, dtype) for r, c, dtype in
            ((4096, 2048, "f32"), (9696, 2048, "f32"), (12000, 1024, "f32"), (12000, 2816, "f32"), (20000, 2048, "f32"), (27000, 1024, "f32"),
             (16384, 2048, "bf16"), (24000, 1024, "bf16"), (41056, 1024, "f32"), (12000, 1000, "bf16"))] + [
                 ("softmax", 20000, 2048, "f32"), ("softmax", 24000, 2048, "bf16")]

# Columns of 16 bits whose clusters have nearly all room there is, of few columns, and of rows that begin anywhere.
COLUMNS += [("softmax", r, c, dtype) for r, c in
            ((2000, 15000), (4096, 4096), (8192, 8192), (12000, 2048), (16384, 4096), (24000, 1024), (6000, 16384), (20000, 1000),
             (2000, 15001), (4096, 4097), (5000, 5001), (8191, 8191), (4000, 10001), (4157, 5988), (7500, 3377))
            for dtype in ("bf16", "f32") if ("softmax", r, c, dtype) not in COLUMNS]

# Transposes whose results' rows begin within sectors, and of which only what they read does: a shape, and the order.
TRANSPOSES = [(shape, order, dtype) for shape, order in
              (((8191, 8191), "1, 0"), ((8191, 8192), "1, 0"), ((8192, 8191), "1, 0"), ((1001, 20000), "1, 0"), ((15001, 2000), "1, 0"),
               ((4095, 4097), "1, 0"), ((3001, 3001), "1, 0"), ((50257, 768), "1, 0"), ((256, 197, 768), "0, 2, 1"),
               ((64, 577, 1024), "0, 2, 1"), ((12, 2501, 700), "0, 2, 1"), ((12, 700, 2500), "0, 2, 1")) for dtype in ("bf16", "f32")]

# Reductions along dimensions of what is larger than the cache, whose results nothing is computed with again.
SUMS = [((8192, 8192), "0", "bf16"), ((65536, 1024), "0", "bf16"), ((16384, 2048), "0", "bf16"), ((16384, 4096), "0", "bf16"),
        ((4096, 16384), "0", "bf16"), ((2048, 32760), "0", "bf16"), ((32768, 2560), "0", "bf16"), ((131072, 512), "0", "bf16"),
        ((16384, 4096), "0", "f32"), ((16384, 3200), "0", "f32"), ((65536, 1024), "0", "f32"), ((8192, 8192), "0", "f32"),
        ((32, 1024, 768), "0, 1", "bf16"), ((64, 512, 1024), "1", "bf16"), ((128, 1000, 256), "1", "bf16"), ((2048, 6400), "0", "bf16"),
        ((4096, 3072), "0", "bf16"), ((12, 700, 5000), "1", "bf16"), ((8192, 4097), "0", "f32"), ((16384, 2047), "0", "bf16"),
        ((8195, 4097), "0", "f32"), ((8192, 50257), "0", "bf16"), ((59824, 537), "0", "f32")]
# K and N of products of so many rows.
PRODUCTS = [(1, 3262, 3338), (1, 5724, 2613), (1, 1500, 7001), (1, 4096, 4098), (1, 4096, 4096), (2, 3000, 3001), (1, 7777, 1111)]


def sum_along(shape, dims, dtype):
    kept = [size for d, size in enumerate(shape) if str(d) not in dims.split(", ")]
    narrow, wide, result = tensor(shape, dtype), tensor(shape, "f32"), tensor(kept, "f32")
    text = [f"  %y = graph.reduce sum %x dims = [{dims}] : {wide} to {result}"]
    if dtype != "f32":
        text = [f"  %w = arith.extf %x : {narrow} to {wide}", text[0].replace("%x", "%w"),
                f"  %z = arith.truncf %y : {result} to {tensor(kept, dtype)}"]
    return (f"func.func @main(%x: {narrow}) -> {tensor(kept, dtype)} {{\n" + "\n".join(text)
            + f"\n  return {'%y' if dtype == 'f32' else '%z'} : {tensor(kept, dtype)}\n}}\n")


def product(m, k, n):
    x, w, y = tensor((m, k), "bf16"), tensor((k, n), "bf16"), tensor((m, n), "bf16")
    return (f"func.func @main(%x: {x}, %w: {w}) -> {y} {{\n  %y = graph.matmul %x, %w : {x}, {w} to {y}\n  return %y : {y}\n}}\n")


def transposed(shape, order, dtype):
    x, y = tensor(shape, dtype), tensor([shape[int(d)] for d in order.split(", ")], dtype)
    return f"func.func @main(%x: {x}) -> {y} {{\n  %y = graph.transpose %x permutation = [{order}] : {x} to {y}\n  return %y : {y}\n}}\n"


def program(shape, dtype, body, others=()):
    """`body` computes %y of %x, both of fp32; `others` are more arguments, of name and shape."""
    narrow, wide = tensor(shape, dtype), tensor(shape, "f32")
    arguments = ", ".join([f"%x_in: {narrow}"] + [f"%{name}_in: {tensor(size, dtype)}" for name, size in others])
    text, result = [], "%y"
    for name, size in (("x", shape), *others):
        if dtype == "f32":
            body = body.replace(f"%{name} ", f"%{name}_in ").replace(f"%{name},", f"%{name}_in,")
        else:
            text.append(f"  %{name} = arith.extf %{name}_in : {tensor(size, dtype)} to {tensor(size, 'f32')}")
    text.append(lines(body, T=wide))
    if dtype != "f32":
        text.append(f"  %y_out = arith.truncf %y : {wide} to {narrow}")
        result = "%y_out"
    return f"func.func @main({arguments}) -> {narrow} {{\n" + "\n".join(text) + f"\n  return {result} : {narrow}\n}}\n"


def group_norm(n, g, c, p, dtype):
    rows, size = tensor((n, g), "f32"), (n, g, c, p)
    return program(size, dtype, f"""
        %sum = graph.reduce sum %x dims = [2, 3] : {{T}} to {rows}
        %part = arith.constant dense<{1 / (c * p)!r}> : {rows}
        %mean = arith.mulf %sum, %part : {rows}
        %means = graph.broadcast %mean dims = [0, 1] : {rows} to {{T}}
        %d = arith.subf %x, %means : {{T}}
        %squares = arith.mulf %d, %d : {{T}}
        %deviations = graph.reduce sum %squares dims = [2, 3] : {{T}} to {rows}
        %variance = arith.mulf %deviations, %part : {rows}
        %small = arith.constant dense<1.0e-5> : {rows}
        %raised = arith.addf %variance, %small : {rows}
        %root = math.rsqrt %raised : {rows}
        %roots = graph.broadcast %root dims = [0, 1] : {rows} to {{T}}
        %normed = arith.mulf %d, %roots : {{T}}
        %scales = graph.broadcast %s dims = [1, 2] : {tensor((g, c), "f32")} to {{T}}
        %shifts = graph.broadcast %b dims = [1, 2] : {tensor((g, c), "f32")} to {{T}}
        %scaled = arith.mulf %normed, %scales : {{T}}
        %y = arith.addf %scaled, %shifts : {{T}}""", [("s", (g, c)), ("b", (g, c))])


def deviations_of_columns(r, c, dtype):
    """Columns relative to their maximum, and functions of them: bound by instructions."""
    most = tensor((c,), "f32")
    return program((r, c), dtype, f"""
        %most = graph.reduce max %x dims = [0] : {{T}} to {most}
        %all = graph.broadcast %most dims = [1] : {most} to {{T}}
        %d = arith.subf %x, %all : {{T}}
        %t = math.tanh %d : {{T}}
        %e = math.erf %t : {{T}}
        %y = arith.mulf %e, %x : {{T}}""")


def programs():
    """Name and text of each."""
    for kind, r, c, dtype in ROWS + LONG + KEPT:
        if kind == "scaled_norm":
            scales = f"scale(%w : tensor<{c}xf32>) bias(%b : tensor<{c}xf32>) "
            yield f"{kind}-{r}x{c}-{dtype}", program((r, c), dtype, f"%y = graph.layer_norm %x {scales}dim = 1 epsilon = 1.0e-5 : {{T}} to {{T}}",
                                                     [("w", (c,)), ("b", (c,))])
            continue
        epsilon = "" if kind == "softmax" else "epsilon = 1.0e-5 "
        yield f"{kind}-{r}x{c}-{dtype}", program((r, c), dtype, f"%y = graph.{kind} %x dim = 1 {epsilon}: {{T}} to {{T}}")
    for *shape, dtype in GROUPS:
        yield f"group_norm-{'x'.join(map(str, shape))}-{dtype}", group_norm(*shape, dtype)
    for kind, r, c, dtype in COLUMNS:
        text = deviations_of_columns(r, c, dtype) if kind == "deviations" else program((r, c), dtype, "%y = graph.softmax %x dim = 0 : {T} to {T}")
        yield f"columns-{kind}-{r}x{c}-{dtype}", text
    for shape, dims, dtype in SUMS:
        yield f"sum-{'x'.join(map(str, shape))}-along-{dims.replace(', ', '-')}-{dtype}", sum_along(shape, dims, dtype)
    for shape, order, dtype in TRANSPOSES:
        yield f"transpose-{'x'.join(map(str, shape))}-{dtype}", transposed(shape, order, dtype)
    for m, k, n in PRODUCTS:
        yield f"product-{m}x{n}x{k}-bf16", product(m, k, n)


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    for name, text in programs():
        if args.only and not any(part in name for part in args.only):
            continue
        base = os.path.join(args.out, name)
        generic = subprocess.run([args.tw_opt, "-", "--mlir-print-op-generic"], input=text, check=True, capture_output=True, text=True).stdout
        # Of the module what is in it, as random programs are written.
        with open(base + ".mlir", "w", encoding="utf-8") as file:
            file.write("".join(line[2:] + "\n" for line in generic.rstrip().splitlines()[1:-1]))
        done = subprocess.run([args.tw_compile, base + ".mlir", "-o", base + ".tw", "--emulation=off", f"--target={args.target}", "--report=json"],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"error: {name}: {done.stderr.strip()[:300]}")
        with open(base + ".report.json", "w", encoding="utf-8") as file:
            file.write(done.stdout)
        print(f"   {name}: " + ", ".join(f"{k['name']} grid {k['grid'][0]} block {k['block'][0]}" for k in json.loads(done.stdout)["kernels"]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command = parser.add_subparsers(dest="command", required=True).add_parser("prepare")
    command.add_argument("--out", required=True)
    command.add_argument("--only", action="append", metavar="TEXT", help="only what has this in its name (repeatable)")
    command.add_argument("--tw-compile", default="build/dev/bin/tw-compile")
    command.add_argument("--tw-opt", default="build/dev/bin/tw-opt")
    command.add_argument("--target", default="sm_90a")
    prepare(parser.parse_args())


if __name__ == "__main__":
    main()
