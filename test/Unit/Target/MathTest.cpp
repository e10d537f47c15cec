// Every function of target-expand-math, compiled for the host and swept: random bits over the whole range,
// dense samples where the function bends, all bfloat16 and half values, and the special values. The error is
// measured in ulps against double (for f32) or long double (for f64), and must keep the bound that
// docs/Math.md states.
#include "Tilewright/Target/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <array>
#include <cfloat>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace mlir;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// What the chip's approximations may give by the bounds of the PTX ISA: the exact result, off by the whole
/// bound to one side or the other.
static float disturbed(double exact, double bound, float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof(bits));
  if (std::isinf(static_cast<float>(exact)))
    return static_cast<float>(exact);
  return static_cast<float>(exact * (1.0 + (bits & 1 ? bound : -bound)));
}
static float flushed(float x) { return std::fabs(x) < FLT_MIN ? std::copysign(0.0f, x) : x; }
static float chipEx2(float x) { return disturbed(std::exp2(double(x)), 0x1p-22, x); }
static float chipEx2Flushing(float x) { return flushed(chipEx2(flushed(x))); }
static float chipRcp(float x) { return disturbed(1 / double(x), 0x1p-23, x); }
static float chipRcpFlushing(float x) { return flushed(chipRcp(flushed(x))); }
static float chipRsqrt(float x) { return disturbed(1 / std::sqrt(double(x)), 0x1.2p-23, x); }
static float chipSqrt(float x) { return disturbed(std::sqrt(double(x)), 0x1p-23, x); }
static float chipQuotient(float x, float y) { return disturbed(double(x) / double(y), 0x1p-23, x); }
static const std::map<StringRef, void *> chipFunctions = {
    {"tw_emu_ptx_ex2_f32", reinterpret_cast<void *>(chipEx2)},
    {"tw_emu_ptx_ex2_f32_ftz", reinterpret_cast<void *>(chipEx2Flushing)},
    {"tw_emu_ptx_rcp_f32", reinterpret_cast<void *>(chipRcp)},
    {"tw_emu_ptx_rcp_f32_ftz", reinterpret_cast<void *>(chipRcpFlushing)},
    {"tw_emu_ptx_rsqrt_f32", reinterpret_cast<void *>(chipRsqrt)},
    {"tw_emu_ptx_sqrt_approx_f32", reinterpret_cast<void *>(chipSqrt)},
    {"tw_emu_ptx_div_full_f32", reinterpret_cast<void *>(chipQuotient)},
};

/// The approximations as calls of the functions above.
static void callApproximations(ModuleOp module) {
  SmallVector<tilewright::ptx::PtxInstruction> found;
  module.walk([&](tilewright::ptx::PtxInstruction op) { found.push_back(op); });
  for (tilewright::ptx::PtxInstruction op : found) {
    OpBuilder builder(op);
    Type type = op->getResult(0).getType();
    StringRef name = op.emulatorSymbol();
    if (!module.lookupSymbol(name)) {
      OpBuilder top(module.getBodyRegion());
      SmallVector<Type> operands(op->getOperandTypes());
      func::FuncOp::create(top, op->getLoc(), name, top.getFunctionType(operands, type)).setPrivate();
    }
    op->replaceAllUsesWith(func::CallOp::create(builder, op->getLoc(), name, type, op->getOperands()));
    op->erase();
  }
}

/// Compiles `body`, which computes %r from %x (and %y), of type `type`, into a loop over arrays.
template <typename T> class Compiled {
public:
  explicit Compiled(StringRef body, bool onChip = false) {
    static const bool initialized = [] {
      llvm::InitializeNativeTarget();
      llvm::InitializeNativeTargetAsmPrinter();
      return true;
    }();
    (void)initialized;
    std::string type = sizeof(T) == 4 ? "f32" : "f64";
    std::string text = "func.func @sweep(%xs: !llvm.ptr, %ys: !llvm.ptr, %rs: !llvm.ptr, %n: i64) {\n"
                       "%c0 = arith.constant 0 : i64\n%c1 = arith.constant 1 : i64\n"
                       "scf.for %i = %c0 to %n step %c1 : i64 {\n";
    for (std::string name : {"x", "y", "r"})
      text += "%" + name + "p = llvm.getelementptr %" + name + "s[%i] : (!llvm.ptr, i64) -> !llvm.ptr, " +
              type + "\n";
    text +=
        "%x = llvm.load %xp : !llvm.ptr -> " + type + "\n%y = llvm.load %yp : !llvm.ptr -> " + type + "\n";
    text += body.str() + "\nllvm.store %r, %rp : " + type + ", !llvm.ptr\n}\nreturn }";
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, ::mlir::math::MathDialect,
                    scf::SCFDialect, vector::VectorDialect, tilewright::ptx::PtxDialect>();
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return;
    PassManager passes(&context);
    PassManager expansion(&context);
    expansion.addPass(tilewright::createTargetExpandMath({onChip}));
    if (failed(expansion.run(*module)))
      return;
    callApproximations(*module);
    passes.addPass(createSCFToControlFlowPass());
    passes.addPass(createConvertControlFlowToLLVMPass());
    passes.addPass(createConvertVectorToLLVMPass());
    passes.addPass(createConvertMathToLLVMPass());
    passes.addPass(createArithToLLVMConversionPass());
    passes.addPass(createConvertFuncToLLVMPass());
    if (failed(passes.run(*module)))
      return;
    // Any x86-64 with fma; nothing that flushes subnormals.
    llvm::orc::JITTargetMachineBuilder builder{llvm::Triple(llvm::sys::getDefaultTargetTriple())};
    builder.setCPU("x86-64-v3");
    machine = llvm::cantFail(builder.createTargetMachine());
    ExecutionEngineOptions options;
    auto optimize = [this](llvm::Module *module) {
      llvm::LoopAnalysisManager loops;
      llvm::FunctionAnalysisManager functions;
      llvm::CGSCCAnalysisManager components;
      llvm::ModuleAnalysisManager modules;
      llvm::PassBuilder builder(machine.get());
      builder.registerModuleAnalyses(modules);
      builder.registerCGSCCAnalyses(components);
      builder.registerFunctionAnalyses(functions);
      builder.registerLoopAnalyses(loops);
      builder.crossRegisterProxies(loops, functions, components, modules);
      builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(*module, modules);
      return llvm::Error::success();
    };
    options.transformer = optimize;
    auto jit = llvm::cantFail(builder.createTargetMachine());
    engine = llvm::cantFail(ExecutionEngine::create(*module, options, std::move(jit)));
    engine->registerSymbols([](llvm::orc::MangleAndInterner mangle) {
      llvm::orc::SymbolMap map;
      for (auto [name, address] : chipFunctions)
        map[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
      return map;
    });
    function = reinterpret_cast<Function *>(llvm::cantFail(engine->lookup("sweep")));
  }

  std::vector<T> operator()(const std::vector<T> &x, const std::vector<T> &y) {
    std::vector<T> r(x.size(), T(-12345));
    if (function)
      function(x.data(), y.data(), r.data(), x.size());
    return r;
  }
  std::vector<T> operator()(const std::vector<T> &x) { return (*this)(x, x); }

private:
  using Function = void(const T *, const T *, T *, int64_t);
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<ExecutionEngine> engine;
  Function *function = nullptr;
};

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// The wider type that references are computed in.
template <typename T> using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;

/// Distance of `got` from `want` in ulps of T at `want`; infinite where one is special and the other is not.
template <typename T> static double ulps(T got, Wide<T> want) {
  T rounded = static_cast<T>(want);
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(rounded) || std::isinf(got)) {
    if (rounded == got)
      return 0;
    // Next to the overflow threshold either side will do.
    T largest = std::numeric_limits<T>::max();
    return std::fabs(got) >= largest && std::fabs(rounded) >= largest && (got > 0) == (rounded > 0)
               ? 1
               : INFINITY;
  }
  if (want == 0 && got == 0)
    return std::signbit(static_cast<T>(want)) == std::signbit(got) ? 0 : INFINITY;
  int exponent = std::max(std::ilogb(rounded == 0 ? std::numeric_limits<T>::denorm_min() : rounded),
                          std::numeric_limits<T>::min_exponent - 1);
  Wide<T> ulp = std::ldexp(Wide<T>(1), exponent - (std::numeric_limits<T>::digits - 1));
  return static_cast<double>(std::fabs(static_cast<Wide<T>>(got) - want) / ulp);
}

template <typename T> static std::vector<T> specials() {
  using L = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           1,
                           2,
                           3,
                           T(0.5),
                           T(1.5),
                           10,
                           T(1e-5),
                           88,
                           89,
                           103,
                           104,
                           709,
                           745,
                           L::min(),
                           L::denorm_min(),
                           L::max(),
                           L::infinity(),
                           L::epsilon(),
                           std::nextafter(T(1), T(2)),
                           std::nextafter(T(1), T(0)),
                           T(16777215),
                           T(4294967296.0),
                           T(0x1p17),
                           T(0x1.921fb6p+0),
                           T(0x1.921fb6p+1),
                           L::quiet_NaN()};
  for (size_t i = 0, count = values.size(); i < count; ++i)
    values.push_back(-values[i]);
  return values;
}

/// Specials, all 16-bit floats, random bits, and dense samples within [-range, range].
template <typename T> static std::vector<T> samples(double range, size_t count) {
  std::vector<T> values = specials<T>();
  for (uint32_t i = 0; i < 65536; ++i) {
    uint32_t bits = i << 16;
    float bf16;
    memcpy(&bf16, &bits, sizeof(bf16));
    values.push_back(bf16);
    int exponent = (i >> 10) & 31;
    double half = exponent ? std::ldexp(1.0 + (i & 1023) / 1024.0, exponent - 15)
                           : std::ldexp((i & 1023) / 1024.0, -14);
    values.push_back(static_cast<T>(i >> 15 ? -half : half));
  }
  std::mt19937_64 random(20250601);
  for (size_t i = 0; i < count; ++i) {
    std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t> bits = random();
    T value;
    memcpy(&value, &bits, sizeof(value));
    values.push_back(value);
    values.push_back(static_cast<T>(std::ldexp(double(int64_t(random())), -63) * range));
  }
  return values;
}

/// One row of docs/Math.md.
struct Function {
  const char *name;
  /// Computes %r from %x and %y; TYPE stands for the float type.
  const char *body;
  double (*inDouble)(double, double);
  long double (*inLongDouble)(long double, long double);
  /// Where samples are dense.
  double range;
  /// Largest error in ulps.
  double boundF32, boundF64;
  /// The same of f32 with the chip's approximations; 0: as without them.
  double boundChip = 0;
};

#define UNARY(NAME)                                                                                          \
  [](double x, double) { return std::NAME(x); }, [](long double x, long double) { return std::NAME(x); }
#define BINARY(NAME)                                                                                         \
  [](double x, double y) { return std::NAME(x, y); },                                                        \
      [](long double x, long double y) { return std::NAME(x, y); }
#define MATH(NAME) "%r = math." NAME " %x : TYPE"

static const Function functions[] = {
    {"exp", MATH("exp"), UNARY(exp), 105, 1, 1, 5.25},
    {"exp2", MATH("exp2"), UNARY(exp2), 150, 1, 1, 5},
    {"expm1", MATH("expm1"), UNARY(expm1), 20, 1.5, 1.5},
    {"log", MATH("log"), UNARY(log), 3, 1, 1.25},
    {"log2", MATH("log2"), UNARY(log2), 3, 1.75, 1.75},
    {"log10", MATH("log10"), UNARY(log10), 3, 2, 2},
    {"log1p", MATH("log1p"), UNARY(log1p), 3, 1.5, 2},
    {"sinh", MATH("sinh"), UNARY(sinh), 90, 2.25, 2.25},
    {"cosh", MATH("cosh"), UNARY(cosh), 90, 1.5, 1.5},
    {"tanh", MATH("tanh"), UNARY(tanh), 10, 1.5, 1.5, 4},
    {"asinh", MATH("asinh"), UNARY(asinh), 10, 2, 2.5},
    {"acosh", MATH("acosh"), UNARY(acosh), 10, 2.25, 2.25},
    {"atanh", MATH("atanh"), UNARY(atanh), 1, 2.25, 3},
    {"erf", MATH("erf"), UNARY(erf), 5, 1.25, 1.25, 2},
    {"erfc", MATH("erfc"), UNARY(erfc), 11, 5, 5, 16},
    {"sin", MATH("sin"), UNARY(sin), 100, 1.75, 1.75},
    {"cos", MATH("cos"), UNARY(cos), 100, 1.75, 1.75},
    {"tan", MATH("tan"), UNARY(tan), 100, 4, 4},
    {"asin", MATH("asin"), UNARY(asin), 1, 2.5, 2.5},
    {"acos", MATH("acos"), UNARY(acos), 1, 1.5, 1.5},
    {"atan", MATH("atan"), UNARY(atan), 5, 1.5, 1.5},
    {"atan2", "%r = math.atan2 %x, %y : TYPE", BINARY(atan2), 5, 1.5, 1.75},
    {"cbrt", MATH("cbrt"), UNARY(cbrt), 5, 1, 1},
    {"rsqrt", MATH("rsqrt"), [](double x, double) { return 1 / std::sqrt(x); },
     [](long double x, long double) { return 1 / std::sqrt(x); }, 5, 1.5, 1.5, 3.25},
    {"sqrt", MATH("sqrt"), UNARY(sqrt), 5, 0.5, 0.5, 2.75},
    {"divf", "%r = arith.divf %x, %y : TYPE", [](double x, double y) { return x / y; },
     [](long double x, long double y) { return x / y; }, 5, 0.5, 0.5, 2.75},
    {"remf", "%r = arith.remf %x, %y : TYPE", BINARY(fmod), 20, 0.5, 0.5},
    {"powf", "%r = math.powf %x, %y : TYPE", BINARY(pow), 20, 1, 1},
};

template <typename T> static Wide<T> reference(const Function &function, T x, T y) {
  if constexpr (sizeof(T) == 4)
    return function.inDouble(x, y);
  else
    return function.inLongDouble(x, y);
}

template <typename T> static void sweep(const Function &function, double bound, bool onChip = false) {
  std::string body = function.body;
  for (size_t at; (at = body.find("TYPE")) != std::string::npos;)
    body.replace(at, 4, sizeof(T) == 4 ? "f32" : "f64");
  Compiled<T> compiled(body, onChip);
  std::vector<T> x = samples<T>(function.range, sizeof(T) == 4 ? 500000 : 60000), y = x;
  std::mt19937_64 random(7);
  std::shuffle(y.begin(), y.end(), random);
  // Every pair of specials.
  for (T a : specials<T>())
    for (T b : specials<T>())
      x.push_back(a), y.push_back(b);
  std::vector<T> r = compiled(x, y);
  double worst = 0;
  T worstX = 0, worstY = 0, worstR = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double error = ulps<T>(r[i], reference<T>(function, x[i], y[i]));
    if (error > worst)
      worst = error, worstX = x[i], worstY = y[i], worstR = r[i];
  }
  printf("  %-6s %s  %.3f ulp at %.9g\n", function.name,
         onChip           ? "chip"
         : sizeof(T) == 4 ? "f32"
                          : "f64",
         worst, double(worstX));
  EXPECT_LE(worst, bound) << function.name << " at " << worstX << ", " << worstY << ": " << worstR
                          << ", want " << double(reference<T>(function, worstX, worstY));
}

class MathBounds : public testing::TestWithParam<Function> {};

TEST_P(MathBounds, F32) { sweep<float>(GetParam(), GetParam().boundF32); }
TEST_P(MathBounds, F64) { sweep<double>(GetParam(), GetParam().boundF64); }

TEST_P(MathBounds, OnChip) {
  if (GetParam().boundChip == 0)
    return; // as without the chip's approximations
  sweep<float>(GetParam(), GetParam().boundChip, true);
}

/// %b is %x held within bounds, %p is 1 + |%x|.
#define BOUNDED(LO, HI)                                                                                      \
  "%lo = arith.constant " LO " : f32\n%hi = arith.constant " HI " : f32\n"                                   \
  "%m = arith.maximumf %x, %lo : f32\n%b = arith.minimumf %m, %hi : f32\n"
static double within(double x, double lo, double hi) { return std::isnan(x) ? x : std::clamp(x, lo, hi); }
static const char *const onePlus = "%one = arith.constant 1.0 : f32\n%a = math.absf %x : f32\n"
                                   "%p = arith.addf %a, %one : f32\n";
static double plusOne(double x) { return 1.0f + std::fabs(static_cast<float>(x)); }

// Forms that functions take where the range of an operand is known keep the bounds of the others.
TEST(Math, RangesKeepTheBounds) {
  const std::string quotient = std::string(onePlus) + "%r = arith.divf %y, %p : f32",
                    inverse = std::string(onePlus) + "%r = arith.divf %one, %p : f32";
  const Function bounded[] = {
      {"exp", BOUNDED("-1.25", "1.25") "%r = math.exp %b : f32",
       [](double x, double) { return std::exp(within(x, -1.25, 1.25)); }, nullptr, 2, 0, 0, 5.5},
      {"exp", BOUNDED("-87.0", "88.0") "%r = math.exp %b : f32",
       [](double x, double) { return std::exp(within(x, -87, 88)); }, nullptr, 105, 0, 0, 5.25},
      {"exp", BOUNDED("-104.0", "0.0") "%r = math.exp %b : f32",
       [](double x, double) { return std::exp(within(x, -104, 0)); }, nullptr, 105, 0, 0, 5.25},
      {"exp2", BOUNDED("-125.0", "0.0") "%r = math.exp2 %b : f32",
       [](double x, double) { return std::exp2(within(x, -125, 0)); }, nullptr, 130, 0, 0, 5},
      {"tanh", "%b = math.absf %x : f32\n%r = math.tanh %b : f32",
       [](double x, double) { return std::tanh(std::fabs(x)); }, nullptr, 10, 0, 0, 4},
      {"erf", "%b = math.absf %x : f32\n%r = math.erf %b : f32",
       [](double x, double) { return std::erf(std::fabs(x)); }, nullptr, 5, 0, 0, 2},
      {"erf", BOUNDED("-1.0", "1.0") "%r = math.erf %b : f32",
       [](double x, double) { return std::erf(within(x, -1, 1)); }, nullptr, 2, 0, 0, 2},
      {"divf", quotient.c_str(), [](double x, double y) { return y / plusOne(x); }, nullptr, 5, 0, 0, 4.5},
      {"divf", inverse.c_str(), [](double x, double) { return 1 / plusOne(x); }, nullptr, 5, 0, 0, 2.75},
      {"divf", BOUNDED("1.0e-36", "1.0e+36") "%r = arith.divf %y, %b : f32",
       [](double x, double y) { return y / within(x, 1e-36f, 1e36f); }, nullptr, 5, 0, 0, 3.5},
      // By constants: one that makes subnormal parts of what is small, one that does not, one above all
      // normal inverses.
      {"divf", "%d = arith.constant 11604.0 : f32\n%r = arith.divf %x, %d : f32",
       [](double x, double) { return x / 11604; }, nullptr, 11604, 0, 0, 1},
      {"divf", "%d = arith.constant 0x2F89705F : f32\n%r = arith.divf %x, %d : f32",
       [](double x, double) { return x / double(0x1.12e0bep-32f); }, nullptr, 2, 0, 0, 0.500001},
      {"divf", "%d = arith.constant 0x7F000001 : f32\n%r = arith.divf %x, %d : f32",
       [](double x, double) { return x / double(0x1.000002p127f); }, nullptr, 2, 0, 0, 2.75},
      {"divf",
       BOUNDED("1.0e-30", "1.0e+30") "%one = arith.constant 1.0 : f32\n%r = arith.divf %one, %b : f32",
       [](double x, double) { return 1 / within(x, 1e-30f, 1e30f); }, nullptr, 5, 0, 0, 3.5},
  };
  for (const Function &function : bounded)
    sweep<float>(function, function.boundChip, true);
}

// Every f32 of functions of one operand: minutes, so by hand with --gtest_also_run_disabled_tests.
TEST_P(MathBounds, DISABLED_EveryF32) {
  const Function &function = GetParam();
  std::string body = function.body;
  if (body.find("%y") != std::string::npos)
    GTEST_SKIP() << "two operands";
  for (size_t at; (at = body.find("TYPE")) != std::string::npos;)
    body.replace(at, 4, "f32");
  Compiled<float> compiled(body);
  constexpr uint64_t chunk = 1 << 20;
  double worst = 0;
  float worstX = 0;
  std::vector<float> x(chunk);
  for (uint64_t first = 0; first < (uint64_t(1) << 32); first += chunk) {
    for (uint64_t i = 0; i < chunk; ++i) {
      uint32_t bits = first + i;
      memcpy(&x[i], &bits, sizeof(float));
    }
    std::vector<float> r = compiled(x);
    for (uint64_t i = 0; i < chunk; ++i)
      if (double error = ulps<float>(r[i], function.inDouble(x[i], 0)); error > worst)
        worst = error, worstX = x[i];
  }
  printf("  %-6s every f32  %.4f ulp at %.9g\n", function.name, worst, double(worstX));
  EXPECT_LE(worst, function.boundF32) << worstX;
}

INSTANTIATE_TEST_SUITE_P(All, MathBounds, testing::ValuesIn(functions),
                         [](const auto &info) { return std::string(info.param.name); });

//===----------------------------------------------------------------------===//
// What is built on them
//===----------------------------------------------------------------------===//

static float roundToBf16(double value) {
  float f = static_cast<float>(value);
  uint32_t bits;
  memcpy(&bits, &f, sizeof(bits));
  bits = (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000;
  memcpy(&f, &bits, sizeof(f));
  return f;
}

/// The largest error of `function`, rounded to bf16, in ulps of bf16 over all finite ones; of results below
/// 2^`least`, in the ulp there.
static double worstInBf16(StringRef name, Compiled<float> &function, double (*exact)(double),
                          int least = -126) {
  std::vector<float> x;
  for (uint32_t i = 0; i < 65536; ++i) {
    uint32_t bits = i << 16;
    float value;
    memcpy(&value, &bits, sizeof(value));
    if (std::isfinite(value))
      x.push_back(value);
  }
  std::vector<float> r = function(x);
  double worst = 0;
  float worstX = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double want = exact(double(x[i]));
    float got = roundToBf16(r[i]);
    double ulp = std::ldexp(1.0, std::max(want == 0 ? least : std::ilogb(want), least) - 7);
    double error = std::fabs(double(got) - want) / ulp;
    if (error > worst || std::isnan(error))
      worst = error, worstX = x[i];
    if (std::isnan(error))
      break;
  }
  printf("  %s   bf16  %.4f ulp at %.9g\n", name.str().c_str(), worst, worstX);
  return worst;
}

/// What ends up rounded is zero where a factor of it is below 2^-126.
static constexpr int kLeastRounded = -116;
static double geluErf(double x) { return 0.5 * x * std::erfc(-x * std::sqrt(0.5)); }
static double geluTanh(double x) {
  return x / (1 + std::exp(-2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

TEST(Math, GeluIsWithinOneUlpOfBf16) {
  // Where results are rounded to 16 bits the chip's formula is another (fuse-approximate-math).
  for (bool rounded : {false, true}) {
    std::string flags = rounded ? " fastmath<reassoc>" : "";
    Compiled<float> gelu("%s = arith.constant 0.70710678118654752 : f32\n%one = arith.constant 1.0 : f32\n"
                         "%half = arith.constant 0.5 : f32\n%z = arith.mulf %x, %s : f32\n%e = math.erf %z" +
                             flags +
                             " : f32\n%p = arith.addf %e, %one : f32\n%h = arith.mulf %x, %half : f32\n"
                             "%r = arith.mulf %h, %p : f32",
                         rounded);
    double worst = rounded ? worstInBf16("gelu erf, rounded", gelu, geluErf, kLeastRounded)
                           : worstInBf16("gelu erf", gelu, geluErf);
    EXPECT_LE(worst, rounded ? 0.52 : 1.0);
  }
}

TEST(Math, GeluByTanhThatIsRounded) {
  Compiled<float> gelu("%one = arith.constant 1.0 : f32\n%half = arith.constant 0.5 : f32\n"
                       "%a = arith.constant 0.044715 : f32\n%b = arith.constant 0.79788456080286536 : f32\n"
                       "%xx = arith.mulf %x, %x : f32\n%x3 = arith.mulf %xx, %x : f32\n"
                       "%ax = arith.mulf %x3, %a : f32\n%s = arith.addf %x, %ax : f32\n"
                       "%u = arith.mulf %s, %b : f32\n%t = math.tanh %u fastmath<reassoc> : f32\n"
                       "%p = arith.addf %t, %one : f32\n%h = arith.mulf %x, %half : f32\n"
                       "%r = arith.mulf %h, %p : f32",
                       /*onChip=*/true);
  EXPECT_LE(worstInBf16("gelu tanh, rounded", gelu, geluTanh, kLeastRounded), 0.52);
}

TEST(Math, OneLessTanhThatIsRounded) {
  Compiled<float> difference("%one = arith.constant 1.0 : f32\n"
                             "%t = math.tanh %x fastmath<reassoc> : f32\n%r = arith.subf %one, %t : f32",
                             /*onChip=*/true);
  auto exact = [](double x) { return 2 / (1 + std::exp(2 * x)); };
  EXPECT_LE(worstInBf16("1 - tanh, rounded", difference, exact, kLeastRounded), 0.52);
}

TEST(Math, IntegerPowers) {
  std::vector<float> x = {2, -2, 3, 0.5f, -0.0f, 1.0000001f, INFINITY, NAN, -1, 7};
  struct {
    int n;
  } powers[] = {{0}, {1}, {2}, {3}, {-1}, {-3}, {31}, {16777217}, {-2147483647}};
  for (auto [n] : powers) {
    Compiled<float> compiled("%n32 = arith.constant " + std::to_string(n) +
                             " : i32\n%r = math.fpowi %x, %n32 : f32, i32");
    std::vector<float> r = compiled(x);
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_LE(ulps<float>(r[i], std::pow(double(x[i]), double(n))), 1) << x[i] << " to " << n;
  }
  Compiled<double> integers("%a = arith.fptosi %x : f64 to i32\n%b = arith.fptosi %y : f64 to i32\n"
                            "%p = math.ipowi %a, %b : i32\n%r = arith.sitofp %p : i32 to f64");
  std::vector<double> bases = {2, -3, 1, -1, -1, 5, 7, 10, 2, 0},
                      exponents = {10, 3, -5, -5, -4, 0, -1, 9, 30, 4},
                      want = {1024, -27, 1, -1, 1, 1, 0, 1e9, 1073741824, 0};
  EXPECT_EQ(integers(bases, exponents), want);
}

TEST(Math, CastsOfRoundedFloatsAreExact) {
  // Every half and its neighbours within the range of the type.
  auto samples = [](float least, float largest) {
    std::vector<float> x = {-0.0f, 1e-40f, -1e-40f, FLT_MIN};
    for (float at = least; at <= largest; at += 0.5f)
      for (float near : {at, std::nextafter(at, -INFINITY), std::nextafter(at, INFINITY)})
        if (std::nearbyint(near) >= least && std::nearbyint(near) <= largest)
          x.push_back(near);
    return x;
  };
  for (auto [type, least, largest] :
       {std::tuple("i8", -128.f, 127.f), std::tuple("i16", -32768.f, 32767.f)}) {
    std::string t = type;
    Compiled<float> compiled("%w = math.roundeven %x : f32\n%q = arith.fptosi %w : f32 to " + t +
                             "\n%r = arith.sitofp %q : " + t + " to f32");
    std::vector<float> x = samples(least, largest), r = compiled(x);
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(r[i], std::nearbyint(x[i])) << t << " of " << x[i];
  }
  Compiled<float> bounded("%lo = arith.constant 0.0 : f32\n%hi = arith.constant 255.0 : f32\n"
                          "%w = math.roundeven %x : f32\n%a = arith.maximumf %w, %lo : f32\n"
                          "%b = arith.minimumf %hi, %a : f32\n%q = arith.fptoui %b : f32 to i8\n"
                          "%r = arith.uitofp %q : i8 to f32");
  std::vector<float> x = samples(0, 255);
  for (float beyond :
       {-1.f, -0.5f, 255.5f, 256.f, 4194304.5f, -4194304.5f, 1e30f, -1e30f, FLT_MAX, INFINITY, -INFINITY})
    x.push_back(beyond);
  std::vector<float> r = bounded(x);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(r[i], std::min(std::max(std::nearbyint(x[i]), 0.f), 255.f)) << x[i];
}

TEST(Math, VectorsAreExpandedElementwise) {
  Compiled<float> scalar("%r = math.exp %x : f32");
  Compiled<float> vector(
      "%v = vector.from_elements %x, %x : vector<2xf32>\n%e = math.exp %v : vector<2xf32>\n"
      "%r = vector.extract %e[1] : f32 from vector<2xf32>");
  std::vector<float> x = {-3, 0, 1, 88, 1e-30f};
  EXPECT_EQ(scalar(x), vector(x));
}

TEST(Math, DocumentationStatesTheBounds) {
  std::ifstream file(TILEWRIGHT_SOURCE_DIR "/docs/Math.md");
  ASSERT_TRUE(file.good());
  std::map<std::string, std::array<std::string, 3>> rows;
  for (std::string line; std::getline(file, line);) {
    SmallVector<StringRef> cells;
    StringRef(line).split(cells, '|');
    if (cells.size() >= 6 && cells[1].trim().starts_with("`"))
      rows[cells[1].trim().trim('`').str()] = {cells[2].trim().str(), cells[3].trim().str(),
                                               cells[4].trim().str()};
  }
  auto text = [](double bound) {
    char buffer[32];
    snprintf(buffer, sizeof(buffer), "%g", bound);
    return bound == 0 ? std::string("—") : std::string(buffer);
  };
  for (const Function &function : functions) {
    EXPECT_EQ(rows[function.name][0], text(function.boundF32)) << function.name;
    EXPECT_EQ(rows[function.name][1], text(function.boundF64)) << function.name;
    EXPECT_EQ(rows[function.name][2], text(function.boundChip)) << function.name;
  }
}
