"""usage: balanced_turns.py FOLDER: how often each candidate follows each other one in the orders of FOLDER/turns.py."""
import collections
import itertools
import random
import sys

sys.path.insert(0, sys.argv[1])
from turns import balanced_orders  # noqa: E402


def times(orders, count):
    """How often each pair is neighbours: pairs, and their times, which are few different ones."""
    assert all(sorted(order) == list(range(count)) for order in orders), "an order without some candidate"
    pairs = collections.Counter(pair for order in orders for pair in zip(order, order[1:]))
    return len(pairs), sorted(set(pairs.values()))


for count in (1, 2, 3, 8, 9):
    rows = count * (1 + count % 2)
    pairs, often = times(list(itertools.islice(balanced_orders(range(count), random.Random(7)), rows)), count)
    print(f"{count} candidates: {pairs} pairs" + "".join(f", each {number} times in {rows} orders" for number in often))
more = list(itertools.islice(balanced_orders(range(8), random.Random(7)), 16))
print("the next 8 orders:", "as often" if times(more[8:], 8) == (56, [1]) and more[8:] != more[:8] else "not so")
