# As page_files.sh, with what utils/new works on: a copy of the tree's sources, on which it is told to work.
. "$(dirname "$0")/page_files.sh"
mkdir -p test/Unit
cp -r "$TILEWRIGHT_SOURCE/include" "$TILEWRIGHT_SOURCE/lib" .
cp -r "$TILEWRIGHT_SOURCE/test/Dialect" test
cp -r "$TILEWRIGHT_SOURCE/test/Unit/Target" test/Unit
printf '#!/bin/sh\nexec "%s/utils/new" --tree . "$@"\n' "$TILEWRIGHT_SOURCE" >utils/new
