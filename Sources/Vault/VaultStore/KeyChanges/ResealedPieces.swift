internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// Blocks and secrets of the old file that go into the new one under another key.
///
/// Their sizes do not change, so the new file is laid out as if they were copied; they are opened and resealed one by
/// one when they are written.
struct ResealedPieces {
    /// A data key and its successor.
    struct Move {
        var handle: (old: KeyHandle, new: KeyHandle)
        var keys: (old: DataKeys, new: DataKeys)
    }

    private struct Piece {
        var offset: Int
        var byteCount: Int32
        var move: Int32
        /// Nil for a block.
        var revision: Revision?
    }

    private let path: String
    private var moves: [Move] = []
    private var pieces: [Piece] = []

    init(of vault: OpenGeneration) {
        path = vault.path
    }

    /// Adds a move, and returns the number by which pieces refer to it.
    mutating func add(_ move: Move) -> Int {
        moves.append(move)
        return moves.count - 1
    }

    mutating func addBlock(_ range: Range<Int>, move: Int) {
        pieces.append(
            Piece(offset: range.lowerBound, byteCount: Int32(range.count), move: Int32(move), revision: nil)
        )
    }

    mutating func addSecret(_ range: Range<Int>, of revision: Revision, move: Int) {
        pieces.append(
            Piece(offset: range.lowerBound, byteCount: Int32(range.count), move: Int32(move), revision: revision)
        )
    }

    /// Sorts the pieces, which lookups require.
    mutating func sort() { pieces.sort { $0.offset < $1.offset } }

    /// Returns `bytes`, which lie in `range` of the old file, with the pieces in it resealed.
    func resealed(_ bytes: [UInt8], in range: Range<Int>) throws -> [UInt8] {
        var number = firstPiece(notBefore: range.lowerBound)
        guard number < pieces.count, pieces[number].offset < range.upperBound else { return bytes }
        var output = bytes
        while number < pieces.count, pieces[number].offset < range.upperBound {
            let start = pieces[number].offset - range.lowerBound
            let end = start + Int(pieces[number].byteCount)
            guard end <= bytes.count else { throw failure(.badLength, number) }
            let piece = try resealed(bytes.span.extracting(start..<end), number)
            guard piece.count == end - start else { throw failure(.badLength, number) }
            var span = output.mutableSpan
            span.copy(from: piece.span, at: start)
            number += 1
        }
        return output
    }

    private func firstPiece(notBefore offset: Int) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func resealed(_ box: Span<UInt8>, _ number: Int) throws -> [UInt8] {
        let piece = pieces[number]
        let move = moves[Int(piece.move)]
        do throws(Fault) {
            guard let revision = piece.revision else {
                return try MetadataBlock.resealed(box, handles: move.handle, keys: move.keys)
            }
            let secret = try Secret(opening: box, of: revision, keys: move.keys.old)
            return secret.sealed(of: revision, keys: move.keys.new)
        } catch {
            throw failure(error.reason, number)
        }
    }

    private func failure(_ reason: Fault.Reason, _ number: Int) -> StoreError {
        StoreError(.snapshotFailure(reason, offset: pieces[number].offset), path: path)
    }
}

extension Secret {
    /// Returns the data, sealed under another key for the same revision.
    func sealed(of revision: Revision, keys: DataKeys) -> [UInt8] {
        withBytes { bytes in
            Put.sealedSecret(bytes, form: form, of: revision, keys: keys)
        }
    }
}
