"""Fails when clang-format 22 would change a file of the tree."""
import pathlib
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
files = sorted(
    str(path)
    for folder in ("include", "lib", "tools", "test")
    for pattern in ("*.h", "*.cpp", "*.c")
    for path in (source / folder).rglob(pattern)
    if "Inputs" not in path.parts
)
result = subprocess.run(["clang-format-22", "--dry-run", "--Werror", *files], capture_output=True, text=True, check=False)
wrong = sorted({line.split(":")[0] for line in result.stderr.splitlines() if "clang-format-violations" in line})
print(f"{len(files)} files, {len(wrong)} not formatted", *wrong, sep="\n  ")
sys.exit(1 if wrong or result.returncode else 0)
