#!/usr/bin/env python3
"""Prints the compile target of the first GPU (sm_90a), as the CUDA driver reports it; fails without a GPU."""
import ctypes
import sys


def main():
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        sys.exit("no CUDA driver")
    count, device, major, minor = (ctypes.c_int(0) for _ in range(4))
    if cuda.cuInit(0) != 0 or cuda.cuDeviceGetCount(ctypes.byref(count)) != 0 or count.value == 0:
        sys.exit("no GPU")
    cuda.cuDeviceGet(ctypes.byref(device), 0)
    cuda.cuDeviceGetAttribute(ctypes.byref(major), 75, device)  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    cuda.cuDeviceGetAttribute(ctypes.byref(minor), 76, device)  # ..._MINOR
    # From 9.0 on the tensor cores' own instructions exist only in the variants with an `a`.
    print(f"sm_{major.value}{minor.value}{'a' if major.value >= 9 else ''}")


if __name__ == "__main__":
    main()
