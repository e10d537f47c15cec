#!/usr/bin/env python3
"""Schedules of kernels that are no products, for tuning records and for what the rules leave.

usage: kernel_schedules.py merge --out FILE --commit HASH [--tw-tune PATH] [--note TEXT] NAME=DIR…
       kernel_schedules.py rules --out FILE [--tw-compile PATH] [--tw-check PATH] [--jobs 2] RECORD
       kernel_schedules.py prepare --out DIR [--tw-tune PATH] [--jobs 2] [--schedules 5] [--only TEXT]
                                   [--random HASH --tw-check PATH [--size memory]… [--first 0] [--count 67]]

`prepare` needs no GPU: it writes the kernels of the programs that move bytes (memory_programs.py), or with `--random` those of
random programs with seeds that follow from a commit (random_programs.py), as one folder of tuning tasks, and compiles them under
their schedules. Then, on a GPU machine and after it:

  tw-tune measure DIR
  tw-tune merge DIR -o FILE.records --commit=HASH

`merge` makes one record for docs/performance/data of what was measured, with a name for each folder. What a change of the rules is
worth on the kernels of a record `rules` says, without a GPU and in half a minute: it writes what today's compiler chooses for each
beside what it chose then, with the measured times of both where both were measured.
"""
import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import isolated
import memory_programs
from kernel_section import OWN, right, short
from random_programs import CLASSES, first_seed


# Says in a folder of tasks which programs they are of.
DRAWN = "programs.json"


def programs(args):
    """Names, texts and precisions."""
    if args.random:
        for seed in range(first_seed(args.random) + args.first, first_seed(args.random) + args.first + args.count):
            for size in args.size or CLASSES:
                text = subprocess.run([args.tw_check, f"--random={seed}", f"--memory={size}", "--print", "--generic"],
                                      check=True, capture_output=True, text=True).stdout
                yield f"{size}-{seed}", text, "fp32"
        return
    for program in memory_programs.programs():
        if not args.only or any(text in program.name for text in args.only):
            yield program.name, program.text(), program.precision()


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    isolated.save(os.path.join(args.out, DRAWN), {key: getattr(args, key) for key in ("random", "size", "first", "count", "only")})
    failed = []

    def one(item):
        name, text, precision = item
        with tempfile.NamedTemporaryFile("w", suffix=".mlir", encoding="utf-8") as file, tempfile.TemporaryDirectory() as scratch:
            file.write(text)
            file.flush()
            # A log of its own: tasks of different programs may be prepared at the same time.
            result = subprocess.run([args.tw_tune, "prepare", file.name, "-o", os.path.join(scratch, "tasks"), f"--precision={precision}",
                                     f"--target={args.target}", f"--schedules={args.schedules}", "--jobs=1"], capture_output=True, text=True, check=False)
            said = (result.stdout.strip() or result.stderr.strip() or "failed").splitlines()[-1]
            # A program whose kernels have one schedule each is no failure.
            if result.returncode != 0 and "no tuning task" not in result.stderr:
                failed.append(name)
            elif result.returncode == 0:
                for task in os.listdir(os.path.join(scratch, "tasks")):
                    keep(os.path.join(scratch, "tasks", task), os.path.join(args.out, task))
            return name, said

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for name, said in pool.map(one, programs(args)):
            print(f"   {name}: {said}", flush=True)
    if failed:
        sys.exit(f"error: {len(failed)} programs have no tasks: {', '.join(failed)}")


def merge(args):
    record = {"kind": "kernel-schedules", "programs": {}, "sets": {}}
    for item in args.folders:
        name, folder = item.split("=", 1)
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "all.json")
            subprocess.run([args.tw_tune, "merge", folder, "-o", os.path.join(scratch, "records"), f"--measurements={path}", f"--commit={args.commit}"],
                           check=True, stdout=subprocess.DEVNULL)
            with open(path, encoding="utf-8") as file:
                measured = json.load(file)
        record["machine"] = measured["machine"]
        with open(os.path.join(folder, DRAWN), encoding="utf-8") as file:
            record["programs"][name] = json.load(file)
        # What none was measured of is left for another run.
        record["sets"][name] = [{key: one[key] for key in ("anchor", "shape", "types", "content", "schedules")}
                                for one in measured["kernels"] if one["schedules"]]
        chosen = dict(schedules_of(folder))
        for one in record["sets"][name]:
            if one["schedules"][0]["schedule"] == OWN:
                one["schedules"][0]["rules"] = chosen[one["content"]]
    if args.note:
        record["note"] = args.note
    isolated.save(args.out, record)
    print(f"   {sum(map(len, record['sets'].values()))} kernels in {args.out}")


def schedules_of(folder):
    """Of each task in the folder the kernel's content, and the schedule that the rules choose: the first one that is not `own`."""
    for task in sorted(os.listdir(folder)):
        path = os.path.join(folder, task, "task")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as lines:
                words = [line.rstrip("\n").split(" ", 3) for line in lines]
            yield (next(line for line in words if line[0] == "kernel")[3].split(" ")[-1],
                   next(line[3] for line in words if line[0] == "candidate" and line[3] != OWN))


def chosen_now(text, precision, args):
    """The same of a program's kernels under today's compiler."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir", encoding="utf-8") as file, tempfile.TemporaryDirectory() as scratch:
        file.write(text)
        file.flush()
        subprocess.run([args.tw_compile, file.name, "--emit=tuning", "-o", scratch, f"--precision={precision}", f"--target={args.target}",
                        "--records=none"], check=True, capture_output=True)
        return list(schedules_of(scratch))


def rules(args):
    (path,) = args.folders
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    kernels, changed = [], []
    for name, drawn in record["programs"].items():
        known = {one["content"]: one for one in record["sets"][name]}
        vars(args).update(drawn)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            tasks = pool.map(lambda item: chosen_now(item[1], item[2], args), programs(args))
            chosen = {content: schedule for program in tasks for content, schedule in program if content in known}
        kernels += chosen
        for content, schedule in chosen.items():
            times = right(known[content])
            before = next((one["rules"] for one in known[content]["schedules"] if "rules" in one), None)
            if before and schedule != before:
                changed.append({"kernel": f"{known[content]['anchor']} {known[content]['shape']}", "content": content, "before": before,
                                "schedule": schedule, "before_us": times.get(OWN), "us": times.get(schedule)})
    measured = [one for one in changed if one["us"] and one["before_us"]]
    for one in sorted(measured, key=lambda one: one["us"] / one["before_us"]):
        print(f"   {one['us'] / one['before_us']:.3f}  {one['kernel']}: {one['before_us']:.1f} us, {short(one['before'])}; {one['us']:.1f} us, {short(one['schedule'])}")
    for one in changed:
        if one not in measured:
            print(f"     ?    {one['kernel']}: {short(one['before'])}; {short(one['schedule'])}")
    mean = statistics.geometric_mean([one["us"] / one["before_us"] for one in measured]) if measured else 1
    print(f"   {len(kernels)} kernels, {len(changed)} under another schedule, {len(measured)} of these measured: {mean:.3f} of the time, as a geometric mean")
    isolated.save(args.out, {"kernels": len(kernels), "changed": changed})


def keep(task, folder):
    """What `measure` needs: the task and its packages."""
    if os.path.exists(folder):
        return
    os.makedirs(folder)
    for name in os.listdir(task):
        if name == "task" or name.endswith(".tw"):
            os.replace(os.path.join(task, name), os.path.join(folder, name))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["prepare", "merge", "rules"])
    parser.add_argument("folders", nargs="*", metavar="NAME=DIR", help="what `merge` merges; the record of `rules`")
    parser.add_argument("--out", required=True)
    parser.add_argument("--commit", default="unknown")
    parser.add_argument("--note", help="a sentence for the page")
    parser.add_argument("--only", action="append", metavar="TEXT", help="programs whose names have it (repeatable)")
    parser.add_argument("--random", metavar="HASH", help="random programs of this commit instead")
    parser.add_argument("--size", action="append", choices=CLASSES, help="of these classes alone (repeatable)")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=67)
    parser.add_argument("--tw-tune", default="tw-tune")
    parser.add_argument("--tw-check", default="tw-check")
    parser.add_argument("--tw-compile", default="tw-compile")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--schedules", type=int, default=5, help="as of tw-tune prepare, which tries three times as many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_intermixed_args()
    {"prepare": prepare, "merge": merge, "rules": rules}[args.step](args)


if __name__ == "__main__":
    main()
