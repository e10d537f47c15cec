"""Whether every sentence of docs/Errors.md is still in the sources.

usage: error_catalogue.py SOURCE-TREE

A sentence is cut at its `…`; each piece must stand in a string literal of lib, include or tools (literals that follow each
other count as one). Prints how many sentences there are, and those with a piece that is nowhere.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
literals = []
for folder in ("lib", "include", "tools"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in (".cpp", ".h"):
            continue
        text = re.sub(r"//[^\n]*", "", path.read_text())
        for run in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text):
            joined = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', run))
            literals.append(re.sub(r"%[-.\d]*l*[a-z]", "\0", joined.replace('\\"', '"')))
everything = "\0".join(literals)
sentences, gone = 0, []
for line in (root / "docs/Errors.md").read_text().splitlines():
    found = re.match(r"\| `(.*?)`(?: \(\w+\))? \|", line)
    if not found:
        continue
    sentences += 1
    for piece in found.group(1).split("…"):
        for part in re.split(r"'\s*|\s*'", piece):
            part = part.strip(" .:;,@()")
            if len(part) > 3 and part not in everything:
                gone.append(f"{found.group(1)}: '{part}' is in no source")
print("\n".join(gone + [f"{sentences} sentences, {len(gone)} gone"]))
sys.exit(1 if gone or sentences < 30 else 0)
