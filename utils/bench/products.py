"""Matrix products as programs in the graph form, and as PyTorch calls: what product_schedules.py, product_sweep.py and
tuning measurements share. A product is C[M, N] = A[M, K] B[K, N] in 16-bit floats with sums in fp32, either operand
stored transposed, and perhaps an epilogue; with `swiglu` silu(A B) * (A V), V stored as B is."""
import dataclasses
import math

# Rates of an H200 that classes of products are told apart by, not limits: bytes and floating-point operations a
# microsecond that large products and copies reach, and the time of a launch in a graph.
BYTES_PER_US, FLOPS_PER_US, LAUNCH_US = 4.3e6, 750e6, 2.5
EPILOGUES = ("", "gelu", "gelu-erf", "residual", "swiglu")
GELU_FORMS = {"gelu": "tanh", "gelu-erf": "erf"}


@dataclasses.dataclass(frozen=True)
class Product:
    name: str
    m: int
    n: int
    k: int
    lhs_transposed: bool = False  # A is stored K x M
    rhs_transposed: bool = True   # B is stored N x K
    epilogue: str = ""
    dtype: str = "bf16"

    def bytes_moved(self):
        extra = {"": 0, "gelu": self.n, "gelu-erf": self.n, "residual": self.m * self.n, "swiglu": self.k * self.n}[self.epilogue]
        return 2 * (self.m * self.k + self.k * self.n + self.m * self.n + extra)

    def flops(self):
        return (4 if self.epilogue == "swiglu" else 2) * self.m * self.n * self.k

    def aligned(self):
        """Whether every row of every matrix begins at a multiple of 16 bytes."""
        pitches = (self.m if self.lhs_transposed else self.k, self.k if self.rhs_transposed else self.n, self.n)
        return all(pitch % 8 == 0 for pitch in pitches)

    def bound(self):
        """What the time of a good kernel is made of: its launch, bytes, or multiplications."""
        memory, compute = self.bytes_moved() / BYTES_PER_US, self.flops() / FLOPS_PER_US
        if max(memory, compute) < LAUNCH_US:
            return "launch"
        return "memory" if memory > compute else "compute"

    def layout(self):
        """As BLAS says it: whether A and B are stored transposed."""
        return ("t" if self.lhs_transposed else "n") + ("t" if self.rhs_transposed else "n")

    def inputs(self):
        """Shapes as stored."""
        shapes = {"a": (self.k, self.m) if self.lhs_transposed else (self.m, self.k),
                  "b": (self.n, self.k) if self.rhs_transposed else (self.k, self.n)}
        if self.epilogue:
            shapes["v"] = {"gelu": (self.n,), "gelu-erf": (self.n,), "residual": (self.m, self.n), "swiglu": shapes["b"]}[self.epilogue]
        return shapes

    def program(self):
        """The product in the graph form."""
        m, n, k, t = self.m, self.n, self.k, self.dtype
        typed = lambda shape, element=t: f"tensor<{'x'.join(map(str, shape))}x{element}>"
        arguments = ", ".join(f'%{name}: {typed(shape)} {{graph.name = "{name}"}}' for name, shape in self.inputs().items())
        lines, operands = [f'func.func @main({arguments}) -> ({typed((m, n))} {{graph.name = "c"}}) {{'], {"a": "%a", "b": "%b"}
        matrices = [("a", self.lhs_transposed, (m, k)), ("b", self.rhs_transposed, (k, n))]
        if self.epilogue == "swiglu":
            operands["v"] = "%v"
            matrices.append(("v", self.rhs_transposed, (k, n)))
        for name, transposed, shape in matrices:
            if transposed:
                lines.append(f"  %{name}t = graph.transpose %{name} permutation = [1, 0] : {typed(shape[::-1])} to {typed(shape)}")
                operands[name] = f"%{name}t"
        product = lambda result, b: f"  {result} = graph.matmul {operands['a']}, {operands[b]} : {typed((m, k))}, {typed((k, n))} to {typed((m, n), 'f32')}"
        lines.append(product("%0", "b"))
        last, wide = "%0", typed((m, n), "f32")
        if self.epilogue == "swiglu":
            lines += [product("%up", "v"), f"  %minus = arith.negf %0 : {wide}", f"  %power = math.exp %minus : {wide}",
                      f"  %one = arith.constant dense<1.0> : {wide}", f"  %below = arith.addf %power, %one : {wide}",
                      f"  %gate = arith.divf %0, %below : {wide}", f"  %joined = arith.mulf %gate, %up : {wide}"]
            last = "%joined"
        elif self.epilogue:
            narrow = "%v"
            if self.epilogue in GELU_FORMS:
                lines.append(f"  %w = graph.broadcast %v dims = [1] : {typed((n,))} to {typed((m, n))}")
                narrow = "%w"
            lines.append(f"  %e = arith.extf {narrow} : {typed((m, n))} to {wide}")
            lines.append(f"  %s = arith.addf %0, %e : {wide}")
            last = "%s"
        if self.epilogue in GELU_FORMS:
            lines.append(f"  %g = graph.gelu {GELU_FORMS[self.epilogue]} %s : {wide}")
            last = "%g"
        lines.append(f"  %r = arith.truncf {last} : {wide} to {typed((m, n))}")
        lines.append(f"  return %r : {typed((m, n))}\n}}")
        return "\n".join(lines) + "\n"


def data_sets(product, beyond=200 << 20, most=24):
    """How many sets of inputs and outputs are rotated so that each call finds the L2 cache cold."""
    return int(min(most, max(2, math.ceil(beyond / product.bytes_moved()))))


def draw(product, generator, count):
    """`count` sets of inputs: standard normal, as stored."""
    import torch
    kind = {"bf16": torch.bfloat16, "f16": torch.float16}[product.dtype]
    return [{name: torch.randn(*shape, device="cuda", generator=generator, dtype=kind) for name, shape in product.inputs().items()}
            for _ in range(count)]


def operands(product, data):
    return (data["a"].t() if product.lhs_transposed else data["a"], data["b"].t() if product.rhs_transposed else data["b"])


def second(product, data):
    """The right operand of the product beside the first one."""
    return data["v"].t() if product.rhs_transposed else data["v"]


def approximation(product):
    """What PyTorch calls the form of the product's GELU."""
    return "tanh" if GELU_FORMS[product.epilogue] == "tanh" else "none"


def exact(product, data):
    """The result in fp32."""
    import torch
    a, b = operands(product, data)
    result = a.float() @ b.float()
    if product.epilogue == "swiglu":
        return torch.nn.functional.silu(result) * (a.float() @ second(product, data).float())
    if product.epilogue:
        result += data["v"].float()
    if product.epilogue in GELU_FORMS:
        result = torch.nn.functional.gelu(result, approximate=approximation(product))
    return result


def library_call(product, data, out):
    """The product by PyTorch: cuBLAS' own choice."""
    import torch
    a, b = operands(product, data)
    if product.epilogue == "swiglu":
        # One product with both matrices side by side, laid there beforehand; then what joins its halves.
        both = torch.cat([data["b"], data["v"]], 0 if product.rhs_transposed else 1)
        both = both.t() if product.rhs_transposed else both

        def joined():
            gate, up = torch.mm(a, both).chunk(2, dim=1)
            return torch.nn.functional.silu(gate) * up
        return joined
    if product.epilogue in GELU_FORMS:
        return lambda: torch.nn.functional.gelu(torch.addmm(data["v"], a, b), approximate=approximation(product))
    if product.epilogue == "residual":
        return lambda: torch.addmm(data["v"], a, b)
    return lambda: torch.mm(a, b, out=out)


def compiled_call(product):
    """The product by torch.compile: what takes a data set; nothing where library_call is all there is to it. In its default
    mode: tuning tries kernels of which one ends with an illegal access, and chose the library's product here."""
    import torch
    if product.epilogue != "swiglu":
        return None

    def joined(a, b, v):
        return torch.nn.functional.silu(a @ b) * (a @ v)
    compiled = torch.compile(joined, fullgraph=True, dynamic=False)
    return lambda data: compiled(*operands(product, data), second(product, data))


def wrong(product, result, want):
    """What is wrong with a result; empty: it is right. Rounding to 16 bits gives 1.7e-3 in the norm."""
    import torch
    if not torch.isfinite(result).all():
        return "not finite"
    difference, scale = result.float() - want, want.norm().item() or 1.0
    norm, largest = difference.norm().item() / scale, difference.abs().max().item() / (want.abs().max().item() or 1.0)
    if norm > 4e-3 or largest > 1e-2:
        return f"relative error {norm:.1e} in the norm, {largest:.1e} of the largest element"
    return ""
