internal import VaultCrypto

/// Pieces of a file that were opened, up to a number of bytes; those that were used longest ago go first.
///
/// There are two generations: what is used moves to the younger, and when that has grown to half of the limit, it
/// becomes the older and the older is forgotten. That costs no bookkeeping at each use.
struct PieceCache<Key: Hashable & Sendable, Piece: Sendable>: Sendable {
    private struct Entry: Sendable {
        var piece: Piece
        var byteCount: Int
    }

    private let byteCountLimit: Int
    private var young: [Key: Entry] = [:]
    private var old: [Key: Entry] = [:]
    private var youngByteCount = 0

    init(byteCountLimit: Int) {
        self.byteCountLimit = byteCountLimit
    }

    subscript(key: Key) -> Piece? {
        mutating get {
            if let found = young[key] { return found.piece }
            guard !old.isEmpty, let entry = old.removeValue(forKey: key) else { return nil }
            insert(entry.piece, for: key, byteCount: entry.byteCount)
            return entry.piece
        }
    }

    mutating func insert(_ piece: Piece, for key: Key, byteCount: Int) {
        youngByteCount += byteCount - (young[key]?.byteCount ?? 0)
        young[key] = Entry(piece: piece, byteCount: byteCount)
        guard youngByteCount > byteCountLimit / 2 else { return }
        old = young
        young = [:]
        youngByteCount = 0
    }
}
