# shellcheck shell=sh
# Crashes, disturbs and damages vaults.
#
# ./dev crash [full|flips|planted]
#     a sample by default; full: everything (80 minutes); flips: every bit of the golden vaults; planted: check that the
#     tests find bugs planted in the store
# ./dev crash processes [SECONDS]
#     kill processes that share a vault (60 seconds)

. Scripts/build.sh

crash() {
    require
    export SWIFT_BACKTRACE=enable=no
    case "${1:-sample}" in
        sample) swift test --filter CrashTests ;;
        full) COFFER_CRASH=full optimized_crash_tests "$store_crash_tests" ;;
        # More than a million vaults.
        flips) COFFER_FLIPS=all optimized_crash_tests FlipTests ;;
        planted) planted ;;
        processes)
            COFFER_CRASH_SECONDS=$(seconds "${2:-60}")
            export COFFER_CRASH_SECONDS
            swift test --filter KillTests
            ;;
        *) fail "unknown crash test: $1 (full, flips, planted, processes)" ;;
    esac
}

optimized_crash_tests() {
    COFFER_TARGETS=CrashTests swift test -c release -Xswiftc -enable-testing --scratch-path "$scratch/crash" --filter "$1"
}

# The tests of what writes a new file from an old one.
rewriting_tests='^VaultStoreTests\.(Carrying|Compaction|DeviceSettling|GoldenVault|History|Merge[A-Za-z]*|Rotation)Tests'

# The tests that crash a store, not those that damage a file by hand.
store_crash_tests='^CrashTests\.(PowerFailure|KillPoint|Compound|Fault|ForeignFile|Neighbour|Creation|Acceptance)Tests'

# Plants one bug after the other in a copy of the sources, and requires that the crash tests find it.
planted() {
    require patch
    copy="$scratch/planted/source"
    log="$scratch/planted/log"
    rm -rf "$copy"
    mkdir -p "$copy"
    # Times are preserved, so that only changed files are rebuilt.
    cp -Rp Package.swift Sources Tests Fixtures Spec "$copy"
    missed=''
    planted_for CrashTests "$store_crash_tests"
    planted_for VaultStoreTests "$rewriting_tests"
    [ -z "$missed" ] || fail "the tests missed:$missed"
    say 'all planted bugs were found'
}

# planted_for TARGET TESTS: plants the bugs that these tests of a target must find.
planted_for() {
    say "building $1 without a planted bug"
    test_planted "$@" || fail "$1 fail without a planted bug: see $log"
    for patch in Tests/Vault/"$1"/Planted/*.patch; do
        name=$(basename "$patch" .patch)
        plant "$patch" -d "$copy"
        if test_planted "$@"; then
            missed="$missed $name"
            say "$name: missed"
        else
            grep -Eq 'recorded an issue|Fatal error' "$log" || fail "$name: the tests did not run: see $log"
            say "$name: found $(grep -Ec 'recorded an issue|Fatal error' "$log") times"
        fi
        cp -Rp Sources "$copy"
    done
}

# Plants a bug without fuzz: at another place it would be a different bug.
plant() {
    planted_bug=$1
    shift
    patch -s -F0 --no-backup-if-mismatch -p0 "$@" <"$planted_bug" >&2 ||
        fail "$planted_bug no longer applies to the sources: update it"
}

# Reports outdated patches now, and not when the bugs are next planted.
check_planted() {
    for patch in Tests/Vault/*/Planted/*.patch; do plant "$patch" --dry-run; done
}

# test_planted TARGET TESTS
test_planted() {
    COFFER_TARGETS=$1 swift build --package-path "$copy" --scratch-path "$scratch/planted/build" \
        --product CofferPackageTests >"$log" 2>&1 || return
    COFFER_TARGETS=$1 timeout 1800 swift test --skip-build --package-path "$copy" \
        --scratch-path "$scratch/planted/build" --filter "$2" >>"$log" 2>&1
}
