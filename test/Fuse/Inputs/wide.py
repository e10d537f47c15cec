"""Prints programs with many values: `inputs` adds 24 tensors behind activations, `fan-out` divides each of 15
exponentials of one tensor by their sum (74 ops), `powers` needs each of 30 products of one tensor twice."""
import sys

TYPE = "tensor<512x1024xf32>"


def program(arguments, lines, result):
    body = "\n".join("  " + line + " : " + TYPE for line in lines)
    return f"func.func @main({', '.join(f'%{a}: {TYPE}' for a in arguments)}) -> {TYPE} {{\n{body}\n  return %{result} : {TYPE}\n}}"


def fold(op, name, values, lines):
    result = values[0]
    for i, value in enumerate(values[1:]):
        lines.append(f"%{name}{i} = {op} %{result}, %{value}")
        result = f"{name}{i}"
    return result


def inputs():
    arguments, lines = [f"x{i}" for i in range(24)], []
    for x in arguments:
        lines += [f"%e{x} = math.erf %{x}", f"%g{x} = arith.mulf %e{x}, %{x}"]
    return program(arguments, lines, fold("arith.addf", "s", [f"g{x}" for x in arguments], lines))


def constants(count, op):
    lines = []
    for i in range(count):
        lines += [f"%c{i} = arith.constant dense<{(i + 1) / 64}>", f"%m{i} = {op} %x, %c{i}"]
    return lines


def fan_out():
    lines = constants(15, "arith.mulf") + [f"%e{i} = math.exp %m{i}" for i in range(15)]
    total = fold("arith.addf", "s", [f"e{i}" for i in range(15)], lines)
    lines += [f"%d{i} = arith.divf %e{i}, %{total}" for i in range(15)]
    return program(["x"], lines, fold("arith.maximumf", "t", [f"d{i}" for i in range(15)], lines))


def powers():
    lines, values = constants(30, "arith.addf"), [f"m{i}" for i in range(30)]
    product = fold("arith.mulf", "s", values, lines)
    return program(["x"], lines, fold("arith.divf", "t", [product] + values, lines))


print({"inputs": inputs, "fan-out": fan_out, "powers": powers}[sys.argv[1]]())
