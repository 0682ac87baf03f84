internal import CofferBasics
internal import KeyedArchive
internal import VaultCrypto
internal import VaultFormat

/// Checks a property list, and makes entitlements of it.
struct EntitlementsReader {
    /// The most bytes that an entitlements file has, which are those of a record too.
    static let byteCountLimit = DecodingLimits.record.byteCount

    private let list: PropertyList
    /// Where the values stand, if they come from XML.
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
            list = try translating(EntitlementsError.init) { () throws(PropertyListError) in
                try PropertyList(binary: bytes, limits: .record)
            }
            return
        }
        guard bytes.lookLikeXML else { throw EntitlementsError(.notAPropertyList) }
        (list, lines) = try translating(EntitlementsError.init) { () throws(XMLPropertyListError) in
            try PropertyList.readingLines(xml: bytes, limits: .record)
        }
    }

    /// The entitlements, if all is well with them.
    func entitlements(bundleIdentifier: String?) throws(EntitlementsError) -> Entitlements {
        guard list.dictionary != nil else { throw EntitlementsError(.notADictionary, line: lines?.root) }
        var variables: [String: String] = [:]
        variables["CFBundleIdentifier"] = bundleIdentifier
        let (identifier, prefix) = try applicationIdentifier(variables)
        variables["AppIdentifierPrefix"] = prefix
        variables["TeamIdentifierPrefix"] = prefix
        let explicit = [AccessGroups.wildcard, AccessGroups.token]
        return Entitlements(
            applicationIdentifier: identifier,
            prefix: prefix,
            keychainAccessGroups: try names(.keychainAccessGroups, variables, [prefix], explicit: explicit),
            associatedApplicationIdentifiers: try names(.associatedIdentifiers, variables, [prefix]),
            applicationGroups: try names(.applicationGroups, variables, ["group.", prefix])
        )
    }
}

// MARK: - Names

extension EntitlementsReader {
    private enum Key: String {
        case applicationIdentifier = "application-identifier"
        case macApplicationIdentifier = "com.apple.application-identifier"
        case keychainAccessGroups = "keychain-access-groups"
        case associatedIdentifiers = "com.apple.developer.associated-application-identifier"
        case applicationGroups = "com.apple.security.application-groups"
    }

    /// The name of the program, and its prefix.
    private func applicationIdentifier(
        _ variables: [String: String]
    ) throws(EntitlementsError) -> (name: String, prefix: String) {
        let key = [Key.applicationIdentifier, .macApplicationIdentifier].first { list[$0.rawValue] != nil }
        guard let key, let value = list[key.rawValue] else {
            throw EntitlementsError(.noApplicationIdentifier, key: Key.applicationIdentifier.rawValue)
        }
        do throws(EntitlementsError.Kind) {
            let name = try EntitlementsName(value).expanded(variables)
            guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
                name.utf8.index(after: dot) < name.endIndex
            else { throw .malformedApplicationIdentifier }
            // Bytes again: a dot and an accent after it are one character.
            return (name, String(decoding: name.utf8[...dot], as: UTF8.self))
        } catch {
            throw fault(error, key)
        }
    }

    /// The names in the list for `key`, which begin with one of `prefixes`, or are one of `explicit` as it stands.
    private func names(
        _ key: Key,
        _ variables: [String: String],
        _ prefixes: [String],
        explicit: [String] = []
    ) throws(EntitlementsError) -> [String] {
        guard let value = list[key.rawValue] else { return [] }
        guard let elements = value.array else { throw fault(.notAnArray, key) }
        var names: [String] = []
        for (index, element) in elements.enumerated() {
            do throws(EntitlementsError.Kind) {
                let name = try EntitlementsName(element)
                // What a variable stands for has not been written by who declares the groups, so it is never a wildcard.
                let isExplicit = explicit.contains { $0.isText(name.text) }
                names.append(isExplicit ? name.text : try name.expanded(variables, prefixes: prefixes))
            } catch {
                throw fault(error, key, index)
            }
        }
        return names
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
    /// Whether a tag comes first, or the mark of UTF-16, about which the reader of XML has something to say.
    fileprivate var lookLikeXML: Bool {
        let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
        let isUTF16 = starts(with: [0xFE, 0xFF]) || starts(with: [0xFF, 0xFE])
        return isUTF16 || text.first { !$0.isWhiteSpace } == UInt8(ascii: "<")
    }
}

extension UInt8 {
    fileprivate var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
