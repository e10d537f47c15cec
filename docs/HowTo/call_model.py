#!/usr/bin/env python3
"""Runs a package through the C ABI on tensors that come as DLPack: docs/HowTo/CallFromPython.md.

usage: call_model.py PACKAGE.tw [--emulator LIBRARY | --torch] [--runtime LIBRARY]
"""
import argparse
import ctypes
import os

# --- The C ABI: tilewright_runtime.h -------------------------------------------------------------------------------

DTYPES = ["f32", "f16", "bf16", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool"]
CUDA, EMULATOR = 0, 1


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("message", ctypes.c_char * 1024)]


class HostTensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dtype", ctypes.c_int), ("rank", ctypes.c_uint32),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("data", ctypes.c_void_p)]


class TensorInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dtype", ctypes.c_int), ("rank", ctypes.c_uint32),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("symbols", ctypes.POINTER(ctypes.c_int32)),
                ("bytes", ctypes.c_uint64), ("rest", ctypes.c_byte * 64)]


class SessionOptions(ctypes.Structure):  # the fields that are set here; the others keep their defaults
    _fields_ = [("device", ctypes.c_int), ("ordinal", ctypes.c_int), ("driver_library", ctypes.c_char_p),
                ("emulator_library", ctypes.c_char_p), ("rest", ctypes.c_byte * 512)]


class EntryInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("inputs", ctypes.c_uint32), ("outputs", ctypes.c_uint32),
                ("rest", ctypes.c_byte * 64)]


# --- DLPack: dlpack.h ----------------------------------------------------------------------------------------------


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int), ("device_id", ctypes.c_int),
                ("ndim", ctypes.c_int), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


KINDS = {0: "i", 1: "u", 2: "f", 4: "bf", 6: "bool"}
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype, capsule_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class View:
    """A tensor of any library, as address, element type and shape. It keeps the tensor alive."""

    def __init__(self, tensor):
        self.capsule = tensor.__dlpack__()
        t = DLTensor.from_address(capsule_pointer(self.capsule, b"dltensor"))
        kind = KINDS[t.code]
        self.dtype = DTYPES.index("bool" if kind == "bool" else f"{kind}{t.bits}")
        self.shape, self.rank = t.shape, t.ndim
        self.address, self.on_cuda = t.data + t.byte_offset, t.device_type == 2
        elements, packed = 1, True
        for d in reversed(range(t.ndim)):
            packed = packed and (not t.strides or t.shape[d] == 1 or t.strides[d] == elements)
            elements *= t.shape[d]
        if not packed:
            raise ValueError("the tensor is not in C order")
        self.bytes = elements * t.bits // 8


# --- A model -------------------------------------------------------------------------------------------------------


class Model:
    def __init__(self, runtime, path, device=CUDA, emulator=None):
        self.lib = ctypes.CDLL(runtime)
        self.error = Error()
        self.package, self.session = ctypes.c_void_p(), ctypes.c_void_p()
        options = SessionOptions()
        self.lib.twrt_session_options_init(ctypes.byref(options))
        options.device, options.emulator_library = device, emulator.encode() if emulator else None
        self.call("twrt_package_open", path.encode(), ctypes.byref(self.package))
        self.call("twrt_session_create", self.package, ctypes.byref(options), ctypes.byref(self.session))

    def call(self, function, *arguments):
        if getattr(self.lib, function)(*arguments, ctypes.byref(self.error)) != 0:
            raise RuntimeError(self.error.message.decode())

    def tensors(self, which, entry=0):
        """(name, element type, shape of the bucket) of the inputs or outputs."""
        info, entry_info = TensorInfo(), EntryInfo()
        self.lib.twrt_entry_get_info(self.package, entry, ctypes.byref(entry_info))
        for slot in range(getattr(entry_info, which)):
            getattr(self.lib, f"twrt_{which[:-1]}_get_info")(self.package, entry, slot, ctypes.byref(info))
            yield info.name.decode(), DTYPES[info.dtype], [info.shape[d] for d in range(info.rank)]

    def run_host(self, inputs, outputs):
        """Arrays in host memory, by name; the outputs are written to."""
        views, lists = [], []
        for named in (inputs, outputs):
            rows = (HostTensor * len(named))()
            for row, (name, array) in zip(rows, named.items()):
                view = View(array)
                views.append(view)
                row.name, row.dtype, row.rank, row.shape, row.data = name.encode(), view.dtype, view.rank, view.shape, view.address
            lists += [rows, len(named)]
        self.call("twrt_run_host", self.session, *lists)

    def run_bound(self, tensors, stream):
        """CUDA tensors of the bucket's shapes, by name of input or output, on a stream of their library."""
        views = {name: View(tensor) for name, tensor in tensors.items()}
        self.call("twrt_prepare", self.session, 0)
        for name, view in views.items():
            self.call("twrt_bind", self.session, name.encode(), ctypes.c_void_p(view.address), ctypes.c_uint64(view.bytes))
        self.call("twrt_run", self.session, ctypes.c_void_p(stream))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("--emulator", help="libTilewrightEmulator.so; without it the first CUDA device")
    parser.add_argument("--torch", action="store_true", help="on CUDA tensors of PyTorch")
    parser.add_argument("--runtime", default=os.path.abspath("libtilewright_rt.so"))
    given = parser.parse_args()
    model = Model(given.runtime, given.package, EMULATOR if given.emulator else CUDA, given.emulator)
    if given.torch:
        import torch
        types = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32}
        inputs = {n: torch.ones(shape, dtype=types[t], device="cuda") for n, t, shape in model.tensors("inputs")}
        outputs = {n: torch.empty(shape, dtype=types[t], device="cuda") for n, t, shape in model.tensors("outputs")}
        model.run_bound({**inputs, **outputs}, torch.cuda.current_stream().cuda_stream)
        torch.cuda.synchronize()
    else:
        import numpy
        types = {"f32": numpy.float32, "f16": numpy.float16, "i64": numpy.int64, "i32": numpy.int32}
        inputs = {n: numpy.ones(shape, types[t]) for n, t, shape in model.tensors("inputs")}
        outputs = {n: numpy.empty(shape, types[t]) for n, t, shape in model.tensors("outputs")}
        model.run_host(inputs, outputs)
    for name, tensor in outputs.items():
        print(f"{name} {list(tensor.shape)}: {float(tensor.reshape(-1)[0]):.6f} ...")


if __name__ == "__main__":
    main()
