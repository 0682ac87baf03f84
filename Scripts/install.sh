# shellcheck shell=sh
# Installs what people use.
#
# ./dev install [--static] [PREFIX=DIR] [DESTDIR=DIR]
#     install the coffer command, its manual, its completions and the links that other programs use (PREFIX defaults to
#     /usr/local); --static: a command that needs no libraries, not even that of C, and so cannot load OpenSSL's, without
#     which most certificates and keys are of no use

. Scripts/build.sh

install() {
    prefix=/usr/local
    destination=''
    is_static=''
    for word in "$@"; do
        case "$word" in
            --static) is_static=1 ;;
            PREFIX=/*) prefix=${word#PREFIX=} ;;
            DESTDIR=/* | DESTDIR=) destination=${word#DESTDIR=} ;;
            PREFIX=* | DESTDIR=*) fail "not an absolute path: $word" ;;
            *) fail "invalid argument of install: $word; use --static, PREFIX=DIR and DESTDIR=DIR" ;;
        esac
    done
    root=$destination$prefix
    mkdir -p "$root/bin" 2>/dev/null || true
    [ -w "$root/bin" ] ||
        fail "$root/bin cannot be written; use another PREFIX, such as PREFIX=$HOME/.local, or run as root"
    require
    if [ -n "$is_static" ]; then build_static coffer; built=$static; else build_dynamic; fi
    install_command "$root" "$built/coffer"
    install_swift
    say "installed $prefix/bin/coffer and its links, which git, docker, cargo and ssh use"
    say "installed what \`coffer swift\` needs in $prefix/lib/coffer"
    say "installed the manual (man coffer) and completions for bash, zsh and fish below $prefix/share"
    case ":$PATH:" in
        *":$prefix/bin:"*) ;;
        *) say "add $prefix/bin to your PATH" ;;
    esac
}

# Installs what `coffer swift` needs: the sources of the modules, and the libraries under them.
install_swift() {
    to=$root/lib/coffer/swift
    new=$to.new
    rm -rf "$new"
    mkdir -p "$new/package"
    COFFER_TARGETS=CofferSecurity,CofferLocalAuthentication,SecurityName,LocalAuthenticationName \
        swift package describe --type text 2>/dev/null | sed -n 's/^ *Path: \(Sources.*\)/\1/p' |
        xargs -I{} cp -R --parents Package.swift {} "$new/package"
    cp Sources/Apple/SwiftPackages/* "$new"
    collect_libraries "$new/libraries"
    (cd "$new" && find . -type f ! -name digest | sort | xargs sha256sum) | sha256sum | cut -c 1-16 >"$new/digest"
    rm -rf "$to"
    mv "$new" "$to"
}

# Installs a command, the links by which other programs call it, its manual and its completions.
install_command() {
    root=$1
    mkdir -p "$root/bin"
    strip --strip-all $reproducibly -o "$root/bin/.coffer.new" "$2"
    chmod 755 "$root/bin/.coffer.new"
    # In one step, so that anyone who runs it meanwhile gets the old or the new version.
    mv -f "$root/bin/.coffer.new" "$root/bin/coffer"
    for name in git-credential-coffer docker-credential-coffer cargo-credential-coffer coffer-askpass; do
        ln -sfn coffer "$root/bin/$name"
    done
    for page in coffer coffer-sync coffer-fleet coffer-security; do
        installed_file "share/man/man1/$page.1" help --man "$page"
    done
    installed_file share/bash-completion/completions/coffer completions bash
    installed_file share/zsh/site-functions/_coffer completions zsh
    installed_file share/fish/vendor_completions.d/coffer.fish completions fish
}

# Writes the output of the command to a file.
installed_file() {
    file=$root/$1
    shift
    mkdir -p "$(dirname "$file")"
    env -i HOME=/nonexistent "$root/bin/coffer" "$@" >"$file"
    chmod 644 "$file"
}

# Builds the command that people install: it needs only the C library, which can load that of OpenSSL.
build_dynamic() {
    built="$scratch/dynamic/release"
    collect_libraries "$PWD/$scratch/dynamic/libraries"
    ln -sfn "$(clang -print-file-name=libstdc++.a)" "$libraries/libstdc++.a"
    (
        export PKG_CONFIG_PATH="$libraries"
        release_build "$scratch/dynamic" -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now --product coffer
    )
}
