# shellcheck shell=sh
# Compares what ours makes and reads with programs that share no code with it.
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
    swift build --product FixtureTool
    swift build --build-tests
    changed="$scratch/changed"
    rm -rf "$changed"
    if [ "${1:-}" = random ]; then
        mkdir -p "$changed"
        COFFER_RANDOM_VAULTS="$(pwd)/$changed" COFFER_VAULT_COUNT="${2:-5000}" \
            swift test --skip-build --filter StoredVaultTests
        COFFER_CHANGED_VAULTS="$(pwd)/$changed" swift test --skip-build --filter ReaderComparisonTests ||
            fail "the readers disagree about vaults in $changed"
        rm -rf "$changed"
        return
    fi
    for seed in $(seq "${1:-24}"); do
        "$(swift build --show-bin-path)/FixtureTool" "--mutated=$seed" "$changed"
        # Unchanged ones are checked by the tests.
        for file in "$changed"/*; do ! cmp -s "$file" "Fixtures/vault/${file##*/}" || rm "$file"; done
        COFFER_CHANGED_VAULTS="$(pwd)/$changed" swift test --skip-build --filter ReaderComparisonTests ||
            fail "the readers disagree about vaults of seed $seed in $changed"
        rm -rf "$changed"
    done
}

keys() {
    require python3
    python3 -c 'import cryptography' 2>/dev/null || fail 'missing Python package: pip install cryptography'
    output=$(mktemp)
    trap 'rm -f "$output"' EXIT
    COFFER_KEY_OUTPUT=$output swift test --filter KeyOutputTests >&2
    PYTHONDONTWRITEBYTECODE=1 python3 Fixtures/keys/check.py "$output"
}
