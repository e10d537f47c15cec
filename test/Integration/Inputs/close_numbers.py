"""Whether the numbers behind the last colon of two files' only lines are close.

usage: close_numbers.py FILE FILE --rtol R
"""
import sys

first, second = ([float(word) for word in open(path).read().rsplit(":", 1)[1].split() if word != "..."] for path in sys.argv[1:3])
rtol = float(sys.argv[4])
if len(first) != len(second) or any(abs(a - b) > rtol * max(abs(a), abs(b)) for a, b in zip(first, second)):
    sys.exit(f"error: {first} and {second} differ")
