"""The programs of memory_programs.py in JAX, and their time under XLA.

XLA launches its own kernels, from one executable a call; it cannot be captured in a CUDA graph of ours. So one executable
computes all data sets of a program, and windows are many calls of it, timed on the clock from the first to the end of
the last: calls are handed over while earlier ones run, and the device is what takes the time wherever one call takes
more than the host's 50 us or so (a row whose time is less than that says nothing of XLA)."""
import os
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the memory is shared with torch


def functions():
    """Name, or beginning of names, of a program -> the same in jax.numpy; 16-bit values are computed on in fp32."""
    import jax
    import jax.numpy as jnp

    wide = lambda x: x.astype(jnp.float32)

    def layer_norm(x, w, b):
        f = wide(x)
        away = f - f.mean(-1, keepdims=True)
        return away * jax.lax.rsqrt((away * away).mean(-1, keepdims=True) + 1e-5) * wide(w) + wide(b)

    def rms(f, w):
        return f * jax.lax.rsqrt((f * f).mean(-1, keepdims=True) + 1e-6) * wide(w)

    def add_rms(x, r, w):
        f = wide(x) + wide(r)
        return rms(f, w).astype(x.dtype), f.astype(x.dtype)

    def quantized(x, w, b):
        f = layer_norm(x, w, b)
        scale = jnp.maximum(jnp.abs(f).max(-1) * 0.007874015748031496, 1e-12)
        return jnp.round(f / scale[:, None]).astype(jnp.int8), scale

    def rope(x, c, s):
        left, right = jnp.split(wide(x), 2, -1)
        c, s = wide(c)[:, None, :], wide(s)[:, None, :]
        return jnp.concatenate((left * c - right * s, right * c + left * s), -1).astype(x.dtype)

    found = {
        "chain of 6": lambda x: jnp.abs(jnp.tanh(wide(x) * 0.5 + 1.0) * wide(x) - 0.5).astype(x.dtype),
        "bias + gelu (erf)": lambda x, b: jax.nn.gelu(wide(x) + wide(b), approximate=False).astype(x.dtype),
        "bias + gelu (tanh)": lambda x, b: jax.nn.gelu(wide(x) + wide(b), approximate=True).astype(x.dtype),
        "softmax": lambda x: jax.nn.softmax(wide(x), -1).astype(x.dtype),
        "layer norm + int8": quantized,
        "layer norm": lambda x, w, b: layer_norm(x, w, b).astype(x.dtype),
        "rms norm": lambda x, w: rms(wide(x), w).astype(x.dtype),
        "add + rms norm": add_rms,
        "transpose": lambda x: x.T,
        "embedding gather": lambda t, i: t[i],
        "column sum": lambda x: x.sum(0),
        "cumsum rows": lambda x: jnp.cumsum(x, 1),
        "cumsum columns": lambda x: jnp.cumsum(x, 0),
        "rope": rope,
        "variance": lambda x: x.var((0, 2)),
        "top-k": lambda x: jax.lax.top_k(x, 50),
    }
    for order in ("1032", "3210", "0321", "2301"):
        found[f"permute 64x96x128x80 to {order}"] = lambda x, order=order: jnp.transpose(x, [int(d) for d in order])
    return found


class XlaCalls:
    """A candidate of gpu_clock.py with a clock of its own."""

    def __init__(self, program, data):
        import jax

        self.jax, self.count = jax, data.count
        known = functions()
        function = known[max((name for name in known if program.name.startswith(name)), key=len)]
        # JAX counts in 32 bits unless told otherwise.
        taken = lambda x: jax.dlpack.from_dlpack(x.int() if "int64" in str(x.dtype) else x.contiguous())
        self.sets = [[taken(x) for x in inputs.values()] for inputs in data.inputs]
        self.call = jax.jit(lambda sets: [function(*one) for one in sets])
        self.results = jax.block_until_ready(self.call(self.sets))

    def outputs(self, torch):
        """The first data set's results as tensors."""
        first = self.results[0]
        return [torch.utils.dlpack.from_dlpack(x) for x in (first if isinstance(first, (tuple, list)) else [first])]

    def window(self, repeats):
        start = time.perf_counter()
        for _ in range(repeats):
            self.results = self.call(self.sets)
        self.jax.block_until_ready(self.results)
        return (time.perf_counter() - start) * 1e6 / (repeats * self.count)


def peer_of(program, data):
    """XLA's candidate for a program, or None where it has no form here."""
    if not any(program.name.startswith(name) for name in functions()):
        return None
    return XlaCalls(program, data)
