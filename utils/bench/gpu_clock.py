"""Device time of short programs, taken alike for everyone: each candidate is a CUDA graph of one call after the other
over rotated data sets, which together exceed the L2 cache (cold), and all candidates of a row take turns.

burst: windows of about 6 ms after 40 ms of rest, in random order: clocks are high.
mix:   windows of all candidates in random order with no rest, for seconds: what the power limit leaves.
"""
import ctypes
import random
import statistics
import time
from ctypes import byref, c_size_t, c_void_p

import torch

_driver = None


def driver(name, *arguments):
    global _driver
    _driver = _driver or ctypes.CDLL("libcuda.so.1")
    status = getattr(_driver, name)(*arguments)
    if status != 0:
        raise RuntimeError(f"{name} failed with {status}")


class TorchGraph:
    """`calls` captured in one graph; they run once eagerly first, so that compilation and caches are done with."""

    def __init__(self, calls):
        # What the calls hold lives as long as the graph, which has its addresses.
        self.count, self.calls = len(calls), calls
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                for call in calls[:2]:
                    call()
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.outputs = [call() for call in calls]

    def launch(self):
        self.graph.replay()


class ChainGraph:
    """Graphs of sessions one after the other, as child nodes of one graph; each is copied before the next is asked for."""

    def __init__(self, graphs):
        self.count = 0
        parent, self.executable, before = c_void_p(), c_void_p(), c_void_p()
        driver("cuGraphCreate", byref(parent), 0)
        for graph in graphs:
            node = c_void_p()
            driver("cuGraphAddChildGraphNode", byref(node), parent, byref(before) if self.count else None,
                   c_size_t(1 if self.count else 0), graph)
            before = node
            self.count += 1
        driver("cuGraphInstantiateWithFlags", byref(self.executable), parent, ctypes.c_ulonglong(0))
        driver("cuGraphDestroy", parent)

    def launch(self):
        driver("cuGraphLaunch", self.executable, c_void_p(torch.cuda.current_stream().cuda_stream))


def window(candidate, repeats):
    """Microseconds a call over `repeats` launches of the candidate's graph; by its own clock where it has one."""
    if hasattr(candidate, "window"):
        return candidate.window(repeats)
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(repeats):
        candidate.launch()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e3 / (repeats * candidate.count)


def repeats_for(candidate, microseconds):
    window(candidate, 2)
    once = window(candidate, 3) * candidate.count
    return max(1, round(microseconds / once))


def quartiles(samples):
    if len(samples) < 2:
        return {"median": samples[0], "q1": samples[0], "q3": samples[0], "samples": len(samples)}
    q1, median, q3 = statistics.quantiles(samples, n=4)
    return {"median": round(median, 4), "q1": round(q1, 4), "q3": round(q3, 4), "samples": len(samples)}


def burst(candidates, rounds=9, rest=0.04, microseconds=6000.0, seed=1):
    order, generator = list(candidates), random.Random(seed)
    counts = {name: repeats_for(candidates[name], microseconds) for name in order}
    samples = {name: [] for name in order}
    for _ in range(rounds):
        generator.shuffle(order)
        for name in order:
            torch.cuda.synchronize()
            time.sleep(rest)
            samples[name].append(window(candidates[name], counts[name]))
    return {name: quartiles(values) for name, values in samples.items()}


def mix(candidates, seconds=2.0, microseconds=8000.0, seed=2):
    order, generator = list(candidates), random.Random(seed)
    counts = {name: repeats_for(candidates[name], microseconds) for name in order}
    samples = {name: [] for name in order}
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(samples[order[0]]) < 5:
        generator.shuffle(order)
        for name in order:
            samples[name].append(window(candidates[name], counts[name]))
    return {name: quartiles(values) for name, values in samples.items()}
