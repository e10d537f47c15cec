# The files that the pages speak of: model.onnx, m.onnx, x.npy, y.npy, programs, a C program.
cat >m.txt <<'ONNX'
<ir_version: 8, opset_import: ["" : 17]>
g (float[batch,128] x) => (float[batch,64] y)
<float[128,64] w = {WEIGHTS}, float[64] b = {BIAS}>
{
  product = MatMul(x, w)
  sum = Add(product, b)
  y = Tanh(sum)
}
ONNX
python3 - <<'PYTHON'
import struct
text = open("m.txt").read()
weights = ", ".join(str(((i * 37) % 101 - 50) / 500) for i in range(128 * 64))
open("m.txt", "w").write(text.replace("WEIGHTS", weights).replace("BIAS", ", ".join(["0.25"] * 64)))
def npy(name, shape, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    open(name, "wb").write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f", *values))
npy("x.npy", (1, 128), [((i * 13) % 7 - 3) / 4 for i in range(128)])
PYTHON
tw-onnx-text -o m.onnx <m.txt
cp m.onnx model.onnx
tw-compile m.onnx -o m.tw --input-shape x=1x128 --kernel-cache=off
tw-run m.tw --device=emulator --input x=x.npy --output golden >golden.txt
mv golden/y.npy y.npy
printf '%s\n' 'func.func @main(%x: tensor<4x8xf32> {graph.name = "x"}) -> (tensor<4x8xf32> {graph.name = "y"}) {' \
  '  %0 = math.exp %x : tensor<4x8xf32>' '  %1 = arith.addf %0, %x : tensor<4x8xf32>' \
  '  return %1 : tensor<4x8xf32>' '}' >program.mlir
printf '%s\n' 'func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<4x2xf32>) -> tensor<4x2xf32> {' \
  '  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x2xf32>) outs(%b : tensor<4x2xf32>) -> tensor<4x2xf32>' \
  '  return %0 : tensor<4x2xf32>' '}' >linalg.mlir
mkdir -p utils
for script in "$TILEWRIGHT_SOURCE"/utils/*; do
  if [ -f "$script" ]; then
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$script" >"utils/$(basename "$script")"
    chmod +x "utils/$(basename "$script")"
  fi
done
cat program.mlir >crash.mlir
printf '%s\n' '{-#' '  external_resources: { mlir_reproducer: { pipeline: "builtin.module(canonicalize)",' \
  '    disable_threading: true, verify_each: true } }' '#-}' >>crash.mlir
cp "$TILEWRIGHT_SOURCE/docs/HowTo/main.c" "$TILEWRIGHT_SOURCE/docs/HowTo/call_model.py" . 2>/dev/null || true
printf '%s\n' 'func.func @main(%x: tensor<4xf32>) {' '  %0 = graph.nothing %x' >damaged.mlir
python3 - <<'PYTHON'
data = open("m.tw", "rb").read()
open("damaged.tw", "wb").write(data[:len(data) // 2])
PYTHON
