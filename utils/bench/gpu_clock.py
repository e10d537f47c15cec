"""Device time of short programs, taken alike for everyone: each candidate is a CUDA graph of one call after the other
over rotated data sets, which together exceed the L2 cache (cold), and all candidates of a row take turns.

burst: windows of about 6 ms after 40 ms of rest: clocks are high.
mix:   windows of all candidates with no rest, for seconds: what the power limit leaves.

Whose turn it is follows balanced orders (`turns.py`): what ran before a window is seen in its time.
"""
import ctypes
import itertools
import random
import statistics
import time
from ctypes import byref, c_size_t, c_void_p

import torch

from turns import balanced_orders

_driver = None


def driver(name, *arguments):
    global _driver
    _driver = _driver or ctypes.CDLL("libcuda.so.1")
    status = getattr(_driver, name)(*arguments)
    if status != 0:
        raise RuntimeError(f"{name} failed with {status}")


class RepeatedGraph:
    """A CUDA graph of `count` calls, as often one after the other as it takes for one launch to be long: of a short one the
    time is that which the host takes to launch it, and that depends on who does."""

    LEAST_MICROSECONDS = 150

    def __init__(self, once, count):
        self.once, self.calls_once, self.executable = once, count, None
        self.instantiate(1)
        took = min(window(self, 4) for _ in range(3)) * self.count
        if took < self.LEAST_MICROSECONDS:
            self.instantiate(min(64, -(-self.LEAST_MICROSECONDS // max(took, 1))))

    def instantiate(self, times):
        times = int(times)
        if self.executable:
            torch.cuda.synchronize()
            driver("cuGraphExecDestroy", self.executable)
        parent, self.executable = chain([self.once] * times), c_void_p()
        driver("cuGraphInstantiateWithFlags", byref(self.executable), parent, ctypes.c_ulonglong(0))
        driver("cuGraphDestroy", parent)
        self.count = times * self.calls_once

    def launch(self):
        driver("cuGraphLaunch", self.executable, c_void_p(torch.cuda.current_stream().cuda_stream))


def chain(graphs):
    """A graph of `graphs` one after the other, as child nodes; each is copied before the next is asked for."""
    parent, before = c_void_p(), None
    driver("cuGraphCreate", byref(parent), 0)
    for graph in graphs:
        node = c_void_p()
        driver("cuGraphAddChildGraphNode", byref(node), parent, byref(before) if before else None,
               c_size_t(1 if before else 0), graph)
        before = node
    return parent


class TorchGraph(RepeatedGraph):
    """`calls` captured in one graph; they run once eagerly first, so that compilation and caches are done with."""

    def __init__(self, calls):
        # What the calls hold lives as long as the graph, which has its addresses.
        self.calls = calls
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                for call in calls[:2]:
                    call()
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph(keep_graph=True)
        with torch.cuda.graph(self.graph):
            self.outputs = [call() for call in calls]
        super().__init__(c_void_p(self.graph.raw_cuda_graph()), len(calls))


class ChainGraph(RepeatedGraph):
    """Graphs of sessions one after the other; each is copied before the next is asked for."""

    def __init__(self, graphs):
        kept = []
        once = chain(kept.append(graph) or graph for graph in graphs)
        super().__init__(once, len(kept))


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
    counts = {name: repeats_for(candidate, microseconds) for name, candidate in candidates.items()}
    samples = {name: [] for name in candidates}
    for order in itertools.islice(balanced_orders(candidates, random.Random(seed)), rounds):
        for name in order:
            torch.cuda.synchronize()
            time.sleep(rest)
            samples[name].append(window(candidates[name], counts[name]))
    return {name: quartiles(values) for name, values in samples.items()}


def mix(candidates, seconds=2.0, microseconds=8000.0, seed=2):
    counts = {name: repeats_for(candidate, microseconds) for name, candidate in candidates.items()}
    samples = {name: [] for name in candidates}
    end = time.monotonic() + seconds
    for done, order in enumerate(balanced_orders(candidates, random.Random(seed))):
        if done >= 5 and time.monotonic() >= end:
            break
        for name in order:
            samples[name].append(window(candidates[name], counts[name]))
    return {name: quartiles(values) for name, values in samples.items()}
