"""Makes cases in the folder given: two that pass, two that are unsupported, one of wrong values, one that is no model."""
import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save


def case(name, kind, values, result, shapes=([2], [2], [2]), types=(TensorProto.FLOAT, TensorProto.FLOAT)):
    inputs = [helper.make_tensor_value_info(n, t, s) for n, t, s in zip("ab", types, shapes)]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, shapes[2])
    if kind == "SequenceLength":
        inputs = [helper.make_tensor_sequence_value_info("a", TensorProto.FLOAT, [2])]
    node = helper.make_node(kind, [i.name for i in inputs], ["y"])
    model = helper.make_model(helper.make_graph([node], "g", inputs, [output]), opset_imports=[helper.make_opsetid("", 17)])
    data = os.path.join(sys.argv[1], name, "test_data_set_0")
    os.makedirs(data)
    save(model, os.path.join(sys.argv[1], name, "model.onnx"))
    for stem, arrays in (("input", values), ("output", [result])):
        for i, array in enumerate(arrays):
            with open(os.path.join(data, f"{stem}_{i}.pb"), "wb") as file:
                file.write(numpy_helper.from_array(numpy.asarray(array)).SerializeToString())


def floats(*values):
    return numpy.array(values, numpy.float32)


case("right", "Add", [floats(1, 2), floats(3, 4)], floats(4, 6))
case("wrong", "Add", [floats(1, 2), floats(3, 4)], floats(4, 7))
case("unknown", "NonMaxSuppression", [floats(1, 2), floats(3, 4)], floats(4, 7))
case("foreign", "SequenceLength", [floats(1, 2)], floats(1, 2))
case("sized", "Reshape", [floats(1, 2), numpy.array([2, 1])], floats(1, 2).reshape(2, 1), ([2], [2], [2, "n"]),
     (TensorProto.FLOAT, TensorProto.INT64))
os.makedirs(os.path.join(sys.argv[1], "broken"))
with open(os.path.join(sys.argv[1], "broken", "model.onnx"), "w") as broken:
    broken.write("no model")
