# shellcheck shell=sh
# Measures time and memory.
#
# ./dev bench [archive|hostile|format|sizes|keychain|merge|command|fleet]
#     measure, and print a table; fleet: with three members of etcd on this machine
# ./dev bench memory [MIB...] [KIND...]
#     compare the memory of verbs on the worst possible vaults with the bounds (1 16 256)
# ./dev bench store [SIZES] [--chart FILE]
#     compare the store with SQLite and SQLCipher (1k,10k,100k; 1M takes three minutes), and write a chart in SVG

. Scripts/build.sh

bench() {
    kind=${1:-archive}
    [ $# -eq 0 ] || shift
    case "$kind" in
        archive | format) vault_bench "$kind" Fixtures ;;
        store | sizes | keychain | merge) vault_bench "$kind" "$@" ;;
        hostile)
            require
            build_static VaultBench
            "$static/VaultBench" hostile Fixtures
            ;;
        memory)
            require
            build_static coffer VaultBench
            [ $# -gt 0 ] || set -- 1 16 256
            "$static/VaultBench" memory "$static/coffer" "$@"
            ;;
        command) bench_command ;;
        fleet) bench_fleet ;;
        *) fail "unknown benchmark: $kind (archive, hostile, format, memory, store, sizes, keychain, merge, command, fleet)" ;;
    esac
}

# Without the static library: in it, Foundation's archiver, which we compare with, writes nothing.
vault_bench() {
    require
    swift build -c release --product VaultBench >&2
    "$scratch/release/VaultBench" "$@"
}

# Measures a fleet with three members of etcd.
bench_fleet() (
    require etcdctl
    place=$(temporary)
    # Free ports, as all programs of this machine see them.
    # shellcheck disable=SC2046
    set -- $(python3 Scripts/free_ports.py 6)
    cluster="m1=http://127.0.0.1:$4,m2=http://127.0.0.1:$5,m3=http://127.0.0.1:$6"
    members=''
    trap 'kill $members; wait $members 2>/dev/null || true' EXIT
    for member in "1 $1 $4" "2 $2 $5" "3 $3 $6"; do
        # shellcheck disable=SC2086
        set -- $member
        etcd --name "m$1" --data-dir "$place/$1" --log-level error --initial-cluster "$cluster" \
            --listen-client-urls "http://127.0.0.1:$2" --advertise-client-urls "http://127.0.0.1:$2" \
            --listen-peer-urls "http://127.0.0.1:$3" --initial-advertise-peer-urls "http://127.0.0.1:$3" \
            >"$place/log$1" 2>&1 &
        members="$members $!"
        endpoints="${endpoints:-} http://127.0.0.1:$2"
    done
    # shellcheck disable=SC2086
    vault_bench fleet $endpoints
)

# Measures whole processes of the command, with a vault of 1,000 items that were added one by one.
bench_command() {
    require python3
    build_static coffer
    home=$(temporary)
    for number in $(seq 1000); do
        echo "add-generic-password -s service$number -a kim -X 68756e74657232"
    done | env -i HOME="$home" COFFER_QUIET=1 "$static/coffer" -i
    for call in 'version' 'get service500 kim' 'get nothing' 'list' 'find-generic-password -s service7 -w'; do
        # shellcheck disable=SC2086
        env -i HOME="$home" python3 Scripts/milliseconds.py "$static/coffer" $call
    done
}
