internal import VaultCrypto

/// Opened pieces of a file, up to a number of bytes; those used longest ago are dropped first.
///
/// There are two generations. A piece that is used moves to the younger one. When that has grown to half of the limit,
/// it becomes the older one, and the former older one is dropped. That needs no bookkeeping on each use.
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
