internal import Coffer

/// The comment of an item that git stored: lines of `key=value`, none of them secret.
struct GitNotes: Equatable {
    private static let expiryKey = "password_expiry_utc="
    private static let typeKey = "authtype="

    /// When the password expires, in seconds since 1970.
    var expiry: Int64?
    /// The authentication type, if the credential is not a password.
    var authenticationType: String?
    /// Lines that do not come from git.
    var rest: [String] = []

    init(_ comment: String?) {
        // Split by scalars: as a `Character`, a carriage return and a newline are one.
        for line in (comment ?? "").unicodeScalars.split(separator: "\n").map({ String($0) }) {
            if line.hasPrefix(Self.expiryKey), let seconds = Int64(line.dropFirst(Self.expiryKey.count)) {
                expiry = seconds
            } else if line.hasPrefix(Self.typeKey) {
                authenticationType = String(line.dropFirst(Self.typeKey.count))
            } else {
                rest.append(line)
            }
        }
    }

    /// The comment; nil if it would be empty.
    var comment: String? {
        var lines = rest
        if let authenticationType { lines.append(Self.typeKey + authenticationType) }
        if let expiry { lines.append("\(Self.expiryKey)\(expiry)") }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
