// Slices that meet again of what is computed of inputs, moved in between or not; of inputs that are joined, along one dimension and
// another; with padding around them; slices that overlap, go backwards, or lie across parts.
// RUN: tw-check %s --rtol=8e-3 --atol=1e-3 --quiet
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-3 --quiet
// REQUIRES: emulator

func.func @halves_of_heads(%x: tensor<48x384xbf16>, %c: tensor<48x16xf32>) -> tensor<4x48x32xbf16> {
  %0 = arith.extf %x : tensor<48x384xbf16> to tensor<48x384xf32>
  %1 = graph.slice %0 offsets = [0, 128] strides = [1, 1] : tensor<48x384xf32> to tensor<48x128xf32>
  %2 = graph.reshape %1 : tensor<48x128xf32> to tensor<48x4x32xf32>
  %3 = graph.transpose %2 permutation = [1, 0, 2] : tensor<48x4x32xf32> to tensor<4x48x32xf32>
  %4 = graph.slice %3 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<4x48x32xf32> to tensor<4x48x16xf32>
  %5 = graph.slice %3 offsets = [0, 0, 16] strides = [1, 1, 1] : tensor<4x48x32xf32> to tensor<4x48x16xf32>
  %b = graph.broadcast %c dims = [1, 2] : tensor<48x16xf32> to tensor<4x48x16xf32>
  %6 = arith.mulf %4, %b : tensor<4x48x16xf32>
  %7 = arith.subf %6, %5 : tensor<4x48x16xf32>
  %8 = arith.addf %5, %4 : tensor<4x48x16xf32>
  %9 = graph.concat %7, %8 dim = 2 : tensor<4x48x16xf32>, tensor<4x48x16xf32> to tensor<4x48x32xf32>
  %10 = arith.truncf %9 : tensor<4x48x32xf32> to tensor<4x48x32xbf16>
  return %10 : tensor<4x48x32xbf16>
}
func.func @neighbours(%x: tensor<33x200xf32>, %b: tensor<200xf32>) -> tensor<31x198xf32> {
  %0 = graph.broadcast %b dims = [1] : tensor<200xf32> to tensor<33x200xf32>
  %1 = arith.addf %x, %0 : tensor<33x200xf32>
  %2 = math.tanh %1 : tensor<33x200xf32>
  %3 = graph.slice %2 offsets = [1, 0] strides = [1, 1] : tensor<33x200xf32> to tensor<31x198xf32>
  %4 = graph.slice %2 offsets = [1, 2] strides = [1, 1] : tensor<33x200xf32> to tensor<31x198xf32>
  %5 = graph.slice %2 offsets = [2, 1] strides = [1, 1] : tensor<33x200xf32> to tensor<31x198xf32>
  %6 = arith.addf %3, %4 : tensor<31x198xf32>
  %7 = arith.subf %6, %5 : tensor<31x198xf32>
  return %7 : tensor<31x198xf32>
}
func.func @mirrored(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %0 = math.exp %x : tensor<64x100xf32>
  %1 = graph.slice %0 offsets = [63, 0] strides = [-1, 1] : tensor<64x100xf32> to tensor<64x100xf32>
  %2 = graph.slice %0 offsets = [0, 99] strides = [1, -1] : tensor<64x100xf32> to tensor<64x100xf32>
  %3 = arith.addf %1, %2 : tensor<64x100xf32>
  return %3 : tensor<64x100xf32>
}
func.func @windows_of_what_is_rotated(%x: tensor<2x14x21x8xbf16>) -> tensor<12x49x8xbf16> {
  %a = graph.slice %x offsets = [0, 3, 0, 0] strides = [1, 1, 1, 1] : tensor<2x14x21x8xbf16> to tensor<2x11x21x8xbf16>
  %b = graph.slice %x offsets = [0, 0, 0, 0] strides = [1, 1, 1, 1] : tensor<2x14x21x8xbf16> to tensor<2x3x21x8xbf16>
  %c = graph.concat %a, %b dim = 1 : tensor<2x11x21x8xbf16>, tensor<2x3x21x8xbf16> to tensor<2x14x21x8xbf16>
  %d = graph.slice %c offsets = [0, 0, 2, 0] strides = [1, 1, 1, 1] : tensor<2x14x21x8xbf16> to tensor<2x14x19x8xbf16>
  %e = graph.slice %c offsets = [0, 0, 0, 0] strides = [1, 1, 1, 1] : tensor<2x14x21x8xbf16> to tensor<2x14x2x8xbf16>
  %f = graph.concat %d, %e dim = 2 : tensor<2x14x19x8xbf16>, tensor<2x14x2x8xbf16> to tensor<2x14x21x8xbf16>
  %g = graph.reshape %f : tensor<2x14x21x8xbf16> to tensor<2x2x7x3x7x8xbf16>
  %h = graph.transpose %g permutation = [0, 1, 3, 2, 4, 5] : tensor<2x2x7x3x7x8xbf16> to tensor<2x2x3x7x7x8xbf16>
  %i = graph.reshape %h : tensor<2x2x3x7x7x8xbf16> to tensor<12x49x8xbf16>
  return %i : tensor<12x49x8xbf16>
}
func.func @across_parts(%x: tensor<70x8xf32>, %y: tensor<51x8xf32>, %z: tensor<9x8xf32>) -> tensor<43x8xf32> {
  %a = graph.concat %x, %y, %z dim = 0 : tensor<70x8xf32>, tensor<51x8xf32>, tensor<9x8xf32> to tensor<130x8xf32>
  %b = graph.slice %a offsets = [1, 0] strides = [3, 1] : tensor<130x8xf32> to tensor<43x8xf32>
  %c = graph.slice %a offsets = [69, 0] strides = [1, 1] : tensor<130x8xf32> to tensor<43x8xf32>
  %d = arith.subf %b, %c : tensor<43x8xf32>
  return %d : tensor<43x8xf32>
}
func.func @joined_and_mirrored(%x: tensor<40x8xf32>, %y: tensor<24x8xf32>) -> tensor<20x8xf32> {
  %a = graph.concat %x, %y dim = 0 : tensor<40x8xf32>, tensor<24x8xf32> to tensor<64x8xf32>
  %b = graph.slice %a offsets = [63, 0] strides = [-3, 1] : tensor<64x8xf32> to tensor<20x8xf32>
  %c = graph.slice %a offsets = [2, 0] strides = [3, 1] : tensor<64x8xf32> to tensor<20x8xf32>
  %d = arith.mulf %b, %c : tensor<20x8xf32>
  return %d : tensor<20x8xf32>
}
func.func @box_filter(%x: tensor<3x20x35xf32>) -> tensor<3x20x35xf32> {
  %p = graph.pad %x low = [0, 1, 1] high = [0, 1, 1] value = 0.5 : f32 : tensor<3x20x35xf32> to tensor<3x22x37xf32>
  %s00 = graph.slice %p offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<3x22x37xf32> to tensor<3x20x35xf32>
  %s01 = graph.slice %p offsets = [0, 0, 1] strides = [1, 1, 1] : tensor<3x22x37xf32> to tensor<3x20x35xf32>
  %s02 = graph.slice %p offsets = [0, 0, 2] strides = [1, 1, 1] : tensor<3x22x37xf32> to tensor<3x20x35xf32>
  %s10 = graph.slice %p offsets = [0, 1, 0] strides = [1, 1, 1] : tensor<3x22x37xf32> to tensor<3x20x35xf32>
  %s11 = graph.slice %p offsets = [0, 1, 1] strides = [1, 1, 1] : tensor<3x22x37xf32> to tensor<3x20x35xf32>
  %s12 = graph.slice %p offsets = [0, 1, 2] strides = [1, 1, 1] : tensor<3x22x37xf32> to tensor<3x20x35xf32>
  %s20 = graph.slice %p offsets = [0, 2, 0] strides = [1, 1, 1] : tensor<3x22x37xf32> to tensor<3x20x35xf32>
  %s21 = graph.slice %p offsets = [0, 2, 1] strides = [1, 1, 1] : tensor<3x22x37xf32> to tensor<3x20x35xf32>
  %s22 = graph.slice %p offsets = [0, 2, 2] strides = [1, 1, 1] : tensor<3x22x37xf32> to tensor<3x20x35xf32>
  %a0 = arith.addf %s00, %s01 : tensor<3x20x35xf32>
  %a1 = arith.addf %a0, %s02 : tensor<3x20x35xf32>
  %a2 = arith.addf %a1, %s10 : tensor<3x20x35xf32>
  %a3 = arith.addf %a2, %s11 : tensor<3x20x35xf32>
  %a4 = arith.addf %a3, %s12 : tensor<3x20x35xf32>
  %a5 = arith.addf %a4, %s20 : tensor<3x20x35xf32>
  %a6 = arith.addf %a5, %s21 : tensor<3x20x35xf32>
  %a7 = arith.addf %a6, %s22 : tensor<3x20x35xf32>
  return %a7 : tensor<3x20x35xf32>
}
func.func @causal_steps(%x: tensor<2x40x48xbf16>, %w: tensor<3x48xf32>) -> tensor<2x40x48xbf16> {
  %xf = arith.extf %x : tensor<2x40x48xbf16> to tensor<2x40x48xf32>
  %p = graph.pad %xf low = [0, 2, 0] high = [0, 0, 0] value = 0.0 : f32 : tensor<2x40x48xf32> to tensor<2x42x48xf32>
  %s0 = graph.slice %p offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x42x48xf32> to tensor<2x40x48xf32>
  %v0 = graph.slice %w offsets = [0, 0] strides = [1, 1] : tensor<3x48xf32> to tensor<1x48xf32>
  %u0 = graph.reshape %v0 : tensor<1x48xf32> to tensor<48xf32>
  %b0 = graph.broadcast %u0 dims = [2] : tensor<48xf32> to tensor<2x40x48xf32>
  %m0 = arith.mulf %s0, %b0 : tensor<2x40x48xf32>
  %s1 = graph.slice %p offsets = [0, 1, 0] strides = [1, 1, 1] : tensor<2x42x48xf32> to tensor<2x40x48xf32>
  %v1 = graph.slice %w offsets = [1, 0] strides = [1, 1] : tensor<3x48xf32> to tensor<1x48xf32>
  %u1 = graph.reshape %v1 : tensor<1x48xf32> to tensor<48xf32>
  %b1 = graph.broadcast %u1 dims = [2] : tensor<48xf32> to tensor<2x40x48xf32>
  %m1 = arith.mulf %s1, %b1 : tensor<2x40x48xf32>
  %s2 = graph.slice %p offsets = [0, 2, 0] strides = [1, 1, 1] : tensor<2x42x48xf32> to tensor<2x40x48xf32>
  %v2 = graph.slice %w offsets = [2, 0] strides = [1, 1] : tensor<3x48xf32> to tensor<1x48xf32>
  %u2 = graph.reshape %v2 : tensor<1x48xf32> to tensor<48xf32>
  %b2 = graph.broadcast %u2 dims = [2] : tensor<48xf32> to tensor<2x40x48xf32>
  %m2 = arith.mulf %s2, %b2 : tensor<2x40x48xf32>
  %0 = arith.addf %m0, %m1 : tensor<2x40x48xf32>
  %1 = arith.addf %0, %m2 : tensor<2x40x48xf32>
  %2 = arith.truncf %1 : tensor<2x40x48xf32> to tensor<2x40x48xbf16>
  return %2 : tensor<2x40x48xbf16>
}
func.func @every_other_of_padded(%x: tensor<30x21xf32>) -> tensor<11x11xf32> {
  %p = graph.pad %x low = [2, 1] high = [3, 0] value = -1.0 : f32 : tensor<30x21xf32> to tensor<35x22xf32>
  %0 = graph.slice %p offsets = [0, 0] strides = [3, 2] : tensor<35x22xf32> to tensor<11x11xf32>
  %1 = graph.slice %p offsets = [4, 1] strides = [3, 2] : tensor<35x22xf32> to tensor<11x11xf32>
  %2 = arith.subf %0, %1 : tensor<11x11xf32>
  return %2 : tensor<11x11xf32>
}
func.func @rotated_norms_of_heads(%x: tensor<40x256xbf16>, %w: tensor<32xf32>, %c: tensor<40x32xf32>, %s: tensor<40x32xf32>) -> tensor<4x40x32xbf16> {
  %0 = arith.extf %x : tensor<40x256xbf16> to tensor<40x256xf32>
  %1 = graph.slice %0 offsets = [0, 64] strides = [1, 1] : tensor<40x256xf32> to tensor<40x128xf32>
  %2 = graph.reshape %1 : tensor<40x128xf32> to tensor<40x4x32xf32>
  %3 = graph.transpose %2 permutation = [1, 0, 2] : tensor<40x4x32xf32> to tensor<4x40x32xf32>
  %4 = graph.rms_norm %3 dim = 2 epsilon = 1.0e-5 : tensor<4x40x32xf32> to tensor<4x40x32xf32>
  %wb = graph.broadcast %w dims = [2] : tensor<32xf32> to tensor<4x40x32xf32>
  %5 = arith.mulf %4, %wb : tensor<4x40x32xf32>
  %6 = graph.slice %5 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<4x40x32xf32> to tensor<4x40x16xf32>
  %7 = graph.slice %5 offsets = [0, 0, 16] strides = [1, 1, 1] : tensor<4x40x32xf32> to tensor<4x40x16xf32>
  %8 = arith.negf %7 : tensor<4x40x16xf32>
  %9 = graph.concat %8, %6 dim = 2 : tensor<4x40x16xf32>, tensor<4x40x16xf32> to tensor<4x40x32xf32>
  %cb = graph.broadcast %c dims = [1, 2] : tensor<40x32xf32> to tensor<4x40x32xf32>
  %sb = graph.broadcast %s dims = [1, 2] : tensor<40x32xf32> to tensor<4x40x32xf32>
  %10 = arith.mulf %5, %cb : tensor<4x40x32xf32>
  %11 = arith.mulf %9, %sb : tensor<4x40x32xf32>
  %12 = arith.addf %10, %11 : tensor<4x40x32xf32>
  %13 = arith.truncf %12 : tensor<4x40x32xf32> to tensor<4x40x32xbf16>
  return %13 : tensor<4x40x32xbf16>
}
func.func @parts_of_a_packed_tensor(%x: tensor<40x192xbf16>, %c: tensor<40x16xf32>) -> (tensor<2x40x32xf32>, tensor<2x40x32xf32>, tensor<40x64xf32>) {
  %0 = arith.extf %x : tensor<40x192xbf16> to tensor<40x192xf32>
  %q = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<40x192xf32> to tensor<40x64xf32>
  %k = graph.slice %0 offsets = [0, 64] strides = [1, 1] : tensor<40x192xf32> to tensor<40x64xf32>
  %v = graph.slice %0 offsets = [0, 128] strides = [1, 1] : tensor<40x192xf32> to tensor<40x64xf32>
  %cb = graph.broadcast %c dims = [1, 2] : tensor<40x16xf32> to tensor<2x40x16xf32>
  %q1 = graph.reshape %q : tensor<40x64xf32> to tensor<40x2x32xf32>
  %q2 = graph.transpose %q1 permutation = [1, 0, 2] : tensor<40x2x32xf32> to tensor<2x40x32xf32>
  %qa = graph.slice %q2 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<2x40x32xf32> to tensor<2x40x16xf32>
  %qb = graph.slice %q2 offsets = [0, 0, 16] strides = [1, 1, 1] : tensor<2x40x32xf32> to tensor<2x40x16xf32>
  %qc = arith.mulf %qa, %cb : tensor<2x40x16xf32>
  %qd = arith.subf %qc, %qb : tensor<2x40x16xf32>
  %qe = arith.addf %qa, %qb : tensor<2x40x16xf32>
  %qf = graph.concat %qd, %qe dim = 2 : tensor<2x40x16xf32>, tensor<2x40x16xf32> to tensor<2x40x32xf32>
  %k1 = graph.reshape %k : tensor<40x64xf32> to tensor<40x2x32xf32>
  %k2 = graph.transpose %k1 permutation = [1, 0, 2] : tensor<40x2x32xf32> to tensor<2x40x32xf32>
  %ka = graph.slice %k2 offsets = [0, 0, 0] strides = [1, 1, 2] : tensor<2x40x32xf32> to tensor<2x40x16xf32>
  %kb = graph.slice %k2 offsets = [0, 0, 1] strides = [1, 1, 2] : tensor<2x40x32xf32> to tensor<2x40x16xf32>
  %kc = arith.mulf %ka, %cb : tensor<2x40x16xf32>
  %kd = arith.subf %kc, %kb : tensor<2x40x16xf32>
  %ke = arith.addf %ka, %kb : tensor<2x40x16xf32>
  %kf = graph.concat %kd, %ke dim = 2 : tensor<2x40x16xf32>, tensor<2x40x16xf32> to tensor<2x40x32xf32>
  return %qf, %kf, %v : tensor<2x40x32xf32>, tensor<2x40x32xf32>, tensor<40x64xf32>
}
