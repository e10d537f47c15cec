"""The section on schedules of kernels without products: what the rules leave."""
import re
import statistics

OWN = "own"


def right(kernel):
    """Measured times by schedule; the compiler's own first."""
    return {one["schedule"]: one["measured_us"] for one in kernel["schedules"] if "measured_us" in one}


def short(schedule):
    """`#tile.schedule<tile = [1, 64], …>` as `1x64, 8 warps, stages = 3, look_back`."""
    found = re.search(r"tile = \[([^\]]*)\].*?warps = (\d+).*?stages = (\d+)(.*)>", schedule)
    if not found:
        return schedule
    tile, warps, stages, options = found.groups()
    return tile.replace(", ", "x") + f", {warps} warps" + (f", stages = {stages}" if stages != "1" else "") + options


def kernel_section(record, table, shown=12):
    """`record`: `sets`, each with kernels as `tw-tune merge --measurements` writes them."""
    machine = record["machine"]
    text = (f"## Schedules of kernels that rules choose\n\n{machine['gpu']}, driver {machine['driver']}; commit {machine['commit']}. Kernels without products "
            "as `tw-tune` measures them ([Tuning](../Tuning.md)): what the\ncompiler makes of each, beside other warps for its tile, tiles a step away, and those "
            "that the model of tiles puts first. A record is made\nwhere one takes at most 0.98 of the time.\n\n")
    rows, measured = [], []
    for name, kernels in [*record["sets"].items(), ("all", sum(record["sets"].values(), []))]:
        times = [(one, right(one)) for one in kernels]
        measured = [(min(found.values()) / found[OWN], one, found) for one, found in times if OWN in found and len(found) > 1]
        ratios = [ratio for ratio, _, _ in measured]
        rows.append([name, len(kernels), sum(len(found) - 1 for _, _, found in measured), f"{statistics.geometric_mean(ratios):.3f}",
                     *(sum(ratio < limit for ratio in ratios) for limit in (0.98, 0.9, 0.8)), f"{min(ratios):.2f}", len(kernels) - len(measured)])
    text += table(["kernels of", "kernels", "other schedules", "fastest over own", "below 0.98", "below 0.9", "below 0.8", "least", "not comparable"], rows) + "\n"
    text += ("Not comparable: kernels whose results are roundings, such as sums of differences from a mean, which no two schedules agree on.\n\n"
             f"The {shown} for which another schedule is worth the most:\n\n")
    rows = []
    for ratio, one, found in sorted(measured, key=lambda item: item[0])[:shown]:
        best = min(found, key=found.get)
        rows.append([f"{one['anchor']} {one['shape']}", f"{found[OWN]:.1f}", f"{found[best]:.1f}", f"{ratio:.2f}", short(best)])
    text += table(["kernel", "own µs", "fastest µs", "ratio", "its schedule"], rows) + "\n"
    return text + (record["note"] + "\n\n" if "note" in record else "")
