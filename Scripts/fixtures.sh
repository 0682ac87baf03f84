# shellcheck shell=sh
# Writes what is generated and kept in the repository.
#
# ./dev fixtures
#     regenerate the test vectors, the worked examples, the pictures and the status codes

. Scripts/build.sh

fixtures() {
    require python3
    generate .
}

# Generated from the table of status codes: the constants and their messages.
status_constants='Sources/Apple/CofferSecurity/StatusCodes/StatusCodes.swift'
status_messages='Sources/Keychain/Coffer/StatusMessage.swift'

# Writes everything below a directory, at the paths that it has in the repository.
generate() {
    mkdir -p "$1/Spec/pictures" "$1/$(dirname "$status_constants")" "$1/$(dirname "$status_messages")"
    swift run --quiet FixtureTool "$1/Fixtures"
    swift run --quiet FixtureTool --example "$1/Spec/vault-example.md"
    swift run --quiet FixtureTool --example-2 "$1/Spec/vault-example-2.md"
    python3 Spec/pictures/make.py "$1/Spec/pictures"
    awk -F '\t' -v constants="$1/$status_constants" -v messages="$1/$status_messages" \
        -f Scripts/status_codes.awk Spec/status-codes.tsv
}

check_fixtures() {
    fresh=$(temporary)
    generate "$fresh"
    check_generated 'vectors differ from the output of FixtureTool' "$fresh"/Fixtures/*
    check_generated 'example differs from the output of FixtureTool' "$fresh"/Spec/*.md
    check_generated 'pictures differ from the output of make.py' "$fresh"/Spec/pictures/*
    check_generated 'status codes differ from the table' "$fresh/$status_constants" "$fresh/$status_messages"
}

# Compares files or directories in $fresh with those of the repository.
check_generated() {
    problem=$1
    shift
    for path in "$@"; do
        diff -r "$path" "${path#"$fresh"/}" >&2 || fail "the $problem: run ./dev fixtures and look at the difference"
    done
}
