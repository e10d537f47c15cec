// What fuse-partition-kernels refuses: functions that are no straight tensor program.
// RUN: tw-opt %s --split-input-file --fuse-partition-kernels --verify-diagnostics -o /dev/null

// expected-error@+1 {{must have one block}}
func.func @branches(%x: tensor<8xf32> {graph.name = "x"}) -> (tensor<8xf32> {graph.name = "y"}) {
  cf.br ^bb1
^bb1:
  return %x : tensor<8xf32>
}

// -----

func.func @region(%x: tensor<8xf32> {graph.name = "x"}, %c: i1) -> (tensor<8xf32> {graph.name = "y"}) {
  // expected-error@+1 {{is not an op of a tensor program}}
  %0 = scf.if %c -> tensor<8xf32> {
    scf.yield %x : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
