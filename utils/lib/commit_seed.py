"""A seed that follows from the checked-out commit, so that every commit tries others and a failure can be had again."""
import os
import subprocess


def seed_of_commit():
    """28 bits of the commit's hash; 0 where there is none."""
    found = subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse", "HEAD"],
                           capture_output=True, text=True)
    return int(found.stdout[:7], 16) if found.returncode == 0 else 0
