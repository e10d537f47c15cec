#!/usr/bin/env python3
"""Prints THIRD-PARTY.md: what the static binary holds besides Tilewright, with versions and licences.

Versions and licence texts are those of the Debian packages that were linked. A licence that asks for no notice in
machine code is named without its text.
"""
import pathlib
import subprocess
import sys

#            name, Debian package, licence, what of it is inside, whether its text must travel with machine code
COMPONENTS = [
    ("LLVM and MLIR", "llvm-22-dev", "Apache-2.0 WITH LLVM-exception", "code generators for X86 and NVPTX, MLIR", True),
    ("Protocol Buffers", "libprotobuf-dev", "BSD-3-Clause", "the reader of ONNX files", True),
    ("ONNX", "libonnx-dev", "Apache-2.0", "the schema of ONNX files", True),
    ("FlatBuffers", "libflatbuffers-dev", "Apache-2.0", "headers: the package's table", True),
    ("Zstandard", "libzstd-dev", "BSD-3-Clause", "used by LLVM", True),
    ("zlib", "zlib1g-dev", "Zlib", "used by LLVM and Protocol Buffers", True),
    ("CLI11", "libcli11-dev", "BSD-3-Clause", "headers: tw-run", True),
    ("{fmt}", "libfmt-dev", "MIT", "headers: tw-run", True),
    ("JSON for Modern C++", "nlohmann-json3-dev", "MIT", "headers: tw-run", True),
    ("Boost.Context", "libboost-context1.74-dev", "BSL-1.0", "fibers of the emulator", False),
    ("libstdc++ and libgcc", "libstdc++-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1", "the C++ library", False),
]


def version(package):
    done = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: the Debian package {package} is not installed")
    return done.stdout


def main():
    print("# Third-party software in this distribution\n")
    print("Tilewright itself is under Apache-2.0 WITH LLVM-exception (LICENSE). Linked into its binaries are:\n")
    print("| component | version | licence | what for |\n|---|---|---|---|")
    for name, package, licence, use, _ in COMPONENTS:
        print(f"| {name} | {version(package)} | {licence} | {use} |")
    print("\nBSL-1.0 and the GCC exception ask for no notice in machine code. The texts of the others, as Debian has them:")
    for name, package, _, _, with_text in COMPONENTS:
        if with_text:
            text = pathlib.Path("/usr/share/doc", package, "copyright").read_text(encoding="utf-8", errors="replace")
            print(f"\n## {name}\n\n````text\n{text.strip()}\n````")


if __name__ == "__main__":
    main()
