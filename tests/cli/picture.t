#!/bin/sh
# picture.t -- explore --picture: files that are no pictures. What pictures show is in tests/unit/picture.c, clicks are in tests/web/picture.mjs.
. tests/cli/lib.sh
run explore "$MODELS/philosophers.net" --picture missing.svg
exits 3 "a missing picture"
tells '^missing.svg: error: cannot be opened' "is told"
printf '<svg>\n<g></svg>\n' > broken.svg
run explore "$MODELS/philosophers.net" --picture broken.svg
exits 3 "a broken one"
tells '^broken.svg:2:[0-9]+: error: not well-formed' "is told with its place"
printf '<html/>' > page.svg
run explore "$MODELS/philosophers.net" --picture page.svg
exits 3 "a page is no picture"
printf '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>\n<svg>&b;</svg>' > bomb.svg
run explore "$MODELS/philosophers.net" --picture bomb.svg
exits 3 "entities"
tells 'may not declare entities' "are refused"
finish
