"""Prints kernels of products: every type that tensor cores take, common tiles, operands contiguous along K or not."""

import itertools

SIZE = 256
for element, precision in (("bf16", ""), ("f16", ""), ("f32", " precision = tf32")):
    for m, n in ((32, 32), (32, 64), (64, 32), (64, 64), (64, 128), (128, 64), (128, 128)):
        for turned, k in itertools.product(((), ("a",), ("b",), ("a", "b")), (32, 64)):
            t = f"tensor<{SIZE}x{SIZE}x{element}>"
            r = f"tensor<{SIZE}x{SIZE}xf32>"
            lines = [f"  %{v}t = graph.transpose %{v} permutation = [1, 0] : {t} to {t}" for v in turned]
            a, b = ("%at" if "a" in turned else "%a"), ("%bt" if "b" in turned else "%b")
            schedule = f"tile = [{m}, {n}], reduce = {k}, warps = 4, warp_grid = [2, 2], stages = 3"
            name = "_".join(("product", element, str(m), str(n), str(k)) + turned)
            print(f"graph.kernel anchor(matmul) @{name}(%a: {t}, %b: {t}) -> {r}\n"
                  f"    attributes {{tile.schedule = #tile.schedule<{schedule}>}} {{")
            print("\n".join(lines + [f"  %0 = graph.matmul {a}, {b}{precision} : {t}, {t} to {r}",
                                     f"  graph.return %0 : {r}", "}"]))
