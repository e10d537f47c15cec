"""cuBLASLt through ctypes: every algorithm that its heuristics list for a product, timed, so that a row can be held
against the fastest of them ("Lt best") and not only against cuBLAS' own choice. Matrices are torch tensors; the library
is the one that torch has loaded. cuBLASLt counts by columns: C = A B by rows is C' = B' A' there, so our right operand
is its left one."""
import ctypes
import glob
import os
from ctypes import byref, c_float, c_int, c_int64, c_size_t, c_uint64, c_void_p

import torch

COMPUTE_32F, R_32F, R_16F, R_16BF = 68, 0, 2, 14
TRANSA, TRANSB, EPILOGUE, BIAS_POINTER, MAX_WORKSPACE = 3, 4, 7, 8, 1
GELU_BIAS = 36
WORKSPACE_BYTES = 64 << 20


class Algorithm(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t"""
    _fields_ = [("algo", c_uint64 * 8), ("workspace", c_size_t), ("state", c_int), ("waves", c_float), ("reserved", c_int * 4)]


def load():
    try:
        return ctypes.CDLL("libcublasLt.so.13")
    except OSError:
        root = os.path.dirname(os.path.dirname(torch.__file__))
        found = sorted(glob.glob(os.path.join(root, "nvidia", "*", "lib", "libcublasLt.so.*")))
        return ctypes.CDLL(found[-1])


class Lt:
    def __init__(self):
        self.lib, self.handle = load(), c_void_p()
        self.call("cublasLtCreate", byref(self.handle))
        self.workspace = torch.empty(WORKSPACE_BYTES, dtype=torch.uint8, device="cuda")

    def call(self, name, *arguments):
        status = getattr(self.lib, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name} failed with {status}")

    def layout(self, dtype, rows, columns, pitch):
        handle = c_void_p()
        self.call("cublasLtMatrixLayoutCreate", byref(handle), c_int(dtype), c_uint64(rows), c_uint64(columns), c_int64(pitch))
        return handle


class Product:
    """One product of products.Product's kind, and the algorithms for it."""

    def __init__(self, lt, product, bias=None):
        self.lt, self.product = lt, product
        m, n, k = product.m, product.n, product.k
        dtype = {"bf16": R_16BF, "f16": R_16F}[product.dtype]
        self.descriptor = c_void_p()
        lt.call("cublasLtMatmulDescCreate", byref(self.descriptor), c_int(COMPUTE_32F), c_int(R_32F))
        self.set(TRANSA, c_int(1 if product.rhs_transposed else 0))
        self.set(TRANSB, c_int(1 if product.lhs_transposed else 0))
        if product.epilogue == "gelu":
            self.set(EPILOGUE, c_int(GELU_BIAS))
            self.set(BIAS_POINTER, c_void_p(bias.data_ptr()))
        self.a = lt.layout(dtype, k, n, k) if product.rhs_transposed else lt.layout(dtype, n, k, n)
        self.b = lt.layout(dtype, m, k, m) if product.lhs_transposed else lt.layout(dtype, k, m, k)
        self.c = lt.layout(dtype, n, m, n)
        self.alpha, self.beta = c_float(1), c_float(1 if product.epilogue == "residual" else 0)

    def set(self, attribute, value):
        self.lt.call("cublasLtMatmulDescSetAttribute", self.descriptor, c_int(attribute), byref(value), c_size_t(ctypes.sizeof(value)))

    def algorithms(self, most=16):
        preference, results, count = c_void_p(), (Algorithm * most)(), c_int()
        self.lt.call("cublasLtMatmulPreferenceCreate", byref(preference))
        size = c_uint64(WORKSPACE_BYTES)
        self.lt.call("cublasLtMatmulPreferenceSetAttribute", preference, c_int(MAX_WORKSPACE), byref(size), c_size_t(8))
        self.lt.call("cublasLtMatmulAlgoGetHeuristic", self.lt.handle, self.descriptor, self.a, self.b, self.c, self.c, preference,
                     c_int(most), results, byref(count))
        return [results[i] for i in range(count.value) if results[i].state == 0]

    def run(self, algorithm, data, out):
        """Puts the product of `data` into `out`, on torch's current stream."""
        if self.product.epilogue == "gelu":
            self.set(BIAS_POINTER, c_void_p(data["v"].data_ptr()))
        added = data["v"] if self.product.epilogue == "residual" else out
        pointer = lambda tensor: c_void_p(tensor.data_ptr())
        self.lt.call("cublasLtMatmul", self.lt.handle, self.descriptor, byref(self.alpha), pointer(data["b"]), self.a, pointer(data["a"]),
                     self.b, byref(self.beta), pointer(added), self.c, pointer(out), self.c, byref(algorithm.algo),
                     pointer(self.lt.workspace), c_size_t(WORKSPACE_BYTES), c_void_p(torch.cuda.current_stream().cuda_stream))


def best(lt, product, sets, outputs, check, seconds=0.4):
    """The graph of the fastest algorithm whose result `check` accepts, and how many there were."""
    import gpu_clock
    handle = Product(lt, product, sets[0].get("v"))
    graphs = {}
    for index, algorithm in enumerate(handle.algorithms()):
        try:
            graph = gpu_clock.TorchGraph([lambda d=d, o=o, a=algorithm: handle.run(a, d, o) for d, o in zip(sets, outputs)])
            graph.launch()
            torch.cuda.synchronize()
        except RuntimeError:
            continue
        graph.product = handle  # lives as long as the graph
        if not check(outputs[0]):
            graphs[index] = graph
    if not graphs:
        raise RuntimeError("cuBLASLt lists no algorithm whose result is right")
    times = gpu_clock.burst(graphs, rounds=3, rest=0.01, microseconds=min(2000.0, seconds * 1e6 / (3 * len(graphs))))
    first = min(times, key=lambda index: times[index]["median"])
    return graphs[first], len(graphs), first
