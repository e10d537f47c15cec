"""Prints A * B + START of the emulator's ramps as tw-emulate prints its third buffer: rows M, columns N, K; `nt` when B
lies column by column."""
import sys

m, n, k, start = (int(value) for value in sys.argv[1:5])
ramp = [index % 7 - 3 for index in range(max(m, n) * k)]
column = (lambda j: ramp[j * k : (j + 1) * k]) if sys.argv[5] == "nt" else (lambda j: ramp[j : k * n : n])
columns = [column(j) for j in range(n)]
for i in range(m):
    row = ramp[i * k : (i + 1) * k]
    for right in columns:
        print(start + sum(a * b for a, b in zip(row, right)))
