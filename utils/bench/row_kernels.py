"""Softmax and layer norm in Triton, the way its tutorials go about them: a softmax whose programs stay and take rows one
after the other, each whole in registers, and a layer norm of one program a row, which reads the row in blocks for the
mean, for the variance and for the result. Launch shapes are tuned by Triton itself when a kernel first runs."""
import torch
import triton
import triton.language as tl

# What one block may hold of a row, in bytes, before a kernel reads it in pieces.
BLOCK_BYTES = 65536
WIDEST_ROW = 131072


@triton.autotune([triton.Config({"per_sm": per_sm}, num_warps=warps)
                  for warps in (4, 8, 16, 32) for per_sm in (1, 2, 4, 8) if warps * per_sm <= 64], key=["columns"])
@triton.jit
def softmax_rows(out, x, rows, columns, per_sm, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    inside = lanes < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=2):
        place = row.to(tl.int64) * columns + lanes
        wide = tl.load(x + place, mask=inside, other=-float("inf")).to(tl.float32)
        powers = tl.exp(wide - tl.max(wide, axis=0))
        tl.store(out + place, powers / tl.sum(powers, axis=0), mask=inside)


@triton.autotune([triton.Config({}, num_warps=warps) for warps in (4, 8, 16, 32)], key=["columns"])
@triton.jit
def layer_norm_rows(out, x, weight, bias, columns, epsilon, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * columns
    sums = tl.zeros([BLOCK], tl.float32)
    for first in range(0, columns, BLOCK):
        lanes = first + tl.arange(0, BLOCK)
        sums += tl.load(x + start + lanes, mask=lanes < columns, other=0.0).to(tl.float32)
    mean = tl.sum(sums, axis=0) / columns
    squares = tl.zeros([BLOCK], tl.float32)
    for first in range(0, columns, BLOCK):
        lanes = first + tl.arange(0, BLOCK)
        wide = tl.load(x + start + lanes, mask=lanes < columns, other=0.0).to(tl.float32)
        away = tl.where(lanes < columns, wide - mean, 0.0)
        squares += away * away
    scale = 1.0 / tl.sqrt(tl.sum(squares, axis=0) / columns + epsilon)
    for first in range(0, columns, BLOCK):
        lanes = first + tl.arange(0, BLOCK)
        inside = lanes < columns
        wide = tl.load(x + start + lanes, mask=inside, other=0.0).to(tl.float32)
        result = (wide - mean) * scale * tl.load(weight + lanes, mask=inside).to(tl.float32) + tl.load(bias + lanes, mask=inside).to(tl.float32)
        tl.store(out + start + lanes, result, mask=inside)


def softmax(x):
    out, (rows, columns) = torch.empty_like(x), x.shape
    processors = torch.cuda.get_device_properties(x.device).multi_processor_count
    softmax_rows[lambda chosen: (min(rows, processors * chosen["per_sm"]),)](out, x, rows, columns, BLOCK=triton.next_power_of_2(columns))
    return out


def layer_norm(x, weight, bias):
    out, (rows, columns) = torch.empty_like(x), x.shape
    block = min(BLOCK_BYTES // x.element_size(), triton.next_power_of_2(columns))
    layer_norm_rows[(rows,)](out, x, weight, bias, columns, 1e-5, BLOCK=block)
    return out


def peer_of(program):
    """The Triton kernel for one of memory_programs.py, or None."""
    columns = next(iter(program.inputs.values()))[0][-1]
    if program.name.startswith("softmax") and columns <= WIDEST_ROW:
        return softmax
    if program.name.startswith("layer norm") and "int8" not in program.name:
        return layer_norm
    return None
