// A package as a C function: the stub compiles as strict C99 and as C++, with the package in the object file or beside
// the program, and gives the right values. Names of the model that are no C names, or are taken, get another.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir -p %t/embed %t/beside/bin
// RUN: cd %t/embed && tw-compile %s --emit=c-stub -o model.c --depfile=model.d
// RUN: FileCheck %s --input-file=%t/embed/model.h
// RUN: FileCheck %s --input-file=%t/embed/model.d --check-prefix=DEPFILE
// RUN: cd %t/embed && cc -std=c99 -Wall -Wextra -Wpedantic -Werror %S/Inputs/c_stub_main.c model.c %build/lib/libtilewright_rt.a -ldl -lpthread -I. -I%source/include/Tilewright/Runtime -o main
// RUN: %t/embed/main %build/lib/libTilewrightEmulator.so | FileCheck %s --check-prefix=VALUES
// RUN: cd %t/embed && c++ -x c++ -fsyntax-only -Wall -Wextra -Werror -I%source/include/Tilewright/Runtime model.c

// Beside the program: neither the folder that it was built in nor the current one matters.
// RUN: cd %t/beside && tw-compile %s --emit=c-stub --stub-package=beside -o model.c
// RUN: cd %t/beside && cc -std=c99 -Wall -Wextra -Wpedantic -Werror %S/Inputs/c_stub_main.c model.c %build/lib/libtilewright_rt.a -ldl -lpthread -I. -I%source/include/Tilewright/Runtime -o bin/main && mv model.tw bin
// RUN: %t/beside/bin/main %build/lib/libTilewrightEmulator.so | FileCheck %s --check-prefix=VALUES
// RUN: rm %t/beside/bin/model.tw && not %t/beside/bin/main %build/lib/libTilewrightEmulator.so 2>&1 | FileCheck %s --check-prefix=GONE

// CHECK: typedef struct model model;
// CHECK: x: in, f32[2, 3]
// CHECK: float_: in, f32[3], 'float'
// CHECK: self_2: out, f32[2, 3], 'self'
// CHECK: twrt_status model_run(model *self, const float *x, const float *float_, float *self_2, twrt_error *error);
// DEPFILE: model.c: \
// DEPFILE-NEXT: {{.*}}c-stub.mlir
// VALUES: 11 22 33 14 25 36
// GONE: {{.*}}bin/model.tw

func.func @main(%x: tensor<2x3xf32> {graph.name = "x"}, %scale: tensor<3xf32> {graph.name = "float"})
    -> (tensor<2x3xf32> {graph.name = "self"}) {
  %rows = graph.broadcast %scale dims = [1] : tensor<3xf32> to tensor<2x3xf32>
  %sum = arith.addf %x, %rows : tensor<2x3xf32>
  return %sum : tensor<2x3xf32>
}
