#!/usr/bin/env python3
"""Measures matrix products of 8-bit floats, bytes, fp16, tf32 and fp32 beside PyTorch's (cuBLAS).

usage: product_types.py prepare --out DIR [--only TEXT] [--schedules] [--tw-compile PATH]
       product_types.py measure --packages DIR --out DIR --runtime libtilewright_rt.so [--only TEXT] [--seconds 0.8]
                                [--rounds 7] [--limit SECONDS]

`prepare` needs no GPU: each product is compiled with the schedule that the compiler chooses and, with --schedules, with
the ones named here, put into the program after its fuse stage. `measure` runs on a GPU machine with PyTorch: every
result, the peer's too, is first compared with fp64 (integers must be equal); what is wrong is said and not timed. Both
protocols of gpu_clock.py are reported; data sets rotate, so that each call finds the L2 cache cold.
"""
import os
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import candidate_runs  # noqa: E402
from product_schedules import run, schedule  # noqa: E402

# name: M, N, K, element type, result type, attributes of the product, layout of A and B (n: K contiguous), --precision
PRODUCTS = {
    "fp8-8192-fast": (8192, 8192, 8192, "f8E4M3FN", "bf16", "promotion = 0", "nn", "fp32"),
    "fp8-8192": (8192, 8192, 8192, "f8E4M3FN", "bf16", "", "nn", "fp32"),
    "fp8-4096-fast": (4096, 4096, 4096, "f8E4M3FN", "bf16", "promotion = 0", "nn", "fp32"),
    "fp8-4096": (4096, 4096, 4096, "f8E4M3FN", "bf16", "", "nn", "fp32"),
    "int8-4096": (4096, 4096, 4096, "i8", "i32", "", "nn", "fp32"),
    "fp16-4096": (4096, 4096, 4096, "f16", "f16", "", "nn", "fp32"),
    "tf32-4096": (4096, 4096, 4096, "f32", "f32", "", "nn", "tf32"),
    "fp32x3-4096": (4096, 4096, 4096, "f32", "f32", "", "nn", "tf32x3"),
    "swiglu-14336": (4096, 14336, 4096, "bf16", "bf16", "swiglu", "nn", "bf16"),
    "tf32-4096-nt": (4096, 4096, 4096, "f32", "f32", "", "nt", "tf32"),
    "tf32-4096-tt": (4096, 4096, 4096, "f32", "f32", "", "tt", "tf32"),
    "fp32x3-4096-nt": (4096, 4096, 4096, "f32", "f32", "", "nt", "tf32x3"),
    "fp32x3-2048": (2048, 2048, 2048, "f32", "f32", "", "nn", "tf32x3"),
    "fp8-4096-nt": (4096, 4096, 4096, "f8E4M3FN", "bf16", "", "nt", "fp32"),
    "int8-4096-nt": (4096, 4096, 4096, "i8", "i32", "", "nt", "fp32"),
}
TORCH = {"f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2", "i8": "int8", "i32": "int32", "f16": "float16", "f32": "float32",
         "bf16": "bfloat16"}
BYTES = {"f8E4M3FN": 1, "f8E5M2": 1, "i8": 1, "f16": 2, "bf16": 2, "f32": 4, "i32": 4}


def schedules(element, attributes, form):
    step = 128 // BYTES[element]
    if form != "nn":  # a fourth warpgroup transposes; its ring takes two stages
        stages = 3 if element == "i8" else 4
        return {name: schedule(tile, 8, stages, "cooperative", reduce=step).replace("[40, 232]", "[24, 144]")
                for name, tile in (("cooperative-128x128", (128, 128)), ("cooperative-128x192", (128, 192)))}
    named = {
        "pingpong-128x128": schedule((128, 128), 4, 5 if element in ("i8", "f32") else 6, "pingpong", reduce=step),
        "cooperative-128x256": schedule((128, 256), 8, 3 if element in ("i8", "f32") else 4, "cooperative", reduce=step),
        "cooperative-128x128": schedule((128, 128), 8, 5 if element in ("i8", "f32") else 6, "cooperative", reduce=step),
        "cooperative-128x192": schedule((128, 192), 8, 4, "cooperative", reduce=step),
    }
    if BYTES[element] == 1 and element != "i8" and attributes == "":
        named.pop("pingpong-128x128")
        named.pop("cooperative-128x256")
        named["cooperative-128x160"] = schedule((128, 160), 8, 5, "cooperative", reduce=step)
    return named


def gated_program(m, n, k):
    """silu(a g^T) * (a b^T), all in bf16."""
    wide, narrow = f"tensor<{m}x{n}xf32>", f"tensor<{m}x{n}xbf16>"
    lines = [f'func.func @main(%a: tensor<{m}x{k}xbf16> {{graph.name = "a"}}, %g: tensor<{n}x{k}xbf16> {{graph.name = "g"}}, '
             f'%b: tensor<{n}x{k}xbf16> {{graph.name = "b"}}) -> ({narrow} {{graph.name = "c"}}) {{']
    for name in "gb":
        lines.append(f"  %t{name} = graph.transpose %{name} permutation = [1, 0] : tensor<{n}x{k}xbf16> to tensor<{k}x{n}xbf16>")
        lines.append(f"  %p{name} = graph.matmul %a, %t{name} : tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16> to {wide}")
    lines += [f"  %one = arith.constant dense<1.0> : {wide}", f"  %m = arith.negf %pg : {wide}", f"  %e = math.exp %m : {wide}",
              f"  %d = arith.addf %e, %one : {wide}", f"  %s = arith.divf %pg, %d : {wide}", f"  %r = arith.mulf %s, %pb : {wide}",
              f"  %c = arith.truncf %r : {wide} to {narrow}", f"  return %c : {narrow}\n}}"]
    return "\n".join(lines) + "\n"


def program(m, n, k, element, result, attributes, form):
    if attributes == "swiglu":
        return gated_program(m, n, k)
    a = f"{m}x{k}" if form[0] == "n" else f"{k}x{m}"
    b = f"{n}x{k}" if form[1] == "n" else f"{k}x{n}"
    total = {"i8": "i32"}.get(element, "f32")
    lines = [f'func.func @main(%a: tensor<{a}x{element}> {{graph.name = "a"}}, %b: tensor<{b}x{element}> {{graph.name = "b"}}) '
             f'-> (tensor<{m}x{n}x{result}> {{graph.name = "c"}}) {{']
    names = ["%a", "%b"]
    for i, (transposed, shape, wanted) in enumerate(((form[0] != "n", a, f"{m}x{k}"), (form[1] == "n", b, f"{k}x{n}"))):
        if transposed:
            lines.append(f"  %t{i} = graph.transpose {names[i]} permutation = [1, 0] : tensor<{shape}x{element}> to "
                         f"tensor<{wanted}x{element}>")
            names[i] = f"%t{i}"
    lines.append(f"  %r = graph.matmul {names[0]}, {names[1]} {attributes} : tensor<{m}x{k}x{element}>, tensor<{k}x{n}x{element}> "
                 f"to tensor<{m}x{n}x{total}>")
    last = "%r"
    if result != total:
        lines.append(f"  %s = arith.truncf %r : tensor<{m}x{n}x{total}> to tensor<{m}x{n}x{result}>")
        last = "%s"
    lines.append(f"  return {last} : tensor<{m}x{n}x{result}>\n}}")
    return "\n".join(lines) + "\n"


def selected(args):
    return [name for name in PRODUCTS if not args.only or any(text in name for text in args.only)]


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    for name in selected(args):
        m, n, k, element, result, attributes, form, precision = PRODUCTS[name]
        base = os.path.join(args.out, name)
        source = base + ".mlir"
        with open(source, "w", encoding="utf-8") as file:
            file.write(program(m, n, k, element, result, attributes, form))
        common = [args.tw_compile, f"--precision={precision}", "--target=sm_90a", "--emulation=off"]
        dumps = base + ".stages"
        good, said = run(common + [source, "-o", base + "@model.tw", f"--dump-stages={dumps}"])
        if not good:
            print(f"   {name}: {said[:3]}")
            continue
        with open(os.path.join(dumps, "02-fuse.mlir"), encoding="utf-8") as file:
            fused = file.read()
        with open(os.path.join(dumps, "03-tile.mlir"), encoding="utf-8") as file:
            chosen = re.search(r"tile\.schedule = (#tile\.schedule<.*?>(?=[,}]))", file.read())
        print(f"   {name}: {chosen.group(1) if chosen else 'no schedule'}")
        for label, text in schedules(element, attributes, form).items() if args.schedules and attributes != "swiglu" else ():
            head = re.search(r"(graph\.kernel anchor\(matmul\) [^\n]*?)( attributes \{(?P<old>[^\n]*)\})? \{\n", fused)
            old = head.group("old")
            given = f" attributes {{tile.schedule = {text}{', ' + old if old else ''}}} {{\n"
            with open(base + ".fused.mlir", "w", encoding="utf-8") as file:
                file.write(fused[:head.start()] + head.group(1) + given + fused[head.end():])
            good, said = run(common + [base + ".fused.mlir", "--start-from=tile", "-o", f"{base}@{label}.tw"])
            if not good:
                print(f"      {label}: {said[0][:200] if said else 'failed'}")


def measure_one(name, args, runtime):
    import torch

    import gpu_clock

    m, n, k, element, result, attributes, form, precision = PRODUCTS[name]
    generator = torch.Generator(device="cuda").manual_seed(int(time.time()))

    def draw(*shape):
        values = torch.randn(*shape, device="cuda", generator=generator)
        if element == "i8":
            return (values * 32).round().clamp(-127, 127).to(torch.int8)
        return values.to(getattr(torch, TORCH[element]))

    moved = BYTES[element] * (m * k + k * n) + BYTES[result] * m * n
    count = int(min(24, max(2, -(-(200 << 20) // moved))))
    sets = [{"a": draw(m, k) if form[0] == "n" else draw(k, m), "b": draw(n, k) if form[1] == "n" else draw(k, n)}
            for _ in range(count)]
    left = lambda data: data["a"] if form[0] == "n" else data["a"].t()
    right = lambda data: data["b"].t() if form[1] == "n" else data["b"]
    if attributes == "swiglu":
        for data in sets:
            data["g"] = draw(n, k) / 16
    exact = left(sets[0]).double() @ right(sets[0]).double()
    if attributes == "swiglu":
        exact *= torch.nn.functional.silu(left(sets[0]).double() @ sets[0]["g"].double().t())
    norm = exact.norm()

    def error_of(out):
        if element == "i8":
            return 0.0 if torch.equal(out.double(), exact) else 1.0
        return ((out.double() - exact).norm() / norm).item()

    one = torch.ones((), device="cuda")
    # What multiplies a K x N operand of 8-bit floats or bytes on the peer's side wants it K-contiguous: its copy counts.
    columns = lambda data: right(data) if form[1] == "n" else right(data).t().contiguous().t()

    def peer(data):
        if element.startswith("f8"):
            return torch._scaled_mm(left(data), columns(data), scale_a=one, scale_b=one, out_dtype=torch.bfloat16,
                                    use_fast_accum="promotion = 0" in attributes)
        if element == "i8":
            return torch._int_mm(left(data), columns(data))
        if attributes == "swiglu":
            return torch.nn.functional.silu(torch.mm(data["a"], data["g"].t())) * torch.mm(data["a"], data["b"].t())
        return torch.mm(left(data), right(data))

    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    results, candidates = {}, {}
    results["torch"] = {"error": error_of(peer(sets[0]))}
    candidates["torch"] = gpu_clock.TorchGraph([lambda data=data: peer(data) for data in sets])
    # No worse than the peer, whose results are rounded to the same type.
    allowed = max(results["torch"]["error"] * 1.05, 1e-9)
    if attributes == "swiglu" and args.compile:  # an elementwise kernel as a compiler writes it, too
        fused = torch.compile(peer)
        fused(sets[0])
        results["torch.compile"] = {"error": error_of(fused(sets[0]))}
        candidates["torch.compile"] = gpu_clock.TorchGraph([lambda data=data: fused(data) for data in sets])
    sessions = candidate_runs.add_packages(name, args, runtime, sets, (m, n), getattr(torch, TORCH[result]), error_of,
                                           allowed if args.strict else max(allowed, 4e-3), candidates, results)
    candidate_runs.time_all(candidates, results, args)
    del candidates
    for session in sessions:
        session.close()
    return {"product": name, "shape": [m, n, k], "element": element, "data_sets": count, "results": results}


def measure(args):
    given = os.listdir(args.packages)
    candidate_runs.measure_all(args, (name for name in selected(args) if any(file.startswith(name + "@") for file in given)), str, measure_one, "product-types.json", "torch")


def main():
    def add(line):
        line.prepare.add_argument("--schedules", action="store_true", help="also with the schedules named here")
        line.measure.add_argument("--compile", action="store_true", help="torch.compile, too, where there are elementwise operations")
        line.measure.add_argument("--strict", action="store_true", help="leave out what is less exact than the peer")

    candidate_runs.arguments(__doc__, rounds=7, seconds=0.8, add=add).run(prepare=prepare, measure=measure)


if __name__ == "__main__":
    main()
