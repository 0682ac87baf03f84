# shellcheck shell=sh
# Draws screens of a real terminal, with keys pressed.
#
# ./dev pictures
#     draw the screens of `coffer browse` and `coffer status --space`, in tmux

. Scripts/build.sh

pictures() {
    require python3 tmux
    build_products coffer
    demo_home=$(temporary)
    in_tmux() { tmux -L coffer-pictures -f /dev/null "$@"; }
    trap 'in_tmux kill-server 2>/dev/null; rm -rf "$temporary"' EXIT
    program="$binaries/coffer"
    in_pictures() { (cd "$demo_home" && HOME=$demo_home XDG_STATE_HOME='' XDG_DATA_HOME='' "$program" "$@"); }
    while IFS='|' read -r kind service account label secret; do
        case "$kind" in
            web) in_pictures add-internet-password -s "$service" -a "$account" -l "$label" -r htps -w "$secret" ;;
            *) echo "$secret" | in_pictures set "$service" "$account" --label "$label" --quiet ;;
        esac 2>/dev/null
    done <<'ITEMS'
web|github.com|kim|GitHub|s9-Kq2-bb71-Lw
web|gitlab.example|kim|GitLab|rT5-hh0-pq12-Zx
web|shop.example|kim@example.com|Shop|winter2023
app|mail|kim|Mail|hunter2
app|backup|root|Backup of the server|qx-881-mmz-03
app|wifi|home|Wi-Fi at home|orbit velvet staple canyon
app|otp:github.com|kim|GitHub|otpauth://totp/GitHub:kim?secret=GEZDGNBVGY3TQOJQ
ITEMS
    openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj '/CN=wiki.example.com/O=Example' \
        -keyout "$demo_home/key.pem" -out "$demo_home/certificate.pem" 2>/dev/null
    in_pictures import certificate.pem --quiet >/dev/null
    echo 'vM4-ttLq-93hx-PPwe' | in_pictures set mail kim --force --quiet
    in_pictures compact --quiet >/dev/null
    echo 'x' | in_pictures set scratch kim --quiet
    variables="HOME=$demo_home XDG_STATE_HOME= XDG_DATA_HOME= COLORTERM="
    in_tmux new-session -d -x 80 -y 19 "$variables '$program' status --space; sleep 9"
    sleep 2
    in_tmux capture-pane -p -e >"$demo_home/stats"
    in_tmux kill-server
    python3 Spec/pictures/screen.py 'What coffer status --space prints' "$demo_home/stats" >Spec/pictures/stats.svg
    in_tmux new-session -d -x 104 -y 26 "$variables '$program' browse"
    sleep 2
    screens=''
    for keys in 'j' 'Space' '/ w i k i Enter' 'Escape g e' 'Escape ?'; do
        for key in $keys; do in_tmux send-keys "$key"; sleep 0.3; done
        sleep 1
        screens="$screens $demo_home/screen$(echo "$screens" | wc -w)"
        in_tmux capture-pane -p -e >"${screens##* }"
    done
    # shellcheck disable=SC2086
    python3 Spec/pictures/screen.py 'The screen of coffer browse' $screens >Spec/pictures/browse.svg
    say 'drew browse.svg and stats.svg in Spec/pictures'
}
