// Operations that are refused for what they are. The page docs/HowTo/CompileMlir.md lists them with these
// reasons. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpImport.h"

using namespace tilewright;

llvm::StringRef tilewright::upstream::refusal(llvm::StringRef operation) {
  static const llvm::StringMap<const char *> reasons = {
      {"tosa.cond_if", "a branch is known at run time only"},
      {"tosa.while_loop", "the number of iterations is known at run time only"},
      {"tosa.variable", "programs keep no state between runs"},
      {"tosa.variable_read", "programs keep no state between runs"},
      {"tosa.variable_write", "programs keep no state between runs"},
      {"tosa.custom", "only its author knows what it computes"},
      {"tosa.transpose_conv2d", "transposed convolutions are not supported"},
      {"tosa.fft2d", "there is no Fourier transform"},
      {"tosa.rfft2d", "there is no Fourier transform"},
      {"tosa.matmul_t_block_scaled", "block-scaled elements are not supported"},
      {"tosa.cast_from_block_scaled", "block-scaled elements are not supported"},
      {"tosa.cast_to_block_scaled", "block-scaled elements are not supported"},
      {"linalg.pack", "tensors have no tiled layouts; pack when a kernel is made, not before"},
      {"linalg.unpack", "tensors have no tiled layouts; pack when a kernel is made, not before"},
      {"linalg.winograd_filter_transform", "the transforms of Winograd's convolutions are not supported"},
      {"linalg.winograd_input_transform", "the transforms of Winograd's convolutions are not supported"},
      {"linalg.winograd_output_transform", "the transforms of Winograd's convolutions are not supported"},
      {"tensor.rank", "every rank is known: canonicalize first"},
      {"tensor.scatter", "places that are computed when the program runs; tosa.scatter has a translation"},
      {"tensor.gather",
       "its coordinates are rows of a tensor; tosa.gather, or tensor.extract in a body, has a "
       "translation"},
      {"tensor.parallel_insert_slice", "it belongs to parallel loops"},
      {"func.call", "calls are not supported: inline first"},
  };
  auto found = reasons.find(operation);
  return found == reasons.end() ? "" : found->second;
}
