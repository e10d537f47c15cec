// Tensors become bytes: outputs in place, reshapes free, bytes shared by what never lives together, and an event for
// every hazard that no other implies.
// RUN: tw-opt %s --plan-assign-buffers --verify-plan-form --split-input-file | FileCheck %s
// RUN: tw-opt %s --plan-assign-buffers="reuse-in-order" --verify-plan-form --split-input-file | FileCheck %s --check-prefix=ORDER

graph.kernel anchor(elementwise) @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  graph.return %a : tensor<64xf32>
}

// A chain needs two places, since a launch may not write what it reads; the last result is written in place.
// CHECK-LABEL: plan.program @chain()
// CHECK: %[[X:.*]] = plan.input "x" tensor<64xf32> as !plan.buffer<256>
// CHECK: %[[Y:.*]] = plan.output "y" tensor<8x8xf32> as !plan.buffer<256>
// CHECK: %[[ARENA:.*]] = plan.arena : !plan.buffer<512>
// CHECK-DAG: %[[A:.*]] = plan.view %[[ARENA]][0]
// CHECK-DAG: %[[B:.*]] = plan.view %[[ARENA]][256]
// CHECK-DAG: %[[C:.*]] = plan.view %[[ARENA]][0]
// CHECK: %[[E0:.*]] = plan.launch @f(%[[X]]) into(%[[A]] : !plan.buffer<256>) : (!plan.buffer<256>) -> !plan.event
// CHECK: %[[E1:.*]] = plan.launch @f(%[[A]]) into(%[[B]] : !plan.buffer<256>) after(%[[E0]])
// CHECK: %[[E2:.*]] = plan.launch @f(%[[B]]) into(%[[C]] : !plan.buffer<256>) after(%[[E1]])
// CHECK: plan.launch @f(%[[C]]) into(%[[Y]] : !plan.buffer<256>) after(%[[E2]])
// CHECK-NEXT: plan.return
plan.program @chain(%x: tensor<64xf32> {plan.name = "x"}) -> (tensor<8x8xf32> {plan.name = "y"}) {
  %0 = plan.launch @f(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %1 = plan.launch @f(%0) : (tensor<64xf32>) -> tensor<64xf32>
  %2 = plan.launch @f(%1) : (tensor<64xf32>) -> tensor<64xf32>
  %3 = plan.launch @f(%2) : (tensor<64xf32>) -> tensor<64xf32>
  %4 = graph.reshape %3 : tensor<64xf32> to tensor<8x8xf32>
  plan.return %4 : tensor<8x8xf32>
}

// -----

graph.kernel anchor(elementwise) @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  graph.return %a : tensor<64xf32>
}
graph.kernel anchor(elementwise) @add(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  graph.return %a : tensor<64xf32>
}

// Two branches stay free of each other: neither waits for the other's launches, nor takes bytes the other reads.
// CHECK-LABEL: plan.program @branches()
// CHECK: plan.arena : !plan.buffer<1024>
// CHECK: %[[L0:.*]] = plan.launch @f(%x) into(%[[A:.*]] : !plan.buffer<256>) : (
// CHECK: %[[L1:.*]] = plan.launch @f(%[[A]]) into(%{{.*}}) after(%[[L0]]) :
// CHECK: %[[R0:.*]] = plan.launch @f(%x) into(%[[B:.*]] : !plan.buffer<256>) : (
// CHECK: %[[R1:.*]] = plan.launch @f(%[[B]]) into(%{{.*}}) after(%[[R0]]) :
// CHECK: plan.launch @add({{.*}}) into(%y : !plan.buffer<256>) after(%[[L1]], %[[R1]]) :

// Sharing bytes in launch order takes less memory, and makes the second branch wait for the first.
// ORDER-LABEL: plan.program @branches()
// ORDER: plan.arena : !plan.buffer<768>
// ORDER: %[[L0:.*]] = plan.launch @f(%x) into(%[[A:.*]] : !plan.buffer<256>) : (
// ORDER: %[[L1:.*]] = plan.launch @f(%[[A]]) into(%{{.*}}) after(%[[L0]]) :
// ORDER: plan.launch @f(%x) into(%{{.*}}) after(%[[L1]]) :
plan.program @branches(%x: tensor<64xf32> {plan.name = "x"}) -> (tensor<64xf32> {plan.name = "y"}) {
  %l0 = plan.launch @f(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %l1 = plan.launch @f(%l0) : (tensor<64xf32>) -> tensor<64xf32>
  %r0 = plan.launch @f(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %r1 = plan.launch @f(%r0) : (tensor<64xf32>) -> tensor<64xf32>
  %y = plan.launch @add(%l1, %r1) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  plan.return %y : tensor<64xf32>
}

// -----

graph.kernel anchor(elementwise) @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  graph.return %a : tensor<64xf32>
}

// What is a result twice, an input, a weight or one number throughout is copied or filled.
// CHECK-LABEL: plan.program @results()
// CHECK-NOT: plan.arena
// CHECK: %[[W:.*]] = plan.weight #graph.weight<"w"
// CHECK-NOT: plan.weight
// CHECK: %[[E:.*]] = plan.launch @f(%x) into(%first : !plan.buffer<256>) :
// CHECK: plan.copy %first into %second after(%[[E]]) : !plan.buffer<256>
// CHECK: plan.copy %x into %third : !plan.buffer<256>
// CHECK: plan.copy %[[W]] into %fourth : !plan.buffer<256>
// CHECK: plan.fill %fifth with 2.000000e+00 : f32 : !plan.buffer<8>
// CHECK: plan.fill %sixth with 1 : i8 : !plan.buffer<3>
plan.program @results(%x: tensor<64xf32> {plan.name = "x"})
    -> (tensor<64xf32> {plan.name = "first"}, tensor<64xf32> {plan.name = "second"},
        tensor<64xf32> {plan.name = "third"}, tensor<64xf32> {plan.name = "fourth"},
        tensor<2xf32> {plan.name = "fifth"}, tensor<3xi1> {plan.name = "sixth"}) {
  %w = graph.weight <"w", tensor<64xf32>, "", []> : tensor<64xf32>
  %c = arith.constant dense<2.0> : tensor<2xf32>
  %b = arith.constant dense<true> : tensor<3xi1>
  %0 = plan.launch @f(%x) : (tensor<64xf32>) -> tensor<64xf32>
  plan.return %0, %0, %x, %w, %c, %b
    : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<2xf32>, tensor<3xi1>
}

// -----

graph.kernel anchor(elementwise) @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  graph.return %a : tensor<64xf32>
}

// Equal weights are one buffer.
// CHECK-LABEL: plan.program @weights()
// CHECK: %[[W:.*]] = plan.weight
// CHECK-NOT: plan.weight
// CHECK: plan.launch @f(%[[W]])
// CHECK: plan.launch @f(%[[W]])
plan.program @weights() -> (tensor<64xf32> {plan.name = "a"}, tensor<64xf32> {plan.name = "b"}) {
  %w0 = graph.weight <"w", tensor<64xf32>, "", []> : tensor<64xf32>
  %w1 = graph.weight <"w", tensor<64xf32>, "", []> : tensor<64xf32>
  %0 = plan.launch @f(%w0) : (tensor<64xf32>) -> tensor<64xf32>
  %1 = plan.launch @f(%w1) : (tensor<64xf32>) -> tensor<64xf32>
  plan.return %0, %1 : tensor<64xf32>, tensor<64xf32>
}
