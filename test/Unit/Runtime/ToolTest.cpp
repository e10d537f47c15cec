// tw-run from its command line: outputs, comparisons, listings and measurements, and a sentence with a code
// other than 0 for whatever is wrong; nothing half-written stays.
#include "RuntimeSample.h"

#include <array>
#include <cstdio>
#include <fstream>

using namespace tilewright;

namespace {
class Tool : public testing::Test {
protected:
  void SetUp() override {
    Package p;
    p.program = "emulated";
    p.emulation = "one kernel";
    Kernel k;
    k.name = "add_one";
    k.anchor = "elementwise", k.bound = "memory", k.sourceNodes = {"/Add"};
    k.flops = 4, k.bytesRead = 16, k.bytesWritten = 16, k.modelledMicroseconds = 2.5;
    p.kernels = {k};
    for (int64_t rows : {4, 2}) {
      Entry e;
      e.name = "main[rows=" + std::to_string(rows) + "]";
      e.bucket = {{"rows", rows}};
      e.inputs = {{"x", DType::F32, {rows}, {"rows"}, PaddingRule::Fill, ""}};
      e.outputs = {{"y", DType::F32, {rows}, {"rows"}, PaddingRule::Exact, ""}};
      Launch launch;
      launch.parameters = {Parameter::input(0), Parameter::output(0),
                           Parameter::value<uint32_t>(uint32_t(rows))};
      e.launches = {launch};
      p.entries.push_back(e);
    }
    float golden[] = {1, 2, 3, 4, 2, 3, 4, 5};
    p.golden = {{0, false, 0, std::string(reinterpret_cast<char *>(golden), 16), 0, 0},
                {0, true, 0, std::string(reinterpret_cast<char *>(golden + 4), 16), 0, 0}};
    p.manifest = {{"input.hash", "abc"}};
    write(p, "a.tw");
    npy("x.npy", "<f4", "(3,)", {1, 2, 3});
    npy("y.npy", "<f4", "(3,)", {2, 3, 4});
  }
  void write(const Package &p, const char *name) {
    ASSERT_EQ(writePackage(p, sampleWeightSource(p), folder.file(name)), "");
  }
  void npy(const std::string &name, const std::string &descr, const std::string &shape,
           std::vector<float> values, const std::string &order = "False") {
    std::string header =
        "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
    header.resize(117, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\1\0\x76\0", 10);
    bytes += header + std::string(reinterpret_cast<char *>(values.data()), values.size() * 4);
    writeFile(folder.file(name), bytes);
  }
  /// Both streams of a command, whose exit code is checked.
  std::string shell(const std::string &command, int expectedCode) {
    std::string text;
    FILE *pipe = popen(("(" + command + ") 2>&1").c_str(), "r");
    std::array<char, 4096> piece;
    while (size_t n = fread(piece.data(), 1, piece.size(), pipe))
      text.append(piece.data(), n);
    EXPECT_EQ(WEXITSTATUS(pclose(pipe)), expectedCode) << command << "\n" << text;
    return text;
  }
  /// Runs tw-run in the test's folder.
  std::string run(const std::string &arguments, int expectedCode, const std::string &package = "a.tw") {
    return shell("cd '" + folder.path + "' && '" TILEWRIGHT_TW_RUN "' " + package +
                     " --emulator-library='" TILEWRIGHT_STANDIN_EMULATOR "' " + arguments,
                 expectedCode);
  }
  void expectHas(const std::string &text, const std::string &part) {
    EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in:\n" << text;
  }

  ScratchFolder folder;
  const std::string emulator = "--device=emulator ";
};
} // namespace

TEST_F(Tool, RunsSavesAndCompares) {
  std::string text = run(emulator + "--input x=x.npy --output out --expect y=y.npy --repeat=3", 0);
  expectHas(text, "device: emulator on this machine's CPU (seed 0, late completion), as asked");
  expectHas(text, "entry: main[rows=4]");
  expectHas(text, "output y f32 [3]: min 2.0 max 4.0 mean 3.0, first [2.0,3.0,4.0]");
  expectHas(text, "as expected: y: largest difference 0.0, cosine 1");
  EXPECT_EQ(readFile(folder.file("out/y.npy")).substr(0, 6), "\x93NUMPY");
  npy("back.npy", "<f4", "(3,)", {2, 3, 4.5f});
  text = run(emulator + "--input x=x.npy --expect y=back.npy", 3);
  expectHas(text,
            "output 'y' is not what is expected: 1 of 3 elements differ by more than 1e-06 + 1e-05 times the "
            "expected value; the first is element 2: 4 instead of 4.5; largest difference 0.5");
  run(emulator + "--input x=x.npy --expect y=back.npy --atol=0.5", 0);
  run(emulator + "--input x=x.npy --expect y=out/y.npy --rtol=0 --atol=0", 0); // What it wrote it reads.
}

TEST_F(Tool, AutoSaysWhatItTookAndWhy) {
  std::string text = run("--driver-library=/nowhere.so --input x=zeros", 0);
  expectHas(text, "because CUDA cannot run it: no CUDA driver: /nowhere.so not found");
  expectHas(text, "entry: main[rows=2]"); // No shape was given: the smallest bucket.
  expectHas(text, "first [1.0,1.0]");
}

TEST_F(Tool, MakesRandomInputsFromSeeds) {
  std::string first = run(emulator + "--input x=random:7 --entry=main[rows=4]", 0);
  EXPECT_EQ(first.substr(0, first.find("start to")), [&] {
    std::string again = run(emulator + "--input x=random:7 --entry=0", 0);
    return again.substr(0, again.find("start to"));
  }());
  std::string other = run(emulator + "--input x=random:8 --entry=0", 0);
  EXPECT_NE(first.substr(first.find("output")), other.substr(other.find("output")));
}

TEST_F(Tool, ListsThePackage) {
  std::string text = run("--list", 0);
  expectHas(text, "program emulated: ");
  expectHas(
      text,
      "  entry main[rows=4]: 1 launches, arena 0 bytes\n    input  x f32 [4] (padded)\n    output y f32 [4]");
  expectHas(text, "  kernel add_one (elementwise)");
  expectHas(text, "  input.hash = abc");
  text = run("--list --json", 0);
  expectHas(text, "\"modelled_us\": 2.5");
  expectHas(text, "\"bucket\": {\n        \"rows\": 4\n      }");
}

TEST_F(Tool, TakesWeightsFromAFileOrASeed) {
  Package p;
  p.program = "weights";
  p.emulation = "one kernel";
  p.weights = {{"w", DType::F32, {4}, 16}};
  Entry e;
  e.name = "main";
  e.outputs = {{"y", DType::F32, {4}, {}, PaddingRule::Exact, ""}};
  Launch copy;
  copy.kind = LaunchKind::Memcpy;
  copy.source = {AddressBase::Weight, 0, 0}, copy.destination = {AddressBase::Output, 0, 0}, copy.bytes = 16;
  e.launches = {copy};
  p.entries = {e};
  float w[] = {5, 6, 7, 8};
  auto source = [&](size_t, const ByteSink &sink, std::string &) { return sink(w, 16); };
  ASSERT_EQ(writePackage(p, source, folder.file("w.tw"), {"w.weights"}), "");
  expectHas(run(emulator, 0, "w.tw"), "first [5.0,6.0,7.0,8.0]");
  ASSERT_EQ(rename(folder.file("w.weights").c_str(), folder.file("moved").c_str()), 0);
  expectHas(run(emulator, 1, "w.tw"),
            "the weights are in a file of their own, and 'w.weights' cannot be opened");
  expectHas(run(emulator + "--weights=moved", 0, "w.tw"), "first [5.0,6.0,7.0,8.0]");
  auto outputs = [&](const char *seed) {
    std::string text = run(emulator + "--weights=random:" + seed, 0, "w.tw");
    return text.substr(text.find("output y"), text.find("start to") - text.find("output y"));
  };
  EXPECT_EQ(outputs("3"), outputs("3"));
  EXPECT_NE(outputs("3"), outputs("4"));
  writeFile(folder.file("moved"), "0123456789abcdef....");
  expectHas(run(emulator + "--weights=moved", 1, "w.tw"),
            "the weight file 'moved' has 20 bytes; the package's weights "
            "have 256");
}

TEST_F(Tool, TestsItselfOnGoldenValues) { expectHas(run(emulator + "--self-test", 0), "as expected: y"); }

TEST_F(Tool, Measures) {
  std::string text = run(emulator + "--benchmark=0.05 --json", 0);
  for (const char *key :
       {"\"random_inputs\": [\n    \"x\"\n  ]", "\"host_latency_us\"", "\"p10\"", "\"p50\"", "\"p90\"",
        "\"p99\"", "\"runs_per_second\"", "\"median_us\"", "\"gb_per_s\"", "\"tflop_per_s\"",
        "\"share\": 1.0", "\"modelled_us\": 2.5", "times are this machine's, not a GPU's"})
    expectHas(text, key);
  text = run(emulator + "--input x=x.npy --profile", 0);
  expectHas(text, "100.0%    1 ");
}

/// The emulator is found beside tw-run or in ../lib, in a program that carries its own libstdc++.
TEST_F(Tool, FindsTheRealEmulator) {
  if (access(TILEWRIGHT_EMULATOR, F_OK) != 0)
    GTEST_SKIP() << "this build has no " TILEWRIGHT_EMULATOR;
  Package p;
  ASSERT_EQ(readPackage(folder.file("a.tw"), p), "");
  p.emulation = R"(gpu.module @kernels {
  llvm.func @add_one(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>, %count: i32) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %from[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q = llvm.getelementptr %to[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %w = llvm.fadd %v, %one : f32
    llvm.store %w, %q : f32, !llvm.ptr<1>
    llvm.return
  }
})";
  p.entries[0].launches[0].block = {4, 1, 1};
  write(p, "real.tw");
  std::string text = shell("'" TILEWRIGHT_TW_RUN "' '" + folder.file("real.tw") +
                               "' --device=emulator --seed=3 --early --self-test",
                           0);
  expectHas(text, "device: emulator on this machine's CPU (seed 3, early completion), as asked");
  expectHas(text, "as expected: y");
}

TEST_F(Tool, SuiteChecksPackagesAndGoesOnWhereItStopped) {
  writeFile(folder.file("cases.json"), R"([{"name": "right", "package": "a.tw", "inputs": {"x": "x.npy"},
    "expect": {"y": "y.npy"}}, {"name": "wrong", "package": "a.tw", "inputs": {"x": "x.npy"},
    "expect": {"y": "x.npy"}, "atol": 0.5}])");
  auto suite = [&](const std::string &files, int code) {
    std::string text = shell("cd '" + folder.path +
                                 "' && '" TILEWRIGHT_GPU_SUITE "' --out results --tw-run '" TILEWRIGHT_TW_RUN
                                 "' --device=emulator --emulator-library='" TILEWRIGHT_STANDIN_EMULATOR
                                 "' --benchmark=0.05 " +
                                 files,
                             code);
    return text;
  };
  std::string text = suite("a.tw", 0);
  expectHas(text,
            "passed  a.tw.golden\npassed  a.tw.main[rows=4].repeat\npassed  a.tw.main[rows=4].measure\n");
  expectHas(text, "5 passed, 0 failed");
  text = suite("a.tw cases.json", 1);
  expectHas(text, "passed  a.tw.golden (before)\n");
  expectHas(text, "passed  right\nFAILED  wrong\n");
  expectHas(text, "6 passed, 1 failed");
}

TEST_F(Tool, SaysWhatIsWrong) {
  auto wrong = [&](const std::string &arguments, const std::string &sentence, int code = 1) {
    std::string text = run(arguments, code);
    expectHas(text, sentence);
    EXPECT_NE(access(folder.file("out").c_str(), F_OK), 0) << arguments;
  };
  wrong(emulator, "tw-run: input 'x' (f32 [2]) is missing: give --input x=FILE.npy, =random or =zeros");
  wrong(emulator + "--output out --input ids=zeros", "there is no input 'ids'; the package's inputs are 'x'");
  wrong(emulator + "--output out --input x=none.npy", "cannot open 'none.npy': No such file or directory");
  wrong(emulator + "--output out --input x=a.tw", "'a.tw': it is not a .npy file");
  wrong(emulator + "--output out --input x=.", "cannot read '.': Is a directory");
  expectHas(shell("'" TILEWRIGHT_TW_RUN "' --batch .", 1), "cannot read '.': Is a directory");
  wrong("--run-reproducer .", "cannot read '.': Is a directory", 2);
  npy("fortran.npy", "<f4", "(3,)", {1, 2, 3}, "True");
  wrong(emulator + "--input x=fortran.npy", "it is in Fortran order; save it in C order");
  npy("big.npy", ">f4", "(3,)", {1, 2, 3});
  wrong(emulator + "--input x=big.npy", "it is big endian ('>f4')");
  npy("short.npy", "<f4", "(4,)", {1, 2, 3});
  wrong(emulator + "--input x=short.npy", "it holds 12 bytes of data; shape [4] of f32 needs 16");
  npy("ints.npy", "<i4", "(3,)", {1, 2, 3});
  wrong(emulator + "--input x=ints.npy", "input 'x' has elements of i32; the package takes f32");
  npy("long.npy", "<f4", "(5,)", {1, 2, 3, 4, 5});
  wrong(emulator + "--output out --input x=long.npy",
        "no bucket fits inputs of rows=5; the package has the buckets (rows=4) (rows=2)");
  wrong(emulator + "--input x=x.npy --entry=main",
        "there is no entry 'main'; the package's are 'main[rows=4]', "
        "'main[rows=2]'");
  wrong(emulator + "--input x=x.npy --entry=1", "the inputs' shapes run entry 0, not '1'");
  wrong(emulator + "--output out --input x=x.npy --expect z=y.npy",
        "there is no output 'z'; the package's outputs are 'y'");
  wrong("--device=cuda --driver-library=/nowhere.so --input x=x.npy",
        "no CUDA driver: /nowhere.so not found");
  wrong("--device=tpu", "--device", 2);
  wrong("--input x", "--input: 'x' is not of the form name=value", 2);
  wrong("--input x=zeros --input x=zeros", "'x' is given twice", 2);
  wrong("--benchmark=-1", "is no number of seconds", 2);
  run("", 1, "none.tw");
  run("--list", 1, "x.npy");
}

/// A failure of the CUDA device, wherever it shows, leaves a bundle that fails the same way again; on a
/// device that works the bundle runs to its end, and a run that succeeds leaves none.
TEST_F(Tool, ReproducesDeviceFailures) {
  Package p = runtimePackage();
  write(p, "cuda.tw");
  shell("ln -s '" TILEWRIGHT_STANDIN "' '" + folder.file("libcuda.so.1") + "'", 0);
  const std::string driver = "cd '" + folder.path + "' && LD_LIBRARY_PATH=. ",
                    tool = "'" TILEWRIGHT_TW_RUN "' ";
  const std::string arguments =
      "cuda.tw --device=cuda --input x=random:3 --input scale=zeros --reproducer=b.repro";
  const std::pair<const char *, const char *> failures[] = {
      {"cuMemAlloc_v2=2", "out of memory"},         {"cuModuleLoadDataEx=209", "first"},
      {"cuModuleGetFunction=500", "first"},         {"cuFuncSetAttribute=1", "first"},
      {"cuGraphInstantiateWithFlags=801", "graph"}, {"cuGraphLaunch=700", "700"},
      {"cuStreamSynchronize=719", "719"},           {"cuEventSynchronize=715", "715"},
      {"cuMemcpyHtoDAsync_v2=700", "700"},          {"cuMemcpyDtoHAsync_v2=700", "700"},
  };
  for (auto [planted, said] : failures) {
    const std::string broken = driver + "TILEWRIGHT_STANDIN_FAILS=" + planted + " " + tool;
    std::string first = shell(broken + arguments, 1);
    expectHas(first, "to see it again: tw-run --run-reproducer=b.repro");
    std::string sentence = first.substr(0, first.find('\n'));
    EXPECT_EQ(sentence.compare(0, 8, "tw-run: "), 0) << first;
    std::string again = shell(broken + "--run-reproducer=b.repro", 1);
    expectHas(again, sentence);
    (void)said;
    // Where the device works, it is the device that was wrong.
    expectHas(shell(driver + tool + "--run-reproducer=b.repro", 0), "device: Stand-in GPU");
    shell("rm '" + folder.file("b.repro") + "'", 0);
  }
  shell(driver + tool + arguments, 0);
  shell("ls '" + folder.file("b.repro") + "'", 2);
}
