# shellcheck shell=sh
# Fuzzes what reads bytes.
#
# ./dev fuzz TARGET [SECONDS]
#     fuzz a reader: plist, archive, xml, x509, keyfile, passwordfile, vault, or vault-inside, a build without encryption
#     (120 seconds), or all of them but vault; seeds: run the targets once on their first inputs

. Scripts/build.sh

# The targets that share one build; `./dev fuzz vault` needs its own and finds little in minutes.
fuzz_targets='plist archive xml x509 keyfile passwordfile vault-inside'

fuzz() {
    # The fuzzer treats 0 as unlimited.
    seconds=$(seconds "${2:-120}")
    mode='-Xswiftc -DUNSEALED'
    build="$scratch/fuzz-inside"
    # Inputs longer than the structure needs only slow fuzzing down.
    longest=4096
    case "${1:-}" in
        all)
            for target in $fuzz_targets; do fuzz "$target" "$seconds" || return; done
            return
            ;;
        seeds)
            fuzz_seeds
            return
            ;;
        vault) longest=32768 mode='' build="$scratch/fuzz" ;;
        vault-inside) longest=32768 ;;
        plist | archive | xml | x509 | keyfile | passwordfile) ;;
        *) fail "no such fuzz target: ${1:-} (all, seeds, vault, $fuzz_targets)" ;;
    esac
    require
    # SwiftPM accepts only one sanitizer, and drops the fuzzer's if it gets two.
    flags="-c release --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -DFUZZING $mode --scratch-path $build"
    # shellcheck disable=SC2086
    swift build $flags --product Fuzz >&2
    binary="$build/release/Fuzz"

    grep -q __sancov_cntrs "$binary" || fail "Fuzz is not instrumented: fuzzing would have no coverage feedback"

    corpus="$scratch/fuzz/corpus/$1"
    mkdir -p "$corpus"
    make_seeds "$1"
    # The largest archive that may be written takes 3 s with the sanitizer alone on the machine; `bench hostile` has the
    # time limits. The backtracer would hang on the pipe.
    COFFER_FUZZ_TARGET=$1 COFFER_FUZZ_DEVICES=$devices SWIFT_BACKTRACE=enable=no "$binary" "$corpus" "$seeds/$1" \
        "-max_total_time=$seconds" -max_len="$longest" -timeout=20 -rss_limit_mb=1024 -malloc_limit_mb=64 \
        -artifact_prefix="$scratch/fuzz/$1-" -print_final_stats=1 -verbosity=0
}

# Runs each target on its first inputs, in a plain build; on few of the vaults, since each is tried with a passphrase.
fuzz_seeds() {
    require
    swift build --product Fuzz >&2
    for target in $fuzz_targets vault; do
        make_seeds "$target"
        step=1
        case "$target" in vault*) step=24 ;; esac
        COFFER_FUZZ_DEVICES=$devices "$scratch/debug/Fuzz" "$target" "$seeds/$target" "$step" >&2 ||
            fail "a seed of $target fails"
    done
}

# Makes the first inputs of a target.
make_seeds() {
    seeds="$scratch/fuzz/seeds"
    mkdir -p "$seeds/$1"
    case "$1" in
        vault-inside) swift run --quiet FixtureTool --unsealed "$seeds/$1" >&2 ;;
        x509) cp Fixtures/x509/*.der "$seeds/$1" ;;
        passwordfile) password_file_seeds "$seeds/$1" ;;
        keyfile) cp Fixtures/pkcs12/*.p12 Fixtures/pkcs12/*.pem "$seeds/$1" ;;
        # These come together.
        *)
            [ -n "${bodies_made:-}" ] || swift run --quiet FixtureTool --bodies "$seeds" >&2
            bodies_made=yes
            ;;
    esac
    devices=''
    [ "$1" != vault ] || devices=$(cat "$seeds/devices")
}

# The first byte of an input chooses the reader: that of the whole file, and the one for its kind of content.
password_file_seeds() {
    samples=Tests/Command/CofferPasswordFilesTests/Samples
    for sample in "$samples"/* "$samples"/.[a-z]* "$samples"/Archives/*; do
        [ -f "$sample" ] || continue
        name=${sample##*/}
        case "$name" in
            *.csv) letters='f c' ;;
            *.json) letters='f j' ;;
            *.xml) letters='f x' ;;
            *.zip | *.1pux) letters='f z' ;;
            *.txt) letters='f' ;;
            # Files of developers, which are recognized by their names.
            *) letters='d' ;;
        esac
        for letter in $letters; do { printf %s "$letter" && cat "$sample"; } >"$1/$letter-$name"; done
    done
    # The example of our own form, which has a reader of its own.
    { printf e && sed -n '/^{"format"/,/^]}/p' Spec/export.md; } >"$1/e-export"
    printf 'ootpauth://totp/A%%20B:c?secret=JBSWY3DP&algorithm=SHA256&digits=8&period=60' >"$1/o-uri"
    printf 'okey=JBSWY3DP&size=8&step=60&otpHashMode=Sha512' >"$1/o-parameters"
    printf 'j{"a": [1.5e3, "\\u00e4\\n", null, true, {}]}' >"$1/j-values"
    printf 'x<?xml version="1.0"?><a b="1"><c>&lt;&#65;</c><![CDATA[<]]><d/></a>' >"$1/x-elements"
}
