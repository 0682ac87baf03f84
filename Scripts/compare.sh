# shellcheck shell=sh
# Checks vaults and keys with programs that share no code with Coffer.
#
# ./dev compare [SEEDS]
#     compare both readers on vaults that were changed before they were sealed (24 seeds, about 10,000 vaults in five
#     minutes)
# ./dev compare random [COUNT]
#     compare both readers on vaults after random changes (5,000)
# ./dev keys
#     let Python's cryptography verify and decrypt what our keys make (a minute)

. Scripts/build.sh

compare() {
    require python3
    swift build --build-tests
    changed="$PWD/$scratch/changed"
    rm -rf "$changed"
    if [ "${1:-}" = random ]; then
        mkdir -p "$changed"
        COFFER_RANDOM_VAULTS="$changed" COFFER_VAULT_COUNT="${2:-5000}" swift test --skip-build --filter StoredVaultTests
        compare_readers "vaults in $changed"
        return
    fi
    for seed in $(seq "${1:-24}"); do
        "$scratch/debug/FixtureTool" "--mutated=$seed" "$changed"
        # Unchanged ones are checked by the tests.
        for file in "$changed"/*; do ! cmp -s "$file" "Fixtures/vault/${file##*/}" || rm "$file"; done
        compare_readers "vaults of seed $seed in $changed"
    done
}

compare_readers() {
    COFFER_CHANGED_VAULTS="$changed" swift test --skip-build --filter ReaderComparisonTests ||
        fail "the readers disagree about $1"
    rm -rf "$changed"
}

keys() {
    require python3
    python3 -c 'import cryptography' 2>/dev/null || fail 'missing Python package: pip install cryptography'
    output="$temporary/output"
    COFFER_KEY_OUTPUT=$output swift test --filter KeyOutputTests >&2
    PYTHONDONTWRITEBYTECODE=1 python3 Fixtures/keys/check.py "$output"
}
