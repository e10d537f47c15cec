// tile-mark-passing-views: inputs that no kernel reads again, and results that none reads soon, pass by; what the next
// kernel reads and half of the cache holds does not, nor does anything of a program that fits there.
// RUN: tw-opt %s --tile-mark-passing-views=cache-bytes=16384 | FileCheck %s

!v = !tile.view<f32, "{offset=0, dims=[{extent=1024, modes=[[1024,1]]}]}">
!w = !tile.view<f32, "{offset=0, dims=[{extent=256, modes=[[256,1]]}]}">

// CHECK-LABEL: tile.kernel @first grid = [1, 1, 1] warps = 1
// CHECK-SAME: (%{{.*}}: !tile.view<f32, "{{[^"]*}}"> {tile.passing}, %{{.*}}: !tile.view<f32, "{{[^"]*}}">) {
tile.kernel @first grid = [1, 1, 1] warps = 1 (%x: !v, %y: !w) {
  tile.return
}
// CHECK-LABEL: tile.kernel @second grid = [1, 1, 1] warps = 1
// CHECK-SAME: (%{{.*}}: !tile.view<f32, "{{[^"]*}}"> {tile.passing}, %{{.*}}: !tile.view<f32, "{{[^"]*}}"> {tile.passing}) {
tile.kernel @second grid = [1, 1, 1] warps = 1 (%x: !w, %y: !v) {
  tile.return
}
// CHECK-LABEL: tile.kernel @alone grid = [1, 1, 1] warps = 1
// CHECK-NOT: tile.passing
tile.kernel @alone grid = [1, 1, 1] warps = 1 (%x: !w, %y: !w) {
  tile.return
}

plan.program @two(%x: tensor<1024xf32> {plan.name = "x"}) -> (tensor<1024xf32> {plan.name = "y"}) {
  %0 = plan.launch @first(%x) : (tensor<1024xf32>) -> tensor<256xf32>
  %1 = graph.reshape %0 : tensor<256xf32> to tensor<16x16xf32>
  %2 = graph.reshape %1 : tensor<16x16xf32> to tensor<256xf32>
  %3 = plan.launch @second(%2) : (tensor<256xf32>) -> tensor<1024xf32>
  plan.return %3 : tensor<1024xf32>
}
plan.program @small(%x: tensor<256xf32> {plan.name = "x"}) -> (tensor<256xf32> {plan.name = "y"}) {
  %0 = plan.launch @alone(%x) : (tensor<256xf32>) -> tensor<256xf32>
  plan.return %0 : tensor<256xf32>
}
