# shellcheck shell=sh
# How the other scripts build.
# shellcheck disable=SC2034,SC2120,SC2154

scratch='.build'
static="$scratch/static/release"

# Building without debug information takes half the time; COFFER_DEBUG_INFO=dwarf is for debuggers.
debug_info="-debug-info-format ${COFFER_DEBUG_INFO:-none}"

swift() {
    swift_verb=$1
    shift
    # shellcheck disable=SC2086
    case "$swift_verb" in build | run | test | package) set -- $debug_info "$@" ;; esac
    command swift "$swift_verb" "$@"
}

# Builds programs, all at the same time.
build_products() {
    COFFER_TARGETS=$(printf %s, "$@" | sed 's/coffer,/CofferCommand,/') build
    binaries="$PWD/$scratch/debug"
}

# Builds, with one line about the progress instead of hundreds; prints all of them if that fails.
build() {
    log="$temporary/build"
    { swift build "$@" 2>&1 || echo failed >"$log.failed"; } | tee "$log" | while IFS= read -r line; do
        case "$line" in "["*"]"*) [ ! -t 2 ] || printf '\r\033[Kdev: building %s' "${line%%]*}]" >&2 ;; esac
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
    [ ! -e "$log.failed" ] || { grep -v '^\[[0-9]' "$log" >&2; fail "failed: swift build $*"; }
}

# The compiler's hashes, in which the path of this directory is, serve only the next build. Without them, every directory
# gives the same bytes.
reproducibly='-R .swift_modhash'

# Builds products as programs that need no system libraries.
build_static() { for product in "$@"; do static_build --product "$product"; done; }

static_build() { release_build "$scratch/static" -Xswiftc -static-executable "$@"; }

# The linker drops functions that nothing calls, keeps one of those with the same code, and drops the tables for
# unwinding: 2.8 MB of the static command.
small='-Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld -Xlinker --icf=all
    -Xlinker -T -Xlinker Scripts/release.ld'

# Builds for release in the directory that comes first, without debug information, which would only be stripped.
release_build() {
    # shellcheck disable=SC2086
    command swift build -c release -debug-info-format none --static-swift-stdlib $small -Xlinker --build-id=none \
        --scratch-path "$@" >&2
}

# Makes a directory with libsodium and zlib as archives, their headers, and files that lead SwiftPM to them. The linker
# takes a library from the first directory that has it, and this one has no shared ones.
collect_libraries() {
    libraries=$1
    mkdir -p "$libraries/include/sodium"
    for package in libsodium zlib; do
        name=${package#lib}
        [ $package != zlib ] || name=z
        cp -f "$(pkg-config --variable=libdir $package)/lib$name.a" "$libraries"
        cat >"$libraries/$package.pc" <<PC
Name: $package
Description: as an archive
Version: $(pkg-config --modversion $package)
Cflags: -I\${pcfiledir}/include
Libs: -L\${pcfiledir} -l$name
PC
    done
    printf '#include <sodium.h>\n#include <zlib.h>\n' | clang -x c -M - | tr ' ' '\n' | while IFS= read -r header; do
        case "$header" in
            */sodium/*.h) cp -f "$header" "$libraries/include/sodium" ;;
            */sodium.h | */zlib.h | */zconf.h) cp -f "$header" "$libraries/include" ;;
        esac
    done
}
