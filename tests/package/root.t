#!/bin/sh
# root.t -- the packages in a fresh Debian: installed by apt, used without and with a C compiler, and removed without a trace.
#
# The root is made by debootstrap from the mirror that apt knows here, once: build/package/SUITE.tar is used again (make clean removes it). Mounts are in a namespace of their own and end with the script.
[ -n "${THIMBLE_PACKAGE-}" ] || { echo "1..0 # SKIP for make test-package"; exit 0; }
[ "$(id -u)" = 0 ] || { echo "1..0 # SKIP a root needs root"; exit 0; }
for tool in debootstrap chroot unshare apt-get; do
  command -v $tool > /dev/null || { echo "1..0 # SKIP no $tool: tools/setup --package"; exit 0; }
done
[ -n "${APART-}" ] || APART=1 exec unshare --mount sh "$0"
. tests/cli/lib.sh
BUILD=${BUILD:-$ROOT/build}
version=$(cat "$ROOT/VERSION")
root=$WORK/root
trap 'umount "$root/proc" 2> /dev/null; rm -rf --one-file-system "$WORK"' EXIT

# ---- a fresh root
mirror=$(apt-get indextargets --format '$(LABEL) $(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' | awk '$1 == "Debian" && $2 !~ /-/ && $3 == "main" { print $2, $4; exit }')
suite=${mirror% *} mirror=${mirror#* }
[ -n "$suite" ] || { echo "1..0 # SKIP apt knows no mirror of Debian"; exit 0; }
mkdir -p "$BUILD/package" "$root"
if [ ! -s "$BUILD/package/$suite.tar" ]; then
  debootstrap --variant=minbase "$suite" "$root" "$mirror" > "$out" 2> "$err" || { ok 1 "debootstrap"; tail -n 5 "$out"; finish; exit 1; }
  tar -c --one-file-system -C "$root" -f "$BUILD/package/$suite.part" . && mv "$BUILD/package/$suite.part" "$BUILD/package/$suite.tar"
else
  tar -xpf "$BUILD/package/$suite.tar" -C "$root"
fi
ok $? "a fresh root of $suite"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
mkdir "$root/packages" && cp "$BUILD"/deb/*.deb "$root/packages"
ok $? "the packages of make deb"
cp "$ROOT/tests/models/channels.pml" "$root/packages"

inside() { # a command line in the root; standard output in $out, standard error in $err
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive ${http_proxy+http_proxy="$http_proxy"} \
    sh -c "cd /tmp && $1" > "$out" 2> "$err" < /dev/null
  code=$?
}
inside 'apt-get update'
exits 0 "apt-get update"
inside 'apt-get install -y --no-install-recommends /packages/thimble_*.deb /packages/thimble-doc_*.deb'
exits 0 "thimble and thimble-doc install, with what they depend on"
examples=/usr/share/doc/thimble/examples

# ---- without a compiler, a preprocessor, and what is only recommended
inside 'command -v cc || command -v cpp'
exits 127 "no compiler is there"
inside 'thimble --version; thimble-audit --version'
same "$(cat "$out")" "$(printf 'thimble %s\nthimble-audit %s' "$version" "$version")" "both programs run"
inside "thimble check --invariant '!(critical1 && critical2)' $examples/mutex.pnml --certificate mutex.cert"
exits 0 "an example of thimble-doc holds"
inside "thimble-audit mutex.cert"
exits 0 "thimble-audit confirms it"
inside "thimble check $examples/exchange.pml"
exits 1 "Promela without a compiler"
says 'assert:21 .*after 6 steps, the shortest there is' "with its trace"
inside 'thimble check --continue --engine compiled --json -o /dev/null /packages/channels.pml'
tells 'no compiled engine: there is no C compiler' "the compiled engine: told"
same "$(field engine)" '"interpreter"' "and the interpreter runs"
slow=$(field states)
inside "printf '#define N 1\nint x = N;\nactive proctype P() { x = 0 }\n' > m.pml; thimble check m.pml"
exits 3 "a model that needs a preprocessor"
tells 'cpp' "says what is missing"
inside "thimble explore $examples/mutex.pnml"
exits 74 "the explorer without its library"
tells 'libmicrohttpd12' "names the package"
inside "thimble check --report r.html --sarif s.json --junit j.xml $examples/philosophers.net; ls r.html s.json j.xml"
exits 0 "reports"
inside "setpriv --reuid 65534 --regid 65534 --clear-groups sh -c 'unset HOME; thimble check -o /dev/null $examples/philosophers.net'"
exits 1 "works for a user without a home"
inside 'ls /usr/share/bash-completion/completions/thimble /usr/share/bash-completion/completions/thimble-audit /usr/share/zsh/vendor-completions/_thimble /usr/share/fish/vendor_completions.d/thimble.fish /usr/share/fish/vendor_completions.d/thimble-audit.fish'
exits 0 "completions are there"
inside "bash -c '. /usr/share/bash-completion/completions/thimble-audit; complete -p thimble-audit'"
exits 0 "and bash takes them"

# ---- with what is recommended, and the library
inside 'apt-get install -y --no-install-recommends gcc cpp libc6-dev libmicrohttpd12 pkg-config man-db /packages/libthimble*.deb'
exits 0 "libthimble0 and libthimble-dev install"
inside 'thimble check --continue --engine compiled --json -o /dev/null /packages/channels.pml'
same "$(field engine) $(field states)" "\"compiled\" $slow" "Promela compiled: the same states"
inside 'thimble check m.pml'
exits 0 "and preprocessed"
inside "timeout -s INT 3 thimble explore $examples/mutex.pnml"
says 'http://127.0.0.1:' "the explorer listens"
inside "cc -std=c11 -O2 -Wall -Werror $examples/api/cube.c \$(pkg-config --cflags --libs thimble) -o cube && ldd cube"
says 'libthimble.so.0 => /' "pkg-config: cube.c is linked with the shared library"
inside './cube'
says '^positions 3674160, ' "and runs"
inside "cc -std=c11 -O2 -Wall -Werror $examples/api/cube.c \$(pkg-config --static --cflags --libs thimble | sed s/-lthimble/-l:libthimble.a/) -o cube && ldd cube"
exits 0 "and with the static one"
silent 'libthimble' "which leaves no trace of it"
inside 'man -w thimble && man -w thimble-audit'
exits 0 "man pages are found"
inside 'dpkg -L thimble thimble-doc libthimble0 libthimble-dev | sort -u > /packages/files; dpkg --verify thimble thimble-doc libthimble0 libthimble-dev'
exits 0 "all files are as they were packed"

# ---- and away
inside 'apt-get purge -y thimble thimble-doc libthimble0 libthimble-dev'
exits 0 "purge"
inside 'while read -r f; do [ ! -f "$f" ] || dpkg -S "$f" > /dev/null || echo "$f"; done < /packages/files'
same "$(cat "$out")" "" "leaves no file"
inside 'find / -xdev -iname "*thimble*" ! -path "/packages/*" ! -path "/tmp/*" ! -path "/proc/*" ! -path "/root/.cache/*"; dpkg -l | grep -i thimble'
same "$(cat "$out")" "" "and nothing that is named after it"
finish
