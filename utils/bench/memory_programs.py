"""Programs that move bytes: elementwise chains, reductions, norms, movement. Each is one program in the graph dialect
and the same in PyTorch; 16-bit values are computed on in fp32 by both."""
import itertools

try:
    import torch
    import torch.nn.functional as F
except ImportError:  # writing the programs does not need it
    torch = F = None


class Program:
    """`inputs` and `outputs`: name -> (shape, dtype). `text(values)` is the body. `peer` maps tensors to results;
    `exact` does so in fp64. `tolerance` is relative to the largest magnitude of the exact result. `flags` are
    more flags of tw-compile."""

    def __init__(self, name, inputs, outputs, body, peer, exact=None, tolerance=8e-3, limits=None, flags=()):
        self.name, self.inputs, self.outputs = name, inputs, outputs
        self.body, self.peer, self.exact, self.tolerance = body, peer, exact or peer, tolerance
        self.limits, self.flags = limits or {}, list(flags)

    def text(self):
        arguments = ", ".join(f'%{n}: {tensor(*t)} {{graph.name = "{n}"}}' for n, t in self.inputs.items())
        results = ", ".join(f'{tensor(*t)} {{graph.name = "{n}"}}' for n, t in self.outputs.items())
        values = ", ".join(f"%{n}" for n in self.outputs)
        types = ", ".join(tensor(*t) for t in self.outputs.values())
        return f"func.func @main({arguments}) -> ({results}) {{\n{self.body}\n  return {values} : {types}\n}}\n"

    def precision(self):
        """What --precision asks for: fp32 as soon as one tensor is."""
        return "fp32" if any(dtype == "f32" for _, dtype in self.inputs.values()) else "bf16"

    def bytes_moved(self):
        """Each input once, each output once; gathered tables count what is read of them (limits)."""
        size = lambda shape, dtype: product(shape) * BYTES[dtype]
        read = sum(self.limits.get(n, size(*t)) for n, t in self.inputs.items())
        return read, sum(size(*t) for t in self.outputs.values())


BYTES = {"f32": 4, "bf16": 2, "f16": 2, "i8": 1, "i64": 8, "i32": 4}


def product(shape):
    result = 1
    for size in shape:
        result *= size
    return result


def tensor(shape, dtype):
    return "tensor<" + "".join(f"{size}x" for size in shape) + dtype + ">"


def lines(text, **types):
    """`text` with {name} replaced by tensor types, a statement a line."""
    for key, value in types.items():
        text = text.replace("{" + key + "}", value)
    return "\n".join("  " + line.strip() for line in text.strip().splitlines())


def widened(shape, names, body, results, kept=()):
    """The body on fp32 copies `%name_f` of bf16 inputs; `results` (fp32 `%name_f`) narrowed to bf16."""
    narrow, wide = tensor(shape, "bf16"), tensor(shape, "f32")
    text = [f"  %{n}_f = arith.extf %{n} : {narrow} to {wide}" for n in names]
    text.append(lines(body, T=wide, N=narrow))
    text += [f"  %{n} = arith.truncf %{n}_f : {wide} to {narrow}" for n in results]
    return "\n".join(text)


def slice_programs(like):
    """Slices that meet again: a gate beside what it gates, pairs and halves that a rotation mixes, steps of a causal convolution,
    a box filter, and windows of what is rotated along two dimensions."""
    found = []

    def part(name, of, offsets, strides, source, result):
        return f"%{name} = graph.slice %{of} offsets = {list(offsets)} strides = {list(strides)} : {source} to {result}"

    m, n = 8192, 2880
    wide, half = tensor((m, 2 * n), "f32"), tensor((m, n), "f32")
    body = lines("\n".join(["%x_f = arith.extf %x : {N} to {W}", part("g", "x_f", (0, 0), (1, 2), wide, half),
                            part("u", "x_f", (0, 1), (1, 2), wide, half), "%h = graph.gelu tanh %g : {H}",
                            "%y_f = arith.mulf %h, %u : {H}", "%y = arith.truncf %y_f : {H} to {Y}"]),
                 N=tensor((m, 2 * n), "bf16"), W=wide, H=half, Y=tensor((m, n), "bf16"))
    found.append(Program(f"gates in turn {m}x{n}", {"x": ((m, 2 * n), "bf16")}, {"y": ((m, n), "bf16")}, body,
                         lambda x: (F.gelu(like(x)[:, ::2], approximate="tanh") * like(x)[:, 1::2]).to(x.dtype)))

    # Rotary embeddings: of adjacent pairs; of the halves of heads that lie side by side in a packed tensor.
    b, h, d = 4096, 32, 128
    pair, halves = tensor((b, h, d // 2), "f32"), tensor((h, b, d // 2), "f32")
    angles = {name: ((b, d // 2), "f32") for name in ("c", "s")}
    turn = lambda dims: f"""%cb = graph.broadcast %c dims = {dims} : {tensor((b, d // 2), "f32")} to {{P}}
                                %sb = graph.broadcast %s dims = {dims} : {tensor((b, d // 2), "f32")} to {{P}}
                                %lc = arith.mulf %l, %cb : {{P}}
                                %rs = arith.mulf %r, %sb : {{P}}
                                %rc = arith.mulf %r, %cb : {{P}}
                                %ls = arith.mulf %l, %sb : {{P}}
                                %o0 = arith.subf %lc, %rs : {{P}}
                                %o1 = arith.addf %rc, %ls : {{P}}"""
    wide = tensor((b, h, d), "f32")
    body = lines("\n".join(["%x_f = arith.extf %x : {N} to {W}", part("l", "x_f", (0, 0, 0), (1, 1, 2), wide, pair),
                            part("r", "x_f", (0, 0, 1), (1, 1, 2), wide, pair), turn([0, 2]),
                            "%o2 = graph.reshape %o0 : {P} to {Q}", "%o3 = graph.reshape %o1 : {P} to {Q}",
                            "%j = graph.concat %o2, %o3 dim = 3 : {Q}, {Q} to {J}", "%k = graph.reshape %j : {J} to {W}",
                            "%y = arith.truncf %k : {W} to {N}"]),
                 N=tensor((b, h, d), "bf16"), W=wide, P=pair, Q=tensor((b, h, d // 2, 1), "f32"), J=tensor((b, h, d // 2, 2), "f32"))

    def pairs_peer(x, c, s):
        l, r = like(x)[..., ::2], like(x)[..., 1::2]
        c, s = like(c)[:, None], like(s)[:, None]
        return torch.stack((l * c - r * s, r * c + l * s), -1).flatten(-2).to(x.dtype)

    found.append(Program(f"rope of pairs {b}x{h}x{d}", {"x": ((b, h, d), "bf16"), **angles}, {"y": ((b, h, d), "bf16")}, body, pairs_peer))
    packed = (h + 16) * d
    heads = tensor((h, b, d), "f32")
    body = lines("\n".join(["%x_f = arith.extf %x : {N} to {W}", part("q", "x_f", (0, 0), (1, 1), tensor((b, packed), "f32"), tensor((b, h * d), "f32")),
                            "%q1 = graph.reshape %q : {F} to {R}", "%q2 = graph.transpose %q1 permutation = [1, 0, 2] : {R} to {T}",
                            part("l", "q2", (0, 0, 0), (1, 1, 1), heads, halves), part("r", "q2", (0, 0, d // 2), (1, 1, 1), heads, halves),
                            turn([1, 2]), "%j = graph.concat %o0, %o1 dim = 2 : {P}, {P} to {T}", "%y = arith.truncf %j : {T} to {Y}"]),
                 N=tensor((b, packed), "bf16"), W=tensor((b, packed), "f32"), F=tensor((b, h * d), "f32"), R=wide, T=heads, P=halves,
                 Y=tensor((h, b, d), "bf16"))

    def heads_peer(x, c, s):
        l, r = like(x)[:, :h * d].view(b, h, d).transpose(0, 1).chunk(2, -1)
        c, s = like(c), like(s)
        return torch.cat((l * c - r * s, r * c + l * s), -1).to(x.dtype)

    found.append(Program(f"rope of packed heads {b}x{packed}", {"x": ((b, packed), "bf16"), **angles}, {"y": ((h, b, d), "bf16")}, body, heads_peer,
                         limits={"x": b * h * d * 2}))

    s, taps = (8, 4096, 2048), 4
    wide, longer, row = tensor(s, "f32"), tensor((s[0], s[1] + taps - 1, s[2]), "f32"), tensor((s[2],), "f32")
    steps = ["%x_f = arith.extf %x : {N} to {W}",
             f"%p = graph.pad %x_f low = [0, {taps - 1}, 0] high = [0, 0, 0] value = 0.0 : f32 : {wide} to {longer}"]
    for i in range(taps):
        steps += [part(f"s{i}", "p", (0, i, 0), (1, 1, 1), longer, wide),
                  part(f"v{i}", "w", (i, 0), (1, 1), tensor((taps, s[2]), "f32"), tensor((1, s[2]), "f32")),
                  f"%u{i} = graph.reshape %v{i} : {tensor((1, s[2]), 'f32')} to {row}",
                  f"%b{i} = graph.broadcast %u{i} dims = [2] : {row} to {wide}", f"%m{i} = arith.mulf %s{i}, %b{i} : {wide}",
                  f"%a{i} = arith.addf %{f'a{i - 1}' if i > 1 else 'm0'}, %m{i} : {wide}" if i else ""]
    steps += [f"%y = arith.truncf %a{taps - 1} : {{W}} to {{N}}"]
    found.append(Program(f"causal convolution of {taps} steps {s[0]}x{s[1]}x{s[2]}", {"x": (s, "bf16"), "w": ((taps, s[2]), "f32")}, {"y": (s, "bf16")},
                         lines("\n".join(step for step in steps if step), N=tensor(s, "bf16"), W=wide),
                         lambda x, w: F.conv1d(F.pad(like(x).transpose(1, 2), (taps - 1, 0)), like(w).t()[:, None], groups=w.shape[1])
                         .transpose(1, 2).to(x.dtype)))

    image = (32, 3, 512, 512)
    plain, around = tensor(image, "f32"), tensor((32, 3, 514, 514), "f32")
    places = [(i, j) for i in range(3) for j in range(3)]
    steps = [f"%p = graph.pad %x low = [0, 0, 1, 1] high = [0, 0, 1, 1] value = 0.0 : f32 : {plain} to {around}"]
    steps += [part(f"s{k}", "p", (0, 0, i, j), (1, 1, 1, 1), around, plain) for k, (i, j) in enumerate(places)]
    steps += [f"%a{k} = arith.addf %{f'a{k - 1}' if k > 1 else 's0'}, %s{k} : {plain}" for k in range(1, 9)]
    steps += [f"%k = arith.constant dense<0.125> : {plain}", f"%y = arith.mulf %a8, %k : {plain}"]
    found.append(Program("box filter 32x3x512x512 f32", {"x": (image, "f32")}, {"y": (image, "f32")}, lines("\n".join(steps)),
                         lambda x: F.avg_pool2d(x, 3, 1, 1, count_include_pad=True) * (9 / 8), tolerance=1e-5))

    s, by, side = (64, 56, 56, 96), 3, 7
    whole, late, early = (tensor((s[0], n, s[2], s[3]), "bf16") for n in (s[1], s[1] - by, by))
    right, left = (tensor((s[0], s[1], n, s[3]), "bf16") for n in (s[2] - by, by))
    windows = (s[0] * (s[1] // side) ** 2, side * side, s[3])
    apart = (s[0], s[1] // side, side, s[2] // side, side, s[3])
    body = lines("\n".join([part("a", "x", (0, by, 0, 0), (1,) * 4, whole, late), part("b", "x", (0,) * 4, (1,) * 4, whole, early),
                            f"%c = graph.concat %a, %b dim = 1 : {late}, {early} to {whole}",
                            part("d", "c", (0, 0, by, 0), (1,) * 4, whole, right), part("e", "c", (0,) * 4, (1,) * 4, whole, left),
                            f"%f = graph.concat %d, %e dim = 2 : {right}, {left} to {whole}",
                            f"%g = graph.reshape %f : {whole} to {tensor(apart, 'bf16')}",
                            f"%h = graph.transpose %g permutation = [0, 1, 3, 2, 4, 5] : {tensor(apart, 'bf16')} to "
                            f"{tensor(tuple(apart[d] for d in (0, 1, 3, 2, 4, 5)), 'bf16')}",
                            f"%y = graph.reshape %h : {tensor(tuple(apart[d] for d in (0, 1, 3, 2, 4, 5)), 'bf16')} to {tensor(windows, 'bf16')}"]))
    found.append(Program("windows of a rotation 64x56x56x96", {"x": (s, "bf16")}, {"y": (windows, "bf16")}, body,
                         lambda x: torch.roll(x, (-by, -by), (1, 2)).view(apart).permute(0, 1, 3, 2, 4, 5).reshape(windows), tolerance=0))
    return found


def programs():
    found = []

    def add(*arguments, **options):
        found.append(Program(*arguments, **options))

    def like(x):
        """Functions that keep fp64 inputs in fp64 and compute 16-bit ones in fp32."""
        return x if x.dtype == torch.float64 else x.float()

    # An elementwise chain of six.
    n = 64 << 20
    chain = """%half = arith.constant dense<0.5> : {T}
               %one = arith.constant dense<1.0> : {T}
               %a = arith.mulf %x_f, %half : {T}
               %b = arith.addf %a, %one : {T}
               %c = math.tanh %b : {T}
               %d = arith.mulf %c, %x_f : {T}
               %e = arith.subf %d, %half : {T}
               %y_f = math.absf %e : {T}"""

    def chain_peer(x):
        f = like(x)
        return ((torch.tanh(f * 0.5 + 1.0) * f) - 0.5).abs().to(x.dtype)

    add("chain of 6, 64 M elements", {"x": ((n,), "bf16")}, {"y": ((n,), "bf16")}, widened((n,), ["x"], chain, ["y"]), chain_peer)

    for kind in ("erf", "tanh"):
        s = (8192, 8192)
        body = f"""%bb = graph.broadcast %b dims = [1] : tensor<8192xbf16> to {{N}}
                  %b_f = arith.extf %bb : {{N}} to {{T}}
                  %s = arith.addf %x_f, %b_f : {{T}}
                  %y_f = graph.gelu {kind} %s : {{T}}"""
        approximate = "tanh" if kind == "tanh" else "none"
        add(f"bias + gelu ({kind}) 8192x8192", {"x": (s, "bf16"), "b": ((8192,), "bf16")}, {"y": (s, "bf16")},
            widened(s, ["x"], body, ["y"]),
            lambda x, b, approximate=approximate: F.gelu(like(x) + like(b), approximate=approximate).to(x.dtype))

    for s in ((8192, 8192), (4096, 32768), (32768, 1024)):
        add(f"softmax {s[0]}x{s[1]}", {"x": (s, "bf16")}, {"y": (s, "bf16")},
            widened(s, ["x"], "%y_f = graph.softmax %x_f dim = 1 : {T} to {T}", ["y"]),
            lambda x: torch.softmax(like(x), -1).to(x.dtype))
    for dtype in ("f32", "bf16"):
        s = (512, 262144)
        body = (widened(s, ["x"], "%y_f = graph.softmax %x_f dim = 1 : {T} to {T}", ["y"]) if dtype == "bf16" else
                f"  %y = graph.softmax %x dim = 1 : {tensor(s, dtype)} to {tensor(s, dtype)}")
        add(f"softmax 512x262144 {dtype}", {"x": (s, dtype)}, {"y": (s, dtype)}, body,
            lambda x: torch.softmax(like(x), -1).to(x.dtype))

    for s in ((8192, 4096), (32768, 1024)):
        c = s[1]
        vector = lambda name, c=c: f"%{name}_f = arith.extf %{name} : tensor<{c}xbf16> to tensor<{c}xf32>"
        norm = (vector("w") + "\n" + vector("b") +
                f"\n%y_f = graph.layer_norm %x_f scale(%w_f : tensor<{c}xf32>) bias(%b_f : tensor<{c}xf32>) dim = 1 epsilon = 1.0e-5 : {{T}} to {{T}}")
        add(f"layer norm {s[0]}x{s[1]}", {"x": (s, "bf16"), "w": ((c,), "bf16"), "b": ((c,), "bf16")}, {"y": (s, "bf16")},
            widened(s, ["x"], norm, ["y"]),
            lambda x, w, b: F.layer_norm(like(x), (x.shape[-1],), like(w), like(b), 1e-5).to(x.dtype))
        rms = vector("w") + f"\n%y_f = graph.rms_norm %x_f scale(%w_f : tensor<{c}xf32>) dim = 1 epsilon = 1.0e-6 : {{T}} to {{T}}"

        def rms_peer(x, w):
            f = like(x)
            return (f * torch.rsqrt((f * f).mean(-1, keepdim=True) + 1e-6) * like(w)).to(x.dtype)

        add(f"rms norm {s[0]}x{s[1]}", {"x": (s, "bf16"), "w": ((c,), "bf16")}, {"y": (s, "bf16")},
            widened(s, ["x"], rms, ["y"]), rms_peer)
        residual = ("%h_f = arith.addf %x_f, %r_f : {T}\n" + vector("w") +
                    f"\n%y_f = graph.rms_norm %h_f scale(%w_f : tensor<{c}xf32>) dim = 1 epsilon = 1.0e-6 : {{T}} to {{T}}")

        def residual_peer(x, r, w):
            f = like(x) + like(r)
            return (f * torch.rsqrt((f * f).mean(-1, keepdim=True) + 1e-6) * like(w)).to(x.dtype), f.to(x.dtype)

        add(f"add + rms norm {s[0]}x{s[1]}", {"x": (s, "bf16"), "r": (s, "bf16"), "w": ((c,), "bf16")},
            {"y": (s, "bf16"), "h": (s, "bf16")}, widened(s, ["x", "r"], residual, ["y", "h"]), residual_peer)

        # The row's scale is its largest magnitude over 127; the result is the quantized row and the scales.
        quantize = norm.replace("%y_f =", "%n_f =") + f"""
                %m = math.absf %n_f : {{T}}
                %most = graph.reduce max %m dims = [1] : {{T}} to tensor<{s[0]}xf32>
                %per = arith.constant dense<0.007874015748031496> : tensor<{s[0]}xf32>
                %tiny = arith.constant dense<1.0e-12> : tensor<{s[0]}xf32>
                %raw = arith.mulf %most, %per : tensor<{s[0]}xf32>
                %s = arith.maximumf %raw, %tiny : tensor<{s[0]}xf32>
                %wide = graph.broadcast %s dims = [0] : tensor<{s[0]}xf32> to {{T}}
                %scaled = arith.divf %n_f, %wide : {{T}}
                %near = math.roundeven %scaled : {{T}}
                %q = arith.fptosi %near : {{T}} to tensor<{s[0]}x{c}xi8>"""

        def quantize_peer(x, w, b):
            f = F.layer_norm(like(x), (x.shape[-1],), like(w), like(b), 1e-5)
            scale = torch.clamp_min(f.abs().amax(-1) * 0.007874015748031496, 1e-12)
            return torch.round(f / scale[:, None]).to(torch.int8), scale.to(torch.float32)

        add(f"layer norm + int8 rows {s[0]}x{s[1]}", {"x": (s, "bf16"), "w": ((c,), "bf16"), "b": ((c,), "bf16")},
            {"q": (s, "i8"), "s": ((s[0],), "f32")}, widened(s, ["x"], quantize, []), quantize_peer, tolerance=1.01 / 127)

    s = (8192, 8192)
    add("transpose 8192x8192", {"x": (s, "bf16")}, {"y": (s, "bf16")},
        "  %y = graph.transpose %x permutation = [1, 0] : tensor<8192x8192xbf16> to tensor<8192x8192xbf16>",
        lambda x: x.t().contiguous(), tolerance=0)
    v, d, k = 128256, 2048, 32768
    add("embedding gather 32768 of 128256x2048", {"t": ((v, d), "bf16"), "i": ((k,), "i64")}, {"y": ((k, d), "bf16")},
        f"  %y = graph.gather %t[%i] dim = 0 : tensor<{v}x{d}xbf16>, tensor<{k}xi64> to tensor<{k}x{d}xbf16>",
        lambda t, i: t[i], tolerance=0, limits={"t": k * d * 2})
    s = (8192, 8192)
    add("column sum 8192x8192 f32", {"x": (s, "f32")}, {"y": ((8192,), "f32")},
        "  %y = graph.reduce sum %x dims = [0] : tensor<8192x8192xf32> to tensor<8192xf32>",
        lambda x: x.sum(0), tolerance=1e-5)
    for dim, name in ((1, "rows"), (0, "columns")):
        add(f"cumsum {name} 8192x8192 f32", {"x": (s, "f32")}, {"y": (s, "f32")},
            f"  %y = graph.scan sum %x dim = {dim} : tensor<8192x8192xf32>",
            lambda x, dim=dim: x.cumsum(dim), tolerance=1e-5)
    # Few long rows, by several kernels and by one whose blocks look back at one another.
    for s, dim in (((1, 64 << 20), 1), ((16, 4 << 20), 1), ((1 << 20, 64), 0)):
        for how, flags in ((", in pieces", ("--look-back=off",)), (", look-back", ("--look-back=on",))):
            add(f"cumsum of dim {dim} {s[0]}x{s[1]} f32{how}", {"x": (s, "f32")}, {"y": (s, "f32")},
                f"  %y = graph.scan sum %x dim = {dim} : {tensor(s, 'f32')}",
                lambda x, dim=dim: x.cumsum(dim), tolerance=1e-5, flags=flags)
    s, k = (64, 128256), 50
    # Equal values may be told apart in any order: values are compared, which are those at the positions.
    body = lines("""%i = graph.top_k %x dim = 1 : {X} to {I}
                    %row = graph.iota dim = 0 : {I}
                    %size = arith.constant dense<128256> : {I}
                    %start = arith.muli %row, %size : {I}
                    %at = arith.addi %start, %i : {I}
                    %flat = graph.reshape %x : {X} to {F}
                    %y = graph.gather %flat[%at] dim = 0 : {F}, {I} to {Y}""",
                 X=tensor(s, "bf16"), I=tensor((64, k), "i64"), F=tensor((64 * 128256,), "bf16"), Y=tensor((64, k), "bf16"))
    add("top-k 50 of 64x128256", {"x": (s, "bf16")}, {"y": ((64, k), "bf16"), "i": ((64, k), "i64")}, body,
        lambda x: tuple(torch.topk(x, 50, -1)), exact=lambda x: torch.topk(x, 50, -1)[0], tolerance=0)
    add("rms norm 1x4096", {"x": ((1, 4096), "bf16"), "w": ((4096,), "bf16")}, {"y": ((1, 4096), "bf16")},
        widened((1, 4096), ["x"], "%w_f = arith.extf %w : tensor<4096xbf16> to tensor<4096xf32>\n%y_f = graph.rms_norm %x_f "
                "scale(%w_f : tensor<4096xf32>) dim = 1 epsilon = 1.0e-6 : {T} to {T}", ["y"]), rms_peer)
    # Rotary embedding of [batch, position, head, 2 * half]: halves are rotated by the angle of position and element.
    b, p, h, d = 4, 4096, 32, 128
    s, half, table = (b, p, h, d), (b, p, h, d // 2), (p, d // 2)
    types = {"X": tensor(s, "bf16"), "H": tensor(half, "bf16"), "T": tensor(half, "f32"), "C": tensor(table, "bf16")}
    body = lines("""%l = graph.slice %x offsets = [0, 0, 0, 0] strides = [1, 1, 1, 1] : {X} to {H}
                    %r = graph.slice %x offsets = [0, 0, 0, 64] strides = [1, 1, 1, 1] : {X} to {H}
                    %cb = graph.broadcast %c dims = [1, 3] : {C} to {H}
                    %sb = graph.broadcast %s dims = [1, 3] : {C} to {H}
                    %lf = arith.extf %l : {H} to {T}
                    %rf = arith.extf %r : {H} to {T}
                    %cf = arith.extf %cb : {H} to {T}
                    %sf = arith.extf %sb : {H} to {T}
                    %lc = arith.mulf %lf, %cf : {T}
                    %rs = arith.mulf %rf, %sf : {T}
                    %rc = arith.mulf %rf, %cf : {T}
                    %ls = arith.mulf %lf, %sf : {T}
                    %o0 = arith.subf %lc, %rs : {T}
                    %o1 = arith.addf %rc, %ls : {T}
                    %n0 = arith.truncf %o0 : {T} to {H}
                    %n1 = arith.truncf %o1 : {T} to {H}
                    %y = graph.concat %n0, %n1 dim = 3 : {H}, {H} to {X}""", **types)

    def rope_peer(x, c, s):
        l, r = like(x).chunk(2, -1)
        c, s = like(c)[:, None, :], like(s)[:, None, :]
        return torch.cat((l * c - r * s, r * c + l * s), -1).to(x.dtype)

    add("rope 4x4096x32x128", {"x": (s, "bf16"), "c": (table, "bf16"), "s": (table, "bf16")}, {"y": (s, "bf16")}, body, rope_peer)

    found += slice_programs(like)

    s = (64, 256, 8192)
    body = lines("""%m = graph.reduce sum %x dims = [0, 2] : {X} to tensor<256xf32>
                    %n = arith.constant dense<1.9073486328125e-06> : tensor<256xf32>
                    %mean = arith.mulf %m, %n : tensor<256xf32>
                    %mb = graph.broadcast %mean dims = [1] : tensor<256xf32> to {X}
                    %d = arith.subf %x, %mb : {X}
                    %q = arith.mulf %d, %d : {X}
                    %v = graph.reduce sum %q dims = [0, 2] : {X} to tensor<256xf32>
                    %y = arith.mulf %v, %n : tensor<256xf32>""", X=tensor(s, "f32"))
    add("variance over (0, 2) of 64x256x8192 f32", {"x": (s, "f32")}, {"y": ((256,), "f32")}, body,
        lambda x: x.var((0, 2), correction=0), tolerance=1e-5)

    sizes = (64, 96, 128, 80)
    for order in itertools.permutations(range(4)):
        if order == (0, 1, 2, 3):
            continue  # moves nothing
        s = tuple(sizes[d] for d in order)
        add("permute 64x96x128x80 to " + "".join(str(d) for d in order), {"x": (sizes, "bf16")}, {"y": (s, "bf16")},
            f"  %y = graph.transpose %x permutation = {list(order)} : {tensor(sizes, 'bf16')} to {tensor(s, 'bf16')}",
            lambda x, order=order: x.permute(order).contiguous(), tolerance=0)

    # Attention by one kernel, and by several that store its scores.
    for shape in ((4, 16, 4096, 128), (16, 16, 1024, 128), (4, 16, 4096, 64), (8, 12, 1024, 64), (32, 12, 128, 32)):
        for causal in (False, True):
            for how, flags in (("", ()), (", several kernels", ("--chain-products=off",))):
                add("attention " + "x".join(map(str, shape)) + (" causal" if causal else "") + how,
                    {name: (shape, "bf16") for name in "qkv"}, {"y": (shape, "bf16")}, attention(shape, causal),
                    lambda q, k, v, causal=causal: F.scaled_dot_product_attention(q, k, v, is_causal=causal), flags=flags)
    return found


def attention(shape, causal):
    """The body of softmax(q k^T / sqrt(D)) v, with `causal` of what is not behind each row."""
    batch, heads, rows, features = shape
    scores = (batch, heads, rows, rows)
    mask = """%i = graph.iota dim = 2 : {I}
              %j = graph.iota dim = 3 : {I}
              %seen = arith.cmpi sle, %j, %i : {I}
              %least = arith.constant dense<0xFF800000> : {S}
              %x = arith.select %seen, %t, %least : {B}, {S}""" if causal else ""
    return lines("""%kt = graph.transpose %k permutation = [0, 1, 3, 2] : {Q} to {K}
                    %s = graph.matmul %q, %kt : {Q}, {K} to {S}
                    %c = arith.constant dense<SCALE> : {S}
                    %t = arith.mulf %s, %c : {S}
                    MASK
                    %p = graph.softmax SCORES dim = 3 : {S} to {S}
                    %n = arith.truncf %p : {S} to {N}
                    %o = graph.matmul %n, %v : {N}, {Q} to {O}
                    %y = arith.truncf %o : {O} to {Q}""".replace("MASK", mask).replace("SCORES", "%x" if causal else "%t").replace("SCALE", repr(features ** -0.5)),
                 Q=tensor(shape, "bf16"), K=tensor((batch, heads, features, rows), "bf16"), S=tensor(scores, "f32"),
                 N=tensor(scores, "bf16"), O=tensor(shape, "f32"), I=tensor(scores, "i32"), B=tensor(scores, "i1"))
