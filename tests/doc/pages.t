#!/bin/sh
# pages.t -- every command in the pages that teach is run, and prints what the page says (tests/doc/run).
exec tests/doc/run README.md doc/tutorial.md doc/guides/spin.md doc/guides/cpntools.md
