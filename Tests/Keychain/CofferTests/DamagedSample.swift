import Coffer
import CofferBasics
import CofferSecurity
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

extension KeychainSample {
    /// The damaged part of an item.
    enum Part {
        /// Its attributes.
        case attributes
        /// Only its data.
        case data
        /// The list of the items in its leaf.
        case leaf
    }

    /// A keychain on a copy of the vault in which a part of each given item is damaged.
    func damaging(
        _ part: Part,
        of items: [ItemRequest],
        _ groups: AccessGroups = AccessGroups(application: "com.example.app")
    ) throws -> Keychain {
        try store.compact()
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        var offsets: Set<Int> = []
        for item in items {
            guard case .data(let reference) = try keychain.reference(item) else { continue }
            offsets.insert(try offset(of: part, of: ItemID(reference.span.extracting(4...)), in: bytes))
        }
        for offset in offsets { bytes[offset] ^= 1 }
        let copy = try TemporaryDirectory.current.appending(path: "damaged \(device).coffer").path
        try Data(bytes).write(to: URL(filePath: copy))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        let store = try VaultStore.open(at: copy, environment: store.environment) { [roots] _ in roots }
        return Keychain(store, groups: groups)
    }

    private func offset(of part: Part, of item: ItemID, in file: [UInt8]) throws -> Int {
        let opening = try store.read { vault in vault.opening }
        for section in opening.directory.sections where section.kind == .group {
            let key = try #require(opening.keyring.matchKeys[section.group])
            let start = opening.header.snapshotRange.lowerBound
            let reader = try GroupSectionReader(
                section,
                in: MemorySource(file),
                snapshotOffset: start,
                keys: try MatchKeys(key, cipher: opening.keys.cipher)
            )
            for number in 0..<reader.fence.live.count {
                guard let entry = try reader.leaf(number).first(where: { $0.revision.item == item }) else { continue }
                let part =
                    switch part {
                    case .attributes: entry.metadata
                    case .data: try #require(entry.secret)
                    case .leaf: reader.fence.leafPart(number, of: .live).page
                    }
                return start + section.offset + part.offset + 20
            }
        }
        throw KeychainError.itemNotFound
    }
}

/// Expects that `body` fails because an item is damaged.
func expectDamage(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> some Any
) {
    let error = #expect(throws: KeychainError.self, sourceLocation: sourceLocation) { _ = try body() }
    guard let error else { return }
    guard case .vault(let problem) = error, problem.kind == .damagedItem else {
        Issue.record("\(error)", sourceLocation: sourceLocation)
        return
    }
}
