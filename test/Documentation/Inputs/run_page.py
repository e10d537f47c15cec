"""Runs the commands of a page.

usage: run_page.py PAGE.md FIXTURE.sh WORK-FOLDER

Every ```sh block is run by one bash (-e) in the work folder, in the order of the page, after FIXTURE.sh has made the
files that the page speaks of; in tables, every code span that starts with a tool is a command. A block or span is left
out where the page says why: `<!-- not run: REASON -->` before the block, or in the table's row. Commands that end
otherwise than with 0 say so in a comment `# exit N`. Prints how many ran.
"""
import os
import pathlib
import re
import subprocess
import sys

page, fixture, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
REASONS = ("needs a GPU", "builds the tree", "installs packages", "starts an editor", "takes minutes", "needs PyTorch")
SPAN = re.compile(r"(?<!`)`((?:tw-|utils/|cmp|diff)[^` ]* [^`]*|utils/[-a-z/.]+)`(?!`)")


def commands(text):
    """(line number, script, reason not to run it or None)"""
    lines, number, reason = text.splitlines(), 0, None
    while number < len(lines):
        line = lines[number]
        skip = re.search(r"<!-- not run: (.*?) -->", line)
        if re.match(r"\s*```sh$", line):
            start = number + 1
            while not re.match(r"\s*```$", lines[number + 1]):
                number += 1
            yield start + 1, "\n".join(lines[start:number + 1]), reason
            number, reason = number + 1, None
        elif line.startswith("|"):
            for span in SPAN.finditer(line.replace("\\|", "|")):
                yield number + 1, span.group(1), skip.group(1) if skip else None
        elif skip:
            reason = skip.group(1)
        number += 1


def main():
    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]  # python3 with numpy
    work.mkdir(parents=True, exist_ok=True)
    subprocess.run(["bash", "-e", fixture], cwd=work, check=True, stdout=subprocess.DEVNULL)
    ran = left = failed = 0
    for line, script, reason in commands(page.read_text()):
        if reason is not None:
            if not reason.startswith(REASONS):
                sys.exit(f"{page.name}:{line}: '{reason}' is no reason that the test knows")
            left += 1
            continue
        wanted = re.search(r"# exit (\d+)", script)
        done = subprocess.run(["bash", "-ec", script], cwd=work, capture_output=True, text=True, timeout=300)
        ran += 1
        if done.returncode != (int(wanted.group(1)) if wanted else 0):
            failed += 1
            print(f"{page.name}:{line}: ended with {done.returncode}:\n{script}\n{done.stdout[-1500:]}{done.stderr[-1500:]}\n")
    print(f"{page.name}: {ran} ran, {left} left out, {failed} failed")
    sys.exit(1 if failed or not ran else 0)


main()
