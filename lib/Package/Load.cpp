// Reads a verified package back into plain structs, for tools and tests.
#include "Tilewright/Package/Package.h"
#include "Tilewright/Package/Reader.h"

#include "Package_generated.h"

#include <algorithm>

using namespace tilewright::package;

static std::array<uint32_t, 3> dims(const fb::Dim3 &v) { return {v.x(), v.y(), v.z()}; }

static Address address(const fb::Address &a) {
  return {static_cast<AddressBase>(a.base()), a.index(), a.offset()};
}

static std::vector<std::string>
strings(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>> &v) {
  std::vector<std::string> out;
  for (const flatbuffers::String *s : v)
    out.push_back(s->str());
  return out;
}

static std::string bytesOf(const flatbuffers::Vector<uint8_t> *v) {
  return v ? std::string(reinterpret_cast<const char *>(v->data()), v->size()) : std::string();
}

template <typename To, typename From> static void copyArray(const From &from, To &to) {
  std::copy_n(from.begin(), std::min<size_t>(from.size(), to.size()), to.begin());
}

static Kernel kernel(const fb::Kernel &k, const PackageView &view) {
  Kernel out;
  out.name = k.name()->str();
  for (const fb::Image *i : *k.images())
    out.images.push_back(
        {i->arch()->str(), static_cast<ImageKind>(i->kind()),
         std::string(reinterpret_cast<const char *>(view.imageData() + i->offset()), i->bytes()),
         i->registers(), i->spill_bytes()});
  out.block = dims(*k.block());
  out.dynamicSharedBytes = k.dynamic_shared_bytes();
  out.sourceNodes = strings(*k.source_nodes());
  out.anchor = k.anchor()->str();
  out.bound = k.bound()->str();
  out.flops = k.flops();
  out.bytesRead = k.bytes_read();
  out.bytesWritten = k.bytes_written();
  out.modelledMicroseconds = k.modelled_microseconds();
  out.occupancy = k.occupancy();
  if (k.schedule_from())
    out.scheduleFrom = k.schedule_from()->str();
  return out;
}

static Parameter parameter(const fb::Parameter &p) {
  Parameter out;
  out.kind = static_cast<ParameterKind>(p.kind());
  if (p.address())
    out.address = address(*p.address());
  out.scalar = bytesOf(p.scalar());
  out.dim = p.dim();
  if (p.kind() == fb::ParameterKind::TrueDim)
    out.scalarBytes = p.scalar_bytes();
  if (const fb::TensorMap *m = p.map()) {
    out.map.dataType = m->data_type();
    out.map.rank = m->rank();
    out.map.base = address(*m->base());
    copyArray(*m->dims(), out.map.dims);
    copyArray(*m->strides(), out.map.strides);
    copyArray(*m->box(), out.map.box);
    copyArray(*m->element_strides(), out.map.elementStrides);
    out.map.interleave = m->interleave();
    out.map.swizzle = m->swizzle();
    out.map.l2Promotion = m->l2_promotion();
    out.map.outOfBoundsFill = m->out_of_bounds_fill();
  }
  return out;
}

static Launch launch(const fb::Launch &l) {
  Launch out;
  out.kind = static_cast<LaunchKind>(l.kind());
  out.kernel = l.kernel();
  out.grid = dims(*l.grid());
  out.block = dims(*l.block());
  out.cluster = dims(*l.cluster());
  out.sharedBytes = l.shared_bytes();
  for (const fb::Parameter *p : *l.parameters())
    out.parameters.push_back(parameter(*p));
  out.destination = address(*l.destination());
  out.source = address(*l.source());
  out.bytes = l.bytes();
  out.value = l.value();
  out.elementBytes = l.element_bytes();
  for (const fb::Dependency *d : *l.dependencies())
    out.dependencies.push_back({d->launch(), d->programmatic()});
  out.sourceNodes = strings(*l.source_nodes());
  if (l.variants())
    for (const fb::Launch *variant : *l.variants())
      out.variants.push_back(launch(*variant));
  return out;
}

static Tensor tensor(const fb::Entry &e, const fb::Tensor &t) {
  Tensor out;
  out.name = t.name()->str();
  out.dtype = static_cast<DType>(t.dtype());
  out.shape.assign(t.shape()->begin(), t.shape()->end());
  for (int32_t symbol : *t.symbols())
    out.symbols.push_back(symbol < 0 ? "" : e.bucket()->Get(symbol)->name()->str());
  out.padding = static_cast<PaddingRule>(t.padding());
  out.paddingValue = bytesOf(t.padding_value());
  return out;
}

static Entry entry(const fb::Entry &e) {
  Entry out;
  out.name = e.name()->str();
  for (const fb::BucketDim *d : *e.bucket())
    out.bucket.push_back({d->name()->str(), d->size()});
  for (const fb::Tensor *t : *e.inputs())
    out.inputs.push_back(tensor(e, *t));
  for (const fb::Tensor *t : *e.outputs())
    out.outputs.push_back(tensor(e, *t));
  out.arenaBytes = e.arena_bytes();
  out.workspaceBytes = e.workspace_bytes();
  for (const fb::Launch *l : *e.launches())
    out.launches.push_back(launch(*l));
  return out;
}

std::string tilewright::package::readPackage(const std::string &path, Package &package) {
  PackageView view;
  ReadError error;
  if (!openPackage(path.c_str(), view, error))
    return error.message;
  const fb::Package &table = *view.table;
  package = {};
  package.program = table.program()->str();
  package.driverFloor = table.driver_floor();
  for (const fb::Kernel *k : *table.kernels())
    package.kernels.push_back(kernel(*k, view));
  for (const fb::Entry *e : *table.entries())
    package.entries.push_back(entry(*e));
  for (const fb::Weight *w : *table.weights())
    package.weights.push_back({w->name()->str(),
                               static_cast<DType>(w->dtype()),
                               {w->shape()->begin(), w->shape()->end()},
                               w->bytes(),
                               w->offset(),
                               w->hash()});
  for (const fb::GoldenTensor *g : *table.golden())
    package.golden.push_back(
        {g->entry(), g->output(), g->slot(),
         std::string(reinterpret_cast<const char *>(view.goldenData() + g->offset()), g->bytes()), g->rtol(),
         g->atol()});
  package.emulation.assign(reinterpret_cast<const char *>(view.emulationData()), table.emulation()->bytes());
  for (const fb::KeyValue *pair : *table.manifest())
    package.manifest.emplace(pair->key()->str(), pair->value()->str());
  closePackage(view);
  return "";
}
