# shellcheck shell=sh
# Runs what must pass.
#
# ./dev check
#     run everything that must pass before a change lands
# ./dev lint
#     check the format of the sources, and that the patches of planted bugs apply to them

. Scripts/build.sh
. Scripts/test.sh
. Scripts/bench.sh
. Scripts/instructions.sh
. Scripts/fuzz.sh
. Scripts/crash.sh
. Scripts/neighbours.sh
. Scripts/fixtures.sh
. Scripts/library.sh

check() {
    # shellcheck disable=SC2086
    require $test_programs zsh fish mandoc patch valgrind gcc g++ venv etcdctl
    step 'format, and patches of planted bugs' lint
    step 'build of everything, with warnings as errors; release build' side_by_side 'build --build-tests' \
        'build_static coffer VaultBench'
    step 'tests' test_in_time
    step 'first inputs of fuzzing' fuzz_seeds
    step 'test vectors' check_fixtures
    step 'documentation of public symbols' documented
    step 'programs of the release build' run_release
    step 'packages that use Coffer, and packages that do not know it; instruction counts; the command, in an empty root;
        libcoffer from C, C++ and Python' side_by_side neighbours instructions alone library_in_all_languages
    step 'hostile input, within time limits and 64 MiB; the worst vaults, within memory bounds' side_by_side \
        'bench hostile' 'bench memory 1 16'
    say 'all checks passed'
}

# Runs commands at the same time, since most keep only one processor busy, and prints their output.
side_by_side() {
    logs=$(temporary)
    processes=''
    for command in "$@"; do
        # shellcheck disable=SC2086
        $command >"$logs/$(echo "$command" | tr ' ' _)" 2>&1 &
        processes="$processes $!"
    done
    failed=''
    for process in $processes; do
        log="$logs/$(echo "$1" | tr ' ' _)"
        if wait "$process"; then cat "$log"; else
            failed="$failed${failed:+, }$1"
            mv "$log" "$log.failed"
        fi
        shift
    done
    # Last, where they are found.
    [ -z "$failed" ] || cat "$logs"/*.failed
    [ -z "$failed" ] || fail "failed: $failed"
}

lint() {
    require_swift
    swift format lint --strict --recursive Sources Tests Package.swift
    check_planted
}

documented() {
    swift package dump-symbol-graph --minimum-access-level public --skip-synthesized-members >&2
    python3 Scripts/undocumented.py "$scratch/debug/../symbolgraph"
}

# Two programs and the command are enough, since each link takes long.
run_release() {
    build_static ArchiveTour NotesApp
    "$static/ArchiveTour" >/dev/null || fail 'the release build of ArchiveTour does not run'
    app="$static/NotesApp"
    home=$(temporary)
    for call in sign-in show; do
        env -i HOME="$home" PATH="$PATH" COFFER_QUIET=1 "$app" "$call" >"$home/$call"
    done
    grep -q 'draft: Dear diary' "$home/show" || fail "the release build of NotesApp does not find its item"
    # The deterministic random source must never be linked into a program. The tests contain it, so the search must find
    # it there; otherwise the search itself is broken.
    grep -q DeterministicRandom "$scratch/debug/CofferPackageTests.xctest" ||
        fail 'DeterministicRandom not found in the tests: the search for it is broken'
    ! grep -q DeterministicRandom "$app" || fail 'NotesApp contains DeterministicRandom, the random source of the tests'
}

# Runs the command in a root directory that contains nothing else.
alone() {
    build_static coffer
    empty=$(temporary)
    cp "$static/coffer" "$empty/coffer"
    set -- "$(command -v chroot)" "$empty" /coffer
    [ "$(id -u)" -eq 0 ] || set -- "$(command -v unshare)" --map-root-user "$@"
    printf 'hunter2' | env -i HOME=/home "$@" set mail kim ||
        fail 'the command does not store a secret in an empty root directory'
    [ "$(env -i HOME=/home "$@" get mail)" = hunter2 ] ||
        fail 'the command does not find a secret in an empty root directory'
    ! grep -q DeterministicRandom "$static/coffer" ||
        fail 'the command contains DeterministicRandom, the random source of the tests'
    # The parser of the standard library's regular expressions, which comes with its search for texts.
    ! grep -q RegexParser "$static/coffer" ||
        fail 'the command contains RegexParser, 1.2 MB; search with CofferBasics/Text/TextSearch.swift'
}
