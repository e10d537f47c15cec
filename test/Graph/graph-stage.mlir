// The graph stage on a transformer block as importers write it: everything is raised, weights hold their movement, and
// between the matmuls all is two-dimensional. Values stay, exactly in fp64 and to rounding in fp32.
// RUN: tw-opt %s --graph-stage | FileCheck %s
// RUN: tw-opt %s --graph-stage=precision=bf16 | FileCheck %s --check-prefix=BF16
// RUN: tw-reference %s --compare-passes=graph-stage --precision=f64 --rtol=1e-7 --atol=1e-7
// RUN: tw-reference %s --compare-passes=graph-stage --rtol=1e-4 --atol=1e-5
// RUN: tw-reference %s --compare-passes=graph-stage{precision=bf16} --rtol=5e-2 --atol=5e-2

// CHECK-LABEL: func.func @main
// BF16-LABEL: func.func @main
func.func @main(%x: tensor<2x4x8xf32>, %mask: tensor<2x4xf32>) -> tensor<2x4x8xf32> {
  // CHECK: %[[X:.*]] = graph.reshape %arg0 : tensor<2x4x8xf32> to tensor<8x8xf32>
  // CHECK: %[[WQ:.*]] = graph.weight <"q.w", tensor<8x8xf32>, "", [array<i64: 1, 0>]>
  // CHECK: %[[Q:.*]] = graph.matmul %[[X]], %[[WQ]]
  // BF16: %[[WQ:.*]] = graph.weight <"q.w", tensor<8x8xf32>, "", [array<i64: 1, 0>, bf16]>
  // BF16: graph.matmul %{{.*}}, %[[WQ]] : tensor<8x8xbf16>, tensor<8x8xbf16> to tensor<8x8xf32>
  %x2 = graph.reshape %x : tensor<2x4x8xf32> to tensor<8x8xf32>
  %wq = graph.weight <"q.w", tensor<8x8xf32>, "", []> : tensor<8x8xf32>
  %wqt = graph.transpose %wq permutation = [1, 0] : tensor<8x8xf32> to tensor<8x8xf32>
  %q2 = graph.matmul %x2, %wqt : tensor<8x8xf32>, tensor<8x8xf32> to tensor<8x8xf32>
  %q3 = graph.reshape %q2 : tensor<8x8xf32> to tensor<2x4x8xf32>
  %bq = graph.weight <"q.b", tensor<8xf32>, "", []> : tensor<8xf32>
  %bqb = graph.broadcast %bq dims = [2] : tensor<8xf32> to tensor<2x4x8xf32>
  // CHECK: arith.addf %{{.*}} : tensor<8x8xf32>
  %q = arith.addf %q3, %bqb : tensor<2x4x8xf32>
  %q4 = graph.reshape %q : tensor<2x4x8xf32> to tensor<2x4x2x4xf32>
  %qh = graph.transpose %q4 permutation = [0, 2, 1, 3] : tensor<2x4x2x4xf32> to tensor<2x2x4x4xf32>
  %kh = graph.transpose %q4 permutation = [0, 2, 3, 1] : tensor<2x4x2x4xf32> to tensor<2x2x4x4xf32>
  // CHECK: graph.matmul
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: graph.softmax %{{.*}} dim = 3
  %s = graph.matmul %qh, %kh : tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32> to tensor<2x2x4x4xf32>
  %two = arith.constant dense<2.0> : tensor<2x2x4x4xf32>
  %sd = arith.divf %s, %two : tensor<2x2x4x4xf32>
  %m4 = graph.reshape %mask : tensor<2x4xf32> to tensor<2x1x1x4xf32>
  %mb = graph.broadcast %m4 dims = [0, 1, 2, 3] : tensor<2x1x1x4xf32> to tensor<2x2x4x4xf32>
  %sm = arith.addf %sd, %mb : tensor<2x2x4x4xf32>
  %mx = graph.reduce max %sm dims = [3] : tensor<2x2x4x4xf32> to tensor<2x2x4xf32>
  %mxb = graph.broadcast %mx dims = [0, 1, 2] : tensor<2x2x4xf32> to tensor<2x2x4x4xf32>
  %sc = arith.subf %sm, %mxb : tensor<2x2x4x4xf32>
  %e = math.exp %sc : tensor<2x2x4x4xf32>
  %es = graph.reduce sum %e dims = [3] : tensor<2x2x4x4xf32> to tensor<2x2x4xf32>
  %esb = graph.broadcast %es dims = [0, 1, 2] : tensor<2x2x4xf32> to tensor<2x2x4x4xf32>
  %p = arith.divf %e, %esb : tensor<2x2x4x4xf32>
  %o = graph.matmul %p, %qh : tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32> to tensor<2x2x4x4xf32>
  %ot = graph.transpose %o permutation = [0, 2, 1, 3] : tensor<2x2x4x4xf32> to tensor<2x4x2x4xf32>
  %o3 = graph.reshape %ot : tensor<2x4x2x4xf32> to tensor<2x4x8xf32>
  %o2 = graph.reshape %o3 : tensor<2x4x8xf32> to tensor<8x8xf32>
  %wo = graph.weight <"o.w", tensor<8x8xf32>, "", []> : tensor<8x8xf32>
  %y2 = graph.matmul %o2, %wo : tensor<8x8xf32>, tensor<8x8xf32> to tensor<8x8xf32>
  %y3 = graph.reshape %y2 : tensor<8x8xf32> to tensor<2x4x8xf32>
  // The residual and the norm.
  // CHECK: %[[R:.*]] = arith.addf %{{.*}}, %[[X]] : tensor<8x8xf32>
  // CHECK: %[[N:.*]] = graph.layer_norm %[[R]] scale(%{{.*}} : tensor<8xf32>) bias(%{{.*}} : tensor<8xf32>) dim = 1
  %r = arith.addf %y3, %x : tensor<2x4x8xf32>
  %n = arith.constant dense<8.0> : tensor<2x4x1xf32>
  %eps = arith.constant dense<1.0e-05> : tensor<2x4x1xf32>
  %ls = graph.reduce sum %r dims = [2] : tensor<2x4x8xf32> to tensor<2x4xf32>
  %lsr = graph.reshape %ls : tensor<2x4xf32> to tensor<2x4x1xf32>
  %lm = arith.divf %lsr, %n : tensor<2x4x1xf32>
  %lmb = graph.broadcast %lm dims = [0, 1, 2] : tensor<2x4x1xf32> to tensor<2x4x8xf32>
  %lc = arith.subf %r, %lmb : tensor<2x4x8xf32>
  %lq = arith.mulf %lc, %lc : tensor<2x4x8xf32>
  %lt = graph.reduce sum %lq dims = [2] : tensor<2x4x8xf32> to tensor<2x4xf32>
  %ltr = graph.reshape %lt : tensor<2x4xf32> to tensor<2x4x1xf32>
  %lv = arith.divf %ltr, %n : tensor<2x4x1xf32>
  %lve = arith.addf %lv, %eps : tensor<2x4x1xf32>
  %ld = math.sqrt %lve : tensor<2x4x1xf32>
  %ldb = graph.broadcast %ld dims = [0, 1, 2] : tensor<2x4x1xf32> to tensor<2x4x8xf32>
  %ly = arith.divf %lc, %ldb : tensor<2x4x8xf32>
  %g = graph.weight <"ln.g", tensor<8xf32>, "", []> : tensor<8xf32>
  %gb = graph.broadcast %g dims = [2] : tensor<8xf32> to tensor<2x4x8xf32>
  %lyg = arith.mulf %ly, %gb : tensor<2x4x8xf32>
  %b = graph.weight <"ln.b", tensor<8xf32>, "", []> : tensor<8xf32>
  %bb = graph.broadcast %b dims = [2] : tensor<8xf32> to tensor<2x4x8xf32>
  %lyb = arith.addf %lyg, %bb : tensor<2x4x8xf32>
  // CHECK: %[[G:.*]] = graph.gelu erf %[[N]] : tensor<8x8xf32>
  %half = arith.constant dense<0.5> : tensor<2x4x8xf32>
  %one = arith.constant dense<1.0> : tensor<2x4x8xf32>
  %root = arith.constant dense<1.41421354> : tensor<2x4x8xf32>
  %g0 = arith.divf %lyb, %root : tensor<2x4x8xf32>
  %g1 = math.erf %g0 : tensor<2x4x8xf32>
  %g2 = arith.addf %g1, %one : tensor<2x4x8xf32>
  %g3 = arith.mulf %lyb, %g2 : tensor<2x4x8xf32>
  %g4 = arith.mulf %g3, %half : tensor<2x4x8xf32>
  // CHECK: %[[Y:.*]] = graph.reshape %[[G]] : tensor<8x8xf32> to tensor<2x4x8xf32>
  // CHECK-NEXT: return %[[Y]]
  return %g4 : tensor<2x4x8xf32>
}
