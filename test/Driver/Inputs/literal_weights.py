"""Writes programs whose weights are constants: as dense elements, and as a resource."""
import random
import struct

random.seed(3)
ROWS, COLUMNS = 72, 64
WEIGHTS = struct.pack(f"<{ROWS * COLUMNS}f", *(random.uniform(-1, 1) for _ in range(ROWS * COLUMNS))).hex().upper()
BITS = [random.random() < 0.5 for _ in range(ROWS * COLUMNS)]
MASK = bytes(sum(bit << i for i, bit in enumerate(BITS[at:at + 8])) for at in range(0, len(BITS), 8)).hex().upper()

PROGRAM = """func.func @main(%x: tensor<4x72xf32> {{graph.name = "x"}}) -> (tensor<4x64xf32> {{graph.name = "y"}}) {{
  %w = arith.constant {weights} : tensor<72x64xf32>
  %again = arith.constant {weights} : tensor<72x64xf32>
  %m = arith.constant dense<"0x{mask}"> : tensor<72x64xi1>
  %s = arith.select %m, %w, %again : tensor<72x64xi1>, tensor<72x64xf32>
  %n = arith.negf %again : tensor<72x64xf32>
  %t = arith.select %m, %s, %n : tensor<72x64xi1>, tensor<72x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  %0 = linalg.matmul ins(%x, %t : tensor<4x72xf32>, tensor<72x64xf32>) outs(%i : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}}
"""


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


write("literals.mlir", PROGRAM.format(weights=f'dense<"0x{WEIGHTS}">', mask=MASK))
# The first four bytes of a resource are its alignment.
write("resource.mlir", PROGRAM.format(weights="dense_resource<weights>", mask=MASK) +
      '{-#\n  dialect_resources: { builtin: { weights: "0x04000000' + WEIGHTS + '" } }\n#-}\n')
