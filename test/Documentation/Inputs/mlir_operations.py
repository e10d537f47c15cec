"""Compares the tables of docs/HowTo/CompileMlir.md with the sources and the tests. usage: mlir_operations.py SOURCE LLVM

Every operation of tosa stands in one table; what is called supported occurs in a test, what is refused is refused for
the reason given, and the table of reasons has no other entry.
"""
import pathlib
import re
import sys

source, llvm = map(pathlib.Path, sys.argv[1:])
page = (source / "docs/HowTo/CompileMlir.md").read_text()
supported, refused = {}, {}
for line in page.splitlines():
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if not line.startswith("| `"):
        continue
    names = re.findall(r"`(\w+\.\w+)`", cells[0])
    target = refused if page.index(line) > page.index("## Refused") else supported
    for name in names:
        target[name] = cells[1]

problems = []
tests = "".join(path.read_text() for folder in ("test/Import", "test/Emulator/values")
                for path in sorted((source / folder).rglob("*.mlir")))
for name in supported:
    if not re.search(re.escape(name) + r"\b", tests):
        problems.append(f"{name} is called supported and has no test")

code = (source / "lib/Import/Upstream/Refusals.cpp").read_text()
reasons = {name: "".join(re.findall(r'"([^"]*)"', text))
           for name, text in re.findall(r'{"([\w.]+)",\s*((?:"[^"]*"\s*)+)}', code)}
if reasons != refused:
    for name in sorted(set(reasons) | set(refused)):
        if reasons.get(name) != refused.get(name):
            problems.append(f"{name} is refused for '{reasons.get(name)}', the page says '{refused.get(name)}'")

definitions = (llvm / "include/mlir/Dialect/Tosa/IR/TosaOps.td").read_text()
mnemonics = re.findall(r"def Tosa_\w+\s*:\s*Tosa_\w*<\s*\"(\w+)\"", definitions)
if len(mnemonics) < 60:
    problems.append(f"only {len(mnemonics)} operations of tosa were found")
for mnemonic in mnemonics:
    name = "tosa." + mnemonic
    if name not in supported and name not in refused:
        problems.append(f"{name} is in no table")
print("\n".join(problems))
print(f"{len(supported)} operations supported, {len(refused)} refused, {len(problems)} problems")
