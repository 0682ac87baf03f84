internal import CofferBasics

/// The reason why entitlements cannot be used, and its place.
///
/// ```swift
/// do {
///     let entitlements = try Entitlements(bytes)
/// } catch {
///     print(error)  // line 7, key "keychain-access-groups": this is not text; write it as <string>
/// }
/// ```
public struct EntitlementsError: Error, Equatable, Sendable {
    /// What is wrong.
    public let kind: Kind
    /// The file, if the entitlements are in one.
    public internal(set) var file: String?
    /// The line on which the error begins, from 1; nil if there are no lines, as in a binary property list.
    public let line: Int?
    /// The key whose value is wrong; nil if the whole file is.
    public let key: String?

    /// Creates an error.
    public init(_ kind: Kind, file: String? = nil, line: Int? = nil, key: String? = nil) {
        self.kind = kind
        self.file = file
        self.line = line
        self.key = key
    }

    /// The kind of an error.
    public enum Kind: Error, Equatable, Sendable {
        /// The file cannot be read, for this reason.
        case unreadable(String)
        /// The file is empty.
        case empty
        /// The file has more bytes than the limit.
        case tooLarge(limit: Int)
        /// The file is neither XML nor a binary property list.
        case notAPropertyList
        /// The file is not the XML of a property list, for this reason.
        case malformedXML(String)
        /// The file is a damaged binary property list, for this reason.
        case malformedBinary(String)
        /// The property list is not a dictionary.
        case notADictionary
        /// The application identifier is missing.
        case noApplicationIdentifier
        /// The application identifier does not consist of a prefix, a dot and a name.
        case malformedApplicationIdentifier
        /// A name is not text.
        case notText
        /// A list of names is not an array.
        case notAnArray
        /// A name is empty, or has nothing after its prefix.
        case emptyName
        /// A name contains a zero byte.
        case zeroByte
        /// A name has more bytes than the limit.
        case nameTooLong(byteCount: Int, limit: Int)
        /// A variable is unknown, or not closed.
        case unknownVariable(String)
        /// The name of a group does not begin with one of these prefixes.
        case wrongPrefix(allowed: [String])
        /// A group begins neither with `$(AppIdentifierPrefix)` nor with the prefix that the other groups share.
        case ambiguousPrefix
        /// `COFFER_TEAM` is not a team identifier.
        case malformedTeam
        /// The build has embedded different files in the program.
        case differentEmbedded
    }
}

extension EntitlementsError: CustomStringConvertible {
    /// What is wrong, where, and what to do about it.
    public var description: String {
        var places = file.map { [$0.printable] } ?? []
        if let line { places.append("line \(line)") }
        if let key { places.append("key \"\(key.printable)\"") }
        return places.isEmpty ? kind.description : "\(places.joined(separator: ", ")): \(kind.description)"
    }
}

extension EntitlementsError.Kind: CustomStringConvertible {
    /// What is wrong, without the place, and what to do about it.
    public var description: String {
        switch self {
        case .unreadable(let reason): "the entitlements cannot be read: \(reason)"
        case .empty: "the file is empty; write the entitlements into it, or remove it to declare nothing"
        case .tooLarge(let limit):
            "the file is too large: entitlements have at most \(limit.grouped) bytes; make it smaller"
        case .notAPropertyList: "this is not a property list; write the entitlements as XML, beginning with <plist>"
        case .malformedXML(let reason): "\(reason); correct the file (xmllint --noout checks it)"
        case .malformedBinary(let reason): "\(reason); create the file again"
        case .notADictionary: "the property list is not a dictionary; put its keys and values into a <dict>"
        case .noApplicationIdentifier:
            "the application identifier is missing; add one such as <string>TEAM.com.example.app</string>"
        case .malformedApplicationIdentifier:
            "invalid application identifier; write a prefix, a dot and a name, such as TEAM.com.example.app"
        case .notText: "this is not text; write it as <string>"
        case .notAnArray: "this is not a list; write an <array> of <string>, even for one name"
        case .emptyName: "the name is empty, or has nothing after its prefix; complete it, or remove it"
        case .zeroByte: "the name contains a zero byte; write it again"
        case .nameTooLong(let byteCount, let limit):
            "group name too long: \(byteCount.grouped) bytes (limit \(limit.grouped)); choose a shorter one"
        case .unknownVariable(let name):
            "unknown variable \"\(name.printable)\"; write out its value"
        case .ambiguousPrefix:
            "the team prefix is ambiguous; write $(AppIdentifierPrefix) before the group's name, or set COFFER_TEAM"
        case .malformedTeam:
            "invalid team identifier in COFFER_TEAM; use capital letters and digits, such as ABCDE12345"
        case .differentEmbedded:
            "different entitlements are embedded in this program; give all its targets the same file"
        case .wrongPrefix(let allowed):
            "the name must begin with \(allowed.map { "\"\($0.printable)\"" }.joined(separator: " or ")); "
                + "correct it, or the prefix of the application identifier"
        }
    }
}
