// Each rule of the plan dialect's ops rejects what breaks it, with the numbers.
// RUN: tw-opt %s --split-input-file --verify-diagnostics

// program_c1
// expected-error@+1 {{argument 0 must be a tensor of static shape, got 'f32'}}
plan.program @main(%x: f32 {plan.name = "x"}) {
  plan.return
}

// -----

// program_c2
// expected-error@+1 {{argument 0: elements of type 'i4' have no storage}}
plan.program @main(%x: tensor<8xi4> {plan.name = "x"}) {
  plan.return
}

// -----

// program_c3
// expected-error@+1 {{argument 0 has no 'plan.name'}}
plan.program @main(%x: tensor<8xf32>) {
  plan.return
}

// -----

// program_c4
// expected-error@+1 {{two arguments are named "x"}}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}, %y: tensor<8xf32> {plan.name = "x"}) {
  plan.return
}

// -----

// symbols
// expected-error@+1 {{argument 0: 'plan.symbols' names 2 dimensions of 'tensor<8xf32>'}}
plan.program @main(%x: tensor<8xf32> {plan.name = "x", plan.symbols = ["", "n"]}) {
  plan.return
}

// -----

// return_c1
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "y"}) {
  // expected-error@+1 {{returns 0 values, the program has 1 results}}
  plan.return
}

// -----

// return_c2
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<4xf32> {plan.name = "y"}) {
  // expected-error@+1 {{value 0 is 'tensor<8xf32>', the program's result is 'tensor<4xf32>'}}
  plan.return %x : tensor<8xf32>
}

// -----

// launch_c3
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) {
  // expected-error@+1 {{kernel @k does not exist}}
  %0 = plan.launch @k(%x) : (tensor<8xf32>) -> tensor<8xf32>
  plan.return
}

// -----

graph.kernel anchor(elementwise) @k(%a: tensor<8xf32>) -> tensor<8xf32> {
  graph.return %a : tensor<8xf32>
}
// launch_c4
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) {
  // expected-error@+1 {{has 2 arguments, kernel @k has 1}}
  %0 = plan.launch @k(%x, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  plan.return
}

// -----

graph.kernel anchor(elementwise) @k(%a: tensor<8xf32>) -> tensor<8xf32> {
  graph.return %a : tensor<8xf32>
}
// launch_c5
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) {
  // expected-error@+1 {{result 0 is 'tensor<4xf32>', kernel @k has 'tensor<8xf32>'}}
  %0 = plan.launch @k(%x) : (tensor<8xf32>) -> tensor<4xf32>
  plan.return
}

// -----

graph.kernel anchor(elementwise) @k(%a: tensor<8xf32>) -> tensor<8xf32> {
  graph.return %a : tensor<8xf32>
}
// launch_c5, on buffers
plan.program @main() {
  %x = plan.input "x" tensor<4xf32> as !plan.buffer<16>
  %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  // expected-error@+1 {{argument 0 is '!plan.buffer<16>', kernel @k has 'tensor<8xf32>'}}
  %0 = plan.launch @k(%x) into(%y : !plan.buffer<32>) : (!plan.buffer<16>) -> !plan.event
  plan.return
}

// -----

graph.kernel anchor(elementwise) @k(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  graph.return %a : tensor<8xf32>
}
// launch_c1
plan.program @main(%t: tensor<8xf32> {plan.name = "t"}) {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  // expected-error@+1 {{mixes tensors and buffers: argument 1 is 'tensor<8xf32>'}}
  %0 = plan.launch @k(%x, %t) : (!plan.buffer<32>, tensor<8xf32>) -> !plan.event
  plan.return
}

// -----

graph.kernel anchor(elementwise) @k(%a: tensor<8xf32>) -> tensor<8xf32> {
  graph.return %a : tensor<8xf32>
}
// launch_c2
plan.program @main() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  // expected-error@+1 {{on buffers gives one !plan.event, not 0 results}}
  plan.launch @k(%x) into(%x : !plan.buffer<32>) : (!plan.buffer<32>) -> ()
  plan.return
}

// -----

plan.program @main() {
  // input_c1
  // expected-error@+1 {{has an empty name}}
  %x = plan.input "" tensor<8xf32> as !plan.buffer<32>
  plan.return
}

// -----

plan.program @main() {
  // input_c2
  // expected-error@+1 {{symbols name 1 dimensions of 'tensor<2x4xf32>'}}
  %x = plan.input "x" tensor<2x4xf32> symbols ["n"] as !plan.buffer<32>
  plan.return
}

// -----

plan.program @main() {
  // output_c3 and input_c3: one check
  // expected-error@+1 {{'tensor<8xf32>' takes 32 bytes, the buffer has 16}}
  %x = plan.output "x" tensor<8xf32> as !plan.buffer<16>
  plan.return
}

// -----

plan.program @main() {
  // weight_c1
  // expected-error@+1 {{a reshape step changes the number of elements}}
  %w = plan.weight #graph.weight<"w", tensor<8xf32>, "", [#graph.reshape<[3, 3]>]> as !plan.buffer<32>
  plan.return
}

// -----

plan.program @main() {
  // weight_c2
  // expected-error@+1 {{source must be #graph.weight<…> or a constant tensor, got 1 : i64}}
  %w = plan.weight 1 : i64 as !plan.buffer<8>
  plan.return
}

// -----

plan.program @main() {
  // weight_c3: a boolean takes a byte
  // expected-error@+1 {{'tensor<16xi1>' takes 16 bytes, the buffer has 2}}
  %w = plan.weight dense<true> : tensor<16xi1> as !plan.buffer<2>
  plan.return
}

// -----

plan.program @main() {
  %arena = plan.arena : !plan.buffer<512>
  // view_c1
  // expected-error@+1 {{bytes [256, 768) are outside a buffer of 512 bytes}}
  %v = plan.view %arena[256] : !plan.buffer<512> to !plan.buffer<512>
  plan.return
}

// -----

plan.program @main() {
  %y = plan.output "y" tensor<8xf64> as !plan.buffer<64>
  // fill_c1
  // expected-error@+1 {{value must be a number of 8, 16 or 32 bits, got 1.000000e+00 : f64}}
  %e = plan.fill %y with 1.0 : f64 : !plan.buffer<64>
  plan.return
}

// -----

plan.program @main() {
  %y = plan.output "y" tensor<3xi8> as !plan.buffer<3>
  // fill_c2
  // expected-error@+1 {{a buffer of 3 bytes does not hold whole elements of 2 bytes}}
  %e = plan.fill %y with 1 : i16 : !plan.buffer<3>
  plan.return
}

// -----

// expected-error@+1 {{attribute 'plan.traffic' belongs on a plan.launch or plan.program}}
module attributes {plan.traffic = array<i64: 1, 2>} {
}

// -----

// expected-error@+1 {{attribute 'plan.traffic' must be an array of 2 numbers of bytes of a launch, 4 of a program, got array<i64: 1, 2>}}
plan.program @main() attributes {plan.traffic = array<i64: 1, 2>} {
  plan.return
}

// -----

// expected-error@+1 {{attribute 'plan.cost' belongs on a plan.launch}}
module attributes {plan.cost = #plan.cost<anchor = "x", unit = "fp32", flops = 1, read = 1, written = 1>} {
}

// -----

// buffer_c1
// expected-error@+1 {{a buffer of -1 bytes}}
plan.program @main(%x: !plan.buffer<-1> {plan.name = "x"}) {
  plan.return
}

// -----

// expected-error@+1 {{attribute 'plan.bucket' must be an array of #plan.dim<…>, got 8 : i64}}
func.func @main() attributes {plan.bucket = 8} {
  return
}

// -----

// A program is straight-line.
// expected-error@+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
plan.program @main() {
  cf.br ^bb1
^bb1:
  plan.return
}

// -----

// program_c5
// expected-error@+1 {{must end in plan.return}}
plan.program @main() {
  %0 = plan.weight dense<[1, 2]> : tensor<2xi64> as !plan.buffer<16>
  llvm.unreachable
}

// -----

gpu.module @k {}
plan.program @main() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  %e0 = plan.fill %y with 0.0 : f32 : !plan.buffer<32>
  // launch_c6
  // expected-error@+1 {{has a programmatic event that is not a launch's}}
  %e1 = plan.launch @k(%x) into(%y : !plan.buffer<32>) programmatic(%e0) : (!plan.buffer<32>) -> !plan.event
  plan.return
}

// -----

gpu.module @k {}
plan.program @main() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  // launch_c7
  // expected-error@+1 {{variant @l does not exist}}
  %e0 = plan.launch @k(%x) {plan.variants = [@l]} : (!plan.buffer<32>) -> !plan.event
  plan.return
}

// -----

// expected-error@+1 {{attribute 'plan.variants' belongs on a plan.launch}}
func.func private @f() attributes {plan.variants = [@l]}

// -----

gpu.module @k {}
plan.program @main() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  // expected-error@+1 {{attribute 'plan.variants' must be an array of kernels, got 1 : i64}}
  %e0 = plan.launch @k(%x) {plan.variants = 1} : (!plan.buffer<32>) -> !plan.event
  plan.return
}

// -----

// leaving_c1
// expected-error@+1 {{attribute 'plan.leaving' has 2, and the kernel has 2 operands and results}}
graph.kernel anchor(elementwise) @exp(%x: tensor<8xf32>) -> tensor<8xf32> attributes {plan.leaving = array<i64: 0, 2>} {
  %0 = math.exp %x : tensor<8xf32>
  graph.return %0 : tensor<8xf32>
}

// -----

// leaving_c2
// expected-error@+1 {{attribute 'plan.leaving' is an array of numbers and belongs on a graph.kernel, got unit}}
graph.kernel anchor(elementwise) @exp(%x: tensor<8xf32>) -> tensor<8xf32> attributes {plan.leaving} {
  %0 = math.exp %x : tensor<8xf32>
  graph.return %0 : tensor<8xf32>
}
