// The CUDA device's own state, shared by its two files: memory and kernels (CudaDevice.cpp), graphs
// (CudaGraph.cpp).
#ifndef TILEWRIGHT_LIB_RUNTIME_CUDADEVICE_H
#define TILEWRIGHT_LIB_RUNTIME_CUDADEVICE_H

#include "CudaApi.h"
#include "Device.h"

namespace tilewright::runtime {

/// One loaded image; kernels may share it.
struct LoadedImage {
  uint64_t offset; ///< In the image segment.
  cuda::Module module;
};

struct CudaDevice : Device {
  cuda::Api api;
  cuda::CuDevice device;
  const package::fb::Package *table;
  unsigned number; ///< Compute capability: 90
  cuda::Context context;
  cuda::Stream streams[kQueues];
  LoadedImage *images;
  uint32_t numImages;
  cuda::Function *kernels; ///< By kernel index.
  uint32_t numKernels;
};

inline CudaDevice &cudaDevice(Device *device) { return *static_cast<CudaDevice *>(device); }

// CudaGraph.cpp
twrt_status cudaEncodeTensorMap(Device *, const package::fb::TensorMap &, uint64_t address, void *map,
                                twrt_error *);
twrt_status cudaBuildGraph(Device *, const Node *, uint32_t count, Graph **, twrt_error *);
twrt_status cudaUpdateNode(Device *, Graph *, uint32_t index, const Node &, twrt_error *);
twrt_status cudaLaunchGraph(Device *, Graph *, void *stream, const Region *, uint32_t, twrt_error *);
void cudaDestroyGraph(Device *, Graph *);
void *cudaNativeGraph(Graph *);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_LIB_RUNTIME_CUDADEVICE_H
