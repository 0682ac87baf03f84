internal import Coffer

/// What stands in the comment of an item that git has stored: lines of `key=value`, none of them secret.
struct GitNotes: Equatable {
    private static let expiryKey = "password_expiry_utc="
    private static let typeKey = "authtype="

    /// When the password is of no use any more, in seconds since 1970 began.
    var expiry: Int64?
    /// How the credential is shown to the server, where it is no password.
    var authenticationType: String?
    /// The lines of others.
    var rest: [String] = []

    init(_ comment: AttributeText?) {
        // Not letter by letter: a carriage return and a newline are one.
        for line in (comment?.string ?? "").unicodeScalars.split(separator: "\n").map({ String($0) }) {
            if line.hasPrefix(Self.expiryKey), let seconds = Int64(line.dropFirst(Self.expiryKey.count)) {
                expiry = seconds
            } else if line.hasPrefix(Self.typeKey) {
                authenticationType = String(line.dropFirst(Self.typeKey.count))
            } else {
                rest.append(line)
            }
        }
    }

    /// The comment; nil if there is nothing to say.
    var comment: AttributeText? {
        var lines = rest
        if let authenticationType { lines.append(Self.typeKey + authenticationType) }
        if let expiry { lines.append("\(Self.expiryKey)\(expiry)") }
        return lines.isEmpty ? nil : AttributeText(lines.joined(separator: "\n"))
    }
}
