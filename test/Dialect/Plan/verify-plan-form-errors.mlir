// Every rule of verify-plan-form rejects a program that breaks it.
// RUN: tw-opt %s --verify-plan-form --split-input-file --verify-diagnostics

// plan_form_1
// expected-error@+1 {{has 1 arguments and 0 results, the buffer form has none}}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) {
  plan.return
}

// -----

plan.program @main() {
  // plan_form_1
  // expected-error@+1 {{has no place in the buffer form}}
  %0 = arith.constant dense<1.0> : tensor<8xf32>
  plan.return
}

// -----

plan.program @main() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  // plan_form_2
  // expected-error@+1 {{writes to a plan.input}}
  %e = plan.fill %x with 0.0 : f32 : !plan.buffer<32>
  plan.return
}

// -----

graph.kernel anchor(elementwise) @k(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  graph.return %a, %a : tensor<8xf32>, tensor<8xf32>
}
plan.program @main() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  // plan_form_3
  // expected-error@+1 {{writes bytes [0, 32) and [0, 32) of one buffer}}
  %e = plan.launch @k(%x) into(%y, %y : !plan.buffer<32>, !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
  plan.return
}

// -----

plan.program @main() {
  %arena = plan.arena : !plan.buffer<512>
  %a = plan.view %arena[0] : !plan.buffer<512> to !plan.buffer<512>
  // plan_form_3
  // expected-error@+1 {{writes bytes [0, 512) of a buffer of which it reads [0, 512)}}
  %e = plan.copy %arena into %a : !plan.buffer<512>
  plan.return
}

// -----

plan.program @main() {
  %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  // expected-note@+1 {{earlier work}}
  %e0 = plan.fill %y with 0.0 : f32 : !plan.buffer<32>
  // plan_form_4
  // expected-error@+1 {{touches bytes of earlier work without waiting for it}}
  %e1 = plan.fill %y with 1.0 : f32 : !plan.buffer<32>
  plan.return
}

// -----

plan.program @main() {
  %a = plan.arena : !plan.buffer<512>
  // plan_form_5
  // expected-error@+1 {{is the program's second arena}}
  %b = plan.arena : !plan.buffer<512>
  plan.return
}

// -----

plan.program @main() {
  %a = plan.arena : !plan.buffer<512>
  // plan_form_5
  // expected-error@+1 {{starts 128 bytes into the arena, not at a multiple of 256}}
  %v = plan.view %a[128] : !plan.buffer<512> to !plan.buffer<32>
  plan.return
}

// -----

plan.program @main() {
  %arena = plan.arena : !plan.buffer<512>
  %a = plan.view %arena[0] : !plan.buffer<512> to !plan.buffer<256>
  %y = plan.output "y" tensor<128xf32> as !plan.buffer<512>
  %e0 = plan.fill %a with 0.0 : f32 : !plan.buffer<256>
  // plan_form_6
  // expected-error@+1 {{reads bytes [0, 512) of the arena, which nothing has written}}
  %e1 = plan.copy %arena into %y after(%e0) : !plan.buffer<512>
  plan.return
}

// -----

gpu.module @k {
  llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} { llvm.return }
}
plan.program @main() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  %e0 = plan.launch @k(%x) into(%y : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
  // plan_form_7
  // expected-error@+1 {{has a programmatic event, but kernel @k does not wait for it}}
  %e1 = plan.launch @k(%x) into(%y : !plan.buffer<32>) programmatic(%e0) : (!plan.buffer<32>) -> !plan.event
  plan.return
}
