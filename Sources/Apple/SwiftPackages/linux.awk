# Tells whether Swift files use Security or LocalAuthentication in what is compiled on Linux when there are no such
# modules: prints "needed" if so, and nothing if all uses stand behind `#if`. A condition that depends on more than the
# platform, such as a flag, counts as true and as false.

# Conditions are 0 (false), 1 (true) or 2 (unknown).
function no(a) { return a == 2 ? 2 : 1 - a }
function both(a, b) { return a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : 2 }

# Each function takes what it evaluates from the beginning of `rest`.
function disjunction(   a) {
    a = conjunction()
    while (sub(/^[ \t]*\|\|/, "", rest)) a = no(both(no(a), no(conjunction())))
    return a
}

function conjunction(   a) {
    a = term()
    while (sub(/^[ \t]*&&/, "", rest)) a = both(a, term())
    return a
}

function term(   a, name, argument) {
    sub(/^[ \t]+/, "", rest)
    if (sub(/^!/, "", rest)) return no(term())
    if (sub(/^\(/, "", rest)) {
        a = disjunction()
        sub(/^[ \t]*\)/, "", rest)
        return a
    }
    if (!match(rest, /^[A-Za-z_][A-Za-z0-9_]*/)) return 2
    name = substr(rest, 1, RLENGTH)
    rest = substr(rest, RLENGTH + 1)
    if (name == "true" || name == "false") return name == "true"
    if (!match(rest, /^[ \t]*\([^)]*\)/)) return 2
    argument = substr(rest, 1, RLENGTH)
    rest = substr(rest, RLENGTH + 1)
    gsub(/^[ \t]*\([ \t]*|[ \t.,)].*$/, "", argument)
    if (name == "os") return argument == "Linux"
    if (name == "targetEnvironment") return 0
    if (name == "_runtime") return argument == "_Native"
    if (name == "canImport" && argument in modules) return modules[argument]
    return 2
}

BEGIN {
    split("Security LocalAuthentication Darwin ObjectiveC AppKit AuthenticationServices CFNetwork CloudKit Cocoa " \
        "Combine CommonCrypto Contacts CoreBluetooth CoreData CoreGraphics CoreImage CoreLocation CoreServices CoreText " \
        "CryptoKit CryptoTokenKit DeviceCheck IOKit ImageIO MapKit MessageUI MobileCoreServices Network OSLog PassKit " \
        "Photos QuartzCore SafariServices StoreKit SwiftUI SystemConfiguration UIKit UniformTypeIdentifiers " \
        "UserNotifications WatchConnectivity WatchKit WebKit WidgetKit XPC os Android Bionic CRT Musl WASILibc WinSDK " \
        "ucrt", absent, " ")
    for (i in absent) modules[absent[i]] = 0
    split("CoreFoundation Dispatch Foundation FoundationEssentials FoundationNetworking FoundationXML Glibc", present, " ")
    for (i in present) modules[present[i]] = 1
    importing = "(^|;)[ \t]*((@[A-Za-z_]+(\\([^)]*\\))?|public|package|internal|private|fileprivate)[ \t]+)*import[ \t]+" \
        "((struct|class|func|var|let|enum|protocol|typealias)[ \t]+)?(Security|LocalAuthentication)([^A-Za-z0-9_]|$)"
}

FNR == 1 { depth = 0; active[0] = 1; in_comment = 0; in_text = 0 }

# What is in comments and texts is no code, but interpolations are.
{
    line = $0
    sub(/\r$/, "", line)
    if (in_comment) {
        if (!sub(/^.*\*\//, "", line)) next
        in_comment = 0
    }
    if (!in_text) {
        sub(/^[ \t]*\/\/.*/, "", line)
        gsub(/\/\*[^*"]*("""[^*"]*)*\*\//, "", line)
    }
    quotes = gsub(/"""/, "", line)
    if (in_text || quotes) {
        if (quotes % 2) in_text = !in_text
        if (in_text || !quotes) next
    }
    gsub(/\\\([^()"]*\)/, "\"&\"", line)
    gsub(/"(\\.|[^"\\])*"/, " ", line)
    sub(/\/\/.*/, "", line)
    gsub(/\/\*[^*]*\*\//, "", line)
    if (sub(/\/\*.*/, "", line)) in_comment = 1
}

line ~ /^[ \t]*#(if|elseif|else|endif)/ {
    rest = line
    sub(/^[ \t]*#/, "", rest)
    if (sub(/^if/, "", rest)) {
        was_true[++depth] = 0
        is_true = disjunction()
    } else if (sub(/^elseif/, "", rest)) {
        is_true = disjunction()
    } else if (rest ~ /^else/) {
        is_true = 1
    } else {
        if (depth > 0) depth--
        next
    }
    active[depth] = active[depth - 1] && !was_true[depth] && is_true != 0
    if (is_true == 1) was_true[depth] = 1
    next
}

!active[depth] { next }

line ~ importing { is_needed = 1 }
line ~ /^[^\/]*import[ \t]+CoreFoundation/ { has_core_foundation = 1 }

# A package that declares such a name itself means its own.
{
    in_case = 0
    while (match(line, names)) {
        start = RSTART
        if (substr(line, start, 1) !~ /[A-Za-z]/) start++
        before = substr(line, 1, start - 1)
        line = substr(line, start)
        match(line, /^[A-Za-z0-9_]+/)
        name = substr(line, 1, RLENGTH)
        line = substr(line, RLENGTH + 1)
        if (before ~ /(struct|class|actor|enum|protocol|typealias|let|var|func)[ \t]+$/) own[name] = 1
        # A case of an enumeration, not of a switch.
        else if (line !~ /:/ && (before ~ /(^|[^A-Za-z0-9_])case[ \t]+$/ || in_case && before ~ /^[^.]*,[ \t]*$/)) {
            own[name] = in_case = 1
        }
        else if (before !~ /[.]$/) used[name] = 1
    }
}

END {
    for (name in used) {
        if (!(name in own) && !(has_core_foundation && name ~ /^(kCF|CF|OSStatus)/)) is_needed = 1
    }
    if (is_needed) print "needed"
}
