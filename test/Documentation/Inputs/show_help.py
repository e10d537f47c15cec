"""Runs every script below utils/ with --help: it must succeed, say `usage:`, and do nothing else."""
import os
import pathlib
import subprocess
import sys

utils = pathlib.Path(sys.argv[1])
scripts = [path for path in sorted(utils.rglob("*")) if path.is_file() and os.access(path, os.X_OK)]
scripts = [path for path in scripts if path.parent.name != "lib"]  # what the scripts share
silent = []
for path in scripts:
    python = path.read_bytes().startswith(b"#!/usr/bin/env python3")
    command = [sys.executable, path] if python else [path]
    result = subprocess.run([*command, "--help"], capture_output=True, text=True, check=False, timeout=60)
    if "needs PyTorch" in result.stderr:
        continue
    if result.returncode or "usage:" not in result.stdout:
        silent.append(f"{path.relative_to(utils)}: exit {result.returncode}, {(result.stdout + result.stderr).strip()[-200:]}")
print(f"{len(scripts)} scripts, {len(silent)} without help", *silent, sep="\n  ")
