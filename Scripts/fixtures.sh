# shellcheck shell=sh
# Writes what is generated and kept in the repository.
#
# ./dev fixtures
#     regenerate the test vectors, the worked examples, the pictures and the status codes

. Scripts/build.sh

fixtures() {
    require python3
    swift run --quiet FixtureTool Fixtures
    swift run --quiet FixtureTool --example Spec/vault-example.md
    swift run --quiet FixtureTool --example-2 Spec/vault-example-2.md
    python3 Spec/pictures/make.py Spec/pictures
    write_status_codes .
}

# Generated from the table of status codes: the constants and their messages.
status_constants='Sources/Apple/CofferSecurity/StatusCodes/StatusCodes.swift'
status_messages='Sources/Keychain/Coffer/StatusMessage.swift'

write_status_codes() {
    mkdir -p "$1/$(dirname "$status_constants")" "$1/$(dirname "$status_messages")"
    awk -F '\t' -v constants="$1/$status_constants" -v messages="$1/$status_messages" \
        -f Scripts/status_codes.awk Spec/status-codes.tsv
}

check_fixtures() {
    fresh=$(mktemp -d)
    trap 'rm -rf "$fresh"' EXIT
    swift run --quiet FixtureTool "$fresh"
    for directory in "$fresh"/*; do
        diff -r "$directory" "Fixtures/$(basename "$directory")" >&2 ||
            fail 'the vectors differ from the output of FixtureTool: run ./dev fixtures and look at the difference'
    done
    swift run --quiet FixtureTool --example "$fresh/vault-example.md"
    swift run --quiet FixtureTool --example-2 "$fresh/vault-example-2.md"
    for example in vault-example.md vault-example-2.md; do
        diff "$fresh/$example" "Spec/$example" >&2 ||
            fail 'the example differs from the output of FixtureTool: run ./dev fixtures and look at the difference'
    done
    python3 Spec/pictures/make.py "$fresh/pictures"
    for picture in "$fresh"/pictures/*; do
        diff "$picture" "Spec/pictures/$(basename "$picture")" >&2 ||
            fail 'the pictures differ from the output of make.py: run ./dev fixtures and look at the difference'
    done
    write_status_codes "$fresh/status-codes"
    for source in "$status_constants" "$status_messages"; do
        diff "$fresh/status-codes/$source" "$source" >&2 ||
            fail 'the status codes differ from the table: run ./dev fixtures and look at the difference'
    done
    rm -rf "$fresh"
    trap - EXIT
}
