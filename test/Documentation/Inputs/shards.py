"""Every number of shards takes all steps of utils/measurements, once and in order."""
import importlib.machinery
import importlib.util
import sys

loader = importlib.machinery.SourceFileLoader("measurements", sys.argv[1])
module = importlib.util.module_from_spec(importlib.util.spec_from_loader("measurements", loader))
loader.exec_module(module)
names = [step.name for step in module.STEPS]
for count in range(1, 20):
    shards = [module.shard(f"{i + 1}/{count}") for i in range(count)]
    assert [step.name for steps in shards for step in steps] == names, shards
assert max(sum(step.seconds for step in module.shard(f"{i}/4")) for i in range(1, 5)) <= 560
