#!/usr/bin/env python3
"""Measures chains of matrix products, each of which reads what the one before wrote, beside cuBLAS (torch.mm).

usage: product_chains.py prepare --out DIR [--only TEXT] [--tw-compile PATH]
       product_chains.py measure --packages DIR --out DIR --runtime libtilewright_rt.so [--only TEXT] [--seconds 0.5]
                                 [--rounds 5] [--limit SECONDS]

A chain is one program: x = x * transpose(w_i) for every i, in bf16, each weight its own. `prepare` needs no GPU: it
compiles every chain with the schedules named here, with programmatic dependent launch (pdl) and without. `measure` runs
on a GPU machine with PyTorch; the last result is compared with the same chain in PyTorch, of which each product is
rounded to bf16 as well. Times are those of one product.
"""
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import candidate_runs  # noqa: E402

# name, M, N = K, products
CHAINS = [("2048", 2048, 2048, 8), ("1024", 1024, 1024, 16), ("rows-128", 128, 4096, 6), ("rows-16", 16, 4096, 6),
          ("rows-8", 8, 4096, 6), ("rows-1", 1, 4096, 6)]


def wgmma(tile, warps, stages, roles, rest, reduce=64, registers=(40, 232)):
    return (f"#tile.schedule<tile = [{tile[0]}, {tile[1]}], reduce = {reduce}, warps = {warps}, warp_grid = [{warps}, 1], "
            f"stages = {stages}, product = wgmma, roles = {roles}, registers = [{registers[0]}, {registers[1]}]{rest}>")


PERSISTENT = ", persistent = 132, order = grouped<8>, store = bulk"


def schedules(name):
    """Texts of schedules by label, beside the compiler's own ones."""
    texts = {}
    if name == "2048":
        texts["pingpong-128x128"] = wgmma((128, 128), 4, 6, "pingpong", PERSISTENT)
        texts["cooperative-128x256"] = wgmma((128, 256), 8, 4, "cooperative", PERSISTENT)
        texts["cooperative-256x128"] = wgmma((256, 128), 8, 4, "cooperative", PERSISTENT)
    if name == "1024":
        texts["pingpong-64x128"] = wgmma((64, 128), 4, 8, "pingpong", PERSISTENT)
        texts["cooperative-128x64"] = wgmma((128, 64), 8, 8, "cooperative", ", store = bulk")
        texts["cooperative-64x128"] = wgmma((64, 128), 4, 8, "cooperative", ", store = bulk")
        texts["parts-2"] = wgmma((128, 128), 8, 4, "cooperative", ", split_k = 2")
    if name == "rows-16":
        texts["parts-2"] = wgmma((64, 16), 4, 11, "cooperative", ", split_k = 2, swap_operands", reduce=128)
        texts["whole"] = wgmma((64, 16), 4, 11, "cooperative", ", swap_operands", reduce=128)
    if name == "rows-8":
        texts["parts-2"] = wgmma((64, 8), 4, 12, "cooperative", ", split_k = 2, swap_operands", reduce=128)
        texts["whole"] = wgmma((64, 8), 4, 16, "cooperative", ", store = bulk, swap_operands")
    if name == "rows-128":
        texts["parts-2"] = wgmma((64, 128), 4, 7, "cooperative", ", split_k = 2, swap_operands")
        texts["parts-2-long"] = wgmma((64, 128), 4, 3, "cooperative", ", split_k = 2, swap_operands", reduce=128)
    return texts


def program(m, n, count):
    x, w = f"tensor<{m}x{n}xbf16>", f"tensor<{n}x{n}xbf16>"
    weights = ", ".join(f'%w{i}: {w} {{graph.name = "w{i}"}}' for i in range(count))
    lines = [f'func.func @main(%x0: {x} {{graph.name = "x"}}, {weights}) -> ({x} {{graph.name = "y"}}) {{']
    for i in range(count):
        lines += [f"  %t{i} = graph.transpose %w{i} permutation = [1, 0] : {w} to {w}",
                  f"  %p{i} = graph.matmul %x{i}, %t{i} : {x}, {w} to tensor<{m}x{n}xf32>",
                  f"  %x{i + 1} = arith.truncf %p{i} : tensor<{m}x{n}xf32> to {x}"]
    return "\n".join(lines + [f"  return %x{count} : {x}\n}}"]) + "\n"


def selected(args):
    return [chain for chain in CHAINS if not args.only or any(text in chain[0] for text in args.only)]


def run(command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.returncode == 0, (result.stderr or result.stdout).strip().splitlines()


def schedules_of(tiled):
    """The schedule of each kernel of a program after its tile stage, by name."""
    found = {}
    for line in tiled.splitlines():
        kernel = re.match(r"\s*tile\.kernel @(\w+)", line)
        schedule = re.search(r"#tile\.schedule<(?:[^<>]|<[^<>]*>)*>", line)
        if kernel and schedule:
            found[kernel.group(1)] = schedule.group(0)
    return found


def scheduled(fused, text_of):
    """The program after its fuse stage, each kernel with the schedule that `text_of` gives for its name."""
    lines = []
    for line in fused.splitlines():
        if "graph.kernel anchor(" in line and line.endswith("{"):
            head = re.match(r"(.*?)( attributes \{(.*)\})? \{$", line)
            text = text_of(re.search(r"@(\w+)", line).group(1))
            line = f"{head.group(1)} attributes {{tile.schedule = {text}{', ' + head.group(3) if head.group(3) else ''}}} {{"
        lines.append(line)
    return "\n".join(lines) + "\n"


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    for name, m, n, count in selected(args):
        base, common = os.path.join(args.out, name), [args.tw_compile, "--precision=bf16", "--target=sm_90a", "--emulation=off"]
        with open(base + ".mlir", "w", encoding="utf-8") as file:
            file.write(program(m, n, count))
        dumps = base + ".stages"
        good, said = run(common + [base + ".mlir", "-o", base + ".tw", f"--dump-stages={dumps}"])
        if not good:
            sys.exit(f"{name}: {said[:3]}")
        os.remove(base + ".tw")
        with open(os.path.join(dumps, "02-fuse.mlir"), encoding="utf-8") as file:
            fused = file.read()
        with open(os.path.join(dumps, "03-tile.mlir"), encoding="utf-8") as file:
            chosen = schedules_of(file.read())
        print(f"   {name}: {' | '.join(dict.fromkeys(chosen.values()))}")
        for label, text in {"model": None, **schedules(name)}.items():
            for suffix, end in (("", ">"), ("-pdl", ", pdl>")):
                with open(base + ".fused.mlir", "w", encoding="utf-8") as file:
                    file.write(scheduled(fused, lambda kernel: (text or chosen[kernel]).replace(", pdl", "")[:-1] + end))
                good, said = run(common + [base + ".fused.mlir", "--start-from=tile", "-o", f"{base}@{label}{suffix}.tw"])
                if not good:
                    print(f"      {label}{suffix}: {said[0][:200] if said else 'failed'}")
        os.remove(base + ".fused.mlir")


def measure_one(chain, args, runtime):
    import torch

    import gpu_clock
    from package_session import Session

    name, m, n, count = chain
    generator = torch.Generator(device="cuda").manual_seed(int(time.time()))
    draw = lambda *shape: torch.randn(*shape, device="cuda", generator=generator)
    inputs = {"x": draw(m, n).to(torch.bfloat16)}
    inputs |= {f"w{i}": (draw(n, n) / n ** 0.5).to(torch.bfloat16) for i in range(count)}

    def chained(multiply):
        x = inputs["x"]
        for i in range(count):
            x = multiply(x, inputs[f"w{i}"].t())
        return x

    exact = chained(lambda a, b: (a.float() @ b.float()).to(torch.bfloat16)).float()
    results, candidates, sessions = {}, {}, []
    for file in sorted(os.listdir(args.packages)):
        if not file.startswith(name + "@") or not file.endswith(".tw"):
            continue
        label = file[len(name) + 1:-3]
        try:
            output = torch.full((m, n), 77, device="cuda", dtype=torch.bfloat16)
            session = Session(runtime, os.path.join(args.packages, file), inputs | {"y": output})
            sessions.append(session)
            graph = gpu_clock.ChainGraph([session.graph()])
            errors = []
            for _ in range(3):
                output.fill_(77)
                graph.launch()
                torch.cuda.synchronize()
                errors.append(((output.float() - exact).norm() / exact.norm()).item())
            graph.count *= count
            results[label] = {"error": max(errors)}
            if max(errors) < 1e-2:
                candidates[label] = graph
        except Exception as problem:
            results[label] = {"failure": str(problem)[:300]}
    peer = gpu_clock.TorchGraph([lambda: chained(torch.mm)])
    peer.count *= count
    candidates["cublas"], results["cublas"] = peer, {}
    candidate_runs.time_all(candidates, results, args)
    del candidates, peer
    for session in sessions:
        session.close()
    return {"chain": name, "shape": [m, n, n], "products": count, "results": results}


def measure(args):
    candidate_runs.measure_all(args, selected(args), lambda chain: f"chain {chain[0]}", measure_one, "product-chains.json", "cublas")


def main():
    candidate_runs.arguments(__doc__, rounds=5, seconds=0.5).run(prepare=prepare, measure=measure)


if __name__ == "__main__":
    main()
