internal import CofferBasics

extension Form where Content == NamedFile {
    static var npmrc: Form {
        Form {
            [".npmrc", "npmrc"].contains($0.name)
        } read: { file, _ in
            try file.bytes.checkUTF8()
            var reader = NpmrcFile(file.bytes)
            return try file.bytes.withSpan { bytes in try reader.read(bytes) }
        }
    }
}

/// npm's `.npmrc`: one record for each registry with a token or a password.
struct NpmrcFile {
    private static let secretNames = ["_authToken", "_auth", "_password"]
    /// Settings of a registry that are not secret.
    private static let otherNames = ["username", "email", "certfile", "keyfile", "always-auth"]

    private var file: PasswordFile
    private var lines: LineReader
    private var registries: [Registry] = []
    private var positions: [String: Int] = [:]
    private var losses = LossCounter()

    private struct Registry {
        /// The address without scheme, such as `//registry.npmjs.org/`; empty for settings without one.
        let address: String
        let line: Int
        var settings: [(name: String, value: HeldSecret)] = []

        mutating func take(_ name: String) -> HeldSecret? {
            // The last one counts, as for npm.
            guard let index = settings.lastIndex(where: { $0.name == name }) else { return nil }
            return settings.remove(at: index).value
        }
    }

    init(_ bytes: HeldSecret) {
        file = PasswordFile(form: "npmrc", byteCount: bytes.byteCount)
        lines = LineReader(offset: bytes.textStart)
    }

    mutating func read(_ bytes: Span<UInt8>) throws -> PasswordFile {
        while let line = lines.next(bytes) {
            let line = bytes.trimmed(line)
            guard let first = line.first, !bytes[first].isCommentMark else { continue }
            try readSetting(line, bytes)
        }
        for registry in registries { try file.append(Self.record(of: registry)) }
        file.losses = losses.losses
        return file
    }

    private mutating func readSetting(_ line: Range<Int>, _ bytes: Span<UInt8>) throws {
        guard let equal = line.first(where: { bytes[$0] == UInt8(ascii: "=") }) else {
            return try file.refuse("line \(lines.number): expected name=value")
        }
        let key = bytes.extracting(bytes.trimmed(line.lowerBound..<equal)).text
        // `//host/path/:name`; the host may have a port.
        let colon = key.hasPrefix("//") ? key.lastIndex(of: ":") : nil
        let address = colon.map { String(key[..<$0]) } ?? ""
        let name = colon.map { String(key[key.index(after: $0)...]) } ?? key
        guard colon != nil || Self.secretNames.contains(name) || Self.otherNames.contains(name) else {
            return losses.note("setting \(key.shortened.printable)")
        }
        if positions[address] == nil {
            guard registries.count < PasswordFile.recordCountLimit else {
                throw PasswordFileError.tooLarge("the file has more than \(PasswordFile.recordCountLimit) registries")
            }
            positions[address] = registries.count
            registries.append(Registry(address: address, line: lines.number))
        }
        let value = bytes.extracting(Self.unquoted(bytes.trimmed(equal + 1..<line.upperBound), bytes))
        registries[positions[address] ?? 0].settings.append((name, HeldSecret(copying: value)))
    }

    private static func unquoted(_ value: Range<Int>, _ bytes: Span<UInt8>) -> Range<Int> {
        guard value.count >= 2, let first = value.first, let last = value.last, bytes[first] == bytes[last],
            bytes[first] == UInt8(ascii: "\"") || bytes[first] == UInt8(ascii: "'")
        else { return value }
        return first + 1..<last
    }

    private static func record(of registry: Registry) -> PasswordRecord {
        var registry = registry
        var record = PasswordRecord(at: "line \(registry.line)")
        if registry.address.isEmpty {
            record.title = "registry.npmjs.org"
            record.addSite("https://registry.npmjs.org/")
            record.losses.append("written for no registry, an obsolete form; taken for registry.npmjs.org")
        } else {
            record.title = String(registry.address.dropFirst(2))
            record.addSite("https:" + registry.address)
        }
        for setting in registry.settings where setting.value.withSpan({ $0.hasVariable }) {
            record.losses.append("\(setting.name.printable) has a variable, which is not replaced by its value")
        }
        record.account = registry.take("username")?.text ?? ""
        record.setSecret(registry.take("_authToken"), orField: "_authToken")
        if let password = registry.take("_password") {
            if password.base64Decoded == nil { record.losses.append("_password is not base64; taken as it is written") }
            record.setSecret(password.base64Decoded ?? password, orField: "_password")
        }
        if let text = registry.take("_auth") { record.readNpmAuthentication(text) }
        for setting in registry.settings {
            record.add(setting.name, setting.value, isHidden: !otherNames.contains(setting.name))
        }
        return record
    }
}

extension PasswordRecord {
    /// Reads base64 of `user:password`, unless the record has a secret.
    fileprivate mutating func readNpmAuthentication(_ text: HeldSecret) {
        guard secret == nil, account.isEmpty, let decoded = text.base64Decoded else {
            losses.append("_auth is kept as a field")
            return add("_auth", text, isHidden: true)
        }
        readBasicAuthentication(decoded)
    }
}

extension Span<UInt8> {
    /// Whether the text has `${`.
    fileprivate var hasVariable: Bool { indices.contains { has("${".utf8, at: $0) } }
}
