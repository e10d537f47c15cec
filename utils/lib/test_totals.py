#!/usr/bin/env python3
"""Adds up the tests of one CTest run: single GoogleTest cases and single lit tests, not whole programs.

usage: test_totals.py JUNIT RESULTS_DIR [LABEL]

JUNIT is what `ctest --output-junit` wrote. RESULTS_DIR holds the JSON of GoogleTest programs (<program>.json) and
of lit suites (Lit.<folder>.json). A program that died before writing its JSON counts as one failure.
Prints failures with their output, the skipped tests grouped by reason, and last a JSON line with the totals.
"""
import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

Totals = collections.namedtuple("Totals", "passed failed skipped")


def lit_suite(path, failures, reasons):
    passed = failed = skipped = 0
    for test in json.loads(path.read_text())["tests"]:
        code = test["code"]
        if code in ("PASS", "FLAKYPASS", "XFAIL"):
            passed += 1
        elif code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            skipped += 1
            found = re.search(r"unavailable features: (.*)", test["output"])
            reasons[f"needs {found.group(1)}" if found else "unsupported"].append(test["name"])
        else:
            failed += 1
            failures.append((f"{test['name']} ({code.lower()})", test["output"]))
    return Totals(passed, failed, skipped)


def googletest_program(path, name, output, failures, reasons):
    passed = failed = skipped = 0
    told = re.findall(r"^.*: Skipped\n(.*)\n+\[  SKIPPED \] (\S+)", output, re.MULTILINE)
    why = {test: reason if len(reason) < 90 else reason[:90] + "…" for reason, test in told}
    for suite in json.loads(path.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            full = f"{suite['name']}.{case['name']}"
            if case.get("failures"):
                failed += 1
                failures.append((f"{name}: {full}", "\n".join(f["failure"] for f in case["failures"])))
            elif case.get("result") == "SKIPPED" or case.get("status") == "NOTRUN":
                skipped += 1
                default = "disabled in its program, for runs by hand" if "DISABLED_" in full else "skipped by the test itself"
                reasons[why.get(full, default)].append(f"{name}: {full}")
            else:
                passed += 1
    return Totals(passed, failed, skipped)


def main():
    junit, results = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    label = sys.argv[3] if len(sys.argv) > 3 else "tests"
    failures, reasons = [], collections.defaultdict(list)
    total = Totals(0, 0, 0)
    for case in xml.parse(junit).getroot().iter("testcase"):
        name, status = case.get("name"), case.get("status")
        program = name.split(".", 1)[1] if name.startswith("Unit.") else name
        path = results / f"{program}.json"
        output = case.findtext("system-out") or ""
        if name.startswith("Lit.") and path.exists():
            counts = lit_suite(path, failures, reasons)
        elif path.exists():
            counts = googletest_program(path, name, output, failures, reasons)
        else:
            passed, skipped = int(status == "run"), int(status == "disabled")
            counts = Totals(passed, 0, skipped)
            if skipped:
                reasons["disabled in CTest"].append(name)
        if status not in ("run", "disabled") and counts.failed == 0:  # the program itself broke: a crash, a time-out, a sanitizer
            counts = counts._replace(failed=1)
            failures.append((name, output[-8000:] or f"CTest says: {status}"))
        total = Totals(*map(sum, zip(total, counts)))

    for name, output in failures:
        print(f"\nFAILED {name}")
        print("\n".join("    " + line for line in output.strip().splitlines()[-60:]))
    if reasons:
        print(f"\n   skipped in {label}:")
        for reason, names in sorted(reasons.items()):
            shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
            print(f"   {len(names):4d}  {reason}: {shown}")
    print(f"   {label}: {sum(total)} tests: {total.passed} passed, {total.failed} failed, {total.skipped} skipped")
    with open(results / "totals.json", "w", encoding="utf-8") as out:
        json.dump(total._asdict(), out)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
