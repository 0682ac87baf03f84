# shellcheck shell=sh
# Shows what Coffer does, in a temporary directory.
#
# ./dev demo [tours]
#     show Coffer in a minute; tours: each part at length

. Scripts/build.sh

demo() {
    require
    demo_home=$(temporary)
    case "${1:-}" in
        '')
            build_products SignIn coffer NotesApp NotesWidget
            say '== 1. A program with import Security stores and finds a password'
            cat Sources/Examples/SignIn/main.swift
            echo '---'
            in_demo_home SignIn
            say '== 2. The command does everyday things'
            calls <<'CALLS'
coffer get mail; echo
echo hunter2 | coffer set web kim
coffer list
echo battery | coffer set web kim --force
coffer history web kim
coffer undo web kim; coffer get web; echo
coffer generate --set shop kim
coffer exec --env PASSWORD=kim@web -- sh -c 'echo ${#PASSWORD} letters'
coffer get nothing || echo "status $?"
CALLS
            say '== 3. Two programs share a group, and each has items of its own'
            calls <<'CALLS'
NotesApp sign-in
NotesWidget show
NotesWidget renew
NotesApp show
NotesWidget reset
NotesApp show
CALLS
            say '== 4. The file shows its structure without a key, and no content'
            calls <<'CALLS'
coffer status --without-key
CALLS
            say 'more: ./dev demo tours'
            ;;
        tours)
            require openssl
            build_products ArchiveTour VaultTour StoreTour KeychainTour DeviceIdentity SignToken TravelDiary coffer \
                TLSIdentity PinServer
            for tour in ArchiveTour VaultTour StoreTour KeychainTour; do step "$tour" "$binaries/$tour"; done
            step 'DeviceIdentity, twice: the identifier is created once and stays the same' in_demo_home DeviceIdentity
            in_demo_home DeviceIdentity
            step 'SignToken: tokens that are signed with keys in the keychain' in_demo_home SignToken kim
            step 'TLSIdentity and PinServer: a TLS server and its client, whose identities are in the keychain' tls
            step 'TravelDiary: four places for data, and what stays when the app is removed' calls <<'CALLS'
TravelDiary call-me Kim
TravelDiary write Rain
TravelDiary sign-in
TravelDiary
TravelDiary remove
TravelDiary
CALLS
            ;;
        *) fail "no such demo: $1 (nothing, or tours)" ;;
    esac
}

# Runs the commands on the lines of the input, and prints each with its output.
calls() {
    while IFS= read -r line; do
        printf '$ %s\n' "$line"
        env -i HOME="$demo_home" PATH="$binaries:$PATH" sh -c "$line" 2>&1 | sed 's/^/  /'
    done
}

# Makes an authority and two identities, stores these, and connects a server and a client that demand each other's.
tls() {
    authority="-CA $demo_home/ca.pem -CAkey $demo_home/ca.key -days 2"
    make_key="req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    in_tls_home openssl $make_key -x509 -days 2 -subj /CN=Demo -keyout ca.key -out ca.pem 2>/dev/null
    for name in localhost kim; do
        in_tls_home openssl $make_key -subj "/CN=$name" -addext "subjectAltName=DNS:$name" \
            -addext extendedKeyUsage=serverAuth,clientAuth -keyout "$name.key" -out "$name.csr" 2>/dev/null
        in_tls_home openssl x509 -req -in "$name.csr" $authority -copy_extensions copy -out "$name.pem" 2>/dev/null
        in_tls_home openssl pkcs12 -export -in "$name.pem" -inkey "$name.key" -passout pass: -out "$name.p12"
        in_demo_home coffer import --group TLSIdentity -P '' "$demo_home/$name.p12"
        rm "$demo_home/$name.key" "$demo_home/$name.p12"
    done
    in_demo_home coffer list --class identity
    in_demo_home TLSIdentity localhost s_server -accept 127.0.0.1:0 -naccept 2 -www -Verify 1 -CAfile "$demo_home/ca.pem" \
        >"$demo_home/server" 2>&1 &
    until port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' "$demo_home/server") && [ -n "$port" ]; do
        kill -0 $! 2>/dev/null || { cat "$demo_home/server" >&2; fail 'the server does not start'; }
    done
    for call in pin check; do
        printf 'GET / HTTP/1.0\r\n\r\n' |
            in_demo_home TLSIdentity kim s_client -connect "127.0.0.1:$port" -CAfile "$demo_home/ca.pem" -showcerts \
                -verify_return_error -ign_eof >"$demo_home/client" 2>/dev/null || fail 'the client does not connect'
        in_demo_home PinServer "$call" localhost <"$demo_home/client"
    done
    grep -h 'subject=\|Subject: CN\|Verification' "$demo_home/client" | sort -u
    wait
}

in_tls_home() { (cd "$demo_home" && "$@"); }

# Runs a program with a vault of its own.
in_demo_home() { env -i HOME="$demo_home" PATH="$binaries:$PATH" COFFER_QUIET=1 "$@"; }
