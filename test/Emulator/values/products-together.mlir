// Products that share an operand in one kernel: on single warps, with and without matrix instructions, ragged and batched,
// and both results stored. Each program is one launch.
// RUN: tw-check %s --quiet
// RUN: tw-opt --fuse-stage %s | FileCheck %s --implicit-check-not=plan.launch

// CHECK-LABEL: plan.program @f32
// CHECK: plan.launch
func.func @f32(%x: tensor<37x24xf32>, %g: tensor<24x50xf32>, %u: tensor<24x50xf32>, %c: tensor<50xf32>, %d: tensor<50xf32>) -> tensor<37x50xf32>
    attributes {check.rtol = 1.0e-5, check.atol = 1.0e-4} {
  %g0 = graph.matmul %x, %g : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %gw = graph.broadcast %c dims = [1] : tensor<50xf32> to tensor<37x50xf32>
  %g1 = arith.addf %g0, %gw : tensor<37x50xf32>
  %u0 = graph.matmul %x, %u : tensor<37x24xf32>, tensor<24x50xf32> to tensor<37x50xf32>
  %uw = graph.broadcast %d dims = [1] : tensor<50xf32> to tensor<37x50xf32>
  %u1 = arith.addf %u0, %uw : tensor<37x50xf32>
  %e = arith.negf %g1 : tensor<37x50xf32>
  %f = math.exp %e : tensor<37x50xf32>
  %one = arith.constant dense<1.0> : tensor<37x50xf32>
  %h = arith.addf %f, %one : tensor<37x50xf32>
  %i = arith.divf %g1, %h : tensor<37x50xf32>
  %j = arith.mulf %i, %u1 : tensor<37x50xf32>
  return %j : tensor<37x50xf32>
}

// CHECK-LABEL: plan.program @f32_tile
// CHECK: plan.launch
func.func @f32_tile(%x: tensor<70x64xf32>, %g: tensor<64x130xf32>, %u: tensor<64x130xf32>) -> tensor<70x130xf32>
    attributes {check.rtol = 1.0e-5, check.atol = 1.0e-4} {
  %g0 = graph.matmul %x, %g : tensor<70x64xf32>, tensor<64x130xf32> to tensor<70x130xf32>
  %u0 = graph.matmul %x, %u : tensor<70x64xf32>, tensor<64x130xf32> to tensor<70x130xf32>
  %e = arith.negf %g0 : tensor<70x130xf32>
  %f = math.exp %e : tensor<70x130xf32>
  %one = arith.constant dense<1.0> : tensor<70x130xf32>
  %h = arith.addf %f, %one : tensor<70x130xf32>
  %i = arith.divf %g0, %h : tensor<70x130xf32>
  %j = arith.mulf %i, %u0 : tensor<70x130xf32>
  return %j : tensor<70x130xf32>
}

// CHECK-LABEL: plan.program @bf16
// CHECK: plan.launch
func.func @bf16(%x: tensor<100x64xbf16>, %g: tensor<64x130xbf16>, %u: tensor<64x130xbf16>, %c: tensor<130xf32>, %d: tensor<130xf32>) -> tensor<100x130xbf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %g0 = graph.matmul %x, %g : tensor<100x64xbf16>, tensor<64x130xbf16> to tensor<100x130xf32>
  %gw = graph.broadcast %c dims = [1] : tensor<130xf32> to tensor<100x130xf32>
  %g1 = arith.addf %g0, %gw : tensor<100x130xf32>
  %u0 = graph.matmul %x, %u : tensor<100x64xbf16>, tensor<64x130xbf16> to tensor<100x130xf32>
  %uw = graph.broadcast %d dims = [1] : tensor<130xf32> to tensor<100x130xf32>
  %u1 = arith.addf %u0, %uw : tensor<100x130xf32>
  %e = arith.negf %g1 : tensor<100x130xf32>
  %f = math.exp %e : tensor<100x130xf32>
  %one = arith.constant dense<1.0> : tensor<100x130xf32>
  %h = arith.addf %f, %one : tensor<100x130xf32>
  %i = arith.divf %g1, %h : tensor<100x130xf32>
  %j = arith.mulf %i, %u1 : tensor<100x130xf32>
  %n = arith.truncf %j : tensor<100x130xf32> to tensor<100x130xbf16>
  return %n : tensor<100x130xbf16>
}

// CHECK-LABEL: plan.program @bf16_ragged
// CHECK: plan.launch
func.func @bf16_ragged(%x: tensor<33x51xbf16>, %g: tensor<51x65xbf16>, %u: tensor<51x65xbf16>) -> tensor<33x65xbf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %g0 = graph.matmul %x, %g : tensor<33x51xbf16>, tensor<51x65xbf16> to tensor<33x65xf32>
  %u0 = graph.matmul %x, %u : tensor<33x51xbf16>, tensor<51x65xbf16> to tensor<33x65xf32>
  %e = arith.negf %g0 : tensor<33x65xf32>
  %f = math.exp %e : tensor<33x65xf32>
  %one = arith.constant dense<1.0> : tensor<33x65xf32>
  %h = arith.addf %f, %one : tensor<33x65xf32>
  %i = arith.divf %g0, %h : tensor<33x65xf32>
  %j = arith.mulf %i, %u0 : tensor<33x65xf32>
  %n = arith.truncf %j : tensor<33x65xf32> to tensor<33x65xbf16>
  return %n : tensor<33x65xbf16>
}

// CHECK-LABEL: plan.program @f16_transposed
// CHECK: plan.launch
func.func @f16_transposed(%x: tensor<130x96xf16>, %g: tensor<72x96xf16>, %u: tensor<72x96xf16>) -> tensor<130x72xf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %gt = graph.transpose %g permutation = [1, 0] : tensor<72x96xf16> to tensor<96x72xf16>
  %g0 = graph.matmul %x, %gt : tensor<130x96xf16>, tensor<96x72xf16> to tensor<130x72xf32>
  %ut = graph.transpose %u permutation = [1, 0] : tensor<72x96xf16> to tensor<96x72xf16>
  %u0 = graph.matmul %x, %ut : tensor<130x96xf16>, tensor<96x72xf16> to tensor<130x72xf32>
  %e = arith.negf %g0 : tensor<130x72xf32>
  %f = math.exp %e : tensor<130x72xf32>
  %one = arith.constant dense<1.0> : tensor<130x72xf32>
  %h = arith.addf %f, %one : tensor<130x72xf32>
  %i = arith.divf %g0, %h : tensor<130x72xf32>
  %j = arith.mulf %i, %u0 : tensor<130x72xf32>
  %n = arith.truncf %j : tensor<130x72xf32> to tensor<130x72xf16>
  return %n : tensor<130x72xf16>
}

// CHECK-LABEL: plan.program @bf16_batched
// CHECK: plan.launch
func.func @bf16_batched(%x: tensor<3x40x32xbf16>, %g: tensor<3x32x64xbf16>, %u: tensor<3x32x64xbf16>) -> tensor<3x40x64xbf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %g0 = graph.matmul %x, %g : tensor<3x40x32xbf16>, tensor<3x32x64xbf16> to tensor<3x40x64xf32>
  %u0 = graph.matmul %x, %u : tensor<3x40x32xbf16>, tensor<3x32x64xbf16> to tensor<3x40x64xf32>
  %e = arith.negf %g0 : tensor<3x40x64xf32>
  %f = math.exp %e : tensor<3x40x64xf32>
  %one = arith.constant dense<1.0> : tensor<3x40x64xf32>
  %h = arith.addf %f, %one : tensor<3x40x64xf32>
  %i = arith.divf %g0, %h : tensor<3x40x64xf32>
  %j = arith.mulf %i, %u0 : tensor<3x40x64xf32>
  %n = arith.truncf %j : tensor<3x40x64xf32> to tensor<3x40x64xbf16>
  return %n : tensor<3x40x64xbf16>
}

// CHECK-LABEL: plan.program @bf16_batch_of_rows
// CHECK: plan.launch
func.func @bf16_batch_of_rows(%x: tensor<3x40x32xbf16>, %g: tensor<32x64xbf16>, %u: tensor<32x64xbf16>) -> tensor<3x40x64xbf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %gb = graph.broadcast %g dims = [1, 2] : tensor<32x64xbf16> to tensor<3x32x64xbf16>
  %g0 = graph.matmul %x, %gb : tensor<3x40x32xbf16>, tensor<3x32x64xbf16> to tensor<3x40x64xf32>
  %ub = graph.broadcast %u dims = [1, 2] : tensor<32x64xbf16> to tensor<3x32x64xbf16>
  %u0 = graph.matmul %x, %ub : tensor<3x40x32xbf16>, tensor<3x32x64xbf16> to tensor<3x40x64xf32>
  %e = arith.negf %g0 : tensor<3x40x64xf32>
  %f = math.exp %e : tensor<3x40x64xf32>
  %one = arith.constant dense<1.0> : tensor<3x40x64xf32>
  %h = arith.addf %f, %one : tensor<3x40x64xf32>
  %i = arith.divf %g0, %h : tensor<3x40x64xf32>
  %j = arith.mulf %i, %u0 : tensor<3x40x64xf32>
  %n = arith.truncf %j : tensor<3x40x64xf32> to tensor<3x40x64xbf16>
  return %n : tensor<3x40x64xbf16>
}

// CHECK-LABEL: plan.program @one_step
// CHECK: plan.launch
func.func @one_step(%x: tensor<16x16xbf16>, %g: tensor<16x16xbf16>, %u: tensor<16x16xbf16>) -> tensor<16x16xbf16>
    attributes {check.rtol = 8.0e-3, check.atol = 2.0e-2} {
  %g0 = graph.matmul %x, %g : tensor<16x16xbf16>, tensor<16x16xbf16> to tensor<16x16xf32>
  %u0 = graph.matmul %x, %u : tensor<16x16xbf16>, tensor<16x16xbf16> to tensor<16x16xf32>
  %e = arith.negf %g0 : tensor<16x16xf32>
  %f = math.exp %e : tensor<16x16xf32>
  %one = arith.constant dense<1.0> : tensor<16x16xf32>
  %h = arith.addf %f, %one : tensor<16x16xf32>
  %i = arith.divf %g0, %h : tensor<16x16xf32>
  %j = arith.mulf %i, %u0 : tensor<16x16xf32>
  %n = arith.truncf %j : tensor<16x16xf32> to tensor<16x16xbf16>
  return %n : tensor<16x16xbf16>
}

// CHECK-LABEL: plan.program @f64
// CHECK: plan.launch
func.func @f64(%x: tensor<20x40xf64>, %g: tensor<40x24xf64>, %u: tensor<40x24xf64>) -> tensor<20x24xf64>
    attributes {check.rtol = 1.0e-5, check.atol = 1.0e-4} {
  %g0 = graph.matmul %x, %g : tensor<20x40xf64>, tensor<40x24xf64> to tensor<20x24xf64>
  %u0 = graph.matmul %x, %u : tensor<20x40xf64>, tensor<40x24xf64> to tensor<20x24xf64>
  %e = arith.negf %g0 : tensor<20x24xf64>
  %f = math.exp %e : tensor<20x24xf64>
  %one = arith.constant dense<1.0> : tensor<20x24xf64>
  %h = arith.addf %f, %one : tensor<20x24xf64>
  %i = arith.divf %g0, %h : tensor<20x24xf64>
  %j = arith.mulf %i, %u0 : tensor<20x24xf64>
  return %j : tensor<20x24xf64>
}
