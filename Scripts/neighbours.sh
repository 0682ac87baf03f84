# shellcheck shell=sh
# Builds packages that import Security, as their authors would.
#
# ./dev neighbours [all]
#     build and run packages that use import Security, beside packages that check for that module but do not know Coffer,
#     and packages of others with coffer swift (four minutes); all: with both build systems, for release, with one job

. Scripts/build.sh
. Scripts/install.sh

# Packages depend on Coffer as on any other: on a version in a git repository, with an empty cache.
neighbours() {
    require git
    case "${1:-}" in
        '' | all) ;;
        *) fail "unknown option: $1 (all)" ;;
    esac
    place="$PWD/$scratch/neighbours"
    rm -rf "$place" Tests/Apple/Packages/*/Package.resolved
    release_as_git "$place/coffer"

    neighbours_build 'debug'
    touch_neighbours
    neighbours_build 'debug, after a change'
    in_neighbours "$place/debug" test >&2 || fail 'the tests of the packages fail'
    unmodified
    [ "${1:-}" = all ] || return 0
    neighbours_build 'debug, one job' -j 1
    neighbours_build 'release' -c release
    touch_neighbours
    neighbours_build 'release, after a change' -c release
    neighbours_build 'swiftbuild, debug' --build-system swiftbuild
    touch_neighbours
    neighbours_build 'swiftbuild, debug, after a change' --build-system swiftbuild
    neighbours_build 'swiftbuild, release' --build-system swiftbuild -c release
}

# Builds and tests packages that do not mention Coffer, with what is installed for `coffer swift`.
unmodified() {
    start=$(date +%s)
    root="$place/installed"
    mkdir -p "$root/lib/coffer"
    install_swift
    packages=Tests/Apple/Packages/Unmodified
    coffer_swift flags compile >"$place/compile.flags" || fail 'the modules for coffer swift do not build'
    coffer_swift flags link >"$place/link.flags"
    say "neighbours: the modules of coffer swift, $(($(date +%s) - start)) s"

    # One file, as another build system would compile it, and as an editor shows it.
    app=$place/app
    mkdir -p "$app/Sources/App" "$app/.sourcekit-lsp"
    source=Sources/App/main.swift
    cat >"$app/Package.swift" <<'SWIFT'
// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "App", targets: [.executableTarget(name: "App")])
SWIFT
    cat >"$app/$source" <<'SWIFT'
import Security
let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrAccessGroup: "com.example.other"]
print("status \(SecItemDelete(query as CFDictionary))")
SWIFT
    swiftc "@$place/compile.flags" "$app/$source" "@$place/link.flags" -o "$place/one" >&2 &&
        [ "$(at_home "$place/one")" = 'status -25300' ] || fail 'the printed flags do not work'
    coffer_swift flags editor >"$app/.sourcekit-lsp/config.json"
    python3 Tests/Apple/Packages/editor.py "$app" $source SecItemDelete | grep -q '^Deletes all items' ||
        fail 'an editor does not show what coffer swift flags editor configures'
    # The build service of Swift 6.3 crashes now and then, whatever it builds.
    build_app || build_app || fail 'the printed flags do not work with swiftbuild'
    built=$(at_home swift build --build-system swiftbuild --package-path "$app" --show-bin-path)
    [ "$(at_home "$built/App")" = 'status -25300' ] || fail 'a program of swiftbuild does not work'
    # Entitlements beside the package are in the program, as long as they are there.
    cat >"$app/App.entitlements" <<'PLIST'
<plist version="1.0"><dict><key>keychain-access-groups</key><array/></dict></plist>
PLIST
    [ "$(coffer_swift run --package-path "$app")" = 'status -34018' ] || fail 'coffer swift does not embed entitlements'
    rm "$app/App.entitlements"
    [ "$(coffer_swift run --package-path "$app")" = 'status -25300' ] || fail 'coffer swift embeds former entitlements'

    rm -rf "$place/home/.local"
    in_unmodified run Diary >"$place/output" || fail 'the packages that do not mention Coffer do not run'
    diff $packages/expected.txt "$place/output" >&2 || fail 'wrong output of packages without Coffer'
    [ "$(in_unmodified run Reader)" = 'status -25300' ] || fail 'a program does not run that uses a dynamic library'
    # The tests leave nothing in the user's vault.
    rm -rf "$place/home/.local"
    in_unmodified test --no-parallel >&2 || fail 'the tests of packages without Coffer fail'
    [ ! -e "$place/home/.local" ] || [ -z "$(find "$place/home/.local" -name '*.coffer')" ] ||
        fail 'coffer swift test uses the vault of the user'
    in_unmodified run --include credentials --include crypto --include certificates Diary |
        grep -q 'X509: Security, Crypto: Security, Credentials: Security' || fail 'coffer swift ignores --include'

    coffer_swift test --package-path Tests/Apple/Packages/Neighbours/Stamp --scratch-path "$place/stamp" >&2 ||
        fail 'the tests of a macro do not see the modules'

    # Packages that are ready for Linux, as the root: left alone, included, and included although that does not compile.
    for name in Unmodified/swift-pinning Neighbours/Credentials; do
        ready=$(basename "$name" | tr '[:upper:]' '[:lower:]')
        coffer_swift build --package-path "Tests/Apple/Packages/$name" --scratch-path "$place/$ready" 2>"$place/errors" >&2 ||
            fail "coffer swift does not build $name, which swift builds"
        tail -n 1 "$place/errors" | grep -q -- "add --include $ready\$" || fail "coffer swift does not name $name"
    done
    coffer_swift build --include credentials --package-path Tests/Apple/Packages/Neighbours/Credentials \
        --scratch-path "$place/credentials" 2>"$place/errors" >&2 && ! grep -q -- --include "$place/errors" ||
        fail 'coffer swift does not include a package that is ready for Linux'
    ! coffer_swift build --include swift-pinning --package-path $packages/swift-pinning --scratch-path "$place/swift-pinning" \
        >"$place/output" 2>&1 || fail 'what cannot compile on Linux compiles'
    tail -n 1 "$place/output" | grep -q -- 'add --except swift-pinning$' || fail 'coffer swift does not say what hides the modules'
    say "neighbours: packages without Coffer, $(($(date +%s) - start)) s"
}

build_app() {
    # shellcheck disable=SC2046
    at_home env SWIFT_BACKTRACE=enable=no swift build --build-system swiftbuild --package-path "$app" \
        $(sed 's/^/-Xswiftc /' "$place/compile.flags") $(sed 's/^/-Xlinker /' "$place/link.flags") >&2
}

in_unmodified() {
    verb=$1
    shift
    coffer_swift "$verb" --package-path $packages --scratch-path "$place/unmodified" "$@"
}

# Runs a command for a user of its own, since this one's variables may name another vault.
at_home() {
    mkdir -p "$place/home"
    env -i HOME="$place/home" PATH="$PATH" COFFER_QUIET=1 "$@"
}

coffer_swift() { at_home "$root/lib/coffer/swift/coffer-swift" "$@"; }

# Makes a git repository of the sources, with the tag of a version.
release_as_git() {
    mkdir -p "$1"
    git ls-files --cached --others --exclude-standard | while IFS= read -r file; do
        [ ! -e "$file" ] || printf '%s\0' "$file"
    done | xargs -0 cp --parents --no-dereference -t "$1"
    git -C "$1" init --quiet
    git -C "$1" add --all
    git -C "$1" -c user.name=Coffer -c user.email= commit --quiet --message 'A version'
    git -C "$1" tag 0.1.0
}

# Runs `swift VERB` for the packages, with a directory for the build. Its path contains a space, which the plugin must
# handle.
in_neighbours() {
    build="$1 of the neighbours"
    verb=$2
    shift 2
    at_home env COFFER_URL="file://$place/coffer" \
        swift "$verb" $debug_info --package-path Tests/Apple/Packages/Neighbours --scratch-path "$build" "$@"
}

touch_neighbours() {
    # Some file systems store times in whole seconds.
    sleep 1
    for package in Certificates Credentials Crypto Tokens; do
        find "Tests/Apple/Packages/Neighbours/$package" -name '*.swift' -exec touch {} +
    done
}

# Builds the packages in a way, and runs their programs.
neighbours_build() {
    what=$1
    shift
    start=$(date +%s)
    name=$(echo "${what%, after a change}" | tr ', ' __)
    in_neighbours "$place/$name" build "$@" >&2 || fail "the packages do not build: $what"
    binaries=$(in_neighbours "$place/$name" build "$@" --show-bin-path)
    rm -rf "$place/home/.local"
    for program in App Server Tool; do
        at_home "$binaries/$program" || printf 'failed: %s\n' $?
    done >"$place/output"
    diff Tests/Apple/Packages/Neighbours/expected.txt "$place/output" >&2 || fail "wrong output: $what"
    variants=$("$binaries/Server" variants)
    [ "$variants" = 'X509: portable, Crypto: portable, Credentials: portable' ] ||
        fail "packages that do not know Coffer see it: $variants ($what)"
    say "neighbours: $what, $(($(date +%s) - start)) s"
}
