# shellcheck shell=sh
# Makes packages, which are the same bytes for the same commit.
#
# ./dev package
#     build Debian packages, a tarball and a wheel; COFFER_SIGNING_KEY names the private key of Ed25519 that signs them
# ./dev installs
#     install these packages in bare roots of Debian, and use them there (needs root and Debian's mirror)

. Scripts/build.sh
. Scripts/install.sh
. Scripts/library.sh

package() {
    require dpkg-deb gzip python3 openssl
    packages="$PWD/$scratch/packages"
    rm -rf "$packages"
    mkdir -p "$packages"
    # In Debian, a tilde sorts before the end.
    version=$(coffer_version | sed 's/-/~/')
    architecture=$(dpkg --print-architecture)
    multiarch=$(gcc -print-multiarch 2>/dev/null || clang -print-multiarch)
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
    export SOURCE_DATE_EPOCH
    build_library
    glibc=$(objdump -T "$library/libcoffer.so.1" | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -1 | cut -d_ -f2)
    package_command
    package_library
    package_headers
    package_python
    package_tarball
    python3 Sources/Library/Python/wheel.py "$library/libcoffer.so.1" "$packages" >&2
    (cd "$packages" && find . -maxdepth 1 -type f | sed 's|^\./||' | LC_ALL=C sort | xargs sha256sum >../SHA256SUMS)
    mv "$scratch/SHA256SUMS" "$packages"
    sign_packages
    rm -rf "$packages/roots"
    ls -l "$packages" >&2
}

# Writes a Debian package from a directory: NAME SECTION DEPENDS SUMMARY TEXT [FIELD...].
debian_package() {
    root="$packages/roots/$1"
    mkdir -p "$root/DEBIAN" "$root/usr/share/doc/$1"
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\n' "$1" "$version" "${architecture_of:-$architecture}"
        printf 'Maintainer: Coffer <coffer@example.org>\nSection: %s\nPriority: optional\n' "$2"
        printf 'Installed-Size: %s\nDepends: %s\n' "$(find "$root" -type f -printf '%s\n' | awk '{n += $1} END {print int(n / 1024)}')" "$3"
        name=$1 summary=$4 text=$5
        shift 5
        for field in "$@"; do printf '%s\n' "$field"; done
        printf 'Description: %s\n %s\n' "$summary" "$text"
    } >"$root/DEBIAN/control"
    cp Scripts/copyright "$root/usr/share/doc/$name/copyright"
    printf '%s (%s) unstable; urgency=medium\n\n  * Development version; CHANGELOG.md in the sources has the changes.\n\n -- Coffer <coffer@example.org>  %s\n' \
        "coffer" "$version" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$root/usr/share/doc/$name/changelog.gz"
    # They run on every release of Debian with the same glibc, so the libraries are those that were tested.
    if [ -z "${architecture_of:-}" ] && [ "$name" != libcoffer-dev ]; then
        mkdir -p "$root/usr/share/lintian/overrides"
        printf '%s: embedded-library *\n' "$name" >"$root/usr/share/lintian/overrides/$name"
    fi
    find "$root" -type d -exec chmod 755 {} +
    (cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    find "$root/DEBIAN" "$root/usr/share" -type f -exec chmod 644 {} +
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz --build "$root" "$packages" >&2
}

package_command() {
    build_dynamic
    install_command "$packages/roots/coffer/usr" "$built/coffer"
    root="$packages/roots/coffer"
    gzip -9n "$root/usr/share/man/man1/"*.1
    for link in git-credential-coffer docker-credential-coffer cargo-credential-coffer coffer-askpass; do
        ln -s coffer.1.gz "$root/usr/share/man/man1/$link.1.gz"
    done
    mkdir -p "$root/usr/share/doc/coffer/examples"
    cp Scripts/coffer-example.service Scripts/coffer-fleet.service "$root/usr/share/doc/coffer/examples"
    debian_package coffer utils "libc6 (>= $glibc)" 'keychain in encrypted vault files' \
        "The command coffer keeps passwords, keys and certificates in one encrypted
 file that can be copied anywhere. It needs no daemon, no D-Bus, no display and
 no terminal. It has the verbs of macOS security, and helpers for git, docker,
 cargo and ssh." 'Recommends: libssl3'
}

package_library() {
    root="$packages/roots/libcoffer1"
    mkdir -p "$root/usr/lib/$multiarch" "$root/DEBIAN"
    cp "$library/libcoffer.so.1" "$root/usr/lib/$multiarch"
    chmod 644 "$root/usr/lib/$multiarch/libcoffer.so.1"
    printf 'libcoffer 1 libcoffer1 (>= %s)\n' "$version" >"$root/DEBIAN/shlibs"
    printf 'libcoffer.so.1 libcoffer1 #MINVER#\n COFFER_1@COFFER_1 %s\n' "$version" >"$root/DEBIAN/symbols"
    sed "s/.*/ &@COFFER_1 $version/" "$library/functions" >>"$root/DEBIAN/symbols"
    printf 'activate-noawait ldconfig\n' >"$root/DEBIAN/triggers"
    debian_package libcoffer1 libs "libc6 (>= $glibc)" 'keychains in encrypted vault files - library' \
        'The C interface of Coffer: keychains in encrypted, append-only vault files.' 'Multi-Arch: same'
}

package_headers() {
    root="$packages/roots/libcoffer-dev"
    mkdir -p "$root/usr/lib/$multiarch/pkgconfig" "$root/usr/include" "$root/usr/share/doc/libcoffer-dev/examples"
    cp "$library/include/"coffer.h* "$root/usr/include"
    cp "$library/libcoffer.a" "$root/usr/lib/$multiarch"
    ln -s libcoffer.so.1 "$root/usr/lib/$multiarch/libcoffer.so"
    sed "s|^prefix=.*|prefix=/usr|; s|^libdir=.*|libdir=\${prefix}/lib/$multiarch|" "$library/pkgconfig/coffer.pc" \
        >"$root/usr/lib/$multiarch/pkgconfig/coffer.pc"
    cp Sources/Examples/C/tour.c Sources/Examples/C/tour.cpp "$root/usr/share/doc/libcoffer-dev/examples"
    find "$root" -type f -exec chmod 644 {} +
    debian_package libcoffer-dev libdevel "libcoffer1 (= $version)" 'keychains in encrypted vault files - development' \
        'The header for C, the one for C++, the static library and examples.' 'Multi-Arch: same'
}

package_python() {
    root="$packages/roots/python3-coffer"
    place="$root/usr/lib/python3/dist-packages"
    mkdir -p "$place"
    python3 Sources/Library/Python/wheel.py "$library/libcoffer.so.1" "$packages/roots" >&2
    python3 -m zipfile -e "$packages/roots/"coffer-*.whl "$place"
    # The library is that of libcoffer1.
    rm -rf "$place/coffer/libcoffer.so.1" "$place/"coffer-*.dist-info/RECORD "$place/"coffer-*.dist-info/licenses
    find "$root" -type f -exec chmod 644 {} +
    architecture_of=all debian_package python3-coffer python "python3 (>= 3.10), libcoffer1 (>= $version)" \
        'keychains in encrypted vault files - Python' \
        'The package coffer for Python 3, and a backend for keyring that needs no D-Bus.' 'Suggests: python3-keyring'
}

# The command that needs nothing, with its manual and completions.
package_tarball() {
    build_static coffer
    folder="coffer-$(echo "$version" | tr '~' -)-linux-$(uname -m)"
    install_command "$packages/roots/$folder" "$static/coffer"
    cp LICENSE README.md "$packages/roots/$folder"
    tar -C "$packages/roots" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        --format=gnu -cf "$packages/$folder.tar" "$folder"
    gzip -9n "$packages/$folder.tar"
}

# Signs the checksums in the format of minisign, if COFFER_SIGNING_KEY names a private key of Ed25519 in PEM.
sign_packages() {
    [ -n "${COFFER_SIGNING_KEY:-}" ] || {
        say 'not signed: COFFER_SIGNING_KEY does not name a private key'
        return
    }
    python3 Scripts/minisign.py "$COFFER_SIGNING_KEY" "$packages/SHA256SUMS" "coffer $version"
}

# Installs the packages in bare roots of Debian, and uses them there.
installs() {
    require debootstrap dpkg-deb
    [ -x "$scratch/python/bin/pip" ] || fail 'there is no pip to download keyring with; run ./dev python first'
    [ -f "$scratch/packages/SHA256SUMS" ] || fail 'there are no packages; run ./dev package first'
    bare=$(temporary)
    trap 'umount "$bare/machine/proc" 2>/dev/null || true; rm -rf "$temporary"' EXIT
    say 'making a bare root'
    debootstrap --variant=minbase "$(. /etc/os-release; echo "$VERSION_CODENAME")" "$bare/clean" >"$bare/log" 2>&1 ||
        fail "$(tail -5 "$bare/log")"
    on_machine the_command_alone
    on_machine the_tarball_alone
    on_machine a_program_in_c
    on_machine a_wheel_with_keyring_and_pip
    on_machine a_package_for_python
    say 'all installs work'
}

# Runs a function with a fresh machine in $machine.
on_machine() {
    say "== $1" | tr _ ' '
    machine="$bare/machine"
    cp -a "$bare/clean" "$machine"
    cp -L /etc/resolv.conf "$machine/etc" 2>/dev/null || true
    cp -R /etc/apt/sources.list* /etc/apt/apt.conf.d "$machine/etc/apt/" 2>/dev/null || true
    mkdir -p "$machine/packages"
    cp "$scratch/packages/"* "$machine/packages"
    mount -t proc proc "$machine/proc"
    "$1" || fail "$1 failed"
    umount "$machine/proc"
    rm -rf "$machine"
}

# Runs a line in the machine, as a login would: without variables of this one.
there() {
    printf '$ %s\n' "$1"
    env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin DEBIAN_FRONTEND=noninteractive \
        "$(command -v chroot)" "$machine" sh -c "cd /root; $1" 2>&1 ||
        fail "failed: $1"
}

# Installs Debian's own packages there.
there_from_debian() { there "apt-get update -qq && apt-get install -y -qq --no-install-recommends $1" >"$bare/log" || fail "$(cat "$bare/log")"; }

the_command_alone() {
    there 'dpkg -i /packages/coffer_*.deb >/dev/null && coffer --version'
    there 'printf hunter2 | coffer set mail kim && coffer get mail' | tee "$bare/output"
    grep -qx hunter2 "$bare/output"
    there 'dpkg -r coffer >/dev/null && ! command -v coffer'
}

the_tarball_alone() {
    there 'cd /packages && sha256sum --quiet -c SHA256SUMS && tar -xzf coffer-*.tar.gz -C /opt && mv /opt/coffer-* /opt/coffer'
    there 'printf hunter2 | /opt/coffer/bin/coffer set mail kim && /opt/coffer/bin/coffer get mail' | grep -qx hunter2
}

a_program_in_c() {
    there_from_debian 'gcc g++ libc6-dev pkg-config'
    there 'dpkg -i /packages/libcoffer*.deb >/dev/null'
    there 'cc -Wall -Wextra -Werror /usr/share/doc/libcoffer-dev/examples/tour.c $(pkg-config --cflags --libs coffer) -o tour && ./tour /root/tour.coffer'
    there 'c++ -std=c++17 /usr/share/doc/libcoffer-dev/examples/tour.cpp $(pkg-config --cflags --libs coffer) -o tour++ && ./tour++ /root/tour2.coffer'
    there 'cc /usr/share/doc/libcoffer-dev/examples/tour.c /usr/lib/*/libcoffer.a -lm -o tour-static && dpkg -r libcoffer-dev libcoffer1 >/dev/null && ./tour-static /root/tour3.coffer'
}

a_wheel_with_keyring_and_pip() {
    there_from_debian python3-venv
    cp Sources/Library/Python/tests/index.py "$machine/root"
    echo '127.0.0.1 localhost' >>"$machine/etc/hosts"
    # Downloaded here, since this machine knows how to reach an index.
    "$scratch/python/bin/pip" download -q -d "$machine/packages" keyring pip
    there 'python3 -m venv v && v/bin/pip install -q --no-index --find-links /packages --upgrade pip keyring coffer && v/bin/keyring --list-backends'
    there 'echo hunter2 | v/bin/keyring set localhost:8765 kim && v/bin/keyring get localhost:8765 kim'
    there 'v/bin/python index.py 8765 kim hunter2 v/bin/pip install --disable-pip-version-check --no-deps --index-url http://kim@localhost:8765/simple --keyring-provider import sample'
    there 'v/bin/python -c "import sample; print(sample.text)"' | tee "$bare/output"
    grep -q 'from the index' "$bare/output"
}

a_package_for_python() {
    there_from_debian 'python3 python3-keyring'
    there 'dpkg -i /packages/libcoffer1_*.deb /packages/python3-coffer_*.deb >/dev/null && keyring --list-backends | grep coffer'
    there 'echo hunter2 | keyring set mail kim && keyring get mail kim' | grep -qx hunter2
    there 'python3 -c "import coffer; print(coffer.Keychain.open().get(coffer.GenericPassword, service=\"mail\"))"'
}
