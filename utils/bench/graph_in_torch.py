"""Programs of the graph dialect as PyTorch: the generic form of one function, read op by op, becomes Python text that
torch.compile traces like any other. Only what random programs that move bytes hold is known; another op is an error."""
import math
import re

from rounding_judge import HALF_UNITS, roundings_of_sum


class Tensor:
    def __init__(self, text):
        found = re.fullmatch(r"tensor<((?:\d+x)*)(\w+)>", text.strip())
        if not found:
            raise ValueError(f"'{text}' is no ranked tensor of static shape")
        self.shape = tuple(int(size) for size in found.group(1).split("x")[:-1])
        self.dtype = found.group(2)

    def bytes(self):
        count = {"f64": 8, "f32": 4, "bf16": 2, "f16": 2, "i64": 8, "i32": 4, "i8": 1, "i1": 1}[self.dtype]
        for size in self.shape:
            count *= size
        return count


def types_in(text):
    return [Tensor(found) for found in re.findall(r"tensor<[^>]*>", text)]


def row_major(shape):
    """Strides of a contiguous tensor."""
    return [math.prod(shape[d + 1:]) for d in range(len(shape))]


def is_row_major(shape, strides):
    return all(size == 1 or stride == plain for size, stride, plain in zip(shape, strides, row_major(shape)))


class GraphProgram:
    """`inputs`: name -> Tensor, `outputs`: list of Tensor, `source`: a Python function `program(torch, F, f32, …)`'s text."""

    LINE = re.compile(r'\s*(?:%(\w+) = )?"([\w.]+)"\(([^)]*)\)(?: <\{(.*)\}>)?(?: \{.*\})? : \((.*)\) -> (.*)$')
    UNARY = {"math.tanh": "torch.tanh", "math.exp": "torch.exp", "math.erf": "torch.erf", "math.sqrt": "torch.sqrt",
             "math.rsqrt": "torch.rsqrt", "math.log": "torch.log", "math.absf": "torch.abs", "arith.negf": "torch.neg",
             "math.sin": "torch.sin", "math.roundeven": "torch.round"}
    BINARY = {"arith.addf": "+", "arith.subf": "-", "arith.mulf": "*", "arith.divf": "/"}

    # Steps that round: their results do, and of those that add many elements the operands as well (rounding_judge.py).
    SUMS = {"graph.softmax", "graph.layer_norm", "graph.rms_norm"}
    EXACT = {"math.absf", "arith.negf", "math.roundeven"}
    VIEWS = {"graph.reshape", "graph.slice", "graph.transpose", "graph.broadcast"}

    def __init__(self, text):
        self.inputs, self.outputs, self.lines, self.constants, self.ops = {}, [], [], {}, 0
        self.gathered = {}  # inputs that name rows: how many rows there are
        self.rounded = {}  # line -> the same with what it rounds
        self.base = {}  # results that PyTorch makes as views: whose memory they lie in, and with what strides
        self.views = 0  # results of the program that would lie in an input's memory or in another result's
        for line in text.splitlines():
            header = re.search(r"\^bb0\((.*)\):", line)
            if header:
                for name, kind in re.findall(r"%(\w+): (tensor<[^>]*>)", header.group(1)):
                    self.inputs[name] = Tensor(kind)
                continue
            found = self.LINE.match(line)
            if found and found.group(2) != "func.func":
                self.add(*found.groups())
        self.source, self.rounded_source = self.text_of(self.lines), self.text_of([self.rounded.get(n, line) for n, line in enumerate(self.lines)])

    def text_of(self, lines):
        return "def program(" + ", ".join(self.inputs) + "):\n" + "\n".join("    " + line for line in lines) + "\n"

    def value(self, name):
        """The tensor of that name; a number that is read as a tensor is made one."""
        if name in self.constants:
            number, kind = self.constants[name]
            return f"torch.full({kind.shape}, {number}, dtype={kind.dtype}, device=device)"
        return name if name.startswith("arg") else "v" + name

    def either(self, name):
        return repr(self.constants[name][0]) if name in self.constants else self.value(name)

    def view_of(self, op, source, shape, result, numbers):
        """Whose memory PyTorch's result of a movement lies in, and with what strides; nothing where it is copied."""
        base, strides = self.base.get(source, (source, row_major(shape)))
        if op == "graph.transpose":
            return base, [strides[d] for d in numbers("permutation")]
        if op == "graph.broadcast":
            spread = [0] * len(result)
            for d, along in enumerate(numbers("dims")):
                spread[along] = strides[d]
            return base, spread
        if op == "graph.slice":
            return base, [stride * step for stride, step in zip(strides, numbers("strides"))]
        return (base, row_major(result)) if is_row_major(shape, strides) else None

    def returned(self, names, kinds):
        """The last line. Each result has memory of its own, as the program's callers have it: what would be a view of an input, or
        of another result, is copied unless `own` is false."""
        values, seen = [], set(self.inputs)
        for name, kind in zip(names, kinds):
            base, strides = self.base.get(name, (name, row_major(kind.shape)))
            # What lies otherwise than its indices say is copied by .contiguous().
            base = base if is_row_major(kind.shape, strides) else name
            self.views += base in seen
            values.append(f"mine({self.value(name)})" if base in seen else f"{self.value(name)}.contiguous()")
            seen.add(base)
        return "return " + ", ".join(values) + ","

    def add(self, result, op, operands, attributes, operand_types, result_types):
        names = [name.strip().lstrip("%") for name in operands.split(",") if name.strip()]
        attributes = attributes or ""
        numbers = lambda key: [int(n) for n in re.search(key + r" = array<i\d+(?:: )?([^>]*)>", attributes).group(1).split(",") if n.strip()]
        number = lambda key: int(re.search(key + r" = (-?\d+) : i64", attributes).group(1))
        real = lambda key: float(re.search(key + r" = ([-+.\deE]+) : f", attributes).group(1))
        sources = types_in(operand_types)
        if op == "func.return":
            self.outputs = sources
            self.lines.append(self.returned(names, sources))
            return
        kind = types_in(result_types)[0]
        if op in self.VIEWS:
            view = self.view_of(op, names[0], sources[0].shape, kind.shape, numbers)
            if view:
                self.base[result] = view
        if op == "arith.constant":
            splat = re.search(r"dense<([-+.\deE]+)>", attributes)
            if not splat:
                raise ValueError("a constant that is not one number")
            self.constants[result] = (float(splat.group(1)), kind)
            return
        self.ops += 0 if op in ("arith.extf", "arith.truncf", "graph.broadcast") else 1
        x = self.value(names[0])
        if op in self.UNARY:
            text = f"{self.UNARY[op]}({x})"
        elif op in self.BINARY:
            a, b = self.either(names[0]), self.either(names[1])
            if names[0] in self.constants and names[1] in self.constants:
                a = self.value(names[0])
            text = f"{a} {self.BINARY[op]} {b}"
        elif op in ("arith.maximumf", "arith.minimumf"):
            word = "maximum" if op == "arith.maximumf" else "minimum"
            scalars = [n for n in names if n in self.constants]
            if len(scalars) == 1:
                tensor = next(n for n in names if n not in self.constants)
                text = f"torch.clamp({self.value(tensor)}, {'min' if word == 'maximum' else 'max'}={self.constants[scalars[0]][0]!r})"
            else:
                text = f"torch.{word}({x}, {self.value(names[1])})"
        elif op in ("arith.extf", "arith.truncf", "arith.fptosi"):
            text = f"{x}.to({kind.dtype})"
        elif op == "graph.gelu":
            text = f"F.gelu({x}, approximate='{'tanh' if 'tanh' in attributes else 'none'}')"
        elif op == "graph.reduce":
            word = {"sum": "sum", "max": "amax", "min": "amin"}[re.search(r"reduce_kind (\w+)", attributes).group(1)]
            text = f"torch.{word}({x}, dim={tuple(numbers('dims'))})"
        elif op == "graph.broadcast":
            dims, shape = numbers("dims"), [1] * len(kind.shape)
            for d, size in zip(dims, sources[0].shape):
                shape[d] = size
            text = f"{x}.reshape({tuple(shape)}).expand({kind.shape})"
        elif op == "graph.reshape":
            text = f"{x}.reshape({kind.shape})"
        elif op == "graph.transpose":
            text = f"{x}.permute({tuple(numbers('permutation'))})"
        elif op == "graph.slice":
            if any(step < 1 for step in numbers("strides")):
                raise ValueError("a slice that runs backwards")
            parts = [f"{first}:{first + (size - 1) * step + 1}:{step}" for first, step, size in
                     zip(numbers("offsets"), numbers("strides"), kind.shape)]
            text = f"{x}[{', '.join(parts)}]"
        elif op == "graph.matmul":
            text = f"torch.matmul({x}, {self.value(names[1])})"
        elif op == "graph.pad":
            widths = [w for low, high in reversed(list(zip(numbers("low"), numbers("high")))) for w in (low, high)]
            text = f"F.pad({x}, {tuple(widths)}, value={real('value')})"
        elif op == "graph.concat":
            text = f"torch.cat(({', '.join(self.value(n) for n in names)},), dim={number('dim')})"
        elif op == "graph.gather":
            self.gathered[names[1]] = sources[0].shape[number("dim")]
            text = f"torch.index_select({x}, {number('dim')}, {self.value(names[1])})"
        elif op == "graph.scan":
            dim, call = number("dim"), "torch.cumsum({}, dim={})" if "sum" in attributes else "torch.cummax({}, dim={})[0]"
            text = call.format(x, dim)
            if re.search(r"\breverse\b", attributes):
                text = f"torch.flip({call.format(f'torch.flip({x}, ({dim},))', dim)}, ({dim},))"
        elif op == "graph.softmax":
            text = f"torch.softmax({x}, dim={number('dim')})"
        elif op in ("graph.layer_norm", "graph.rms_norm"):
            dim, rest = number("dim"), [self.value(n) for n in names[1:]]
            if op == "graph.rms_norm":
                text = f"{x} * torch.rsqrt({x}.square().mean({tuple(range(dim, len(kind.shape)))}, keepdim=True) + {real('epsilon')})"
                text += f" * {rest[0]}" if rest else ""
            else:
                sizes = re.search(r"operandSegmentSizes = array<i32: 1, (\d), (\d)>", attributes)
                weight = rest.pop(0) if sizes.group(1) == "1" else None
                bias = rest.pop(0) if sizes.group(2) == "1" else None
                text = f"F.layer_norm({x}, {kind.shape[dim:]}, {weight}, {bias}, {real('epsilon')})"
        else:
            raise ValueError(f"op {op} has no PyTorch form here")
        sums = op in self.SUMS or (op in ("graph.reduce", "graph.scan") and "sum" in attributes)
        if kind.dtype in HALF_UNITS and (sums or op in {"arith.truncf", "graph.gelu"} | (self.UNARY.keys() | self.BINARY.keys()) - self.EXACT):
            unit, inner = HALF_UNITS[kind.dtype], text
            if sums:
                shape = sources[0].shape
                over = numbers("dims") if op == "graph.reduce" else range(number("dim"), len(shape) if "norm" in op else number("dim") + 1)
                terms = roundings_of_sum(math.prod(shape[d] for d in over)) * HALF_UNITS["f32"]
                unit = max(unit, terms)
                inner = re.sub(rf"\b{re.escape(x)}(?!\w)", f"rounded({x}, {terms!r})", text)
            self.rounded[len(self.lines)] = f"v{result} = rounded({inner}, {unit!r})"
        self.lines.append(f"v{result} = {text}")

    def function(self, torch, exact=False, rounded=None, own=True):
        """The program as a function of its inputs, in their order; `exact` computes in fp64 whatever the types say. With
        `rounded(value, unit)` every step's result, and the operands of sums, are what that makes of them. Unless `own`, results
        may be views of inputs and of one another."""
        wide = lambda dtype: torch.float64 if exact else dtype
        names = {"torch": torch, "F": torch.nn.functional, "f32": wide(torch.float32), "bf16": wide(torch.bfloat16),
                 "f16": wide(torch.float16), "f64": torch.float64, "device": "cuda" if torch.cuda.is_available() else "cpu", "rounded": rounded,
                 "mine": (lambda x: x.clone(memory_format=torch.contiguous_format)) if own else (lambda x: x.contiguous())}
        exec(compile(self.rounded_source if rounded else self.source, "<random program>", "exec"), names)
        return names["program"]

    def least_bytes(self):
        """Each input once, each output once."""
        return sum(kind.bytes() for kind in self.inputs.values()) + sum(kind.bytes() for kind in self.outputs)
