/* The C ABI of libTilewrightEmulator.so: the runtime opens it with dlopen for device "emulator" and runs
 * kernels of the target stage on the CPU through these functions. Errors are sentences; nothing throws
 * or aborts. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TILEWRIGHT_EMULATOR_H
#define TILEWRIGHT_EMULATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels compiled for this machine's CPU. Launches of one module must not overlap. */
typedef struct twemu_module twemu_module;

typedef struct {
  unsigned seed;        /* of the order in which warps and blocks run */
  int early_completion; /* asynchronous work completes as early (1) or as late (0) as the program allows */
  int threads;          /* CPU threads; 0: one for each core */
  int check;            /* detectors on (default 1) */
} twemu_options;

/* A byte range of global memory that a kernel may touch. */
typedef struct {
  void *base;
  unsigned long long bytes;
  const char *name; /* for diagnostics: "arena", or that of the weight, input or output */
  int writable;
} twemu_region;

/* module = MLIR bytecode or text of target-stage gpu.modules. On failure returns nonzero and writes a
 * sentence into error. */
int twemu_load(const void *module, size_t bytes, const twemu_options *options, twemu_module **out,
               char *error, size_t error_bytes);

/* args[i] points at the i-th kernel parameter's value as for cuLaunchKernel; arg_bytes[i] is its size.
 * regions: all global memory the kernel may touch. Blocks run in clusters where the kernel's attributes say
 * so (nvvm.cluster_dim, or the cluster of ptx.launch). Returns when the launch is complete. */
int twemu_launch(twemu_module *, const char *kernel, const unsigned grid[3], const unsigned block[3],
                 unsigned dynamic_shared_bytes, void *const *args, const size_t *arg_bytes, size_t num_args,
                 const twemu_region *regions, size_t num_regions, char *error, size_t error_bytes);

void twemu_unload(twemu_module *);

/* A tensor map is a kernel parameter by value of this many bytes. */
#define TWEMU_TENSOR_MAP_BYTES 128

/* What cuTensorMapEncodeTiled is to a GPU: the same operands in the same order with the same numbers
 * (CUtensorMapDataType, CUtensorMapSwizzle, ...), dimension 0 innermost. `map` receives the bytes to pass as
 * the kernel's parameter and needs no alignment; such a map is understood by this emulator only. What the
 * driver refuses is refused, and so are interleaved maps: then returns nonzero and writes a sentence into
 * error. */
int twemu_encode_tensor_map(void *map, unsigned data_type, unsigned rank, void *base, const uint64_t *dims,
                            const uint64_t *strides, const uint32_t *box, const uint32_t *element_strides,
                            unsigned interleave, unsigned swizzle, unsigned l2_promotion,
                            unsigned out_of_bounds_fill, char *error, size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_EMULATOR_H */
