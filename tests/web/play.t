#!/bin/sh
# play.t -- matches against thimble in a real Chromium: play.mjs, if there is a node to run it.
command -v node > /dev/null || { echo "1..0 # SKIP there is no node"; exit 0; }
exec node tests/web/play.mjs
