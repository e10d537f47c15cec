"""In which order candidates take turns, so that what ran before is as often each of the others."""


def balanced_orders(names, generator):
    """Orders of `names` without end, in each all of them once. In as many orders as there are names (of an odd number: twice as
    many) each follows each other equally often (Williams 1949, "Experimental designs balanced for the estimation of residual
    effects of treatments"); then the next ones, with names and orders drawn anew."""
    count = len(names)
    zigzag = [(step + 1) // 2 if step % 2 else (count - step // 2) % count for step in range(count)]
    while True:
        drawn = generator.sample(list(names), count)
        rows = [[drawn[(place + shift) % count] for place in zigzag] for shift in range(count)]
        if count % 2:
            rows += [row[::-1] for row in rows]
        generator.shuffle(rows)
        yield from rows
