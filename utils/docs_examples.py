#!/usr/bin/env python3
"""Runs the examples in the pass descriptions of every Passes.td and of the files that these include.

usage: docs_examples.py [--tw-opt PATH] [--list] [--require-all] [PASSES.td…]

An example is two fenced blocks with ==> between them, the IR before the pass and after it:

    ```mlir
    // RUN-PASS: tile-place-barriers
    func.func @before(...) { ... }
    ```
    ==>
    ```mlir
    func.func @after(...) { ... }
    ```

The `RUN-PASS` line names the passes as they stand on tw-opt's command line (leading dashes may be left out, options
as in `tile-pipeline-loops="stages=2"`); without it the example runs the pass it describes. The block before is
complete IR. The block after is compared as tw-opt prints it, so that spacing and value names do not matter; where
it leaves something out with a line that says `...`, only the lines around must appear, in this order; such a line
may end early or leave out a part with ` ... `, lines without `...` between them follow each other, and equal value
names stand for equal values.

Fails on the examples that do not hold; with --require-all also on passes without one. A pass that only checks or
prints (verify-…, print-…) needs none.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
LLVM = pathlib.Path("/usr/lib/llvm-22")
EXAMPLE = re.compile(
    r"^[ \t]*```(?:mlir)?[ \t]*\n(?P<before>(?:(?!^[ \t]*```).*\n)*)^[ \t]*```[ \t]*\n"
    r"\s*`?==>`?[ \t]*\n\s*"
    r"```(?:mlir)?[ \t]*\n(?P<after>(?:(?!^[ \t]*```).*\n)*)^[ \t]*```",
    re.MULTILINE,
)
ELISION = re.compile(r"^\s*(?://\s*)?(?:\.\.\.|…)\s*$")


class Mismatch(Exception):
    """An example that does not hold, with the reason."""


def passes(path):
    """(flag, description) of each pass that one file declares, in its order."""
    command = [LLVM / "bin/llvm-tblgen", "--dump-json", "-I", ROOT / "include", "-I", LLVM / "include", path]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"error: {path} does not parse:\n{result.stderr}")
    records = json.loads(result.stdout)
    found = [records[name] for name in records["!instanceof"].get("PassBase", [])]
    text = path.read_text()
    own = [record for record in found if f'"{record["argument"]}"' in text]
    own.sort(key=lambda record: text.index(f'"{record["argument"]}"'))
    return [(record["argument"], record["description"]) for record in own]


def run(tw_opt, flags, source):
    result = subprocess.run([tw_opt, *flags], input=source, capture_output=True, text=True, check=False)
    if result.returncode:
        raise Mismatch(f"tw-opt {shlex.join(flags)} fails:\n{result.stderr.strip()}\non\n{textwrap.dedent(source).rstrip()}")
    return result.stdout


def literal(text):
    """`text` as a FileCheck pattern, with what ` ... ` leaves out."""
    return text.replace("[", "{{\\[}}").replace(" ... ", "{{ .* }}")


def check_lines(after):
    """FileCheck lines for an elided block: value names become variables, lines between elisions stay together."""
    seen, fresh, lines = set(), True, []
    for line in after.splitlines():
        if not line.strip():
            continue
        if ELISION.match(line):
            fresh = True
            continue
        pattern, end = "", 0
        for value in re.finditer(r"%[\w.$-]+", line):
            pattern += literal(line[end : value.start()])
            name = "V_" + re.sub(r"\W", "_", value.group()[1:])
            pattern += f"[[{name}]]" if name in seen else f"[[{name}:%[A-Za-z0-9_.$-]+]]"
            seen.add(name)
            end = value.end()
        pattern += literal(line[end:])
        lines.append(f"{'CHECK' if fresh else 'CHECK-NEXT'}: {{{{^ *}}}}{pattern.strip()}")
        fresh = False
    return "\n".join(lines) + "\n"


def check(tw_opt, flag, before, after):
    named = re.search(r"^\s*//\s*RUN-PASS:\s*(.*)$", before, re.MULTILINE)
    flags = shlex.split(named.group(1)) if named else [flag]
    flags = [word if word.startswith("-") else f"--{word}" for word in flags]
    before = re.sub(r"^\s*//\s*RUN-PASS:.*\n", "", before, flags=re.MULTILINE)
    got = run(tw_opt, flags, before)
    if not any(ELISION.match(line) for line in after.splitlines()):
        want = run(tw_opt, [], after)
        if got != want:
            raise Mismatch(f"tw-opt {shlex.join(flags)} gives\n{got.rstrip()}\nand the description says\n{want.rstrip()}")
        return
    with tempfile.NamedTemporaryFile("w", suffix=".check") as file:
        file.write(check_lines(after))
        file.flush()
        command = [LLVM / "bin/FileCheck", file.name]
        result = subprocess.run(command, input=got, capture_output=True, text=True, check=False)
    if result.returncode:
        raise Mismatch(f"{result.stderr.strip()}\ntw-opt {shlex.join(flags)} gives\n{got.rstrip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tw-opt", default=str(ROOT / "build/dev/bin/tw-opt"))
    parser.add_argument("--list", action="store_true", help="say how many examples each pass has, and run nothing")
    parser.add_argument("--require-all", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    count, bare, broken = 0, [], []
    for path in args.files or sorted((ROOT / "include").rglob("*Passes.td")):
        for flag, description in passes(path):
            examples = list(EXAMPLE.finditer(description))
            if args.list:
                print(f"{len(examples)}  {flag}")
            if not examples and not flag.startswith(("verify-", "print-")):
                bare.append(flag)
            if len(re.findall(r"(?m)^\s*`?==>`?\s*$", description)) != len(examples):
                broken.append(flag)
                print(f"{flag}: a line ==> does not stand between two fenced blocks\n")
            for number, example in enumerate(examples, 1):
                count += 1
                if args.list:
                    continue
                try:
                    check(args.tw_opt, flag, example["before"], example["after"])
                except Mismatch as mismatch:
                    broken.append(flag)
                    print(f"{flag}, example {number}: {mismatch}\n")
    print(f"{count} examples, {len(broken)} of them wrong; passes without one: {', '.join(bare) or 'none'}")
    if broken or (args.require_all and bare):
        sys.exit(f"error: wrong or missing: {', '.join(broken + (bare if args.require_all else []))}")


if __name__ == "__main__":
    main()
