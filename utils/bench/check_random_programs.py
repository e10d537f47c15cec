#!/usr/bin/env python3
"""Results of large random programs on a GPU, each in a process of its own, which may run under compute-sanitizer.

usage: check_random_programs.py --packages DIR --runtime libtilewright_rt.so [--size memory] [--first 0] [--count N] [--jobs 8] [--limit SECONDS]
       [--under COMMAND]

The packages are those of `random_programs.py prepare`. Each program runs once over random normal data; its results are compared with
PyTorch in fp64, as `random_programs.py measure` does, which compiles each with PyTorch too. Large tensors reach what the small ones of the
value tests do not: grids of many waves, rows that clusters share, copies that only much data is worth. Prints a line for each program that is not right
and a sum, and exits with 1 where there is one.

  check_random_programs.py … --under "compute-sanitizer --tool memcheck --error-exitcode 1 --kernel-name-exclude kernel_substring=native"

leaves PyTorch's kernels alone, and has it ask for each tensor's memory by itself, so that what lies behind a tensor is no other one's.
"""
import argparse
import concurrent.futures
import os
import shlex
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_programs
from graph_in_torch import GraphProgram


def check(args):
    """One program, in this process."""
    import torch

    from package_session import Runtime, Session
    base = os.path.join(args.packages, args.program)
    with open(base + ".mlir", encoding="utf-8") as file:
        program = GraphProgram(file.read())
    (inputs,), (outputs,) = random_programs.data_of(program, torch)
    session = Session(Runtime(args.runtime), base + ".tw", random_programs.named(inputs, outputs))
    torch.cuda.synchronize()
    session.run()
    torch.cuda.synchronize()
    found = random_programs.judge(torch, program, list(inputs.values()), list(outputs.values()), program.function(torch))
    session.close()
    print(found)
    return 0 if found["right"] else 1


def telling(lines):
    """The first thing that compute-sanitizer found, and what was said last."""
    found = [i for i, line in enumerate(lines) if line.startswith("========= ") and "COMPUTE-SANITIZER" not in line]
    return (lines[found[0]:found[0] + 8] if found else []) + lines[-12:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", required=True)
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--size", choices=random_programs.CLASSES)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--limit", type=float, default=float("inf"), metavar="SECONDS", help="begin no program after so long")
    parser.add_argument("--patience", type=float, default=300, metavar="SECONDS", help="end a program after so long")
    parser.add_argument("--under", default="", metavar="COMMAND")
    parser.add_argument("--program", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.program:
        return check(args)
    names = [n[:-3] for n in sorted(os.listdir(args.packages)) if n.endswith(".tw") and (not args.size or n.startswith(args.size))]
    names = names[args.first:][:args.count]
    start = time.monotonic()
    environment = os.environ | ({"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"} if args.under else {})

    def one(name):
        if time.monotonic() - start > args.limit:
            return name, None, ""
        command = [*shlex.split(args.under), sys.executable, os.path.abspath(__file__), "--packages", args.packages, "--runtime", args.runtime,
                   "--program", name]
        try:
            result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                                    timeout=args.patience)
        except subprocess.TimeoutExpired:
            return name, 1, f"not done after {args.patience:.0f} s"
        return name, result.returncode, result.stdout

    right = wrong = left = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for done, (name, status, said) in enumerate(pool.map(one, names), 1):
            right, wrong, left = right + (status == 0), wrong + (status not in (0, None)), left + (status is None)
            if status not in (0, None):
                print(f"== {name}: status {status}", *telling(said.strip().splitlines()), sep="\n   ", flush=True)
            elif sys.stdout.isatty():
                print(f"\r{done} of {len(names)}", end="", flush=True)
    print(f"{right} of {len(names)} right, {wrong} not" + (f", {left} not begun" if left else ""))
    return 1 if wrong or left else 0


if __name__ == "__main__":
    sys.exit(main())
