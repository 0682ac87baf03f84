internal import CofferBasics
internal import KeyedArchive
internal import VaultCrypto
internal import VaultFormat

/// What is known of a program apart from its entitlements.
struct EntitledProgram {
    /// The prefix of groups if neither the groups nor the environment name a team.
    static let defaultPrefix = "LOCAL."

    /// The value of `$(CFBundleIdentifier)`.
    var bundleIdentifier: String?
    /// The program's name, for entitlements without an application identifier.
    var name: String?
    /// The team in the environment.
    var team: String?

    /// The part of `name` up to its first dot, and the dot, if it is a team: capital letters and digits.
    static func teamPrefix(of name: String) -> String? {
        let team = name.utf8.prefix { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        guard !team.isEmpty, team.endIndex < name.utf8.endIndex, name.utf8[team.endIndex] == UInt8(ascii: ".") else {
            return nil
        }
        return String(decoding: team, as: UTF8.self) + "."
    }
}

/// A reader that checks a property list and creates entitlements from it.
struct EntitlementsReader {
    /// The maximum number of bytes in an entitlements file, which is the same as in a record.
    static let byteCountLimit = DecodingLimits.record.byteCount

    let list: PropertyList
    /// The lines of the values, if they come from XML.
    private let lines: XMLLines?

    init(_ list: PropertyList) {
        self.list = list
        lines = nil
    }

    init(_ bytes: [UInt8]) throws(EntitlementsError) {
        guard bytes.contains(where: { !$0.isWhiteSpace }) else { throw EntitlementsError(.empty) }
        guard bytes.count <= Self.byteCountLimit else { throw EntitlementsError(.tooLarge(limit: Self.byteCountLimit)) }
        guard !bytes.starts(with: "bplist".utf8) else {
            lines = nil
            list = try EntitlementsError.converting { try PropertyList(binary: bytes, limits: .record) }
            return
        }
        guard bytes.lookLikeXML else { throw EntitlementsError(.notAPropertyList) }
        (list, lines) = try EntitlementsError.converting {
            try PropertyList.readingLines(xml: bytes, limits: .record)
        }
    }

    /// Returns the entitlements, if they are valid.
    func entitlements(of program: EntitledProgram) throws(EntitlementsError) -> Entitlements {
        guard var declared = list.dictionary else { throw EntitlementsError(.notADictionary, line: lines?.root) }
        var variables: [String: String] = [:]
        variables["CFBundleIdentifier"] = program.bundleIdentifier
        let (identifier, prefix) = try applicationIdentifier(variables, program)
        variables["AppIdentifierPrefix"] = prefix
        variables["TeamIdentifierPrefix"] = prefix
        let keychainGroups = try names(.keychainAccessGroups, variables, [prefix], allowsExplicit: true)
        let associated = try names(.associatedIdentifiers, variables, [prefix])
        let applicationGroups = try names(.applicationGroups, variables, ["group.", prefix])
        declared[(applicationIdentifierKey ?? .applicationIdentifier).rawValue] = .string(identifier)
        let lists: [(Key, [String])] = [
            (.keychainAccessGroups, keychainGroups), (.associatedIdentifiers, associated),
            (.applicationGroups, applicationGroups),
        ]
        for (key, names) in lists where declared[key.rawValue] != nil {
            declared[key.rawValue] = .array(names.map { .string($0) })
        }
        return Entitlements(
            applicationIdentifier: identifier,
            prefix: prefix,
            keychainAccessGroups: keychainGroups,
            associatedApplicationIdentifiers: associated,
            applicationGroups: applicationGroups,
            list: .dictionary(declared)
        )
    }
}

// MARK: - Names

extension EntitlementsReader {
    enum Key: String {
        case applicationIdentifier = "application-identifier"
        case macApplicationIdentifier = "com.apple.application-identifier"
        case keychainAccessGroups = "keychain-access-groups"
        case associatedIdentifiers = "com.apple.developer.associated-application-identifier"
        case applicationGroups = "com.apple.security.application-groups"
    }

    /// The key of the name of the program; nil if the file has none.
    private var applicationIdentifierKey: Key? {
        [.applicationIdentifier, .macApplicationIdentifier].first { list[$0.rawValue] != nil }
    }

    /// The name of the program, and its prefix.
    private func applicationIdentifier(
        _ variables: [String: String],
        _ program: EntitledProgram
    ) throws(EntitlementsError) -> (name: String, prefix: String) {
        guard let key = applicationIdentifierKey, let value = list[key.rawValue] else {
            return try unsignedIdentifier(program)
        }
        do throws(EntitlementsError.Kind) {
            let name = try EntitlementsName(value).expanded(variables)
            guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
                name.utf8.index(after: dot) < name.endIndex
            else { throw .malformedApplicationIdentifier }
            // Bytes again, since a dot followed by a combining accent is one character.
            return (name, String(decoding: name.utf8[...dot], as: UTF8.self))
        } catch {
            throw fault(error, key)
        }
    }

    /// The name that signing would give a program whose file has none, as Xcode keeps it in a project.
    private func unsignedIdentifier(
        _ program: EntitledProgram
    ) throws(EntitlementsError) -> (name: String, prefix: String) {
        guard let name = program.name else {
            throw EntitlementsError(.noApplicationIdentifier, key: Key.applicationIdentifier.rawValue)
        }
        let prefix = try teamPrefix(program.team)
        do {
            return (try EntitlementsName.checked(prefix + name), prefix)
        } catch {
            throw EntitlementsError(error, key: Key.applicationIdentifier.rawValue)
        }
    }

    /// The prefix that all written-out keychain groups share, else that of the team in the environment, else the
    /// default.
    private func teamPrefix(_ team: String?) throws(EntitlementsError) -> String {
        let named = try team.map { team throws(EntitlementsError) in
            guard let prefix = EntitledProgram.teamPrefix(of: team + "."), prefix.utf8.count == team.utf8.count + 1
            else {
                throw EntitlementsError(.malformedTeam)
            }
            return prefix
        }
        var shared: String?
        for (index, element) in (list[Key.keychainAccessGroups.rawValue]?.array ?? []).enumerated() {
            guard let name = element.string, !name.utf8.starts(with: "$".utf8), !Self.isExplicit(name) else { continue }
            guard let prefix = EntitledProgram.teamPrefix(of: name), prefix == shared ?? prefix else {
                guard let named else { throw fault(.ambiguousPrefix, .keychainAccessGroups, index) }
                return named
            }
            shared = prefix
        }
        return shared ?? named ?? EntitledProgram.defaultPrefix
    }

    /// Returns the names in the list for `key`, which begin with one of `prefixes`, or are explicit if that is allowed.
    private func names(
        _ key: Key,
        _ variables: [String: String],
        _ prefixes: [String],
        allowsExplicit: Bool = false
    ) throws(EntitlementsError) -> [String] {
        guard let value = list[key.rawValue] else { return [] }
        guard let elements = value.array else { throw fault(.notAnArray, key) }
        var names: [String] = []
        for (index, element) in elements.enumerated() {
            do {
                let name = try EntitlementsName(element)
                // The value of a variable was not written by the author of the groups, so it is never a wildcard.
                let isExplicit = allowsExplicit && Self.isExplicit(name.text)
                names.append(isExplicit ? name.text : try name.expanded(variables, prefixes: prefixes))
            } catch {
                throw fault(error, key, index)
            }
        }
        return names
    }

    /// Whether a name is one of the two groups that have no prefix.
    static func isExplicit(_ name: String) -> Bool {
        name.isSameText(AccessGroups.wildcard) || name.isSameText(AccessGroups.token)
    }

    private func fault(_ kind: EntitlementsError.Kind, _ key: Key, _ index: Int? = nil) -> EntitlementsError {
        let line = index.map { lines?[key.rawValue, $0] } ?? lines?[key.rawValue]
        return EntitlementsError(kind, line: line, key: key.rawValue)
    }
}

extension EntitlementsError {
    init(_ error: PropertyListError) {
        self.init(.malformedBinary(error.description))
    }

    init(_ error: XMLPropertyListError) {
        self.init(.malformedXML(error.kind.description), line: error.line, key: error.key)
    }
}

extension [UInt8] {
    /// Whether a tag comes first, or the byte order mark of UTF-16, for which the XML reader has a more precise error.
    fileprivate var lookLikeXML: Bool {
        let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
        let isUTF16 = starts(with: [0xFE, 0xFF]) || starts(with: [0xFF, 0xFE])
        return isUTF16 || text.first { !$0.isWhiteSpace } == UInt8(ascii: "<")
    }
}
