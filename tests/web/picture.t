#!/bin/sh
# picture.t -- a picture in the explorer in a real Chromium: picture.mjs, if there is a node to run it.
command -v node > /dev/null || { echo "1..0 # SKIP there is no node"; exit 0; }
exec node tests/web/picture.mjs
