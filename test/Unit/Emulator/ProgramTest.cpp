// Programs from C++: loading, argument checks, results that no schedule changes, mutants.
#include "Tilewright/Emulator/Emulator.h"

#include <gtest/gtest.h>

using namespace tilewright::emulator;

/// out[i] = sum over the block of in, through shared memory; `barrier` is what stands between write and read.
static std::string blockSum(const std::string &barrier) {
  return R"(
gpu.module @sum {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.func @sum(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %f0 = llvm.mlir.constant(0.0 : f32) : f32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %start = llvm.mul %b, %n : i32
    %i = llvm.add %start, %t : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %q = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %x, %q : f32, !llvm.ptr<3>
    )" + barrier +
         R"(
    llvm.br ^loop(%zero, %f0 : i32, f32)
  ^loop(%k: i32, %acc: f32):
    %r = llvm.getelementptr %s[%k] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %v = llvm.load %r : !llvm.ptr<3> -> f32
    %next = llvm.fadd %acc, %v : f32
    %j = llvm.add %k, %one : i32
    %more = llvm.icmp "ult" %j, %n : i32
    llvm.cond_br %more, ^loop(%j, %next : i32, f32), ^done
  ^done:
    %o = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %next, %o : f32, !llvm.ptr<1>
    llvm.return
  }
})";
}

namespace {
/// Eight blocks of 96 threads.
struct SumLaunch {
  std::vector<float> in, out;
  void *pointers[2];
  KernelLaunch launch;

  SumLaunch() : in(768), out(768) {
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = 1.0f / float(i + 1);
    pointers[0] = in.data();
    pointers[1] = out.data();
    launch.kernel = "sum";
    launch.grid = {8, 1, 1};
    launch.block = {96, 1, 1};
    launch.dynamicSharedBytes = 96 * 4;
    launch.arguments = {&pointers[0], &pointers[1]};
    launch.argumentBytes = {8, 8};
    launch.regions = {{reinterpret_cast<uintptr_t>(in.data()), in.size() * 4, "in", false},
                      {reinterpret_cast<uintptr_t>(out.data()), out.size() * 4, "out", true}};
  }
};
} // namespace

static std::unique_ptr<Program> loadSum(const MachineOptions &options = {}) {
  std::string error;
  auto program = Program::load(blockSum("nvvm.barrier0"), options, error);
  EXPECT_TRUE(program) << error;
  return program;
}

TEST(Program, KernelsAreListedInOrder) {
  std::string error;
  auto program = Program::load("gpu.module @m { llvm.func @b() attributes {nvvm.kernel} { llvm.return }\n"
                               "llvm.func @helper() { llvm.return }\n"
                               "llvm.func @a() attributes {nvvm.kernel} { llvm.return } }",
                               {}, error);
  ASSERT_TRUE(program) << error;
  EXPECT_EQ(program->kernels(), (std::vector<std::string>{"b", "a"}));
}

TEST(Program, ResultsDoNotDependOnScheduleOrThreads) {
  std::vector<float> first;
  for (uint64_t seed = 0; seed < 6; ++seed)
    for (unsigned threads : {1u, 2u, 5u})
      for (bool checked : {true, false}) {
        MachineOptions options;
        options.seed = seed;
        options.threads = threads;
        options.checkShared = checked;
        SumLaunch sum;
        Fault fault = loadSum(options)->launch(sum.launch);
        ASSERT_FALSE(fault) << fault.sentence;
        if (first.empty())
          first = sum.out;
        EXPECT_EQ(first, sum.out);
      }
  float expected = 0;
  for (size_t i = 0; i < 96; ++i)
    expected += 1.0f / float(i + 1);
  EXPECT_EQ(first[0], expected);
}

TEST(Program, LaunchesAreChecked) {
  auto program = loadSum();
  SumLaunch sum;
  sum.launch.kernel = "product";
  EXPECT_EQ(program->launch(sum.launch).sentence, "the program has no kernel 'product'");
  sum.launch.kernel = "sum";
  sum.launch.argumentBytes[1] = 4;
  EXPECT_EQ(program->launch(sum.launch).sentence, "argument 1 of kernel sum has 8 bytes, not 4");
  sum.launch.arguments.pop_back();
  EXPECT_EQ(program->launch(sum.launch).sentence, "kernel sum takes 2 arguments, not 1");
}

TEST(Program, FaultsNameTheRegion) {
  SumLaunch sum;
  sum.launch.grid = {9, 1, 1};
  Fault fault = loadSum()->launch(sum.launch);
  EXPECT_EQ(fault.kind, FaultKind::OutOfBounds);
  EXPECT_NE(fault.sentence.find("4 bytes past the end of \"in\" (3072 bytes)"), std::string::npos)
      << fault.sentence;
  EXPECT_NE(fault.sentence.find("block (8,0,0)"), std::string::npos) << fault.sentence;
}

TEST(Program, SmallSharedMemoryIsSeen) {
  SumLaunch sum;
  sum.launch.dynamicSharedBytes = 95 * 4;
  EXPECT_EQ(loadSum()->launch(sum.launch).kind, FaultKind::OutOfBounds);
}

TEST(Program, ParseErrorsAreReturned) {
  std::string error;
  EXPECT_FALSE(Program::load("gpu.module @m { llvm.fun }", {}, error));
  EXPECT_NE(error.find("program:1:"), std::string::npos) << error;
}

TEST(Program, ParametersByValue) {
  std::string error;
  auto program = Program::load(R"(
gpu.module @m {
  llvm.func @m(%d: !llvm.ptr {llvm.align = 64 : i32, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
               %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %p = llvm.getelementptr %d[31] : (!llvm.ptr) -> !llvm.ptr, i32
    %v = llvm.load %p : !llvm.ptr -> i32
    llvm.store %v, %out : i32, !llvm.ptr<1>
    llvm.return
  }
})",
                               {}, error);
  ASSERT_TRUE(program) << error;
  int descriptor[32] = {}, result = 0;
  descriptor[31] = 42;
  void *pointer = &result;
  KernelLaunch launch;
  launch.kernel = "m";
  launch.arguments = {descriptor, &pointer};
  launch.argumentBytes = {128, 8};
  launch.regions = {{reinterpret_cast<uintptr_t>(&result), 4, "result", true}};
  Fault fault = program->launch(launch);
  EXPECT_FALSE(fault) << fault.sentence;
  EXPECT_EQ(result, 42);
}

TEST(Program, LaunchBoundsAreChecked) {
  std::string error;
  auto program = Program::load(
      "gpu.module @m {\n"
      "llvm.func @exact() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} { llvm.return }\n"
      "llvm.func @most() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 2>} { llvm.return } }",
      {}, error);
  ASSERT_TRUE(program) << error;
  KernelLaunch launch;
  launch.kernel = "exact";
  launch.block = {64, 1, 1};
  EXPECT_EQ(program->launch(launch).sentence,
            "kernel exact is compiled for 128 threads in dimension 0, not 64");
  launch.block = {128, 1, 1};
  EXPECT_FALSE(program->launch(launch));
  launch.kernel = "most";
  EXPECT_FALSE(program->launch(launch));
  launch.block = {129, 1, 1};
  EXPECT_EQ(program->launch(launch).sentence,
            "kernel most is compiled for at most 128 threads a block, not 129");
}

TEST(Program, FramesThatNoFiberHolds) {
  std::string error;
  auto program = Program::load(R"(
gpu.module @m {
  llvm.func @m(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %n = llvm.mlir.constant(20000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %array = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
    %p = llvm.getelementptr %array[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store volatile %t, %p : i32, !llvm.ptr
    llvm.return
  }
})",
                               {}, error);
  ASSERT_TRUE(program) << error;
  void *pointer = nullptr;
  KernelLaunch launch;
  launch.kernel = "m";
  launch.arguments = {&pointer};
  EXPECT_NE(program->launch(launch).sentence.find("bytes of stack, more than the emulator's 49152"),
            std::string::npos);
}

TEST(Mutation, EveryRemovedBarrierIsTried) {
  std::string error;
  auto run = [](Program &program) { return program.launch(SumLaunch().launch).sentence; };
  std::vector<SyncMutant> mutants =
      mutateSynchronisation(blockSum("nvvm.barrier0\nnvvm.barrier0"), {}, run, error);
  // Two barriers where one is enough: both mutants survive.
  ASSERT_EQ(mutants.size(), 2u) << error;
  EXPECT_EQ(mutants[0].report, "");
  EXPECT_EQ(mutants[1].report, "");
  mutants = mutateSynchronisation(blockSum("nvvm.barrier0"), {}, run, error);
  ASSERT_EQ(mutants.size(), 1u) << error;
  EXPECT_NE(mutants[0].report, "");
}
