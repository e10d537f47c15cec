/* The runtime of Tilewright packages: opens `model.tw`, and runs it on a CUDA device or on the emulator.
 *
 * C99. Links with `cc main.c libtilewright_rt.a -ldl -lpthread`; the CUDA driver is opened when a session
 * asks for it, and nothing else is needed. Every function that can fail returns a status and, where `error`
 * is not NULL, writes a sentence that names what was needed and what was found. A package may be shared by
 * threads; a session is used by one thread at a time. Strings and shapes in the *_info structs live as long
 * as the package. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TILEWRIGHT_RUNTIME_H
#define TILEWRIGHT_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  TWRT_OK = 0,
  TWRT_ERROR_ARGUMENT,  /* a NULL, an index out of range, a call out of order */
  TWRT_ERROR_IO,        /* a file could not be opened, read or mapped */
  TWRT_ERROR_FORMAT,    /* not a package, damaged, or of another version */
  TWRT_ERROR_NO_DRIVER, /* libcuda could not be opened, or lacks a function */
  TWRT_ERROR_DRIVER_TOO_OLD,
  TWRT_ERROR_NO_DEVICE,
  TWRT_ERROR_ARCH, /* no kernel image that this device can run */
  TWRT_ERROR_OUT_OF_MEMORY,
  TWRT_ERROR_SHAPE,
  TWRT_ERROR_DTYPE,
  TWRT_ERROR_UNKNOWN_NAME,
  TWRT_ERROR_MISSING_INPUT,
  TWRT_ERROR_WEIGHTS,      /* missing, of another size, or with another hash */
  TWRT_ERROR_NO_EMULATION, /* no emulator library, or no emulation segment in the package */
  TWRT_ERROR_DEVICE        /* the driver or the emulator reported a failure */
} twrt_status;

typedef struct {
  twrt_status status;
  char message[1024];
} twrt_error;

typedef enum {
  TWRT_F32,
  TWRT_F16,
  TWRT_BF16,
  TWRT_F64,
  TWRT_I8,
  TWRT_U8,
  TWRT_I16,
  TWRT_U16,
  TWRT_I32,
  TWRT_U32,
  TWRT_I64,
  TWRT_U64,
  TWRT_BOOL,
  TWRT_F8E4M3, /* without infinity */
  TWRT_F8E5M2
} twrt_dtype;

const char *twrt_dtype_name(twrt_dtype dtype);
unsigned twrt_dtype_bytes(twrt_dtype dtype);
const char *twrt_status_name(twrt_status status);

/* ---- Packages: opened and verified before anything is believed; no device is touched.
 * -------------------------- */

typedef struct twrt_package twrt_package;

twrt_status twrt_package_open(const char *path, twrt_package **out, twrt_error *error);
/* `data` stays the caller's and outlives the package; it is aligned to 16 bytes. External weights are then
 * looked for in the current folder. */
twrt_status twrt_package_open_memory(const void *data, size_t bytes, twrt_package **out, twrt_error *error);
void twrt_package_close(twrt_package *package);

typedef struct {
  const char *program;
  uint32_t version;      /* of the format */
  uint32_t driver_floor; /* cuDriverGetVersion's encoding, such as 12030 */
  uint32_t entries, kernels, weights, golden, manifest;
  uint64_t file_bytes, weight_bytes, image_bytes, emulation_bytes;
  const char *external_weights; /* NULL: embedded */
} twrt_package_info;

typedef struct {
  const char *name;
  twrt_dtype dtype;
  uint32_t rank;
  const int64_t *shape;   /* of the bucket */
  const int32_t *symbols; /* for each dimension an index into the bucket, or -1: fixed */
  uint64_t bytes;
  int fills; /* a smaller tensor is padded */
} twrt_tensor_info;

typedef struct {
  const char *name;
  uint32_t inputs, outputs, launches, bucket_dims;
  uint64_t arena_bytes;
} twrt_entry_info;

typedef struct {
  const char *name, *anchor, *bound;
  uint32_t block[3], dynamic_shared_bytes, images;
  uint64_t flops, bytes_read, bytes_written;
  double modelled_microseconds, occupancy;
  uint32_t source_nodes;
  const char *schedule_from; /* "record", "model", "rule" or "program"; NULL: not known */
} twrt_kernel_info;

typedef struct {
  const char *arch;
  int is_cubin;
  uint64_t bytes;
  int32_t registers, spill_bytes; /* -1: not known */
} twrt_image_info;

typedef enum { TWRT_LAUNCH_KERNEL, TWRT_LAUNCH_MEMSET, TWRT_LAUNCH_MEMCPY } twrt_launch_kind;

typedef struct {
  twrt_launch_kind kind;
  uint32_t kernel; /* an index, when kind is TWRT_LAUNCH_KERNEL */
  uint32_t grid[3], block[3], cluster[3], shared_bytes, dependencies;
  uint64_t bytes; /* of a memset or memcpy */
} twrt_launch_info;

typedef struct {
  const char *name;
  twrt_dtype dtype;
  uint32_t rank;
  const int64_t *shape;
  uint64_t offset, bytes, hash;
} twrt_weight_info;

typedef struct {
  uint32_t entry, slot;
  int is_output;
  const void *data;
  uint64_t bytes;
  double rtol, atol;
} twrt_golden_info;

void twrt_package_get_info(const twrt_package *package, twrt_package_info *info);
/* The getters below return TWRT_ERROR_ARGUMENT when an index is out of range. */
twrt_status twrt_entry_get_info(const twrt_package *package, uint32_t entry, twrt_entry_info *info);
twrt_status twrt_entry_get_bucket_dim(const twrt_package *package, uint32_t entry, uint32_t dim,
                                      const char **name, int64_t *size);
twrt_status twrt_input_get_info(const twrt_package *package, uint32_t entry, uint32_t slot,
                                twrt_tensor_info *info);
twrt_status twrt_output_get_info(const twrt_package *package, uint32_t entry, uint32_t slot,
                                 twrt_tensor_info *info);
twrt_status twrt_launch_get_info(const twrt_package *package, uint32_t entry, uint32_t launch,
                                 twrt_launch_info *info);
twrt_status twrt_kernel_get_info(const twrt_package *package, uint32_t kernel, twrt_kernel_info *info);
twrt_status twrt_kernel_get_image(const twrt_package *package, uint32_t kernel, uint32_t image,
                                  twrt_image_info *info);
twrt_status twrt_kernel_get_source_node(const twrt_package *package, uint32_t kernel, uint32_t node,
                                        const char **name);
twrt_status twrt_weight_get_info(const twrt_package *package, uint32_t weight, twrt_weight_info *info);
twrt_status twrt_golden_get_info(const twrt_package *package, uint32_t golden, twrt_golden_info *info);
twrt_status twrt_manifest_get(const twrt_package *package, uint32_t index, const char **key,
                              const char **value);

/* ---- Sessions: one package on one device.
 * ---------------------------------------------------------------------- */

typedef struct twrt_session twrt_session;

typedef enum { TWRT_DEVICE_CUDA, TWRT_DEVICE_EMULATOR } twrt_device_kind;

/* Writes bytes [offset, offset + bytes) of weight `weight` to `destination`; returns 0, or nonzero on
 * failure. */
typedef int (*twrt_weight_reader)(void *user, uint32_t weight, uint64_t offset, void *destination,
                                  uint64_t bytes);

typedef struct {
  twrt_device_kind device;
  int ordinal;                /* of the CUDA device */
  const char *driver_library; /* NULL: "libcuda.so.1" */
  const char
      *emulator_library; /* NULL: libTilewrightEmulator.so beside the executable, in ../lib, then by name */
  unsigned emulator_seed;
  int emulator_early, emulator_threads;
  int emulator_unchecked;           /* detectors off */
  const char *weights_path;         /* NULL: embedded, or the package's external file beside it */
  int verify_weights;               /* check every weight's hash while it is loaded */
  twrt_weight_reader weight_reader; /* not NULL: the weights come from here instead */
  void *weight_user;
} twrt_session_options;

/* Fills the defaults: CUDA device 0. */
void twrt_session_options_init(twrt_session_options *options);

/* Answers, without loading anything, whether this package would run on the device the options name: driver
 * found and new enough, a device of that ordinal, an image for its arch. */
twrt_status twrt_device_check(const twrt_package *package, const twrt_session_options *options,
                              twrt_error *error);

/* Opens the device, loads the kernels, allocates one block of device memory for arena and staging and one for
 * the weights, and uploads these. */
twrt_status twrt_session_create(const twrt_package *package, const twrt_session_options *options,
                                twrt_session **out, twrt_error *error);
void twrt_session_destroy(twrt_session *session);

/* One line about the device, such as "NVIDIA H200 (sm_90), driver 13.0". */
const char *twrt_session_device(const twrt_session *session);

/* A tensor in host memory, C order. */
typedef struct {
  const char *name;
  twrt_dtype dtype;
  uint32_t rank;
  const int64_t *shape;
  void *data; /* only read, for an input */
} twrt_host_tensor;

/* The smallest entry (bucket) that these inputs fit; their data is not looked at. */
twrt_status twrt_pick_entry(const twrt_package *package, const twrt_host_tensor *inputs, uint32_t count,
                            uint32_t *entry, twrt_error *error);

/* The true shape of output `slot` for these inputs: the bucket's, with each symbolic dimension cut to its
 * true length. `shape` holds as many numbers as the output's rank. */
twrt_status twrt_output_true_shape(const twrt_package *package, uint32_t entry,
                                   const twrt_host_tensor *inputs, uint32_t count, uint32_t slot,
                                   int64_t *shape, twrt_error *error);

/* Launch `launch` of `entry` as this session's device runs it: itself, or its variant for the chip. */
twrt_status twrt_session_get_launch(const twrt_session *session, uint32_t entry, uint32_t launch,
                                    twrt_launch_info *info);

/* Makes `entry` current and builds its graph on first use: the only calls after twrt_session_create that
 * allocate are this one, a twrt_run_host or twrt_submit that meets an entry or the pinned staging for the
 * first time, and the measuring functions. */
twrt_status twrt_prepare(twrt_session *session, uint32_t entry, twrt_error *error);

/* From now on the input or output `name` of every entry is the caller's device memory at `ptr`, `bytes` long,
 * in the bucket's shape; NULL brings the staging back. Tensor maps over it are encoded anew and the nodes
 * that use it are updated in the executable graph at the next run, without allocation. */
twrt_status twrt_bind(twrt_session *session, const char *name, void *ptr, uint64_t bytes, twrt_error *error);

/* Sets the true length of a bucket dimension for twrt_run (the bucket's size by default); the kernels that
 * take it get it as a scalar. Inputs that the caller fills must be zero beyond it. twrt_run_host and
 * twrt_submit set it from their inputs' shapes, and pad. */
twrt_status twrt_set_true_dim(twrt_session *session, const char *name, int64_t size, twrt_error *error);

/* Where unbound input or output `name` of the current entry lies in device memory, for callers that fill or
 * read the staging themselves before and after twrt_run. */
twrt_status twrt_staging(twrt_session *session, const char *name, void **ptr, uint64_t *bytes,
                         twrt_error *error);

/* Launches the current entry on `stream` (a CUstream; NULL: the session's own) and returns at once. */
twrt_status twrt_run(twrt_session *session, void *stream, twrt_error *error);

/* The current entry as a CUgraph over the addresses that are bound now, for callers that make it a part of a
 * graph of their own (cuGraphAddChildGraphNode copies it). It is built anew by each call and is the session's
 * until the next call of this function or twrt_session_destroy. CUDA devices only. */
twrt_status twrt_graph(twrt_session *session, void **graph, twrt_error *error);

/* Waits for everything this session has launched on its own streams. */
twrt_status twrt_sync(twrt_session *session, twrt_error *error);

/* Runs on host tensors: picks the bucket, pads, copies in, launches, copies out, slices, waits. Outputs that
 * are not named are not copied to the host tensors; an output's shape must be its true shape. */
twrt_status twrt_run_host(twrt_session *session, const twrt_host_tensor *inputs, uint32_t num_inputs,
                          const twrt_host_tensor *outputs, uint32_t num_outputs, twrt_error *error);

/* The two halves of twrt_run_host. Up to two submissions may be in flight: the second one's copies overlap
 * the first one's kernels. Neither half waits for the device but twrt_collect for its own ticket. */
twrt_status twrt_submit(twrt_session *session, const twrt_host_tensor *inputs, uint32_t num_inputs,
                        uint32_t *ticket, twrt_error *error);
twrt_status twrt_collect(twrt_session *session, uint32_t ticket, const twrt_host_tensor *outputs,
                         uint32_t num_outputs, twrt_error *error);

/* ---- Measuring
 * ------------------------------------------------------------------------------------------------- */

/* Device time of each of `count` back-to-back runs of the current entry, between events, in microseconds. On
 * the emulator these are host times. */
twrt_status twrt_time_runs(twrt_session *session, uint32_t count, double *microseconds, twrt_error *error);

/* Time of one launch of the current entry by itself: each of `samples` figures is the time of a chain of
 * `repeats` of it over `repeats`. Its data stays in cache from one to the next (warm). */
twrt_status twrt_time_launch(twrt_session *session, uint32_t launch, uint32_t repeats, uint32_t samples,
                             double *microseconds, twrt_error *error);

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_RUNTIME_H */
