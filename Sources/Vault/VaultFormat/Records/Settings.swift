internal import CofferBasics
package import KeyedArchive
package import VaultCrypto

/// Section 8.7: the settings of a vault, signed with the team key.
package struct Settings: Equatable, Sendable {
    package var revision: UInt64
    package var values: CanonicalDictionary<ArchiveValue, ArchiveValue>

    package init(revision: UInt64 = 0, values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [:]) {
        self.revision = revision
        self.values = values
    }

    private static let signatureByteCount = 64
    /// The size of a body without an archive.
    static let leastByteCount = 16 + signatureByteCount

    /// The body of a settings record, signed with the team secret.
    package func signed(by teamSecret: Key, vault: VaultID) throws(Fault) -> [UInt8] {
        let archive = try translating(
            { (_: KeyedArchiveError) in Fault(.archive) },
            ArchiveValue.dictionary(values).archived(limits: .record)
        )
        var body: [UInt8] = []
        body.append(littleEndian: revision)
        body.append(littleEndian: UInt32(archive.count))
        body.append(littleEndian: UInt32(0))
        body += archive
        let signed = Self.signedBytes(body, vault)
        return body + teamSecret.signature(of: signed.span)
    }

    /// Reads the body of a settings record, which must be signed with the team key; throws if that is nil.
    package init(body: [UInt8], teamKey: [UInt8]?, vault: VaultID) throws(Fault) {
        guard let teamKey else { throw Fault(.missing) }
        guard body.count >= Self.leastByteCount else { throw Fault(.tooShort) }
        let content = Array(body.dropLast(Self.signatureByteCount))
        let signature = Array(body.suffix(Self.signatureByteCount))
        let signed = Self.signedBytes(content, vault)
        guard Ed25519.verify(signature: signature.span, of: signed.span, publicKey: teamKey) else {
            throw Fault(.notAuthentic)
        }
        try self.init(content: content)
    }

    private init(content: [UInt8]) throws(Fault) {
        var reader = ByteReader(content)
        revision = try reader.read()
        let byteCount = try reader.readCount()
        try reader.readZeros(4)
        let start = reader.offset
        let archive = try reader.readBytes(byteCount)
        try reader.expectEnd()
        guard let values = CanonicalDictionary(canonicalArchive: archive, limits: .record) else {
            throw Fault(.archive, at: start)
        }
        self.values = values
        guard hasValidValues else { throw Fault(.badValue, at: start) }
    }

    private static func signedBytes(_ body: [UInt8], _ vault: VaultID) -> [UInt8] {
        Label.settings.bytes + vault.bytes + body
    }
}

/// Settings with the body of their record.
package struct SettingsRecord: Sendable {
    package let settings: Settings
    package let body: [UInt8]

    /// Signs settings with the team secret.
    package init(_ settings: Settings, signedBy teamSecret: Key, vault: VaultID) throws(Fault) {
        self.settings = settings
        body = try settings.signed(by: teamSecret, vault: vault)
    }

    /// Reads the body of a settings record, which must be signed with the team key; throws if that is nil.
    package init(body: [UInt8], teamKey: [UInt8]?, vault: VaultID) throws(Fault) {
        settings = try Settings(body: body, teamKey: teamKey, vault: vault)
        self.body = body
    }

    /// Whether these settings count rather than others, of which nil stands for none.
    package func counts(before other: SettingsRecord?) -> Bool {
        guard let other else { return true }
        let (own, others) = (settings.revocations, other.settings.revocations)
        guard own.isSuperset(of: others), others.isSuperset(of: own) else { return own.isSuperset(of: others) }
        guard settings.revision == other.settings.revision else {
            return settings.revision > other.settings.revision
        }
        return other.body.lexicographicallyPrecedes(body)
    }
}

// The keys defined so far.
extension Settings {
    private static let historyRevisionsName = "historyRevisions"
    private static let historyDaysName = "historyDays"
    private static let compressionName = "compression"
    private static let revocationsName = "revocations"

    /// The number of past revisions of an item that a compaction keeps.
    package var historyRevisions: Int? {
        get { count(Self.historyRevisionsName) }
        set { set(Self.historyRevisionsName, newValue.map { .integer(Int128($0)) }) }
    }

    /// The number of days for which a compaction keeps a past revision.
    package var historyDays: Int? {
        get { count(Self.historyDaysName) }
        set { set(Self.historyDaysName, newValue.map { .integer(Int128($0)) }) }
    }

    /// Whether metadata is compressed.
    package var isCompressing: Bool {
        get { values[.string(Self.compressionName)]?.bool ?? true }
        set { set(Self.compressionName, .bool(newValue)) }
    }

    /// Who lost access to the vault; the value in a record is valid.
    package var revocations: Revocations {
        get { values[.string(Self.revocationsName)]?.data.flatMap(Revocations.init(bytes:)) ?? Revocations() }
        set { set(Self.revocationsName, newValue.isEmpty ? nil : .data(newValue.bytes)) }
    }

    /// Whether all keys are texts, the values of those defined so far have the right types, and no number is negative.
    private var hasValidValues: Bool {
        values.allSatisfy { $0.key.string != nil }
            && values[.string(Self.revocationsName)].map { $0.data.flatMap(Revocations.init(bytes:)) != nil } ?? true
            && [Self.historyRevisionsName, Self.historyDaysName].allSatisfy { name in
                values[.string(name)].map { $0.integer.map { $0 >= 0 } ?? false } ?? true
            } && values[.string(Self.compressionName)].map { $0.bool != nil } ?? true
    }

    private func count(_ name: String) -> Int? {
        guard let value = values[.string(name)]?.integer, value >= 0 else { return nil }
        return Int(clamping: value)
    }

    private mutating func set(_ name: String, _ value: ArchiveValue?) {
        values[.string(name)] = value
    }
}
