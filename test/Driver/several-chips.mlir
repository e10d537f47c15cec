// A package for chips with and without warpgroup products has kernels of both kinds round a product; where schedules come
// out alike, and round everything else, one.
// REQUIRES: ptxas, emulator
// RUN: rm -rf %t && tw-compile %s -o %t.tw --target=sm_90a,sm_80 --dump-stages=%t --verify-stages
// RUN: FileCheck %s --input-file=%t/03-tile.mlir
// CHECK-NOT: @matmul_0_sm_80
// CHECK: plan.launch @matmul({{.*}}) {{{.*}}plan.variants = [@matmul_sm_80]
// CHECK: tile.kernel @matmul {{.*}}ptx.archs = ["sm_90a"]{{.*}}product = wgmma
// CHECK: tile.kernel @matmul_sm_80 {{.*}}ptx.archs = ["sm_80"]
// RUN: ls %t/06-ptx | FileCheck %s --check-prefix=PTX
// PTX: matmul.sm_90a.ptx
// The others are small, and one launch on either chip.
// PTX-NEXT: matmul_0_and_iota_exp.sm_80.ptx
// PTX-NEXT: matmul_0_and_iota_exp.sm_90a.ptx
// PTX-NEXT: matmul_sm_80.sm_80.ptx
// The emulator runs the first target's kernels, either way with the same values.
// RUN: tw-run %t.tw --device=emulator --input a=random:1 --input b=random:2 --input d=random:3 --input e=random:4 --output %t.out
// RUN: tw-compile %s -o %t.other.tw --target=sm_80,sm_90a
// RUN: tw-run %t.other.tw --device=emulator --input a=random:1 --input d=random:3 --input e=random:4 --input b=random:2 --expect f=%t.out/f.npy --expect c=%t.out/c.npy --rtol=1e-5 --atol=1e-4
func.func @main(%a: tensor<1024x512xbf16> {graph.name = "a"}, %b: tensor<512x1024xbf16> {graph.name = "b"},
                %d: tensor<16x32xf32> {graph.name = "d"}, %e: tensor<32x16xf32> {graph.name = "e"})
    -> (tensor<1024x1024xf32> {graph.name = "c"}, tensor<16x16xf32> {graph.name = "f"}, tensor<7xf32> {graph.name = "g"}) {
  %0 = graph.matmul %a, %b : tensor<1024x512xbf16>, tensor<512x1024xbf16> to tensor<1024x1024xf32> loc("/large")
  %1 = graph.matmul %d, %e : tensor<16x32xf32>, tensor<32x16xf32> to tensor<16x16xf32> loc("/small")
  %2 = graph.iota dim = 0 : tensor<7xf32> loc("/iota")
  %3 = math.exp %2 : tensor<7xf32> loc("/exp")
  return %0, %1, %3 : tensor<1024x1024xf32>, tensor<16x16xf32>, tensor<7xf32>
}
