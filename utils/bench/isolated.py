"""Runs cases in a process of their own, so that one that crashes or hangs the device costs itself and no other.

The worker is the same script with `--worker FILE`: it takes case after case from FILE (JSON), prints `begin NAME` before
one and writes DIR/NAME.json after it. When it dies or says nothing for too long it is ended, the case is recorded as
failed, and a new worker goes on with the next one. Cases whose file is there are skipped: a run goes on where the last
one stopped."""
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time


def save(path, record):
    """Writes `record` as JSON to `path`, which is whole whenever it is there."""
    with open(path + ".partial", "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1, sort_keys=True)
        file.write("\n")
    os.replace(path + ".partial", path)


def write(folder, name, record):
    save(os.path.join(folder, name + ".json"), record)


def read(folder, name):
    path = os.path.join(folder, name + ".json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def run(command, cases, folder, seconds=None, patience=30.0):
    """Measures `cases` (names) with workers made by `command`; returns those that there was no time for."""
    os.makedirs(folder, exist_ok=True)
    end = time.monotonic() + seconds if seconds else float("inf")
    left = [name for name in cases if read(folder, name) is None]
    while left and time.monotonic() < end:
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False, encoding="utf-8") as file:
            json.dump({"cases": left, "seconds": min(end - time.monotonic(), 1e6)}, file)
        worker = subprocess.Popen([*command, "--worker", file.name], stdout=subprocess.PIPE, text=True)
        lines = queue.Queue()
        threading.Thread(target=lambda: [lines.put(line) for line in worker.stdout] + [lines.put(None)], daemon=True).start()
        current, ended, grace = None, False, patience + 60  # the first line comes after imports
        while not ended:
            try:
                line = lines.get(timeout=max(0.1, min(grace, end + 20 - time.monotonic())))
            except queue.Empty:
                break
            grace = patience
            if line is None:
                ended = True
            elif line.startswith("begin "):
                current = line.split()[1]
            elif line.startswith("done "):
                current = None
            else:
                print(line, end="", flush=True)
        if not ended:
            worker.kill()
        code = worker.wait()
        os.unlink(file.name)
        left = [name for name in left if read(folder, name) is None]
        if current and time.monotonic() < end:
            if read(folder, current) is None:  # else it has said itself what failed
                write(folder, current, {"failure": "hung" if not ended else f"the process ended with {code}"})
            print(f"   {current}: {'hung' if not ended else f'ended with {code}'}", flush=True)
            left = [name for name in left if name != current]
        elif code == 0 or not current:
            break  # all done, or no time, or no worker starts at all
    return left


def serve(path, folder, measure, prepare=None):
    """The worker: measures the cases of the file at `path`; `measure(name)` returns a record."""
    with open(path, encoding="utf-8") as file:
        task = json.load(file)
    end = time.monotonic() + task["seconds"]
    if prepare:
        prepare()
    for name in task["cases"]:
        if time.monotonic() > end:
            break
        print("begin", name, flush=True)
        try:
            record = measure(name)
        except Exception as problem:  # the case's own failure
            record = {"failure": str(problem)[:400]}
            if "CUDA" in record["failure"] or "cu" in record["failure"][:3] or "device" in record["failure"]:
                write(folder, name, record)
                sys.exit(3)  # the context may be lost
        write(folder, name, record)
        print("done", name, flush=True)
