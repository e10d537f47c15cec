// tw-reduce keeps what the test asks for and drops the rest: other functions, what comes before (as arguments) and after.
// RUN: tw-reduce %s --test='grep -q "math.exp"' 2> %t.said | FileCheck %s
// RUN: FileCheck %s --input-file=%t.said --check-prefix=SAID
// CHECK: module {
// CHECK-NEXT: func.func @main(%[[X:.*]]: tensor<1xf32>) -> tensor<1xf32> {
// CHECK-NEXT: %[[Y:.*]] = math.exp %[[X]] : tensor<1xf32>
// CHECK-NEXT: return %[[Y]] : tensor<1xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// SAID: tw-reduce: 14 operations became 4 in {{[0-9]+}} tests

// A test may be any command: here the compiler's own message.
// RUN: tw-reduce %s --test=%S/Inputs/two_additions -o %t.mlir && FileCheck %s --input-file=%t.mlir --check-prefix=TWO
// TWO-COUNT-2: arith.addf
// TWO-NOT: math
// TWO-NOT: graph.reduce

// RUN: not tw-reduce %s --test='grep -q no.such.op' 2>&1 | FileCheck %s --check-prefix=DULL
// DULL: error: the program itself is not interesting: 'grep -q no.such.op' does not end with 0
// RUN: not tw-reduce --test=true 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: not tw-reduce %s %s --test=true 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not tw-reduce %s --test=true --timeout=soon 2>&1 | FileCheck %s --check-prefix=TIMEOUT
// USAGE: error: give PROGRAM.mlir and --test=COMMAND; see --help
// TWICE: error: what is {{.*}}reduce.mlir? see --help
// TIMEOUT: error: --timeout=soon is no number of seconds
// Upstream's reducer, with our dialects.
// RUN: tw-reduce --mlir-reduce %s --opt-reduction-pass='opt-pass=canonicalize test=/bin/false' | FileCheck %s --check-prefix=UPSTREAM
// UPSTREAM: graph.reduce sum

func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.negf %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %a = arith.addf %x, %y : tensor<4xf32>
  %b = arith.mulf %a, %y : tensor<4xf32>
  %c = math.exp %b : tensor<4xf32>
  %d = arith.addf %c, %x : tensor<4xf32>
  %e = arith.subf %d, %a : tensor<4xf32>
  %f = graph.reduce sum %e dims = [0] : tensor<4xf32> to tensor<f32>
  %g = math.tanh %e : tensor<4xf32>
  %h = arith.divf %g, %y : tensor<4xf32>
  return %f, %h : tensor<f32>, tensor<4xf32>
}
