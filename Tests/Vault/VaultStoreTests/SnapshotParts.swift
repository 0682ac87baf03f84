import TestSupport
import VaultCrypto
import VaultFormat

/// The sealed parts of the group sections in a vault file.
struct SnapshotParts {
    private(set) var parts: [(kind: BlockList.Kind, bytes: [UInt8])] = []
    private(set) var keybag: Keybag

    init(of file: [UInt8], roots: Keyring.Roots) throws {
        let source = MemorySource(file)
        let prelude = try VaultPrelude(of: source)
        keybag = prelude.keybag
        let opening = try VaultOpening(prelude, roots: roots, random: DeterministicRandom(seed: "parts"))
        for section in opening.directory.sections where section.kind == .group {
            for entry in try opening.blockList(of: section, in: source).entries {
                let range = opening.fileRange(of: entry.part, in: section)
                parts.append((entry.kind, Array(file[range])))
            }
        }
    }

    /// The bytes of all parts of a kind.
    func bytes(of kind: BlockList.Kind) -> Set<[UInt8]> {
        Set(parts.filter { $0.kind == kind }.map(\.bytes))
    }

    /// The sealed data of `count` items of equal size.
    func secretBoxes(of count: Int) -> [[UInt8]] {
        let bytes = parts.filter { $0.kind == .secrets }.flatMap(\.bytes)
        let byteCount = bytes.count / count
        return stride(from: 0, to: bytes.count, by: byteCount).map { Array(bytes[$0..<$0 + byteCount]) }
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
