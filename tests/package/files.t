#!/bin/sh
# files.t -- make install beside what the Debian packages take of it.
. tests/cli/lib.sh
[ "${CONFIG:-release}" = release ] || { echo "1..0 # SKIP only of the release build"; exit 0; }

# Folders as debian/rules names them, with one for the machine.
places="PREFIX=/usr LIBDIR=/usr/lib/machine ZSHDIR=/usr/share/zsh/vendor-completions"
# shellcheck disable=SC2086
(cd "$ROOT" && MAKEFLAGS= make -s install DESTDIR="$WORK/root" MPI=0 $places) > "$out" 2> "$err"
ok $? "make install"
for name in PREFIX=/usr LIBDIR=/usr/lib/ ZSHDIR=/usr/share/zsh/vendor-completions; do
  grep -q "dh_auto_install.* $name" "$ROOT/debian/rules"; ok $? "debian/rules: $name"
done
(cd root && find . ! -type d | sed 's|^\./||' | LC_ALL=C sort) > installed
cat "$ROOT"/debian/*.install | sed 's|/\*/|/machine/|' | LC_ALL=C sort > packed
diff installed packed > "$out"; ok $? "the packages take every file that is installed, and each once"
same "$(find root -type l ! -exec test -e {} \; -print)" "" "every link leads somewhere"
(cd "$ROOT" && sed -n 's/^Package: //p' debian/control | sort) > packages
same "$(cat packages | tr '\n' ' ')" "libthimble-dev libthimble0 thimble thimble-doc " "the packages"
for pattern in $(cat "$ROOT/debian/thimble-doc.docs" "$ROOT/debian/thimble-doc.examples"); do
  (cd "$ROOT" && set -- $pattern && [ -e "$1" ]); ok $? "thimble-doc: there is $pattern"
done
(cd "$ROOT" && find doc -type d ! -name doc | sort) > folders
same "$(grep -vxF -f "$ROOT/debian/thimble-doc.docs" folders)" "" "thimble-doc has all folders of doc"
# The symbols that programs may use.
nm -D --defined-only root/usr/lib/machine/libthimble.so.0 | awk '$2 ~ /[TDBR]/ { print $3 }' | LC_ALL=C sort > has
sed -n 's/^ \(.*\)@Base .*/\1/p' "$ROOT/debian/libthimble0.symbols" | LC_ALL=C sort > told
diff has told > "$out"; ok $? "libthimble0.symbols has the library's symbols"
grep -q "^libdir=\${prefix}/lib/machine$" root/usr/lib/machine/pkgconfig/thimble.pc; ok $? "pkg-config is told where the library is"
# What building needs stands in two places.
for package in $(sed -n '/^Build-Depends:/,/^[A-RT-Z]/p' "$ROOT/debian/control" | grep -o 'lib[a-z0-9-]*-dev'); do
  grep -q "^build=.*$package" "$ROOT/tools/setup"; ok $? "tools/setup installs $package"
done
# shellcheck disable=SC2086
(cd "$ROOT" && MAKEFLAGS= make -s uninstall DESTDIR="$WORK/root" $places) > "$out" 2> "$err"
same "$(find root ! -type d)" "" "make uninstall removes it all"
finish
