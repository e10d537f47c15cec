"""The section on the model of products' times: its errors on recorded schedules, on kernels that a fit has not seen and on
the sweep, which is never fitted; and a plot. The model is today's (product_model.py), whatever a record says it was."""
import collections
import html
import math

import product_model as model


def quantile(values, share):
    return values[min(len(values) - 1, int(share * len(values)))]


def recorded(records):
    """By family of the model: measured and modelled time, kernel, schedule. As fit_product_model.py reads them."""
    import fit_product_model
    rates, found = model.rates_in_code(), collections.defaultdict(list)
    for kind, some in fit_product_model.families(records)[0].items():
        found[kind] = [(us, model.modelled(rates, kernel, schedule), kernel.name()) for kernel, schedule, us, _ in some]
    return found


def swept(record):
    """The same of the sweep's shapes that are one kernel under a schedule that the model chose."""
    rates, found = model.rates_in_code(), collections.defaultdict(list)
    for row in record["shapes"] if record else ():
        schedule = model.parsed(row["schedule"]) if "schedule" in row and "tilewright_us" in row else None
        if schedule:
            kernel = model.Kernel(row["m"], row["n"], row["k"], row["layout"])
            found[model.family(kernel, schedule)].append((row["tilewright_us"], model.modelled(rates, kernel, schedule), row["name"]))
    return found


NAMES = {"rings": "rings of warpgroups", "threads": "rings that threads fill, stores of odd rows", "warps": "single warps",
         "aligned": "single warps that copy 16 bytes at a time", "all": "all"}


def error_rows(found):
    """Rows of a table: median, 90 %, 95 % and largest error, and the signed range."""
    rows = []
    for kind in (*(kind for kind in NAMES if kind in found), "all"):
        points = found[kind] if kind != "all" else [point for some in found.values() for point in some]
        signed = sorted(modelled / measured - 1 for measured, modelled, _ in points)
        errors = sorted(map(abs, signed))
        if errors:
            rows.append([NAMES[kind], len(errors), *(f"{100 * quantile(errors, share):.1f} %" for share in (0.5, 0.9, 0.95)), f"{100 * errors[-1]:.0f} %",
                         f"{100 * quantile(signed, 0.05):+.0f} to {100 * quantile(signed, 0.95):+.0f} %"])
    return rows


def regrets(found):
    """How much slower than the fastest measured schedule of a kernel is the one that the model takes for that."""
    kernels = collections.defaultdict(list)
    for some in found.values():
        for measured, modelled, name in some:
            kernels[name].append((modelled, measured))
    return [min(times)[1] / min(measured for _, measured in times) for times in kernels.values() if len(times) > 3]


def commits_of(records):
    """Commits of records' times: of schedules that were measured later their own."""
    return ({commit for record in records for commit in record["machine"]["commit"].split(" and ")}
            | {part["commit"] for record in records for kernel in record["kernels"] for part in (kernel, *kernel["schedules"]) if "commit" in part})


def model_section(measured, sweep, held, correction, table, files, axes, svg):
    found, drawn = recorded(measured), swept(sweep)
    machine, points = measured[0]["machine"], [point for some in found.values() for point in some]
    commits = sorted(commits_of(measured))
    head = ["", "times", "median", "90 %", "95 %", "largest", "signed, 5 to 95 of 100"]
    fitted = [record for record in measured if record.get("fitted", True)]
    unseen = sorted(commits_of(measured) - commits_of(fitted))
    apart = f", but for those at {', '.join(unseen)}" if unseen else ""
    text = (f"## Modelled and measured times of schedules\n\n{machine['gpu']}, driver {machine['driver']}. {len(points)} times of schedules of "
            f"{len({name for *_, name in points})} products in bf16, measured in short bursts at commits\n{', '.join(commits)}, and what today's model says of them.\n"
            f"Its rates (Target/Cuda/ProductRates) are fitted to these times{apart} (`utils/bench/fit_product_model.py`), what they leave of rings of\n"
            "warpgroups (Target/Cuda/ProductCorrection) to all of them (`utils/bench/fit_product_correction.py`). Asked: a median of at most 8 %, 25 % at 95 %.\n\n")
    text += table(head, error_rows(found))
    chosen = regrets(found)
    if chosen:
        text += (f"\nOf {len(chosen)} products with more than three recorded schedules the one that the model puts first takes "
                 f"{100 * (math.exp(sum(map(math.log, chosen)) / len(chosen)) - 1):.1f} % more than the fastest one, as a\ngeometric mean; {max(chosen):.2f} times at worst.\n")
    if correction:
        unseen = correction["left_out_in_tenths"]
        text += (f"\nOf rings of {unseen['products']} products that a fit of the correction has not seen (ten fits, each without a tenth of them): a median of "
                 f"{100 * unseen['median']:.1f} %, {100 * unseen['p95']:.1f} % at 95 %, as logarithms; the\nfastest by it takes {100 * unseen['lost']:.1f} % more than the fastest one of {unseen['compared']} "
                 f"products, by the rates alone {100 * correction['rates_alone']['lost']:.1f} %.\n")
    if held:
        each = held["left_out_in_fifths"]
        text += "\nOf kernels that a fit of the rates has not seen (five fits, each without a fifth of the kernels; errors by the rates alone, as logarithms):\n\n" + table(
            ["", "times", "median", "95 %"], [[NAMES[kind], each[kind]["times"], f"{100 * each[kind]['median']:.1f} %", f"{100 * each[kind]['p95']:.1f} %"] for kind in NAMES if kind in each])
    if drawn:
        text += (f"\nOf the sweep drawn with commit {sweep['seed_commit'][:7]}, which is never fitted: shapes that are one kernel under a schedule that the model "
                 f"of commit {sweep['machine']['commit']} chose\n(read from a later compiler with the same model), with what today's model says of it:\n\n" + table(head, error_rows(drawn)))
    text += "\n"
    width, height, left, bottom, top = 760, 420, 60, 40, 44
    low, high = (f(math.log10(p[0]) for p in points) for f in (min, max))
    x = lambda value: left + 10 + (width - left - 50) * (math.log10(value) - low) / max(high - low, 1e-9)
    y = lambda error: height - bottom - (height - bottom - top) * (min(max(error, -0.5), 0.5) + 0.5)
    parts = axes("Error of the modelled time against the measured one", width, height, left, bottom, top, low, high, x, "µs")
    parts.append('<text x="470" y="24" font-size="12" fill="#2f6fab">● fitted</text><text x="540" y="24" font-size="12" fill="#b5651d">○ drawn, not fitted</text>')
    for tenths in (-50, -25, 0, 25, 50):
        parts.append(f'<line x1="{left}" y1="{y(tenths / 100):.1f}" x2="{width - 20}" y2="{y(tenths / 100):.1f}" stroke="{"#8a93a0" if tenths == 0 else "#e4e8ee"}"/>')
        parts.append(f'<text x="{left - 8}" y="{y(tenths / 100) + 4:.1f}" font-size="12" text-anchor="end">{tenths:+d} %</text>')
    for some, mark in ((points, 'r="2.5" fill="#2f6fab" fill-opacity="0.4"'), ([point for each in drawn.values() for point in each], 'r="3.5" fill="none" stroke="#b5651d"')):
        for us, modelled, name in some:
            parts.append(f'<circle cx="{x(us):.1f}" cy="{y(modelled / us - 1):.1f}" {mark}><title>{html.escape(name)}: {us:.1f} µs, modelled {modelled:.1f}</title></circle>')
    files["model-errors.svg"] = svg(width, height, parts)
    return text + "![Error of the modelled time](model-errors.svg)\n\n"
