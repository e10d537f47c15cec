#!/usr/bin/env python3
"""How many clusters a chip holds at once, by their blocks and the shared memory of each: graphics processing clusters have
different numbers of multiprocessors, so that those of four or more blocks that fill a multiprocessor each are fewer than
multiprocessors over blocks. The cost model divides waves by these.

usage: resident_clusters.py measure --out DIR [--commit HASH]

Needs the driver alone: cuOccupancyMaxActiveClusters of an empty kernel (CUDA driver API, occupancy), which the driver
assembles. Writes DIR/resident-clusters.json.
"""
import argparse
import ctypes
import os
import sys
from ctypes import byref, c_char_p, c_int, c_uint, c_void_p

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated

PTX = b""".version 8.0
.target sm_90
.address_size 64
.visible .entry empty() { ret; }
"""
CLUSTERS, KIBIBYTES, THREADS = (1, 2, 4, 8, 16), (16, 64, 100, 200), 128
# CUfunction_attribute and CUlaunchAttributeID of cuda.h.
MOST_SHARED, ANY_CLUSTER, CLUSTER_DIMENSION = 8, 14, 4


class Attribute(ctypes.Structure):
    _fields_ = [("id", c_int), ("pad", c_int), ("value", c_uint * 16)]


class Configuration(ctypes.Structure):
    _fields_ = [("grid", c_uint * 3), ("block", c_uint * 3), ("shared", c_uint), ("stream", c_void_p),
                ("attributes", ctypes.POINTER(Attribute)), ("count", c_uint)]


class Driver:
    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")

    def __call__(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            text = c_char_p()
            self.library.cuGetErrorString(status, byref(text))
            sys.exit(f"error: {name} failed: {(text.value or b'unknown').decode()}")


def measure(args):
    driver, device, context = Driver(), c_int(), c_void_p()
    module, function, found = c_void_p(), c_void_p(), c_int()
    driver("cuInit", 0)
    driver("cuDeviceGet", byref(device), 0)
    driver("cuDevicePrimaryCtxRetain", byref(context), device)
    driver("cuCtxSetCurrent", context)
    driver("cuModuleLoadData", byref(module), PTX)
    driver("cuModuleGetFunction", byref(function), module, b"empty")
    driver("cuFuncSetAttribute", function, ANY_CLUSTER, 1)
    name, multiprocessors, version = ctypes.create_string_buffer(100), c_int(), c_int()
    driver("cuDeviceGetName", name, 100, device)
    driver("cuDeviceGetAttribute", byref(multiprocessors), 16, device)
    driver("cuDriverGetVersion", byref(version))
    rows = []
    for kibibytes in KIBIBYTES:
        driver("cuFuncSetAttribute", function, MOST_SHARED, kibibytes << 10)
        for blocks in CLUSTERS:
            cluster = Attribute(CLUSTER_DIMENSION, 0, (c_uint * 16)(blocks, 1, 1))
            grid = (c_uint * 3)(blocks * 1024, 1, 1)
            shape = Configuration(grid, (c_uint * 3)(THREADS, 1, 1), kibibytes << 10, None, ctypes.pointer(cluster), 1)
            driver("cuOccupancyMaxActiveClusters", byref(found), function, byref(shape))
            rows.append({"blocks": blocks, "shared_kib": kibibytes, "clusters": found.value})
            print(f"   {blocks:2} blocks of {kibibytes} KiB: {found.value} clusters")
    os.makedirs(args.out, exist_ok=True)
    machine = {"gpu": name.value.decode(), "multiprocessors": multiprocessors.value, "cuda": version.value, "commit": args.commit}
    isolated.write(args.out, "resident-clusters", {"kind": "resident-clusters", "machine": machine, "rows": rows})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("measure")
    command.add_argument("--out", required=True)
    command.add_argument("--commit", default="")
    command.set_defaults(run=measure)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
