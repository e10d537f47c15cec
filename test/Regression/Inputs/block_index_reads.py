"""How often each kernel of a package reads an index of its block (S2R of %ctaid), at most: a line for each."""
import struct
import sys

OPCODE, FIRST_INDEX = 0x919, 0x25


def sections(elf):
    table, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    found = [struct.unpack_from("<IIQQQQ", elf, table + place * size) for place in range(count)]
    strings = found[names][4]
    for name, _, _, _, begin, length in found:
        yield elf[strings + name:elf.index(b"\0", strings + name)].decode(), elf[begin:begin + length]


def reads(code):
    counts = [0, 0, 0]
    for low, high in struct.iter_unpack("<QQ", code):
        special = (high >> 8) & 0xFF
        if low & 0xFFF == OPCODE and FIRST_INDEX <= special < FIRST_INDEX + 3:
            counts[special - FIRST_INDEX] += 1
    return max(counts)


with open(sys.argv[1], "rb") as file:
    package = file.read()
begin = package.find(b"\x7fELF")
while begin >= 0:
    for name, code in sections(package[begin:]):
        if name.startswith(".text."):
            print(f"{name[6:]}: {reads(code)}")
    begin = package.find(b"\x7fELF", begin + 4)
