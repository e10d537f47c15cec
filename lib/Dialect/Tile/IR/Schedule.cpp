// Text form and limits of #tile.schedule: five entries that every kernel has, then those that are not at
// their default, by name.

#include "Tilewright/Dialect/Tile/IR/ScheduleText.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

//===-- Text ----------------------------------------------------------------------------------------===//

namespace {
template <typename E> struct Word {
  E value;
  const char *text;
};
} // namespace

static constexpr Word<ProductUnit> kProducts[] = {
    {ProductUnit::Fma, "fma"}, {ProductUnit::MmaSync, "mma_sync"}, {ProductUnit::Wgmma, "wgmma"}};
static constexpr Word<CopyUnit> kCopies[] = {
    {CopyUnit::Plain, "plain"}, {CopyUnit::CpAsync, "cp_async"}, {CopyUnit::Bulk, "bulk"}};
static constexpr Word<Roles> kRoles[] = {
    {Roles::None, "none"}, {Roles::Cooperative, "cooperative"}, {Roles::PingPong, "pingpong"}};
static constexpr StringRef kEntryNames[] = {
    "product",    "copy",          "roles",         "loaders",   "registers",    "raw_stages",
    "persistent", "order",         "stream_k",      "rotate_k",  "cluster",      "split_k",
    "store",      "left",          "swap_operands", "pdl",       "defer_stores", "look_back",
    "skip_steps", "overlap_steps", "keep_tables",   "align_rows"};
static constexpr Word<StoreUnit> kStores[] = {{StoreUnit::Direct, "direct"}, {StoreUnit::Bulk, "bulk"}};
static constexpr Word<LeftOperand> kLeftOperands[] = {{LeftOperand::Shared, "shared"},
                                                      {LeftOperand::Registers, "registers"}};

template <typename E, size_t N>
static ParseResult parseWord(AsmParser &parser, const Word<E> (&words)[N], E &result) {
  StringRef text;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&text))
    return failure();
  for (const Word<E> &word : words)
    if (text == word.text) {
      result = word.value;
      return success();
    }
  InFlightDiagnostic diagnostic = parser.emitError(loc) << "'" << text << "' is none of ";
  llvm::interleaveComma(words, diagnostic, [&](const Word<E> &word) { diagnostic << word.text; });
  return diagnostic;
}

template <typename E, size_t N>
static void printWord(AsmPrinter &printer, StringRef key, const Word<E> (&words)[N], E value) {
  for (const Word<E> &word : words)
    if (word.value == value)
      printer << ", " << key << " = " << word.text;
}

static ParseResult parseList(AsmParser &parser, SmallVectorImpl<int64_t> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(list.emplace_back()); });
}

static ParseResult parsePair(AsmParser &parser, int64_t &first, int64_t &second) {
  SmallVector<int64_t> list;
  SMLoc loc = parser.getCurrentLocation();
  if (parseList(parser, list))
    return failure();
  if (list.size() != 2)
    return parser.emitError(loc) << "expected two numbers, got " << list.size();
  first = list[0];
  second = list[1];
  return success();
}

StringRef tile::nameOf(ProductUnit unit) {
  for (const Word<ProductUnit> &word : kProducts)
    if (word.value == unit)
      return word.text;
  return "";
}

FailureOr<std::optional<ProductUnit>> FieldParser<std::optional<ProductUnit>>::parse(AsmParser &parser) {
  ProductUnit unit;
  if (parseWord(parser, kProducts, unit))
    return failure();
  return std::optional(unit);
}

ArrayRef<StringRef> tile::scheduleEntryNames() { return kEntryNames; }

/// `rows`, `hilbert`, `grouped<8>` or `list<[0, 2, 1, 3]>`.
static ParseResult parseOrder(AsmParser &parser, ScheduleOptions &options) {
  StringRef order;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&order))
    return failure();
  if (!llvm::is_contained({"rows", "grouped", "hilbert", "list"}, order))
    return parser.emitError(loc) << "'" << order << "' is none of rows, grouped, hilbert, list";
  options.group = 0;
  options.list.clear();
  options.hilbert = order == "hilbert";
  if (order == "grouped")
    return failure(parser.parseLess() || parser.parseInteger(options.group) || parser.parseGreater());
  if (order != "list")
    return success();
  auto parseEntry = [&] { return parser.parseInteger(options.list.emplace_back()); };
  return failure(parser.parseLess() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry) ||
                 parser.parseGreater());
}

/// `key` and, behind `=`, its value.
static ParseResult parseOption(AsmParser &parser, ScheduleOptions &options) {
  StringRef key;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&key))
    return failure();
  if (!llvm::is_contained(kEntryNames, key)) {
    InFlightDiagnostic diagnostic = parser.emitError(loc)
                                    << "a schedule has no '" << key << "': it may have ";
    llvm::interleaveComma(kEntryNames, diagnostic);
    return diagnostic;
  }
  if (llvm::is_contained({"swap_operands", "pdl", "rotate_k", "defer_stores", "look_back", "skip_steps",
                          "overlap_steps", "keep_tables", "align_rows"},
                         key)) {
    (key == "pdl"             ? options.dependentLaunch
     : key == "look_back"     ? options.lookBack
     : key == "keep_tables"   ? options.keepTables
     : key == "skip_steps"    ? options.skipSteps
     : key == "overlap_steps" ? options.overlapSteps
     : key == "align_rows"    ? options.alignRows
     : key == "defer_stores"  ? options.deferStores
     : key == "rotate_k"      ? options.rotateK
                              : options.swapOperands) = true;
    return success();
  }
  if (parser.parseEqual())
    return failure();
  if (key == "product")
    return parseWord(parser, kProducts, options.product);
  if (key == "copy")
    return parseWord(parser, kCopies, options.copy);
  if (key == "roles")
    return parseWord(parser, kRoles, options.roles);
  if (key == "loaders")
    return parser.parseInteger(options.loaders);
  if (key == "registers")
    return parsePair(parser, options.producerRegisters, options.consumerRegisters);
  if (key == "raw_stages")
    return parser.parseInteger(options.rawStages);
  if (key == "persistent")
    return parser.parseInteger(options.persistent);
  if (key == "order") {
    return parseOrder(parser, options);
  }
  if (key == "stream_k")
    return parser.parseInteger(options.streamK);
  if (key == "cluster")
    return parsePair(parser, options.clusterM, options.clusterN);
  if (key == "split_k")
    return parser.parseInteger(options.splitK);
  if (key == "left")
    return parseWord(parser, kLeftOperands, options.left);
  assert(key == "store" && "every entry has a parser");
  return parseWord(parser, kStores, options.store);
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> tile, warpGrid;
  int64_t reduce = 0, warps = 0, stages = 0;
  ScheduleOptions options;
  SMLoc loc = parser.getCurrentLocation();
  auto key = [&](StringRef name) { return parser.parseKeyword(name) || parser.parseEqual(); };
  if (parser.parseLess() || key("tile") || parseList(parser, tile) || parser.parseComma() || key("reduce") ||
      parser.parseInteger(reduce) || parser.parseComma() || key("warps") || parser.parseInteger(warps) ||
      parser.parseComma() || key("warp_grid") || parseList(parser, warpGrid) || parser.parseComma() ||
      key("stages") || parser.parseInteger(stages))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseOption(parser, options))
      return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), ArrayRef<int64_t>(tile),
                    reduce, warps, ArrayRef<int64_t>(warpGrid), stages, options);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  auto list = [&](ArrayRef<int64_t> values) {
    printer << "[";
    llvm::interleaveComma(values, printer);
    printer << "]";
  };
  printer << "<tile = ";
  list(getTile());
  printer << ", reduce = " << getReduce() << ", warps = " << getWarps() << ", warp_grid = ";
  list(getWarpGrid());
  printer << ", stages = " << getStages();
  const ScheduleOptions &options = getOptions();
  printWord(printer, "product", kProducts, options.product);
  printWord(printer, "copy", kCopies, options.copy);
  if (options.roles != Roles::None)
    printWord(printer, "roles", kRoles, options.roles);
  if (options.loaders != 1)
    printer << ", loaders = " << options.loaders;
  if (options.producerRegisters || options.consumerRegisters) {
    printer << ", registers = ";
    list({options.producerRegisters, options.consumerRegisters});
  }
  if (options.rawStages != ScheduleOptions().rawStages)
    printer << ", raw_stages = " << options.rawStages;
  if (options.persistent)
    printer << ", persistent = " << options.persistent;
  if (options.group)
    printer << ", order = grouped<" << options.group << ">";
  if (options.hilbert)
    printer << ", order = hilbert";
  if (!options.list.empty()) {
    printer << ", order = list<[";
    llvm::interleaveComma(options.list, printer);
    printer << "]>";
  }
  if (options.streamK)
    printer << ", stream_k = " << options.streamK;
  if (options.rotateK)
    printer << ", rotate_k";
  if (options.clusterM != 1 || options.clusterN != 1) {
    printer << ", cluster = ";
    list({options.clusterM, options.clusterN});
  }
  if (options.splitK != 1)
    printer << ", split_k = " << options.splitK;
  if (options.store != StoreUnit::Direct)
    printWord(printer, "store", kStores, options.store);
  if (options.deferStores)
    printer << ", defer_stores";
  if (options.left != LeftOperand::Shared)
    printWord(printer, "left", kLeftOperands, options.left);
  if (options.swapOperands)
    printer << ", swap_operands";
  if (options.dependentLaunch)
    printer << ", pdl";
  if (options.lookBack)
    printer << ", look_back";
  if (options.keepTables)
    printer << ", keep_tables";
  if (options.skipSteps)
    printer << ", skip_steps";
  if (options.overlapSteps)
    printer << ", overlap_steps";
  if (options.alignRows)
    printer << ", align_rows";
  printer << ">";
}

//===-- Limits --------------------------------------------------------------------------------------===//

/// Registers that a product's warps need beside its accumulators.
static constexpr int64_t kOtherRegisters = 24;
/// Blocks that have a flag in the workspace of a kernel.
static constexpr int64_t kMostFlags = 1024;
/// Columns of a tile at most that warpgroups have, by instructions of up to 256, and the rows that a warp
/// has.
static constexpr int64_t kWgmmaColumns = 512, kWgmmaWarpRows = 16;

using EmitError = function_ref<InFlightDiagnostic()>;

/// What a warpgroup's product asks of the tile.
static LogicalResult verifyWgmma(EmitError emitError, ArrayRef<int64_t> tile, int64_t warps,
                                 ArrayRef<int64_t> warpGrid, int64_t stages, const ScheduleOptions &options) {
  if (tile.size() < 2)
    return emitError() << "product = wgmma needs a tile with M and N, got " << tile.size() << " dimension";
  int64_t m = tile[tile.size() - 2], n = tile.back();
  if (warps % 4 != 0)
    return emitError() << "product = wgmma needs warpgroups of 4 warps, got " << warps << " warps";
  int64_t alongN = warpGrid.back();
  if (warps / alongN % 4 != 0)
    return emitError() << "product = wgmma has whole warpgroups along M, warp_grid has " << alongN << " of "
                       << warps << " warps along N";
  if (alongN > 1 && (options.roles != Roles::Cooperative || options.splitK != 1 || options.deferStores ||
                     options.overlapSteps || options.left != LeftOperand::Shared))
    return emitError() << "product = wgmma with warpgroups along N takes roles = cooperative, and neither "
                          "split_k, defer_stores, overlap_steps nor left = registers";
  if (m % (kWgmmaWarpRows * warps / alongN) != 0)
    return emitError() << "product = wgmma gives each of " << warps / 4 / alongN
                       << " warpgroups multiples of 64 rows, the tile has " << m;
  if (n % (8 * alongN) != 0 || n > kWgmmaColumns)
    return emitError() << "product = wgmma takes N in multiples of " << 8 * alongN << " up to "
                       << kWgmmaColumns << ", the tile has " << n;
  int64_t accumulators = m * n / (32 * warps);
  int64_t threads = 32 * (warps * options.instances() + options.loadingWarps());
  int64_t registers = options.consumerRegisters ? options.consumerRegisters : startingRegisters(threads);
  if (accumulators + kOtherRegisters > registers)
    return emitError() << "a thread has " << accumulators << " accumulators and needs " << kOtherRegisters
                       << " other registers, but has " << registers;
  if (stages < 2)
    return emitError() << "product = wgmma reads a ring of at least 2 stages, got " << stages;
  return success();
}

/// Each tile stands in its list once.
static LogicalResult verifyList(EmitError emitError, ArrayRef<int32_t> list) {
  SmallVector<bool> seen(list.size(), false);
  for (int32_t tile : list) {
    if (tile < 0 || tile >= (int64_t)list.size() || seen[tile])
      return emitError() << "order = list has " << list.size()
                         << " tiles, whose numbers are 0 to that in some order; " << tile
                         << " is none of them or there twice";
    seen[tile] = true;
  }
  return success();
}

/// Steps are divided among persistent blocks, each of which has a flag and walks K of its tiles in order.
static LogicalResult verifyStreamK(EmitError emitError, const ScheduleOptions &options) {
  if (options.streamK < 0)
    return emitError() << "stream_k is a number of rounds, got " << options.streamK;
  if (!options.streamK)
    return success();
  if (options.persistent < 1 || options.persistent > kMostFlags)
    return emitError() << "stream_k divides steps among 1 to " << kMostFlags << " persistent blocks, got "
                       << options.persistent;
  if (options.clusterBlocks() != 1 || options.splitK != 1 || options.rotateK)
    return emitError() << "stream_k has blocks begin where others end in K: it excludes clusters, split_k "
                          "and rotate_k";
  return success();
}

static LogicalResult verifyRegisters(EmitError emitError, int64_t warps, const ScheduleOptions &options) {
  int64_t producer = options.producerRegisters, consumer = options.consumerRegisters;
  if (!producer && !consumer)
    return success();
  if (options.roles == Roles::None)
    return emitError() << "registers are moved between roles, and roles = none";
  for (int64_t registers : {producer, consumer})
    if (registers < 24 || registers > 240 || registers % 8 != 0)
      return emitError() << "registers must be multiples of 8 from 24 to 240, got " << registers;
  int64_t loading = 32 * options.loadingWarps(), multiplying = 32 * warps * options.instances();
  int64_t total = loading * producer + multiplying * consumer, threads = loading + multiplying;
  if (total > threads * startingRegisters(threads))
    return emitError() << "registers of all roles are " << total << ", " << threads << " threads start with "
                       << startingRegisters(threads) << " each";
  return success();
}

LogicalResult ScheduleAttr::verify(EmitError emitError, ArrayRef<int64_t> tile, int64_t reduce, int64_t warps,
                                   ArrayRef<int64_t> warpGrid, int64_t stages, ScheduleOptions options) {
  if (tile.empty() || llvm::any_of(tile, [](int64_t t) { return t < 1; }))
    return emitError() << "tile sizes must be at least 1";
  if (reduce < 1)
    return emitError() << "reduce must be at least 1, got " << reduce;
  if (warps < 1 || warps > 32 || !llvm::isPowerOf2_64(warps))
    return emitError() << "warps must be a power of two up to 32, got " << warps;
  int64_t product = 1;
  for (int64_t count : warpGrid)
    product *= count;
  if (product != warps)
    return emitError() << "warp_grid holds " << product << " warps, the block " << warps;
  if (stages < 1 || stages > 16)
    return emitError() << "stages must be 1 to 16, got " << stages;
  bool wgmma = options.product == ProductUnit::Wgmma;
  if (wgmma && failed(verifyWgmma(emitError, tile, warps, warpGrid, stages, options)))
    return failure();
  if (!wgmma &&
      (options.roles != Roles::None || options.copy == CopyUnit::Bulk || options.store == StoreUnit::Bulk ||
       options.rotateK || options.streamK || options.clusterBlocks() != 1))
    return emitError() << "roles, rotate_k, clusters, stream_k and bulk copies and stores "
                          "need product = wgmma";
  if (options.lookBack && (options.persistent || options.splitK != 1 || stages != 1))
    return emitError()
           << "look_back has one piece of a row a block: neither persistent blocks nor split_k nor "
              "stages";
  if (options.keepTables && (wgmma || options.persistent || options.splitK != 1 || options.lookBack))
    return emitError() << "keep_tables has a block go over all indices into its rows: neither products of "
                          "warpgroups nor persistent blocks, split_k or look_back";
  if (options.alignRows && (wgmma || options.lookBack || options.keepTables))
    return emitError()
           << "align_rows is of reductions along rows: neither products of warpgroups nor look_back "
              "or keep_tables";
  if (options.left != LeftOperand::Shared && (!wgmma || options.roles == Roles::None))
    return emitError() << "left = registers has warps that multiply read what a role loads: it needs "
                          "product = wgmma and roles";
  if (int64_t all = warps * options.instances() + options.loadingWarps(); all > 32)
    return emitError() << "a block has at most 32 warps, its roles have " << all;
  if (options.roles == Roles::PingPong && !options.persistent)
    return emitError() << "roles = pingpong takes tiles in turn and needs persistent blocks";
  if (options.deferStores &&
      (options.store != StoreUnit::Bulk || options.roles != Roles::Cooperative || !options.persistent))
    return emitError() << "defer_stores has a tile stored while the next one is multiplied: it needs store = "
                          "bulk, roles = cooperative and persistent blocks";
  if (options.overlapSteps && (!wgmma || options.roles == Roles::None || options.deferStores))
    return emitError()
           << "overlap_steps has a step's product run beside the one of the step before, for which "
              "a role loads: it needs product = wgmma and roles, and no defer_stores";
  if (options.loaders < 1 || (options.loaders > 1 && options.roles == Roles::None))
    return emitError() << "loaders are instances of a role that loads, at least one: got " << options.loaders;
  // An instance that waits for a slot must not take another use's phase for its own.
  if (options.loaders > stages)
    return emitError() << options.loaders << " loaders take slots in turn of a ring of " << stages;
  if (options.rawStages < 2 || options.rawStages > 16 || options.rawStages % 2 != 0)
    return emitError() << "raw_stages must be an even number from 2 to 16, got " << options.rawStages;
  if (options.persistent < 0 || options.group < 0)
    return emitError() << "persistent blocks and grouped rows must not be negative";
  if (failed(verifyList(emitError, options.list)) || failed(verifyStreamK(emitError, options)))
    return failure();
  if (int64_t blocks = options.clusterBlocks(); blocks != 1) {
    if (options.clusterM < 1 || options.clusterN < 1 || blocks > kMostClusterBlocks)
      return emitError() << "a cluster has up to " << kMostClusterBlocks << " blocks along M and N, got ["
                         << options.clusterM << ", " << options.clusterN << "]";
    if (options.roles == Roles::None || options.splitK != 1)
      return emitError()
             << "blocks of a cluster share operands that a role loads, and have all of K: cluster "
                "needs roles and no split_k";
    if (options.loaders > 1)
      return emitError() << "blocks of a cluster share what one loader brings: loaders must be 1";
    if (options.persistent % blocks != 0)
      return emitError() << options.persistent << " persistent blocks are no whole clusters of " << blocks;
    // Which part of K a block begins with follows from its tile: the parts of one step would be of two.
    if (options.rotateK)
      return emitError()
             << "blocks of a cluster share the same part of K at a time: rotate_k excludes clusters";
  }
  if (options.splitK < 1 || options.splitK > kMostClusterBlocks)
    return emitError() << "split_k must be 1 to " << kMostClusterBlocks << " blocks of a cluster, got "
                       << options.splitK;
  if (options.splitK > 1 && (options.persistent || options.roles == Roles::PingPong))
    return emitError() << "split_k = " << options.splitK
                       << " has one tile a block: neither persistent blocks nor roles = pingpong";
  if (wgmma && options.splitK > 1 &&
      (tile.size() < 2 || (tile.back() % options.splitK && tile[tile.size() - 2] % options.splitK)))
    return emitError() << "split_k = " << options.splitK
                       << " divides neither the rows nor the columns of the tile among its blocks";
  return verifyRegisters(emitError, warps, options);
}
