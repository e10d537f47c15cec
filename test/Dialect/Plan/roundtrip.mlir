// Both forms of a program print as they parse, as text and as bytecode.
// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --emit-bytecode | tw-opt | FileCheck %s

// CHECK-LABEL: graph.kernel anchor(elementwise) @k
graph.kernel anchor(elementwise) @k(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = arith.addf %a, %b : tensor<8xf32>
  graph.return %0, %a : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: plan.program @tensors(
// CHECK-SAME: %[[X:.*]]: tensor<2x4xf32> {plan.name = "x", plan.symbols = ["batch", ""]}
// CHECK-SAME: -> (tensor<8xf32> {plan.name = "y"})
// CHECK-SAME: bucket = [#plan.dim<"batch", 2>]
plan.program @tensors(%x: tensor<2x4xf32> {plan.name = "x", plan.symbols = ["batch", ""]})
    -> (tensor<8xf32> {plan.name = "y"}) attributes {bucket = [#plan.dim<"batch", 2>]} {
  // CHECK: %[[W:.*]] = graph.weight
  // CHECK: %[[V:.*]] = graph.reshape %[[X]]
  // CHECK: %{{.*}}:2 = plan.launch @k(%[[V]], %[[W]]) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 64, written = 64>, plan.sources = ["/add"]} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %w = graph.weight <"w", tensor<8xf32>, "", []> : tensor<8xf32>
  %0 = graph.reshape %x : tensor<2x4xf32> to tensor<8xf32>
  %1:2 = plan.launch @k(%0, %w) {
    plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 64, written = 64>,
    plan.sources = ["/add"]} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK: plan.return %{{.*}}#0 : tensor<8xf32>
  plan.return %1#0 : tensor<8xf32>
}

// A launch may start before the end of another, and has kernels for other chips.
// CHECK-LABEL: plan.program @edges() {
plan.program @edges() {
  // CHECK: %[[E:.*]] = plan.launch @k
  // CHECK-NEXT: plan.launch @k({{.*}}) into({{.*}}) programmatic(%[[E]]) {plan.variants = [@k]} : (
  // CHECK-NEXT: plan.launch @k({{.*}}) into({{.*}}) after(%[[E]]) programmatic(%{{.*}}) : (
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  %z = plan.output "z" tensor<8xf32> as !plan.buffer<32>
  %e0 = plan.launch @k(%x, %x) into(%y, %z : !plan.buffer<32>, !plan.buffer<32>)
      : (!plan.buffer<32>, !plan.buffer<32>) -> !plan.event
  %e1 = plan.launch @k(%x, %x) into(%y, %z : !plan.buffer<32>, !plan.buffer<32>) programmatic(%e0)
      {plan.variants = [@k]} : (!plan.buffer<32>, !plan.buffer<32>) -> !plan.event
  %e2 = plan.launch @k(%x, %x) into(%y, %z : !plan.buffer<32>, !plan.buffer<32>) after(%e0) programmatic(%e1)
      : (!plan.buffer<32>, !plan.buffer<32>) -> !plan.event
  plan.return
}

// CHECK-LABEL: plan.program @buffers() {
plan.program @buffers() {
  // CHECK-NEXT: %[[IN:.*]] = plan.input "x" tensor<2x4xf32> symbols ["batch", ""] as !plan.buffer<32>
  // CHECK-NEXT: %[[OUT:.*]] = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  // CHECK-NEXT: %[[Z:.*]] = plan.output "z" tensor<8xf32> as !plan.buffer<32>
  // CHECK-NEXT: %[[W:.*]] = plan.weight #graph.weight<"w", tensor<8xf32>, "", []> as !plan.buffer<32>
  // CHECK-NEXT: %[[C:.*]] = plan.weight dense<[1, 2]> : tensor<2xi64> as !plan.buffer<16>
  // CHECK-NEXT: %[[ARENA:.*]] = plan.arena : !plan.buffer<512>
  // CHECK-NEXT: %[[V:.*]] = plan.view %[[ARENA]][256] : !plan.buffer<512> to !plan.buffer<32>
  %x = plan.input "x" tensor<2x4xf32> symbols ["batch", ""] as !plan.buffer<32>
  %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  %z = plan.output "z" tensor<8xf32> as !plan.buffer<32>
  %w = plan.weight #graph.weight<"w", tensor<8xf32>, "", []> as !plan.buffer<32>
  %c = plan.weight dense<[1, 2]> : tensor<2xi64> as !plan.buffer<16>
  %arena = plan.arena : !plan.buffer<512>
  %v = plan.view %arena[256] : !plan.buffer<512> to !plan.buffer<32>
  // CHECK-NEXT: %[[E0:.*]] = plan.fill %[[V]] with 1.000000e+00 : f32 : !plan.buffer<32>
  // CHECK-NEXT: %[[E1:.*]] = plan.launch @k(%[[IN]], %[[W]]) into(%[[OUT]], %[[V]] : !plan.buffer<32>, !plan.buffer<32>) after(%[[E0]]) : (!plan.buffer<32>, !plan.buffer<32>) -> !plan.event
  // CHECK-NEXT: plan.copy %[[OUT]] into %[[Z]] after(%[[E0]], %[[E1]]) : !plan.buffer<32>
  %e0 = plan.fill %v with 1.0 : f32 : !plan.buffer<32>
  %e1 = plan.launch @k(%x, %w) into(%y, %v : !plan.buffer<32>, !plan.buffer<32>) after(%e0)
    : (!plan.buffer<32>, !plan.buffer<32>) -> !plan.event
  %e2 = plan.copy %y into %z after(%e0, %e1) : !plan.buffer<32>
  plan.return
}
