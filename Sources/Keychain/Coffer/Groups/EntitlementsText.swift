internal import CofferBasics
internal import KeyedArchive
package import VaultFiles

/// The text of an entitlements file, to which groups are added as by Xcode's capability *Keychain Sharing*.
package struct EntitlementsText: Sendable {
    /// The content of the file.
    package let bytes: [UInt8]
    /// The entitlements in it.
    package let entitlements: Entitlements
    private let list: PropertyList
    private let path: String
    private let program: EntitledProgram

    private typealias Key = EntitlementsReader.Key
    private static let variable = "$(AppIdentifierPrefix)"

    private init(_ bytes: [UInt8], in path: String, of program: EntitledProgram) throws(EntitlementsError) {
        let reader = try EntitlementsReader(bytes)
        self.bytes = bytes
        self.path = path
        self.program = program
        list = reader.list
        entitlements = try reader.entitlements(of: program)
    }

    private init(_ list: PropertyList, in path: String, of program: EntitledProgram) throws(EntitlementsError) {
        // First without lines, which say nothing before the text is in the file.
        _ = try EntitlementsReader(list).entitlements(of: program)
        let bytes = try EntitlementsError.converting { try list.xmlEncoded(limits: .record) }
        try self.init(bytes, in: path, of: program)
    }

    /// Creates the text of a new file, in which the program has a group of its own.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which is named like the program.
    ///   - environment: The environment of the command.
    /// - Throws: ``EntitlementsError`` if the program's name cannot be that of a group.
    package init(newFile path: String, environment: ProgramEnvironment) throws(EntitlementsError) {
        let program = EntitledProgram(path.withoutEntitlementsSuffix, environment)
        let group = PropertyList.string(Self.variable + (program.name ?? ""))
        self = try EntitlementsError.naming(path) {
            try EntitlementsText([Key.keychainAccessGroups.rawValue: [group]], in: path, of: program)
        }
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - environment: The environment of the command.
    ///   - files: The files of the machine.
    /// - Throws: ``EntitlementsError`` if the file cannot be read or understood.
    package init(
        file path: String,
        environment: ProgramEnvironment,
        files: any FileSystem = LinuxFileSystem()
    ) throws(EntitlementsError) {
        self = try EntitlementsError.naming(path) {
            let program = EntitledProgram(path.withoutEntitlementsSuffix, environment)
            return try EntitlementsText(Entitlements.bytes(of: path, files), in: path, of: program)
        }
    }
}

// MARK: - Adding

extension EntitlementsText {
    /// Whether the file has comments, which ``adding(_:)`` drops.
    package var hasComments: Bool { bytes.indices.contains { bytes[$0...].starts(with: "<!--".utf8) } }

    /// Returns the text with more groups, written as Xcode does: in XML, with sorted keys.
    ///
    /// Names without a prefix get `$(AppIdentifierPrefix)`; those that begin with `group.` are application groups. Groups
    /// that the program has already are left out. A first keychain group is preceded by the program's own, since new
    /// items go to the first.
    ///
    /// - Parameter names: The names of the groups.
    /// - Returns: The text, which is the same if the program has all the groups.
    /// - Throws: ``EntitlementsError`` if a name cannot be that of a group of the program.
    package func adding(_ names: [String]) throws(EntitlementsError) -> EntitlementsText {
        let isApplicationGroup = { (name: String) in name.hasPrefix("group.") }
        var keychainGroups = names.filter { !isApplicationGroup($0) }.map(completed)
        if !keychainGroups.isEmpty, list[Key.keychainAccessGroups.rawValue]?.array?.isEmpty ?? true {
            let own = entitlements.applicationIdentifier.dropFirst(entitlements.prefix.count)
            keychainGroups.insert(Self.variable + own, at: 0)
        }
        var entries = list.dictionary ?? [:]
        add(keychainGroups, to: .keychainAccessGroups, &entries)
        add(names.filter(isApplicationGroup), to: .applicationGroups, &entries)
        guard entries != list.dictionary else { return self }
        return try EntitlementsError.naming(path) {
            try EntitlementsText(.dictionary(entries), in: path, of: program)
        }
    }

    private func add(_ names: [String], to key: Key, _ entries: inout CanonicalDictionary<String, PropertyList>) {
        guard !names.isEmpty else { return }
        var groups = entries[key.rawValue]?.array ?? []
        for name in names where !groups.contains(where: { expanded($0.string ?? "").isSameText(expanded(name)) }) {
            groups.append(.string(name))
        }
        let others = entries.filter { $0.key != key.rawValue }
        entries = CanonicalDictionary(others + [(key.rawValue, .array(groups))]) ?? entries
    }

    /// The name with a prefix, as Xcode completes it.
    private func completed(_ name: String) -> String {
        let hasPrefix =
            name.hasPrefix("$") || name.hasPrefix(entitlements.prefix) || EntitledProgram.teamPrefix(of: name) != nil
            || EntitlementsReader.isExplicit(name)
        return hasPrefix ? name : Self.variable + name
    }

    private func expanded(_ name: String) -> String {
        name.hasPrefix(Self.variable) ? entitlements.prefix + name.dropFirst(Self.variable.count) : name
    }
}
