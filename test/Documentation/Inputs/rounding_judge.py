"""The judge of random programs without PyTorch: programs of the graph dialect in NumPy, fp32 against fp64. Prints what it finds."""
import os
import sys
import types

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../utils/bench"))
from graph_in_torch import GraphProgram
from rounding_judge import allowed_by_rounding, relative_error


class Array(np.ndarray):
    """What the programs call on tensors."""
    def expand(self, shape):
        return np.broadcast_to(self, shape).view(Array)

    def contiguous(self):
        return self

    def to(self, dtype):
        return self.astype(dtype)


torch = types.SimpleNamespace(float64=np.float64, float32=np.float32, bfloat16=np.float16, float16=np.float16,
                              nn=types.SimpleNamespace(functional=None), cuda=types.SimpleNamespace(is_available=lambda: False),
                              sum=lambda x, dim: x.sum(axis=dim).view(Array), absf=np.abs,
                              full=lambda shape, value, dtype, device: np.full(shape, value, dtype).view(Array))

# A number less its mean, divided by small numbers; and with a term more.
LEFT = '''
^bb0(%arg0: tensor<40x999xf32>, %arg1: tensor<40x999xf32>):
  %0 = "graph.reduce"(%arg0) <{dims = array<i64: 1>, kind = #graph<reduce_kind sum>}> : (tensor<40x999xf32>) -> tensor<40xf32>
  %1 = "arith.constant"() <{value = dense<0.001001001> : tensor<40xf32>}> : () -> tensor<40xf32>
  %2 = "arith.mulf"(%0, %1) : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
  %3 = "graph.broadcast"(%2) <{dims = array<i64: 0>}> : (tensor<40xf32>) -> tensor<40x999xf32>
  %4 = "arith.subf"(%arg0, %3) : (tensor<40x999xf32>, tensor<40x999xf32>) -> tensor<40x999xf32>
  %5 = "arith.divf"(%4, %arg1) : (tensor<40x999xf32>, tensor<40x999xf32>) -> tensor<40x999xf32>
'''
RETURN = '  "func.return"(%{}) : (tensor<40x999xf32>) -> ()\n'
TERM = '''  %6 = "arith.mulf"(%arg1, %arg1) : (tensor<40x999xf32>, tensor<40x999xf32>) -> tensor<40x999xf32>
  %7 = "arith.mulf"(%6, %arg1) : (tensor<40x999xf32>, tensor<40x999xf32>) -> tensor<40x999xf32>
  %8 = "arith.mulf"(%7, %arg0) : (tensor<40x999xf32>, tensor<40x999xf32>) -> tensor<40x999xf32>
  %9 = "arith.mulf"(%8, %arg1) : (tensor<40x999xf32>, tensor<40x999xf32>) -> tensor<40x999xf32>
  %10 = "arith.mulf"(%8, %arg0) : (tensor<40x999xf32>, tensor<40x999xf32>) -> tensor<40x999xf32>
  %11 = "arith.addf"(%5, %10) : (tensor<40x999xf32>, tensor<40x999xf32>) -> tensor<40x999xf32>
'''
left, more = GraphProgram(LEFT + RETURN.format(5)), GraphProgram(LEFT + TERM + RETURN.format(11))
fours = np.full((40, 999), 4.1, np.float32).view(Array)
small = np.linspace(0.05, 0.1, 39960, dtype=np.float32).reshape(40, 999).view(Array)


def judge(name, program, found, inputs):
    wide = [x.astype(np.float64) for x in inputs]
    want = program.function(torch, exact=True)(*wide)

    def run(sample):
        random = np.random.default_rng(sample)
        return program.function(torch, exact=True, rounded=lambda x, unit: x * (1 + unit * random.uniform(-1, 1, x.shape)))(*wide)

    bare, beyond = relative_error(found, want), relative_error(found, want, allowed_by_rounding(np, run, want))
    print(f"{name}: {'right' if bare <= 1e-4 else 'beyond the bound'}, {'right' if beyond <= 1e-4 else 'WRONG'} with roundings inside")


inputs = [fours, small]
ours = left.function(torch)(*inputs)
# The same sums in another order: what a kernel may do.
mean = fours.reshape(40, 111, 9).sum(axis=1, dtype=np.float32).sum(axis=1, dtype=np.float32) * np.float32(0.001001001)
other = [((fours - mean[:, None]) / small).view(Array)]
judge("a number less its mean", left, ours, inputs)
judge("in another order", left, other, inputs)
wrong = [other[0].copy()]
wrong[0][17, 333] += 1e-3
judge("one element", left, wrong, inputs)
judge("a missing term", more, other, inputs)
mean_only = GraphProgram(LEFT.replace("%4, %arg1", "%3, %arg1") + RETURN.format(5))
judge("well-conditioned", mean_only, mean_only.function(torch)(*inputs), inputs)
judge("well-conditioned, a thousandth off", mean_only, [x * np.float32(1.001) for x in mean_only.function(torch)(*inputs)], inputs)
