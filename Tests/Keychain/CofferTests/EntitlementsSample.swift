import Coffer
import Testing

/// An entitlements file with `entries` in its dictionary, beginning on line 4.
func entitlementsFile(_ entries: String) -> [UInt8] {
    let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        \(entries)
        </dict>
        </plist>
        """
    return Array(text.utf8)
}

/// A file in which line 4 names the program `T.app` and `entries` begin on line 5.
func entitlementsFile(ofApp entries: String) -> [UInt8] {
    entitlementsFile("<key>application-identifier</key><string>T.app</string>\n" + entries)
}

/// The entry for `key` with a list of names; the first name is on the line after the start of the entry.
func list(_ key: String, _ names: String...) -> String {
    "<key>\(key)</key><array>\n\(names.map { "<string>\($0)</string>" }.joined(separator: "\n"))\n</array>"
}

/// The keys of entitlements.
enum EntitlementKey {
    static let application = "application-identifier"
    static let macApplication = "com.apple.application-identifier"
    static let groups = "keychain-access-groups"
    static let associated = "com.apple.developer.associated-application-identifier"
    static let applicationGroups = "com.apple.security.application-groups"
    static let lists = [groups, associated, applicationGroups]
}

/// An invalid file and its expected error.
struct EntitlementFault: CustomTestStringConvertible, Sendable {
    let bytes: [UInt8]
    let error: EntitlementsError

    init(_ bytes: [UInt8], _ kind: EntitlementsError.Kind, line: Int?, key: String?) {
        self.bytes = bytes
        error = EntitlementsError(kind, line: line, key: key)
    }

    var testDescription: String { error.description }

    /// Expects the error.
    func expect(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: error, sourceLocation: sourceLocation) { try Entitlements(bytes) }
    }
}
