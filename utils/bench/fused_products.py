#!/usr/bin/env python3
"""Measures matrix products that have what stands around them: operands that are computed where they are read (weights of bytes,
casts), a gate beside what it gates, of one weight, and rows by groups, each with a matrix of its own (experts).

usage: fused_products.py prepare --out DIR [--only TEXT] [--tw-compile PATH] [--apart PATH]
       fused_products.py measure --packages DIR --out DIR --runtime libtilewright_rt.so [--only TEXT] [--seconds 0.5]
                                    [--rounds 7] [--limit SECONDS] [--autotune]

`prepare` needs no GPU: each product is compiled, and with --apart by that compiler too, to be compared with. `measure` runs on a
GPU machine with PyTorch, beside torch.compile (with --autotune also its mode max-autotune) and torch eager: every result is
first compared with fp64. Both protocols of gpu_clock.py; data sets rotate, so that each call finds the L2 cache cold.
"""
import dataclasses
import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import candidate_runs  # noqa: E402
import isolated  # noqa: E402
from product_schedules import run  # noqa: E402

TORCH = {"f8E4M3FN": "float8_e4m3fn", "i8": "int8", "f32": "float32", "bf16": "bfloat16"}
BYTES = {"f8E4M3FN": 1, "i8": 1, "bf16": 2, "f32": 4}


def cast(value, shape, element):
    op = {"i8": "arith.sitofp", "f8E4M3FN": "arith.extf", "f32": "arith.truncf"}[element]
    return f"  {value}c = {op} {value} : tensor<{shape}x{element}> to tensor<{shape}xbf16>"


@dataclasses.dataclass
class Computed:
    """Operands that are computed: M, N, K, element type of A and of B in memory, layout of B (n: K contiguous), whether B has a
    scale for each column; both are multiplied as bf16."""
    m: int
    n: int
    k: int
    left: str
    right: str
    form: str
    scaled: bool = False

    def program(self):
        m, n, k, left, right = self.m, self.n, self.k, self.left, self.right
        b = f"{n}x{k}" if self.form == "n" else f"{k}x{n}"
        scale = f', %s: tensor<{n}xbf16> {{graph.name = "s"}}' if self.scaled else ""
        lines = [f'func.func @main(%a: tensor<{m}x{k}x{left}> {{graph.name = "a"}}, %b: tensor<{b}x{right}> {{graph.name = "b"}}{scale}) '
                 f'-> (tensor<{m}x{n}xbf16> {{graph.name = "c"}}) {{']
        a_name, b_name = "%a", "%b"
        if left != "bf16":
            lines.append(cast("%a", f"{m}x{k}", left))
            a_name = "%ac"
        if right != "bf16":
            lines.append(cast("%b", b, right))
            b_name = "%bc"
        if self.scaled:
            lines.append(f"  %sb = graph.broadcast %s dims = [{0 if self.form == 'n' else 1}] : tensor<{n}xbf16> to tensor<{b}xbf16>")
            lines.append(f"  %bs = arith.mulf {b_name}, %sb : tensor<{b}xbf16>")
            b_name = "%bs"
        if self.form == "n":
            lines.append(f"  %t = graph.transpose {b_name} permutation = [1, 0] : tensor<{b}xbf16> to tensor<{k}x{n}xbf16>")
            b_name = "%t"
        lines.append(f"  %r = graph.matmul {a_name}, {b_name} : tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16> to tensor<{m}x{n}xf32>")
        lines.append(f"  %c = arith.truncf %r : tensor<{m}x{n}xf32> to tensor<{m}x{n}xbf16>")
        lines.append(f"  return %c : tensor<{m}x{n}xbf16>\n}}")
        return "\n".join(lines) + "\n"

    def moved(self):
        return BYTES[self.left] * self.m * self.k + BYTES[self.right] * self.k * self.n + 2 * self.m * self.n

    def draw(self, draw):
        data = {"a": draw(self.left, self.m, self.k), "b": draw(self.right, *((self.n, self.k) if self.form == "n" else (self.k, self.n)))}
        return data | ({"s": draw("bf16", self.n).abs() / 32} if self.scaled else {})

    def multiply(self, data, wide):
        """The product in PyTorch; of operands as they are multiplied: casts of fp32 round, and a scale may come behind the product."""
        import torch

        b = wide(data["b"].to(torch.bfloat16))
        if self.scaled:
            b = b * wide(data["s"][:, None] if self.form == "n" else data["s"][None, :])
        return torch.mm(wide(data["a"].to(torch.bfloat16)), b.t() if self.form == "n" else b)


@dataclasses.dataclass
class Gated:
    """x * sigmoid(x) of the first half of a product's 2 N columns, times the second half. A is of bf16, B as in Computed; one of
    bytes has a scale for each column."""
    m: int
    n: int
    k: int
    form: str
    right: str = "bf16"
    left = "bf16"

    def program(self):
        m, n, k, form = self.m, self.n, self.k, self.form
        b = f"{2 * n}x{k}" if form == "n" else f"{k}x{2 * n}"
        half, whole, wide = f"tensor<{m}x{n}xbf16>", f"tensor<{m}x{2 * n}xbf16>", f"tensor<{m}x{n}xf32>"
        scale = f', %s: tensor<{2 * n}xbf16> {{graph.name = "s"}}' if self.right != "bf16" else ""
        lines = [f'func.func @main(%a: tensor<{m}x{k}xbf16> {{graph.name = "a"}}, %b: tensor<{b}x{self.right}> {{graph.name = "b"}}{scale}) '
                 f'-> ({half} {{graph.name = "c"}}) {{', f"  %one = arith.constant dense<1.0> : {wide}"]
        weight = "%b"
        if scale:
            lines += [cast("%b", b, self.right), f"  %sb = graph.broadcast %s dims = [{0 if form == 'n' else 1}] : tensor<{2 * n}xbf16> to tensor<{b}xbf16>",
                      f"  %bs = arith.mulf %bc, %sb : tensor<{b}xbf16>"]
            weight = "%bs"
        if form == "n":
            lines.append(f"  %t = graph.transpose {weight} permutation = [1, 0] : tensor<{b}xbf16> to tensor<{k}x{2 * n}xbf16>")
            weight = "%t"
        lines += [f"  %r = graph.matmul %a, {weight} : tensor<{m}x{k}xbf16>, tensor<{k}x{2 * n}xbf16> to {whole}",
                  f"  %gn = graph.slice %r offsets = [0, 0] strides = [1, 1] : {whole} to {half}",
                  f"  %un = graph.slice %r offsets = [0, {n}] strides = [1, 1] : {whole} to {half}",
                  f"  %g = arith.extf %gn : {half} to {wide}", f"  %u = arith.extf %un : {half} to {wide}",
                  f"  %n = arith.negf %g : {wide}", f"  %e = math.exp %n : {wide}", f"  %d = arith.addf %e, %one : {wide}",
                  f"  %q = arith.divf %g, %d : {wide}", f"  %p = arith.mulf %q, %u : {wide}",
                  f"  %c = arith.truncf %p : {wide} to {half}", f"  return %c : {half}\n}}"]
        return "\n".join(lines) + "\n"

    def moved(self):
        return 2 * self.m * (self.k + self.n) + 2 * BYTES[self.right] * self.k * self.n

    def draw(self, draw):
        b = draw(self.right, *((2 * self.n, self.k) if self.form == "n" else (self.k, 2 * self.n)))
        if self.right == "bf16":
            return {"a": draw("bf16", self.m, self.k), "b": b / self.k ** 0.5}
        return {"a": draw("bf16", self.m, self.k), "b": b, "s": draw("bf16", 2 * self.n).abs() / (32 * self.k ** 0.5)}

    def multiply(self, data, wide):
        import torch

        b = wide(data["b"].to(torch.bfloat16))
        if self.right != "bf16":
            b = b * wide(data["s"][:, None] if self.form == "n" else data["s"][None, :])
        gate, up = torch.mm(wide(data["a"]), b.t() if self.form == "n" else b).chunk(2, dim=-1)
        return torch.nn.functional.silu(gate) * up


@dataclasses.dataclass
class Grouped:
    """M rows in groups that end at what `ends` says, each multiplied with a matrix of its own. B is E matrices of N by K (form n)
    or K by N. Rows are divided evenly, or as if drawn: a group has up to twice as many as the mean, some have none."""
    m: int
    n: int
    k: int
    groups: int
    form: str
    even: bool = True
    left = right = "bf16"

    def program(self):
        m, n, k, e = self.m, self.n, self.k, self.groups
        b = f"{e}x{n}x{k}" if self.form == "n" else f"{e}x{k}x{n}"
        lines = [f'func.func @main(%a: tensor<{m}x{k}xbf16> {{graph.name = "a"}}, %b: tensor<{b}xbf16> {{graph.name = "b"}}, '
                 f'%ends: tensor<{e}xi32> {{graph.name = "ends"}}) -> (tensor<{m}x{n}xbf16> {{graph.name = "c"}}) {{']
        weight = "%b"
        if self.form == "n":
            lines.append(f"  %t = graph.transpose %b permutation = [0, 2, 1] : tensor<{b}xbf16> to tensor<{e}x{k}x{n}xbf16>")
            weight = "%t"
        lines += [f"  %r = graph.matmul %a, {weight} groups(%ends : tensor<{e}xi32>) : tensor<{m}x{k}xbf16>, tensor<{e}x{k}x{n}xbf16> "
                  f"to tensor<{m}x{n}xf32>",
                  f"  %c = arith.truncf %r : tensor<{m}x{n}xf32> to tensor<{m}x{n}xbf16>", f"  return %c : tensor<{m}x{n}xbf16>\n}}"]
        return "\n".join(lines) + "\n"

    def ends(self):
        if self.even:
            return [self.m * (e + 1) // self.groups for e in range(self.groups)]
        weights = [(e * 7919 % 101) / 100 if e % 7 else 0 for e in range(self.groups)]
        total, so_far, ends = sum(weights) or 1, 0.0, []
        for weight in weights:
            so_far += weight
            ends.append(round(self.m * so_far / total))
        return ends

    def moved(self):
        used = sum(1 for before, end in zip([0] + self.ends(), self.ends()) if end > before)
        return 2 * (self.m * (self.k + self.n) + used * self.n * self.k)

    def draw(self, draw):
        import torch

        b = draw("bf16", self.groups, *((self.n, self.k) if self.form == "n" else (self.k, self.n)))
        return {"a": draw("bf16", self.m, self.k), "b": b, "ends": torch.tensor(self.ends(), dtype=torch.int32, device="cuda")}

    def multiply(self, data, wide):
        import torch

        b = data["b"].transpose(1, 2) if self.form == "n" else data["b"]
        parts = zip([0] + self.ends(), self.ends(), b)
        return torch.cat([torch.mm(wide(data["a"][before:end]), wide(matrix)) for before, end, matrix in parts])

    def peers(self):
        """PyTorch's own grouped product."""
        import torch

        b = lambda data: data["b"].transpose(1, 2) if self.form == "n" else data["b"]
        return {"torch grouped": lambda data: torch._grouped_mm(data["a"], b(data), offs=data["ends"])}


PRODUCTS = {f"int8-weights-{rows}": Computed(rows, 4096, 4096, "bf16", "i8", "n", True) for rows in (1, 16, 64, 128, 512, 2048)}
PRODUCTS |= {
    "int8-weights-16-across": Computed(16, 4096, 4096, "bf16", "i8", "t", True),
    "int8-weights-16-wide": Computed(16, 14336, 4096, "bf16", "i8", "n", True),
    "fp8-weights-16": Computed(16, 4096, 4096, "bf16", "f8E4M3FN", "n", True),
    "fp8-weights-128": Computed(128, 4096, 4096, "bf16", "f8E4M3FN", "n", True),
    "int8-weights-37x1000x520": Computed(37, 1000, 520, "bf16", "i8", "t", True),
    "cast-rows-128": Computed(128, 4096, 4096, "f32", "bf16", "n"),
    "cast-rows-1024": Computed(1024, 1024, 1024, "f32", "bf16", "n"),
    "cast-rows-4096": Computed(4096, 4096, 4096, "f32", "bf16", "n"),
    "cast-both-128": Computed(128, 4096, 4096, "f32", "f32", "n"),
    "cast-both-1024": Computed(1024, 1024, 1024, "f32", "f32", "n"),
    "cast-both-4096": Computed(4096, 4096, 4096, "f32", "f32", "n"),
    "cast-both-511": Computed(511, 509, 512, "f32", "f32", "n"),
}
PRODUCTS |= {f"gate-{rows}": Gated(rows, 11008, 4096, "n") for rows in (1, 16, 64, 128, 256, 512, 1024, 2048, 8192)}
PRODUCTS |= {f"gate-{rows}-across": Gated(rows, 11008, 4096, "t") for rows in (16, 512, 2048)}
PRODUCTS |= {f"gate-int8-{rows}": Gated(rows, 11008, 4096, "n", "i8") for rows in (16, 128, 2048)}
PRODUCTS |= {
    "grouped-8x1024": Grouped(8192, 14336, 4096, 8, "n"),
    "grouped-8x1024-across": Grouped(8192, 14336, 4096, 8, "t"),
    "grouped-8-uneven": Grouped(8192, 4096, 14336, 8, "n", even=False),
    "grouped-64x256": Grouped(16384, 2816, 2048, 64, "n"),
    "grouped-64-uneven": Grouped(16384, 2816, 2048, 64, "n", even=False),
    "grouped-128x64": Grouped(8192, 1536, 4096, 128, "n"),
    "grouped-64x8": Grouped(512, 2816, 2048, 64, "n"),
    "grouped-64x1": Grouped(64, 2816, 2048, 64, "n"),
    "grouped-8x2": Grouped(16, 14336, 4096, 8, "n"),
}


def selected(args):
    return [name for name in PRODUCTS if not args.only or any(text in name for text in args.only)]


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    for name in selected(args):
        base = os.path.join(args.out, name)
        with open(base + ".mlir", "w", encoding="utf-8") as file:
            file.write(PRODUCTS[name].program())
        for label, compiler in (("model", args.tw_compile), ("apart", args.apart)):
            if not compiler:
                continue
            good, said = run([compiler, "--target=sm_90a", "--emulation=off", base + ".mlir", "-o", f"{base}@{label}.tw", "--report=json"])
            if not good:
                print(f"   {name} ({label}): {said[:3]}")
                continue
            report = json.loads("\n".join(said))
            isolated.write(args.out, f"{name}@{label}.modelled",
                           {"us": sum(kernel["predicted_us"] * kernel["launches"] for kernel in report["kernels"]),
                            "kernels": sum(kernel["launches"] for kernel in report["kernels"])})


def measure_one(name, args, runtime):
    import torch

    import gpu_clock

    product = PRODUCTS[name]
    generator = torch.Generator(device="cuda").manual_seed(int(time.time()))

    def draw(element, *shape):
        values = torch.randn(*shape, device="cuda", generator=generator)
        if element == "i8":
            return (values * 32).round().clamp(-127, 127).to(torch.int8)
        return values.to(getattr(torch, TORCH[element]))

    count = int(min(24, max(2, -(-(200 << 20) // product.moved()))))
    sets = [product.draw(draw) for _ in range(count)]
    peer = lambda data: product.multiply(data, lambda value: value)
    exact = product.multiply(sets[0], lambda value: value.double())
    norm = exact.norm()
    error_of = lambda out: ((out.double() - exact).norm() / norm).item()

    results, candidates = {"torch": {"error": error_of(peer(sets[0]))}}, {}
    allowed = max(results["torch"]["error"] * 1.05, 1e-9)
    candidates["torch"] = gpu_clock.TorchGraph([lambda data=data: peer(data) for data in sets])
    named = product.peers() if isinstance(product, Grouped) else {}
    for label, call in named.items():
        results[label] = {"error": error_of(call(sets[0]))}
        candidates[label] = gpu_clock.TorchGraph([lambda data=data, f=call: f(data) for data in sets])
    modes = {"torch.compile": None} | ({"torch.compile max-autotune": "max-autotune-no-cudagraphs"} if args.autotune else {})
    for label, mode in modes.items():
        torch._dynamo.reset()
        compiled = torch.compile(next(iter(named.values()), peer), mode=mode)
        results[label] = {"error": error_of(compiled(sets[0]))}
        candidates[label] = gpu_clock.TorchGraph([lambda data=data, f=compiled: f(data) for data in sets])
    sessions = candidate_runs.add_packages(name, args, runtime, sets, (product.m, product.n), torch.bfloat16, error_of, allowed, candidates, results)
    for label, result in results.items():
        if modelled := isolated.read(args.packages, f"{name}@{label}.modelled"):
            result |= {"modelled_us": modelled["us"], "kernels": modelled["kernels"]}
    candidate_runs.time_all(candidates, results, args)
    del candidates
    for session in sessions:
        session.close()
    return {"product": name, "shape": [product.m, product.n, product.k], "elements": [product.left, product.right], "form": product.form,
            "data_sets": count, "results": results}


def measure(args):
    given = os.listdir(args.packages)
    candidate_runs.measure_all(args, (name for name in selected(args) if any(file.startswith(name + "@") for file in given)), str,
                               measure_one, "fused-products.json", "torch.compile")


def main():
    def add(line):
        line.prepare.add_argument("--apart", help="another compiler, whose products stand beside")
        line.measure.add_argument("--autotune", action="store_true", help="torch.compile's mode max-autotune, too")

    candidate_runs.arguments(__doc__, rounds=7, seconds=0.5, add=add).run(prepare=prepare, measure=measure)


if __name__ == "__main__":
    main()
