"""Which results of random programs PyTorch would return as views of inputs or of other results."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../utils/bench"))
from graph_in_torch import GraphProgram

HEAD = '''
^bb0(%arg0: tensor<40x999xf32>):
  %0 = "math.absf"(%arg0) : (tensor<40x999xf32>) -> tensor<40x999xf32>
'''
SLICE = '  %{} = "graph.slice"(%{}) <{{offsets = array<i64: {}>, strides = array<i64: {}>}}> : ({}) -> {}\n'
WHOLE, ROWS, COLUMNS = "tensor<40x999xf32>", "tensor<20x999xf32>", "tensor<40x500xf32>"


def returned(name, lines, *results):
    names, kinds = ", ".join("%" + result for result, _ in results), ", ".join(kind for _, kind in results)
    program = GraphProgram(HEAD + lines + f'  "func.return"({names}) : ({kinds}) -> ()\n')
    print(name, program.views, program.lines[-1])


returned("input", "", ("arg0", WHOLE))
returned("rows of an input", SLICE.format(1, "arg0", "3, 0", "1, 1", WHOLE, ROWS), ("1", ROWS))
returned("every second row", SLICE.format(1, "arg0", "0, 0", "2, 1", WHOLE, ROWS), ("1", ROWS))
returned("columns", SLICE.format(1, "arg0", "0, 3", "1, 1", WHOLE, COLUMNS), ("1", COLUMNS))
returned("rows of a result", SLICE.format(1, "0", "3, 0", "1, 1", WHOLE, ROWS), ("0", WHOLE), ("1", ROWS))
returned("twice", "", ("0", WHOLE), ("0", WHOLE))
returned("transposed", f'  %1 = "graph.transpose"(%arg0) <{{permutation = array<i64: 1, 0>}}> : ({WHOLE}) -> tensor<999x40xf32>\n',
         ("1", "tensor<999x40xf32>"))
returned("transposed twice",
         f'  %1 = "graph.transpose"(%arg0) <{{permutation = array<i64: 1, 0>}}> : ({WHOLE}) -> tensor<999x40xf32>\n'
         f'  %2 = "graph.transpose"(%1) <{{permutation = array<i64: 1, 0>}}> : (tensor<999x40xf32>) -> {WHOLE}\n', ("2", WHOLE))
