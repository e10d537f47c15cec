// A program as its author writes it, whose ops have no names but their lines, keeps the contract of every stage.
// RUN: tw-compile %s -o %t.tw --verify-stages --kernel-cache=off --report=text | FileCheck %s
// CHECK: exp
// A folder is no reproducer.
// RUN: not tw-compile --run-reproducer=%S 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: cannot read '{{.*}}': Is a directory
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = math.exp %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
