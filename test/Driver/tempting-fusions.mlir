// Programs built to tempt fusion: a dozen rows that are live at once, many results of one tensor, a small dear value beside a
// large cheap one. Kernels are cut or scheduled such that little is spilled, in as many launches as are asserted here.
// REQUIRES: ptxas
// RUN: rm -rf %t && split-file %s %t
// RUN: tw-compile %t/rows.mlir --report=text --target=sm_90a --stop-after=package | FileCheck %s --check-prefixes=CHECK,ROWS
// RUN: tw-compile %t/fan.mlir --report=text --target=sm_90a --stop-after=package | FileCheck %s --check-prefixes=CHECK,FAN
// RUN: tw-compile %t/mixed.mlir --report=text --target=sm_90a --stop-after=package | FileCheck %s --check-prefixes=CHECK,MIXED

// CHECK-NOT: registers are spilled
// ROWS: main: 1 launches
// FAN: main: 1 launches
// MIXED: main: 2 launches

//--- rows.mlir
func.func @main(%x: tensor<2048x10007xbf16>) -> tensor<2048x10007xf32> {
  %w = arith.extf %x : tensor<2048x10007xbf16> to tensor<2048x10007xf32>
  %c0 = arith.constant dense<1.25> : tensor<2048x10007xf32>
  %p0 = arith.subf %w, %c0 : tensor<2048x10007xf32>
  %f0 = arith.mulf %p0, %p0 : tensor<2048x10007xf32>
  %r0 = graph.reduce max %f0 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b0 = graph.broadcast %r0 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d0 = arith.subf %f0, %b0 : tensor<2048x10007xf32>
  %c1 = arith.constant dense<2.25> : tensor<2048x10007xf32>
  %p1 = arith.subf %w, %c1 : tensor<2048x10007xf32>
  %f1 = arith.mulf %p1, %p1 : tensor<2048x10007xf32>
  %r1 = graph.reduce max %f1 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b1 = graph.broadcast %r1 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d1 = arith.subf %f1, %b1 : tensor<2048x10007xf32>
  %c2 = arith.constant dense<3.25> : tensor<2048x10007xf32>
  %p2 = arith.subf %w, %c2 : tensor<2048x10007xf32>
  %f2 = arith.mulf %p2, %p2 : tensor<2048x10007xf32>
  %r2 = graph.reduce max %f2 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b2 = graph.broadcast %r2 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d2 = arith.subf %f2, %b2 : tensor<2048x10007xf32>
  %c3 = arith.constant dense<4.25> : tensor<2048x10007xf32>
  %p3 = arith.subf %w, %c3 : tensor<2048x10007xf32>
  %f3 = arith.mulf %p3, %p3 : tensor<2048x10007xf32>
  %r3 = graph.reduce max %f3 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b3 = graph.broadcast %r3 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d3 = arith.subf %f3, %b3 : tensor<2048x10007xf32>
  %c4 = arith.constant dense<5.25> : tensor<2048x10007xf32>
  %p4 = arith.subf %w, %c4 : tensor<2048x10007xf32>
  %f4 = arith.mulf %p4, %p4 : tensor<2048x10007xf32>
  %r4 = graph.reduce max %f4 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b4 = graph.broadcast %r4 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d4 = arith.subf %f4, %b4 : tensor<2048x10007xf32>
  %c5 = arith.constant dense<6.25> : tensor<2048x10007xf32>
  %p5 = arith.subf %w, %c5 : tensor<2048x10007xf32>
  %f5 = arith.mulf %p5, %p5 : tensor<2048x10007xf32>
  %r5 = graph.reduce max %f5 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b5 = graph.broadcast %r5 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d5 = arith.subf %f5, %b5 : tensor<2048x10007xf32>
  %c6 = arith.constant dense<7.25> : tensor<2048x10007xf32>
  %p6 = arith.subf %w, %c6 : tensor<2048x10007xf32>
  %f6 = arith.mulf %p6, %p6 : tensor<2048x10007xf32>
  %r6 = graph.reduce max %f6 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b6 = graph.broadcast %r6 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d6 = arith.subf %f6, %b6 : tensor<2048x10007xf32>
  %c7 = arith.constant dense<8.25> : tensor<2048x10007xf32>
  %p7 = arith.subf %w, %c7 : tensor<2048x10007xf32>
  %f7 = arith.mulf %p7, %p7 : tensor<2048x10007xf32>
  %r7 = graph.reduce max %f7 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b7 = graph.broadcast %r7 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d7 = arith.subf %f7, %b7 : tensor<2048x10007xf32>
  %c8 = arith.constant dense<9.25> : tensor<2048x10007xf32>
  %p8 = arith.subf %w, %c8 : tensor<2048x10007xf32>
  %f8 = arith.mulf %p8, %p8 : tensor<2048x10007xf32>
  %r8 = graph.reduce max %f8 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b8 = graph.broadcast %r8 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d8 = arith.subf %f8, %b8 : tensor<2048x10007xf32>
  %c9 = arith.constant dense<10.25> : tensor<2048x10007xf32>
  %p9 = arith.subf %w, %c9 : tensor<2048x10007xf32>
  %f9 = arith.mulf %p9, %p9 : tensor<2048x10007xf32>
  %r9 = graph.reduce max %f9 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b9 = graph.broadcast %r9 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d9 = arith.subf %f9, %b9 : tensor<2048x10007xf32>
  %c10 = arith.constant dense<11.25> : tensor<2048x10007xf32>
  %p10 = arith.subf %w, %c10 : tensor<2048x10007xf32>
  %f10 = arith.mulf %p10, %p10 : tensor<2048x10007xf32>
  %r10 = graph.reduce max %f10 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b10 = graph.broadcast %r10 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d10 = arith.subf %f10, %b10 : tensor<2048x10007xf32>
  %c11 = arith.constant dense<12.25> : tensor<2048x10007xf32>
  %p11 = arith.subf %w, %c11 : tensor<2048x10007xf32>
  %f11 = arith.mulf %p11, %p11 : tensor<2048x10007xf32>
  %r11 = graph.reduce max %f11 dims = [1] : tensor<2048x10007xf32> to tensor<2048xf32>
  %b11 = graph.broadcast %r11 dims = [0] : tensor<2048xf32> to tensor<2048x10007xf32>
  %d11 = arith.subf %f11, %b11 : tensor<2048x10007xf32>
  %s1 = arith.mulf %d0, %d1 : tensor<2048x10007xf32>
  %s2 = arith.mulf %s1, %d2 : tensor<2048x10007xf32>
  %s3 = arith.mulf %s2, %d3 : tensor<2048x10007xf32>
  %s4 = arith.mulf %s3, %d4 : tensor<2048x10007xf32>
  %s5 = arith.mulf %s4, %d5 : tensor<2048x10007xf32>
  %s6 = arith.mulf %s5, %d6 : tensor<2048x10007xf32>
  %s7 = arith.mulf %s6, %d7 : tensor<2048x10007xf32>
  %s8 = arith.mulf %s7, %d8 : tensor<2048x10007xf32>
  %s9 = arith.mulf %s8, %d9 : tensor<2048x10007xf32>
  %s10 = arith.mulf %s9, %d10 : tensor<2048x10007xf32>
  %s11 = arith.mulf %s10, %d11 : tensor<2048x10007xf32>
  return %s11 : tensor<2048x10007xf32>
}

//--- fan.mlir
func.func @main(%x: tensor<4099x1001xf32>) -> (tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>) {
  %c0 = arith.constant dense<1.5> : tensor<4099x1001xf32>
  %a0 = arith.mulf %x, %c0 : tensor<4099x1001xf32>
  %y0 = math.tanh %a0 : tensor<4099x1001xf32>
  %c1 = arith.constant dense<2.5> : tensor<4099x1001xf32>
  %a1 = arith.mulf %x, %c1 : tensor<4099x1001xf32>
  %y1 = math.exp %a1 : tensor<4099x1001xf32>
  %c2 = arith.constant dense<3.5> : tensor<4099x1001xf32>
  %a2 = arith.mulf %x, %c2 : tensor<4099x1001xf32>
  %y2 = math.erf %a2 : tensor<4099x1001xf32>
  %c3 = arith.constant dense<4.5> : tensor<4099x1001xf32>
  %a3 = arith.mulf %x, %c3 : tensor<4099x1001xf32>
  %y3 = math.sqrt %a3 : tensor<4099x1001xf32>
  %c4 = arith.constant dense<5.5> : tensor<4099x1001xf32>
  %a4 = arith.mulf %x, %c4 : tensor<4099x1001xf32>
  %y4 = math.tanh %a4 : tensor<4099x1001xf32>
  %c5 = arith.constant dense<6.5> : tensor<4099x1001xf32>
  %a5 = arith.mulf %x, %c5 : tensor<4099x1001xf32>
  %y5 = math.exp %a5 : tensor<4099x1001xf32>
  %c6 = arith.constant dense<7.5> : tensor<4099x1001xf32>
  %a6 = arith.mulf %x, %c6 : tensor<4099x1001xf32>
  %y6 = math.erf %a6 : tensor<4099x1001xf32>
  %c7 = arith.constant dense<8.5> : tensor<4099x1001xf32>
  %a7 = arith.mulf %x, %c7 : tensor<4099x1001xf32>
  %y7 = math.sqrt %a7 : tensor<4099x1001xf32>
  %c8 = arith.constant dense<9.5> : tensor<4099x1001xf32>
  %a8 = arith.mulf %x, %c8 : tensor<4099x1001xf32>
  %y8 = math.tanh %a8 : tensor<4099x1001xf32>
  %c9 = arith.constant dense<10.5> : tensor<4099x1001xf32>
  %a9 = arith.mulf %x, %c9 : tensor<4099x1001xf32>
  %y9 = math.exp %a9 : tensor<4099x1001xf32>
  %c10 = arith.constant dense<11.5> : tensor<4099x1001xf32>
  %a10 = arith.mulf %x, %c10 : tensor<4099x1001xf32>
  %y10 = math.erf %a10 : tensor<4099x1001xf32>
  %c11 = arith.constant dense<12.5> : tensor<4099x1001xf32>
  %a11 = arith.mulf %x, %c11 : tensor<4099x1001xf32>
  %y11 = math.sqrt %a11 : tensor<4099x1001xf32>
  %c12 = arith.constant dense<13.5> : tensor<4099x1001xf32>
  %a12 = arith.mulf %x, %c12 : tensor<4099x1001xf32>
  %y12 = math.tanh %a12 : tensor<4099x1001xf32>
  %c13 = arith.constant dense<14.5> : tensor<4099x1001xf32>
  %a13 = arith.mulf %x, %c13 : tensor<4099x1001xf32>
  %y13 = math.exp %a13 : tensor<4099x1001xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11, %y12, %y13 : tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>, tensor<4099x1001xf32>
}
//--- mixed.mlir
func.func @main(%x: tensor<8192x2048xf32>, %v: tensor<2048xf32>) -> (tensor<8192x2048xf32>, tensor<2048xf32>) {
  %0 = math.powf %v, %v : tensor<2048xf32>
  %1 = math.powf %0, %v : tensor<2048xf32>
  %2 = math.powf %1, %v : tensor<2048xf32>
  %3 = math.powf %2, %v : tensor<2048xf32>
  %b = graph.broadcast %3 dims = [1] : tensor<2048xf32> to tensor<8192x2048xf32>
  %y = arith.addf %x, %b : tensor<8192x2048xf32>
  %c = graph.reduce sum %y dims = [0] : tensor<8192x2048xf32> to tensor<2048xf32>
  return %y, %c : tensor<8192x2048xf32>, tensor<2048xf32>
}
