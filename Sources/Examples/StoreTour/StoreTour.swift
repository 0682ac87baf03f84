import FoundationEssentials
import KeyedArchive
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// The steps of the tour.
struct StoreTour {
    private static let group = Array("com.example.tour".utf8)

    let path: String
    let environment: StoreEnvironment

    // MARK: - Changes

    func add(_ account: String, _ service: String, _ secret: String, to store: VaultStore) throws -> ItemName {
        let attributes = try ItemAttributes(.genericPassword, ["acct": .string(account), "svce": .string(service)])
        let bytes = Array(secret.utf8)
        return try store.transaction { transaction in
            try transaction.add(attributes, secret: bytes.span, group: Self.group, protection: .whenUnlocked).name
        }
    }

    func change(_ name: ItemName, to secret: String, in store: VaultStore) throws {
        let bytes = Array(secret.utf8)
        try store.transaction { transaction in
            guard let item = try transaction.vault.item(name) else { throw StoreError.noSuchItem(name) }
            let attributes = try transaction.vault.attributes(of: item)
            try transaction.update(item, attributes: attributes, secret: .replace(bytes.span))
        }
    }

    // MARK: - Content

    /// A line for each item, oldest first.
    func lines(of store: VaultStore) throws -> [String] {
        try store.read { vault in
            var lines: [String] = []
            guard let group = vault.keyring.group(named: Self.group) else { return lines }
            for item in try vault.items(in: group.group) {
                let attributes = try vault.attributes(of: item)
                let secret = try vault.secret(of: item)
                let text = secret.withText() ?? "no data"
                lines.append("\(attributes["acct"]?.string ?? "?") at \(attributes["svce"]?.string ?? "?"): \(text)")
            }
            return lines
        }
    }

    /// A line for each revision of an item, newest first.
    func past(of name: ItemName, in store: VaultStore) throws -> [String] {
        try store.read { vault in
            var lines: [String] = []
            for revision in try vault.revisions(of: name) {
                let secret = try vault.secret(of: revision)
                let text = secret.withText() ?? "no data"
                lines.append("revision \(revision.revision.number): \(text)\(revision.ended == nil ? ", current" : "")")
            }
            return lines
        }
    }

    // MARK: - Damage

    /// Leaves the beginning of a frame, like a program that is killed while it writes.
    func writeHalfAChange(to store: VaultStore) throws {
        let start = try store.read { vault in vault.position.offset }
        _ = try add("kim", "half.example.com", "never there", to: store)
        let end = try store.read { vault in vault.position.offset }
        let place = try environment.files.locate(path)
        try place.directory.open(place.name, for: .writing).truncate(to: (start + end) / 2)
    }

    /// Flips a bit in the metadata of an item of the snapshot.
    func flipBit(in store: VaultStore) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        let source = MemorySource([UInt8](bytes))
        let offset = try store.read { vault -> Int? in
            let section = vault.opening.directory.sections[0]
            let snapshotOffset = vault.header.snapshotRange.lowerBound
            guard let key = vault.keyring.matchKeys[section.group] else { return nil }
            let keys = try MatchKeys(key, cipher: vault.cipher)
            let reader = try GroupSectionReader(section, in: source, snapshotOffset: snapshotOffset, keys: keys)
            return snapshotOffset + section.offset + (try reader.leaf(0)[0].metadata.offset)
        }
        guard let offset else { return }
        bytes[offset] ^= 1
        try overwrite(with: bytes)
    }

    /// Changes the bytes of the file in place, as a failing disk does.
    private func overwrite(with bytes: Data) throws {
        let place = try environment.files.locate(path)
        try place.directory.open(place.name, for: .writing).writeAll([UInt8](bytes).span, at: 0)
    }
}

extension Secret? {
    /// The data as text; the secrets of the tour are made up.
    consuming func withText() -> String? {
        switch consume self {
        case nil: nil
        case .some(let secret):
            secret.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
        }
    }
}
