# Thimble.  `make` builds build/thimble; `make test` runs everything that is quick.
#
#   make coverage            which lines and branches the tests reach, and floors that only rise
#   make CONFIG=asan test    the same under address and undefined-behaviour sanitizers
#   make CONFIG=tsan ...     threads under their sanitizer: build/tsan/tests/laws/threads
#   make CONFIG=leak test-faults   one call after the other fails, under the leak sanitizer
#   make fuzz-models TIME=4h random models through every way to check them, from a new seed: for the night
#   make fuzz-parsers TIME=1h  every reader of files under libFuzzer and AFL++, so long each: for days
#   make test-long           the same with larger models and far more faults: hours
#   make test-mpich          several processes under MPICH, where mpicc is another MPI's; part of test-long
#   make check-layers        proves the include table of ARCHITECTURE.md
#   make install DESTDIR=    programs, library, header, man pages, completions
#   make static              build/static/thimble and thimble-audit, which need no library of the machine
#   make dist                build/dist/thimble-VERSION.tar.gz, what is committed, the same bytes each time
#   make deb                 Debian packages in build/deb, past lintian (doc/packaging.md)
#   make test-package        builds the packages, installs them in a fresh root and uses them there: minutes, as root
#   make bench-quick         known values and ratios of stores, searches and engines, under three minutes: for CI
#   make bench-threads       one thread beside two: time, and the same counts
#   make bench-locality      huge pages, looking ahead, threads: what each brings
#   make bench-net           explores nets and prints speed and bytes per state
#   make bench-conformance DIR=FOLDER  every Promela file below a folder in SPIN and Thimble: counts and verdicts
#   make bench-promela       Thimble beside SPIN: speed, bytes per state, time from source to verdict
#   make bench-ltl           temporal properties beside SPIN: time and memory
#   make bench-reduce        reductions beside SPIN's: states, time per state
#   make bench-errors        models with violations, by every search: states expanded until the first one is found
#   make bench-mcc           the contest's queries and questions: right, wrong and open answers
#   make bench-sweep         the sweep-line beside a full search: states and bytes held at once, time
#   make bench-graph         condensed graphs: bytes per edge, speed of AG EF p
#   make bench-cpn           coloured nets: speed and bytes per state
#   make bench-disk          spaces of up to 1.3e8 states in 64 MB and a folder: time, disk per state, resident memory
#   make MPI=1               also build/thimble-mpi, for several processes (doc/scale.md); MPICC=mpicc.mpich chooses one
#   make bench-mpi           several processes: speed, traffic and memory by their number
#   make bench-stores        every store on the same models: bytes per state, time against plain
#   make bench-figures       figures that stand in single pages of doc and that nothing else prints
#   make doc-pictures        the picture of a report in README.md, by Chromium

CONFIG ?= release
comma := ,
CC ?= cc
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
VERSION := $(shell cat VERSION)

WARN := -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wvla
BASE_CFLAGS := -std=gnu11 -fPIC -fvisibility=hidden -Isrc -Iinclude -DTHIMBLE_VERSION='"$(VERSION)"' $(WARN)

ifeq ($(CONFIG),release)
  B := build
  CFLAGS ?= -O2 -g
  # What makes mistakes harder to exploit, as far as the compiler takes it (doc/security.md); HARDEN= leaves it out.
  TAKES = $(shell echo 'int main(void) { return 0; }' | $(CC) -Werror -fPIC -x c $(1) -o /dev/null - 2> /dev/null && echo '$(1)')
  ifndef HARDEN
    HARDEN := -Wformat -Wformat-security -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 $(call TAKES,-fstack-protector-strong) $(call TAKES,-fstack-clash-protection) $(call TAKES,-fcf-protection)
    HARDEN_LINK := $(call TAKES,-Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now)
    HARDEN_PROGRAM := $(call TAKES,-pie)
  endif
  BASE_CFLAGS += $(HARDEN)
  LDFLAGS += $(HARDEN_LINK)
else ifeq ($(CONFIG),asan)
  B := build/asan
  CFLAGS ?= -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
  LDFLAGS += -fsanitize=address,undefined
else ifeq ($(CONFIG),tsan)
  B := build/tsan
  CFLAGS ?= -O1 -g -fno-omit-frame-pointer -fsanitize=thread
  LDFLAGS += -fsanitize=thread
else ifeq ($(CONFIG),fuzz)
  B := build/fuzz
  CC := clang
  CFLAGS ?= -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
else ifeq ($(CONFIG),leak)
  B := build/leak
  CFLAGS ?= -O1 -g -fno-omit-frame-pointer -fsanitize=leak
  LDFLAGS += -fsanitize=leak
else ifeq ($(CONFIG),afl)
  B := build/afl
  CC := afl-clang-fast
  CFLAGS ?= -O2 -g -fno-omit-frame-pointer
else ifeq ($(CONFIG),debug)
  B := build/debug
  CFLAGS ?= -O0 -g
else ifeq ($(CONFIG),coverage)
  B := build/coverage
  CFLAGS ?= -O1 -g --coverage -fprofile-update=single
  LDFLAGS += --coverage
else
  $(error CONFIG is release, asan, tsan, leak, fuzz, afl, coverage or debug)
endif
LIBS := -lexpat -ljansson -lzstd -lm -ldl -pthread
# The library has neither bench nor server and needs no database; HTTP is loaded when it is wanted (src/serve/microhttpd.h).
PROGRAM_LIBS := -lsqlite3 $(LIBS)

# One short line per step; `make V=1` shows the commands.
ifeq ($(V),1)
  Q :=
  SAY = @:
else
  Q := @
  SAY = @printf '  %-6s %s\n'
endif

# `make MPI=1` builds thimble-mpi beside it; nothing else needs MPI. The tests take it along where it is there.
ifneq ($(filter test,$(MAKECMDGOALS)),)
  MPI ?= $(shell command -v mpicc > /dev/null && command -v mpirun > /dev/null && echo 1)
endif
MPI_SRC := $(sort $(wildcard src/mpi/*.c)) src/cli/main_mpi.c
SRC := $(filter-out $(MPI_SRC),$(sort $(wildcard src/*/*.c src/*/*/*.c)))
# The explorer and its server are no part of the library, which needs no HTTP; nor is the bench.
SERVER_SRC := $(filter src/serve/% src/explore/%,$(SRC))
BENCH_SRC := $(filter src/bench/%,$(SRC))
# thimble-audit is a program of its own, made of these rooms and no others: what it confirms is not checked by what has made it.
AUDIT_SRC := $(filter src/audit/%,$(SRC))
AUDIT_ROOMS := base model process net ml colour front prop
LIB_SRC := $(filter-out src/cli/% $(SERVER_SRC) $(BENCH_SRC) $(AUDIT_SRC),$(SRC))
CLI_SRC := $(filter src/cli/%,$(SRC))
OBJ = $(patsubst %.c,$(B)/obj/%.o,$(1))
LIB_OBJ := $(call OBJ,$(LIB_SRC)) $(B)/obj/gen/runtime_text.o $(B)/obj/gen/page_viewer.o
SERVER_OBJ := $(call OBJ,$(SERVER_SRC)) $(B)/obj/gen/page_explorer.o
CLI_OBJ := $(call OBJ,$(CLI_SRC))
AUDIT_OBJ := $(call OBJ,$(AUDIT_SRC) $(filter $(patsubst %,src/%/%,$(AUDIT_ROOMS)),$(LIB_SRC))) $(B)/obj/gen/runtime_text.o
BENCH_OBJ := $(call OBJ,$(BENCH_SRC))

# Every tests/<room>/*.c is one test program; tests/<room>/*.t are scripts.
TEST_SRC := $(sort $(wildcard tests/unit/*.c tests/laws/*.c tests/cross/*.c tests/api/*.c))
TEST_BIN := $(patsubst tests/%.c,$(B)/tests/%,$(TEST_SRC))
EXAMPLE_BIN := $(patsubst examples/api/%.c,$(B)/examples/%,$(sort $(wildcard examples/api/*.c)))
TEST_SH := $(sort $(wildcard tests/*/*.t))

.PHONY: all test test-long test-mpich test-package fuzz-models check-layers clean install uninstall static dist deb bench-quick bench-threads bench-locality bench-net bench-promela bench-conformance bench-ltl bench-reduce bench-errors bench-stores bench-disk bench-sweep bench-mcc bench-graph bench-cpn bench-latency bench-mpi bench-figures doc-pictures
all: $(B)/thimble $(B)/thimble-audit $(B)/libthimble.a $(B)/libthimble.so
ifeq ($(MPI),1)
# MPICC names another one: mpicc.openmpi, mpicc.mpich; MPI_PROGRAM where what it makes goes
MPICC ?= mpicc
MPI_PROGRAM ?= $(B)/thimble-mpi
MPI_OBJ := $(patsubst %.c,$(B)/obj/$(notdir $(MPICC))/%.o,$(MPI_SRC))
all: $(MPI_PROGRAM)

$(B)/obj/$(notdir $(MPICC))/%.o: %.c Makefile VERSION
	@mkdir -p $(@D)
	$(SAY) MPICC $<
	$(Q)$(MPICC) $(BASE_CFLAGS) $(CFLAGS) $(CPPFLAGS) -MMD -MP -c $< -o $@

# Linked anew when another MPI is asked for.
.PHONY: which-mpicc
$(MPI_PROGRAM).mpicc: which-mpicc
	@mkdir -p $(@D)
	@echo '$(MPICC)' | cmp -s - $@ || echo '$(MPICC)' > $@

$(MPI_PROGRAM): $(MPI_OBJ) $(filter-out $(B)/obj/src/cli/main.o,$(CLI_OBJ)) $(B)/internal.a $(MPI_PROGRAM).mpicc
	$(SAY) LINK $@
	$(Q)$(MPICC) $(CFLAGS) $(LDFLAGS) $(HARDEN_PROGRAM) -o $@ $(filter %.o %.a,$^) $(PROGRAM_LIBS)
endif

$(B)/obj/%.o: %.c Makefile VERSION
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(BASE_CFLAGS) $(CFLAGS) $(CPPFLAGS) -MMD -MP -c $< -o $@

# The text of runtime.h, for generated code.
$(B)/gen/runtime_text.c: src/process/runtime.h tools/embed
	@mkdir -p $(@D)
	$(SAY) EMBED $<
	$(Q)tools/embed runtime_text $< > $@

# The pages of reports and of the explorer. They are built by web/build and committed: this needs no Node.
$(B)/gen/page_viewer.c $(B)/gen/page_explorer.c: $(B)/gen/page_%.c: web/%.html tools/embed
	@mkdir -p $(@D)
	$(SAY) EMBED $<
	$(Q)tools/embed page_$* $< > $@

$(B)/obj/gen/%.o: $(B)/gen/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(CFLAGS) -c $< -o $@

# Tests and the program see every symbol; the installed archive only thimble_*.
$(B)/internal.a: $(LIB_OBJ) $(SERVER_OBJ) $(BENCH_OBJ)
	$(SAY) AR $@
	@rm -f $@
	$(Q)ar rcs $@ $^

$(B)/thimble: $(CLI_OBJ) $(B)/internal.a
	$(SAY) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(HARDEN_PROGRAM) -o $@ $^ $(PROGRAM_LIBS)

$(B)/thimble-audit: $(AUDIT_OBJ)
	$(SAY) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(HARDEN_PROGRAM) -o $@ $^ $(LIBS)

# The static programs are the same objects but for the one that loads others (src/base/library.h), which stands before the archive that has the whole one.
# The linker warns of dlopen, which SQLite names: the one that it gets is library.c's, which loads nothing.
STATIC := $(B)/static
STATIC_OBJ := $(STATIC)/obj/src/base/library.o
STATIC_LINK = $(CC) $(CFLAGS) $(LDFLAGS) -static -o $@ $^
static: $(STATIC)/thimble $(STATIC)/thimble-audit

$(STATIC_OBJ): src/base/library.c Makefile VERSION
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(BASE_CFLAGS) -DTHIMBLE_STATIC $(CFLAGS) $(CPPFLAGS) -MMD -MP -c $< -o $@

$(STATIC)/thimble: $(CLI_OBJ) $(STATIC_OBJ) $(B)/internal.a
	$(SAY) LINK $@
	$(Q)$(STATIC_LINK) $(PROGRAM_LIBS)

$(STATIC)/thimble-audit: $(filter-out $(B)/obj/src/base/library.o,$(AUDIT_OBJ)) $(STATIC_OBJ)
	$(SAY) LINK $@
	$(Q)$(STATIC_LINK) $(LIBS)

$(B)/libthimble.a: $(LIB_OBJ)
	$(SAY) AR $@
	@rm -f $@
	$(Q)ld -r -o $(B)/libthimble.o $^
	$(Q)objcopy --wildcard --keep-global-symbol='thimble_*' $(B)/libthimble.o
	$(Q)ar rcs $@ $(B)/libthimble.o

$(B)/libthimble.so: $(LIB_OBJ)
	$(SAY) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libthimble.so.0 -o $@ $^ $(LIBS)

# How to link with it; made at installation, which knows where.
define PC
prefix=$(PREFIX)
includedir=$${prefix}/include
libdir=$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))

Name: thimble
Description: explicit-state model checking inside a memory budget
Version: $(VERSION)
Cflags: -I$${includedir}
Libs: -L$${libdir} -lthimble
Libs.private: $(LIBS)
endef
export PC

# Programs on thimble.h, built against the archive as a user would build them.
$(B)/examples/%: examples/api/%.c include/thimble.h $(B)/libthimble.a
	@mkdir -p $(@D)
	$(SAY) LINK $@
	$(Q)$(CC) -std=c11 $(WARN) $(CFLAGS) $(LDFLAGS) -Iinclude -o $@ $< $(B)/libthimble.a $(LIBS)

$(B)/tests/%: tests/%.c $(B)/internal.a tests/tap.h
	@mkdir -p $(@D)
	$(SAY) LINK $@
	$(Q)$(CC) $(BASE_CFLAGS) -Itests $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(B)/internal.a $(PROGRAM_LIBS)

# The program with one thing broken in it (tests/fuzz/mutants): the object of the broken file stands before the archive that has the whole one.
MUTANTS := $(patsubst tests/fuzz/mutants/%,$(B)/mutants/%,$(sort $(wildcard tests/fuzz/mutants/*)))
FEW_MUTANTS := dropped-insert lost-on-growing forgotten-root # that make test hunts; the others are for make test-long
$(B)/mutants/%: tests/fuzz/mutants/% tests/fuzz/mutate $(CLI_OBJ) $(B)/internal.a
	@mkdir -p $(@D)
	$(SAY) MUTANT $@
	$(Q)tests/fuzz/mutate $< > $@.c
	$(Q)$(CC) $(BASE_CFLAGS) $(CFLAGS) -c $@.c -o $@.o
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(CLI_OBJ) $@.o $(B)/internal.a $(PROGRAM_LIBS)
.PRECIOUS: $(MUTANTS)

# The seed is the day's: what was found can be found again.
TIME ?= 4h
SEED ?= $(shell date +%Y%m%d)0000
MANY ?= 1800 # seconds for those that are checked in one process
fuzz-models: all $(B)/again/walk $(B)/again/agree
	@mkdir -p $(B)/found
	tests/fuzz/many --seed $(SEED) --time $(MANY) --build $(B) --keep $(B)/found
	tests/fuzz/tester --thimble $(B)/thimble --seed $(SEED) --time $(TIME) --keep $(B)/found

# What several processes do that knows no MPI: the target `keep` is one of them without it.
RANKS_OBJ := $(call OBJ,$(filter-out src/mpi/ranks.c src/mpi/post.c,$(filter src/mpi/%,$(MPI_SRC))))

# The fuzz targets: CONFIG=fuzz for libFuzzer with sanitizers, CONFIG=afl for AFL++ without them.
FUZZ_TARGETS := $(sort $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c)))
$(B)/fuzz_%: tests/fuzz/fuzz_%.c $(B)/internal.a
	@mkdir -p $(@D)
	$(SAY) LINK $@
	$(Q)$(CC) $(BASE_CFLAGS) -Itests/fuzz -Itests $(subst fuzzer-no-link,fuzzer,$(CFLAGS)) $(if $(filter afl,$(CONFIG)),-fsanitize=fuzzer) -MMD -MP -o $@ $< $(filter %.o,$^) $(filter %.a,$^) $(PROGRAM_LIBS)
$(B)/fuzz_certificate: $(filter-out %/main.o,$(call OBJ,$(AUDIT_SRC)))
$(B)/fuzz_keep: $(RANKS_OBJ)

# The same without a fuzzer, for every day (tests/fuzz/corpus.t).
AGAIN := $(addprefix $(B)/again/,$(FUZZ_TARGETS))
$(B)/again/%: tests/fuzz/fuzz_%.c tests/fuzz/again.c $(B)/internal.a
	@mkdir -p $(@D)
	$(SAY) LINK $@
	$(Q)$(CC) $(BASE_CFLAGS) -Itests/fuzz -Itests $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $(filter %.c,$^) $(filter %.o,$^) $(filter %.a,$^) $(PROGRAM_LIBS)
$(B)/again/certificate: $(filter-out %/main.o,$(call OBJ,$(AUDIT_SRC)))
$(B)/again/keep: $(RANKS_OBJ)

.PHONY: fuzz-targets fuzz-parsers
fuzz-targets: $(addprefix $(B)/fuzz_,$(FUZZ_TARGETS))

# Each reader of files under libFuzzer and under AFL++, TIME for each of both; stopped and begun again it goes on.
fuzz-parsers:
	$(MAKE) CONFIG=fuzz fuzz-targets
	$(MAKE) CONFIG=afl fuzz-targets
	tests/fuzz/campaign --time $(TIME) $(CAMPAIGN)

check-layers:
	@tools/check-layers

# A library that makes calls fail, for tests/fault alone.
INJECT := $(B)/tests/fault/inject.so
$(INJECT): tests/fault/inject.c tests/fault/power.c tests/fault/power.h
	@mkdir -p $(@D)
	$(SAY) LINK $@
	$(Q)$(CC) -std=gnu11 -O1 -g $(WARN) -Wno-missing-prototypes -fno-omit-frame-pointer -fPIC -shared -o $@ $(filter %.c,$^) -ldl

test: all $(TEST_BIN) $(EXAMPLE_BIN) $(INJECT) $(AGAIN) $(B)/tests/forge/forge $(addprefix $(B)/mutants/,$(FEW_MUTANTS))
	@MUTANTS='$(FEW_MUTANTS)' THIMBLE=$(abspath $(B)/thimble) BUILD=$(abspath $(B)) CONFIG=$(CONFIG) prove -j2 --comments $(TEST_BIN) $(TEST_SH)

# Calls that fail, alone; CONFIG=leak looks for memory that nobody gives back when they do. FAULT_MOST and FAULT_ONLY as in tests/fault.
.PHONY: test-faults
test-faults: all $(INJECT)
	@THIMBLE=$(abspath $(B)/thimble) BUILD=$(abspath $(B)) CONFIG=$(CONFIG) prove --comments tests/fault/inject.t

# Which lines and branches the tests of single parts and of the program reach, room by room; it fails where a room falls below its floor (tests/coverage.floor). tools/coverage build/coverage --raise
# writes floors that are higher.
.PHONY: coverage coverage-run
coverage:
	$(MAKE) CONFIG=coverage coverage-run
	tools/coverage build/coverage
coverage-run: all $(TEST_BIN) $(EXAMPLE_BIN) $(B)/tests/forge/forge
	@find $(B) -name '*.gcda' -delete
	@THIMBLE=$(abspath $(B)/thimble) BUILD=$(abspath $(B)) CONFIG=$(CONFIG) prove -j2 $(TEST_BIN) $(wildcard tests/cli/*.t tests/models/*.t tests/cross/*.t)

# What takes too long for every day: many more calls that fail, one after the other; larger models.
test-long: all $(TEST_BIN) $(EXAMPLE_BIN) $(INJECT) $(AGAIN) $(B)/tests/forge/forge $(MUTANTS)
	@THIMBLE=$(abspath $(B)/thimble) BUILD=$(abspath $(B)) CONFIG=$(CONFIG) THIMBLE_LONG=1 FAULT_MOST=$(or $(FAULT_MOST),200) prove --comments $(TEST_BIN) $(TEST_SH)
	$(MAKE) CONFIG=leak test-faults
	@if command -v mpicc.mpich > /dev/null && command -v mpirun.mpich > /dev/null; then $(MAKE) test-mpich; else echo 'MPICH is not tested: apt install mpich libmpich-dev'; fi
	@if [ $(CONFIG) = release ] && command -v dpkg-buildpackage > /dev/null && command -v lintian > /dev/null; then $(MAKE) test-package; else echo 'packages are not tested: tools/setup --package'; fi

# Several processes under MPICH, beside what mpicc and mpirun stand for.
test-mpich:
	@$(MAKE) MPI=1 MPICC=mpicc.mpich MPI_PROGRAM=$(B)/mpich/thimble-mpi
	@THIMBLE=$(abspath $(B)/thimble) BUILD=$(abspath $(B)) CONFIG=$(CONFIG) THIMBLE_LONG=1 MPIRUN=mpirun.mpich MPI_PROGRAM=$(abspath $(B)/mpich/thimble-mpi) prove --comments tests/cli/mpi.t tests/cli/mpi_checkpoint.t

# What people get: the sources built from nothing, the static programs, the packages in a fresh root (tests/package/README.md).
test-package: all static deb
	@THIMBLE=$(abspath $(B)/thimble) BUILD=$(abspath $(B)) CONFIG=$(CONFIG) THIMBLE_PACKAGE=1 prove -v --comments tests/package/*.t

# Its results are of no use later: a database of its own.
bench-quick: all
	$(B)/thimble bench bench/suites/quick.toml --database $(B)/bench-quick.db --fresh $(BENCH_ARGS)

bench-threads: all
	$(B)/thimble bench bench/suites/threads.toml $(BENCH_ARGS)

bench-locality: all
	bench/locality $(BENCH_ARGS)

bench-net: all
	bench/net $(BENCH_ARGS)

bench-promela: all
	bench/promela/run $(BENCH_ARGS)

bench-conformance: all
	THIMBLE=$(abspath $(B)/thimble) bench/conformance/run --cache $(B)/conformance --csv $(B)/conformance.csv $(BENCH_ARGS) $(or $(DIR),bench/conformance/models)

bench-ltl: all
	bench/ltl/run $(BENCH_ARGS)

bench-reduce: all
	bench/reduce/run $(BENCH_ARGS)

bench-errors: all
	bench/errors/run $(BENCH_ARGS)

bench-stores: all
	bench/stores/run $(BENCH_ARGS)

bench-disk: all
	bench/disk/run $(BENCH_ARGS)

bench-sweep: all
	bench/sweep/run $(BENCH_ARGS)

bench-mpi:
	$(MAKE) MPI=1
	bench/mpi/run $(BENCH_ARGS)

$(B)/bench/measure: bench/graph/measure.c $(B)/internal.a
	@mkdir -p $(@D)
	$(SAY) LINK $@
	$(Q)$(CC) $(BASE_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< $(B)/internal.a $(LIBS)

bench-graph: all $(B)/bench/measure
	MEASURE=$(abspath $(B)/bench/measure) bench/graph/run $(BENCH_ARGS)

$(B)/bench/coloured: bench/cpn/measure.c tests/coloured.h $(B)/internal.a
	@mkdir -p $(@D)
	$(SAY) LINK $@
	$(Q)$(CC) $(BASE_CFLAGS) -Itests $(CFLAGS) $(LDFLAGS) -o $@ $< $(B)/internal.a $(LIBS)

bench-cpn: $(B)/bench/coloured
	$(B)/bench/coloured $(BENCH_ARGS)

bench-mcc: all
	bench/mcc $(BENCH_ARGS)

bench-latency:
	@mkdir -p build
	$(Q)$(CC) -O2 -o build/latency bench/latency.c
	@build/latency

bench-figures: all
	bench/figures $(BENCH_ARGS)

doc-pictures: all
	tools/picture-report

INSTALLED = $(DESTDIR)$(PREFIX)
SHELLS = $(INSTALLED)/share/bash-completion/completions $(DESTDIR)$(ZSHDIR) $(INSTALLED)/share/fish/vendor_completions.d
install: all
	install -d $(INSTALLED)/bin $(INSTALLED)/include $(DESTDIR)$(LIBDIR)/pkgconfig $(INSTALLED)/share/man/man1 $(INSTALLED)/share/man/man3 $(SHELLS)
	install -m 755 $(B)/thimble $(B)/thimble-audit $(INSTALLED)/bin/
	if [ "$(MPI)" = 1 ]; then install -m 755 $(B)/thimble-mpi $(INSTALLED)/bin/thimble-mpi; fi
	install -m 644 include/thimble.h $(INSTALLED)/include/thimble.h
	install -m 644 $(B)/libthimble.a $(DESTDIR)$(LIBDIR)/libthimble.a
	install -m 755 $(B)/libthimble.so $(DESTDIR)$(LIBDIR)/libthimble.so.0
	ln -sf libthimble.so.0 $(DESTDIR)$(LIBDIR)/libthimble.so
	printf '%s\n' "$$PC" > $(DESTDIR)$(LIBDIR)/pkgconfig/thimble.pc
	install -m 644 doc/thimble.1 doc/thimble-audit.1 $(INSTALLED)/share/man/man1/
	install -m 644 doc/thimble.3 $(INSTALLED)/share/man/man3/
	$(B)/thimble completion bash > $(INSTALLED)/share/bash-completion/completions/thimble
	ln -sf thimble $(INSTALLED)/share/bash-completion/completions/thimble-audit
	$(B)/thimble completion zsh > $(DESTDIR)$(ZSHDIR)/_thimble
	$(B)/thimble completion fish > $(INSTALLED)/share/fish/vendor_completions.d/thimble.fish
	ln -sf thimble.fish $(INSTALLED)/share/fish/vendor_completions.d/thimble-audit.fish

uninstall:
	cd $(INSTALLED) && rm -f bin/thimble bin/thimble-audit bin/thimble-mpi include/thimble.h share/man/man1/thimble.1 share/man/man1/thimble-audit.1 share/man/man3/thimble.3
	cd $(DESTDIR)$(LIBDIR) && rm -f libthimble.a libthimble.so libthimble.so.0 pkgconfig/thimble.pc
	rm -f $(DESTDIR)$(ZSHDIR)/_thimble
	cd $(INSTALLED)/share && rm -f bash-completion/completions/thimble bash-completion/completions/thimble-audit fish/vendor_completions.d/thimble.fish fish/vendor_completions.d/thimble-audit.fish

# Releases (doc/packaging.md).
dist:
	tools/dist $(B)/dist

deb:
	tools/make-deb $(B)/deb

clean:
	rm -rf build

-include $(shell find $(B)/obj $(B)/tests $(B)/again $(STATIC)/obj -type f -name '*.d' 2>/dev/null) $(wildcard $(B)/fuzz_*.d)
