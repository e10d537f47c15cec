"""The sections of render.py about whole models (block_peers.py) and about what the next measuring day takes on."""
import importlib.machinery
import importlib.util
import pathlib


def block_section(record, table):
    """Launches and bytes of a forward before and after fusion, and blocks beside PyTorch."""
    megabytes = lambda count: f"{count / 1e6:,.1f}"
    text = ("## Whole models\n\nWhat one forward launches and moves: with every operator of the graph stage a kernel of its own, as compiled, and at the\n"
            "least (each input and weight once, each output once).\n\n")
    rows = [[name, str(m["unfused"]["launches"]), str(m["launches"]), megabytes(m["unfused"]["bytes"]), megabytes(m["bytes"]),
             megabytes(m["least_bytes"]), f"{m['predicted_us']:.1f}"] for name, m in record["models"].items()]
    text += table(["model", "launches unfused", "launches", "MB unfused", "MB", "least MB", "modelled µs"], rows) + "\n"
    timed = [one for one in record["blocks"] if "burst" in one]
    if timed:
        machine = timed[0]["machine"]
        text += (f"{machine['gpu']}, torch {machine['torch']}; commit {machine['commit'][:7]}. Blocks of a decoder of GPT-2's sizes with random weights, as CUDA "
                 "graphs, in bursts; *error* is the\nlargest difference from fp64 over the largest element.\n\n")
        cell = lambda one, name: f"{one['burst'][name]['median']:.1f}" if name in one["burst"] else "–"
        speed = lambda one: (f"{one['burst']['torch.compile']['median'] / one['burst']['tilewright']['median']:.2f}"
                             if "tilewright" in one["burst"] else "wrong")
        text += table(["block", "µs", "torch.compile µs", "torch eager µs", "speed", "torch's error", "error"],
                      [[one["case"], cell(one, "tilewright"), cell(one, "torch.compile"), cell(one, "torch eager"), speed(one),
                        f"{one['torch_error']:.1e}", f"{one['error']:.1e}"] for one in timed]) + "\n"
    for one in record["blocks"]:
        if "burst" not in one:
            text += f"- {one['case']}: {one['failure']}\n"
    return text


def steps_section(table):
    """The steps of utils/measurements, in order of importance."""
    path = str(pathlib.Path(__file__).resolve().parents[1] / "measurements")
    loader = importlib.machinery.SourceFileLoader("measurements", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("measurements", loader))
    loader.exec_module(module)
    rows = [[step.name, str(step.seconds), step.what, f"`{step.record}`" if step.record else "–"] for step in module.STEPS]
    return ("## A day of measuring\n\n`utils/measurements prepare` compiles everything that is still to be measured, on any machine; `utils/measurements measure\n"
            "--shard I/N` measures it on a GPU machine, in pieces that go on where an earlier one stopped. The steps stand in order of\nimportance; "
            f"together they are expected to take {sum(step.seconds for step in module.STEPS) / 60:.0f} minutes.\n\n"
            + table(["step", "s", "what", "record"], rows) + "\n")
