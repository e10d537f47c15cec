// What scans and sorts refuse.
// RUN: tw-opt %s --split-input-file --verify-diagnostics -o /dev/null

tile.kernel @row_c2 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{dimension 2 is outside a tile of rank 2}}
  %s, %t = tile.scan %x dim = 2 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    tile.yield %a : f32
  } : tensor<2x64xf32> to tensor<2x64xf32>, tensor<2x1xf32>
  tile.return
}

// -----

tile.kernel @row_c3 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{combiner takes 3 values, not 2}}
  %s, %t = tile.scan %x dim = 1 {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %c = arith.cmpf olt, %a, %b : f32
    tile.yield %a : f32
  } : tensor<2x64xf32> to tensor<2x64xf32>, tensor<2x1xf32>
  tile.return
}

// -----

tile.kernel @row_c4 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{input #1 has another shape than input #0}}
  %s, %t = tile.scan %x, %z dim = 1 {
  ^bb0(%a: f32, %d: f32, %b: f32, %e: f32):
    %c = arith.cmpf olt, %a, %b : f32
    tile.yield %a : f32
  } : tensor<2x64xf32>, tensor<2x32xf32> to tensor<2x64xf32>, tensor<2x1xf32>
  tile.return
}

// -----

tile.kernel @row_c5 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{combiner argument 0 is not of type 'f32'}}
  %s, %t = tile.scan %x dim = 1 {
  ^bb0(%d: i32, %b: f32):
    %c = arith.cmpf olt, %b, %b : f32
    tile.yield %b : f32
  } : tensor<2x64xf32> to tensor<2x64xf32>, tensor<2x1xf32>
  tile.return
}

// -----

tile.kernel @scan_c1 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{has 1 results, expected 2: running and final ones}}
  %s = tile.scan %x dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    tile.yield %a : f32
  } : tensor<2x64xf32> to tensor<2x64xf32>
  tile.return
}

// -----

tile.kernel @scan_c2 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{result #0 differs from input #0}}
  %s, %t = tile.scan %x dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    tile.yield %a : f32
  } : tensor<2x64xf32> to tensor<2x32xf32>, tensor<2x1xf32>
  tile.return
}

// -----

tile.kernel @scan_c3 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{result #1 should be 'tensor<2x1xf32>'}}
  %s, %t = tile.scan %x dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    tile.yield %a : f32
  } : tensor<2x64xf32> to tensor<2x64xf32>, tensor<1x64xf32>
  tile.return
}

// -----

tile.kernel @scan_c4 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{combiner does not yield one merged state of 1 values}}
  %s, %t = tile.scan %x dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    tile.yield %c : i1
  } : tensor<2x64xf32> to tensor<2x64xf32>, tensor<2x1xf32>
  tile.return
}

// -----

tile.kernel @sort_c1 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{has 1 inputs and 2 results}}
  %s, %t = tile.sort %x dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    tile.yield %c : i1
  } : tensor<2x64xf32> to tensor<2x64xf32>, tensor<2x1xf32>
  tile.return
}

// -----

tile.kernel @sort_c2 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{result #0 differs from input #0}}
  %s = tile.sort %x dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    tile.yield %c : i1
  } : tensor<2x64xf32> to tensor<2x32xf32>
  tile.return
}

// -----

tile.kernel @sort_c3 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{sorts 60 elements, not a power of two}}
  %s = tile.sort %w dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    tile.yield %c : i1
  } : tensor<2x60xf32> to tensor<2x60xf32>
  tile.return
}

// -----

tile.kernel @sort_c4 grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %z = arith.constant dense<1.0> : tensor<2x32xf32>
  %w = arith.constant dense<1.0> : tensor<2x60xf32>
  // expected-error@+1 {{combiner does not yield one i1}}
  %s = tile.sort %x dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    tile.yield %a : f32
  } : tensor<2x64xf32> to tensor<2x64xf32>
  tile.return
}

// -----

tile.kernel @take_c1 grid = [1, 1, 1] warps = 1 () {
  %t = arith.constant dense<1.0> : tensor<2x64xf32>
  %i = arith.constant dense<1> : tensor<32xi32>
  // expected-error@+1 {{takes a tile of rank 2 from a table of rank 2 at indices of rank 1}}
  %x = tile.take %t at %i dim = 1 of 60 : tensor<2x64xf32>, tensor<32xi32> -> tensor<2x32xf32>
  tile.return
}

// -----

tile.kernel @take_c2 grid = [1, 1, 1] warps = 1 () {
  %t = arith.constant dense<1.0> : tensor<2x64xf32>
  %i = arith.constant dense<1> : tensor<1x32xi32>
  // expected-error@+1 {{dimension 2 is outside a tile of rank 2}}
  %x = tile.take %t at %i dim = 2 of 60 : tensor<2x64xf32>, tensor<1x32xi32> -> tensor<2x32xf32>
  tile.return
}

// -----

tile.kernel @take_c3 grid = [1, 1, 1] warps = 1 () {
  %t = arith.constant dense<1.0> : tensor<2x64xf32>
  %i = arith.constant dense<1> : tensor<1x32xi32>
  // expected-error@+1 {{extent 65 is not 1 to the table's 64 elements along dimension 1}}
  %x = tile.take %t at %i dim = 1 of 65 : tensor<2x64xf32>, tensor<1x32xi32> -> tensor<2x32xf32>
  tile.return
}

// -----

tile.kernel @take_c4 grid = [1, 1, 1] warps = 1 () {
  %t = arith.constant dense<1.0> : tensor<2x64xf32>
  %i = arith.constant dense<1> : tensor<1x32xi32>
  // expected-error@+1 {{takes 'f16' from a table of 'f32' at indices of 'i32'}}
  %x = tile.take %t at %i dim = 1 of 60 : tensor<2x64xf32>, tensor<1x32xi32> -> tensor<2x32xf16>
  tile.return
}

// -----

tile.kernel @take_c5 grid = [1, 1, 1] warps = 1 () {
  %t = arith.constant dense<1.0> : tensor<2x64xf32>
  %i = arith.constant dense<1> : tensor<1x16xi32>
  // expected-error@+1 {{indices have size 16 in dimension 1, the result 32}}
  %x = tile.take %t at %i dim = 1 of 60 : tensor<2x64xf32>, tensor<1x16xi32> -> tensor<2x32xf32>
  tile.return
}

// -----

tile.kernel @take_c6 grid = [1, 1, 1] warps = 1 () {
  %t = arith.constant dense<1.0> : tensor<2x64xf32>
  %i = arith.constant dense<1> : tensor<1x32xi32>
  // expected-error@+1 {{the table has size 2 in dimension 0, the result 4}}
  %x = tile.take %t at %i dim = 1 of 60 : tensor<2x64xf32>, tensor<1x32xi32> -> tensor<4x32xf32>
  tile.return
}
