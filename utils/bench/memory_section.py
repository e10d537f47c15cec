"""The section on programs that move bytes: beside other compilers, under their roofs, and beside their modelled times."""
import html
import math
import statistics

from random_section import points_plot

# What an H200 computes at most in fp32 without tensor cores, GFLOP/s (NVIDIA H200 data sheet).
PEAK_FP32 = 66_900


def memory_section(record, files, table):
    """Programs that move bytes: share of a copy's speed, and speed beside PyTorch."""
    programs = [one for one in record["programs"] if "burst" in one]
    wrong = [one for one in record["programs"] if "burst" not in one]
    machine = programs[0]["machine"]
    commits = {one.get("machine", machine).get("commit", machine["commit"]) for one in programs}
    text = (f"## Programs that move bytes\n\n{machine['gpu']}, driver {machine['driver']}, torch {machine['torch']}; "
            f"{'commit ' + machine['commit'] if len(commits) == 1 else 'rows are of the commits they name'}. "
            "Device time of one call in a CUDA graph over\nrotated data that the L2 cache cannot hold; all runners in turns, in bursts of 6 ms after 40 ms of rest. Medians.\n"
            "*share* is the time of a device copy that moves as many bytes in the same run, over ours; *speed* is the faster of\nthe others over ours, in "
            "bursts and in a *mix* without rest. "
            + ("*µs* is the time with the tuning records that come with the compiler, *ruled* that without them. "
               if any("ruled" in one for one in programs) else "Schedules are the model's alone. ")
            + "Every result was first compared\nwith PyTorch in fp64, and is the same to the bit in two runs.\n\n")
    rows, points, ruled = [], [], []
    peers = [name for name in ("torch.compile", "torch.compile, max-autotune", "torch eager", "Triton", "XLA")
             if any(name in one["burst"] for one in programs)]
    has_ruled = any("ruled" in one for one in programs)
    for one in programs:
        burst, mix = ({name: value["median"] for name, value in one[protocol].items()} for protocol in ("burst", "mix"))
        peer = lambda times: min((us for name, us in times.items() if name not in ("tilewright", "copy"))) / times["tilewright"]
        cell = lambda name: f"{burst[name]:.1f}" if name in burst else "–"
        moved = one["bytes_read"] + one["bytes_written"]
        points.append((moved, moved / burst["tilewright"] / 1e3, moved / burst["copy"] / 1e3, one["program"]))
        if alone := one.get("ruled"):
            ruled.append(alone["burst"]["median"] / burst["tilewright"])
        rows.append([one["program"], cell("tilewright"), *([f"{one['ruled']['burst']['median']:.1f}" if "ruled" in one else "–"] if has_ruled else []),
                     *map(cell, peers), cell("copy"),
                     f"{moved / burst['tilewright'] / 1e3:,.0f}", f"{100 * burst['copy'] / burst['tilewright']:.0f} %",
                     f"{peer(burst):.2f}", f"{peer(mix):.2f}", f"{one['error']:.0e}",
                     *([one["machine"]["commit"][:7]] if len(commits) > 1 else [])])
    text += table(["program", "µs", *(["ruled µs"] if has_ruled else []), *(f"{name} µs" for name in peers), "copy µs", "GB/s", "share", "speed", "mix", "error",
                   *(["commit"] if len(commits) > 1 else [])], rows) + "\n"
    if ruled:
        text += (f"Without records they take {100 * (statistics.geometric_mean(ruled) - 1):+.1f} % of the time with them, as a geometric mean "
                 "(asked: within 5 %).\n\n")
    files["memory-programs.svg"] = scatter("Programs that move bytes: achieved GB/s", points)
    text += "![Achieved GB/s against bytes moved](memory-programs.svg)\n\n"
    text += model_text([one for one in programs if "predicted_us" in one], max(rate for _, _, rate, _ in points), files)
    for one in wrong:
        text += f"- {one['program']}: {one.get('failure') or 'wrong by %.1e of the largest element' % one['error']}\n"
    return text + ("\n" if wrong else "")


def model_text(programs, bandwidth, files):
    """How the modelled times fare, and the programs under their roofs: `bandwidth` is the fastest copy of the run, in GB/s."""
    if not programs:
        return ""
    took = lambda one: one["burst"]["tilewright"]["median"]
    errors = sorted(abs(one["predicted_us"] / took(one) - 1) for one in programs)
    late = errors[min(len(errors) - 1, math.ceil(0.95 * len(errors)) - 1)]
    commits = sorted({one["predicted_at"][:7] for one in programs})
    text = (f"The times that `--report` predicts (commit {', '.join(commits)}) are {100 * statistics.median(errors):.0f} % off in the median, {100 * late:.0f} % in the "
            f"95th percentile of {len(programs)} programs.\n\n")
    files["memory-programs-model.svg"] = points_plot("Programs that move bytes: measured against modelled µs",
                                                     [(one["predicted_us"], took(one), one["program"]) for one in programs], "µs", "µs", "equal")
    computing = [one for one in programs if one["flops"]]
    intensity = lambda one: one["flops"] / (one["bytes_read"] + one["bytes_written"])
    # Under the fastest copy of the run (GB/s) and the peak, to twice the intensity where these meet.
    least, ridge = min(map(intensity, computing)), PEAK_FP32 / bandwidth
    roof = lambda one: min(PEAK_FP32, bandwidth * intensity(one))
    rate = lambda one: one["flops"] / took(one) / 1e3
    files["memory-programs-roofline.svg"] = points_plot(
        "Programs that move bytes: roofline",
        [(intensity(one), rate(one), f"{one['program']}: {rate(one):,.0f} GFLOP/s, {100 * rate(one) / roof(one):.0f} % of the roof") for one in computing],
        "flop/byte", "GFLOP/s", [(least, bandwidth * least), (ridge, PEAK_FP32), (2 * ridge, PEAK_FP32)])
    return text + (f"![Measured against modelled time](memory-programs-model.svg)\n\nOperations are those on floats that the program asks for (an exponential is one); {len(programs) - len(computing)} programs "
                   f"that compute nothing are left out.\nThe slope is the fastest copy of the run, {bandwidth:,.0f} GB/s, the level what the chip computes in fp32 without tensor cores.\n\n"
                   "![Roofline](memory-programs-roofline.svg)\n\n")


def scatter(title, points):
    """Achieved GB/s against bytes moved (logarithmic), ours as dots and a copy of the same size as rings."""
    width, height, left, bottom, top = 760, 420, 70, 50, 44
    low, high = (f(math.log10(p[0]) for p in points) for f in (min, max))
    fastest = max(max(p[1], p[2]) for p in points) * 1.05
    x = lambda moved: left + 20 + (width - left - 60) * (math.log10(moved) - low) / max(high - low, 1e-9)
    y = lambda rate: height - bottom - (height - bottom - top) * rate / fastest
    parts = [f'<text x="12" y="24" font-size="16" font-weight="bold">{html.escape(title)}</text>',
             '<text x="500" y="24" font-size="12" fill="#2f6fab">● Tilewright</text>',
             '<text x="600" y="24" font-size="12" fill="#8a93a0">○ copy of the same size</text>']
    for rate in range(0, int(fastest) + 1, 1000):
        parts.append(f'<line x1="{left}" y1="{y(rate):.1f}" x2="{width - 20}" y2="{y(rate):.1f}" stroke="#e4e8ee"/>')
        parts.append(f'<text x="{left - 8}" y="{y(rate) + 4:.1f}" font-size="12" text-anchor="end">{rate:,}</text>')
    for power in range(math.ceil(low), math.floor(high) + 1):
        parts.append(f'<text x="{x(10 ** power):.1f}" y="{height - bottom + 20}" font-size="12" text-anchor="middle">10^{power} bytes</text>')
    for moved, rate, copy, name in points:
        parts.append(f'<circle cx="{x(moved):.1f}" cy="{y(copy):.1f}" r="5" fill="none" stroke="#8a93a0"/>')
        parts.append(f'<circle cx="{x(moved):.1f}" cy="{y(rate):.1f}" r="4" fill="#2f6fab"><title>{html.escape(name)}: {rate:,.0f} GB/s</title></circle>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" fill="#1f2a3a">\n'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n")
