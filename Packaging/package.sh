# shellcheck shell=sh
# `./dev package`: Debian packages, a tarball and a wheel, which are the same bytes for the same commit.

# The version in packages of Debian, in which a tilde sorts before the end.
debian_version() { sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/Coffer/Version.swift | sed 's/-/~/'; }

package() {
    require dpkg-deb gzip python3 openssl
    packages="$PWD/$scratch/packages"
    rm -rf "$packages"
    mkdir -p "$packages"
    version=$(debian_version)
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
    python3 Python/wheel.py "$library/libcoffer.so.1" "$packages" >&2
    (cd "$packages" && find . -maxdepth 1 -type f | sed 's|^\./||' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
    sign_packages
    rm -rf "$packages/roots"
    ls -l "$packages" >&2
}

# Writes a Debian package from a directory: NAME SECTION DEPENDS SUMMARY TEXT [FIELD...].
debian_package() {
    root="$packages/roots/$1"
    mkdir -p "$root/DEBIAN" "$root/usr/share/doc/$1"
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: Coffer <coffer@example.org>\n' "$1" "$version" "${architecture_of:-$architecture}"
        printf 'Installed-Size: %s\nDepends: %s\nSection: %s\nPriority: optional\n' "$(du -sk "$root" | cut -f1)" "$3" "$2"
        name=$1 summary=$4 text=$5
        shift 5
        for field in "$@"; do printf '%s\n' "$field"; done
        printf 'Description: %s\n %s\n' "$summary" "$text"
    } >"$root/DEBIAN/control"
    cat >"$root/usr/share/doc/$name/copyright" <<'TEXT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Coffer

Files: *
Copyright: the authors of Coffer
License: Apache-2.0
 On Debian systems, the text of the license is in /usr/share/common-licenses/Apache-2.0.

Files: runtime-of-swift
Copyright: Apple Inc. and the authors of Swift
License: Apache-2.0 with the Runtime Library Exception

Files: libsodium
Copyright: Frank Denis
License: ISC

Files: zlib
Copyright: Jean-loup Gailly and Mark Adler
License: Zlib
TEXT
    printf '%s (%s) unstable; urgency=medium\n\n  * See https://coffer.example.org/changes.\n\n -- Coffer <coffer@example.org>  %s\n' \
        "coffer" "$version" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$root/usr/share/doc/$name/changelog.gz"
    find "$root" -type d -exec chmod 755 {} +
    (cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    chmod 644 "$root/DEBIAN/md5sums" "$root/usr/share/doc/$name/"*
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz --build "$root" "$packages" >&2
}

package_command() {
    build_dynamic
    root="$packages/roots/coffer"
    install_command "$root/usr" "$built/coffer"
    gzip -9n "$root/usr/share/man/man1/coffer.1"
    mkdir -p "$root/usr/share/doc/coffer/examples"
    cp Packaging/coffer-example.service "$root/usr/share/doc/coffer/examples"
    debian_package coffer utils "libc6 (>= $glibc)" 'keychain in encrypted vault files' \
        "The command coffer keeps passwords, keys and certificates in one encrypted file that
 can be copied anywhere. It needs no daemon, no D-Bus, no display and no
 terminal. It has the verbs of macOS security, and helpers for git, docker,
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
    python3 Python/wheel.py "$library/libcoffer.so.1" "$packages/roots" >&2
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
    name="coffer-$(echo "$version" | tr '~' -)-linux-$(uname -m)"
    root="$packages/roots/$name"
    install_command "$root" "$static/coffer"
    cp LICENSE README.md "$root"
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    tar -C "$packages/roots" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        --format=gnu -cf - "$name" | gzip -9n >"$packages/$name.tar.gz"
}

# Signs the checksums in the format of minisign, if COFFER_SIGNING_KEY names a private key of Ed25519 in PEM.
sign_packages() {
    [ -n "${COFFER_SIGNING_KEY:-}" ] || {
        say 'not signed: COFFER_SIGNING_KEY does not name a private key'
        return
    }
    python3 Packaging/minisign.py "$COFFER_SIGNING_KEY" "$packages/SHA256SUMS" "coffer $version"
}
