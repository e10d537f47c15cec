#!/usr/bin/env python3
"""Makes a `gpu-values` record for docs/performance/data from what a GPU machine's runs left.

usage: gpu_values.py --gpu NAME --driver VERSION --commit COMMIT --suite SUMMARY.json [--suite …]
                     [--unit GTEST.json] [--sanitizer SUMMARY.json …] [--not-compiled N] > record.json

SUMMARY.json is utils/gpu-suite's; with --sanitizer only its steps under compute-sanitizer count, with --suite only
the others. GTEST.json is what RuntimeGpuTests --gtest_output=json:FILE wrote. Names of machines and files stay out.
"""
import argparse
import collections
import json
import re
import sys

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")


def steps(paths):
    found = {}
    for path in paths:
        with open(path) as file:
            for step in json.load(file)["steps"]:
                found[step["name"]] = step
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gpu", "driver", "commit"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--suite", action="append", default=[], help="a summary of gpu-suite; later ones replace steps")
    parser.add_argument("--sanitizer", action="append", default=[], help="a summary whose sanitizer steps count")
    parser.add_argument("--unit", help="results of RuntimeGpuTests")
    parser.add_argument("--not-compiled", type=int, default=0, help="programs that gpu-cases could not make cases of")
    parser.add_argument("--note", action="append", default=[], help="what a reader of the failures must know")
    given = parser.parse_args()

    families = collections.defaultdict(lambda: {"cases": 0, "failed": []})
    for name, step in steps(given.suite).items():
        if name.rsplit(".", 1)[-1] in TOOLS:
            continue
        family = families[re.search(r"[a-z]+", name).group(0)]
        family["cases"] += 1
        family["failed"] += [name] if step["code"] else []
    tools = {tool: {"cases": 0, "complaints": []} for tool in TOOLS}
    for name, step in steps(given.sanitizer).items():
        tool = name.rsplit(".", 1)[-1]
        if tool in TOOLS:
            tools[tool]["cases"] += 1
            tools[tool]["complaints"] += [name] if step["code"] else []
    record = {"kind": "gpu-values", "machine": {"gpu": given.gpu, "driver": given.driver, "commit": given.commit},
              "not_compiled": given.not_compiled, "families": dict(sorted(families.items())), "sanitizer": tools, "notes": given.note}
    if given.unit:
        with open(given.unit) as file:
            unit = json.load(file)
        record["unit"] = {"tests": unit["tests"], "failed": unit["failures"] + unit["errors"],
                          "skipped": sum(t.get("result") == "SKIPPED" for s in unit["testsuites"] for t in s["testsuite"])}
    json.dump(record, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
