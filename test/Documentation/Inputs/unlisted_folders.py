"""Lists folders of lib/ that lib/README.md has no row for, and rows without a folder."""
import pathlib
import re
import sys

lib = pathlib.Path(sys.argv[1])
rows = set(re.findall(r"(?m)^\| `([\w/]+)` \|", (lib / "README.md").read_text()))
folders = {entry.name for entry in lib.iterdir() if entry.is_dir() and entry.name != "Dialect"}
folders |= {f"Dialect/{entry.name}" for entry in (lib / "Dialect").iterdir() if entry.is_dir()}
print(f"{len(folders ^ rows)} differences", *sorted(folders - rows), *(f"no {name}" for name in sorted(rows - folders)))
