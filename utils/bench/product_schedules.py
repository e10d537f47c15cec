#!/usr/bin/env python3
"""Measures matrix products under several schedules beside cuBLAS (torch.mm).

usage: product_schedules.py prepare --out DIR [--only TEXT] [--tw-compile PATH]
       product_schedules.py measure --packages DIR --out DIR --runtime libtilewright_rt.so [--only TEXT] [--seconds 1.0]
                                    [--rounds 7] [--limit SECONDS]

`prepare` needs no GPU: each product is compiled with the schedule that the compiler chooses and with the ones named
here, put into the program after its fuse stage. `measure` runs on a GPU machine with PyTorch: every result is first
compared with a product in fp32; what is wrong is said and not timed. Both protocols of gpu_clock.py are reported; data
sets rotate, so that each call finds the L2 cache cold.
"""
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import candidate_runs  # noqa: E402

# name, M, N, K, whether B is stored as N x K, epilogue
PRODUCTS = [
    ("1024", 1024, 1024, 1024, True, ""),
    ("2048", 2048, 2048, 2048, True, ""),
    ("4096", 4096, 4096, 4096, True, ""),
    ("4096-nn", 4096, 4096, 4096, False, ""),
    ("8192", 8192, 8192, 8192, True, ""),
    ("wide-14336", 4096, 14336, 4096, True, ""),
    ("deep-14336", 4096, 4096, 14336, True, ""),
    ("rows-128", 128, 4096, 4096, True, ""),
    ("rows-16", 16, 4096, 4096, True, ""),
    ("rows-1", 1, 4096, 4096, True, ""),
    ("1000", 1000, 1000, 1000, True, ""),
    ("odd-4097", 4095, 4097, 4099, True, ""),
    ("gelu-4096", 4096, 4096, 4096, True, "gelu"),
    ("residual-4096", 4096, 4096, 4096, True, "residual"),
    # Rows that no tensor map describes, at whole words and at odd elements, of large and of narrow products.
    ("words-4098", 4094, 4098, 4102, True, ""),
    ("words-1002", 1000, 1000, 1002, True, ""),
    ("words-128", 128, 4094, 4094, True, ""),
    ("words-16", 16, 3830, 5574, False, ""),
    ("odd-128", 128, 4095, 4095, True, ""),
    ("odd-16", 16, 3831, 5575, False, ""),
]


def schedule(tile, warps, stages, roles, blocks=132, group=8, store="bulk", reduce=64, rest="", registers=(40, 232), loaders=1):
    grouped = f", order = grouped<{group}>" if group else ""
    several = f", loaders = {loaders}" if loaders > 1 else ""
    return (f"#tile.schedule<tile = [{tile[0]}, {tile[1]}], reduce = {reduce}, warps = {warps}, warp_grid = [{warps}, 1], "
            f"stages = {stages}, product = wgmma, roles = {roles}{several}, registers = [{registers[0]}, {registers[1]}], persistent = {blocks}{grouped}"
            f"{rest}, store = {store}>")


SCHEDULES = {
    "pingpong-128x128": schedule((128, 128), 4, 6, "pingpong"),
    "pingpong-64x128": schedule((64, 128), 4, 8, "pingpong"),
    "cooperative-128x256": schedule((128, 256), 8, 4, "cooperative"),
    "cooperative-128x192": schedule((128, 192), 8, 4, "cooperative"),
    "pingpong-128x128-cluster": schedule((128, 128), 4, 6, "pingpong", rest=", cluster = [2, 1]"),
    "cooperative-128x256-cluster": schedule((128, 256), 8, 4, "cooperative", rest=", cluster = [2, 1]"),
    "warps": "#tile.schedule<tile = [128, 128], reduce = 32, warps = 8, warp_grid = [2, 4], stages = 3, product = mma_sync>",
}
# For products of few rows.
NARROW = {
    "64x64": schedule((64, 64), 4, 12, "pingpong", group=0),
    "64x64-rotated": schedule((64, 64), 4, 12, "pingpong", group=0, rest=", rotate_k"),
    "64x32-rotated": schedule((64, 32), 4, 16, "pingpong", group=0, rest=", rotate_k"),
    "64x64-rotated-128": schedule((64, 64), 4, 6, "pingpong", group=0, reduce=128, rest=", rotate_k"),
    "64x32-rotated-128": schedule((64, 32), 4, 8, "cooperative", group=0, reduce=128, rest=", rotate_k"),
    "64x128-rotated": schedule((64, 128), 4, 8, "pingpong", group=0, rest=", rotate_k"),
}

# For operands that stay as they lie, where the compiler would copy them first: rings that threads fill, by cp.async and
# through registers, and single warps.
THREADS = {
    "words": {
        "threads-pingpong-128x128": schedule((128, 128), 4, 6, "pingpong", registers=(56, 216)),
        "threads-cooperative-128x128": schedule((128, 128), 8, 6, "cooperative", registers=(56, 216)),
        "threads-pingpong-64x128": schedule((64, 128), 4, 8, "pingpong", registers=(56, 216)),
        "threads-64x64": schedule((64, 64), 4, 12, "pingpong", registers=(56, 216)),
    },
    "odd": {
        "threads-128x64": schedule((128, 64), 4, 8, "cooperative", registers=(152, 152), loaders=2),
        "threads-64x128": schedule((64, 128), 4, 8, "cooperative", registers=(152, 152), loaders=2),
        "threads-128x128-one": schedule((128, 128), 4, 6, "cooperative", registers=(152, 176)),
        "threads-64x32": schedule((64, 32), 4, 12, "cooperative", registers=(120, 120), loaders=3),
    },
}
# The same for few rows: parts of K, the product transposed.
NARROW_THREADS = {
    f"threads-{bn}-{parts}": f"#tile.schedule<tile = [64, {bn}], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 8, product = wgmma, "
                             f"roles = cooperative, loaders = 2, registers = [120, 120], split_k = {parts}, swap_operands>"
    for bn in (16,) for parts in (1, 2)}


def unaligned_program(m, n, k, transposed):
    """The product as one kernel at the tile stage, its operands as they lie."""
    b, c = (f"tensor<{n}x{k}xbf16>" if transposed else f"tensor<{k}x{n}xbf16>"), f"tensor<{m}x{n}xbf16>"
    a = f"tensor<{m}x{k}xbf16>"
    turned = f"  %t = graph.transpose %b permutation = [1, 0] : {b} to tensor<{k}x{n}xbf16>\n" if transposed else ""
    return (f'plan.program @main(%a: {a} {{plan.name = "a"}}, %b: {b} {{plan.name = "b"}}) -> ({c} {{plan.name = "c"}}) {{\n'
            f"  %0 = plan.launch @product(%a, %b) : ({a}, {b}) -> {c}\n  plan.return %0 : {c}\n}}\n"
            f"graph.kernel anchor(matmul) @product(%a: {a}, %b: {b}) -> {c} {{\n{turned}"
            f"  %0 = graph.matmul %a, {'%t' if transposed else '%b'} : {a}, tensor<{k}x{n}xbf16> to tensor<{m}x{n}xf32>\n"
            f"  %1 = arith.truncf %0 : tensor<{m}x{n}xf32> to {c}\n  graph.return %1 : {c}\n}}\n")


def program(m, n, k, transposed, epilogue):
    b = f"{n}x{k}" if transposed else f"{k}x{n}"
    extra = {"": "", "gelu": f', %v: tensor<{n}xbf16> {{graph.name = "v"}}',
             "residual": f', %v: tensor<{m}x{n}xbf16> {{graph.name = "v"}}'}[epilogue]
    lines = [f'func.func @main(%a: tensor<{m}x{k}xbf16> {{graph.name = "a"}}, %b: tensor<{b}xbf16> {{graph.name = "b"}}{extra}) '
             f'-> (tensor<{m}x{n}xbf16> {{graph.name = "c"}}) {{']
    operand = "%b"
    if transposed:
        lines.append(f"  %t = graph.transpose %b permutation = [1, 0] : tensor<{n}x{k}xbf16> to tensor<{k}x{n}xbf16>")
        operand = "%t"
    lines.append(f"  %0 = graph.matmul %a, {operand} : tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16> to tensor<{m}x{n}xf32>")
    last = "%0"
    if epilogue:
        if epilogue == "gelu":
            lines.append(f"  %w = graph.broadcast %v dims = [1] : tensor<{n}xbf16> to tensor<{m}x{n}xbf16>")
        wide = "%w" if epilogue == "gelu" else "%v"
        lines.append(f"  %e = arith.extf {wide} : tensor<{m}x{n}xbf16> to tensor<{m}x{n}xf32>")
        lines.append(f"  %s = arith.addf %0, %e : tensor<{m}x{n}xf32>")
        last = "%s"
        if epilogue == "gelu":
            lines.append(f"  %g = graph.gelu tanh %s : tensor<{m}x{n}xf32>")
            last = "%g"
    lines.append(f"  %r = arith.truncf {last} : tensor<{m}x{n}xf32> to tensor<{m}x{n}xbf16>")
    lines.append(f"  return %r : tensor<{m}x{n}xbf16>\n}}")
    return "\n".join(lines) + "\n"


def by_hand(name, m):
    """Schedules of a product; those of `unaligned-` labels are for its operands as they lie."""
    found = dict(NARROW if m <= 128 else SCHEDULES)
    kind = name.split("-")[0]
    if kind in THREADS:
        threads = NARROW_THREADS if m <= 16 else THREADS[kind]
        found |= {f"unaligned-{label}": text for label, text in (threads | {"warps": SCHEDULES["warps"]}).items()}
    return found


def selected(args):
    return [p for p in PRODUCTS if not args.only or any(text in p[0] for text in args.only)]


def run(command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    good = result.returncode == 0
    # A warning stands beside what was asked for, and is none of it.
    return good, (result.stdout if good else result.stderr or result.stdout).strip().splitlines()


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    for name, m, n, k, transposed, epilogue in selected(args):
        base = os.path.join(args.out, name)
        source = base + ".mlir"
        with open(source, "w", encoding="utf-8") as file:
            file.write(program(m, n, k, transposed, epilogue))
        common = [args.tw_compile, "--precision=bf16", "--target=sm_90a", "--emulation=off"]
        dumps = base + ".stages"
        good, said = run(common + [source, "-o", base + "@model.tw", f"--dump-stages={dumps}", f"--remarks={base}.remarks.yaml"])
        if not good:
            sys.exit(f"{name}: {said[:3]}")
        with open(os.path.join(dumps, "02-fuse.mlir"), encoding="utf-8") as file:
            fused = file.read()
        with open(os.path.join(dumps, "03-tile.mlir"), encoding="utf-8") as file:
            chosen = re.search(r"tile\.schedule = (#tile\.schedule<.*?>(?=[,}]))", file.read())
        print(f"   {name}: {chosen.group(1) if chosen else 'no schedule'}")
        for label, text in by_hand(name, m).items():
            if label.startswith("unaligned-"):
                fused = unaligned_program(m, n, k, transposed)
            # The kernel's attributes stand behind its types, in front of its body.
            head = re.search(r"(graph\.kernel anchor\(matmul\) [^\n]*?)( attributes \{(?P<old>[^\n]*)\})? \{\n", fused)
            if not head:  # one row: a reduction, which has other schedules
                break
            old = head.group("old")
            attributes = f" attributes {{tile.schedule = {text}{', ' + old if old else ''}}} {{\n"
            with open(base + ".fused.mlir", "w", encoding="utf-8") as file:
                file.write(fused[:head.start()] + head.group(1) + attributes + fused[head.end():])
            good, said = run(common + [base + ".fused.mlir", "--start-from=tile", "-o", f"{base}@{label}.tw"])
            if not good:
                print(f"      {label}: {said[0][:200] if said else 'failed'}")
        if os.path.exists(base + ".fused.mlir"):
            os.remove(base + ".fused.mlir")


def measure_one(product, args, runtime):
    import torch

    import gpu_clock

    name, m, n, k, transposed, epilogue = product
    torch.backends.cuda.matmul.allow_tf32 = False
    moved = 2 * (m * k + k * n + m * n)
    count = int(min(24, max(2, -(-(200 << 20) // moved))))
    generator = torch.Generator(device="cuda").manual_seed(int(time.time()))
    draw = lambda *shape: torch.randn(*shape, device="cuda", generator=generator).to(torch.bfloat16)
    sets = [{"a": draw(m, k), "b": draw(n, k) if transposed else draw(k, n)} for _ in range(count)]
    if epilogue:
        for data in sets:
            data["v"] = draw(n) if epilogue == "gelu" else draw(m, n)
    right = lambda data: data["b"].t() if transposed else data["b"]
    exact = sets[0]["a"].float() @ right(sets[0]).float()
    if epilogue:
        exact += sets[0]["v"].float()
    if epilogue == "gelu":
        exact = torch.nn.functional.gelu(exact, approximate="tanh")
    results, candidates = {}, {}
    error_of = lambda out: ((out.float() - exact).norm() / exact.norm()).item()
    sessions = candidate_runs.add_packages(name, args, runtime, sets, (m, n), torch.bfloat16, error_of, 4e-3, candidates, results)
    out = torch.empty((m, n), device="cuda", dtype=torch.bfloat16)

    def peer(data):
        if epilogue == "gelu":
            return torch.nn.functional.gelu(torch.addmm(data["v"], data["a"], right(data)), approximate="tanh")
        if epilogue == "residual":
            return torch.addmm(data["v"], data["a"], right(data))
        return torch.mm(data["a"], right(data), out=out)

    candidates["cublas"] = gpu_clock.TorchGraph([lambda data=data: peer(data) for data in sets])
    results["cublas"] = {}
    candidate_runs.time_all(candidates, results, args)
    del candidates
    for session in sessions:
        session.close()
    return {"product": name, "shape": [m, n, k], "data_sets": count, "results": results}


def measure(args):
    candidate_runs.measure_all(args, selected(args), lambda product: product[0], measure_one, "product-schedules.json", "cublas")


def main():
    candidate_runs.arguments(__doc__, rounds=7, seconds=1.0).run(prepare=prepare, measure=measure)


if __name__ == "__main__":
    main()
