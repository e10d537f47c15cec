// Runs a kernel of a target-stage file on the emulator with buffers made to order, for tests:
//
//   tw-emulate add.mlir --kernel=add --grid=2 --block=128 --arg=f32:256:iota --arg=f32:256:zeros --print=1
//
// An argument is a buffer, TYPE:COUNT:FILL[:ro], or a scalar, TYPE=VALUE. TYPE is f32, f16, bf16, e4m3, e5m2,
// i8, i32 or i64; FILL is zeros, ones, iota, ramp (-3 … 3 and again), random or a number; `ro` makes the
// buffer read-only. Parameters with ptx.tensor_map take no argument: their maps are made over the buffers,
// counted as given. Errors and faults go to stderr, and the exit code is 1.
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Emulator/Emulator.h"
#include "Tilewright/Emulator/TensorMap.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <deque>
#include <map>

using namespace tilewright::emulator;
namespace cl = llvm::cl;

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<target-stage .mlir or .mlirbc>"),
                                      cl::init("-"));
static cl::opt<std::string> kernelName("kernel", cl::desc("Kernel to run (default: the first)"));
static cl::opt<bool> eachKernel("each",
                                cl::desc("Run every kernel, and say what was reported of it or \"fine\""));
static cl::opt<std::string> gridExtent("grid", cl::desc("Blocks: x[,y[,z]]"));
static cl::opt<std::string> blockExtent("block", cl::desc("Threads of a block: x[,y[,z]]"));
static cl::opt<unsigned> sharedBytes("shared", cl::desc("Dynamic shared memory in bytes"));
static cl::list<std::string> argumentSpecs("arg",
                                           cl::desc("TYPE:COUNT:FILL[:ro] or TYPE=VALUE, one per parameter"));
static cl::list<unsigned> printed("print", cl::desc("Number of an argument to print after the launch"));
static cl::opt<unsigned> seed("seed", cl::desc("Seed of the schedule"));
static cl::opt<unsigned> cpuThreads("cpu-threads", cl::desc("CPU threads (default: one for each core)"));
static cl::opt<unsigned> repeats("repeat", cl::desc("Launch this often"), cl::init(1));
static cl::opt<bool> early("early", cl::desc("Asynchronous copies complete at issue"));
static cl::opt<bool> noCheck("no-check", cl::desc("Keep no shadow of shared memory"));
static cl::opt<bool> mutateSync("mutate-sync",
                                cl::desc("Remove each synchronisation in turn; exit 1 if one survives"));

namespace {
/// One parameter of the kernel: a buffer's pointer or a scalar, and the buffer.
struct Argument {
  std::string type;
  uint64_t count = 0;
  std::string fill;
  bool writable = true;
  std::vector<char> data;
  uint64_t value = 0;
  bool isBuffer() const { return count != 0; }
  /// Bytes round the buffer that belong to no argument: a stray access is of this one.
  static constexpr size_t kGuardBytes = 64 << 10;
  /// 256-byte alignment, as device allocations have.
  char *base() {
    uintptr_t first = reinterpret_cast<uintptr_t>(data.data()) + kGuardBytes;
    return reinterpret_cast<char *>((first + 255) & ~uintptr_t(255));
  }
};
} // namespace

static unsigned elementBytes(llvm::StringRef type) {
  return llvm::StringSwitch<unsigned>(type)
      .Cases({"f16", "bf16"}, 2)
      .Cases({"f32", "i32"}, 4)
      .Case("i64", 8)
      .Cases({"i8", "e4m3", "e5m2"}, 1)
      .Default(0);
}

static const llvm::fltSemantics &semanticsOf(llvm::StringRef type) {
  if (type == "f16")
    return llvm::APFloat::IEEEhalf();
  if (type == "bf16")
    return llvm::APFloat::BFloat();
  if (type == "e4m3")
    return llvm::APFloat::Float8E4M3FN();
  if (type == "e5m2")
    return llvm::APFloat::Float8E5M2();
  return llvm::APFloat::IEEEsingle();
}

static uint64_t encode(llvm::StringRef type, double value) {
  if (type.starts_with("i"))
    return uint64_t(int64_t(value));
  llvm::APFloat number(value);
  const llvm::fltSemantics &semantics = semanticsOf(type);
  bool losesInfo;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

static std::string decode(llvm::StringRef type, const char *data) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, elementBytes(type));
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (type == "i8")
    stream << int(int8_t(bits));
  else if (type == "i32")
    stream << int32_t(bits);
  else if (type == "i64")
    stream << int64_t(bits);
  else
    stream << llvm::format(
        "%.9g",
        double(llvm::APFloat(semanticsOf(type), llvm::APInt(8 * elementBytes(type), bits)).convertToFloat()));
  return text;
}

/// Numbers of a fill, the same on every machine.
static double fillValue(llvm::StringRef fill, uint64_t index) {
  if (fill == "zeros")
    return 0;
  if (fill == "ones")
    return 1;
  if (fill == "iota")
    return double(index);
  if (fill == "ramp")
    return double(index % 7) - 3;
  if (fill == "random") {
    uint64_t x = (index + 1) * 0x9E3779B97F4A7C15ull;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9ull;
    return double(int64_t(x >> 40) - (1 << 23)) / (1 << 23);
  }
  double value = 0;
  fill.getAsDouble(value);
  return value;
}

static void fillArgument(Argument &argument) {
  unsigned bytes = elementBytes(argument.type);
  argument.data.resize(argument.count * bytes + 2 * Argument::kGuardBytes + 256);
  for (uint64_t i = 0; i < argument.count; ++i) {
    uint64_t bits = encode(argument.type, fillValue(argument.fill, i));
    std::memcpy(argument.base() + i * bytes, &bits, bytes);
  }
}

static bool parseArgument(llvm::StringRef spec, Argument &argument) {
  auto [type, value] = spec.split('=');
  argument.type = (value.empty() ? spec.split(':').first : type).str();
  if (!elementBytes(argument.type))
    return false;
  if (!value.empty()) {
    argument.value = encode(argument.type, fillValue(value, 0));
    return true;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  spec.split(parts, ':');
  if (parts.size() < 3 || parts[1].getAsInteger(10, argument.count) || !argument.count)
    return false;
  argument.fill = parts[2].str();
  argument.writable = parts.size() < 4 || parts[3] != "ro";
  return true;
}

static bool parseExtent(llvm::StringRef text, Extent &extent) {
  uint32_t *dimensions[] = {&extent.x, &extent.y, &extent.z};
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  if (parts.size() > 3)
    return false;
  for (auto [index, part] : llvm::enumerate(parts))
    if (part.getAsInteger(10, *dimensions[index]))
      return false;
  return true;
}

namespace {
/// A parameter that is a tensor map over buffer `of`.
struct KnownMap {
  unsigned of = 0;
  uint64_t offset = 0;
  TensorMapRequest request;
  llvm::SmallVector<uint64_t> dims, strides;
  llvm::SmallVector<uint32_t> box, elementStrides;
};
/// What a kernel's ptx.launch and its parameters say.
struct KnownLaunch {
  Extent grid;
  Extent block = {32, 1, 1};
  uint32_t sharedBytes = 0;
  /// By number of the parameter.
  std::map<unsigned, KnownMap> maps;
};
} // namespace
static llvm::StringMap<KnownLaunch> knownLaunches;

static KnownMap readMap(tilewright::ptx::TensorMapAttr map) {
  KnownMap known;
  known.of = unsigned(map.getOf());
  known.offset = uint64_t(map.getOffset());
  known.request.dataType = map.driverDataType();
  known.request.rank = map.getRank();
  known.request.interleave = map.driverInterleave();
  known.request.swizzle = map.driverSwizzle();
  known.request.l2Promotion = map.driverL2();
  known.request.outOfBoundsFill = map.getNan();
  known.dims.assign(map.getDims().begin(), map.getDims().end());
  known.strides.assign(map.getStrides().begin(), map.getStrides().end());
  known.box.assign(map.getBox().begin(), map.getBox().end());
  for (unsigned dim = 0; dim < map.getRank(); ++dim)
    known.elementStrides.push_back(uint32_t(map.elementStride(dim)));
  return known;
}

static void noteLaunches(mlir::ModuleOp module) {
  module.walk([](mlir::LLVM::LLVMFuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto map = function.getArgAttrOfType<tilewright::ptx::TensorMapAttr>(i, "ptx.tensor_map"))
        knownLaunches[function.getSymName()].maps[i] = readMap(map);
    auto launch = function->getAttrOfType<tilewright::ptx::LaunchAttr>("ptx.launch");
    if (!launch || launch.getGrid().size() != 3)
      return;
    KnownLaunch &known = knownLaunches[function.getSymName()];
    known.grid = {uint32_t(launch.getGrid()[0]), uint32_t(launch.getGrid()[1]),
                  uint32_t(launch.getGrid()[2])};
    known.block = {uint32_t(launch.getBlock()), 1, 1};
    known.sharedBytes = uint32_t(launch.getShared());
  });
}

/// Dumps of the target stage hold the host's plan beside the kernels: what is left when it is taken away.
/// Other programs are returned as they are, so that messages keep their line numbers.
static std::string takeKernels(llvm::StringRef source) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::DLTIDialect, mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect,
                  tilewright::plan::PlanDialect, tilewright::ptx::PtxDialect>();
  mlir::MLIRContext context(registry);
  // Kernels carry attributes of the stages before.
  context.allowUnregisteredDialects();
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  if (!module)
    return source.str();
  noteLaunches(*module);
  bool hasPlan = false;
  for (mlir::Operation &op : llvm::make_early_inc_range(*module->getBody()))
    if (llvm::isa<tilewright::plan::ProgramOp>(op)) {
      op.erase();
      hasPlan = true;
    }
  if (!hasPlan)
    return source.str();
  std::string text;
  llvm::raw_string_ostream stream(text);
  // Generic: nvvm.barrier takes a location behind it for its optional attribute.
  module->print(stream, mlir::OpPrintingFlags().enableDebugInfo().printGenericOpForm());
  return text;
}

/// Fills the buffers afresh and launches.
static Fault launch(Program &program, const std::string &kernel, std::vector<Argument> &arguments) {
  KernelLaunch launch;
  launch.kernel = kernel;
  KnownLaunch known = knownLaunches.lookup(launch.kernel);
  launch.grid = known.grid;
  launch.block = known.block;
  if ((gridExtent.getNumOccurrences() && !parseExtent(gridExtent, launch.grid)) ||
      (blockExtent.getNumOccurrences() && !parseExtent(blockExtent, launch.block)))
    return {FaultKind::Limit, "--grid and --block take x[,y[,z]]"};
  launch.dynamicSharedBytes = sharedBytes.getNumOccurrences() ? sharedBytes : known.sharedBytes;
  std::vector<uint64_t> values(arguments.size()), buffers;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    values[index] = argument.value;
    if (!argument.isBuffer())
      continue;
    fillArgument(argument);
    uintptr_t base = reinterpret_cast<uintptr_t>(argument.base());
    values[index] = base;
    buffers.push_back(base);
    launch.regions.push_back({base, argument.count * elementBytes(argument.type),
                              "argument " + std::to_string(index), argument.writable});
  }
  std::deque<TensorMap> maps;
  size_t next = 0;
  for (unsigned parameter = 0; next < arguments.size() || known.maps.count(parameter); ++parameter) {
    auto map = known.maps.find(parameter);
    if (map == known.maps.end()) {
      launch.arguments.push_back(&values[next]);
      launch.argumentBytes.push_back(arguments[next].isBuffer() ? 8 : elementBytes(arguments[next].type));
      ++next;
      continue;
    }
    KnownMap &from = map->second;
    if (from.of >= buffers.size())
      return {FaultKind::Limit, "a tensor map is over buffer " + std::to_string(from.of) + " of " +
                                    std::to_string(buffers.size())};
    from.request.base = buffers[from.of] + from.offset;
    from.request.dims = from.dims.data();
    from.request.strides = from.strides.data();
    from.request.box = from.box.data();
    from.request.elementStrides = from.elementStrides.data();
    if (std::string reason = encodeTensorMap(from.request, maps.emplace_back()); !reason.empty())
      return {FaultKind::Limit, reason};
    launch.arguments.push_back(&maps.back());
    launch.argumentBytes.push_back(sizeof(TensorMap));
  }
  for (unsigned i = 0; i < repeats; ++i)
    if (Fault fault = program.launch(launch))
      return fault;
  for (unsigned index : printed) {
    if (mutateSync || index >= arguments.size())
      continue;
    const Argument &argument = arguments[index];
    for (uint64_t i = 0; i < argument.count; ++i)
      llvm::outs() << (i ? i % 16 ? " " : "\n" : "")
                   << decode(argument.type,
                             reinterpret_cast<const char *>(values[index]) + i * elementBytes(argument.type));
    llvm::outs() << "\n";
  }
  return {};
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "tw-emulate: " << message << "\n";
  return 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "runs a target-stage kernel on the Tilewright emulator\n");
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(inputFile);
  if (!buffer)
    return fail("cannot read " + inputFile + ": " + buffer.getError().message());
  std::string source = takeKernels((*buffer)->getBuffer());
  std::vector<Argument> arguments(argumentSpecs.size());
  for (auto [index, spec] : llvm::enumerate(argumentSpecs))
    if (!parseArgument(spec, arguments[index]))
      return fail("--arg takes TYPE:COUNT:FILL[:ro] or TYPE=VALUE, not '" + spec + "'");
  MachineOptions options;
  options.seed = seed;
  options.threads = cpuThreads;
  options.earlyCompletion = early;
  options.checkShared = !noCheck;

  std::string error;
  auto chosen = [](Program &program) {
    return kernelName.empty() ? program.kernels().front() : kernelName.getValue();
  };
  if (mutateSync) {
    auto run = [&](Program &program) { return launch(program, chosen(program), arguments).sentence; };
    // A kernel that is wrong as it is would make every mutant look reported.
    std::unique_ptr<Program> whole = Program::load(source, options, error);
    if (!whole)
      return fail(error);
    if (std::string wrong = run(*whole); !wrong.empty())
      return fail("the kernel without any mutation: " + wrong);
    std::vector<SyncMutant> mutants = mutateSynchronisation(source, options, run, error);
    if (!error.empty())
      return fail(error);
    unsigned survivors = 0;
    for (const SyncMutant &mutant : mutants) {
      survivors += mutant.report.empty();
      llvm::outs() << (mutant.report.empty() ? "SURVIVED " : "reported ") << mutant.operation << " at "
                   << mutant.source << (mutant.report.empty() ? "" : ": " + mutant.report) << "\n";
    }
    llvm::outs() << mutants.size() - survivors << " of " << mutants.size() << " mutants reported\n";
    return survivors != 0;
  }
  std::unique_ptr<Program> program = Program::load(source, options, error);
  if (!program)
    return fail(error);
  if (eachKernel) {
    for (const std::string &kernel : program->kernels()) {
      llvm::outs() << kernel << ": ";
      Fault fault = launch(*program, kernel, arguments);
      llvm::outs() << (fault ? fault.sentence : "fine") << "\n";
    }
    return 0;
  }
  if (Fault fault = launch(*program, chosen(*program), arguments))
    return fail(fault.sentence);
  return 0;
}
