"""The section on random programs that move bytes: speed beside torch.compile by class, what is slower, bytes, plots."""
import html
import math

VIEWS = "torch.compile, views"


def speed(one, peer="torch.compile"):
    return one["burst"][peer]["median"] / one["burst"]["tilewright"]["median"]


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def points_plot(title, points, across, up, line=None):
    """Logarithmic points (x, y, name); `line` is "equal", which draws the diagonal, or the corners of a line."""
    width, height, left, bottom, top = 760, 420, 70, 50, 44
    corners = line if isinstance(line, list) else []
    low, high = (f(math.log10(p[0]) for p in points + corners) for f in (min, max))
    least, most = (f(math.log10(p[1]) for p in points + corners) for f in (min, max))
    left = max(left, max(8 * len(f"{10.0 ** power:g} {up}") + 8 for power in range(math.ceil(least), math.floor(most) + 1)) if corners else 0)
    if line == "equal":
        low, high = min(low, least), max(high, most)
        least, most = low, high
    x = lambda value: left + 12 + (width - left - 50) * (math.log10(value) - low) / max(high - low, 1e-9)
    y = lambda value: height - bottom - 8 - (height - bottom - top - 16) * (math.log10(value) - least) / max(most - least, 1e-9)
    parts = [f'<text x="12" y="24" font-size="16" font-weight="bold">{html.escape(title)}</text>']
    for power in range(math.ceil(low), math.floor(high) + 1):
        parts.append(f'<text x="{x(10 ** power):.1f}" y="{height - bottom + 20}" font-size="12" text-anchor="middle">10^{power} {across}</text>')
    for power in range(math.ceil(least), math.floor(most) + 1):
        parts.append(f'<line x1="{left}" y1="{y(10 ** power):.1f}" x2="{width - 20}" y2="{y(10 ** power):.1f}" stroke="#e4e8ee"/>')
        parts.append(f'<text x="{left - 8}" y="{y(10 ** power) + 4:.1f}" font-size="12" text-anchor="end">{10.0 ** power:g} {up}</text>')
    if line == "equal":
        parts.append(f'<line x1="{x(10 ** low):.1f}" y1="{y(10 ** low):.1f}" x2="{x(10 ** high):.1f}" y2="{y(10 ** high):.1f}" stroke="#8a93a0"/>')
    if corners:
        parts.append('<polyline points="' + " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in corners) + '" fill="none" stroke="#8a93a0"/>')
    for across_value, up_value, name in points:
        parts.append(f'<circle cx="{x(across_value):.1f}" cy="{y(up_value):.1f}" r="3.5" fill="#2f6fab"><title>{html.escape(name)}</title></circle>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" fill="#1f2a3a">\n'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def bytes_section(record, table):
    """ncu's DRAM bytes of some of the programs beside the modelled ones."""
    machine, programs = record["machine"], record["programs"]
    near = [one for one in programs if abs(one["modelled_bytes"] / one["dram_bytes"] - 1) <= 0.05]
    # Two counts of what is written where no program runs differ by so much, nine times of ten; the largest is the first
    # one's, which follows what was prepared.
    without = sorted(one["written_without_program"] for one in programs if "written_without_program" in one)[:-1]
    apart = sorted(abs(a - b) for i, a in enumerate(without) for b in without[:i])
    noise = apart[int(0.9 * len(apart))] if apart else 0
    within = lambda one: abs(one["modelled_bytes"] - one["dram_bytes"]) <= noise
    ties = [one for one in programs if one not in near and within(one)]
    text = (f"### Modelled bytes and those that ncu counts\n\n{machine['gpu']}; commit {machine['commit']}. Each program is one CUDA graph, counted as a whole: the L2 cache holds "
            "clean lines of other\nmemory when it starts, keeps what it keeps between launches, and is driven out by a kernel that reads other memory, whose\nwrites count as the "
            "program's (less what that kernel writes back where no program ran). Modelled is what `--report` says of\nthe memory behind the cache, with what the program leaves there "
            f"that nobody needs any more ([Passes](../Passes.md), `plan-annotate-costs`).\n"
            f"{len(near)} of {len(programs)} are within 5 % (asked: 20 of 20). Two counts of what is written where no program runs differ by up to {noise / 1e6:.2f} MB "
            f"nine times of ten\n(the first one left out): {len(ties)} more are no further off than that (tie), {len(programs) - len(near) - len(ties)} are.\n\n")
    if "note" in record:
        text += record["note"] + "\n\n"
    number = lambda value: f"{value / 1e6:.2f}" if value < 20e6 else f"{value / 1e6:.0f}"
    rows = [[one["program"], one["launches"], number(one["moved_bytes"]), number(one["dram_bytes"]), number(one["modelled_bytes"]),
             f"{(one['modelled_bytes'] - one['dram_bytes']) / 1e6:+.2f}", f"{one['modelled_bytes'] / one['dram_bytes']:.3f}", one.get("runs", 1), one.get("copies", 1),
             "" if one in near else "tie" if one in ties else "off"] for one in programs]
    return text + table(["program", "launches", "moved MB", "DRAM MB", "modelled MB", "by MB", "modelled over DRAM", "counts", "copies", ""], rows) + "\n"


# Programs that a table of two compilers has whole, and of more those whose time differs by more than this.
MOST_SHOWN, SHOWN_GAIN = 40, 0.05


def versus_section(record, table):
    """The same programs compiled in two ways, in turns."""
    machine, programs = record["machine"], record["programs"]
    gain = mean([one["us"][-1] / one["us"][0] for one in programs])
    text = (f"### {record['title']}\n\n{machine['gpu']}; commit {machine['commit']}. {record['note']}\nMicroseconds of one call, medians of bursts in turns; geometric mean of the "
            f"gain {gain:.2f}.\n\n")
    shown = programs
    if len(programs) > MOST_SHOWN:
        shown = [one for one in programs if abs(math.log(one["us"][-1] / one["us"][0])) > SHOWN_GAIN]
        text += f"{len(programs) - len(shown)} of {len(programs)} programs take within {100 * SHOWN_GAIN:.0f} % of the same time; the others:\n\n"
    rows = [[one["program"]] + [f"{us:.1f}" for us in one["us"]] + [f"{one['us'][-1] / one['us'][0]:.2f}"] for one in shown]
    return text + table(["program"] + record["folders"] + ["gain"], rows) + "\n"


def random_section(record, files, table, plot_name):
    timed = [one for one in record["programs"] if "burst" in one]
    wrong = [one for one in record["programs"] if not one.get("right")]
    machine = timed[0]["machine"]
    text = (f"## Random programs that move bytes\n\n{machine['gpu']}, driver {machine['driver']}, torch {machine['torch']}; commit {machine['commit']}. "
            f"{len(record['programs'])} programs of 3 to 25 steps on\ntensors of rank 1 to 5, fp32 or bf16, drawn with seeds from a commit (`utils/bench/random_programs.py`). "
            "Device time of one call\nin a CUDA graph over rotated data; torch.compile in its default mode, in turns with ours. Every result was compared with\n"
            "PyTorch in fp64. Asked: 1.3 over all, 1.1 in each class, 0.9 at worst, at most 1.1 of the least bytes in 90 % of them.\n\n")
    if "note" in record:
        text += record["note"] + "\n\n"
    few = lambda some, key: (sum(one[key] <= 1.1 * one["least_bytes"] for one in some) if all(key in one for one in some) else "–")
    rows = []
    for size, what in (("launch", "up to 60,000 elements"), ("cache", "up to 3 million"), ("memory", "16 to 48 million")):
        mine = [one for one in timed if one["class"] == size]
        if mine:
            rows.append([f"{size}: {what}", len(mine), f"{mean([speed(one) for one in mine]):.2f}", f"{min(map(speed, mine)):.2f}",
                         sum(speed(one) < 0.9 for one in mine), f"{mean([one['moved_bytes'] / one['least_bytes'] for one in mine]):.2f}",
                         few(mine, "moved_bytes"), few(mine, "dram_bytes")])
    rows.append(["all", len(timed), f"{mean([speed(one) for one in timed]):.2f}", f"{min(map(speed, timed)):.2f}",
                 sum(speed(one) < 0.9 for one in timed), f"{mean([one['moved_bytes'] / one['least_bytes'] for one in timed]):.2f}",
                 few(timed, "moved_bytes"), few(timed, "dram_bytes")])
    text += table(["class", "programs", "mean speed", "worst", "below 0.9", "bytes over the least", "at most 1.1", "through memory at most 1.1"], rows) + "\n"
    text += f"{len(record['programs']) - len(wrong)} of {len(record['programs'])} right" + "".join(
        f"; {one['program']}: {(one.get('failure') or 'error %.1e' % one['error']).splitlines()[0]}" for one in wrong) + ".\n\n"
    slower = sorted((one for one in timed if speed(one) < 0.9), key=speed)
    if slower:
        text += "Slower than 0.9 of torch.compile (µs, and launches, of ours):\n\n" + table(
            ["program", "speed", "µs", "launches", "bytes over the least"],
            [[one["program"], f"{speed(one):.2f}", f"{one['burst']['tilewright']['median']:.1f}", one["launches"],
              f"{one['moved_bytes'] / one['least_bytes']:.2f}"] for one in slower]) + "\n"
    viewed = [one for one in timed if VIEWS in one["burst"]]
    if viewed:
        each = [speed(one, VIEWS if VIEWS in one["burst"] else "torch.compile") for one in timed]
        text += (f"Every result has memory of its own. Of {len(viewed)} programs some results are parts, reshapes or repetitions of inputs or of other results;\n"
                 f"PyTorch can return these as views and move none of their bytes. Held against that: {mean(each):.2f} over all, "
                 f"{min(each):.2f} at worst, {sum(value < 0.9 for value in each)} below 0.9"
                 + "".join(f", {one['program']} {speed(one, VIEWS):.2f}" for one in sorted(viewed, key=lambda one: speed(one, VIEWS))
                           if speed(one, VIEWS) < 0.9 <= speed(one)) + ".\n\n")
    speeds, modelled = (plot_name(f"random-programs-{what}", machine) for what in ("speed", "model"))
    files[speeds] = points_plot("Random programs: speed over torch.compile against least bytes",
                                                     [(one["least_bytes"], speed(one), f"{one['program']}: {speed(one):.2f}") for one in timed], "bytes", "x")
    files[modelled] = points_plot("Random programs: measured against modelled µs",
                                                     [(one["predicted_us"], one["burst"]["tilewright"]["median"], one["program"]) for one in timed], "µs", "µs", "equal")
    return text + f"![Speed against bytes]({speeds})\n\n![Measured against modelled time]({modelled})\n\n"
