// Maxima so far of gathered rows, in 22 steps of eight rows: the roofline counts the instructions of a step as often as the
// loop goes round, which is more than the bytes take; tiles of 40 places for 36 leave fewer of them empty than such of 64
// (H200: 227 us, 173 so).
// REQUIRES: ptxas
// RUN: tw-compile %s --target=sm_90a --stop-after=target -o - | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: tile.rounds = 22 : i64
// RUN: tw-compile %s --target=sm_90a --kernel-cache=off --emulation=off --remarks=%t.yaml --report=text -o %t.tw | FileCheck %s
// CHECK: reduction_truncf {{.*}} compute
// RUN: FileCheck %s --input-file=%t.yaml --check-prefix=REMARK
// REMARK: NearScheduleTaken
// REMARK: usual: {{.*}}tile = [1, 8, 2, 64]
// REMARK: schedule: {{.*}}, 40]
// Schedules of what gathers load have a time by the model of tiles, too.
// RUN: rm -rf %t.tasks && tw-compile %s --target=sm_90a --emit=tuning --schedules=1 -o %t.tasks
// RUN: cat %t.tasks/*/task | FileCheck %s --check-prefix=TASK
// TASK: candidate 00 {{[0-9.]+}} own
func.func @main(%x: tensor<576x174x11x36xbf16>, %i: tensor<571xi64>, %y: tensor<571x174x36xbf16>) -> (tensor<571x174x11x36xbf16>, tensor<571x174x11x36xbf16>, tensor<571x174x11x36xbf16>) {
  %w = arith.extf %x : tensor<576x174x11x36xbf16> to tensor<576x174x11x36xf32>
  %g = graph.gather %w[%i] dim = 0 : tensor<576x174x11x36xf32>, tensor<571xi64> to tensor<571x174x11x36xf32>
  %s = graph.scan max %g dim = 1 : tensor<571x174x11x36xf32>
  %v = arith.extf %y : tensor<571x174x36xbf16> to tensor<571x174x36xf32>
  %b = graph.broadcast %v dims = [0, 1, 3] : tensor<571x174x36xf32> to tensor<571x174x11x36xf32>
  %m = arith.minimumf %b, %s : tensor<571x174x11x36xf32>
  %a = math.absf %m : tensor<571x174x11x36xf32>
  %one = arith.constant dense<1.0> : tensor<571x174x11x36xf32>
  %o = arith.addf %a, %one : tensor<571x174x11x36xf32>
  %q = math.sqrt %o : tensor<571x174x11x36xf32>
  %e = math.erf %g : tensor<571x174x11x36xf32>
  %f = math.erf %e : tensor<571x174x11x36xf32>
  %r0 = arith.truncf %f : tensor<571x174x11x36xf32> to tensor<571x174x11x36xbf16>
  %r1 = arith.truncf %a : tensor<571x174x11x36xf32> to tensor<571x174x11x36xbf16>
  %r2 = arith.truncf %q : tensor<571x174x11x36xf32> to tensor<571x174x11x36xbf16>
  return %r0, %r1, %r2 : tensor<571x174x11x36xbf16>, tensor<571x174x11x36xbf16>, tensor<571x174x11x36xbf16>
}
