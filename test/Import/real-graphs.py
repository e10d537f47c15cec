"""Imports a folder of real exported graphs; each imports, or is refused with every reason named, and none crashes.
The number refused may only fall.

# REQUIRES: exported-graphs
# RUN: %python %s %exported-graphs --refused 70 | FileCheck %s
# CHECK-NOT: {{^CRASH}}
# CHECK: {{[0-9]+}} of {{[0-9]+}} graphs import

With --reasons, lists how many graphs each unsupported operator keeps out.
"""
import argparse
import collections
import glob
import os
import re
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--reasons", action="store_true")
    parser.add_argument("--refused", type=int, help="fail when there are more, or fewer: then lower the number")
    args = parser.parse_args()
    graphs = sorted(glob.glob(os.path.join(args.folder, "*.onnx")))
    imported, reasons = 0, collections.Counter()
    for graph in graphs:
        command = ["tw-translate", "--import-onnx", graph, "-o", os.devnull]
        result = subprocess.run(command, capture_output=True, text=True)
        notes = re.findall(r"\((\w+), opset \d+\): (.*)", result.stderr)
        if result.returncode == 0:
            imported += 1
        elif result.returncode != 1 or not notes:
            print("CRASH", graph, result.stderr[:300])
        constant = "is not a constant"
        reasons.update({kind + (" (operand not constant)" if constant in text else "") for kind, text in notes})
    if args.reasons:
        for kind, count in reasons.most_common():
            print(f"{count:4} {kind}")
    print(f"{imported} of {len(graphs)} graphs import")
    if args.refused is not None and len(graphs) - imported != args.refused:
        print(f"{len(graphs) - imported} are refused, not {args.refused}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
