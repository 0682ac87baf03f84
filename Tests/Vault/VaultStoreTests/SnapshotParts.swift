import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// What the group sections of a vault file hold.
struct SnapshotParts {
    // The sealed boxes of the live revisions.
    private(set) var metadata: Set<[UInt8]> = []
    private(set) var secrets: Set<[UInt8]> = []
    private(set) var past: [MatchEntry] = []
    /// The pages of live leaves.
    private(set) var pages: Set<[UInt8]> = []
    private(set) var keybag: Keybag

    init(of file: [UInt8], roots: Keyring.Roots) throws {
        let source = MemorySource(file)
        let prelude = try VaultPrelude(of: source)
        keybag = prelude.keybag
        let opening = try VaultOpening(prelude, roots: roots, random: DeterministicRandom(seed: "parts"))
        for section in opening.directory.sections where section.kind == .group {
            let key = try #require(opening.keyring.matchKeys[section.group])
            let reader = try GroupSectionReader(
                section,
                in: source,
                snapshotOffset: prelude.header.snapshotRange.lowerBound,
                keys: try MatchKeys(key, cipher: opening.keys.cipher)
            )
            var entries: [MatchEntry] = []
            try reader.forEachEntry { entries.append($0) }
            try reader.forEachEntry(of: .past) { past.append($0) }
            for number in reader.fence.live.keys.indices {
                pages.insert(try reader.bytes(of: reader.fence.leafPart(number, of: .live).page))
            }
            for entry in entries {
                metadata.insert(try reader.bytes(of: entry.metadata))
                if let part = entry.secret { secrets.insert(try reader.bytes(of: part)) }
            }
        }
    }
}

extension [UInt8] {
    /// Whether `other` occurs anywhere in the bytes.
    func contains(bytes other: [UInt8]) -> Bool {
        guard let first = other.first, other.count <= count else { return other.isEmpty }
        for start in 0...(count - other.count) where self[start] == first {
            if self[start..<start + other.count].elementsEqual(other) { return true }
        }
        return false
    }
}
