// Remarks on MLIR's remark engine: the sentences of Remarks.def, their arguments, and the YAML collection.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Remarks/RemarkSerializer.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

using namespace mlir;
using namespace tilewright;

namespace {

enum class Kind { Passed, Missed, Failure, Analysis };

/// One line of Remarks.def.
struct Entry {
  const char *name;
  Kind kind;
  const char *category;
  const char *sentence;
};

} // namespace

static const Entry kEntries[] = {
#define TW_REMARK(id, kind, category, sentence) {#id, Kind::kind, category, sentence},
#include "Tilewright/Remarks/Remarks.def"
};

template <typename T> static std::string printed(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// The name of the source node in a location; empty when it has none.
static StringRef nodeOf(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().getValue();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (StringRef node = nodeOf(part); !node.empty())
        return node;
  return {};
}

RemarkValue::RemarkValue(Type type) : text(printed(type)) {}
RemarkValue::RemarkValue(Attribute attribute) : text(printed(attribute)) {}
RemarkValue::RemarkValue(double number) : text(llvm::formatv("{0:f2}", number).str()) {}
RemarkValue::RemarkValue(Operation *op) : text(nodeOf(op->getLoc()).str()) {
  if (text.empty())
    text = op->getName().getStringRef().str();
}

bool tilewright::remarksEnabled(MLIRContext *context) { return context->getRemarkEngine() != nullptr; }

//===-- Emitting ----------------------------------------------------------------------------------------===//

static remark::detail::InFlightRemark start(Kind kind, Location loc, remark::RemarkOpts opts) {
  switch (kind) {
  case Kind::Passed:
    return remark::passed(loc, opts);
  case Kind::Missed:
    return remark::missed(loc, opts);
  case Kind::Failure:
    return remark::failed(loc, opts);
  case Kind::Analysis:
    return remark::analysis(loc, opts);
  }
  llvm_unreachable("covered switch");
}

void tilewright::emitRemarkAt(Location loc, StringRef function, Remark remark, ArrayRef<RemarkValue> args) {
  const Entry &entry = kEntries[(unsigned)remark];
  auto flight = start(entry.kind, loc,
                      remark::RemarkOpts::name(entry.name).category(entry.category).function(function));
  if (!flight)
    return;
  // Text between placeholders goes in as plain strings, so that the remark reads as the sentence.
  StringRef rest = entry.sentence;
  size_t next = 0;
  while (!rest.empty()) {
    auto [text, tail] = rest.split('{');
    if (!text.empty())
      flight << remark::detail::Remark::Arg("String", text);
    if (tail.empty())
      break;
    auto [key, after] = tail.split('}');
    assert(next < args.size() && "fewer arguments than the remark's sentence has");
    if (next == args.size())
      break;
    flight << remark::detail::Remark::Arg(key, StringRef(args[next++].text));
    rest = after;
  }
  assert(next == args.size() && "more arguments than the remark's sentence has");
}

void tilewright::emitRemarkWith(Operation *op, Remark remark, ArrayRef<RemarkValue> args) {
  Operation *function = op;
  while (function && !isa<FunctionOpInterface>(function) && !isa<SymbolOpInterface>(function))
    function = function->getParentOp();
  auto symbol = dyn_cast_or_null<SymbolOpInterface>(function);
  StringRef name = symbol && symbol.getNameAttr() ? symbol.getName() : StringRef();
  emitRemarkAt(op->getLoc(), name, remark, args);
}

//===-- Collecting --------------------------------------------------------------------------------------===//

namespace {

/// One remark, copied out of the engine.
struct Record {
  unsigned order; ///< Index in Remarks.def: stage order.
  std::string function, node, file;
  unsigned line = 0, column = 0;
  std::vector<std::pair<std::string, std::string>> args;

  bool operator<(const Record &other) const {
    return std::tie(order, function, file, line, column, node, args) <
           std::tie(other.order, other.function, other.file, other.line, other.column, other.node,
                    other.args);
  }
};

} // namespace

struct RemarkCollection::State {
  std::mutex mutex; ///< Passes run in parallel.
  std::vector<Record> records;
  /// Where remarks go now: to the innermost trial, or to the records.
  std::vector<std::vector<Record> *> sinks = {&records};
};

struct TrialRemarks::Records {
  std::vector<Record> kept;
};

/// The collections that listen, by context.
static std::mutex &collectionsMutex() {
  static std::mutex mutex;
  return mutex;
}
static std::map<MLIRContext *, std::weak_ptr<RemarkCollection::State>> &collections() {
  static std::map<MLIRContext *, std::weak_ptr<RemarkCollection::State>> found;
  return found;
}

static std::shared_ptr<RemarkCollection::State> collectionOf(MLIRContext &context) {
  std::lock_guard<std::mutex> lock(collectionsMutex());
  auto found = collections().find(&context);
  return found == collections().end() ? nullptr : found->second.lock();
}

/// The place in a file of a location; nothing for source nodes of a binary format.
static FileLineColLoc fileOf(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return file;
  if (auto name = dyn_cast<NameLoc>(loc))
    return fileOf(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColLoc file = fileOf(part))
        return file;
  return {};
}

/// The entry of that name; the engine's remarks of others (upstream passes) sort last.
static unsigned orderOf(StringRef name) {
  const Entry *found = llvm::find_if(kEntries, [&](const Entry &entry) { return name == entry.name; });
  return found - std::begin(kEntries);
}

namespace {
struct Streamer : remark::detail::MLIRRemarkStreamerBase {
  explicit Streamer(std::shared_ptr<RemarkCollection::State> state) : state(std::move(state)) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    Record record;
    record.order = orderOf(remark.getRemarkName());
    record.function = remark.getFunction().str();
    record.node = nodeOf(remark.getLocation()).str();
    if (FileLineColLoc file = fileOf(remark.getLocation())) {
      record.file = file.getFilename().str();
      record.line = file.getLine();
      record.column = file.getColumn();
    }
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      record.args.push_back({arg.key, arg.val});
    std::lock_guard<std::mutex> lock(state->mutex);
    state->sinks.back()->push_back(std::move(record));
  }

  std::shared_ptr<RemarkCollection::State> state;
};
} // namespace

RemarkCollection::RemarkCollection(MLIRContext &context) : state(std::make_shared<State>()) {
  remark::RemarkCategories all;
  all.passed = all.missed = all.analysis = all.failed = ".*"; // `all` alone enables none
  // Fails only when the engine could not be set up with a streamer, and ours needs nothing.
  (void)remark::enableOptimizationRemarks(context, std::make_unique<Streamer>(state),
                                          std::make_unique<remark::RemarkEmittingPolicyAll>(), all);
  std::lock_guard<std::mutex> lock(collectionsMutex());
  collections()[&context] = state;
}

RemarkCollection::~RemarkCollection() {
  std::lock_guard<std::mutex> lock(collectionsMutex());
  for (auto entry = collections().begin(); entry != collections().end();)
    entry = entry->second.lock() == state ? collections().erase(entry) : std::next(entry);
}

//===-- Trials ------------------------------------------------------------------------------------------===//

TrialRemarks::TrialRemarks() : records(std::make_unique<Records>()) {}
TrialRemarks::~TrialRemarks() = default;
TrialRemarks::TrialRemarks(TrialRemarks &&) = default;
TrialRemarks &TrialRemarks::operator=(TrialRemarks &&) = default;

void TrialRemarks::during(MLIRContext &context, llvm::function_ref<void()> work) {
  std::shared_ptr<RemarkCollection::State> state = collectionOf(context);
  if (!state)
    return work();
  {
    std::lock_guard<std::mutex> lock(state->mutex);
    state->sinks.push_back(&records->kept);
  }
  work();
  std::lock_guard<std::mutex> lock(state->mutex);
  state->sinks.pop_back();
}

/// Whether a remark says what a kernel is like, after it was formed and before it is assembled. How the model
/// came to its schedule stays true.
static bool isOfKernel(const Record &record) {
  auto is = [&](Remark remark) { return record.order == (unsigned)remark; };
  if (record.order >= std::size(kEntries) || is(Remark::ScheduleModelled) || is(Remark::ScheduleRejected) ||
      is(Remark::RecordStale))
    return false;
  StringRef stage = kEntries[record.order].category;
  return stage == "tile" || stage == "schedule" || stage == "target";
}

void TrialRemarks::adopt(MLIRContext &context, StringRef replaced) {
  std::shared_ptr<RemarkCollection::State> state = collectionOf(context);
  if (!state)
    return;
  std::lock_guard<std::mutex> lock(state->mutex);
  std::vector<Record> &sink = *state->sinks.back();
  llvm::erase_if(sink,
                 [&](const Record &record) { return isOfKernel(record) && record.function == replaced; });
  std::move(records->kept.begin(), records->kept.end(), std::back_inserter(sink));
  records->kept.clear();
}

static llvm::remarks::Type yamlType(Kind kind) {
  switch (kind) {
  case Kind::Passed:
    return llvm::remarks::Type::Passed;
  case Kind::Missed:
    return llvm::remarks::Type::Missed;
  case Kind::Failure:
    return llvm::remarks::Type::Failure;
  case Kind::Analysis:
    return llvm::remarks::Type::Analysis;
  }
  llvm_unreachable("covered switch");
}

std::string RemarkCollection::toYaml() const {
  std::vector<Record> records;
  {
    std::lock_guard<std::mutex> lock(state->mutex);
    records = state->records;
  }
  std::sort(records.begin(), records.end());
  std::string yaml;
  llvm::raw_string_ostream os(yaml);
  auto serializer = llvm::remarks::createRemarkSerializer(llvm::remarks::Format::YAML, os);
  if (!serializer) {
    llvm::consumeError(serializer.takeError()); // YAML is always there
    return {};
  }
  for (const Record &record : records) {
    if (record.order >= std::size(kEntries))
      continue;
    const Entry &entry = kEntries[record.order];
    llvm::remarks::Remark remark;
    remark.RemarkType = yamlType(entry.kind);
    remark.PassName = entry.category;
    remark.RemarkName = entry.name;
    remark.FunctionName = record.function;
    if (!record.file.empty())
      remark.Loc = llvm::remarks::RemarkLocation{record.file, record.line, record.column};
    for (const auto &[key, value] : record.args)
      remark.Args.emplace_back(key, value);
    if (!record.node.empty())
      remark.Args.emplace_back("Node", record.node);
    (*serializer)->emit(remark);
  }
  (*serializer)->finalize();
  return yaml;
}
