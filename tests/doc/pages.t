#!/bin/sh
# pages.t -- the commands in README and in every page of doc that shows what they print are run, and print it (tests/doc/run).
# shellcheck disable=SC2046
exec tests/doc/run $(grep -l '^```console$' README.md doc/*.md doc/*/*.md)
