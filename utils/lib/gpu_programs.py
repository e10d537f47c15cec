"""Families of tensor programs for utils/gpu-cases: every kind of kernel, over shapes that divide nothing evenly.

A family is a generator of (name, MLIR text, options); options may hold `precisions` (what tw-compile is asked for)
and `data` (a range of the inputs, see gpu-cases).
"""
import itertools

FLOATS = ("f32", "f16", "bf16", "f64")
ALL_PRECISIONS = ("fp32", "tf32", "bf16", "fp16")


def tensor(shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


class Program:
    """A function while it is written: `add` appends an operation and gives its value's name."""

    def __init__(self, *inputs, data=None):
        self.types, self.lines, self.inputs = {}, [], []
        for number, (shape, element) in enumerate(inputs):
            name, kind = f"%a{number}", tensor(shape, element)
            own = f' {{check.data = "{data[number]}"}}' if data and data[number] else ""
            self.types[name] = kind
            self.inputs.append(f"{name}: {kind}{own}")

    def __getitem__(self, number):
        return f"%a{number}"

    def add(self, text, shape, element):
        name = f"%{len(self.lines)}"
        self.types[name] = tensor(shape, element)
        self.lines.append(f"  {name} = {text}")
        return name

    def same(self, op, *operands, extra=""):
        """An operation whose operands and result have one type."""
        kind = self.types[operands[0]]
        self.lines.append(f"  %{len(self.lines)} = {op} {', '.join(operands)}{extra} : {kind}")
        name = f"%{len(self.lines) - 1}"
        self.types[name] = kind
        return name

    def change(self, op, operand, shape, element, extra=""):
        """An operation that is written with the types of its one operand and its result."""
        return self.add(f"{op} {operand}{extra} : {self.types[operand]} to {tensor(shape, element)}", shape, element)

    def splat(self, value, shape, element):
        number = f"{value:e}" if element[0] in "fb" else str(value)
        return self.add(f"arith.constant dense<{number}> : {tensor(shape, element)}", shape, element)

    def broadcast(self, operand, dims, shape, element):
        return self.change("graph.broadcast", operand, shape, element, f" dims = {list(dims)}")

    def matmul(self, lhs, rhs, shape, element):
        kinds = f"{self.types[lhs]}, {self.types[rhs]}"
        return self.add(f"graph.matmul {lhs}, {rhs} : {kinds} to {tensor(shape, element)}", shape, element)

    def text(self, *results):
        kinds = ", ".join(self.types[r] for r in results)
        return "\n".join([f"func.func @main({', '.join(self.inputs)}) -> ({kinds}) {{", *self.lines,
                          f"  return {', '.join(results)} : {kinds}", "}", ""])


def elementwise():
    shape = (7, 45)
    for element in FLOATS:
        p = Program((shape, element), (shape, element))
        x, y = p[0], p[1]
        results = [p.same(f"arith.{op}", x, y) for op in ("addf", "subf", "mulf", "maximumf", "minimumf")]
        results += [p.same(op, x) for op in ("arith.negf", "math.absf", "math.floor", "math.ceil", "math.exp",
                                             "math.tanh", "math.erf", "graph.gelu erf", "graph.gelu tanh")]
        positive = p.same("arith.addf", p.same("math.absf", x), p.splat(1, shape, element))
        results += [p.same(f"math.{op}", positive) for op in ("sqrt", "rsqrt", "log")]
        results.append(p.same("arith.divf", y, positive))
        if element != "f64":
            results += [p.same("math.sin", x), p.same("math.cos", x)]
        yield f"elementwise-{element}", p.text(*results), {}
        # Far from zero, where ranges are reduced and results over- and underflow.
        p = Program((shape, element), data=["random:-60:60"])
        wide = [p.same(f"math.{op}", p[0]) for op in ("exp", "tanh", "erf")]
        yield f"elementwise-wide-{element}", p.text(*wide), {}
        p = Program((shape, element), (shape, element), data=["special", "random"])
        chosen = [p.same("arith.maximumf", p[0], p[1]), p.same("arith.minimumf", p[0], p[1]),
                  p.same("arith.addf", p[0], p[1]), p.same("math.absf", p[0])]
        yield f"elementwise-special-{element}", p.text(*chosen), {}
        p = Program((shape, element), (shape, element))
        less = p.add(f"arith.cmpf olt, {p[0]}, {p[1]} : {tensor(shape, element)}", shape, "i1")
        picked = p.add(f"arith.select {less}, {p[0]}, {p[1]} : {tensor(shape, 'i1')}, {tensor(shape, element)}", shape, element)
        yield f"elementwise-select-{element}", p.text(less, picked), {}
    for size in (1, 2, 31, 1023, 4097, 100001):
        p = Program(((size,), "f32"), ((size,), "f32"))
        yield f"elementwise-size-{size}", p.text(p.same("arith.mulf", p.same("math.tanh", p[0]), p[1])), {}


def integers():
    shape = (5, 67)
    for element in ("i8", "i16", "i32", "i64"):
        p = Program((shape, element), (shape, element), data=["random:-50:50", "random:1:50"])
        results = [p.same(f"arith.{op}", p[0], p[1]) for op in
                   ("addi", "subi", "muli", "maxsi", "minsi", "maxui", "xori", "andi", "ori", "divsi", "remsi")]
        less = p.add(f"arith.cmpi slt, {p[0]}, {p[1]} : {tensor(shape, element)}", shape, "i1")
        results += [less, p.change("arith.sitofp", p[0], shape, "f32")]
        yield f"integers-{element}", p.text(*results), {}
        others = [e for e in ("i8", "i16", "i32", "i64") if e != element]
        p = Program((shape, element), data=["random:-120:120"])
        casts = [p.change("arith.extsi" if int(e[1:]) > int(element[1:]) else "arith.trunci", p[0], shape, e) for e in others]
        yield f"integers-casts-{element}", p.text(*casts), {}
    p = Program((shape, "i1"), (shape, "i1"), (shape, "f32"), (shape, "f32"))
    results = [p.same(f"arith.{op}", p[0], p[1]) for op in ("andi", "ori", "xori")]
    results += [p.change("arith.extui", p[0], shape, "i32"), p.change("arith.uitofp", p[1], shape, "f32")]
    results.append(p.add(f"arith.select {p[0]}, {p[2]}, {p[3]} : {tensor(shape, 'i1')}, {tensor(shape, 'f32')}", shape, "f32"))
    yield "integers-i1", p.text(*results), {}


def casts():
    shape = (3, 129)
    for element in FLOATS:
        width = {"f32": 32, "f16": 16, "bf16": 16, "f64": 64}
        p = Program((shape, element), data=["random:-100:100"])
        results = [p.change("arith.extf" if width[e] > width[element] else "arith.truncf", p[0], shape, e)
                   # The reference has no conversion from f64 to bf16.
                   for e in FLOATS if width[e] != width[element] and (element, e) != ("f64", "bf16")]
        results.append(p.change("arith.fptosi", p[0], shape, "i32"))
        yield f"casts-{element}", p.text(*results), {}


def broadcasts():
    shape = (6, 5, 37)
    for kept in itertools.chain.from_iterable(itertools.combinations(range(3), n) for n in range(4)):
        small = tuple(shape[d] for d in kept)
        p = Program((shape, "f32"), (small, "f32"))
        wide = p[1] if len(kept) == 3 else p.broadcast(p[1], kept, shape, "f32")
        label = "".join(map(str, kept)) or "scalar"
        yield f"broadcasts-{label}", p.text(p.same("arith.subf", p[0], p.same("arith.mulf", p[0], wide))), {}
    for unit in range(3):
        small = tuple(1 if d == unit else s for d, s in enumerate(shape))
        p = Program((shape, "bf16"), (small, "bf16"))
        yield f"broadcasts-unit-{unit}", p.text(p.same("arith.addf", p[0], p.broadcast(p[1], (0, 1, 2), shape, "bf16"))), {}


def reduced(shape, dims):
    return tuple(s for d, s in enumerate(shape) if d not in dims)


def reductions():
    shape = (6, 5, 7, 9)
    for count in range(1, 5):
        for dims in itertools.combinations(range(4), count):
            p = Program((shape, "f32"))
            results = [p.change(f"graph.reduce {kind}", p[0], reduced(shape, dims), "f32", f" dims = {list(dims)}")
                       for kind in ("sum", "max")]
            yield f"reductions-dims-{''.join(map(str, dims))}", p.text(*results), {}
    for shape, dim in (((1, 1), 1), ((33, 65), 1), ((33, 65), 0), ((5, 1000), 1), ((4000, 3), 0), ((3, 70001), 1),
                       ((2, 20000), 0), ((1, 100003), 1), ((513, 129), 0)):
        p = Program((shape, "f32"))
        kinds = ("sum", "max", "min")
        results = [p.change(f"graph.reduce {kind}", p[0], reduced(shape, (dim,)), "f32", f" dims = [{dim}]") for kind in kinds]
        yield f"reductions-{shape[0]}x{shape[1]}-dim{dim}", p.text(*results), {}
    for element in ("f16", "bf16", "f64", "i32", "i64"):
        p = Program(((17, 300), element))
        results = [p.change(f"graph.reduce {kind}", p[0], ((300,), (17,))[dim], element, f" dims = [{dim}]")
                   for kind in ("sum", "max", "min") for dim in (0, 1)]
        yield f"reductions-{element}", p.text(*results), {}
    p = Program(((40, 11), "f32"), data=["random:0.5:1.5"])
    yield "reductions-prod", p.text(p.change("graph.reduce prod", p[0], (40,), "f32", " dims = [1]")), {}
    p = Program(((9, 200), "f32"), data=["special"])
    yield "reductions-special", p.text(p.change("graph.reduce max", p[0], (9,), "f32", " dims = [1]"),
                                       p.change("graph.reduce min", p[0], (200,), "f32", " dims = [0]")), {}


def softmaxes():
    for width in (1, 2, 31, 128, 1000, 5003, 33000):
        shape = (3, width)
        p = Program((shape, "f32"), data=["random:-20:20"])
        yield f"softmaxes-{width}", p.text(p.change("graph.softmax", p[0], shape, "f32", " dim = 1")), {}
    for element in FLOATS:
        shape = (4, 33, 50)
        p = Program((shape, element), data=["random:-5:5"])
        yield f"softmaxes-{element}", p.text(*(p.change("graph.softmax", p[0], shape, element, f" dim = {d}") for d in range(3))), {}


def norms():
    def layer(p, shape, element, dim, scale, bias):
        tail = tensor(shape[dim:], element)
        parts = (f" scale({p[1]} : {tail})" if scale else "") + (f" bias({p[2]} : {tail})" if bias else "")
        return p.change("graph.layer_norm", p[0], shape, element, f"{parts} dim = {dim} epsilon = 1.0e-5")

    for shape, dim in (((4, 1), 1), ((7, 31), 1), ((5, 384), 1), ((3, 1000), 1), ((2, 4099), 1), ((2, 20000), 1),
                       ((3, 5, 70), 1), ((3, 5, 70), 0), ((300, 64), 1)):
        p = Program((shape, "f32"), (shape[dim:], "f32"), (shape[dim:], "f32"))
        rms = p.change("graph.rms_norm", p[0], shape, "f32", f" scale({p[1]} : {tensor(shape[dim:], 'f32')}) dim = {dim} epsilon = 1.0e-5")
        yield f"norms-{'x'.join(map(str, shape))}-dim{dim}", p.text(layer(p, shape, "f32", dim, True, True), rms), {}
    for element in ("f16", "bf16", "f64"):
        shape = (9, 130)
        p = Program((shape, element), ((130,), element), ((130,), element))
        yield f"norms-{element}", p.text(layer(p, shape, element, 1, True, False)), {}


def matmuls():
    sizes = ((1, 1, 1), (1, 128, 64), (17, 33, 65), (64, 64, 64), (129, 65, 31), (128, 100, 200), (3, 257, 1000),
             (255, 1, 40), (200, 136, 8), (256, 256, 256))
    for m, n, k in sizes:
        p = Program(((m, k), "f32"), ((k, n), "f32"))
        yield f"matmuls-{m}x{n}x{k}", p.text(p.matmul(p[0], p[1], (m, n), "f32")), {"precisions": ALL_PRECISIONS}
        for element in ("f16", "bf16"):
            for result in (element, "f32"):
                p = Program(((m, k), element), ((k, n), element))
                yield f"matmuls-{m}x{n}x{k}-{element}-to-{result}", p.text(p.matmul(p[0], p[1], (m, n), result)), {}
    for left, right in ((False, True), (True, False), (True, True)):
        m, n, k = 72, 96, 136
        for element in ("f32", "bf16", "f16"):
            p = Program(((k, m) if left else (m, k), element), ((n, k) if right else (k, n), element))
            turned = [p.change("graph.transpose", p[i], s, element, " permutation = [1, 0]") if turn else p[i]
                      for i, turn, s in ((0, left, (m, k)), (1, right, (k, n)))]
            precisions = ("fp32", "tf32", "bf16") if element == "f32" else ("fp32",)
            yield (f"matmuls-{'t' if left else 'n'}{'t' if right else 'n'}-{element}",
                   p.text(p.matmul(*turned, (m, n), element)), {"precisions": precisions})
    for batch in ((3,), (2, 5)):
        m, n, k = 40, 24, 56
        for element in ("f32", "bf16"):
            p = Program((batch + (m, k), element), (batch + (n, k), element))
            order = list(range(len(batch))) + [len(batch) + 1, len(batch)]
            rhs = p.change("graph.transpose", p[1], batch + (k, n), element, f" permutation = {order}")
            yield (f"matmuls-batch-{'x'.join(map(str, batch))}-{element}", p.text(p.matmul(p[0], rhs, batch + (m, n), element)),
                   {"precisions": ("fp32", "tf32") if element == "f32" else ("fp32",)})
    p = Program(((33, 50), "f64"), ((50, 20), "f64"))
    yield "matmuls-f64", p.text(p.matmul(p[0], p[1], (33, 20), "f64")), {}


def epilogues():
    m, n, k = 100, 200, 72
    for kind in ("gelu", "relu", "residual", "scale", "two-results"):
        for element in ("f32", "bf16"):
            p = Program(((m, k), element), ((k, n), element), ((n,), element), ((m, n), element))
            product = p.matmul(p[0], p[1], (m, n), element)
            value = p.same("arith.addf", product, p.broadcast(p[2], (1,), (m, n), element))
            results = []
            if kind == "gelu":
                results = [p.same("graph.gelu erf", value)]
            elif kind == "relu":
                results = [p.same("arith.maximumf", value, p.splat(0, (m, n), element))]
            elif kind == "residual":
                results = [p.same("arith.addf", value, p[3])]
            elif kind == "scale":
                results = [p.same("arith.mulf", product, p.splat(0.125, (m, n), element))]
            else:
                results = [value, p.same("math.tanh", value)]
            yield (f"epilogues-{kind}-{element}", p.text(*results),
                   {"precisions": ALL_PRECISIONS if element == "f32" else ("fp32",)})


def attention_of(p, batch, s, t, d, element, masked):
    kinds = ", ".join(p.types[p[i]] for i in range(3))
    mask = f" mask({p[3]} : {p.types[p[3]]})" if masked else ""
    shape = batch + (s, d)
    return p.add(f"graph.attention {p[0]}, {p[1]}, {p[2]}{mask} scale = 1.25e-1 : {kinds} to {tensor(shape, element)}", shape, element)


def attentions():
    for batch, s, t, d in (((2, 3), 17, 17, 32), ((4,), 64, 64, 64), ((1,), 1, 100, 16), ((2,), 130, 70, 24)):
        for element in ("f32", "bf16"):
            for masked in (False, True):
                inputs = [(batch + (s, d), element), (batch + (t, d), element), (batch + (t, d), element)]
                p = Program(*inputs, *([(batch + (s, t), element)] if masked else []))
                label = f"{'x'.join(map(str, batch))}-{s}x{t}x{d}-{element}{'-masked' if masked else ''}"
                yield (f"attentions-{label}", p.text(attention_of(p, batch, s, t, d, element, masked)),
                       {"precisions": ("fp32", "bf16") if element == "f32" and masked else ("fp32",)})


def gathers():
    shape = (6, 9, 20)
    for dim in range(3):
        for index in ("i32", "i64"):
            # Some count from the end, some lie outside.
            reach = shape[dim] + 2
            p = Program((shape, "f32"), ((2, 5), index), data=["random", f"random:-{reach}:{reach}"])
            out = shape[:dim] + (2, 5) + shape[dim + 1:]
            text = f"graph.gather {p[0]}[{p[1]}] dim = {dim} : {tensor(shape, 'f32')}, {tensor((2, 5), index)} to {tensor(out, 'f32')}"
            yield f"gathers-dim{dim}-{index}", p.text(p.add(text, out, "f32")), {}
    for element in ("bf16", "i8", "f64"):
        p = Program(((300, 48), element), ((7, 11), "i64"), data=["random", "random:0:300"])
        out = (7, 11, 48)
        text = f"graph.gather {p[0]}[{p[1]}] dim = 0 : {tensor((300, 48), element)}, {tensor((7, 11), 'i64')} to {tensor(out, element)}"
        yield f"gathers-rows-{element}", p.text(p.add(text, out, element)), {}


def movement():
    for element in ("f32", "bf16", "i8", "i64"):
        shape = (5, 12, 21)
        p = Program((shape, element), ((5, 3, 21), element))
        both = p.add(f"graph.concat {p[0]}, {p[1]} dim = 1 : {tensor(shape, element)}, {tensor((5, 3, 21), element)} to "
                     f"{tensor((5, 15, 21), element)}", (5, 15, 21), element)
        cut = p.change("graph.slice", p[0], (3, 4, 11), element, " offsets = [1, 0, 20] strides = [1, 3, -2]")
        zero = f"0.5 : {element}" if element[0] in "fb" else f"3 : {element}"
        padded = p.change("graph.pad", p[0], (8, 12, 20), element, f" low = [1, 0, 2] high = [2, 0, -3] value = {zero}")
        folded = p.change("graph.reshape", p[0], (12, 105), element)
        yield f"movement-{element}", p.text(both, cut, padded, folded), {}
    for dim in range(4):
        shape, other = [3, 4, 5, 6], [3, 4, 5, 6]
        other[dim] = 2
        out = list(shape)
        out[dim] += 2
        p = Program((shape, "f32"), (other, "f32"))
        joined = p.add(f"graph.concat {p[0]}, {p[1]} dim = {dim} : {tensor(shape, 'f32')}, {tensor(other, 'f32')} to {tensor(out, 'f32')}", out, "f32")
        yield f"movement-concat-{dim}", p.text(p.same("math.tanh", joined)), {}
    p = Program(((7, 19), "f32"))
    yield "movement-iota", p.text(p.same("arith.mulf", p[0], p.add(f"graph.iota dim = 1 : {tensor((7, 19), 'f32')}", (7, 19), "f32"))), {}


def transposes():
    shape = (3, 5, 8, 33)
    for order in itertools.permutations(range(4)):
        p = Program((shape, "f32"))
        out = tuple(shape[d] for d in order)
        yield f"transposes-{''.join(map(str, order))}", p.text(p.change("graph.transpose", p[0], out, "f32", f" permutation = {list(order)}")), {}
    for element in ("bf16", "i8", "i64", "f64"):
        p = Program(((130, 67), element))
        yield f"transposes-{element}", p.text(p.change("graph.transpose", p[0], (67, 130), element, " permutation = [1, 0]")), {}


def several():
    """Programs of many kernels: one output of each, and a transformer's layer."""
    shape = (24, 96)
    for element in ("f32", "bf16"):
        p = Program((shape, element), ((96, 40), element), ((40,), element))
        soft = p.change("graph.softmax", p[0], shape, element, " dim = 1")
        product = p.matmul(soft, p[1], (24, 40), element)
        biased = p.same("arith.addf", product, p.broadcast(p[2], (1,), (24, 40), element))
        total = p.change("graph.reduce sum", biased, (40,), element, " dims = [0]")
        turned = p.change("graph.transpose", biased, (40, 24), element, " permutation = [1, 0]")
        yield (f"several-{element}", p.text(soft, biased, total, turned),
               {"precisions": ALL_PRECISIONS if element == "f32" else ("fp32",)})
    s, width, inner = 48, 64, 256
    p = Program(((s, width), "f32"), ((width, inner), "f32"), ((inner,), "f32"), ((inner, width), "f32"), ((width,), "f32"),
                ((width,), "f32"), ((width,), "f32"), data=["random"] + ["random:-0.2:0.2"] * 6)
    tail = tensor((width,), "f32")
    normed = p.change("graph.layer_norm", p[0], (s, width), "f32", f" scale({p[5]} : {tail}) bias({p[6]} : {tail}) dim = 1 epsilon = 1.0e-5")
    hidden = p.same("arith.addf", p.matmul(normed, p[1], (s, inner), "f32"), p.broadcast(p[2], (1,), (s, inner), "f32"))
    out = p.matmul(p.same("graph.gelu erf", hidden), p[3], (s, width), "f32")
    out = p.same("arith.addf", p.same("arith.addf", out, p.broadcast(p[4], (1,), (s, width), "f32")), p[0])
    yield "several-layer", p.text(out), {"precisions": ALL_PRECISIONS}


FAMILIES = {f.__name__: f for f in (elementwise, integers, casts, broadcasts, reductions, softmaxes, norms, matmuls, epilogues,
                                    attentions, gathers, movement, transposes, several)}
