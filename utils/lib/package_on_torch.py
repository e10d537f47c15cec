"""Runs packages and their ONNX graphs on one GPU: the package through the runtime's C ABI on memory that PyTorch owns,
the graph through PyTorch in fp64, operator by operator. Inputs come from seeds."""
import ctypes
import json
import os
import re
import time

import numpy
import onnx
import torch

DTYPES = {onnx.TensorProto.FLOAT: torch.float32, onnx.TensorProto.INT64: torch.int64, onnx.TensorProto.BOOL: torch.bool}
# Elements of one piece when large tensors are filled and compared.
PIECE = 1 << 26


# --- The runtime.


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("message", ctypes.c_char * 1024)]


class TensorInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dtype", ctypes.c_int), ("rank", ctypes.c_uint32),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("symbols", ctypes.c_void_p), ("bytes", ctypes.c_uint64),
                ("fills", ctypes.c_int)]


class EntryInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("inputs", ctypes.c_uint32), ("outputs", ctypes.c_uint32),
                ("launches", ctypes.c_uint32), ("bucket_dims", ctypes.c_uint32), ("arena_bytes", ctypes.c_uint64)]


class Session:
    """A package on the first GPU."""

    def __init__(self, library, path):
        self.library, self.error = library, Error()
        self.package, self.session = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("twrt_package_open", path.encode(), ctypes.byref(self.package))
        options = ctypes.create_string_buffer(1024)
        library.twrt_session_options_init(options)
        self.call("twrt_session_create", self.package, options, ctypes.byref(self.session))
        self.call("twrt_prepare", self.session, ctypes.c_uint32(0))

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments, ctypes.byref(self.error)) != 0:
            raise RuntimeError(f"{name}: {self.error.message.decode()}")

    def tensors(self, kind):
        entry = EntryInfo()
        self.library.twrt_entry_get_info(self.package, ctypes.c_uint32(0), ctypes.byref(entry))
        for slot in range(entry.inputs if kind == "input" else entry.outputs):
            info = TensorInfo()
            getattr(self.library, f"twrt_{kind}_get_info")(self.package, ctypes.c_uint32(0), ctypes.c_uint32(slot),
                                                          ctypes.byref(info))
            yield info.name.decode(), [info.shape[d] for d in range(info.rank)], info.bytes

    def bind(self, name, tensor, expected):
        held = tensor.numel() * tensor.element_size()
        if held != expected or not tensor.is_contiguous():
            raise RuntimeError(f"'{name}' holds {held} bytes, the package {expected}")
        self.call("twrt_bind", self.session, name.encode(), ctypes.c_void_p(tensor.data_ptr()), ctypes.c_uint64(held))

    def run(self):
        torch.cuda.synchronize()
        self.call("twrt_run", self.session, None)
        self.call("twrt_sync", self.session)

    def microseconds(self, count):
        times = (ctypes.c_double * count)()
        self.call("twrt_time_runs", self.session, ctypes.c_uint32(count), times)
        return sorted(times)[count // 2]

    def close(self):
        if self.session:
            self.library.twrt_session_destroy(self.session)
        if self.package:
            self.library.twrt_package_close(self.package)


# --- Inputs.


def uses(graph):
    """For each name the (operator, position) pairs that read it."""
    found = {}
    for node in graph.node:
        for position, name in enumerate(node.input):
            found.setdefault(name, set()).add((node.op_type, position))
    return found


def uniform(shape, low, high, generator):
    tensor = torch.empty(shape, device="cuda", dtype=torch.float32)
    flat = tensor.view(-1)
    for start in range(0, flat.numel(), PIECE):
        flat[start:start + PIECE].uniform_(low, high, generator=generator)
    return tensor


def make_input(info, readers, graph_shapes, seed):
    """A tensor by what the graph does with it: positive variances, classes in range, ordered bounds."""
    shape = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
    kind = DTYPES[info.type.tensor_type.elem_type]
    generator = torch.Generator("cuda")
    generator.manual_seed(seed)
    if kind == torch.bool:
        return torch.rand(shape, device="cuda", generator=generator) < 0.5
    if kind == torch.int64:
        classes = max((graph_shapes.get("SoftmaxCrossEntropyLoss", 1), 1))
        return torch.randint(0, classes, shape, device="cuda", generator=generator)
    if all(size == 1 for size in shape):
        value = torch.rand(shape, device="cuda", generator=generator) * 0.5 + 0.5
        if ("Mul", 1) in readers:  # such as the scale of scores before softmax, which errors grow with
            value = value / 5
        if ("Clip", 1) in readers:
            value = -value
        if ("Equal", 1) in readers:
            value = torch.zeros(shape, device="cuda")
        if ("Where", 1) in readers or ("Where", 2) in readers:
            value = torch.full(shape, float("-inf"), device="cuda")
        return value.contiguous()
    if ("BatchNormalization", 4) in readers:
        return uniform(shape, 0.5, 1.5, generator)
    if ("Slice", 0) in readers and len(shape) == 4 and shape[:2] == [1, 1] and shape[2] == shape[3]:
        return torch.ones(shape, device="cuda").tril()  # a causal mask
    if ("Gemm", 1) in readers or ("MatMul", 1) in readers:
        bound = (3.0 / max(shape[-1], shape[-2])) ** 0.5
        return uniform(shape, -bound, bound, generator)
    return uniform(shape, -1.0, 1.0, generator)


# --- The graph on PyTorch.


def widened(tensor):
    return tensor.double() if tensor.is_floating_point() else tensor


def broadcast_channels(parameter, x):
    return parameter.view(1, -1, *[1] * (x.dim() - 2))


def reduce(node, x, axes, attribute, operation):
    axes = tuple(int(a) for a in axes.reshape(-1)) if axes is not None else tuple(range(x.dim()))
    return operation(x, axes, bool(attribute("keepdims", 1)))


def compute(node, v):
    """The outputs of `node` from operands `v` (None where absent)."""
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}

    def attribute(name, otherwise=None):
        value = attributes.get(name, otherwise)
        return value.decode() if isinstance(value, bytes) else value

    def ints(i):
        return [int(n) for n in v[i].reshape(-1)]

    def normalized(x, dims, epsilon):
        mean = x.mean(dims, keepdim=True)
        return (x - mean) / torch.sqrt(x.var(dims, keepdim=True, unbiased=False) + epsilon)

    functional = torch.nn.functional
    kind = node.op_type
    x = v[0]
    simple = {
        "Add": lambda: x + v[1], "Sub": lambda: x - v[1], "Mul": lambda: x * v[1], "Div": lambda: x / v[1],
        "MatMul": lambda: x @ v[1], "Relu": lambda: torch.relu(x), "Sigmoid": lambda: torch.sigmoid(x),
        "Tanh": lambda: torch.tanh(x), "Exp": lambda: torch.exp(x), "Mish": lambda: functional.mish(x),
        "Softplus": lambda: functional.softplus(x, threshold=1e9), "Greater": lambda: x > v[1],
        "Equal": lambda: x == v[1], "Where": lambda: torch.where(x, v[1], v[2]),
        "Elu": lambda: functional.elu(x, attribute("alpha", 1.0)), "Selu": lambda: torch.selu(x),
        "Softmax": lambda: torch.softmax(x, attribute("axis", -1)), "Cast": lambda: x.double(),
        "Trilu": lambda: x.triu() if attribute("upper", 1) else x.tril(),
        "Einsum": lambda: torch.einsum(attribute("equation"), *v),
        "Transpose": lambda: x.permute(attribute("perm")), "Reshape": lambda: x.reshape(ints(1)),
        "Expand": lambda: x.expand(torch.broadcast_shapes(x.shape, ints(1))),
        "Concat": lambda: torch.cat(v, attribute("axis")),
        "Gelu": lambda: functional.gelu(x, approximate=attribute("approximate", "none")),
        "ArgMax": lambda: torch.argmax(x, attribute("axis", 0), keepdim=bool(attribute("keepdims", 1))),
        "CumSum": lambda: torch.cumsum(x, ints(1)[0]),
        "Clip": lambda: torch.minimum(torch.maximum(x, v[1]) if v[1] is not None else x, v[2]) if len(v) > 2 and
        v[2] is not None else torch.maximum(x, v[1]),
        "SoftmaxCrossEntropyLoss": lambda: functional.cross_entropy(x, v[1], ignore_index=attribute("ignore_index", -100)),
        "LayerNormalization": lambda: functional.layer_norm(x, x.shape[attribute("axis", -1):], v[1], v[2] if len(v) > 2
                                                            else None, attribute("epsilon", 1e-5)),
    }
    reductions = {
        "ReduceSum": lambda t, d, k: t.sum(d, keepdim=k), "ReduceMean": lambda t, d, k: t.mean(d, keepdim=k),
        "ReduceMax": lambda t, d, k: t.amax(d, keepdim=k), "ReduceMin": lambda t, d, k: t.amin(d, keepdim=k),
        "ReduceL2": lambda t, d, k: torch.linalg.vector_norm(t, dim=d, keepdim=k),
        "ReduceLogSumExp": lambda t, d, k: torch.logsumexp(t, d, keepdim=k),
    }
    if kind in simple:
        return [simple[kind]()]
    if kind in reductions:
        return [reduce(node, x, v[1] if len(v) > 1 else None, attribute, reductions[kind])]
    if kind == "Gemm":
        a, b = (x.t() if attribute("transA", 0) else x), (v[1].t() if attribute("transB", 0) else v[1])
        y = attribute("alpha", 1.0) * (a @ b)
        return [y + attribute("beta", 1.0) * v[2] if len(v) > 2 else y]
    if kind == "BatchNormalization":
        scale, bias, mean, variance = (broadcast_channels(p, x) for p in v[1:5])
        return [(x - mean) / torch.sqrt(variance + attribute("epsilon", 1e-5)) * scale + bias]
    if kind == "InstanceNormalization":
        y = normalized(x, tuple(range(2, x.dim())), attribute("epsilon", 1e-5))
        return [y * broadcast_channels(v[1], x) + broadcast_channels(v[2], x)]
    if kind in ("MaxPool", "AveragePool"):
        dims, count = x.dim() - 2, x.dim() - 2
        pads = attribute("pads") or [0] * 2 * dims
        if attribute("auto_pad", "NOTSET") != "NOTSET" or pads[:count] != pads[count:]:
            raise NotImplementedError(f"{kind} with pads {pads}")
        common = {"kernel_size": attribute("kernel_shape"), "stride": attribute("strides") or [1] * dims,
                  "padding": pads[:count], "ceil_mode": bool(attribute("ceil_mode", 0))}
        if kind == "MaxPool":
            pool = (functional.max_pool1d, functional.max_pool2d, functional.max_pool3d)[dims - 1]
            return [pool(x, dilation=attribute("dilations") or [1] * dims, **common)]
        pool = (functional.avg_pool1d, functional.avg_pool2d, functional.avg_pool3d)[dims - 1]
        return [pool(x, count_include_pad=bool(attribute("count_include_pad", 0)), **common)]
    if kind == "Squeeze" and len(v) < 2:
        return [x.squeeze()]
    if kind in ("Squeeze", "Unsqueeze"):
        for axis in sorted(ints(1), reverse=kind == "Squeeze"):
            x = x.squeeze(axis) if kind == "Squeeze" else x.unsqueeze(axis)
        return [x]
    if kind == "Gather":
        index = v[1]
        y = torch.index_select(x, attribute("axis", 0), index.reshape(-1) % x.shape[attribute("axis", 0)])
        return [y.squeeze(attribute("axis", 0)) if index.dim() == 0 else y]
    if kind == "Slice":
        start, end, axis = ints(1)[0], ints(2)[0], ints(3)[0]
        if len(v) > 4 and ints(4)[0] == -1:
            return [x.flip(axis)]
        index = [slice(None)] * x.dim()
        index[axis] = slice(start, min(end, x.shape[axis]))
        return [x[tuple(index)]]
    if kind == "Split":
        size = x.shape[attribute("axis", 0)] // attribute("num_outputs")
        return list(torch.split(x, size, attribute("axis", 0)))
    if kind == "Pad":
        pads, rank = ints(1), x.dim()
        order = [p for d in reversed(range(rank)) for p in (pads[d], pads[d + rank])]
        return [functional.pad(x, order, value=float(v[2]) if len(v) > 2 and v[2] is not None else 0.0)]
    raise NotImplementedError(kind)


def evaluate(graph, inputs):
    """Results by name. Values are dropped after their last use."""
    values = {name: widened(tensor) for name, tensor in inputs.items()}
    for tensor in graph.initializer:
        values[tensor.name] = widened(torch.from_numpy(onnx.numpy_helper.to_array(tensor).copy()).cuda())
    wanted = {output.name for output in graph.output}
    last = {name: i for i, node in enumerate(graph.node) for name in node.input}
    for i, node in enumerate(graph.node):
        operands = [values[name] if name else None for name in node.input]
        for name, value in zip(node.output, compute(node, operands)):
            values[name] = value
        del operands
        for name in set(node.input):
            if name and last[name] == i and name not in wanted:
                del values[name]
    return {name: values[name] for name in wanted}


# --- Comparing.


def compare(found, expected, rtol, atol):
    """Elements that differ, and the largest error as a share of what is allowed."""
    if list(found.shape) != list(expected.shape):
        raise RuntimeError(f"shape {list(found.shape)}, expected {list(expected.shape)}")
    found, expected = found.reshape(-1), expected.reshape(-1)
    largest = 0.0
    for start in range(0, expected.numel(), PIECE):
        piece = expected[start:start + PIECE].double()
        largest = max(largest, float(torch.nan_to_num(piece, 0.0, 0.0, 0.0).abs().max()))
    wrong, share = 0, 0.0
    for start in range(0, expected.numel(), PIECE):
        a, b = found[start:start + PIECE].double(), expected[start:start + PIECE].double()
        allowed = rtol * b.abs() + atol * largest
        same = (a == b) | (a.isnan() & b.isnan())
        ratio = torch.where(same, torch.zeros_like(a), (a - b).abs() / allowed)
        ratio = torch.nan_to_num(ratio, nan=float("inf"))
        wrong += int((ratio > 1).sum())
        share = max(share, float(ratio.max()))
    return wrong, share


def check(library, folder, name, rtol, atol):
    model = onnx.load(os.path.join(folder, name + ".onnx"))
    graph = model.graph
    readers = uses(graph)
    shapes = {}
    infos = {i.name: i for i in graph.input}
    for node in graph.node:
        if node.op_type == "SoftmaxCrossEntropyLoss":
            shapes[node.op_type] = infos[node.input[0]].type.tensor_type.shape.dim[1].dim_value
    session = Session(library, os.path.join(folder, name + ".tw"))
    try:
        inputs = {info.name: make_input(info, readers.get(info.name, set()), shapes, 1000 + i)
                  for i, info in enumerate(graph.input)}
        kinds = {o.name: DTYPES[o.type.tensor_type.elem_type] for o in graph.output}
        outputs = {}
        for tensor, shape, held in session.tensors("output"):
            outputs[tensor] = torch.full(shape, -7, dtype=kinds[tensor], device="cuda")
            session.bind(tensor, outputs[tensor], held)
        for tensor, _, held in session.tensors("input"):
            session.bind(tensor, inputs[tensor], held)
        session.run()
        result = {"microseconds": round(session.microseconds(5), 1)}
    finally:
        session.close()
    expected = evaluate(graph, inputs)
    for tensor, value in outputs.items():
        wrong, share = compare(value, expected.pop(tensor), rtol, atol)
        result[tensor] = {"elements": value.numel(), "wrong": wrong, "share": round(share, 4)}
    result["equal"] = not any(entry["wrong"] for entry in result.values() if isinstance(entry, dict))
    return result


def run(args, rtol, atol):
    torch.backends.cuda.matmul.allow_tf32 = False
    os.makedirs(args.out, exist_ok=True)
    torch.zeros(1, device="cuda")  # the context that the runtime joins
    library = ctypes.CDLL(os.path.abspath(args.library))
    wanted, start, results = re.compile(args.match), time.monotonic(), {}
    for name in sorted(f[:-3] for f in os.listdir(args.cases) if f.endswith(".tw")):
        if not wanted.search(name):
            continue
        if time.monotonic() - start > args.seconds:
            results[name] = {"skipped": "no time left"}
            continue
        begin = time.monotonic()
        try:
            results[name] = check(library, args.cases, name, rtol, atol)
        except Exception as problem:  # the next graph may fare better
            results[name] = {"error": f"{type(problem).__name__}: {problem}"[:400]}
        results[name]["seconds"] = round(time.monotonic() - begin, 2)
        torch.cuda.empty_cache()
        print(name, json.dumps(results[name]), flush=True)
        with open(os.path.join(args.out, "results.json"), "w", encoding="utf-8") as file:
            json.dump({"gpu": torch.cuda.get_device_name(), "rtol": rtol, "atol": atol, "graphs": results}, file, indent=1)
    equal = sum(bool(r.get("equal")) for r in results.values())
    print(f"{equal} of {len(results)} graphs equal")
    return 0 if equal == len(results) else 1
