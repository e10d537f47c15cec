// Opening packages, and the getters over their tables.
#include "Package.h"

#include <stdio.h>

using namespace tilewright::package;
using namespace tilewright::runtime;

//===-- Opening -------------------------------------------------------------------------------------===//

/// The folder of `path` with its last slash, on the heap.
static char *folderOf(const char *path) {
  const char *slash = strrchr(path, '/');
  size_t length = slash ? slash - path + 1 : 0;
  char *folder = static_cast<char *>(malloc(length + 1));
  if (!folder)
    return nullptr;
  memcpy(folder, path, length);
  folder[length] = 0;
  return folder;
}

static twrt_status openAny(const char *path, const void *data, size_t bytes, twrt_package **out,
                           twrt_error *error) {
  if (!out || (!path && !data))
    return fail(error, TWRT_ERROR_ARGUMENT,
                "twrt_package_open was given no path, memory or place for the result");
  *out = nullptr;
  twrt_package *package = static_cast<twrt_package *>(calloc(1, sizeof(twrt_package)));
  if (!package)
    return hostMemoryFailure(error, sizeof(twrt_package));
  ReadError wrong;
  bool sound =
      path ? openPackage(path, package->view, wrong) : openPackageMemory(data, bytes, package->view, wrong);
  package->folder = folderOf(path ? path : "");
  if (sound && package->folder) {
    *out = package;
    return TWRT_OK;
  }
  twrt_package_close(package);
  if (sound)
    return hostMemoryFailure(error, 1);
  return fail(error, wrong.io ? TWRT_ERROR_IO : TWRT_ERROR_FORMAT, "%s", wrong.message);
}

twrt_status twrt_package_open(const char *path, twrt_package **out, twrt_error *error) {
  return openAny(path, nullptr, 0, out, error);
}

twrt_status twrt_package_open_memory(const void *data, size_t bytes, twrt_package **out, twrt_error *error) {
  return openAny(nullptr, data, bytes, out, error);
}

void twrt_package_close(twrt_package *package) {
  if (!package)
    return;
  closePackage(package->view);
  free(package->folder);
  free(package);
}

//===-- Getters -------------------------------------------------------------------------------------===//

static void copyDims(const fb::Dim3 &from, uint32_t to[3]) {
  to[0] = from.x(), to[1] = from.y(), to[2] = from.z();
}

void twrt_package_get_info(const twrt_package *package, twrt_package_info *info) {
  const fb::Package &table = package->table();
  *info = {};
  info->program = table.program()->c_str();
  info->version = kVersion;
  info->driver_floor = table.driver_floor();
  info->entries = table.entries()->size();
  info->kernels = table.kernels()->size();
  info->weights = table.weights()->size();
  info->golden = table.golden()->size();
  info->manifest = table.manifest()->size();
  info->file_bytes = package->view.bytes;
  info->weight_bytes = table.weight_data()->bytes();
  info->image_bytes = table.images()->bytes();
  info->emulation_bytes = table.emulation()->bytes();
  info->external_weights = table.external_weights() ? table.external_weights()->c_str() : nullptr;
}

/// Element `index` of a vector of tables, or null.
template <typename T>
static const T *at(const flatbuffers::Vector<flatbuffers::Offset<T>> *vector, uint32_t index) {
  return index < vector->size() ? vector->Get(index) : nullptr;
}

twrt_status twrt_entry_get_info(const twrt_package *package, uint32_t entry, twrt_entry_info *info) {
  const fb::Entry *e = at(package->table().entries(), entry);
  if (!e)
    return TWRT_ERROR_ARGUMENT;
  *info = {e->name()->c_str(),    e->inputs()->size(), e->outputs()->size(),
           e->launches()->size(), e->bucket()->size(), e->arena_bytes()};
  return TWRT_OK;
}

twrt_status twrt_entry_get_bucket_dim(const twrt_package *package, uint32_t entry, uint32_t dim,
                                      const char **name, int64_t *size) {
  const fb::Entry *e = at(package->table().entries(), entry);
  const fb::BucketDim *d = e ? at(e->bucket(), dim) : nullptr;
  if (!d)
    return TWRT_ERROR_ARGUMENT;
  *name = d->name()->c_str();
  *size = d->size();
  return TWRT_OK;
}

static twrt_status tensorInfo(const fb::Tensor *t, twrt_tensor_info *info) {
  if (!t)
    return TWRT_ERROR_ARGUMENT;
  *info = {};
  info->name = t->name()->c_str();
  info->dtype = static_cast<twrt_dtype>(t->dtype());
  info->rank = t->shape()->size();
  info->shape = t->shape()->data();
  info->symbols = t->symbols()->data();
  info->bytes = t->bytes();
  info->fills = t->padding() == fb::PaddingRule::Fill;
  return TWRT_OK;
}

twrt_status twrt_input_get_info(const twrt_package *package, uint32_t entry, uint32_t slot,
                                twrt_tensor_info *info) {
  const fb::Entry *e = at(package->table().entries(), entry);
  return tensorInfo(e ? at(e->inputs(), slot) : nullptr, info);
}

twrt_status twrt_output_get_info(const twrt_package *package, uint32_t entry, uint32_t slot,
                                 twrt_tensor_info *info) {
  const fb::Entry *e = at(package->table().entries(), entry);
  return tensorInfo(e ? at(e->outputs(), slot) : nullptr, info);
}

void tilewright::runtime::fillLaunchInfo(const fb::Launch &launch, twrt_launch_info *info) {
  *info = {};
  info->kind = static_cast<twrt_launch_kind>(launch.kind());
  info->kernel = launch.kernel();
  copyDims(*launch.grid(), info->grid);
  copyDims(*launch.block(), info->block);
  copyDims(*launch.cluster(), info->cluster);
  info->shared_bytes = launch.shared_bytes();
  info->dependencies = launch.dependencies()->size();
  info->bytes = launch.bytes();
}

twrt_status twrt_launch_get_info(const twrt_package *package, uint32_t entry, uint32_t launch,
                                 twrt_launch_info *info) {
  const fb::Entry *e = at(package->table().entries(), entry);
  const fb::Launch *l = e ? at(e->launches(), launch) : nullptr;
  if (!l)
    return TWRT_ERROR_ARGUMENT;
  fillLaunchInfo(*l, info);
  return TWRT_OK;
}

twrt_status twrt_kernel_get_info(const twrt_package *package, uint32_t kernel, twrt_kernel_info *info) {
  const fb::Kernel *k = at(package->table().kernels(), kernel);
  if (!k)
    return TWRT_ERROR_ARGUMENT;
  *info = {};
  info->name = k->name()->c_str();
  info->anchor = k->anchor()->c_str();
  info->bound = k->bound()->c_str();
  copyDims(*k->block(), info->block);
  info->dynamic_shared_bytes = k->dynamic_shared_bytes();
  info->images = k->images()->size();
  info->flops = k->flops();
  info->bytes_read = k->bytes_read();
  info->bytes_written = k->bytes_written();
  info->modelled_microseconds = k->modelled_microseconds();
  info->occupancy = k->occupancy();
  info->source_nodes = k->source_nodes()->size();
  info->schedule_from = k->schedule_from() ? k->schedule_from()->c_str() : nullptr;
  return TWRT_OK;
}

twrt_status twrt_kernel_get_image(const twrt_package *package, uint32_t kernel, uint32_t image,
                                  twrt_image_info *info) {
  const fb::Kernel *k = at(package->table().kernels(), kernel);
  const fb::Image *i = k ? at(k->images(), image) : nullptr;
  if (!i)
    return TWRT_ERROR_ARGUMENT;
  *info = {i->arch()->c_str(), i->kind() == fb::ImageKind::Cubin, i->bytes(), i->registers(),
           i->spill_bytes()};
  return TWRT_OK;
}

twrt_status twrt_kernel_get_source_node(const twrt_package *package, uint32_t kernel, uint32_t node,
                                        const char **name) {
  const fb::Kernel *k = at(package->table().kernels(), kernel);
  const flatbuffers::String *s = k ? at(k->source_nodes(), node) : nullptr;
  if (!s)
    return TWRT_ERROR_ARGUMENT;
  *name = s->c_str();
  return TWRT_OK;
}

twrt_status twrt_weight_get_info(const twrt_package *package, uint32_t weight, twrt_weight_info *info) {
  const fb::Weight *w = at(package->table().weights(), weight);
  if (!w)
    return TWRT_ERROR_ARGUMENT;
  *info = {w->name()->c_str(), static_cast<twrt_dtype>(w->dtype()),
           w->shape()->size(), w->shape()->data(),
           w->offset(),        w->bytes(),
           w->hash()};
  return TWRT_OK;
}

twrt_status twrt_golden_get_info(const twrt_package *package, uint32_t golden, twrt_golden_info *info) {
  const fb::GoldenTensor *g = at(package->table().golden(), golden);
  if (!g)
    return TWRT_ERROR_ARGUMENT;
  *info = {g->entry(), g->slot(), g->output(), package->view.goldenData() + g->offset(),
           g->bytes(), g->rtol(), g->atol()};
  return TWRT_OK;
}

twrt_status twrt_manifest_get(const twrt_package *package, uint32_t index, const char **key,
                              const char **value) {
  const fb::KeyValue *pair = at(package->table().manifest(), index);
  if (!pair)
    return TWRT_ERROR_ARGUMENT;
  *key = pair->key()->c_str();
  *value = pair->value()->c_str();
  return TWRT_OK;
}
