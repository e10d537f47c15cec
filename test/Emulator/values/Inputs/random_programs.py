"""Runs tw-check on random programs whose first seed follows from the checked-out commit (0 where there is none), in as
many processes as there are cores, every other of them for sm_90a: random_programs.py random|random-schedules COUNT."""
import os
import subprocess
import sys

kind, count = sys.argv[1], int(sys.argv[2])
found = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse", "HEAD"],
                       capture_output=True, text=True)
first = int(found.stdout[:7], 16) * 1000 if found.returncode == 0 else 0
parts = max(2, min(os.cpu_count() or 1, 4))
bounds = [first + count * part // parts for part in range(parts + 1)]
runs = [subprocess.Popen(["tw-check", f"--{kind}={low}", f"--count={high - low}", "--quiet", "--timeout=300"] +
                         ["--target=sm_90a"] * (part % 2), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for part, (low, high) in enumerate(zip(bounds, bounds[1:]))]
print(f"{kind}: seeds {first} to {first + count - 1}")
for run in runs:
    print(run.communicate()[0], end="")
sys.exit(any(run.returncode for run in runs))
