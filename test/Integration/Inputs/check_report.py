"""Checks a report of tw-compile: launches, spills on every chip, bytes beyond weights and emulation segment. A launch runs
on every chip, by one kernel or by variants."""
import collections
import json
import sys

report = json.load(open(sys.argv[1]))
wanted = int(sys.argv[2].split("=")[1])
program = report["program"]
assert program["launches"] == wanted, f"{program['launches']} launches, not {wanted}"
on_chip = collections.Counter()
for kernel in report["kernels"]:
    for target in kernel["targets"]:
        assert target["spill_bytes"] == 0, f"{kernel['name']} spills {target['spill_bytes']} bytes on {target['arch']}"
        on_chip[target["arch"]] += kernel["launches"]
assert len(on_chip) == 4 and set(on_chip.values()) == {wanted}, f"launches that have code, by chip: {dict(on_chip)}"
beyond = program["package_bytes"] - program["weight_bytes"] - program["emulation_bytes"]
per_chip = beyond - program["image_bytes"] * 3 // 4
assert per_chip < 1 << 20, f"{per_chip} bytes beyond weights and emulation segment with one chip's images"
print(f"{wanted} launches, {beyond} bytes beyond weights and emulation segment for four chips")
