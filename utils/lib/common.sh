# Shared by the scripts in utils/: where things lie, how to speak, and what belongs on PATH.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
venv=$root/.venv
llvm_bin=/usr/lib/llvm-22/bin

say() { printf '== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# usage FILE: prints the comment block at the head of a script, without the first line and the hashes.
usage() { sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//p}' "$1"; }

# ptxas_path: prints where ptxas is (PATH, the toolkit's usual place, the wheel in .venv), or fails.
ptxas_path() {
  local candidate
  for candidate in "$(command -v ptxas)" /usr/local/cuda/bin/ptxas \
    "$venv"/lib/python3*/site-packages/nvidia/*/bin/ptxas; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

# use_toolchain: puts ptxas on PATH, after everything the caller already has there.
use_toolchain() {
  local ptxas
  if ptxas=$(ptxas_path); then PATH=$PATH:$(dirname "$ptxas"); fi
  export PATH
}

# timed WHAT COMMAND…: runs a command and says how long it took.
timed() {
  local what=$1 start=$SECONDS status=0
  shift
  "$@" || status=$?
  if [ $status -eq 0 ]; then note "$what: $((SECONDS - start)) s"; else note "$what: failed after $((SECONDS - start)) s"; fi
  return $status
}
