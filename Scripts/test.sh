# shellcheck shell=sh
# Builds and runs tests.
#
# ./dev test [NAME] [ARGS...]
#     build and run all tests, or those of a target, suite or test such as CofferTests.LockingTests; ARGS go to the
#     tests, such as --no-parallel
# ./dev quick
#     lint, build and test what has changed since main
# ./dev whole [NAME]
#     run the tests with as many random trials as before a release: more changed password files, merges, archives and
#     indexes than in each run
# ./dev sanitize [KIND [ARGS...]]
#     run the tests under a sanitizer: address or thread; ARGS go to the tests
# ./dev fleet [WRITES]
#     kill machines and members of etcd during 10,000 writes, and simulate 1,000 machines

. Scripts/build.sh

# What the tests run.
test_programs='python3 git openssl sshd tmux'

# A name of a test target, a suite in it or a test in that builds only what it needs.
run_tests() {
    # shellcheck disable=SC2086
    require $test_programs
    target=${1:-}
    target=${target%%[./]*}
    if [ -n "$target" ] && [ -d "$(echo Tests/*/"$target")" ]; then
        export COFFER_TARGETS="$target"
        name=$1
        shift
        set -- --filter "^$name" "$@"
    fi
    build --product CofferPackageTests
    test_in_time "$@"
}

whole() { COFFER_WHOLE=1 run_tests "$@"; }

# Fleets at full size.
fleet() {
    require etcdctl
    export COFFER_FLEET_WRITES="${1:-10000}"
    run_tests CofferFleetTests.FleetFailureTests
    export COFFER_FLEET_MACHINES=1000 COFFER_FLEET_STEPS=2 COFFER_FLEET_SEED=1 COFFER_FLEET_SEEDS=1
    run_tests CofferFleetTests.FleetSimulationTests
}

# What is worth knowing after each change: the format, and the tests of the modules that differ from main.
quick() {
    # shellcheck disable=SC2086
    require $test_programs
    base=$(git merge-base main HEAD)
    changed=$(git diff --name-only "$base"; git ls-files --others --exclude-standard)
    sources=$(printf '%s\n' "$changed" | grep '\.swift$' | while IFS= read -r file; do [ ! -f "$file" ] || echo "$file"; done)
    # shellcheck disable=SC2086
    [ -z "$sources" ] || swift format lint --strict $sources
    names=$(printf '%s\n' "$changed" | cut -d/ -f1-3 | sort -u | while IFS= read -r place; do tests_of "$place"; done |
        sort -u | paste -sd , -)
    [ -n "$names" ] || { say 'nothing has changed since main'; return; }
    say "tests: $names"
    export COFFER_TARGETS="$names"
    build --product CofferPackageTests
    test_in_time
}

# The test targets for a directory.
tests_of() {
    module=${1##*/}
    case "$1" in
        Tests/*/*Tests) echo "$module" ;;
        Tests/Support/KeychainWorker) echo CofferTests ;;
        Tests/Support/SecItemWorker) echo CofferSecurityTests ;;
        Tests/Support/PersistenceWorker) echo LocalPersistenceTests ;;
        Tests/Support/StoreWorker) echo ProcessTests ;;
        Tests/Support/TestSupport) echo TestSupportTests ;;
        Tests/Support/StoreTestSupport) echo VaultStoreTests ;;
        Tests/Support/KeychainTestSupport) echo CofferTests ;;
        Sources/Base/CofferBasics) printf '%s\n' CofferBasicsTests VaultCryptoTests ;;
        Sources/Keychain/Coffer) printf '%s\n' CofferTests CofferSecurityTests ;;
        Sources/Keychain/CofferFoundation) echo CofferTests ;;
        Sources/Command/CommandSystem | Sources/Command/CofferCommand) echo CofferCLITests ;;
        Sources/Apple/CofferCertificates) printf '%s\n' CofferCertificatesTests CofferSecurityTests ;;
        Sources/Apple/CofferKeyItems) echo CofferSecurityTests ;;
        Sources/Apple/CofferLocalAuthentication) echo LocalAuthenticationTests ;;
        Sources/Examples/*) echo ExampleTests ;;
        Sources/Vault/VaultStore) printf '%s\n' VaultStoreTests CrashTests ;;
        Sources/Vault/VaultFormat) printf '%s\n' VaultFormatTests ConformanceTests ;;
        Sources/*) [ ! -d "$(echo Tests/*/"${module}Tests")" ] || echo "${module}Tests" ;;
        Fixtures/x509/*) echo CofferCertificatesTests ;;
        Fixtures/keys/* | Fixtures/pkcs12/* | Fixtures/trust/*) echo CofferSecurityTests ;;
        Spec/* | Fixtures/*) echo ConformanceTests ;;
    esac
    case "$1" in Sources/* | Scripts/* | dev | Package.swift | *.md) echo ArchitectureTests ;; esac
}

# Runs the tests that were built, and prints what fails and how it ends. They are stopped if one hangs; at a terminal, a
# person can do that. Single tests have no time limit, because that would include the time that a test waits for one of
# the few threads that run all tests.
test_in_time() {
    events="$scratch/tests.jsonl"
    in_time='timeout --kill-after=10 2400'
    [ ! -t 0 ] || in_time=''
    status=0
    $in_time "$scratch/debug/CofferPackageTests.xctest" --testing-library swift-testing --quiet \
        --event-stream-version 0 --event-stream-output-path "$events" "$@" || status=$?
    case "$status" in
        0) ;;
        69) fail 'no test has this name' ;;
        124) fail "stopped after 40 minutes; what had started and not ended: $(python3 Scripts/unfinished_tests.py "$events")" ;;
        *) return "$status" ;;
    esac
}

sanitize() {
    kind=${1:-address}
    case "$kind" in
        address) flags='' ;;
        # It does not see the locks of the standard library; with this flag each is wrapped in one that it sees.
        thread) flags='-Xswiftc -DSANITIZE_THREAD' ;;
        *) fail "unknown sanitizer: $kind (address, thread)" ;;
    esac
    [ $# -eq 0 ] || shift
    require python3
    scratch="$scratch/$kind"
    # shellcheck disable=SC2086
    build --product CofferPackageTests --sanitize="$kind" $flags --scratch-path "$scratch"
    # Only a few objects of the toolchain's test runner and of Foundation's Process leak at exit. MemoryTests searches
    # the memory of programs, which takes minutes because a sanitizer keeps freed memory.
    COFFER_FLIPS=sample COFFER_CRASH=sample SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 \
        test_in_time --skip CofferTests.MemoryTests "$@"
}
