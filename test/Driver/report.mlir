// Reports: for each kernel what it is, needs, moves and is bound by; for the program its launches, bytes and times.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s -o %t/p.tw --report=json | FileCheck %s
// RUN: tw-compile %s --report=text --target=sm_90a,sm_80 | FileCheck %s --check-prefix=TEXT
// RUN: tw-compile %s --report=json | %python -c "import json, sys; json.load(sys.stdin)"

// CHECK: "program": {
// CHECK-NEXT: "name": "report"
// CHECK: "launches": 1
// CHECK-NEXT: "arena_bytes": 0
// CHECK-NEXT: "weight_bytes": 0
// CHECK: "seconds": {
// CHECK-NEXT: "graph": {{[0-9]}}
// CHECK: "package": {{[0-9]}}
// CHECK: "peak_memory_bytes": {{[1-9]}}
// CHECK: "kernels": [
// CHECK: "name": "{{.+}}"
// CHECK-NEXT: "source_nodes": [
// CHECK-NEXT: "/first"
// CHECK-NEXT: "/second"
// CHECK: "anchor": "elementwise"
// CHECK-NEXT: "launches": 1
// CHECK-NEXT: "grid": [
// CHECK: "block": [
// CHECK: "shared_bytes": 0
// CHECK-NEXT: "registers": {{[1-9][0-9]*}}
// CHECK-NEXT: "spill_bytes": 0
// CHECK-NEXT: "instructions": {{[1-9][0-9]*}}
// CHECK-NEXT: "occupancy": {{[01]}}
// CHECK-NEXT: "limiter": "launch"
// CHECK: "bytes_read": 256
// CHECK-NEXT: "bytes_written": 256
// CHECK-NEXT: "dram_bytes_read": 256
// CHECK-NEXT: "dram_bytes_written": 0
// CHECK-NEXT: "flops": 128
// CHECK-NEXT: "bound": "launch"
// CHECK-NEXT: "predicted_us": 1.2
// CHECK: "arch": "sm_90a"
// TEXT: kernel {{ *}}anchor
// TEXT: elementwise
// TEXT: /first, /second
// TEXT: main: 1 launches, arena 0 bytes
func.func @main(%x: tensor<64xf32> {graph.name = "x"}) -> (tensor<64xf32> {graph.name = "y"}) {
  %0 = arith.mulf %x, %x : tensor<64xf32> loc("/first")
  %1 = arith.addf %0, %x : tensor<64xf32> loc("/second")
  return %1 : tensor<64xf32>
}
