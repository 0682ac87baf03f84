internal import CofferBasics

/// Why entitlements could not be used, and where.
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
    /// The file, if they came from one.
    public internal(set) var file: String?
    /// The line on which the wrong thing begins, from 1; nil if it has none, as in a binary property list.
    public let line: Int?
    /// The key whose value is wrong; nil if it is the file as a whole.
    public let key: String?

    /// Makes an error.
    public init(_ kind: Kind, file: String? = nil, line: Int? = nil, key: String? = nil) {
        self.kind = kind
        self.file = file
        self.line = line
        self.key = key
    }

    /// What can be wrong.
    public enum Kind: Error, Equatable, Sendable {
        /// The system does not let the file be read, and says why.
        case unreadable(String)
        /// There is nothing in the file.
        case empty
        /// The file has more bytes than the limit.
        case tooLarge(limit: Int)
        /// The file is neither XML nor a binary property list.
        case notAPropertyList
        /// The file is not the XML of a property list, and why.
        case malformedXML(String)
        /// The file is a binary property list and damaged, and how.
        case malformedBinary(String)
        /// The property list is not a dictionary.
        case notADictionary
        /// The program has no name.
        case noApplicationIdentifier
        /// The name of the program is not a prefix, a dot, and something after it.
        case malformedApplicationIdentifier
        /// A name is not text.
        case notText
        /// A list of names is not an array.
        case notAnArray
        /// A name is empty, or has nothing after its prefix.
        case emptyName
        /// A name holds a zero byte.
        case zeroByte
        /// A name has more bytes than the limit.
        case nameTooLong(limit: Int)
        /// A variable that stands for nothing here, or has no end.
        case unknownVariable(String)
        /// The name of a group does not begin as it must, which is with one of these.
        case otherPrefix(allowed: [String])
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
            "the file has more than the \(limit) bytes that entitlements may have; make it smaller"
        case .notAPropertyList: "this is not a property list; write the entitlements as XML, beginning with <plist>"
        case .malformedXML(let reason): "\(reason); correct the file (xmllint --noout checks it)"
        case .malformedBinary(let reason): "\(reason); make the file anew"
        case .notADictionary: "the property list is not a dictionary; put its keys and values into a <dict>"
        case .noApplicationIdentifier:
            "the program has no name; add one such as <string>TEAM.com.example.app</string>"
        case .malformedApplicationIdentifier:
            "the name of the program has no prefix, or nothing after it; write one such as TEAM.com.example.app"
        case .notText: "this is not text; write it as <string>"
        case .notAnArray: "this is not a list; write an <array> of <string>, even for one name"
        case .emptyName: "the name is empty, or has nothing after its prefix; write it out, or remove it"
        case .zeroByte: "the name holds a zero byte; write it anew"
        case .nameTooLong(let limit): "the name has more than the \(limit) bytes of a group; choose a shorter one"
        case .unknownVariable(let name):
            "the variable \"\(name.printable)\" stands for nothing here; write out what it means"
        case .otherPrefix(let allowed):
            "the name must begin with \(allowed.map { "\"\($0.printable)\"" }.joined(separator: " or ")); "
                + "correct it, or the prefix of the application identifier"
        }
    }
}
