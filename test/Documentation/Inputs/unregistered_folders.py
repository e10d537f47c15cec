"""Lists folders of test/ and test/Unit that no list in CMake names."""
import pathlib
import re
import sys

tests = pathlib.Path(sys.argv[1])


def folders(path):
    return {entry.name for entry in path.iterdir() if entry.is_dir() and any(entry.iterdir())}


suites = re.search(r"set\(TILEWRIGHT_LIT_FOLDERS ([^)]*)\)", (tests / "lit.cmake").read_text()).group(1).split()
units = " ".join(re.findall(r"\(\w* ?folders ([^)]*)\)", (tests / "CMakeLists.txt").read_text())).split()
unknown = sorted(folders(tests) - {*suites, "Fuzz", "Unit", "tools"}) + sorted(folders(tests / "Unit") - {*units})
print(f"{len(unknown)} unregistered folders", *unknown)
