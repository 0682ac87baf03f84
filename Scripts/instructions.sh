# shellcheck shell=sh
# Counts the instructions of core operations.
#
# ./dev instructions [record]
#     compare the instruction counts of core operations with the recorded ones, within 10 %, or record them

. Scripts/build.sh

instruction_record='Tests/Tools/instructions.tsv'

# Counts do not depend on the speed or load of the machine, and differ by less than 1 % from run to run.
instructions() {
    case "${1:-}" in
        '' | record) ;;
        *) fail "invalid argument of instructions: $1 (nothing, or record)" ;;
    esac
    # The processor that valgrind emulates is the same everywhere, except that it needs a real one with AVX2 for that.
    if ! grep -qw avx2 /proc/cpuinfo; then
        say 'instructions: skipped, because the recorded counts are those of an x86-64 processor with AVX2'
        return
    fi
    [ -f "$instruction_record" ] || [ "${1:-}" = record ] ||
        fail "$instruction_record not found: write it with ./dev instructions record"
    require valgrind
    build_static VaultBench
    counts="$temporary/counts"
    count_instructions >"$counts"
    if [ "${1:-}" = record ]; then
        cp "$counts" "$instruction_record"
        cat "$instruction_record"
        return
    fi
    awk -F '\t' -v file="$instruction_record" -f Scripts/instructions.awk "$instruction_record" "$counts" >&2 ||
        fail 'instruction counts differ from the record: if that is intended, run ./dev instructions record'
}

# Prints the instructions that each operation takes with a vault of 1,000 items.
count_instructions() {
    printf '# Swift %s, libsodium %s, %s\n' "$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p')" \
        "$(pkg-config --modversion libsodium)" "$(valgrind --version)"
    place=$(mktemp -d)
    mkdir "$place/compacted"
    "$static/VaultBench" work fill "$place/compacted" 1000
    cp -R "$place/compacted" "$place/logged"
    "$static/VaultBench" work add-many "$place/logged" 1000 1
    cp -R "$place/logged" "$place/indexed"
    "$static/VaultBench" work index "$place/indexed" 1000
    count_operation 'durable add of one item' compacted add 200 1000
    count_operation 'transaction that adds 1,000 items' compacted add-many 0 1
    count_operation 'lookup with secret' compacted lookup 2000 6000
    count_operation 'lookup of a missing item' compacted absent 2000 6000
    count_operation 'opening a vault with 1,000 items in its log, and a lookup' logged open 1 5
    count_operation 'the same, with an index of the log' indexed open 1 5
    count_operation 'compaction of 2,000 items, 1,000 of them in the log' logged compact 0 1
    rm -rf "$place"
}

# Prints the cost of one operation: the difference of two runs with different counts, which is free of start-up costs.
count_operation() {
    fewer=$(count_run "$2" "$3" "$4")
    more=$(count_run "$2" "$3" "$5")
    printf '%s\t%s\n' "$1" $(((more - fewer) / ($5 - $4)))
}

# Runs work a number of times on a copy of a vault. Without random hash seeds, dictionaries cost the same in each run.
count_run() {
    cp -R "$place/$1" "$place/copy"
    SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$static/VaultBench" work "$2" "$place/copy" 1000 "$3" >"$place/log" 2>&1 ||
        fail "VaultBench work $2 does not run under valgrind: see $place/log"
    rm -rf "$place/copy"
    sed -n 's/.*Collected : //p' "$place/log"
}
